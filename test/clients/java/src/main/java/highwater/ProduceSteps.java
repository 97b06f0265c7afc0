// Produce requests over the wire: every check of a batch, every level of acknowledgement, every version that changes something.
package highwater;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

final class ProduceSteps {
    private static final long HOUR = 3_600_000;
    private final Place place;
    private final Script script;

    ProduceSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("produce")) return;
        script.step("topics", () -> {
            place.topic("p1", 1, Map.of());
            place.topic("p-append", 1, Map.of("message.timestamp.type", "LogAppendTime"));
            place.topic("p-compact", 1, Map.of("cleanup.policy", "compact"));
            place.topic("p-four", 1, Map.of("min.insync.replicas", "4"));
            place.topic("p-small", 1, Map.of("max.message.bytes", "200"));
            place.topic("p-segment", 1, Map.of("segment.bytes", "1048576", "max.message.bytes", "3000000"));
            return null;
        });
        acknowledged();
        codecs();
        spoiled();
        times();
        refused();
    }

    private String produce(String topic, int version, MemoryRecords records) throws Exception {
        return Batches.produce(place, topic, 0, version, records);
    }

    private String acks(int acks) throws Exception {
        return Batches.produce(place.leader("p1", 0), 9, Batches.request("p1", 0, acks, null, Batches.plain("acks")));
    }

    private void acknowledged() {
        script.step("acks all", () -> acks(-1));
        script.step("acks 1", () -> acks(1));
        script.step("acks 2", () -> acks(2));
        script.step("acks -2", () -> acks(-2));
        script.step("acks 0 is not answered", () -> {
            var wire = place.leader("p1", 0);
            return wire.closesAfter(Batches.request("p1", 0, 0, null, Batches.plain("acks")), 9) ? "closed" : "open";
        });
        script.step("acks 0 is written", () -> {
            Script.until("the end", () -> place.offset("p1", 0, -1, 0) == 3);
            return place.ends("p1", 0);
        });
        script.step("acks 0 that fails closes the connection", () -> {
            var request = Batches.request("p-unknown", 0, 0, null, Batches.plain("acks"));
            return place.leader("p1", 0).closesAfter(request, 9) ? "closed" : "open";
        });
        for (int version : new int[] {3, 4, 5, 7, 8, 9, 10, 11, 12})
            script.step("version " + version, () -> produce("p1", version, Batches.plain("a", "b")));
        script.step("two topics, one unknown", () -> {
            var request = Batches.request("p1", 0, -1, null, Batches.plain("both"));
            request.topicData().mustAdd(Batches.request("p-unknown", 0, -1, null, Batches.plain("x")).topicData()
                .iterator().next().duplicate());
            return Place.say(place.leader("p1", 0), request, 9);
        });
    }

    private void codecs() {
        Map<String, Compression> codecs = new java.util.TreeMap<>(Map.of("gzip", Compression.gzip().build(), "snappy",
            Compression.snappy().build(), "lz4", Compression.lz4().build(), "zstd", Compression.zstd().build()));
        codecs.forEach((name, codec) -> script.step("codec " + name, () ->
            produce("p1", 9, Batches.compressed(codec, "a".repeat(500), "b".repeat(500), "c"))));
        script.step("zstd at version 6", () -> produce("p1", 6, Batches.compressed(Compression.zstd().build(), "a")));
        script.step("a codec of no known number", () ->
            produce("p1", 9, Batches.spoiled(Batches.plain("a"), true, batch -> batch.putShort(21, (short) 5))));
    }

    private void spoil(String name, boolean crc, Batches.Spoil spoil) {
        script.step(name, () -> produce("p1", 9, Batches.spoiled(Batches.plain("a", "b"), crc, spoil)));
    }

    private void spoiled() {
        spoil("wrong CRC", false, batch -> batch.putInt(17, 1));
        spoil("magic 0", false, batch -> batch.put(16, (byte) 0));
        spoil("magic 1", false, batch -> batch.put(16, (byte) 1));
        spoil("magic 3", false, batch -> batch.put(16, (byte) 3));
        spoil("batch length 10", false, batch -> batch.putInt(8, 10));
        spoil("batch length 45", false, batch -> batch.putInt(8, 45));
        spoil("batch length beyond the records", false, batch -> batch.putInt(8, 5000));
        spoil("base offset 7", true, batch -> batch.putLong(0, 7));
        spoil("too many records announced", true, batch -> batch.putInt(57, 3));
        spoil("too few records announced", true, batch -> batch.putInt(57, 1));
        spoil("no records announced", true, batch -> batch.putInt(57, 0).putInt(23, -1));
        spoil("last offset delta 5", true, batch -> batch.putInt(23, 5));
        spoil("both too large", true, batch -> batch.putInt(57, 3).putInt(23, 2));
        spoil("control", true, batch -> batch.putShort(21, (short) 0x20));
        spoil("transactional control", true, batch -> batch.putShort(21, (short) 0x30).putLong(43, 1).putInt(53, 0));
        spoil("producer without sequence", true, batch -> batch.putLong(43, 4000).putShort(51, (short) 0));
        spoil("leader epoch 99", true, batch -> batch.putInt(12, 99));
        spoil("unused attributes", true, batch -> batch.putShort(21, (short) 0x4000));
        script.step("two batches", () -> produce("p1", 9, Batches.joined(Batches.plain("a"), Batches.plain("b"))));
        script.step("a batch and half a one", () -> {
            ByteBuffer half = Batches.plain("b").buffer();
            half.limit(half.limit() - 5);
            return produce("p1", 9, Batches.joined(Batches.plain("a"), MemoryRecords.readableRecords(half)));
        });
        script.step("half a batch", () -> {
            ByteBuffer half = Batches.plain("b").buffer();
            half.limit(half.limit() - 5);
            return produce("p1", 9, MemoryRecords.readableRecords(half.slice()));
        });
        script.step("no batch", () -> produce("p1", 9, MemoryRecords.EMPTY));
    }

    private void times() {
        long now = System.currentTimeMillis();
        script.step("now", () -> produce("p1", 9, Batches.at(now, "now")));
        script.step("two hours ahead, version 7", () -> produce("p1", 7, Batches.at(now + 2 * HOUR, "ahead")));
        script.step("two hours ahead, version 9", () -> produce("p1", 9, Batches.at(now + 2 * HOUR, "ahead")));
        script.step("half an hour ahead", () -> produce("p1", 9, Batches.at(now + HOUR / 2, "ahead")));
        script.step("a year ago", () -> produce("p1", 9, Batches.at(now - 365 * 24 * HOUR, "ago")));
        script.step("no time", () -> produce("p1", 9, Batches.at(-1, "none")));
        script.step("marked LogAppendTime", () ->
            produce("p1", 9, Batches.stamped(TimestampType.LOG_APPEND_TIME, now, "marked")));
        script.step("log append time", () -> produce("p-append", 9, Batches.plain("a")));
        script.step("log append time, version 3", () -> produce("p-append", 3, Batches.plain("a")));
        script.step("log append time, marked", () ->
            produce("p-append", 9, Batches.stamped(TimestampType.LOG_APPEND_TIME, now, "marked")));
        script.step("log append time, two hours ahead", () ->
            produce("p-append", 9, Batches.at(now + 2 * HOUR, "ahead")));
    }

    private MemoryRecords keys(String... keys) {
        SimpleRecord[] records = new SimpleRecord[keys.length];
        for (int i = 0; i < keys.length; i++) records[i] = Batches.record(keys[i], "v");
        return MemoryRecords.withRecords(Compression.NONE, records);
    }

    private void refused() {
        script.step("an unknown topic", () -> Batches.produce(place.leader("p1", 0), 9,
            Batches.request("p-unknown", 0, -1, null, Batches.plain("a"))));
        script.step("an unknown partition", () -> Batches.produce(place.leader("p1", 0), 9,
            Batches.request("p1", 5, -1, null, Batches.plain("a"))));
        script.step("partition -1", () -> Batches.produce(place.leader("p1", 0), 9,
            Batches.request("p1", -1, -1, null, Batches.plain("a"))));
        script.step("a follower", () -> Batches.produce(place.follower("p1", 0), 9,
            Batches.request("p1", 0, -1, null, Batches.plain("a"))));
        script.step("null keys, compacted", () -> produce("p-compact", 9, keys("a", null, "b", null)));
        script.step("null keys, compacted, version 7", () -> produce("p-compact", 7, keys("a", null)));
        script.step("keys, compacted", () -> produce("p-compact", 9, keys("a", "b")));
        script.step("too few in sync", () -> produce("p-four", 9, Batches.plain("a")));
        script.step("too few in sync, acks 1", () -> Batches.produce(place.leader("p-four", 0), 9,
            Batches.request("p-four", 0, 1, null, Batches.plain("a"))));
        script.step("too large", () -> produce("p-small", 9, Batches.plain("a".repeat(300))));
        script.step("small enough", () -> produce("p-small", 9, Batches.plain("a")));
        script.step("larger than a segment", () -> produce("p-segment", 9, Batches.plain("a".repeat(1_200_000))));
        script.step("transactional without an id", () ->
            produce("p1", 9, Batches.transactional(4000, 0, 0, "a")));
        script.step("into an internal topic", () -> {
            place.groupCoordinator("any");
            return Batches.produce(place.leader("__consumer_offsets", 0), 9,
                Batches.request("__consumer_offsets", 0, -1, null, Batches.plain("a")));
        });
        script.step("what is left of all that", () -> place.ends("p1", 0));
    }
}
