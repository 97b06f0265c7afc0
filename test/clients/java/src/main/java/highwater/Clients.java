// Producers and consumers of the Java client as the steps use them, and what such a consumer sees.
package highwater;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

final class Clients {
    static final String TOPIC = "j1";
    static final Duration SOON = Duration.ofSeconds(2);
    final Place place;

    Clients(Place place) {
        this.place = place;
    }

    KafkaProducer<String, String> producer(String transactionalId, Object... more) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", place.bootstrap, "max.block.ms", 10_000,
            "request.timeout.ms", 8000, "delivery.timeout.ms", 15_000, "linger.ms", 0));
        if (transactionalId != null) config.put("transactional.id", transactionalId);
        for (int i = 0; i < more.length; i += 2) config.put((String) more[i], more[i + 1]);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    static ProducerRecord<String, String> record(int partition, String value) {
        return new ProducerRecord<>(TOPIC, partition, "k", value);
    }

    KafkaConsumer<String, String> consumer(String group, String isolation, Object... more) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", place.bootstrap, "isolation.level",
            isolation,
            "auto.offset.reset", "earliest", "enable.auto.commit", false, "default.api.timeout.ms", 10_000));
        if (group != null) config.put("group.id", group);
        for (int i = 0; i < more.length; i += 2) config.put((String) more[i], more[i + 1]);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** What a consumer of its own sees of a partition, up to its end. */
    String seen(int partition, String isolation) throws Exception {
        var at = new TopicPartition(TOPIC, partition);
        try (var consumer = consumer(null, isolation)) {
            consumer.assign(List.of(at));
            consumer.seekToBeginning(List.of(at));
            long end = consumer.endOffsets(List.of(at)).get(at);
            List<String> values = new ArrayList<>();
            Script.until("the end", () -> {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100)))
                    values.add(each.offset() + ":" + each.value());
                return consumer.position(at) >= end;
            });
            return values + " to " + end;
        }
    }

    Set<TopicPartition> joined(KafkaConsumer<String, String> consumer) throws Exception {
        Script.until("an assignment", () -> {
            consumer.poll(Duration.ofMillis(100));
            return !consumer.assignment().isEmpty();
        });
        return consumer.assignment();
    }
}
