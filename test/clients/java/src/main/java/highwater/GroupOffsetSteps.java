// Committed offsets over the wire and through the Java admin client.
package highwater;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;

final class GroupOffsetSteps {
    private static final String TOPIC = "o1";
    private final Place place;
    private final Script script;

    GroupOffsetSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("offsets")) return;
        script.step("a topic", () -> {
            place.topic(TOPIC, 3, Map.of());
            return null;
        });
        committing();
        fetching();
        deleting();
        administered();
    }

    private static OffsetCommitRequestPartition at(int partition, long offset) {
        return new OffsetCommitRequestPartition().setPartitionIndex(partition).setCommittedOffset(offset)
            .setCommittedMetadata("m");
    }

    private String commit(String group, int version, int generation, String memberId, String topic,
            OffsetCommitRequestPartition... partitions) throws Exception {
        var request = new OffsetCommitRequestData().setGroupId(group).setMemberId(memberId)
            .setGenerationIdOrMemberEpoch(generation).setTopics(List.of(
                new OffsetCommitRequestTopic().setName(topic).setPartitions(List.of(partitions))));
        return Place.say(place.groupCoordinator(group), request, version);
    }

    private String simple(String group, int version, OffsetCommitRequestPartition... partitions) throws Exception {
        return commit(group, version, -1, "", TOPIC, partitions);
    }

    private void committing() {
        for (int version : new int[] {2, 3, 5, 6, 7, 8, 9})
            script.step("commit at version " + version, () -> simple("o-simple", version, at(0, version)));
        script.step("commit backwards", () -> simple("o-simple", 9, at(0, 1)));
        script.step("commit -1", () -> simple("o-minus", 9, at(0, -1)));
        script.step("commit -5", () -> simple("o-minus", 9, at(0, -5)));
        script.step("commit without metadata", () -> simple("o-simple", 9, at(1, 5).setCommittedMetadata(null)));
        script.step("commit metadata of 4097", () ->
            simple("o-simple", 9, at(1, 6).setCommittedMetadata("m".repeat(4097)), at(2, 7)));
        script.step("commit for an unknown partition", () -> simple("o-simple", 9, at(9, 1), at(2, 8)));
        script.step("commit for an unknown topic", () -> commit("o-simple", 9, -1, "", "o-unknown", at(0, 1)));
        script.step("commit in a generation nobody had, version 8", () -> commit("o-none", 8, 3, "m", TOPIC, at(0, 1)));
        script.step("commit in a generation nobody had, version 9", () -> commit("o-none", 9, 3, "m", TOPIC, at(0, 1)));
        script.step("commit as a member of a simple group", () -> commit("o-simple", 9, 1, "m", TOPIC, at(0, 1)));
        script.step("commit to an empty group id", () -> simple("", 9, at(0, 1)));
        script.step("commit into a group with members", () -> {
            place.groupCoordinator("o-members").ask(GroupSteps.join("o-members", ""), 3);
            return simple("o-members", 9, at(0, 1));
        });
        script.step("commit by a stranger", () -> commit("o-members", 9, 1, "stranger", TOPIC, at(0, 1)));
    }

    private OffsetFetchRequestData request(String group, Integer... partitions) {
        var topics = partitions.length == 0 ? null : List.of(new OffsetFetchRequestData.OffsetFetchRequestTopics()
            .setName(TOPIC).setPartitionIndexes(List.of(partitions)));
        return new OffsetFetchRequestData().setGroups(List.of(
            new OffsetFetchRequestData.OffsetFetchRequestGroup().setGroupId(group).setTopics(topics)));
    }

    private void fetching() {
        for (int version : new int[] {1, 2, 3, 4, 5, 6, 7})
            script.step("fetch at version " + version, () -> {
                var topics = List.of(new OffsetFetchRequestData.OffsetFetchRequestTopic().setName(TOPIC)
                    .setPartitionIndexes(List.of(0, 1, 2)));
                var request = new OffsetFetchRequestData().setGroupId("o-simple").setTopics(topics);
                return Place.say(place.groupCoordinator("o-simple"), request, version).replaceAll("groups:\\[\\]", "");
            });
        for (int version : new int[] {8, 9}) {
            script.step("fetch at version " + version, () ->
                Place.say(place.groupCoordinator("o-simple"), request("o-simple", 0, 1, 2, 9), version));
            script.step("fetch all at version " + version, () ->
                Place.say(place.groupCoordinator("o-simple"), request("o-simple"), version));
        }
        script.step("fetch from an unknown group", () ->
            Place.say(place.groupCoordinator("o-none"), request("o-none", 0), 8));
        script.step("fetch all from an unknown group", () ->
            Place.say(place.groupCoordinator("o-none"), request("o-none"), 8));
        script.step("fetch as a stranger", () -> {
            var request = request("o-members", 0);
            request.groups().get(0).setMemberId("stranger").setMemberEpoch(3);
            return Place.say(place.groupCoordinator("o-members"), request, 9);
        });
        script.step("fetch of -1 and -5", () -> Place.say(place.groupCoordinator("o-minus"), request("o-minus", 0), 8));
        script.step("fetch at a broker that does not coordinate", () -> {
            Wire coordinator = place.groupCoordinator("o-simple");
            for (var node : place.admin.describeCluster().nodes().get())
                if (place.to(node) != coordinator) return Place.say(place.to(node), request("o-simple", 0), 8);
            return "no other";
        });
    }

    private String delete(String group, String topic, int partition) throws Exception {
        var request = new OffsetDeleteRequestData().setGroupId(group);
        request.topics().mustAdd(new OffsetDeleteRequestData.OffsetDeleteRequestTopic().setName(topic).setPartitions(
            List.of(new OffsetDeleteRequestData.OffsetDeleteRequestPartition().setPartitionIndex(partition))));
        return Place.say(place.groupCoordinator(group), request, 0);
    }

    private void deleting() {
        script.step("delete an offset", () -> delete("o-simple", TOPIC, 2));
        script.step("delete it again", () -> delete("o-simple", TOPIC, 2));
        script.step("delete of an unknown partition", () -> delete("o-simple", TOPIC, 9));
        script.step("delete of an unknown topic", () -> delete("o-simple", "o-unknown", 0));
        script.step("delete from an unknown group", () -> delete("o-none", TOPIC, 0));
        script.step("delete from an empty group id", () -> delete("", TOPIC, 0));
        script.step("delete of a topic not subscribed", () -> delete("o-members", TOPIC, 0));
        script.step("delete of a topic subscribed", () -> delete("o-members", "g1", 0));
    }

    private static TopicPartition part(int partition) {
        return new TopicPartition(TOPIC, partition);
    }

    private void administered() {
        script.step("admin: alter offsets", () -> place.admin.alterConsumerGroupOffsets("o-admin",
            Map.of(part(0), new OffsetAndMetadata(5), part(1), new OffsetAndMetadata(6, "note"))).all().get());
        script.step("admin: list offsets", () -> new java.util.TreeMap<>(place.admin.listConsumerGroupOffsets("o-admin")
            .partitionsToOffsetAndMetadata().get().entrySet().stream().collect(java.util.stream.Collectors.toMap(
                each -> each.getKey().toString(), each -> each.getValue().offset() + each.getValue().metadata()))));
        script.step("admin: alter offsets of a group with members", () ->
            place.admin.alterConsumerGroupOffsets("o-members",
            Map.of(part(0), new OffsetAndMetadata(5))).all().get());
        script.step("admin: describe a simple group", () -> {
            var group = place.admin.describeConsumerGroups(List.of("o-admin")).all().get().get("o-admin");
            return group.groupState() + " simple " + group.isSimpleConsumerGroup() + " members "
                + group.members().size()
                + " " + group.type();
        });
        script.step("admin: describe an unknown group", () ->
            place.admin.describeConsumerGroups(List.of("o-none")).all().get().get("o-none").groupState());
        script.step("admin: delete offsets", () ->
            place.admin.deleteConsumerGroupOffsets("o-admin", Set.of(part(0))).all().get());
        script.step("admin: list offsets of an unknown group", () ->
            place.admin.listConsumerGroupOffsets("o-none").partitionsToOffsetAndMetadata().get());
        script.step("admin: delete a group", () -> place.admin.deleteConsumerGroups(List.of("o-admin")).all().get());
        script.step("admin: delete it again", () -> place.admin.deleteConsumerGroups(List.of("o-admin")).all().get());
        script.step("admin: list groups", () -> place.admin.listGroups().all().get().stream()
            .map(each -> each.groupId() + " " + each.type().map(Object::toString).orElse("none") + " "
                + each.groupState().map(Object::toString).orElse("none"))
            .filter(line -> line.startsWith("o-")).sorted().toList());
    }
}
