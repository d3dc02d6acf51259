package fixgate.compile;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's compiler. */
final class Javac {
    private static final int MOST_ROUNDS = 5;
    private static final int LONGEST_MESSAGE = 1000;

    private final Path tree;
    private final Charset encoding;
    /** Path -> line and message of each error, the unplaced ones under "". */
    private final Map<String, List<List<Object>>> all = new LinkedHashMap<>();

    Javac(Path tree, Charset encoding) {
        this.tree = tree;
        this.encoding = encoding;
    }

    /**
     * Compile sources into a directory, leaving out those with errors and all that need them.
     *
     * @return path -> first error in it; "" stands for what has no place in a source
     */
    Map<String, String> compile(
            Collection<String> sources, List<Path> classpath, Path into, List<String> options)
            throws IOException {
        Map<String, String> broken = new LinkedHashMap<>();
        all.keySet().removeAll(sources);
        Collection<String> rest = new TreeSet<>(sources);
        for (int round = 0; round < MOST_ROUNDS && !rest.isEmpty(); round++) {
            Map<String, String> errors = attempt(rest, classpath, into, options);
            if (errors.isEmpty()) {
                return broken;
            }
            errors.forEach(broken::putIfAbsent);
            if (!rest.removeAll(errors.keySet())) {
                return broken;
            }
        }
        rest.forEach(path -> broken.putIfAbsent(path, "not compiled: too many others are broken"));
        return broken;
    }

    private Map<String, String> attempt(
            Collection<String> sources, List<Path> classpath, Path into, List<String> options)
            throws IOException {
        Files.createDirectories(into);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> arguments = new ArrayList<>(options);
        arguments.add("-d");
        arguments.add(into.toString());
        arguments.add("-classpath");
        arguments.add(joined(classpath));
        arguments.add("-implicit:none");
        arguments.add("-sourcepath");
        arguments.add("");
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(found, Locale.ROOT, encoding)) {
            List<File> wanted = sources.stream()
                .map(path -> tree.resolve(path).toFile()).collect(Collectors.toList());
            boolean done = compiler.getTask(null, files, found, arguments, null,
                files.getJavaFileObjectsFromFiles(wanted)).call();
            Map<String, String> errors = errors(found);
            if (!done && errors.isEmpty()) {
                errors.put("", "the compiler failed without an error");
            }
            return errors;
        } catch (RuntimeException error) {
            Map<String, String> errors = new LinkedHashMap<>();
            errors.put("", cause(error));
            return errors;
        }
    }

    /** Options that the compiler refuses have no cause, but what annotation processors throw has. */
    private static String cause(RuntimeException error) {
        Throwable found = error;
        while (found.getCause() != null && found.getCause() != found) {
            found = found.getCause();
        }
        return found == error ? String.valueOf(error.getMessage()) : "an annotation processor failed: " + found;
    }

    static String joined(List<Path> places) {
        return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Line and message of every error, by path; empty for sources that were compiled since. */
    Map<String, List<List<Object>>> allErrors() {
        return all;
    }

    private Map<String, String> errors(DiagnosticCollector<JavaFileObject> found) {
        Map<String, String> errors = new LinkedHashMap<>();
        for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                errors.putIfAbsent(place(each), described(each));
                all.computeIfAbsent(place(each), path -> new ArrayList<>())
                    .add(Arrays.asList(each.getLineNumber(), shown(each)));
            }
        }
        return errors;
    }

    private String place(Diagnostic<? extends JavaFileObject> error) {
        if (error.getSource() == null) {
            return "";
        }
        Path file = new File(error.getSource().toUri().getPath()).toPath();
        return file.startsWith(tree) ? Unit.relative(tree, file) : "";
    }

    private String described(Diagnostic<? extends JavaFileObject> error) {
        String place = place(error);
        String shown = shown(error);
        return place.isEmpty() ? shown : place + ":" + error.getLineNumber() + ": " + shown;
    }

    private static String shown(Diagnostic<?> error) {
        String message = error.getMessage(Locale.ROOT);
        return message.length() > LONGEST_MESSAGE
            ? message.substring(0, LONGEST_MESSAGE) : message;
    }
}
