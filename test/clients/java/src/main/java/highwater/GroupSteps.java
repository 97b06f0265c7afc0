// The classic group protocol over the wire: joining, syncing, heartbeats, static members, leaving, offsets, deletion.
package highwater;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;

final class GroupSteps {
    private static final String TOPIC = "g1";
    private final Place place;
    private final Script script;

    GroupSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("groups")) return;
        script.step("a topic", () -> {
            place.topic(TOPIC, 2, Map.of());
            return null;
        });
        coordinators();
        refusedJoins();
        oneMember();
        staticMembers();
        protocols();
        ends();
    }

    private static ByteBuffer subscription(String topic) {
        return ConsumerProtocol.serializeSubscription(new Subscription(List.of(topic)), (short) 1);
    }

    static JoinGroupRequestData join(String group, String memberId) {
        return joinAs(group, memberId, "consumer", "range");
    }

    private static JoinGroupRequestData joinAs(String group, String memberId, String type, String... names) {
        var request = new JoinGroupRequestData().setGroupId(group).setMemberId(memberId).setProtocolType(type)
            .setSessionTimeoutMs(30_000).setRebalanceTimeoutMs(10_000);
        for (String name : names) {
            ByteBuffer subscription = subscription(TOPIC);
            byte[] bytes = new byte[subscription.remaining()];
            subscription.get(bytes);
            request.protocols().mustAdd(new JoinGroupRequestData.JoinGroupRequestProtocol().setName(name)
                .setMetadata(bytes));
        }
        return request;
    }

    private String joined(JoinGroupRequestData request, int version) throws Exception {
        return Place.say(place.groupCoordinator(request.groupId()), request, version);
    }

    private JoinGroupResponseData answer(JoinGroupRequestData request, int version) throws Exception {
        return (JoinGroupResponseData) place.groupCoordinator(request.groupId()).ask(request, version);
    }

    private String sync(String group, String memberId, int generation, int version,
        String... assigned) throws Exception {
        var request = new SyncGroupRequestData().setGroupId(group).setMemberId(memberId).setGenerationId(generation);
        if (version >= 5) request.setProtocolType("consumer").setProtocolName("range");
        for (String each : assigned) request.assignments().add(new SyncGroupRequestData.SyncGroupRequestAssignment()
            .setMemberId(each).setAssignment(new byte[] {0, 1, 0, 0, 0, 0, -1, -1, -1, -1}));
        return Place.say(place.groupCoordinator(group), request, version);
    }

    private String beat(String group, String memberId, int generation, String instance) throws Exception {
        var request = new HeartbeatRequestData().setGroupId(group).setMemberId(memberId).setGenerationId(generation)
            .setGroupInstanceId(instance);
        return Place.say(place.groupCoordinator(group), request, 4);
    }

    private String describe(String group, int version) throws Exception {
        return Place.say(place.groupCoordinator(group), new DescribeGroupsRequestData().setGroups(List.of(group)),
            version);
    }

    private void coordinators() {
        for (int version : new int[] {0, 1, 2, 3, 4})
            script.step("coordinator at version " + version, () -> {
                place.groupCoordinator("g-any");
                var request = new FindCoordinatorRequestData();
                if (version < 4) request.setKey("g-any");
                else request.setCoordinatorKeys(List.of("g-any", "g-other"));
                return Place.say(place.anyBroker(), request, version);
            });
        script.step("a broker that does not coordinate", () -> {
            Wire coordinator = place.groupCoordinator("g-any");
            for (var node : place.admin.describeCluster().nodes().get())
                if (place.to(node) != coordinator) return Place.say(place.to(node), join("g-any", ""), 5);
            return "no other";
        });
    }

    private void refusedJoins() {
        script.step("join: an empty group", () -> Place.say(place.anyBroker(), join("", ""), 5));
        script.step("join: too short a session", () -> joined(join("g-x", "").setSessionTimeoutMs(100), 5));
        script.step("join: too long a session", () -> joined(join("g-x", "").setSessionTimeoutMs(1_800_001), 5));
        script.step("join: an unknown member", () -> joined(join("g-x", "nobody"), 5));
        script.step("join: no protocols", () -> joined(joinAs("g-y", "", "consumer"), 3));
        script.step("join: no protocol type", () -> joined(joinAs("g-z", "", "", "range"), 3));
        script.step("join: the member id is required", () -> joined(join("g-x", ""), 9));
        script.step("join: a group with a pending member", () -> Script.untilAnswer("a group that is there", () -> {
            String said = describe("g-x", 5);
            return said.contains("Dead") ? null : said;
        }));
        script.step("beat: an unknown group", () -> beat("g-unknown", "nobody", 0, null));
        script.step("beat: an empty group id", () -> Place.say(place.anyBroker(),
            new HeartbeatRequestData().setGroupId("").setMemberId("x").setGenerationId(1), 4));
        script.step("sync: an unknown group", () -> sync("g-unknown", "nobody", 0, 3));
        script.step("leave: an unknown group", () -> leave("g-unknown", 3, "nobody", null));
    }

    private void oneMember() {
        String[] id = new String[1];
        for (int version : new int[] {0, 1, 2, 3})
            script.step("member: joins at once at version " + version, () ->
                joined(join("g-v" + version, ""), version));
        script.step("member: joins at version 9", () -> {
            id[0] = answer(join("g-one", ""), 9).memberId();
            return joined(join("g-one", id[0]), 9);
        });
        script.step("member: beats before its sync", () -> beat("g-one", id[0], 1, null));
        script.step("member: described before its sync", () -> describe("g-one", 5));
        script.step("member: joins again before its sync", () -> joined(join("g-one", id[0]), 9));
        script.step("member: syncs in another generation", () -> sync("g-one", id[0], 5, 5, id[0]));
        script.step("member: another syncs", () -> sync("g-one", "nobody", 1, 5));
        script.step("member: syncs", () -> sync("g-one", id[0], 1, 5, id[0], "stranger"));
        script.step("member: syncs again", () -> sync("g-one", id[0], 1, 3));
        script.step("member: beats", () -> beat("g-one", id[0], 1, null));
        script.step("member: beats in another generation", () -> beat("g-one", id[0], 2, null));
        script.step("member: another beats", () -> beat("g-one", "nobody", 1, null));
        script.step("member: claims an instance", () -> beat("g-one", id[0], 1, "claimed"));
        for (int version : new int[] {0, 3, 4, 5}) script.step("member: described, version " + version, () ->
            describe("g-one", version));
        script.step("member: joins again, the leader", () -> joined(join("g-one", id[0]), 9));
        script.step("member: beats in the old generation", () -> beat("g-one", id[0], 1, null));
        script.step("member: leaves", () -> leave("g-one", 4, id[0], null));
        script.step("member: leaves again", () -> leave("g-one", 4, id[0], null));
        script.step("member: the group is empty", () -> describe("g-one", 5));
        script.step("member: joins the empty group by the old id", () -> joined(join("g-one", id[0]), 9));
    }

    private String leave(String group, int version, String memberId, String instance) throws Exception {
        var request = new LeaveGroupRequestData().setGroupId(group);
        if (version < 3) request.setMemberId(memberId);
        else request.setMembers(List.of(new LeaveGroupRequestData.MemberIdentity().setMemberId(memberId)
            .setGroupInstanceId(instance)));
        return Place.say(place.groupCoordinator(group), request, version);
    }

    private void staticMembers() {
        String[] id = new String[3];
        script.step("static: joins without being asked for an id", () -> {
            var answer = answer(join("g-static", "").setGroupInstanceId("a"), 9);
            id[0] = answer.memberId();
            return "error " + answer.errorCode() + " generation " + answer.generationId() + " leads "
                + answer.leader().equals(id[0]) + " members " + answer.members().size() + " begins with its instance "
                + id[0].startsWith("a-");
        });
        script.step("static: syncs", () -> {
            var request = new SyncGroupRequestData().setGroupId("g-static").setMemberId(id[0]).setGenerationId(1)
                .setGroupInstanceId("a");
            request.assignments().add(new SyncGroupRequestData.SyncGroupRequestAssignment().setMemberId(id[0])
                .setAssignment(new byte[] {1, 2, 3}));
            return Place.say(place.groupCoordinator("g-static"), request, 4);
        });
        for (int version : new int[] {8, 9})
            script.step("static: restarts, version " + version, () -> {
                var answer = answer(join("g-static", "").setGroupInstanceId("a"), version);
                id[1] = id[0];
                id[0] = answer.memberId();
                return "error " + answer.errorCode() + " generation " + answer.generationId() + " another id "
                    + !id[0].equals(id[1]) + " leader is itself " + answer.leader().equals(id[0])
                        + " leader is the old "
                    + answer.leader().equals(id[1]) + " members " + answer.members().size() + " skips "
                    + answer.skipAssignment();
            });
        script.step("static: the old one beats", () -> beat("g-static", id[1], 1, "a"));
        script.step("static: the old one beats without its instance", () -> beat("g-static", id[1], 1, null));
        script.step("static: the old one joins", () -> joined(join("g-static", id[1]).setGroupInstanceId("a"), 9));
        script.step("static: the new one beats", () -> beat("g-static", id[0], 1, "a"));
        script.step("static: an unknown instance beats", () -> beat("g-static", id[0], 1, "b"));
        script.step("static: described", () -> describe("g-static", 5));
        script.step("static: the old one leaves", () -> leave("g-static", 5, id[1], "a"));
        script.step("static: an unknown instance leaves", () -> leave("g-static", 5, "", "b"));
        script.step("static: leaves by instance", () -> leave("g-static", 5, "", "a"));
        script.step("static: left", () -> describe("g-static", 5));
    }

    private void protocols() {
        String[] id = new String[1];
        script.step("protocols: one member", () -> {
            id[0] = answer(joinAs("g-proto", "", "consumer", "range", "roundrobin"), 3).memberId();
            return sync("g-proto", id[0], 1, 3, id[0]);
        });
        script.step("protocols: none in common", () -> joined(joinAs("g-proto", "", "consumer", "sticky"), 3));
        script.step("protocols: another type", () -> joined(joinAs("g-proto", "", "connect", "range"), 3));
        script.step("protocols: sync under another name", () -> {
            var request = new SyncGroupRequestData().setGroupId("g-proto").setMemberId(id[0]).setGenerationId(1)
                .setProtocolType("consumer").setProtocolName("roundrobin");
            return Place.say(place.groupCoordinator("g-proto"), request, 5);
        });
        script.step("protocols: sync without a name", () -> Place.say(place.groupCoordinator("g-proto"),
            new SyncGroupRequestData().setGroupId("g-proto").setMemberId(id[0]).setGenerationId(1), 5));
        script.step("protocols: in another order, the leader", () ->
            joined(joinAs("g-proto", id[0], "consumer", "roundrobin", "range"), 3));
    }

    private void ends() {
        for (int version : new int[] {0, 2, 3, 4, 5})
            script.step("groups listed at version " + version, () -> {
                StringBuilder all = new StringBuilder();
                var request = new ListGroupsRequestData();
                if (version >= 4) request.setStatesFilter(List.of("stable", "Empty", "Dreaming"));
                if (version >= 5) request.setTypesFilter(List.of("CLASSIC"));
                java.util.TreeSet<String> lines = new java.util.TreeSet<>();
                for (var node : place.admin.describeCluster().nodes().get()) {
                    var response = place.to(node).ask(request, version);
                    for (var group : Plain.json(response,
                        version).get("groups")) lines.add(group.toString().replace("\"", ""));
                }
                lines.forEach(line -> all.append(line));
                return all;
            });
        script.step("describe an unknown group", () -> describe("g-unknown", 5));
        script.step("describe an empty group id", () ->
            Place.say(place.groupCoordinator(""), new DescribeGroupsRequestData().setGroups(List.of("")), 5));
        script.step("delete a group with members", () -> delete("g-v3"));
        script.step("delete an unknown group", () -> delete("g-unknown"));
        script.step("delete an empty group", () -> delete("g-one"));
        script.step("deleted", () -> describe("g-one", 5));
        script.step("delete two, one unknown", () -> {
            var request = new DeleteGroupsRequestData().setGroupsNames(List.of("g-static", "g-static"));
            return Place.say(place.groupCoordinator("g-static"), request, 2);
        });
    }

    private String delete(String group) throws Exception {
        return Place.say(place.groupCoordinator(group), new DeleteGroupsRequestData()
            .setGroupsNames(List.of(group)), 2);
    }
}
