// Transactions over the wire, request by request: identities, partitions, ends, in every order that is allowed or not.
package highwater;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;

final class TxnIdSteps {
    static final String TOPIC = "x1";
    private final Place place;
    private final Script script;

    TxnIdSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("txn ids")) return;
        script.step("a topic", () -> {
            place.topic(TOPIC, 3, Map.of());
            return null;
        });
        coordinators();
        identities();
        adding();
        ending();
        listing();
    }

    /** An open or idle producer: what the steps pass on. */
    static final class Owner {
        final String id;
        long producerId;
        int epoch;

        Owner(String id) {
            this.id = id;
        }

        Owner with(long producerId, int epoch) {
            Owner other = new Owner(id);
            other.producerId = producerId;
            other.epoch = epoch;
            return other;
        }
    }

    static InitProducerIdRequestData initRequest(String id, int timeoutMs) {
        return new InitProducerIdRequestData().setTransactionalId(id).setTransactionTimeoutMs(timeoutMs)
            .setProducerId(-1).setProducerEpoch((short) -1);
    }

    /** Initialises, again while a coordinator loads or completes. */
    static Owner init(Place place, String id, int timeoutMs) throws Exception {
        var response = Script.untilAnswer("identity of " + id, () -> {
            var answer = (InitProducerIdResponseData) place.txnCoordinator(id).ask(initRequest(id, timeoutMs), 4);
            return List.of(14, 16, 51).contains((int) answer.errorCode()) ? null : answer;
        });
        if (response.errorCode() != 0) throw new IllegalStateException("error " + response.errorCode());
        return new Owner(id).with(response.producerId(), response.producerEpoch());
    }

    static String add(Place place, Owner owner, int version, String topic, int... partitions) throws Exception {
        var entry = new AddPartitionsToTxnTopic().setName(topic)
            .setPartitions(java.util.Arrays.stream(partitions).boxed().toList());
        var request = new AddPartitionsToTxnRequestData().setV3AndBelowTransactionalId(owner.id)
            .setV3AndBelowProducerId(owner.producerId).setV3AndBelowProducerEpoch((short) owner.epoch);
        request.v3AndBelowTopics().mustAdd(entry);
        return errors(Script.untilAnswer("no concurrent transaction", () -> {
            String said = Place.say(place.txnCoordinator(owner.id), request, version);
            return said.contains("Code:51") ? null : said;
        }));
    }

    private static String errors(String said) {
        return said.replace("resultsByTopicV3AndBelow:", "").replace("resultsByPartition:",
            "").replace("partitionIndex:", "")
            .replace("partitionErrorCode:", "error ");
    }

    static String end(Place place, Owner owner, int version, boolean commit) throws Exception {
        var request = new EndTxnRequestData().setTransactionalId(owner.id).setProducerId(owner.producerId)
            .setProducerEpoch((short) owner.epoch).setCommitted(commit);
        var response = Script.untilAnswer("no concurrent transaction", () -> {
            var answer = (EndTxnResponseData) place.txnCoordinator(owner.id).ask(request, version);
            return answer.errorCode() == 51 ? null : answer;
        });
        if (response.errorCode() != 0 || version < 5) return "error " + response.errorCode();
        String said = "error 0 epoch +" + (response.producerEpoch() - owner.epoch);
        owner.producerId = response.producerId();
        owner.epoch = response.producerEpoch();
        return said;
    }

    private String init(String id, int timeoutMs, long producerId, int epoch, int version) throws Exception {
        var request = initRequest(id, timeoutMs).setProducerId(producerId).setProducerEpoch((short) epoch);
        var response = Script.untilAnswer("no concurrent transaction", () -> {
            var answer = (InitProducerIdResponseData) place.txnCoordinator(id).ask(request, version);
            return List.of(14, 51).contains((int) answer.errorCode()) ? null : answer;
        });
        return "error " + response.errorCode() + " epoch " + response.producerEpoch();
    }

    private void coordinators() {
        for (int version : new int[] {1, 2, 3, 4})
            script.step("coordinator at version " + version, () -> {
                place.txnCoordinator("x-any");
                var request = new FindCoordinatorRequestData().setKeyType((byte) 1);
                if (version < 4) request.setKey("x-any");
                else request.setCoordinatorKeys(List.of("x-any", "x-other"));
                return Place.say(place.anyBroker(), request, version);
            });
        script.step("coordinator of no known type", () -> Place.say(place.anyBroker(),
            new FindCoordinatorRequestData().setKeyType((byte) 7).setCoordinatorKeys(List.of("x")), 4));
    }

    private void identities() {
        script.step("an empty id", () -> init("", 60_000, -1, -1, 4));
        script.step("no timeout", () -> init("x-a", 0, -1, -1, 4));
        script.step("a negative timeout", () -> init("x-a", -1, -1, -1, 4));
        script.step("a timeout that is too long", () -> init("x-a", 900_001, -1, -1, 4));
        script.step("a producer id without epoch", () -> init("x-a", 60_000, 5, -1, 4));
        script.step("an epoch without producer id", () -> init("x-a", 60_000, -1, 5, 4));
        script.step("a new id", () -> init("x-a", 60_000, -1, -1, 4));
        script.step("the same again", () -> init("x-a", 60_000, -1, -1, 4));
        script.step("another producer id, version 4", () -> init("x-a", 60_000, 1, 0, 4));
        script.step("another producer id, version 3", () -> init("x-a", 60_000, 1, 0, 3));
        script.step("a new id with a producer id", () -> init("x-new", 60_000, 1, 0, 4));
        Owner owner = new Owner("x-own");
        script.step("an id to go on with", () -> {
            Owner made = init(place, "x-own", 60_000);
            owner.producerId = made.producerId;
            owner.epoch = made.epoch;
            return "epoch " + owner.epoch;
        });
        script.step("with its own producer id", () -> init("x-own", 60_000, owner.producerId, owner.epoch, 4));
        script.step("with its own again", () -> init("x-own", 60_000, owner.producerId, owner.epoch, 4));
        script.step("with an epoch too far ahead", () -> init("x-own", 60_000, owner.producerId, owner.epoch + 9, 4));
        for (int version : new int[] {0, 1, 2, 5})
            script.step("version " + version, () -> init("x-v" + version, 60_000, -1, -1, version));
        script.step("at a broker that does not coordinate it", () -> {
            Wire coordinator = place.txnCoordinator("x-a");
            for (var node : place.admin.describeCluster().nodes().get())
                if (place.to(node) != coordinator) return Place.say(place.to(node), initRequest("x-a", 60_000), 4);
            return "no other";
        });
    }

    private void adding() {
        Owner[] owner = new Owner[1];
        script.step("an owner", () -> "epoch " + (owner[0] = init(place, "x-add", 60_000)).epoch);
        script.step("add an unknown partition", () -> add(place, owner[0], 3, TOPIC, 0, 9));
        script.step("nothing is added by that", () -> state("x-add"));
        script.step("add an unknown topic", () -> add(place, owner[0], 3, "x-unknown", 0));
        script.step("add with another producer id", () -> add(place, owner[0].with(77, 0), 3, TOPIC, 0));
        script.step("add with an older epoch, version 1", () ->
            add(place, owner[0].with(owner[0].producerId, owner[0].epoch - 1), 1, TOPIC, 0));
        script.step("add with an older epoch, version 3", () ->
            add(place, owner[0].with(owner[0].producerId, owner[0].epoch - 1), 3, TOPIC, 0));
        script.step("add with a newer epoch", () ->
            add(place, owner[0].with(owner[0].producerId, owner[0].epoch + 1), 3, TOPIC, 0));
        script.step("add to an unknown id", () -> add(place, new Owner("x-nobody").with(5, 0), 3, TOPIC, 0));
        script.step("add", () -> add(place, owner[0], 3, TOPIC, 0));
        script.step("add again", () -> add(place, owner[0], 0, TOPIC, 0));
        script.step("add others", () -> add(place, owner[0], 2, TOPIC, 0, 1));
        script.step("state", () -> state("x-add"));
        script.step("commit what was added", () -> end(place, owner[0], 3, true));
        script.step("committed", () -> place.untilOver("x-add"));
    }

    private String state(String id) throws Exception {
        return Place.say(place.txnCoordinator(id), new DescribeTransactionsRequestData()
            .setTransactionalIds(List.of(id)), 0);
    }

    private void ending() {
        Owner[] owner = new Owner[1];
        script.step("end: an owner", () -> "epoch " + (owner[0] = init(place, "x-end", 60_000)).epoch);
        for (boolean commit : new boolean[] {true, false}) {
            String what = commit ? "commit" : "abort";
            script.step(what + " of nothing", () -> end(place, owner[0], 3, commit));
            script.step(what, () -> {
                owner[0] = init(place, "x-end", 60_000);
                add(place, owner[0], 3, TOPIC, 0);
                return end(place, owner[0], 3, commit);
            });
            script.step(what + ", again", () -> {
                place.untilOver("x-end");
                return end(place, owner[0], 3, commit);
            });
            script.step(what + ", then the other", () -> end(place, owner[0], 3, !commit));
            for (int version : new int[] {0, 1, 2, 3, 4})
                script.step(what + " with an older epoch, version " + version, () ->
                    end(place, owner[0].with(owner[0].producerId, owner[0].epoch - 1), version, commit));
            script.step(what + " with a newer epoch", () ->
                end(place, owner[0].with(owner[0].producerId, owner[0].epoch + 1), 3, commit));
            script.step(what + " with another producer id", () -> end(place, owner[0].with(77, 0), 3, commit));
            script.step(what + " of an unknown id", () -> end(place, new Owner("x-nobody").with(5, 0), 3, commit));
            script.step(what + " of an empty id", () -> end(place, new Owner("").with(5, 0), 3, commit));
            script.step("ended: " + what, () -> place.untilOver("x-end"));
        }
        script.step("the empty transaction, abort", () -> {
            owner[0] = init(place, "x-end", 60_000);
            return end(place, owner[0], 3, false);
        });
    }

    private void listing() {
        script.step("list: one that is open", () -> {
            add(place, init(place, "x-open", 60_000), 3, TOPIC, 2);
            var open = new ListTransactionsRequestData().setStateFilters(List.of("Ongoing", "Dreaming"));
            return Place.say(place.txnCoordinator("x-open"), open, 1);
        });
        script.step("list: by duration", () -> Place.say(place.txnCoordinator("x-open"),
            new ListTransactionsRequestData().setStateFilters(List.of("Ongoing")).setDurationFilter(3_600_000), 1));
        script.step("list: by producer id", () -> Place.say(place.txnCoordinator("x-open"),
            new ListTransactionsRequestData().setProducerIdFilters(List.of(987654321L)), 0));
        script.step("describe an unknown id", () -> state("x-nobody"));
        script.step("describe at another broker", () -> {
            Wire coordinator = place.txnCoordinator("x-open");
            for (var node : place.admin.describeCluster().nodes().get())
                if (place.to(node) != coordinator) return Place.say(place.to(node),
                    new DescribeTransactionsRequestData().setTransactionalIds(List.of("x-open")), 0);
            return "no other";
        });
        script.step("initialising aborts what is open", () -> {
            Owner next = init(place, "x-open", 60_000);
            return "epoch " + next.epoch + " " + place.untilOver("x-open") + " " + place.ends(TOPIC, 2);
        });
    }
}
