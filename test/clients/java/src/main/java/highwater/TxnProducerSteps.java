// The Java producer in transactions: what is seen when, what ends one, who is fenced.
package highwater;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

final class TxnProducerSteps {
    private static final String TOPIC = Clients.TOPIC;
    private final Place place;
    private final Script script;
    private final Clients clients;

    TxnProducerSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
        clients = new Clients(place);
    }

    void run() {
        if (!script.area("client txns")) return;
        transactions();
        fencing();
    }

    private void transactions() {
        try (var producer = clients.producer("j-txn")) {
            script.step("init", () -> {
                producer.initTransactions();
                return null;
            });
            script.step("commit", () -> {
                producer.beginTransaction();
                producer.send(Clients.record(2, "committed 1"));
                producer.send(Clients.record(2, "committed 2"));
                producer.commitTransaction();
                place.untilOver("j-txn");
                return clients.seen(2, "read_committed");
            });
            script.step("abort", () -> {
                producer.beginTransaction();
                producer.send(Clients.record(2, "aborted")).get();
                producer.abortTransaction();
                place.untilOver("j-txn");
                return clients.seen(2, "read_committed") + " " + clients.seen(2, "read_uncommitted");
            });
            script.step("over two partitions", () -> {
                producer.beginTransaction();
                producer.send(Clients.record(2, "here"));
                producer.send(Clients.record(3, "there"));
                producer.commitTransaction();
                place.untilOver("j-txn");
                return clients.seen(2, "read_committed") + " " + clients.seen(3, "read_committed");
            });
            script.step("open is invisible", () -> {
                producer.beginTransaction();
                producer.send(Clients.record(2, "open")).get();
                return clients.seen(2, "read_committed");
            });
            script.step("offsets", () -> {
                producer.sendOffsetsToTransaction(Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(7,
                    "by txn")),
                    new ConsumerGroupMetadata("j-group"));
                return null;
            });
            script.step("offsets are pending", () -> place.admin.listConsumerGroupOffsets("j-group")
                .partitionsToOffsetAndMetadata().get().size());
            script.step("offsets are committed", () -> {
                producer.commitTransaction();
                place.untilOver("j-txn");
                return place.admin.listConsumerGroupOffsets("j-group").partitionsToOffsetAndMetadata().get()
                    .values().stream().map(each -> each.offset() + each.metadata()).toList();
            });
            script.step("offsets of a generation that was not", () -> {
                producer.beginTransaction();
                producer.sendOffsetsToTransaction(Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(9)),
                    new ConsumerGroupMetadata("j-group", 5, "nobody", java.util.Optional.empty()));
                return null;
            });
            script.step("and its commit", () -> {
                producer.commitTransaction();
                return null;
            });
            script.step("and its abort", () -> {
                producer.abortTransaction();
                return null;
            });
            script.step("too large within a transaction", () -> {
                producer.beginTransaction();
                return producer.send(new ProducerRecord<>("j-small", "k", "v".repeat(1000))).get().offset();
            });
            script.step("its commit", () -> {
                producer.commitTransaction();
                return null;
            });
            script.step("its abort", () -> {
                producer.abortTransaction();
                return null;
            });
            script.step("and the next one", () -> {
                producer.beginTransaction();
                producer.send(Clients.record(2, "next"));
                producer.commitTransaction();
                place.untilOver("j-txn");
                return clients.seen(2, "read_committed");
            });
        }
    }

    private void fencing() {
        var first = clients.producer("j-fence");
        var second = clients.producer("j-fence");
        script.step("fence: the first opens", () -> {
            first.initTransactions();
            first.beginTransaction();
            return first.send(Clients.record(3, "by the first")).get().offset();
        });
        script.step("fence: the second initialises", () -> {
            second.initTransactions();
            return null;
        });
        script.step("fence: the first sends", () -> first.send(Clients.record(3, "late")).get().offset());
        script.step("fence: the first commits", () -> {
            first.commitTransaction();
            return null;
        });
        script.step("fence: the first aborts", () -> {
            first.abortTransaction();
            return null;
        });
        script.step("fence: the second works", () -> {
            second.beginTransaction();
            second.send(Clients.record(3, "by the second"));
            second.commitTransaction();
            place.untilOver("j-fence");
            return clients.seen(3, "read_committed");
        });
        script.step("fence: by the admin", () -> {
            second.beginTransaction();
            second.send(Clients.record(3, "to be fenced")).get();
            place.admin.fenceProducers(List.of("j-fence")).all().get();
            place.untilOver("j-fence");
            second.commitTransaction();
            return null;
        });
        script.step("terminate by the admin", () -> {
            try (var third = clients.producer("j-fence")) {
                third.initTransactions();
                third.beginTransaction();
                third.send(Clients.record(3, "to be terminated")).get();
                place.admin.forceTerminateTransaction("j-fence").result().get();
                return place.untilOver("j-fence") + " " + clients.seen(3, "read_committed");
            }
        });
        first.close(Clients.SOON);
        second.close(Clients.SOON);
    }
}
