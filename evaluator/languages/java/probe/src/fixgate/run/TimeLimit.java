package fixgate.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Acts when a test takes longer than the property `fixgate.seconds` allows, in every framework.
 *
 * <p>JUnit 3 has no limits of its own, and Jupiter's only interrupts a test, which need not heed it.
 */
final class TimeLimit {
    private final long seconds = Long.getLong("fixgate.seconds", 0);
    private final Map<String, ScheduledFuture<?>> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "fixgate time limit");
            thread.setDaemon(true);
            return thread;
        });

    long seconds() {
        return seconds;
    }

    void begin(String test, Runnable atLimit) {
        if (seconds > 0) {
            running.put(test, clock.schedule(atLimit, seconds, TimeUnit.SECONDS));
        }
    }

    /** Whether the test ended within its limit. */
    boolean end(String test) {
        ScheduledFuture<?> limit = running.remove(test);
        return limit == null || limit.cancel(false);
    }
}
