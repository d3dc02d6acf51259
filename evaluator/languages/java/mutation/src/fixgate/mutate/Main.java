package fixgate.mutate;

import fixgate.Specification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the tests of methods against mutants of these, in one virtual machine: `Main RUN.json ...`.
 *
 * <p>The tree of the run has `.fixgate-mutants.json`, the methods with their tests, and gets
 * `.fixgate-mutants`, a line "METHOD MUTANT STATE LINE OPERATOR" for each step. The code of a class is replaced
 * in place, as PIT does. A mutant that runs too long ends the virtual machine; the next one goes on
 * behind it. Where a method has no tests, its mutants survive unseen.
 */
public final class Main {
    private static final int FACTOR = 10;
    private static final long LEAST_MILLISECONDS = 4000;

    private final Journal journal;
    private final Launcher launcher = LauncherFactory.create();
    private final ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "fixgate time limit");
            thread.setDaemon(true);
            return thread;
        });

    private Main(Journal journal) {
        this.journal = journal;
    }

    public static void main(String[] arguments) throws IOException {
        Path tree = Paths.get(Specification.read(Paths.get(arguments[0])).text("tree"));
        Main main = new Main(new Journal(tree.resolve(".fixgate-mutants")));
        int number = 0;
        for (Specification each :
                Specification.read(tree.resolve(".fixgate-mutants.json")).objects("methods")) {
            try {
                main.run(number, each);
            } catch (Exception | LinkageError error) {
                System.err.println(each.text("id") + " has no mutants: " + error);
            }
            number++;
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void run(int number, Specification wanted) throws Exception {
        List<DiscoverySelector> tests = tests(wanted);
        Class<?> focal = Class.forName(wanted.text("class"));
        byte[] code = code(focal);
        Mutants mutants = new Mutants(code, wanted.text("name"), wanted.text("descriptor"));
        List<String> places = mutants.places();
        if (tests.isEmpty()) {
            for (int mutant = 0; mutant < places.size(); mutant++) {
                journal.write(number, mutant, "survived", places.get(mutant));
            }
            return;
        }
        long began = System.nanoTime();
        TestExecutionSummary usual = execute(tests);
        long milliseconds = (System.nanoTime() - began) / 1_000_000;
        if (usual.getTestsFoundCount() == 0 || usual.getTotalFailureCount() > 0) {
            return;
        }
        for (int mutant = 0; mutant < places.size(); mutant++) {
            if (!journal.knows(number, mutant)) {
                String place = places.get(mutant);
                journal.write(number, mutant, "begun", place);
                long limit = LEAST_MILLISECONDS + FACTOR * milliseconds;
                byte[] mutated = mutants.mutated(mutant);
                journal.write(
                    number, mutant, state(focal, code, mutated, tests, limit), place);
            }
        }
    }

    private String state(
            Class<?> focal, byte[] code, byte[] mutated, List<DiscoverySelector> tests, long limit)
            throws Exception {
        ScheduledFuture<?> end = clock.schedule(
            () -> Runtime.getRuntime().halt(1), limit, TimeUnit.MILLISECONDS);
        try {
            Agent.instrumentation().redefineClasses(new ClassDefinition(focal, mutated));
            return execute(tests).getTotalFailureCount() > 0 ? "killed" : "survived";
        } catch (VerifyError error) {
            return "invalid";
        } finally {
            end.cancel(false);
            Agent.instrumentation().redefineClasses(new ClassDefinition(focal, code));
        }
    }

    private TestExecutionSummary execute(List<DiscoverySelector> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(
            LauncherDiscoveryRequestBuilder.request().selectors(tests).build(), listener);
        return listener.getSummary();
    }

    private static List<DiscoverySelector> tests(Specification wanted) throws Exception {
        List<DiscoverySelector> found = new ArrayList<>();
        for (Specification test : wanted.objects("tests")) {
            Class<?> owner = Class.forName(test.text("class"));
            for (Method each : owner.getDeclaredMethods()) {
                if (each.getName().equals(test.text("method")) && !each.isSynthetic()) {
                    found.add(DiscoverySelectors.selectMethod(owner, each));
                }
            }
        }
        return found;
    }

    private static byte[] code(Class<?> focal) throws IOException {
        String file = focal.getName().replace('.', '/') + ".class";
        try (InputStream input = focal.getClassLoader().getResourceAsStream(file)) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int read = input.read(part); read >= 0; read = input.read(part)) {
                whole.write(part, 0, read);
            }
            return whole.toByteArray();
        }
    }
}
