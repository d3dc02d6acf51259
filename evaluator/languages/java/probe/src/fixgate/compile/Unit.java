package fixgate.compile;

import fixgate.Specification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Sources that are compiled together: those of a module, or its tests.
 *
 * <p>`roots` and `resources` are directories of the tree; `classpath` are jars, `tree:DIRECTORY`, or
 * `unit:NAME` for another unit that comes before this one. `excludes` are sources that are left out.
 * Of tests, methods that do not compile are left out alone, unless `whole_files` is true. Units that
 * are `left_out`, by the reason, are not compiled.
 */
final class Unit {
    private static final String UNIT = "unit:";
    private static final String TREE = "tree:";

    final String name;
    final boolean test;
    final boolean inMethods;
    final String leftOut;
    final List<String> roots;
    final List<String> resources;
    final List<String> classpath;
    final List<String> options;
    private final Set<String> excludes;

    Unit(Specification fields) {
        name = fields.text("name");
        test = fields.text("test").equals("true");
        inMethods = test && !fields.text("whole_files").equals("true");
        leftOut = fields.text("left_out");
        roots = fields.texts("roots");
        resources = fields.texts("resources");
        classpath = fields.texts("classpath");
        options = fields.texts("options");
        excludes = new HashSet<>(fields.texts("excludes"));
    }

    /** What stands for all of its sources: the first root, and a slash. */
    String directory() {
        return roots.get(0) + "/";
    }

    /** Path relative to the tree -> digest of its content. */
    Map<String, String> sources(Path tree) throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (String root : roots) {
            Path directory = tree.resolve(root);
            if (!Files.isDirectory(directory)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(Unit::isSource)
                    .forEach(file -> found.put(relative(tree, file), digest(file)));
            }
        }
        found.keySet().removeAll(excludes);
        return found;
    }

    private static boolean isSource(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".java")
            && !name.equals("module-info.java")
            && Files.isRegularFile(file);
    }

    /** The source of a class by its package and the file that it names; "" where it is not here. */
    String pathOf(String className, String source, Map<String, String> sources) {
        String below = className.substring(0, className.lastIndexOf('/') + 1) + source;
        for (String root : roots) {
            String path = root.isEmpty() ? below : root + "/" + below;
            if (sources.containsKey(path)) {
                return path;
            }
        }
        return "";
    }

    /** What the compiler, or the virtual machine, finds classes in. */
    List<Path> places(Path base, Path changed, Path tree) {
        List<Path> found = new ArrayList<>();
        found.addAll(own(name, base, changed));
        resources.forEach(each -> found.add(tree.resolve(each)));
        for (String entry : classpath) {
            if (entry.startsWith(UNIT)) {
                found.addAll(own(entry.substring(UNIT.length()), base, changed));
            } else if (entry.startsWith(TREE)) {
                found.add(tree.resolve(entry.substring(TREE.length())));
            } else {
                found.add(base.resolve(entry));
            }
        }
        return found;
    }

    private static List<Path> own(String unit, Path base, Path changed) {
        List<Path> found = new ArrayList<>();
        found.add(changed.resolve(unit));
        found.add(base.resolve(unit));
        return found;
    }

    static String relative(Path tree, Path file) {
        return tree.relativize(file).toString().replace('\\', '/');
    }

    private static String digest(Path file) {
        try {
            byte[] content = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return Base64.getEncoder().encodeToString(content).substring(0, 24);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }
}
