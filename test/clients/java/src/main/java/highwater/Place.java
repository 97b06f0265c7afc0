// The cluster under test as the steps see it: an admin client, a raw connection to each broker, and waits for states.
package highwater;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;

final class Place implements AutoCloseable {
    final String bootstrap;
    final Admin admin;
    private final Map<String, Wire> wires = new HashMap<>();

    Place(String bootstrap) {
        this.bootstrap = bootstrap;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", 10_000,
            "default.api.timeout.ms", 20_000));
    }

    /** A connection of its own to a broker. */
    synchronized Wire to(Node node) {
        return wires.computeIfAbsent(node.idString(), id -> new Wire(node.host(), node.port()));
    }

    Wire anyBroker() throws Exception {
        return to(admin.describeCluster().nodes().get().iterator().next());
    }

    TopicDescription describe(String topic) throws Exception {
        return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
    }

    Uuid idOf(String topic) throws Exception {
        return describe(topic).topicId();
    }

    /** A connection to the leader of a partition. */
    Wire leader(String topic, int partition) throws Exception {
        return to(describe(topic).partitions().get(partition).leader());
    }

    Wire follower(String topic, int partition) throws Exception {
        var described = describe(topic).partitions().get(partition);
        return to(described.replicas().stream().filter(node -> node.id() != described.leader().id()).findFirst().get());
    }

    /** Creates a topic of three replicas and waits until each partition's leader serves it. */
    void topic(String name, int partitions, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 3).configs(configs))).all().get();
        served(name, partitions);
    }

    /** Waits until each partition's leader serves it. */
    void served(String name, int partitions) throws Exception {
        Script.until("leaders of " + name, () -> {
            try {
                if (describe(name).partitions().size() != partitions) return false;
                for (int i = 0; i < partitions; i++) if (describe(name).partitions().get(i).isr().size() != 3) return false;
                for (int i = 0; i < partitions; i++) if (offset(name, i, -1, 0) < 0) return false;
                return true;
            } catch (Exception notYet) {
                return false;
            }
        });
    }

    /** Whether the broker that is asked first has heard of so many partitions of a topic. */
    boolean knows(String name, int partitions) {
        try {
            return describe(name).partitions().size() == partitions;
        } catch (Exception notYet) {
            return false;
        }
    }

    /** ListOffsets at the leader; -1 - error code if refused. */
    long offset(String topic, int partition, long timestamp, int isolation) throws Exception {
        var request = new ListOffsetsRequestData().setReplicaId(-1).setIsolationLevel((byte) isolation)
            .setTopics(List.of(
            new ListOffsetsRequestData.ListOffsetsTopic().setName(topic).setPartitions(List.of(
                new ListOffsetsRequestData.ListOffsetsPartition().setPartitionIndex(partition)
                    .setTimestamp(timestamp)))));
        var response = (ListOffsetsResponseData) leader(topic, partition).ask(request, 7);
        var answer = response.topics().get(0).partitions().get(0);
        return answer.errorCode() == 0 ? answer.offset() : -1 - answer.errorCode();
    }

    /** High watermark and last stable offset. */
    String ends(String topic, int partition) throws Exception {
        return "hw " + offset(topic, partition, -1, 0) + " lso " + offset(topic, partition, -1, 1);
    }

    /** A connection to the coordinator of a group, once it has loaded. */
    Wire groupCoordinator(String group) throws Exception {
        return Script.untilAnswer("a coordinator that has loaded", () -> {
            Wire wire = coordinator(group, 0);
            var request = new DescribeGroupsRequestData().setGroups(List.of(group));
            int error = ((DescribeGroupsResponseData) wire.ask(request, 5)).groups().get(0).errorCode();
            return error == 14 || error == 15 || error == 16 ? null : wire;
        });
    }

    Wire txnCoordinator(String transactionalId) throws Exception {
        return coordinator(transactionalId, 1);
    }

    private Wire coordinator(String key, int type) throws Exception {
        List<Wire> found = new ArrayList<>();
        Script.until("coordinator of " + key, () -> {
            var request = new FindCoordinatorRequestData().setKeyType((byte) type).setCoordinatorKeys(List.of(key));
            var answer = ((FindCoordinatorResponseData) anyBroker().ask(request, 4)).coordinators().get(0);
            if (answer.errorCode() == 0) found.add(to(new Node(answer.nodeId(), answer.host(), answer.port())));
            return answer.errorCode() == 0;
        });
        return found.get(0);
    }

    /** State of a transaction, as its coordinator tells; waits until it is one of those wanted. */
    String untilTransaction(String transactionalId, Set<String> states) throws Exception {
        List<String> last = new ArrayList<>();
        Script.until("a state of " + transactionalId, () -> {
            var request = new DescribeTransactionsRequestData().setTransactionalIds(List.of(transactionalId));
            var response = (DescribeTransactionsResponseData) txnCoordinator(transactionalId).ask(request, 0);
            last.add(response.transactionStates().get(0).transactionState());
            return states.contains(last.get(last.size() - 1));
        });
        return last.get(last.size() - 1);
    }

    /** Waits until a transaction is over, markers and all. */
    String untilOver(String transactionalId) throws Exception {
        return untilTransaction(transactionalId, Set.of("CompleteCommit", "CompleteAbort", "Empty"));
    }

    /** Asks and writes the answer down. */
    static String say(Wire wire, ApiMessage request, int version) throws Exception {
        return Plain.text(wire.ask(request, version), version);
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ofSeconds(2));
        wires.values().forEach(Wire::close);
    }
}
