// Leaves a transaction that hangs: its records lie in a partition that its coordinator does not know to be part of it (which
// takes brokers that do not verify). Beside it one that is merely open. Prints producer id and first offset of what hangs.
package highwater;

import org.apache.kafka.common.protocol.Errors;

public final class Hanging {
    /** Arguments: bootstrap servers, topic. */
    public static void main(String[] args) throws Exception {
        try (Place place = new Place(args[0])) {
            place.served(args[1], 1);
            var open = TxnIdSteps.init(place, "open", 60_000);
            TxnIdSteps.add(place, open, 3, args[1], 0);
            var hung = TxnIdSteps.init(place, "hung", 60_000);
            String written = Batches.produce(place.leader(args[1], 0), 9, Batches.request(args[1], 0, -1, "hung",
                Batches.transactional(hung.producerId, hung.epoch, 0, "hung")));
            if (!written.startsWith("error " + Errors.NONE.code() + " ")) throw new IllegalStateException(written);
            long start = place.offset(args[1], 0, -1, 1);
            System.out.printf("{\"producerId\":%d,\"start\":%d}%n", hung.producerId, start);
        }
        System.exit(0);
    }
}
