// A script of numbered steps. Each is bounded and prints one line: its number, area, name, and what came of it, written so that
// two clusters that behave alike print the same.
package highwater;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

final class Script {
    /** No step may take longer. */
    private static final long STEP_SECONDS = 30;

    private final ExecutorService worker = Executors.newCachedThreadPool(run -> {
        Thread thread = new Thread(run, "step");
        thread.setDaemon(true);
        return thread;
    });
    private final String only;
    private int number = 0;
    private String area = "";

    /** Only the areas that match `only` are run; the numbers are those of the whole only in a whole run. */
    Script(String only) {
        this.only = only;
    }

    /** What follows belongs to this area. Says whether it is wanted. */
    boolean area(String name) {
        area = name;
        return name.matches(only);
    }

    /** Runs a step: null is "ok", anything else is what it prints; an exception is its name. */
    void step(String name, Callable<?> body) {
        number++;
        Future<?> future = worker.submit(body);
        String outcome;
        try {
            Object result = future.get(STEP_SECONDS, TimeUnit.SECONDS);
            outcome = result == null ? "ok" : result.toString();
        } catch (ExecutionException failed) {
            outcome = said(failed.getCause());
        } catch (TimeoutException late) {
            future.cancel(true);
            outcome = "NOT WITHIN " + STEP_SECONDS + " s";
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        System.out.printf("[%03d] %s: %s -> %s%n", number, area, name, outcome);
    }

    /** Names of an exception and of what caused it, wrappers left out. */
    static String said(Throwable thrown) {
        List<String> names = new ArrayList<>();
        for (Throwable at = thrown; at != null && names.size() < 3; at = at.getCause()) {
            boolean wraps = at instanceof ExecutionException || at instanceof CompletionException;
            if (wraps && at.getCause() != null) continue;
            String name = at.getClass().getSimpleName();
            if (at instanceof IllegalStateException || at instanceof CancellationException) names.add(name);
            else if (!names.contains(name)) names.add(name);
            if (!(at instanceof org.apache.kafka.common.KafkaException) && System.getenv("DIFFERENTIAL_TRACE") != null)
                at.printStackTrace();
        }
        return String.join(" < ", names);
    }

    /** A state that must come about within a step's time. */
    static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STEP_SECONDS - 2);
        while (!holds.call()) {
            if (System.nanoTime() > end) throw new NotWithin(what);
            Thread.sleep(20);
        }
    }

    /** Asks until there is an answer, which is not null. */
    static <T> T untilAnswer(String what, Callable<T> ask) throws Exception {
        List<T> answers = new ArrayList<>();
        until(what, () -> {
            T answer = ask.call();
            return answer != null && answers.add(answer);
        });
        return answers.get(0);
    }

    /** A state did not come about. */
    static final class NotWithin extends Exception {
        NotWithin(String what) {
            super(what);
        }
    }
}
