package fixgate.run;

import fixgate.Specification;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test files on the JUnit Platform, and by TestNG: `Main SPEC.json COMPILED.json`.
 *
 * <p>The first is what `evaluator.run` wrote, the second the compiler's report. Files that do not
 * compile were reported before this starts.
 */
public final class Main {
    private static final String COVERAGE = ".fixgate-coverage";

    private final Specification spec;
    private final Specification compiled;
    private final Channel channel = Channel.open();

    private Main(Specification spec, Specification compiled) {
        this.spec = spec;
        this.compiled = compiled;
    }

    public static void main(String[] arguments) throws IOException {
        int code = run(arguments);
        // Threads that tests left behind cannot hold the run up, nor change how it ended.
        Runtime.getRuntime().halt(code);
    }

    /** The exit code, once all tests have run. */
    static int run(String[] arguments) throws IOException {
        Specification spec = Specification.read(Paths.get(arguments[0]));
        Specification compiled = Specification.read(Paths.get(arguments[1]));
        int code = new Main(spec, compiled).run();
        System.out.flush();
        System.err.flush();
        return code;
    }

    private int run() {
        Path tree = Paths.get(spec.text("tree"));
        Sources sources = new Sources(tree, compiled.objects("units"));
        int code = 1;
        try {
            channel.cover(tree.resolve(COVERAGE));
            code = run(sources);
        } catch (Throwable error) {
            error.printStackTrace();
            channel.abort(sources.failure(error));
        }
        channel.end(code);
        return code;
    }

    private int run(Sources sources) {
        Names names = new Names();
        List<Class<?>> found = new ArrayList<>();
        Set<String> broken = new HashSet<>(compiled.table("broken").keySet());
        for (String path : spec.texts("files")) {
            if (!broken.contains(path)) {
                try {
                    for (Class<?> each : sources.concrete(sources.load(path))) {
                        names.add(each.getName(), path);
                        found.add(each);
                    }
                } catch (ClassNotFoundException | LinkageError error) {
                    broken.add(path);
                    report(path, sources.failure(error));
                }
            }
        }
        if (spec.number("seed") != 0) {
            Collections.shuffle(found, new Random(spec.number("seed")));
        }
        return run(found, sources, names) || !broken.isEmpty() ? 1 : 0;
    }

    /** A file of which no test can run. */
    private void report(String path, Object failure) {
        channel.outcome(new Channel.Named(path, path, ""), "error", "collection", failure, 0);
    }

    /** Run classes of both kinds; whether any test failed. */
    private boolean run(List<Class<?>> classes, Sources sources, Names names) {
        boolean records = !spec.text("record").equals("nothing");
        Selection selection = new Selection(spec);
        Map<Boolean, List<Class<?>>> byKind =
            classes.stream().collect(Collectors.partitioningBy(TestNgMarks::isMarked));
        boolean failed = false;
        if (!byKind.get(true).isEmpty()) {
            TestNgListener listener = new TestNgListener(channel, sources, names, selection, records);
            List<Class<?>> broken = new ArrayList<>();
            TestNgRun.run(byKind.get(true), spec.number("seed"), listener, (type, error) -> {
                broken.add(type);
                report(names.file(type.getName()), sources.failure(error));
            });
            failed = listener.failed || !broken.isEmpty();
        }
        if (!byKind.get(false).isEmpty()) {
            Listener listener = new Listener(channel, sources, names, selection, records);
            LauncherDiscoveryRequestBuilder request = request(byKind.get(false));
            request.filters(wanted(names, selection));
            LauncherFactory.create().execute(request.build(), listener);
            failed |= listener.failed;
        }
        return failed;
    }

    /** Leaves out the methods that have no test of those that are asked for. */
    private static PostDiscoveryFilter wanted(Names names, Selection selection) {
        return each -> {
            boolean method = each.isTest() || each.getSource().orElse(null) instanceof MethodSource;
            String name = method ? names.of(TestIdentifier.from(each)) : "";
            return FilterResult.includedIf(!method || selection.mayHold(name));
        };
    }

    /** Another order of classes and methods for each seed; seed 0 leaves them as they are. */
    private LauncherDiscoveryRequestBuilder request(List<Class<?>> classes) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        long seed = spec.number("seed");
        if (seed != 0) {
            String orderers = "org.junit.jupiter.api.";
            request.configurationParameter(
                "junit.jupiter.testmethod.order.default", orderers + "MethodOrderer$Random");
            request.configurationParameter(
                "junit.jupiter.testclass.order.default", orderers + "ClassOrderer$Random");
            request.configurationParameter(
                "junit.jupiter.execution.order.random.seed", Long.toString(seed));
        }
        for (Class<?> each : classes) {
            request.selectors(DiscoverySelectors.selectClass(each));
        }
        return request;
    }
}
