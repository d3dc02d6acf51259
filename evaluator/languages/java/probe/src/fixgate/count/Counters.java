package fixgate.count;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** How often each counted line was executed, in all threads together. */
public final class Counters {
    private static volatile AtomicLongArray counts = new AtomicLongArray(0);
    private static String[] paths = {};
    private static int[] lines = {};
    private static long[] reported = {};

    private Counters() {}

    /** Count the given lines of each path; returns the index of the first line of each path. */
    static void count(Map<String, int[]> wanted) {
        int size = wanted.values().stream().mapToInt(each -> each.length).sum();
        paths = new String[size];
        lines = new int[size];
        reported = new long[size];
        int index = 0;
        for (Map.Entry<String, int[]> entry : wanted.entrySet()) {
            for (int line : entry.getValue()) {
                paths[index] = entry.getKey();
                lines[index++] = line;
            }
        }
        counts = new AtomicLongArray(size);
    }

    /** Whether classes of a loader find the counters: one that isolates what it loads may not. */
    static boolean foundBy(ClassLoader loader) {
        if (loader == Counters.class.getClassLoader()) {
            return true;
        }
        try {
            return Class.forName(Counters.class.getName(), false, loader) == Counters.class;
        } catch (ClassNotFoundException | LinkageError | RuntimeException error) {
            return false;
        }
    }

    /** Called by counted code before the first instruction of a line. */
    public static void hit(int index) {
        counts.incrementAndGet(index);
    }

    /** Path -> line -> executions so far, for those lines that were executed since the last call. */
    public static synchronized Map<String, Map<String, Long>> risen() {
        Map<String, Map<String, Long>> found = new LinkedHashMap<>();
        for (int index = 0; index < reported.length; index++) {
            long now = counts.get(index);
            if (now > reported[index]) {
                reported[index] = now;
                String line = Integer.toString(lines[index]);
                found.computeIfAbsent(paths[index], path -> new LinkedHashMap<>()).put(line, now);
            }
        }
        return found;
    }
}
