// Settings, records and the cluster through the Java admin client.
package highwater;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;

final class AdminConfigSteps {
    private static final ConfigResource TOPIC = new ConfigResource(Type.TOPIC, "c1");
    private final Place place;
    private final Script script;

    AdminConfigSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("admin")) return;
        script.step("a topic", () -> {
            place.topic("c1", 2, Map.of("retention.ms", "1000"));
            return null;
        });
        describing();
        altering();
        replacing();
        deletingRecords();
        cluster();
    }

    private String config(ConfigResource resource, String name) throws Exception {
        ConfigEntry entry = place.admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name);
        return entry == null ? "none" : entry.value() + " " + entry.source() + (entry.isReadOnly() ? " read-only" : "")
            + " " + entry.type();
    }

    private void describing() {
        for (String name : List.of("cleanup.policy", "compression.type", "retention.ms", "retention.bytes",
            "segment.bytes",
            "max.message.bytes", "min.insync.replicas", "message.timestamp.type", "unclean.leader.election.enable"))
            script.step("topic setting " + name, () -> config(TOPIC, name));
        script.step("settings of an unknown topic", () -> config(new ConfigResource(Type.TOPIC, "c-unknown"), "x"));
        script.step("settings of an invalid topic", () -> config(new ConfigResource(Type.TOPIC, "not a name"), "x"));
        script.step("broker setting offsets.topic.num.partitions", () ->
            config(new ConfigResource(Type.BROKER, "2"), "offsets.topic.num.partitions"));
        script.step("settings of an unknown broker", () -> {
            var resource = new DescribeConfigsRequestData.DescribeConfigsResource().setResourceType((byte) 4)
                .setResourceName("99").setConfigurationKeys(null);
            return Place.say(place.anyBroker(), new DescribeConfigsRequestData().setResources(List.of(resource)), 4);
        });
        script.step("settings of a resource of no known type", () -> {
            var resource = new DescribeConfigsRequestData.DescribeConfigsResource().setResourceType((byte) 77)
                .setResourceName("x").setConfigurationKeys(null);
            return Place.say(place.anyBroker(), new DescribeConfigsRequestData().setResources(List.of(resource)), 4);
        });
        for (int version : new int[] {1, 2, 4})
            script.step("two settings at version " + version, () -> {
                var resource = new DescribeConfigsRequestData.DescribeConfigsResource().setResourceType((byte) 2)
                    .setResourceName("c1").setConfigurationKeys(List.of("retention.ms", "cleanup.policy", "no.such"));
                return Place.say(place.anyBroker(), new DescribeConfigsRequestData()
                    .setResources(List.of(resource)), version);
            });
    }

    private Object alter(ConfigResource resource, Collection<AlterConfigOp> ops,
        boolean validateOnly) throws Exception {
        var options = new AlterConfigsOptions().validateOnly(validateOnly);
        return place.admin.incrementalAlterConfigs(Map.of(resource, ops), options).all().get();
    }

    private List<AlterConfigOp> op(String name, String value, OpType type) {
        return List.of(new AlterConfigOp(new ConfigEntry(name, value), type));
    }

    /** What the first broker that has it says: another one may learn of it a moment later. */
    private Object becomes(String name, String wanted) throws Exception {
        String[] said = {""};
        Script.until(name, () -> {
            said[0] = config(TOPIC, name);
            return said[0].startsWith(wanted);
        });
        return said[0];
    }

    private void altering() {
        script.step("set", () -> alter(TOPIC, op("retention.ms", "2000", OpType.SET), false));
        script.step("is set", () -> becomes("retention.ms", "2000"));
        script.step("set, validate only", () -> alter(TOPIC, op("retention.ms", "3000", OpType.SET), true));
        script.step("is not set by that", () -> config(TOPIC, "retention.ms"));
        script.step("append to a list", () -> alter(TOPIC, op("cleanup.policy", "compact", OpType.APPEND), false));
        script.step("is appended", () -> becomes("cleanup.policy", "delete,compact"));
        script.step("subtract from a list", () -> alter(TOPIC, op("cleanup.policy", "delete", OpType.SUBTRACT), false));
        script.step("is subtracted", () -> becomes("cleanup.policy", "compact"));
        script.step("delete", () -> alter(TOPIC, op("cleanup.policy", null, OpType.DELETE), false));
        script.step("is the default again", () -> becomes("cleanup.policy", "delete DEFAULT"));
        script.step("append to what is no list", () -> alter(TOPIC, op("retention.ms", "1", OpType.APPEND), false));
        script.step("set an unknown name", () -> alter(TOPIC, op("no.such", "1", OpType.SET), false));
        script.step("set what is no number", () -> alter(TOPIC, op("retention.ms", "x", OpType.SET), false));
        script.step("set out of range", () -> alter(TOPIC, op("retention.ms", "-2", OpType.SET), false));
        script.step("set a topic that is not there", () ->
            alter(new ConfigResource(Type.TOPIC, "c-unknown"), op("retention.ms", "1", OpType.SET), false));
        script.step("set one name twice", () -> alter(TOPIC, List.of(
            new AlterConfigOp(new ConfigEntry("retention.ms", "1"), OpType.SET),
            new AlterConfigOp(new ConfigEntry("retention.ms", "2"), OpType.SET)), false));
    }

    private AlterConfigsRequestData.AlterConfigsResource resource(String topic, String name, String value) {
        var resource = new AlterConfigsRequestData.AlterConfigsResource().setResourceType((byte) 2)
            .setResourceName(topic);
        resource.configs().mustAdd(new AlterConfigsRequestData.AlterableConfig().setName(name).setValue(value));
        return resource;
    }

    /** AlterConfigs, which Java's client no longer has. */
    private String replace(int version, AlterConfigsRequestData.AlterConfigsResource resource) throws Exception {
        var request = new AlterConfigsRequestData();
        request.resources().mustAdd(resource);
        return Place.say(place.anyBroker(), request, version);
    }

    private void replacing() {
        script.step("replace all settings", () -> replace(1, resource("c1", "max.message.bytes", "5000")));
        script.step("is replaced", () -> becomes("max.message.bytes", "5000"));
        script.step("what was not named is the default", () -> config(TOPIC, "retention.ms"));
        script.step("replace with an unknown name", () -> replace(2, resource("c1", "no.such", "1")));
        script.step("replace for an unknown topic", () -> replace(0, resource("c-unknown", "retention.ms", "1")));
        script.step("replace with null", () -> replace(2, resource("c1", "retention.ms", null)));
    }

    private Object deleteBefore(String topic, int partition, long offset) throws Exception {
        var at = new TopicPartition(topic, partition);
        var result = place.admin.deleteRecords(Map.of(at, RecordsToDelete.beforeOffset(offset)));
        return "low watermark " + result.lowWatermarks().get(at).get().lowWatermark();
    }

    private String deleteOverTheWire(Wire wire, int partition) throws Exception {
        var topic = new DeleteRecordsRequestData.DeleteRecordsTopic().setName("c1").setPartitions(List.of(
            new DeleteRecordsRequestData.DeleteRecordsPartition().setPartitionIndex(partition).setOffset(1)));
        return Place.say(wire, new DeleteRecordsRequestData().setTimeoutMs(5000).setTopics(List.of(topic)), 2);
    }

    private void deletingRecords() {
        script.step("ten records", () -> {
            for (int i = 0; i < 10; i++) Batches.produce(place, "c1", 0, 9, Batches.plain("v" + i));
            return place.ends("c1", 0);
        });
        script.step("delete records before 4", () -> deleteBefore("c1", 0, 4));
        script.step("earliest is 4", () -> place.offset("c1", 0, -2, 0));
        script.step("delete records before 2", () -> deleteBefore("c1", 0, 2));
        script.step("delete records above the end", () -> deleteBefore("c1", 0, 11));
        script.step("delete records at -2", () -> deleteBefore("c1", 0, -2));
        script.step("delete all records", () -> deleteBefore("c1", 0, -1));
        script.step("earliest is the end", () -> place.offset("c1", 0, -2, 0));
        script.step("delete records of an unknown partition", () -> deleteOverTheWire(place.leader("c1", 0), 7));
        script.step("delete records at a follower", () -> deleteOverTheWire(place.follower("c1", 0), 0));
        script.step("delete records of a compacted topic", () -> {
            place.topic("c-compact", 1, Map.of("cleanup.policy", "compact"));
            return deleteBefore("c-compact", 0, 0);
        });
    }

    private void cluster() {
        script.step("cluster", () -> {
            var described = place.admin.describeCluster();
            return described.nodes().get().stream().map(node -> node.id()).sorted().toList() + " controller "
                + (described.controller().get() != null) + " id " + !described.clusterId().get().isEmpty();
        });
        script.step("every broker names the same cluster", () -> {
            Set<String> ids = place.admin.describeCluster().nodes().get().stream().map(node -> {
                try {
                    var answer = place.to(node).ask(new MetadataRequestData().setTopics(List.of()), 12);
                    return ((org.apache.kafka.common.message.MetadataResponseData) answer).clusterId();
                } catch (Exception failed) {
                    return Script.said(failed);
                }
            }).collect(Collectors.toSet());
            return ids.size();
        });
        script.step("controllers of a broker", () ->
            Place.say(place.anyBroker(), new DescribeClusterRequestData().setEndpointType((byte) 2), 1));
        script.step("endpoints of no known type", () ->
            Place.say(place.anyBroker(), new DescribeClusterRequestData().setEndpointType((byte) 9), 1));
        script.step("transaction.version", () ->
            place.admin.describeFeatures().featureMetadata().get().finalizedFeatures().get("transaction.version"));
        script.step("elect the preferred leader that leads", () -> elect(ElectionType.PREFERRED, "c1", 0));
        script.step("elect uncleanly where there is a leader", () -> elect(ElectionType.UNCLEAN, "c1", 0));
        script.step("elect for an unknown partition", () -> elect(ElectionType.PREFERRED, "c1", 9));
        script.step("elect for an unknown topic", () -> elect(ElectionType.PREFERRED, "c-unknown", 0));
        script.step("list reassignments", () -> place.admin.listPartitionReassignments().reassignments().get());
    }

    private Object elect(ElectionType type, String topic, int partition) throws Exception {
        var at = new TopicPartition(topic, partition);
        var outcome = place.admin.electLeaders(type, Set.of(at)).partitions().get().get(at);
        return outcome == null ? "absent" : outcome.map(Script::said).orElse("elected");
    }
}
