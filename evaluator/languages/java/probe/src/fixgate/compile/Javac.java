package fixgate.compile;

import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's compiler. */
final class Javac {
    private static final int MOST_ROUNDS = 10;
    /** Behind these, what has errors is left out whole. */
    private static final int ROUNDS_FOR_METHODS = 5;
    private static final int LONGEST_MESSAGE = 1000;
    private static final Pattern THROWN =
        Pattern.compile("(?:Caused by: )?[\\w.$]+(?:Error|Exception)\\b");

    /** Our own jar: what stands in place of methods needs it. */
    private static final String OWN = System.getProperty("java.class.path");

    private final Path tree;
    private final Charset encoding;
    /** Path -> line and message of each error, the unplaced ones under "". */
    private final Map<String, List<List<Object>>> all = new LinkedHashMap<>();
    /** Path -> the source without those methods that do not compile. */
    private final Map<String, String> reduced = new LinkedHashMap<>();

    Javac(Path tree, Charset encoding) {
        this.tree = tree;
        this.encoding = encoding;
    }

    /**
     * Compile sources into a directory, leaving out those with errors and all that need them; of
     * some, only methods, whose tests say so when they run.
     *
     * @return path -> first error in it; "" stands for what has no place in a source
     */
    Map<String, String> compile(
            Collection<String> sources, List<Path> classpath, Path into, Unit unit)
            throws IOException {
        Map<String, String> broken = new LinkedHashMap<>();
        all.keySet().removeAll(sources);
        reduced.keySet().removeAll(sources);
        Collection<String> rest = new TreeSet<>(sources);
        for (int round = 0; round < MOST_ROUNDS && !rest.isEmpty(); round++) {
            Map<String, Map<Long, String>> errors = attempt(rest, classpath, into, unit.options);
            if (errors.isEmpty()) {
                return broken;
            }
            if (unit.inMethods && round < ROUNDS_FOR_METHODS) {
                errors.entrySet().removeIf(each -> reduces(each.getKey(), each.getValue()));
            }
            errors.forEach((path, own) -> broken.putIfAbsent(path, own.values().iterator().next()));
            reduced.keySet().removeAll(errors.keySet());
            if (!rest.removeAll(errors.keySet()) && !errors.isEmpty()) {
                return broken;
            }
            forgetServices(into);
        }
        rest.forEach(path -> broken.putIfAbsent(path, "not compiled: too many others are broken"));
        return broken;
    }

    /**
     * Remove the lists of services that annotation processors wrote for what then had errors.
     *
     * A processor that looks for such services would find names of classes that there are not.
     */
    private static void forgetServices(Path classes) throws IOException {
        Path services = classes.resolve(PlugIns.SERVICES);
        if (Files.isDirectory(services)) {
            try (Stream<Path> files = Files.list(services)) {
                for (Path file : files.collect(Collectors.toList())) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Sources without some of their methods. */
    Set<String> reduced() {
        return reduced.keySet();
    }

    /** Whether a source could be compiled without the methods that have errors. */
    private boolean reduces(String path, Map<Long, String> errors) {
        if (path.isEmpty()) {
            return false;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> unread = new DiagnosticCollector<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(unread, Locale.ROOT, encoding)) {
            JavacTask task = (JavacTask) compiler.getTask(
                null, files, unread, Arrays.asList("-proc:none"), null, source(path, files));
            Optional<String> found = TestMethods.without(errors, task);
            boolean isRead = unread.getDiagnostics().stream()
                .noneMatch(each -> each.getKind() == Diagnostic.Kind.ERROR);
            found.filter(text -> isRead).ifPresent(text -> reduced.put(path, text));
            return isRead && found.isPresent();
        } catch (IOException | RuntimeException | LinkageError unreadable) {
            // Then without the whole file. The trees of Java 8's compiler are out of reach here.
            return false;
        }
    }

    private Map<String, Map<Long, String>> attempt(
            Collection<String> sources, List<Path> classpath, Path into, List<String> options)
            throws IOException {
        Files.createDirectories(into);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StringWriter said = new StringWriter();
        List<String> arguments = new ArrayList<>(options);
        usePlugIns(arguments, classpath);
        arguments.add("-d");
        arguments.add(into.toString());
        arguments.add("-classpath");
        arguments.add(joined(classpath) + (reduced.isEmpty() ? "" : File.pathSeparator + OWN));
        arguments.add("-implicit:none");
        arguments.add("-sourcepath");
        arguments.add("");
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(found, Locale.ROOT, encoding)) {
            List<JavaFileObject> wanted = new ArrayList<>();
            for (String path : sources) {
                source(path, files).forEach(wanted::add);
            }
            boolean done = compiler.getTask(said, files, found, arguments, null, wanted).call();
            Map<String, Map<Long, String>> errors = errors(found);
            return done || !errors.isEmpty() ? errors : unplaced(thrown(said.toString()));
        } catch (RuntimeException error) {
            return unplaced(cause(error));
        }
    }

    /** Where plug-ins are left out, of the processor path or else of the class path. */
    private static void usePlugIns(List<String> arguments, List<Path> classpath) {
        int option = arguments.indexOf("-processorpath");
        List<Path> all = option < 0 ? classpath
            : Arrays.stream(arguments.get(option + 1).split(File.pathSeparator))
                .map(Paths::get).collect(Collectors.toList());
        List<Path> usable = PlugIns.usable(all);
        if (usable.size() < all.size()) {
            if (option >= 0) {
                arguments.subList(option, option + 2).clear();
            }
            arguments.add("-processorpath");
            arguments.add(joined(usable));
        }
    }

    /** What the compiler threw, by what it printed: no diagnostic tells of it. */
    private static String thrown(String printed) {
        return Arrays.stream(printed.split("\\R"))
            .filter(line -> THROWN.matcher(line).lookingAt())
            .reduce((first, last) -> last.startsWith("Caused by") ? last : first)
            .map(line -> "the compiler failed: " + line.replaceFirst("^Caused by: ", ""))
            .orElse("the compiler failed without an error");
    }

    private static Map<String, Map<Long, String>> unplaced(String error) {
        Map<String, Map<Long, String>> errors = new LinkedHashMap<>();
        errors.put("", Collections.singletonMap(Diagnostic.NOPOS, error));
        return errors;
    }

    /** A source as it is to be compiled. */
    private Iterable<? extends JavaFileObject> source(String path, StandardJavaFileManager files) {
        File file = tree.resolve(path).toFile();
        return reduced.containsKey(path)
            ? Collections.singletonList(new Reduced(file, reduced.get(path)))
            : files.getJavaFileObjects(file);
    }

    private static final class Reduced extends SimpleJavaFileObject {
        private final String text;

        Reduced(File file, String text) {
            super(file.toURI(), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
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

    /** Report an error for sources that are not to be compiled. */
    void leaveOut(Collection<String> sources, String error) {
        List<Object> placed = Arrays.asList(Diagnostic.NOPOS, error);
        sources.forEach(path -> all.put(path, Collections.singletonList(placed)));
    }

    /** Line and message of every error, by path; empty for sources that were compiled since. */
    Map<String, List<List<Object>>> allErrors() {
        return all;
    }

    /** The errors of each source by their positions in it. */
    private Map<String, Map<Long, String>> errors(DiagnosticCollector<JavaFileObject> found) {
        Map<String, Map<Long, String>> errors = new LinkedHashMap<>();
        for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                errors.computeIfAbsent(place(each), path -> new LinkedHashMap<>())
                    .putIfAbsent(each.getPosition(), described(each));
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
