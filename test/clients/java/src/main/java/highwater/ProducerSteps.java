// The Java producer as an application uses it: what it throws, and in which order calls may come.
package highwater;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

final class ProducerSteps {
    private static final String TOPIC = Clients.TOPIC;
    private final Place place;
    private final Script script;
    private final Clients clients;

    ProducerSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
        clients = new Clients(place);
    }

    void run() {
        if (!script.area("client sends")) return;
        script.step("topics", () -> {
            place.topic(TOPIC, 4, Map.of());
            place.topic("j-small", 1, Map.of("max.message.bytes", "500"));
            return null;
        });
        sending();
        orders();
    }

    private void sending() {
        script.step("send", () -> {
            try (var producer = clients.producer(null)) {
                var first = producer.send(Clients.record(0, "a")).get();
                var second = producer.send(Clients.record(0, "b")).get();
                return first.offset() + " " + second.offset() + " " + first.hasTimestamp();
            }
        });
        script.step("send without idempotence, acks 0", () -> {
            try (var producer = clients.producer(null, "acks", "0", "enable.idempotence", false)) {
                return producer.send(Clients.record(0, "c")).get().offset();
            }
        });
        for (String codec : List.of("gzip", "snappy", "lz4", "zstd"))
            script.step("send compressed by " + codec, () -> {
                try (var producer = clients.producer(null, "compression.type", codec)) {
                    return producer.send(Clients.record(1, codec.repeat(50))).get().offset();
                }
            });
        script.step("read what was compressed", () -> clients.seen(1, "read_committed").length());
        script.step("send too large for the broker", () -> {
            try (var producer = clients.producer(null)) {
                return producer.send(new ProducerRecord<>("j-small", "k", "v".repeat(1000))).get().offset();
            }
        });
        script.step("send too large for the producer", () -> {
            try (var producer = clients.producer(null, "max.request.size", 100)) {
                return producer.send(Clients.record(0, "v".repeat(1000))).get().offset();
            }
        });
        script.step("send to an invalid topic", () -> {
            try (var producer = clients.producer(null)) {
                return producer.send(new ProducerRecord<>("not a name", "k", "v")).get().offset();
            }
        });
        script.step("send to a partition that is not there", () -> {
            try (var producer = clients.producer(null, "max.block.ms", 2000)) {
                return producer.send(Clients.record(11, "v")).get().offset();
            }
        });
        script.step("send to a topic that is created by it", () -> {
            try (var producer = clients.producer(null)) {
                return producer.send(new ProducerRecord<>("j-auto", "k", "v")).get().offset();
            }
        });
        script.step("send two hours ahead", () -> {
            try (var producer = clients.producer(null)) {
                long ahead = System.currentTimeMillis() + 7_200_000;
                return producer.send(new ProducerRecord<>(TOPIC, 0, ahead, "k", "v")).get().offset();
            }
        });
        script.step("send to a compacted topic without a key", () -> {
            place.topic("j-compact", 1, Map.of("cleanup.policy", "compact"));
            try (var producer = clients.producer(null)) {
                return producer.send(new ProducerRecord<>("j-compact", null, "v")).get().offset();
            }
        });
    }

    private interface Calls {
        void on(KafkaProducer<String, String> producer) throws Exception;
    }

    private void order(String name, boolean initialised, Calls calls) {
        script.step("order: " + name, () -> {
            try (var producer = clients.producer("j-order")) {
                if (initialised) producer.initTransactions();
                calls.on(producer);
                return null;
            }
        });
    }

    private void orders() {
        order("begin before init", false, KafkaProducer::beginTransaction);
        order("send before init", false, producer -> producer.send(Clients.record(0, "x")).get());
        order("commit before init", false, KafkaProducer::commitTransaction);
        order("abort before init", false, KafkaProducer::abortTransaction);
        order("send before begin", true, producer -> producer.send(Clients.record(0, "x")).get());
        order("commit before begin", true, KafkaProducer::commitTransaction);
        order("abort before begin", true, KafkaProducer::abortTransaction);
        order("init twice", true, KafkaProducer::initTransactions);
        order("begin twice", true, producer -> {
            producer.beginTransaction();
            producer.beginTransaction();
        });
        order("offsets before begin", true, producer -> producer.sendOffsetsToTransaction(
            Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(1)), new ConsumerGroupMetadata("j-g")));
        order("commit of nothing", true, producer -> {
            producer.beginTransaction();
            producer.commitTransaction();
        });
        order("abort of nothing", true, producer -> {
            producer.beginTransaction();
            producer.abortTransaction();
        });
        order("commit twice", true, producer -> {
            producer.beginTransaction();
            producer.commitTransaction();
            producer.commitTransaction();
        });
        order("close with one open", true, producer -> {
            producer.beginTransaction();
            producer.send(Clients.record(3, "left open")).get();
        });
        order("init after one was left open", true, producer -> { });
        script.step("a timeout that is too long", () -> {
            try (var producer = clients.producer("j-order", "transaction.timeout.ms", 900_001)) {
                producer.initTransactions();
                return null;
            }
        });
    }
}
