// The script of the differential run: the same numbered steps against any new cluster of three brokers 1, 2, 3. Prints a line
// a step, and nothing that differs from run to run.
package highwater;

public final class Differential {
    /** Arguments: bootstrap servers, transaction.version, and for work on the script a pattern of the areas to run. */
    public static void main(String[] args) throws Exception {
        boolean second = !args[1].equals("1");
        Script script = new Script(args.length > 2 ? args[2] : ".*");
        try (Place place = new Place(args[0])) {
            new AdminTopicSteps(place, script).run();
            new AdminConfigSteps(place, script).run();
            new ProduceSteps(place, script).run();
            new SequenceSteps(place, script).run();
            new FetchSteps(place, script).run();
            new TxnIdSteps(place, script).run();
            new TxnDataSteps(place, script, second).run();
            new GroupSteps(place, script).run();
            new GroupOffsetSteps(place, script).run();
            new ProducerSteps(place, script).run();
            new TxnProducerSteps(place, script).run();
            new ConsumerSteps(place, script).run();
        }
        System.exit(0);
    }
}
