// Record batches as a producer would write them, and as none would, and Produce requests that carry them.
package highwater;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

final class Batches {
    /** The time of every record that says nothing else. */
    static final long TIME = System.currentTimeMillis();
    private static final byte MAGIC = 2;
    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;

    static SimpleRecord record(String key, String value) {
        return new SimpleRecord(TIME, bytes(key), bytes(value));
    }

    static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    static MemoryRecords plain(String... values) {
        return compressed(Compression.NONE, values);
    }

    static MemoryRecords compressed(Compression compression, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) records[i] = record("k" + i, values[i]);
        return MemoryRecords.withRecords(compression, records);
    }

    static MemoryRecords at(long timestamp, String value) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(timestamp, bytes("k"), bytes(value)));
    }

    static MemoryRecords stamped(TimestampType type, long timestamp, String value) {
        return MemoryRecords.withRecords(MAGIC, 0L, Compression.NONE, type,
            new SimpleRecord(timestamp, bytes("k"), bytes(value)));
    }

    static MemoryRecords sequenced(long producerId, int epoch, int sequence, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) records[i] = record("k" + i, values[i]);
        return MemoryRecords.withIdempotentRecords(Compression.NONE, producerId, (short) epoch, sequence, records);
    }

    static MemoryRecords transactional(long producerId, int epoch, int sequence, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) records[i] = record("k" + i, values[i]);
        return MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, (short) epoch, sequence, records);
    }

    /** What a batch becomes when somebody writes into it; the CRC is made right again if asked for. */
    interface Spoil {
        void in(ByteBuffer batch);
    }

    static MemoryRecords spoiled(MemoryRecords records, boolean crc, Spoil spoil) {
        ByteBuffer copy = ByteBuffer.allocate(records.sizeInBytes());
        copy.put(records.buffer().duplicate()).flip();
        spoil.in(copy);
        if (crc) {
            CRC32C sum = new CRC32C();
            sum.update(copy.array(), CRC_FROM, copy.limit() - CRC_FROM);
            copy.putInt(CRC_AT, (int) sum.getValue());
        }
        return MemoryRecords.readableRecords(copy);
    }

    static MemoryRecords joined(MemoryRecords... parts) {
        int size = 0;
        for (MemoryRecords part : parts) size += part.sizeInBytes();
        ByteBuffer all = ByteBuffer.allocate(size);
        for (MemoryRecords part : parts) all.put(part.buffer().duplicate());
        return MemoryRecords.readableRecords(all.flip());
    }

    static ProduceRequestData request(String topic, int partition, int acks, String transactionalId,
        MemoryRecords records) {
        var data = new ProduceRequestData().setAcks((short) acks).setTimeoutMs(10_000)
            .setTransactionalId(transactionalId);
        data.topicData().mustAdd(new TopicProduceData().setName(topic).setPartitionData(List.of(
            new PartitionProduceData().setIndex(partition).setRecords(records))));
        return data;
    }

    /** Produces at the leader with acks=all and tells its answer for the partition. */
    static String produce(Place place, String topic, int partition, int version,
        MemoryRecords records) throws Exception {
        return produce(place.leader(topic, partition), version, request(topic, partition, -1, null, records));
    }

    static String produce(Wire wire, int version, ProduceRequestData request) throws Exception {
        var response = (ProduceResponseData) wire.ask(request, version);
        var answer = response.responses().iterator().next().partitionResponses().get(0);
        String errors = answer.recordErrors().isEmpty() ? "" : " record errors " + answer.recordErrors().stream()
            .map(each -> each.batchIndex() + "").toList();
        return "error " + answer.errorCode() + " base " + answer.baseOffset() + " start " + answer.logStartOffset()
            + (answer.logAppendTimeMs() == -1 ? "" : " appended at") + errors
                + (answer.errorMessage() == null ? "" : " message");
    }
}
