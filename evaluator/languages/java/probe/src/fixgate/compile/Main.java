package fixgate.compile;

import fixgate.Json;
import fixgate.Specification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compiles those sources of a tree that differ from what was compiled before.
 *
 * <p>`Main PROJECT.json TREE BASE INTO REPORT.json`: BASE holds the classes that were compiled
 * before, a directory a unit, or nothing; INTO gets the new ones. The report has the first error of
 * each file that does not compile, or of the directory of a unit that does not as a whole, all
 * errors, the class path of each unit, and TREE. With BASE and INTO the same,
 * everything is compiled, and an index is kept for later calls.
 */
public final class Main {
    private static final int MOST_ROUNDS = 4;

    private final Specification project;
    private final Path tree;
    private final Path base;
    private final Path into;
    private final Javac javac;
    private final Map<String, String> broken = new LinkedHashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();
    private boolean everything;

    private Main(Specification project, Path tree, Path base, Path into) throws IOException {
        this.project = project;
        this.tree = tree;
        this.base = base;
        this.into = into;
        javac = new Javac(tree, charset());
    }

    /** As stated; else UTF-8, or Latin-1 where any source is none, as compilers of their time. */
    private Charset charset() throws IOException {
        if (!project.text("encoding").isEmpty()) {
            return Charset.forName(project.text("encoding"));
        }
        for (Specification unit : project.objects("units")) {
            for (String path : new Unit(unit).sources(tree).keySet()) {
                if (!isUtf8(tree.resolve(path))) {
                    return StandardCharsets.ISO_8859_1;
                }
            }
        }
        return StandardCharsets.UTF_8;
    }

    private static boolean isUtf8(Path source) throws IOException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(source)));
            return true;
        } catch (CharacterCodingException error) {
            return false;
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path[] places = new Path[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            places[i] = Paths.get(arguments[i]).toAbsolutePath().normalize();
        }
        Specification project = Specification.read(places[0]);
        Main main = new Main(project, places[1], places[2], places[3]);
        byte[] report = Json.write(main.compile()).getBytes(StandardCharsets.UTF_8);
        Files.write(places[4], report);
    }

    private Map<String, Object> compile() throws IOException {
        List<Map<String, Object>> units = new ArrayList<>();
        for (Specification fields : project.objects("units")) {
            Unit unit = new Unit(fields);
            compile(unit);
            Map<String, Object> described = new LinkedHashMap<>();
            described.put("name", unit.name);
            described.put("test", unit.test);
            described.put("directory", fields.text("directory"));
            described.put("roots", unit.roots);
            described.put("classpath", Javac.joined(unit.places(base, into, tree)));
            units.add(described);
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("tree", tree.toString());
        report.put("broken", broken);
        report.put("errors", javac.allErrors());
        report.put("units", units);
        return report;
    }

    private void compile(Unit unit) throws IOException {
        Map<String, String> sources = unit.sources(tree);
        if (!unit.leftOut.isEmpty()) {
            leaveOut(unit, sources.keySet());
        } else if (into.equals(base)) {
            compile(unit, sources.keySet());
            // To be compiled again by every run, which may bring what these lack.
            sources.replaceAll((path, digest) -> javac.reduced().contains(path) ? "" : digest);
            Map<String, String> own = new LinkedHashMap<>(broken);
            own.keySet().removeIf(path -> !isOf(unit, path, sources));
            Index.write(into.resolve(unit.name), unit, sources, own);
        } else {
            Index before = Index.read(base.resolve(unit.name));
            if (unit.test) {
                // Until one is compiled again. Of code there is no such file, for all runs.
                before.broken.forEach((path, error) -> {
                    if (isOf(unit, path, sources)) {
                        broken.put(path, error);
                    }
                });
            }
            compileChanged(unit, sources, before);
        }
    }

    private static boolean isOf(Unit unit, String path, Map<String, String> sources) {
        return sources.containsKey(path) || path.equals(unit.directory());
    }

    /** Nothing but tests says so: the rest can do without this code. */
    private void leaveOut(Unit unit, Set<String> sources) {
        if (unit.test) {
            String reason = "its module is left out: " + unit.leftOut;
            sources.forEach(path -> broken.put(path, reason));
            javac.leaveOut(sources, reason);
        }
    }

    private void compileChanged(Unit unit, Map<String, String> sources, Index before)
            throws IOException {
        Set<String> wanted = new TreeSet<>();
        sources.forEach((path, digest) -> {
            if (everything || !digest.equals(before.sources.get(path))) {
                wanted.add(path);
            }
        });
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Set<String> users = everything ? sources.keySet() : before.users(changed);
            users.retainAll(sources.keySet());
            boolean more = wanted.addAll(users);
            if (wanted.isEmpty() || (round > 0 && !more)) {
                return;
            }
            compile(unit, wanted);
            List<ClassFacts> compiled = Index.below(into.resolve(unit.name));
            changed.addAll(before.changed(compiled));
            everything |= before.changedConstants(compiled);
        }
    }

    private void compile(Unit unit, Set<String> sources) throws IOException {
        List<Path> classpath = unit.places(base, into, tree);
        Path place = into.resolve(unit.name);
        broken.keySet().removeAll(sources);
        Map<String, String> found = javac.compile(sources, classpath, place, unit);
        String unplaced = found.remove("");
        if (unplaced != null) {
            // Its directory stands for what has no place, so that others can do without.
            broken.put(unit.directory(), unplaced);
        }
        broken.putAll(found);
    }
}
