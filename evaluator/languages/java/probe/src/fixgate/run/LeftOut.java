package fixgate.run;

import java.util.Map;

/**
 * What a method of a test file throws whose own body does not compile, and was left out.
 *
 * <p>Whatever the test makes of it, that it came to such a method is kept until its outcome is
 * reported: otherwise a test that catches everything would fail for a reason that looks like
 * behaviour.
 */
public final class LeftOut extends Error {
    private static final long serialVersionUID = 1L;
    private static final String TYPE = "CompilationError";
    private static String reached = "";

    private LeftOut(String error) {
        super(error, null, false, false);
    }

    /** For the body that stands instead: what to throw, by the compiler's error. */
    public static synchronized LeftOut method(String error) {
        reached = reached.isEmpty() ? error : reached;
        return new LeftOut(error);
    }

    /** The first error that was reached since this was asked last; "" where none was. */
    static synchronized String taken() {
        String found = reached;
        reached = "";
        return found;
    }

    /** An error of the compiler as a failure. */
    static Map<String, Object> failure(String error) {
        return Sources.plain(TYPE, error);
    }

    /** Whether a failure is one of these. */
    static boolean is(Object failure) {
        return failure instanceof Map && TYPE.equals(((Map<?, ?>) failure).get("type"));
    }

    /** The error in a chain of causes; "" where none is. */
    static String in(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 20; depth++) {
            if (each instanceof LeftOut) {
                return each.getMessage();
            }
            each = each.getCause();
        }
        return "";
    }
}
