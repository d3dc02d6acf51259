package fixgate.run;

import fixgate.Specification;
import java.util.HashSet;
import java.util.Set;

/** The tests that are to run: those that are named, or all, but for methods that are left out. */
final class Selection {
    private final Set<String> only;
    private final Set<String> without;

    Selection(Specification spec) {
        only = new HashSet<>(spec.texts("only"));
        without = new HashSet<>(spec.texts("without"));
    }

    /** Whether a test is one of them, by its name or as a case of a method. */
    boolean has(String name) {
        boolean named = only.isEmpty() || only.contains(name) || only.contains(method(name));
        return named && !isLeftOut(name);
    }

    /** Whether what has a name is one of them, or may have some as its cases. */
    boolean mayHold(String name) {
        return has(name) || !isLeftOut(name) && only.stream().anyMatch(each -> each.startsWith(name)
            && !Character.isJavaIdentifierPart(each.charAt(name.length())));
    }

    private boolean isLeftOut(String name) {
        return without.contains(method(name));
    }

    /** The name of the method that a test is a case of, or its own. */
    private static String method(String name) {
        int cases = name.indexOf('[');
        return cases > 0 ? name.substring(0, cases) : name;
    }
}
