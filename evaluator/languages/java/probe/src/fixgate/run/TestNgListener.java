package fixgate.run;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.testng.IConfigurationListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.SkipException;

/**
 * Reports what comes of each test while TestNG runs them.
 *
 * <p>A test that TestNG skips for what failed before it is an error, as JUnit has it.
 */
final class TestNgListener implements ITestListener, IConfigurationListener {
    private final Channel channel;
    private final Sources sources;
    private final TestNgNames names;
    private final Selection selection;
    private final boolean records;
    private final Map<ITestResult, String> running = new IdentityHashMap<>();
    private final Map<ITestResult, Long> begun = new IdentityHashMap<>();
    /** What failed around tests -> whether a test was reported to have failed for it. */
    private final Map<ITestResult, Boolean> broken = new LinkedHashMap<>();
    boolean failed;

    TestNgListener(
            Channel channel, Sources sources, Names names, Selection selection, boolean records) {
        this.channel = channel;
        this.sources = sources;
        this.names = new TestNgNames(names);
        this.selection = selection;
        this.records = records;
    }

    /** Whether any test has begun. */
    synchronized boolean hasBegun() {
        return !begun.isEmpty();
    }

    @Override
    public synchronized void onTestStart(ITestResult result) {
        String name = names.of(result);
        begun.put(result, System.nanoTime());
        if (selection.has(name)) {
            String unique = channel.unique(name);
            running.put(result, unique);
            channel.start(unique, names.file(result));
        } else {
            running.put(result, "");
        }
    }

    @Override
    public void onTestSuccess(ITestResult result) {
        report(result, "passed", null, null);
    }

    @Override
    public void onTestFailure(ITestResult result) {
        report(result, "failed", "call", result.getThrowable());
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
        report(result, "skipped", "call", result.getThrowable());
    }

    @Override
    public synchronized void onTestSkipped(ITestResult result) {
        Throwable thrown = result.getThrowable();
        boolean waits = TestNgNames.depends(result.getMethod());
        ITestResult cause = thrown instanceof SkipException ? null : cause(result);
        if (cause != null) {
            broken.put(cause, true);
            report(result, "error", "setup", cause.getThrowable());
        } else if (thrown == null || thrown instanceof SkipException || waits) {
            report(result, "skipped", "setup", thrown);
        } else {
            report(result, "error", "setup", thrown);
        }
    }

    @Override
    public void onStart(ITestContext context) {}

    @Override
    public void onFinish(ITestContext context) {}

    @Override
    public void onConfigurationSuccess(ITestResult result) {}

    @Override
    public void onConfigurationSkip(ITestResult result) {}

    @Override
    public synchronized void onConfigurationFailure(ITestResult result) {
        broken.put(result, false);
    }

    /** Report what failed around tests without having kept any from running. */
    void finish() {
        broken.forEach((result, isReported) -> {
            if (!isReported) {
                report(result, "error", "setup", result.getThrowable());
            }
        });
    }

    /** The last failure, of a method that runs around tests, for which a test is skipped. */
    private ITestResult cause(ITestResult skipped) {
        ITestResult found = null;
        for (ITestResult each : broken.keySet()) {
            found = concerns(each.getMethod(), TestNgNames.type(skipped)) ? each : found;
        }
        return found;
    }

    private static boolean concerns(ITestNGMethod around, Class<?> type) {
        boolean ofClass = around.isBeforeClassConfiguration()
            || around.isAfterClassConfiguration()
            || around.isBeforeMethodConfiguration()
            || around.isAfterMethodConfiguration();
        return !ofClass || around.getRealClass().isAssignableFrom(type);
    }

    private synchronized void report(
            ITestResult result, String status, String phase, Throwable thrown) {
        String name = running.remove(result);
        if (name == null) {
            String found = names.of(result);
            name = selection.has(found) ? channel.unique(found) : "";
        }
        if (name.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        double seconds = (now - begun.getOrDefault(result, now)) / 1e9;
        failed |= status.equals("failed") || status.equals("error");
        if (records) {
            channel.unseen(name);
        }
        Channel.Named named = new Channel.Named(
            name, names.file(result), TestNgNames.qualified(result));
        Object failure = thrown == null ? null : sources.failure(thrown);
        channel.outcome(named, status, phase, failure, seconds);
    }

    /** Whether a method may have any of the tests that are asked for. */
    boolean mayHoldWanted(ITestNGMethod method) {
        return selection.mayHold(names.of(method));
    }
}
