// Idempotent batches over the wire: sequences, duplicates, epochs.
package highwater;

import java.util.Map;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;

final class SequenceSteps {
    private final Place place;
    private final Script script;
    private long producerId;

    SequenceSteps(Place place, Script script) {
        this.place = place;
        this.script = script;
    }

    void run() {
        if (!script.area("idempotence")) return;
        script.step("an id", () -> {
            place.topic("i1", 2, Map.of());
            var response = init(4);
            producerId = response.producerId();
            return "error " + response.errorCode() + " epoch " + response.producerEpoch() + " id " + (producerId >= 0);
        });
        for (int version : new int[] {0, 1, 2, 3})
            script.step("an id at version " + version, () -> {
                var response = init(version);
                return "error " + response.errorCode() + " epoch " + response.producerEpoch() + " another "
                    + (response.producerId() != producerId);
            });
        script.step("first", () -> produce(0, 0, "a", "b"));
        script.step("second", () -> produce(0, 2, "c"));
        script.step("the second again", () -> produce(0, 2, "c"));
        script.step("the first again", () -> produce(0, 0, "a", "b"));
        script.step("a part of the first", () -> produce(0, 0, "a"));
        script.step("over the end of the second", () -> produce(0, 2, "c", "d"));
        script.step("a gap", () -> produce(0, 5, "f"));
        script.step("third to eighth", () -> {
            for (int sequence = 3; sequence < 8; sequence++) produce(0, sequence, "x");
            return produce(0, 8, "x");
        });
        script.step("a duplicate of what is five batches ago", () -> produce(0, 4, "x"));
        script.step("a duplicate of what is too long ago", () -> produce(0, 2, "c"));
        script.step("a newer epoch that does not begin at 0", () -> produce(1, 3, "y"));
        script.step("a newer epoch", () -> produce(1, 0, "y"));
        script.step("the older epoch", () -> produce(0, 9, "z"));
        script.step("the older epoch, a duplicate", () -> produce(0, 8, "x"));
        script.step("the newer epoch goes on", () -> produce(1, 1, "y"));
        script.step("negative epoch", () -> produce(-1, 2, "y"));
        script.step("an unknown id that begins at 0", () -> at(1, producerId + 500_000, 0, 0, "u"));
        script.step("an unknown id that begins at 7", () -> at(1, producerId + 600_000, 0, 7, "u"));
        script.step("the last sequence there is", () -> {
            long id = producerId + 700_000;
            at(1, id, 0, 0, "w");
            return at(1, id, 0, Integer.MAX_VALUE, "w");
        });
        script.step("what is left of all that", () -> place.ends("i1", 0) + ", " + place.ends("i1", 1));
    }

    /** A broker that has no block of ids yet answers COORDINATOR_LOAD_IN_PROGRESS. */
    private InitProducerIdResponseData init(int version) throws Exception {
        var request = new InitProducerIdRequestData().setTransactionalId(null).setTransactionTimeoutMs(60_000);
        return (InitProducerIdResponseData) Script.untilAnswer("an id", () -> {
            var response = (InitProducerIdResponseData) place.anyBroker().ask(request, version);
            return response.errorCode() == 14 ? null : response;
        });
    }

    private String produce(int epoch, int sequence, String... values) throws Exception {
        return at(0, producerId, epoch, sequence, values);
    }

    private String at(int partition, long id, int epoch, int sequence, String... values) throws Exception {
        return Batches.produce(place, "i1", partition, 9, Batches.sequenced(id, epoch, sequence, values));
    }
}
