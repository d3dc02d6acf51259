package fixgate.count;

import fixgate.Specification;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the lines of `traced` in a run's specification: `-javaagent:probe.jar=SPEC.json`.
 *
 * <p>With `-Dfixgate.calls=true`, only those at which methods begin that the tests call themselves.
 */
public final class Agent {
    private Agent() {}

    public static void premain(String file, Instrumentation instrumentation) throws IOException {
        Map<String, int[]> traced = new LinkedHashMap<>();
        Specification run = Specification.read(Paths.get(file));
        run.table("traced").forEach((path, lines) -> traced.put(path, numbers((List<?>) lines)));
        if (!traced.isEmpty()) {
            Counters.count(traced);
            instrumentation.addTransformer(
                Boolean.getBoolean("fixgate.calls")
                    ? new CallCounting(traced, run.texts("files"))
                    : new LineCounting(traced));
        }
    }

    private static int[] numbers(List<?> lines) {
        return lines.stream().mapToInt(line -> ((Long) line).intValue()).toArray();
    }
}
