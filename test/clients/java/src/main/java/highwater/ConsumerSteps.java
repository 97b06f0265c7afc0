// The Java consumer as an application uses it, alone and in groups.
package highwater;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

final class ConsumerSteps {
    private static final String TOPIC = Clients.TOPIC;
    private final Place place;
    private final Script script;
    private final Clients clients;

    ConsumerSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
        clients = new Clients(place);
    }

    void run() {
        if (!script.area("client reads")) return;
        consuming();
        members();
    }

    private void consuming() {
        TopicPartition at = new TopicPartition(TOPIC, 0);
        script.step("positions", () -> {
            try (var consumer = clients.consumer(null, "read_uncommitted")) {
                consumer.assign(List.of(at));
                return consumer.beginningOffsets(List.of(at)).get(at) + " " + consumer.endOffsets(List.of(at)).get(at)
                    + " by time " + consumer.offsetsForTimes(Map.of(at, 0L)).get(at).offset() + " beyond "
                    + consumer.offsetsForTimes(Map.of(at, Long.MAX_VALUE)).get(at);
            }
        });
        script.step("beyond the end without a reset", () -> {
            try (var consumer = clients.consumer(null, "read_uncommitted", "auto.offset.reset", "none")) {
                consumer.assign(List.of(at));
                consumer.seek(at, 5000);
                Script.until("an answer", () -> consumer.poll(Duration.ofMillis(200)).count() > 0);
                return null;
            }
        });
        script.step("an unknown topic", () -> {
            try (var consumer = clients.consumer(null, "read_uncommitted", "default.api.timeout.ms", 1000,
                    "request.timeout.ms", 900, "allow.auto.create.topics", false)) {
                return consumer.partitionsFor("j-unknown");
            }
        });
        script.step("an invalid group", () -> {
            try (var consumer = clients.consumer("", "read_uncommitted")) {
                consumer.subscribe(List.of(TOPIC));
                consumer.poll(Duration.ofMillis(500));
                return null;
            }
        });
    }

    private void members() {
        script.step("a member reads and commits", () -> {
            try (var consumer = clients.consumer("j-members", "read_committed")) {
                consumer.subscribe(List.of(TOPIC));
                int count = clients.joined(consumer).size();
                consumer.commitSync(Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(2)));
                return count + " generation " + consumer.groupMetadata().generationId();
            }
        });
        script.step("the next goes on from there", () -> {
            try (var consumer = clients.consumer("j-members", "read_committed")) {
                consumer.subscribe(List.of(TOPIC));
                clients.joined(consumer);
                TopicPartition at = new TopicPartition(TOPIC, 0);
                return consumer.committed(Set.of(at)).get(at).offset() + " generation "
                    + consumer.groupMetadata().generationId();
            }
        });
        script.step("the group is empty", () -> {
            var group = place.admin.describeConsumerGroups(List.of("j-members")).all().get().get("j-members");
            return group.groupState() + " " + group.members().size();
        });
        script.step("a commit by who never joined", () -> {
            try (var consumer = clients.consumer("j-members", "read_committed")) {
                consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
                consumer.commitSync(Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(1)));
                return consumer.committed(Set.of(new TopicPartition(TOPIC, 0))).values().iterator().next().offset();
            }
        });
        script.step("a static twin fences", () -> {
            var older = clients.consumer("j-static", "read_committed", "group.instance.id", "one");
            var newer = clients.consumer("j-static", "read_committed", "group.instance.id", "one");
            try {
                older.subscribe(List.of(TOPIC));
                clients.joined(older);
                newer.subscribe(List.of(TOPIC));
                clients.joined(newer);
                Script.until("fenced", () -> older.poll(Duration.ofMillis(100)).count() < 0);
                return null;
            } finally {
                older.close(Clients.SOON);
                newer.close(Clients.SOON);
            }
        });
        script.step("a static member stays in its group", () -> {
            var group = place.admin.describeConsumerGroups(List.of("j-static")).all().get().get("j-static");
            return group.groupState() + " " + group.members().stream().map(each ->
                each.groupInstanceId().get()).toList();
        });
        script.step("a static member is removed by the admin", () ->
            place.admin.removeMembersFromConsumerGroup("j-static",
            new org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions(List.of(
                new org.apache.kafka.clients.admin.MemberToRemove("one")))).all().get());
        script.step("delete its group", () -> place.admin.deleteConsumerGroups(List.of("j-static")).all().get());
    }
}
