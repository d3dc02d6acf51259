package fixgate.compile;

import fixgate.Json;
import fixgate.Specification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is known of the classes of a unit: where they come from and what they depend on. */
final class Index {
    private static final String FILE = ".fixgate.json";

    /** Path -> digest of the source that was compiled. */
    final Map<String, String> sources;
    /** Path -> error of each source that did not compile. */
    final Map<String, String> broken;
    /** Internal name -> source, signature, constants, references. */
    private final Map<String, Specification> classes = new HashMap<>();

    private Index(Map<String, String> sources, Map<String, String> broken) {
        this.sources = sources;
        this.broken = broken;
    }

    static Index none() {
        return new Index(new TreeMap<>(), new TreeMap<>());
    }

    /** The index that `write` left in a directory of classes. */
    static Index read(Path directory) throws IOException {
        if (!Files.exists(directory.resolve(FILE))) {
            return none();
        }
        Specification written = Specification.read(directory.resolve(FILE));
        Index index = new Index(texts(written, "sources"), texts(written, "broken"));
        written.table("classes").forEach(
            (name, fields) -> index.classes.put(name, new Specification(fields)));
        return index;
    }

    private static Map<String, String> texts(Specification written, String table) {
        Map<String, String> texts = new TreeMap<>();
        written.table(table).forEach((name, text) -> texts.put(name, text.toString()));
        return texts;
    }

    /** Keep what the classes below a directory depend on, and what did not compile. */
    static void write(
            Path directory, Unit unit, Map<String, String> sources, Map<String, String> broken)
            throws IOException {
        Map<String, Object> classes = new LinkedHashMap<>();
        List<ClassFacts> all = below(directory);
        Set<String> own = all.stream().map(each -> each.name).collect(Collectors.toSet());
        for (ClassFacts each : all) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("source", unit.pathOf(each.name, each.source, sources));
            fields.put("signature", each.signature());
            fields.put("constants", each.constants());
            fields.put("references", each.references.stream()
                .filter(name -> own.contains(name) || !isOfPlatform(name))
                .collect(Collectors.toList()));
            classes.put(each.name, fields);
        }
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("sources", sources);
        whole.put("broken", broken);
        whole.put("classes", classes);
        Files.createDirectories(directory);
        byte[] content = Json.write(whole).getBytes(StandardCharsets.UTF_8);
        Files.write(directory.resolve(FILE), content);
    }

    private static boolean isOfPlatform(String name) {
        return name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("[");
    }

    static List<ClassFacts> below(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return new ArrayList<>();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<ClassFacts> found = new ArrayList<>();
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.toString().endsWith(".class")) {
                    found.add(new ClassFacts(Files.readAllBytes(file)));
                }
            }
            return found;
        }
    }

    /** Names of those classes whose users may have to be compiled again. */
    Set<String> changed(Collection<ClassFacts> compiled) {
        Set<String> found = new HashSet<>();
        for (ClassFacts each : compiled) {
            Specification before = classes.get(each.name);
            if (before != null && !before.text("signature").equals(each.signature())) {
                found.add(each.name);
            }
        }
        return found;
    }

    /** Whether a constant changed that compilers may have copied anywhere. */
    boolean changedConstants(Collection<ClassFacts> compiled) {
        return compiled.stream().anyMatch(each -> {
            Specification before = classes.get(each.name);
            return before != null && !before.text("constants").equals(each.constants());
        });
    }

    /** Sources with a class that refers to one of these. */
    Set<String> users(Set<String> names) {
        Set<String> found = new HashSet<>();
        for (Specification each : classes.values()) {
            if (each.texts("references").stream().anyMatch(names::contains)) {
                found.add(each.text("source"));
            }
        }
        found.remove("");
        return found;
    }
}
