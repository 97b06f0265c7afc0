// Transactional records and offsets over the wire: what is written when, what is visible, who is fenced, what a timeout does.
package highwater;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import highwater.TxnIdSteps.Owner;

final class TxnDataSteps {
    private static final String TOPIC = "y1";
    private final Place place;
    private final Script script;
    private final boolean second;

    /** @param second whether transaction.version 2 is in force */
    TxnDataSteps(Place place, Script script, boolean second) {
        this.place = place;
        this.script = script;
        this.second = second;
    }

    void run() {
        if (!script.area("txn data")) return;
        script.step("a topic", () -> {
            place.topic(TOPIC, 8, Map.of());
            return null;
        });
        writing();
        if (second) implicit();
        fencing();
        timeouts();
        offsets();
        markers();
    }

    private String write(Owner owner, int partition, int sequence, int version) throws Exception {
        var records = Batches.transactional(owner.producerId, owner.epoch, sequence, "t" + sequence);
        return Batches.produce(place.leader(TOPIC, partition), version,
            Batches.request(TOPIC, partition, -1, owner.id, records));
    }

    private String read(int partition, int isolation) throws Exception {
        var request = FetchSteps.request(TOPIC, Uuid.ZERO_UUID, FetchSteps.at(partition, 0))
            .setIsolationLevel((byte) isolation);
        return FetchSteps.fetch(place.leader(TOPIC, partition), request, 12);
    }

    private void writing() {
        Owner[] owner = new Owner[1];
        script.step("an owner", () -> {
            TxnIdSteps.init(place, "y-a", 60_000);
            return "epoch " + (owner[0] = TxnIdSteps.init(place, "y-a", 60_000)).epoch;
        });
        script.step("write what was not added, version 9", () -> write(owner[0], 0, 0, 9));
        script.step("write what was not added, version 11", () -> write(owner[0], 0, 0, 11));
        script.step("nothing is written", () -> place.ends(TOPIC, 0));
        script.step("add and write", () ->
            TxnIdSteps.add(place, owner[0], 3, TOPIC, 0) + " " + write(owner[0], 0, 0, 9));
        script.step("write more", () -> write(owner[0], 0, 1, 11));
        script.step("write again what is written", () -> write(owner[0], 0, 1, 9));
        script.step("a gap", () -> write(owner[0], 0, 5, 9));
        script.step("an older epoch writes", () ->
            write(owner[0].with(owner[0].producerId, owner[0].epoch - 1), 0, 2, 9));
        script.step("another producer under this id", () -> write(owner[0].with(9_999_999, 0), 0, 0, 9));
        script.step("without the transaction", () -> Batches.produce(place, TOPIC, 0, 9,
            Batches.sequenced(owner[0].producerId, owner[0].epoch, 2, "bare")));
        script.step("somebody else's records", () -> Batches.produce(place, TOPIC, 0, 9, Batches.plain("other")));
        script.step("open, ends", () -> place.ends(TOPIC, 0));
        script.step("open, read uncommitted", () -> read(0, 0));
        script.step("open, read committed", () -> read(0, 1));
        script.step("open, by time, read committed", () -> place.offset(TOPIC, 0, 1, 1));
        script.step("open, producers", () -> producers(0));
        script.step("commit", () -> TxnIdSteps.end(place, owner[0], 3, true));
        script.step("committed", () -> place.untilOver("y-a") + " " + place.ends(TOPIC, 0));
        script.step("committed, read", () -> read(0, 1));
        script.step("committed, producers", () -> producers(0));
        script.step("abort another", () -> {
            TxnIdSteps.add(place, owner[0], 3, TOPIC, 0);
            return write(owner[0], 0, 2, 9) + " " + TxnIdSteps.end(place, owner[0], 3, false) + " "
                + place.untilOver("y-a");
        });
        script.step("aborted, ends", () -> place.ends(TOPIC, 0));
        script.step("aborted, read committed", () -> read(0, 1));
        script.step("aborted, read uncommitted", () -> read(0, 0));
        script.step("write after the end", () -> write(owner[0], 0, 3, 9));
        script.step("acks 1 in a transaction", () -> {
            TxnIdSteps.add(place, owner[0], 3, TOPIC, 0);
            var records = Batches.transactional(owner[0].producerId, owner[0].epoch, 3, "t");
            return Batches.produce(place.leader(TOPIC, 0), 9, Batches.request(TOPIC, 0, 1, owner[0].id, records));
        });
        script.step("and its end", () -> TxnIdSteps.end(place, owner[0], 3, true) + " " + place.untilOver("y-a"));
    }

