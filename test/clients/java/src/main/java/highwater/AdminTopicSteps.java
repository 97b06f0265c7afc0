// Topics through the Java admin client: creating, growing, describing, deleting, and every way to ask for it wrongly.
package highwater;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.DeleteTopicsRequestData;

final class AdminTopicSteps {
    private final Place place;
    private final Script script;

    AdminTopicSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("topics")) return;
        creating();
        refused();
        assignments();
        growing();
        overTheWire();
        deleting();
    }

    private Object create(NewTopic topic, boolean validateOnly) throws Exception {
        var options = new CreateTopicsOptions().validateOnly(validateOnly);
        var result = place.admin.createTopics(List.of(topic), options);
        result.all().get();
        return result.numPartitions(topic.name()).get() + " partitions, " + result.replicationFactor(topic.name()).get()
            + " replicas" + (validateOnly ? "" : ", id " + !result.topicId(topic.name()).get().equals(Uuid.ZERO_UUID));
    }

    private NewTopic topic(String name) {
        return new NewTopic(name, 2, (short) 3);
    }

    private String shape(String name) throws Exception {
        place.served(name, place.describe(name).partitions().size());
        return place.describe(name).partitions().stream()
            .map(each -> each.partition() + ":" + each.replicas().size() + "/" + each.isr().size())
            .collect(Collectors.joining(" "));
    }

    private void creating() {
        script.step("create", () -> create(topic("t1"), false));
        script.step("describe", () -> shape("t1"));
        script.step("create again", () -> create(topic("t1"), false));
        script.step("create with defaults", () ->
            create(new NewTopic("t-default", Optional.empty(), Optional.empty()), false));
        script.step("create with configs", () ->
            create(topic("t-configs").configs(Map.of("retention.ms", "1000", "cleanup.policy", "compact")), false));
        script.step("validate only", () -> create(topic("t-validated"), true));
        script.step("what was only validated is not there", () -> shape("t-validated"));
        script.step("describe an unknown name", () -> shape("t-unknown"));
        script.step("describe by id", () -> {
            Uuid id = place.idOf("t1");
            return place.admin.describeTopics(TopicCollection.ofTopicIds(List.of(id))).allTopicIds().get().get(id).name();
        });
        script.step("describe by an unknown id", () ->
            place.admin.describeTopics(TopicCollection.ofTopicIds(List.of(new Uuid(7, 7)))).allTopicIds().get());
        script.step("list", () -> place.admin.listTopics().names().get().stream().sorted().toList());
    }

    private void refused() {
        script.step("a name with a space", () -> create(topic("not a name"), false));
        script.step("an empty name", () -> create(topic(""), false));
        script.step("the name .", () -> create(topic("."), false));
        script.step("the name ..", () -> create(topic(".."), false));
        script.step("a name of 250", () -> create(topic("n".repeat(250)), false));
        script.step("a name of 249", () -> create(topic("n".repeat(249)), true));
        script.step("a name with a dot", () -> create(topic("dot.ted"), false));
        script.step("a name that collides with it", () -> create(topic("dot_ted"), false));
        script.step("no partitions", () -> create(new NewTopic("t-none", 0, (short) 3), false));
        script.step("-2 partitions", () -> create(new NewTopic("t-none", -2, (short) 3), false));
        script.step("no replicas", () -> create(new NewTopic("t-none", 1, (short) 0), false));
        script.step("four replicas of three brokers", () -> create(new NewTopic("t-none", 1, (short) 4), false));
        script.step("an unknown config", () -> create(topic("t-none").configs(Map.of("no.such", "1")), false));
        script.step("a config that is no number", () ->
            create(topic("t-none").configs(Map.of("retention.ms", "x")), false));
        script.step("a config out of range", () ->
            create(topic("t-none").configs(Map.of("min.insync.replicas", "0")), false));
        script.step("a config that is null", () ->
            create(topic("t-none").configs(Collections.singletonMap("retention.ms", null)), false));
        script.step("an unknown cleanup policy", () ->
            create(topic("t-none").configs(Map.of("cleanup.policy", "forget")), false));
        script.step("an internal name", () -> create(topic("__consumer_offsets"), true));
        script.step("validate only, refused", () -> create(new NewTopic("t-none", 1, (short) 4), true));
    }

    private NewTopic assigned(Map<Integer, List<Integer>> replicas) {
        return new NewTopic("t-assigned", new TreeMap<>(replicas));
    }

    private void assignments() {
        script.step("assigned to an unknown broker", () -> create(assigned(Map.of(0, List.of(1, 9))), false));
        script.step("assigned twice to one broker", () -> create(assigned(Map.of(0, List.of(1, 1))), false));
        script.step("assigned to nobody", () -> create(assigned(Map.of(0, List.of())), false));
        script.step("assigned with a gap", () -> create(assigned(Map.of(0, List.of(1), 2, List.of(2))), false));
        script.step("assigned unevenly", () -> create(assigned(Map.of(0, List.of(1), 1, List.of(2, 3))), false));
        script.step("assigned", () -> create(assigned(Map.of(0, List.of(3, 1), 1, List.of(2, 3))), false));
        script.step("assigned replicas in their order", () -> {
            // A broker that is asked first may learn of the topic a moment later.
            Script.until("2 partitions", () -> place.knows("t-assigned", 2));
            return place.describe("t-assigned").partitions().stream()
                .map(each -> each.replicas().stream().map(node -> node.idString()).collect(Collectors.joining(",")))
                .toList();
        });
    }

    private Object grow(String name, NewPartitions partitions, boolean validateOnly) throws Exception {
        var options = new CreatePartitionsOptions().validateOnly(validateOnly);
        return place.admin.createPartitions(Map.of(name, partitions), options).all().get();
    }

    private void growing() {
        script.step("grow, validate only", () -> grow("t1", NewPartitions.increaseTo(4), true));
        script.step("not grown by that", () -> shape("t1"));
        script.step("grow", () -> grow("t1", NewPartitions.increaseTo(4), false));
        script.step("grown", () -> {
            Script.until("4 partitions", () -> place.describe("t1").partitions().size() == 4);
            return shape("t1");
        });
        script.step("grow to as many", () -> grow("t1", NewPartitions.increaseTo(4), false));
        script.step("grow to fewer", () -> grow("t1", NewPartitions.increaseTo(1), false));
        script.step("grow an unknown topic", () -> grow("t-unknown", NewPartitions.increaseTo(4), false));
        script.step("grow with too few assignments", () ->
            grow("t1", NewPartitions.increaseTo(6, List.of(List.of(1, 2, 3))), false));
        script.step("grow onto an unknown broker", () ->
            grow("t1", NewPartitions.increaseTo(5, List.of(List.of(1, 2, 9))), false));
        script.step("grow with too few replicas", () ->
            grow("t1", NewPartitions.increaseTo(5, List.of(List.of(1, 2))), false));
        script.step("grow twice onto one broker", () ->
            grow("t1", NewPartitions.increaseTo(5, List.of(List.of(1, 1, 2))), false));
        script.step("grow with assignments", () ->
            grow("t1", NewPartitions.increaseTo(5, List.of(List.of(3, 2, 1))), false));
        script.step("grown as assigned", () -> {
            Script.until("5 partitions", () -> place.describe("t1").partitions().size() == 5);
            return place.describe("t1").partitions().get(4).replicas().stream().map(node -> node.id()).toList();
        });
    }

    private CreatableTopic creatable(String name, int partitions, int replicas) {
        return new CreatableTopic().setName(name).setNumPartitions(partitions).setReplicationFactor((short) replicas);
    }

    private void overTheWire() {
        script.step("the same topic twice in a request", () -> {
            var request = new CreateTopicsRequestData();
            request.topics().mustAdd(creatable("t-twice", 1, 1));
            request.topics().mustAdd(creatable("t-twice", 1, 1));
            return Place.say(place.anyBroker(), request, 7);
        });
        script.step("assignments and a number of partitions", () -> {
            var topic = creatable("t-both", 1, -1);
            topic.assignments().add(new CreateTopicsRequestData.CreatableReplicaAssignment().setBrokerIds(List.of(1)));
            var request = new CreateTopicsRequestData();
            request.topics().mustAdd(topic);
            return Place.say(place.anyBroker(), request, 7);
        });
        for (int version : new int[] {2, 4, 5, 7}) {
            script.step("create at version " + version, () -> {
                var request = new CreateTopicsRequestData();
                request.topics().mustAdd(creatable("t-version-" + version, 1, 3));
                request.topics().mustAdd(creatable("t1", 1, 3));
                String said = Place.say(place.anyBroker(), request, version);
                return said.replaceAll("configs:\\[.*?\\]", "configs:[]");
            });
        }
        script.step("defaults below version 4", () -> {
            var request = new CreateTopicsRequestData();
            request.topics().mustAdd(creatable("t-default-3", -1, -1));
            return Place.say(place.anyBroker(), request, 3);
        });
        script.step("grow twice in a request", () -> {
            var request = new CreatePartitionsRequestData().setTimeoutMs(5000);
            request.topics().mustAdd(new CreatePartitionsRequestData.CreatePartitionsTopic().setName("t1").setCount(9)
                .setAssignments(null));
            request.topics().mustAdd(new CreatePartitionsRequestData.CreatePartitionsTopic().setName("t1").setCount(9)
                .setAssignments(null));
            return Place.say(place.anyBroker(), request, 3);
        });
    }

    private Object delete(String name) throws Exception {
        return place.admin.deleteTopics(List.of(name)).all().get();
    }

    private DeleteTopicsRequestData.DeleteTopicState state(String name, Uuid id) {
        return new DeleteTopicsRequestData.DeleteTopicState().setName(name).setTopicId(id);
    }

    private void deleting() {
        script.step("delete", () -> delete("t-configs"));
        script.step("deleted", () -> {
            Script.until("gone", () -> !place.admin.listTopics().names().get().contains("t-configs"));
            return delete("t-configs");
        });
        script.step("delete an unknown topic", () -> delete("t-unknown"));
        script.step("delete by id", () ->
            place.admin.deleteTopics(TopicCollection.ofTopicIds(List.of(place.idOf("t-default")))).all().get());
        script.step("delete by an unknown id", () ->
            place.admin.deleteTopics(TopicCollection.ofTopicIds(List.of(new Uuid(7, 7)))).all().get());
        script.step("create under a deleted name", () -> {
            Uuid before = place.idOf("t-assigned");
            delete("t-assigned");
            Script.until("gone", () -> !place.admin.listTopics().names().get().contains("t-assigned"));
            place.topic("t-assigned", 1, Map.of());
            return before.equals(place.idOf("t-assigned")) ? "the same id" : "another id";
        });
        script.step("delete by name and id at once", () -> Place.say(place.anyBroker(), new DeleteTopicsRequestData()
            .setTimeoutMs(5000).setTopics(List.of(state("t1", place.idOf("t1")))), 6));
        script.step("delete by neither", () -> Place.say(place.anyBroker(), new DeleteTopicsRequestData()
            .setTimeoutMs(5000).setTopics(List.of(state(null, Uuid.ZERO_UUID))), 6));
        script.step("delete twice in a request", () -> Place.say(place.anyBroker(), new DeleteTopicsRequestData()
            .setTimeoutMs(5000).setTopics(List.of(state("t1", Uuid.ZERO_UUID), state("t1", Uuid.ZERO_UUID))), 6));
        script.step("delete by id and by name", () -> Place.say(place.anyBroker(), new DeleteTopicsRequestData()
            .setTimeoutMs(5000).setTopics(List.of(state("t1", Uuid.ZERO_UUID), state(null, place.idOf("t1")))), 6));
        script.step("delete at version 1", () -> Place.say(place.anyBroker(), new DeleteTopicsRequestData()
            .setTimeoutMs(5000).setTopicNames(List.of("t-unknown", "t-version-2")), 1));
    }
}
