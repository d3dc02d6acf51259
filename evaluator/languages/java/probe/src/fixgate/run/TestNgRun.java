package fixgate.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestNGListener;
import org.testng.ITestNGMethod;
import org.testng.TestNG;
import org.testng.TestNGException;

/** Runs classes by TestNG's own interface, whichever version the project has. */
final class TestNgRun {
    private TestNgRun() {}

    /** Another order of methods for each seed, those of a class together; by priority first. */
    private static final class Shuffling implements IMethodInterceptor {
        private final Random chance;

        Shuffling(long seed) {
            chance = new Random(seed);
        }

        @Override
        public List<IMethodInstance> intercept(List<IMethodInstance> all, ITestContext context) {
            Map<Class<?>, List<IMethodInstance>> classes = new LinkedHashMap<>();
            for (IMethodInstance each : all) {
                Class<?> type = each.getMethod().getTestClass().getRealClass();
                classes.computeIfAbsent(type, key -> new ArrayList<>()).add(each);
            }
            List<IMethodInstance> found = new ArrayList<>();
            classes.values().forEach(methods -> {
                Collections.shuffle(methods, chance);
                methods.sort((one, other) -> Integer.compare(
                    one.getMethod().getPriority(), other.getMethod().getPriority()));
                found.addAll(methods);
            });
            return found;
        }
    }

    /**
     * Leaves out the methods that have no test of those that are asked for.
     *
     * <p>None where methods wait for others, which may be those.
     */
    private static final class Choosing implements IMethodInterceptor {
        private final Predicate<ITestNGMethod> wanted;

        Choosing(Predicate<ITestNGMethod> wanted) {
            this.wanted = wanted;
        }

        @Override
        public List<IMethodInstance> intercept(List<IMethodInstance> all, ITestContext context) {
            for (ITestNGMethod each : context.getAllTestMethods()) {
                if (TestNgNames.depends(each)) {
                    return all;
                }
            }
            List<IMethodInstance> found = new ArrayList<>(all);
            found.removeIf(each -> !wanted.test(each.getMethod()));
            return found;
        }
    }

    /**
     * Run all. Seed 0 leaves the order as it is.
     *
     * <p>TestNG runs nothing where it cannot make one of the classes: then each runs by itself, and
     * those that still fail as a whole are given to `broken`.
     */
    static void run(
            List<Class<?>> classes,
            long seed,
            TestNgListener listener,
            BiConsumer<Class<?>, Throwable> broken) {
        try {
            together(classes, seed, listener);
        } catch (TestNGException error) {
            if (listener.hasBegun()) {
                throw error;
            }
            for (Class<?> each : classes) {
                alone(each, seed, listener, broken);
            }
        }
    }

    private static void alone(
            Class<?> type,
            long seed,
            TestNgListener listener,
            BiConsumer<Class<?>, Throwable> broken) {
        try {
            together(Collections.singletonList(type), seed, listener);
        } catch (TestNGException error) {
            broken.accept(type, error);
        }
    }

    private static void together(List<Class<?>> classes, long seed, TestNgListener listener) {
        TestNG testng = new TestNG(false);
        testng.setVerbose(0);
        testng.setDataProviderThreadCount(1);
        testng.setTestClasses(classes.toArray(new Class<?>[0]));
        add(testng, listener);
        add(testng, new Choosing(listener::mayHoldWanted));
        if (seed != 0) {
            add(testng, new Shuffling(seed));
        }
        testng.run();
        listener.finish();
    }

    private static void add(TestNG testng, ITestNGListener listener) {
        try {
            testng.addListener(listener);
        } catch (NoSuchMethodError before610) {
            testng.addListener((Object) listener);
        }
    }
}
