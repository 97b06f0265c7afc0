// Fetch, ListOffsets, OffsetForLeaderEpoch and Metadata over the wire.
package highwater;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

final class FetchSteps {
    private final Place place;
    private final Script script;

    FetchSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("fetch")) return;
        script.step("ten batches of two", () -> {
            place.topic("f1", 2, Map.of());
            for (int i = 0; i < 10; i++) Batches.produce(place, "f1", 0, 9, MemoryRecords.withRecords(
                org.apache.kafka.common.compress.Compression.NONE,
                new org.apache.kafka.common.record.internal.SimpleRecord(1000 + 10 * i, Batches.bytes("v" + i)),
                new org.apache.kafka.common.record.internal.SimpleRecord(1005 + 10 * i, Batches.bytes("w" + i))));
            return place.ends("f1", 0);
        });
        fetching();
        positions();
        sizes();
        offsets();
        epochs();
        metadata();
    }

    static FetchPartition at(int partition, long offset) {
        return new FetchPartition().setPartition(partition).setFetchOffset(offset).setPartitionMaxBytes(1 << 20)
            .setCurrentLeaderEpoch(-1).setLastFetchedEpoch(-1);
    }

    static FetchRequestData request(String topic, Uuid id, FetchPartition... partitions) {
        return new FetchRequestData().setMaxWaitMs(0).setMinBytes(0).setMaxBytes(1 << 20).setSessionEpoch(-1).setTopics(
            List.of(new FetchRequestData.FetchTopic().setTopic(topic).setTopicId(id)
                .setPartitions(List.of(partitions))));
    }

    /** The answer with its batches: first and last offset, producer epoch, and what kind. */
    static String fetch(Wire wire, FetchRequestData request, int version) throws Exception {
        var response = (FetchResponseData) wire.ask(request, version);
        List<String> said = new ArrayList<>();
        if (response.errorCode() != 0) said.add("top-level error " + response.errorCode());
        for (var topic : response.responses())
            for (var each : topic.partitions()) {
                List<String> batches = new ArrayList<>();
                if (each.records() == null) batches.add("null");
                else for (RecordBatch batch : ((MemoryRecords) each.records()).batches())
                    batches.add(batch.baseOffset() + ".." + batch.lastOffset() + (batch.isControlBatch() ? "c" : "")
                        + (batch.isTransactional() ? "t" : ""));
                String aborted = each.abortedTransactions() == null ? "null"
                    : each.abortedTransactions().stream().map(one -> one.firstOffset() + "").toList().toString();
                said.add("error " + each.errorCode() + " hw " + each.highWatermark() + " lso " + each.lastStableOffset()
                    + " start " + each.logStartOffset() + " aborted " + aborted + " diverging "
                    + each.divergingEpoch().endOffset() + " batches " + batches);
            }
        return String.join("; ", said);
    }

    private String fetch(FetchPartition partition, int version) throws Exception {
        return fetch(place.leader("f1", 0), request("f1", place.idOf("f1"), partition), version);
    }

    private void fetching() {
        for (int version : new int[] {4, 5, 6, 7, 9, 10, 11, 12, 13})
            script.step("version " + version, () -> fetch(at(0, 16), version));
        script.step("read committed", () ->
            fetch(place.leader("f1", 0), request("f1", place.idOf("f1"), at(0, 18)).setIsolationLevel((byte) 1), 12));
        script.step("an unknown topic", () ->
            fetch(place.leader("f1", 0), request("f-unknown", Uuid.ZERO_UUID, at(0, 0)), 12));
        script.step("an unknown topic id", () ->
            fetch(place.leader("f1", 0), request("", new Uuid(7, 7), at(0, 0)), 13));
        script.step("an unknown partition", () -> fetch(at(7, 0), 12));
        script.step("two partitions, one unknown", () ->
            fetch(place.leader("f1", 0), request("f1", place.idOf("f1"), at(0, 18), at(9, 0)), 12));
        script.step("a session that is not there", () -> fetch(place.leader("f1", 0),
            request("f1", place.idOf("f1"), at(0, 18)).setSessionId(12345).setSessionEpoch(1), 12));
        script.step("the final epoch of a session", () -> fetch(place.leader("f1", 0),
            request("f1", place.idOf("f1"), at(0, 18)).setSessionId(12345).setSessionEpoch(-1), 12));
    }

    private void positions() {
        script.step("within a batch", () -> fetch(at(0, 17), 12));
        script.step("at the end", () -> fetch(at(0, 20), 12));
        script.step("beyond the end", () -> fetch(at(0, 21), 12));
        script.step("at -1", () -> fetch(at(0, -1), 12));
        script.step("an older leader epoch", () -> fetch(at(0, 0).setCurrentLeaderEpoch(-2), 12));
        script.step("a newer leader epoch", () -> fetch(at(0, 18).setCurrentLeaderEpoch(99), 12));
        script.step("this leader epoch", () -> fetch(at(0, 18).setCurrentLeaderEpoch(0), 12));
        script.step("fetched in this epoch", () -> fetch(at(0, 18).setLastFetchedEpoch(0), 12));
        script.step("fetched in a newer epoch", () -> fetch(at(0, 18).setLastFetchedEpoch(9), 12));
        script.step("fetched further than this epoch went", () -> fetch(at(0, 25).setLastFetchedEpoch(0), 12));
    }

    private void sizes() {
        script.step("one byte of a partition", () -> fetch(at(0, 0).setPartitionMaxBytes(1), 12));
        script.step("one byte of all", () ->
            fetch(place.leader("f1", 0), request("f1", place.idOf("f1"), at(0, 0)).setMaxBytes(1), 12));
        script.step("200 bytes of a partition", () -> fetch(at(0, 0).setPartitionMaxBytes(200), 12));
        script.step("more than there is, for 50 ms", () -> fetch(place.leader("f1", 0),
            request("f1", place.idOf("f1"), at(0, 18)).setMinBytes(1 << 20).setMaxWaitMs(50), 12));
    }

    private String listed(Wire wire, ListOffsetsPartition partition, int version, int isolation) throws Exception {
        var request = new ListOffsetsRequestData().setReplicaId(-1).setIsolationLevel((byte) isolation)
            .setTopics(List.of(
            new ListOffsetsRequestData.ListOffsetsTopic().setName("f1").setPartitions(List.of(partition))));
        return Place.say(wire, request, version);
    }

    private ListOffsetsPartition time(long timestamp) {
        return new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(timestamp);
    }

    private void offsets() {
        for (int version : new int[] {1, 2, 4, 5, 6, 7})
            script.step("latest at version " + version, () -> listed(place.leader("f1", 0), time(-1), version, 0));
        for (long timestamp : new long[] {-2, -3, 0, 1000, 1005, 1006, 1042, 1095, 1096, 5000, -9})
            script.step("offset of " + timestamp, () -> listed(place.leader("f1", 0), time(timestamp), 7, 0));
        script.step("offset of -3 at version 6", () -> listed(place.leader("f1", 0), time(-3), 6, 0));
        script.step("latest, read committed", () -> listed(place.leader("f1", 0), time(-1), 7, 1));
        script.step("of an empty partition: latest, earliest, max, by time", () -> place.offset("f1", 1, -1, 0) + " "
            + place.offset("f1", 1, -2, 0) + " " + place.offset("f1", 1, -3, 0) + " " + place.offset("f1", 1, 5, 0));
        script.step("of a follower", () -> listed(place.follower("f1", 0), time(-1), 7, 0));
        script.step("of an unknown partition", () ->
            listed(place.leader("f1", 0), time(-1).setPartitionIndex(8), 7, 0));
        script.step("with a newer epoch", () -> listed(place.leader("f1", 0), time(-1).setCurrentLeaderEpoch(9), 7, 0));
        script.step("one partition twice", () -> {
            var request = new ListOffsetsRequestData().setReplicaId(-1).setTopics(List.of(
                new ListOffsetsRequestData.ListOffsetsTopic().setName("f1")
                    .setPartitions(List.of(time(-1), time(-2)))));
            return Place.say(place.leader("f1", 0), request, 7);
        });
    }

    private String epoch(int current, int asked, int version) throws Exception {
        var request = new OffsetForLeaderEpochRequestData().setReplicaId(-1);
        request.topics().mustAdd(new OffsetForLeaderEpochRequestData.OffsetForLeaderTopic().setTopic("f1")
            .setPartitions(
            List.of(new OffsetForLeaderEpochRequestData.OffsetForLeaderPartition().setPartition(0)
                .setCurrentLeaderEpoch(current).setLeaderEpoch(asked))));
        return Place.say(place.leader("f1", 0), request, version);
    }

    private void epochs() {
        for (int version : new int[] {2, 3, 4}) script.step("end of epoch 0 at version " + version, () ->
            epoch(-1, 0, version));
        script.step("end of epoch 5", () -> epoch(-1, 5, 4));
        script.step("end of epoch -1", () -> epoch(-1, -1, 4));
        script.step("asked of epoch 7", () -> epoch(7, 0, 4));
    }

    private void metadata() {
        for (int version : new int[] {1, 4, 5, 7, 9, 10, 12})
            script.step("metadata at version " + version, () -> {
                var topics = List.of(new MetadataRequestData.MetadataRequestTopic().setName("f1"));
                var request = new MetadataRequestData().setTopics(topics);
                if (version >= 4) request.setAllowAutoTopicCreation(false);
                return Place.say(place.anyBroker(), request, version).replaceAll("replicaNodes:\\[[^]]*\\]", "replicas")
                    .replaceAll("rack:[^,}]*", "rack");
            });
        script.step("metadata of an unknown and an invalid name", () ->
            Place.say(place.anyBroker(), new MetadataRequestData()
            .setAllowAutoTopicCreation(false).setTopics(List.of(
                new MetadataRequestData.MetadataRequestTopic().setName("f-unknown"),
                new MetadataRequestData.MetadataRequestTopic().setName("not a name"))), 12)
            .replaceAll("brokers:\\[[^]]*\\]", "brokers"));
        script.step("metadata of an unknown id", () -> Place.say(place.anyBroker(), new MetadataRequestData()
            .setAllowAutoTopicCreation(false).setTopics(List.of(
                new MetadataRequestData.MetadataRequestTopic().setName(null).setTopicId(new Uuid(7, 7)))), 12)
            .replaceAll("brokers:\\[[^]]*\\]", "brokers"));
    }
}