    private void implicit() {
        Owner[] owner = new Owner[1];
        script.step("version 2: an owner", () -> "epoch " + (owner[0] = TxnIdSteps.init(place, "y-two", 60_000)).epoch);
        script.step("version 2: write adds", () -> write(owner[0], 1, 0, 12));
        script.step("version 2: commit bumps", () -> TxnIdSteps.end(place, owner[0], 5, true));
        script.step("version 2: committed", () -> place.untilOver("y-two") + " " + place.ends(TOPIC, 1));
        script.step("version 2: commit again by the old epoch", () ->
            TxnIdSteps.end(place, owner[0].with(owner[0].producerId, owner[0].epoch - 1), 5, true));
        script.step("version 2: abort by the old epoch", () ->
            TxnIdSteps.end(place, owner[0].with(owner[0].producerId, owner[0].epoch - 1), 5, false));
        script.step("version 2: commit of nothing", () -> TxnIdSteps.end(place, owner[0], 5, true));
        script.step("version 2: abort of nothing", () -> TxnIdSteps.end(place, owner[0], 5, false));
        script.step("version 2: nothing is over", () -> place.untilOver("y-two"));
        script.step("version 2: abort", () ->
            write(owner[0], 1, 0, 12) + " " + TxnIdSteps.end(place, owner[0], 5, false) + " "
            + place.untilOver("y-two"));
        script.step("version 2: the old epoch writes", () ->
            write(owner[0].with(owner[0].producerId, owner[0].epoch - 1), 1, 1, 12));
        script.step("version 2: another producer writes", () -> write(owner[0].with(9_999_999, 0), 1, 0, 12));
        script.step("version 2: an unknown id writes", () -> write(new Owner("y-nobody").with(9_999_999, 0), 1, 0, 12));
        script.step("version 2: read", () -> read(1, 1));
    }

    private void fencing() {
        Owner[] owners = new Owner[2];
        script.step("fencing: the first opens", () -> {
            owners[0] = TxnIdSteps.init(place, "y-fence", 60_000);
            return TxnIdSteps.add(place, owners[0], 3, TOPIC, 2) + " " + write(owners[0], 2, 0, 9);
        });
        script.step("fencing: the second comes", () -> {
            owners[1] = TxnIdSteps.init(place, "y-fence", 60_000);
            return "epoch +" + (owners[1].epoch - owners[0].epoch) + " same id "
                + (owners[1].producerId == owners[0].producerId);
        });
        script.step("fencing: what was open is aborted", () -> place.untilOver("y-fence") + " " + place.ends(TOPIC, 2));
        script.step("fencing: the first writes", () -> write(owners[0], 2, 1, 9));
        for (int version : new int[] {0, 1, 2, 3})
            script.step("fencing: the first adds, version " + version, () ->
                TxnIdSteps.add(place, owners[0], version, TOPIC, 2));
        for (int version : new int[] {1, 2, 4})
            script.step("fencing: the first commits, version " + version, () ->
                TxnIdSteps.end(place, owners[0], version, true));
        for (int version : new int[] {1, 3})
            script.step("fencing: the first adds offsets, version " + version, () ->
                addOffsets(owners[0], "y-group", version));
        script.step("fencing: the second works", () -> TxnIdSteps.add(place, owners[1], 3, TOPIC, 2) + " "
            + write(owners[1], 2, 0, 9) + " " + TxnIdSteps.end(place, owners[1], 3, true) + " "
                + place.untilOver("y-fence"));
        script.step("fencing: read", () -> read(2, 1));
    }

