package fixgate.run;

import fixgate.Specification;
import java.io.File;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.platform.commons.support.ReflectionSupport;

/** Which source of the tree a class comes from, and which class a source defines. */
final class Sources {
    /** What surefire and failsafe run if they are told nothing else. */
    private static final Pattern USUAL =
        Pattern.compile("(?:Test|IT).*|.*(?:Tests?|TestCase|IT|ITCase)");

    private final Path tree;
    private final List<String> roots = new ArrayList<>();
    private final List<String> testRoots = new ArrayList<>();
    private final List<Path> testClasses = new ArrayList<>();

    Sources(Path tree, List<Specification> units) {
        this.tree = tree;
        for (Specification unit : units) {
            boolean test = unit.text("test").equals("true");
            (test ? testRoots : roots).addAll(unit.texts("roots"));
            // A class path begins with the unit's own classes: those compiled now, and before.
            String[] classpath = unit.text("classpath").split(File.pathSeparator);
            for (int place = 0; test && place < 2; place++) {
                Path directory = Paths.get(classpath[place]);
                if (Files.isDirectory(directory)) {
                    testClasses.add(directory);
                }
            }
        }
    }

    /** The class that a file is named for, which no code of the file has run of yet. */
    Class<?> load(String path) throws ClassNotFoundException {
        for (String root : all()) {
            if (root.isEmpty() || path.startsWith(root + "/")) {
                String below = path.substring(root.isEmpty() ? 0 : root.length() + 1);
                String name = below.substring(0, below.length() - ".java".length());
                return Class.forName(name.replace('/', '.'), false, Sources.class.getClassLoader());
            }
        }
        throw new ClassNotFoundException(path + " is in no directory of sources");
    }

    /**
     * The class itself; of an abstract one the tests' classes that extend it.
     *
     * <p>These are the ones that builds run, by their names, if there are such: others may need what
     * only a plug-in of the build brings.
     */
    List<Class<?>> concrete(Class<?> found) {
        if (!Modifier.isAbstract(found.getModifiers()) || found.isInterface()) {
            return Collections.singletonList(found);
        }
        Set<Class<?>> extending = new LinkedHashSet<>();
        for (Path directory : testClasses) {
            extending.addAll(ReflectionSupport.findAllClassesInClasspathRoot(
                directory.toUri(),
                each -> found.isAssignableFrom(each) && !Modifier.isAbstract(each.getModifiers()),
                name -> true));
        }
        List<Class<?>> usual = new ArrayList<>(extending);
        usual.removeIf(each -> !USUAL.matcher(each.getSimpleName()).matches());
        return usual.isEmpty() ? new ArrayList<>(extending) : usual;
    }

    /** The deepest frame in the project: one outside of its tests if any is. */
    Object frame(StackTraceElement[] trace) {
        Object inTests = null;
        for (StackTraceElement each : trace) {
            Object found = frame(each, roots);
            if (found != null) {
                return found;
            }
            inTests = inTests == null ? frame(each, testRoots) : inTests;
        }
        return inTests;
    }

    private Object frame(StackTraceElement element, List<String> among) {
        String name = element.getClassName().replace('.', '/');
        String below = name.substring(0, name.lastIndexOf('/') + 1) + element.getFileName();
        for (String root : among) {
            String path = root.isEmpty() ? below : root + "/" + below;
            if (Files.isRegularFile(tree.resolve(path))) {
                List<Object> found = new ArrayList<>();
                found.add(path);
                found.add(Math.max(element.getLineNumber(), 0));
                found.add(element.getMethodName());
                return found;
            }
        }
        return null;
    }

    /** Type, message and deepest project frame of an exception. */
    Map<String, Object> failure(Throwable thrown) {
        String uncompiled = LeftOut.in(thrown);
        if (!uncompiled.isEmpty()) {
            return LeftOut.failure(uncompiled);
        }
        Map<String, Object> found = plain(thrown.getClass().getName(), message(thrown));
        Object frame = null;
        Throwable each = thrown;
        for (int depth = 0; each != null && frame == null && depth < 20; depth++) {
            frame = frame(each.getStackTrace());
            each = each.getCause();
        }
        found.put("frame", frame);
        return found;
    }

    static Map<String, Object> plain(String type, String message) {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("type", type);
        found.put("message", message);
        found.put("frame", null);
        return found;
    }

    /** Exceptions of the target may well fail at this. */
    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "" : Channel.shortened(message);
        } catch (Throwable error) {
            return "<an exception that cannot be printed>";
        }
    }

    private List<String> all() {
        List<String> found = new ArrayList<>(testRoots);
        found.addAll(roots);
        return found;
    }
}
