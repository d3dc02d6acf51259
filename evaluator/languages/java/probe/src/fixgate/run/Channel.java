package fixgate.run;

import fixgate.Json;
import fixgate.count.Counters;
import fixgate.count.LineCounting;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reports events to the supervisor, one a line, over the socket that it left at descriptor 0.
 *
 * <p>The supervisor asks the kernel which process wrote a line, and takes none of others.
 */
final class Channel {
    private static final int LONGEST_NAME = 4000;

    /** A test as it is reported; the description is what other tools call it. */
    static final class Named {
        final String name;
        final String file;
        final String description;

        Named(String name, String file, String description) {
            this.name = name;
            this.file = file;
            this.description = description;
        }
    }

    private final FileOutputStream socket = new FileOutputStream(FileDescriptor.in);
    private final Map<String, Integer> seen = new HashMap<>();
    private final Set<String> untraced = new HashSet<>();
    private final TimeLimit limit = new TimeLimit();
    private Coverage coverage;

    private Channel() {}

    /** The channel. Tests then read an empty standard input, and cannot close the socket by it. */
    static Channel open() {
        Channel channel = new Channel();
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> channel.hits("")));
        return channel;
    }

    /** Have the coverage of each test written, where JaCoCo's agent is loaded. */
    void cover(Path file) throws ReflectiveOperationException, IOException {
        coverage = Coverage.into(file);
    }

    /** The name itself the first time, then with `#2`, `#3`. */
    synchronized String unique(String test) {
        int count = seen.merge(test, 1, Integer::sum);
        return count == 1 ? test : test + "#" + count;
    }

    void start(String test, String file) {
        hits("");
        covered("");
        Map<String, Object> event = event("start");
        event.put("test", test);
        event.put("file", file);
        write(event);
        limit.begin(test, () -> endAtLimit(test, file));
    }

    /** Nothing can end a thread that does not want to end: the virtual machine ends with it. */
    private void endAtLimit(String test, String file) {
        Named named = new Named(test, file, "");
        String uncompiled = LeftOut.taken();
        if (uncompiled.isEmpty()) {
            String message = "the test took longer than " + limit.seconds() + " s";
            report(named, "timeout", "call", Sources.plain("", message), limit.seconds());
        } else {
            report(named, "error", "collection", LeftOut.failure(uncompiled), limit.seconds());
        }
        Runtime.getRuntime().halt(1);
    }

    void outcome(
            Named test, String status, String phase, Object failure, double seconds) {
        String uncompiled = LeftOut.taken();
        if (!limit.end(test.name)) {
            return;
        }
        if (LeftOut.is(failure)) {
            report(test, "error", "collection", failure, seconds);
        } else if (!uncompiled.isEmpty()) {
            report(test, "error", "collection", LeftOut.failure(uncompiled), seconds);
        } else {
            report(test, status, phase, failure, seconds);
        }
    }

    private void report(
            Named test, String status, String phase, Object failure, double seconds) {
        covered(test.name);
        hits("collection".equals(phase) ? "" : test.name);
        Map<String, Object> event = event("outcome");
        event.put("test", test.name);
        event.put("file", test.file);
        event.put("description", test.description);
        event.put("status", status);
        event.put("phase", phase);
        event.put("failure", failure);
        event.put("duration", seconds);
        write(event);
    }

    void unseen(String test) {
        Map<String, Object> event = event("unseen");
        event.put("test", test);
        write(event);
    }

    void abort(Object failure) {
        Map<String, Object> event = event("abort");
        event.put("failure", failure);
        write(event);
    }

    void end(int code) {
        hits("");
        Map<String, Object> event = event("end");
        event.put("exit_code", code);
        write(event);
    }

    private void covered(String test) {
        if (coverage != null) {
            coverage.save(test);
        }
    }

    private void hits(String test) {
        Counters.risen().forEach((path, lines) -> {
            Map<String, Object> event = event("hits");
            event.put("test", test);
            event.put("lines", Collections.singletonMap(path, lines));
            write(event);
        });
        LineCounting.UNTRACED.forEach((path, reason) -> {
            if (untraced.add(path)) {
                Map<String, Object> event = event("untraced");
                event.put("path", path);
                event.put("reason", shortened(reason));
                write(event);
            }
        });
    }

    static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "...";
    }

    private static Map<String, Object> event(String name) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("event", name);
        return event;
    }

    private synchronized void write(Map<String, Object> event) {
        try {
            socket.write((Json.write(event) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException error) {
            // The supervisor is gone, or a test closed the socket: the run has no end then.
            System.err.println("fixgate: nothing can be reported any more: " + error);
        }
    }
}
