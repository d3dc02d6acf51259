package fixgate.run;

import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Reports what comes of each test while the JUnit Platform runs them. */
final class Listener implements TestExecutionListener {
    private final Channel channel;
    private final Sources sources;
    private final Names names;
    private final Selection selection;
    private final boolean records;
    private final Map<String, String> running = new HashMap<>();
    private final Map<String, Long> begun = new HashMap<>();
    private TestPlan plan;
    boolean failed;

    Listener(Channel channel, Sources sources, Names names, Selection selection, boolean records) {
        this.channel = channel;
        this.sources = sources;
        this.names = names;
        this.selection = selection;
        this.records = records;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        String name = names.of(test);
        if (!test.isTest() || !selection.has(name)) {
            return;
        }
        String unique = channel.unique(name);
        running.put(test.getUniqueId(), unique);
        begun.put(test.getUniqueId(), System.nanoTime());
        channel.start(unique, names.file(test));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            report(test, "skipped", "setup", Sources.plain("", reason == null ? "" : reason));
        } else {
            plan.getDescendants(test).stream().filter(TestIdentifier::isTest)
                .forEach(each -> executionSkipped(each, reason));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        Object failure = thrown == null ? null : sources.failure(thrown);
        if (test.isTest()) {
            report(test, status(result), thrown == null ? null : "call", failure);
        } else if (thrown != null) {
            reportGroup(test, result, failure);
        }
    }

    /** A class or template that could not be set up: its tests that did not run end so. */
    private void reportGroup(TestIdentifier group, TestExecutionResult result, Object failure) {
        boolean skipped = result.getStatus() == TestExecutionResult.Status.ABORTED;
        String status = skipped ? "skipped" : "error";
        boolean any = false;
        for (TestIdentifier each : plan.getDescendants(group)) {
            if (each.isTest() && !begun.containsKey(each.getUniqueId())) {
                report(each, status, "setup", failure);
                any = true;
            }
        }
        if (!any && !skipped) {
            failed = true;
            String name = channel.unique(names.of(group));
            channel.outcome(named(group, name), status, "setup", failure, 0);
        }
    }

    private static String status(TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL:
                return "passed";
            case ABORTED:
                return "skipped";
            default:
                return "failed";
        }
    }

    private void report(TestIdentifier test, String status, String phase, Object failure) {
        String id = test.getUniqueId();
        String name = running.remove(id);
        if (name == null && !selection.has(names.of(test))) {
            return;
        }
        String unique = name == null ? channel.unique(names.of(test)) : name;
        long start = begun.getOrDefault(id, System.nanoTime());
        double seconds = (System.nanoTime() - start) / 1e9;
        begun.put(id, start);
        failed |= status.equals("failed") || status.equals("error");
        if (records) {
            channel.unseen(unique);
        }
        channel.outcome(named(test, unique), status, phase, failure, seconds);
    }

    private Channel.Named named(TestIdentifier test, String name) {
        return new Channel.Named(name, names.file(test), names.qualified(test));
    }
}
