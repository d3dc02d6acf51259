package fixgate.count;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which methods are entered right from the code of tests.
 *
 * <p>That code leaves the name of each method that it is about to call. Where the next method that
 * is entered in the thread and watched has this name, it was called by the test, be it through a
 * proxy or a bridge. A method reference leaves its name for whoever calls it.
 */
public final class Calls {
    private static final ThreadLocal<String[]> CALLED =
        ThreadLocal.withInitial(() -> new String[1]);
    private static final Set<String> REFERRED = ConcurrentHashMap.newKeySet();

    private Calls() {}

    /** Code of a test is about to call a method. */
    public static void begin(String name) {
        CALLED.get()[0] = name;
    }

    /** Code of a test makes a reference to a method. */
    public static void refer(String name) {
        REFERRED.add(name);
    }

    /** A watched method is entered. */
    public static void enter(String name, int counter) {
        String[] called = CALLED.get();
        boolean direct = name.equals(called[0]);
        if (direct || REFERRED.remove(name)) {
            Counters.hit(counter);
        }
        if (direct) {
            called[0] = null;
        }
    }
}
