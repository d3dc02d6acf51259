package fixgate.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Names of tests: `path::Class::method`, with `[N]` for each invocation of a template.
 *
 * <p>Numbers rather than displayed names, which may differ from run to run.
 */
final class Names {
    /** A case as JUnitParams names it, with the values given to the method before its number. */
    private static final Pattern NUMBERED =
        Pattern.compile("^(\\w+)\\(.*\\) \\[(\\d+)\\]$", Pattern.DOTALL);

    /** Class name -> the file that was asked for. */
    private final Map<String, String> files = new HashMap<>();

    void add(String className, String path) {
        files.put(className, path);
    }

    /** The file that was asked for: that of the class, or of a suite that brings it. */
    String file(TestIdentifier test) {
        String found = file(className(test));
        for (UniqueId.Segment each : UniqueId.parse(test.getUniqueId()).getSegments()) {
            found = found.isEmpty() ? file(each.getValue()) : found;
        }
        return found;
    }

    /** The file that was asked for, "" for a class of another one. */
    String file(String className) {
        return files.getOrDefault(outermost(className), "");
    }

    /** `path::Class` for the qualified name of a class. */
    String group(String className) {
        return file(className) + "::" + simple(className);
    }

    String of(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        String group = file(test) + "::" + simple(className(test));
        if (source instanceof MethodSource) {
            return group + "::" + ((MethodSource) source).getMethodName() + invocation(test);
        }
        return test.isTest() ? group + "::" + numbered(test.getDisplayName()) : group;
    }

    private static String numbered(String displayed) {
        return NUMBERED.matcher(displayed).replaceFirst("$1[$2]");
    }

    /** `package.Class::method`, which datasets and reports of builds use. */
    String qualified(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        String method = source instanceof MethodSource
            ? "::" + ((MethodSource) source).getMethodName() : "";
        String declared = declared(test);
        return (declared.isEmpty() ? selected(test) : declared) + method;
    }

    /** The selected class, which may inherit the method, or the class within; "" without any. */
    private static String className(TestIdentifier test) {
        String selected = selected(test);
        String declared = declared(test);
        return declared.isEmpty() || selected.contains("$") ? selected : declared;
    }

    private static String declared(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        return source instanceof MethodSource
            ? ((MethodSource) source).getClassName()
            : source instanceof ClassSource ? ((ClassSource) source).getClassName() : "";
    }

    private static String selected(TestIdentifier test) {
        String selected = "";
        for (UniqueId.Segment each : UniqueId.parse(test.getUniqueId()).getSegments()) {
            selected = joined(selected, each.getType(), each.getValue());
        }
        return selected;
    }

    private static String joined(String outer, String type, String value) {
        switch (type) {
            case "class":
            case "runner":
                return value;
            case "nested-class":
                // A class of another one, which is inherited, may stand there with its whole name.
                return outer + "$" + simple(value).replaceFirst(".*\\.", "");
            default:
                return outer;
        }
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String invocation(TestIdentifier test) {
        StringBuilder found = new StringBuilder();
        List<UniqueId.Segment> segments = UniqueId.parse(test.getUniqueId()).getSegments();
        for (UniqueId.Segment each : segments) {
            boolean numbered = each.getType().endsWith("-invocation")
                || each.getType().equals("dynamic-test")
                || each.getType().equals("dynamic-container");
            if (numbered) {
                found.append('[').append(each.getValue().replace("#", "")).append(']');
            }
        }
        return found.length() > 0 ? found.toString() : vintageParameters(segments);
    }

    /** JUnit 4's parameterized runner has a group `[0]`, `[1]`, ... for each set of parameters. */
    private static String vintageParameters(List<UniqueId.Segment> segments) {
        for (UniqueId.Segment each : segments) {
            if (each.getType().equals("test") && each.getValue().startsWith("[")) {
                return each.getValue();
            }
        }
        return "";
    }
}
