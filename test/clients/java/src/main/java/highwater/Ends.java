// Prints the high watermark and the last stable offset of partition 0 of a topic.
package highwater;

public final class Ends {
    /** Arguments: bootstrap servers, topic. */
    public static void main(String[] args) throws Exception {
        try (Place place = new Place(args[0])) {
            System.out.printf("{\"hw\":%d,\"lso\":%d}%n", place.offset(args[1], 0, -1, 0), place.offset(args[1], 0, -1, 1));
        }
        System.exit(0);
    }
}