    private void timeouts() {
        Owner[] owner = new Owner[1];
        script.step("timeout: open for a second", () -> {
            owner[0] = TxnIdSteps.init(place, "y-late", 1000);
            return TxnIdSteps.add(place, owner[0], 3, TOPIC, 3) + " " + write(owner[0], 3, 0, 9);
        });
        script.step("timeout: is aborted", () ->
            place.untilTransaction("y-late", java.util.Set.of("CompleteAbort")) + " "
            + place.ends(TOPIC, 3));
        script.step("timeout: commit", () -> TxnIdSteps.end(place, owner[0], 3, true));
        script.step("timeout: abort", () -> TxnIdSteps.end(place, owner[0], 3, false));
        script.step("timeout: write", () -> write(owner[0], 3, 1, 9));
        script.step("timeout: add", () -> TxnIdSteps.add(place, owner[0], 3, TOPIC, 3));
        script.step("timeout: initialise", () ->
            "epoch +" + (TxnIdSteps.init(place, "y-late", 1000).epoch - owner[0].epoch));
    }

    private String addOffsets(Owner owner, String group, int version) throws Exception {
        var request = new AddOffsetsToTxnRequestData().setTransactionalId(owner.id).setProducerId(owner.producerId)
            .setProducerEpoch((short) owner.epoch).setGroupId(group);
        return Script.untilAnswer("no concurrent transaction", () -> {
            String said = Place.say(place.txnCoordinator(owner.id), request, version);
            return said.contains("Code:51") ? null : said;
        });
    }

    private String commitOffsets(Owner owner, String group, int version, TxnOffsetCommitRequestPartition partition,
            String memberId, int generation) throws Exception {
        var topic = new TxnOffsetCommitRequestTopic().setName(TOPIC).setPartitions(List.of(partition));
        var request = new TxnOffsetCommitRequestData().setTransactionalId(owner.id).setGroupId(group)
            .setProducerId(owner.producerId).setProducerEpoch((short) owner.epoch).setTopics(List.of(topic));
        if (version >= 3) request.setMemberId(memberId).setGenerationIdOrMemberEpoch(generation);
        return Script.untilAnswer("both coordinators", () -> {
            String said = Place.say(place.groupCoordinator(group), request, version);
            return said.contains("errorCode:14}") || said.contains("errorCode:16}") ? null : said;
        });
    }

    private static TxnOffsetCommitRequestPartition offset(long offset) {
        return new TxnOffsetCommitRequestPartition().setPartitionIndex(4).setCommittedOffset(offset)
            .setCommittedMetadata("m");
    }

