// One node of a real Apache Kafka cluster: formats its directory if need be, then is kafka.Kafka. It ends when its standard
// input does, so that no test can leave one behind.
package highwater;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

public final class KafkaNode {
    /** Arguments: properties file, cluster id, then features as name=level. */
    public static void main(String[] args) throws Exception {
        endWithInput();
        Path properties = Path.of(args[0]);
        if (!isFormatted(properties)) {
            List<String> format = new ArrayList<>(List.of("format", "--config", args[0], "--cluster-id", args[1]));
            for (int i = 2; i < args.length; i++) format.addAll(List.of("--feature", args[i]));
            int code = kafka.tools.StorageTool.execute(format.toArray(String[]::new), System.err);
            if (code != 0) System.exit(code);
        }
        kafka.Kafka.main(new String[] {args[0]});
    }

    private static boolean isFormatted(Path file) throws Exception {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return Files.exists(Path.of(properties.getProperty("log.dirs"), "meta.properties"));
    }

    private static void endWithInput() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) continue;
            } catch (Exception closed) {
                // As good as an end.
            }
            Runtime.getRuntime().halt(1);
        }, "end-with-input");
        watch.setDaemon(true);
        watch.start();
    }
}