    private String fetched(String group, boolean stable) throws Exception {
        var topics = List.of(new OffsetFetchRequestData.OffsetFetchRequestTopics().setName(TOPIC)
            .setPartitionIndexes(List.of(4)));
        var groups = List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup().setGroupId(group).setTopics(topics));
        return Place.say(place.groupCoordinator(group), new OffsetFetchRequestData().setGroups(groups)
            .setRequireStable(stable), 9);
    }

    private void offsets() {
        Owner[] owner = new Owner[1];
        String group = "y-offsets";
        script.step("offsets: an owner", () -> {
            TxnIdSteps.init(place, "y-off", 60_000);
            return "epoch " + (owner[0] = TxnIdSteps.init(place, "y-off", 60_000)).epoch;
        });
        script.step("offsets: not added, version 3", () -> commitOffsets(owner[0], group, 3, offset(1), "", -1));
        script.step("offsets: not added, version 4", () -> commitOffsets(owner[0], group, 4, offset(1), "", -1));
        script.step("offsets: add an empty group", () -> addOffsets(owner[0], "", 3));
        script.step("offsets: add", () -> addOffsets(owner[0], group, 3));
        script.step("offsets: commit", () -> commitOffsets(owner[0], group, 3, offset(11), "", -1));
        script.step("offsets: pending, stable asked for", () -> fetched(group, true));
        script.step("offsets: pending, not asked for", () -> fetched(group, false));
        script.step("offsets: an unknown generation", () -> commitOffsets(owner[0], group, 3, offset(12), "", 5));
        script.step("offsets: an unknown member", () -> commitOffsets(owner[0], group, 3, offset(12), "nobody", 0));
        script.step("offsets: an unknown partition", () ->
            commitOffsets(owner[0], group, 3, offset(12).setPartitionIndex(99), "", -1));
        script.step("offsets: metadata too long", () ->
            commitOffsets(owner[0], group, 3, offset(12).setCommittedMetadata("m".repeat(5000)), "", -1));
        script.step("offsets: an older epoch", () ->
            commitOffsets(owner[0].with(owner[0].producerId, owner[0].epoch - 1), group, 3, offset(12), "", -1));
        script.step("offsets: another producer", () ->
            commitOffsets(owner[0].with(88, 0), group, 3, offset(12), "", -1));
        script.step("offsets: version 0", () -> commitOffsets(owner[0], group, 0, offset(13), null, -1));
        script.step("offsets: an empty group", () -> commitOffsets(owner[0], "", 3, offset(1), "", -1));
        script.step("offsets: end", () -> TxnIdSteps.end(place, owner[0], 3, true) + " " + place.untilOver("y-off"));
        script.step("offsets: committed", () -> fetched(group, true));
        script.step("offsets: aborted", () -> addOffsets(owner[0], group, 3) + " "
            + commitOffsets(owner[0], group, 3, offset(20), "", -1) + " " + TxnIdSteps.end(place, owner[0], 3,
                false) + " "
            + place.untilOver("y-off"));
        script.step("offsets: are what they were", () -> fetched(group, true));
        if (!second) return;
        script.step("offsets: version 5 adds", () -> commitOffsets(owner[0], group, 5, offset(30), "", -1));
        script.step("offsets: version 5, pending", () -> fetched(group, true));
        script.step("offsets: version 5, end", () ->
            TxnIdSteps.end(place, owner[0], 5, true) + " " + place.untilOver("y-off"));
        script.step("offsets: version 5, committed", () -> fetched(group, true));
    }

    private String producers(int partition) throws Exception {
        var topic = new DescribeProducersRequestData.TopicRequest().setName(TOPIC)
            .setPartitionIndexes(List.of(partition));
        var request = new DescribeProducersRequestData();
        request.topics().mustAdd(topic);
        return Place.say(place.leader(TOPIC, partition), request, 0);
    }

    private String marker(Owner owner, int epoch, boolean commit, int coordinatorEpoch,
        int partition) throws Exception {
        var topic = new WriteTxnMarkersRequestData.WritableTxnMarkerTopic().setName(TOPIC)
            .setPartitionIndexes(List.of(partition));
        var marker = new WriteTxnMarkersRequestData.WritableTxnMarker().setProducerId(owner.producerId)
            .setProducerEpoch((short) epoch).setTransactionResult(commit).setCoordinatorEpoch(coordinatorEpoch)
            .setTopics(List.of(topic));
        int leader = Math.min(partition, 7);
        return Place.say(place.leader(TOPIC, leader), new WriteTxnMarkersRequestData().setMarkers(List.of(marker)), 1);
    }

    private void markers() {
        Owner[] owner = new Owner[1];
        script.step("markers: open", () -> {
            TxnIdSteps.init(place, "y-mark", 60_000);
            owner[0] = TxnIdSteps.init(place, "y-mark", 60_000);
            return TxnIdSteps.add(place, owner[0], 3, TOPIC, 5) + " " + write(owner[0], 5, 0, 9);
        });
        script.step("markers: an older epoch", () -> marker(owner[0], owner[0].epoch - 1, false, 0, 5));
        script.step("markers: an unknown partition", () -> marker(owner[0], owner[0].epoch, false, 0, 99));
        script.step("markers: abort", () -> marker(owner[0], owner[0].epoch, false, 0, 5));
        script.step("markers: aborted", () -> place.ends(TOPIC, 5) + " " + read(5, 1));
        script.step("markers: an older coordinator", () -> marker(owner[0], owner[0].epoch, true, -1, 5));
        script.step("markers: for a producer nobody knows", () ->
            marker(new Owner("").with(7_654_321, 0), 0, false, 0, 6));
        script.step("markers: producers", () -> producers(5));
        script.step("markers: producers of an unknown partition", () -> {
            var topic = new DescribeProducersRequestData.TopicRequest().setName(TOPIC).setPartitionIndexes(List.of(99));
            var request = new DescribeProducersRequestData();
            request.topics().mustAdd(topic);
            return Place.say(place.anyBroker(), request, 0);
        });
        script.step("markers: the owner ends", () ->
            TxnIdSteps.end(place, owner[0], 3, true) + " " + place.untilOver("y-mark"));
    }
}
