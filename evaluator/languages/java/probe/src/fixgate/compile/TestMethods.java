package fixgate.compile;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.Name;

/**
 * Leaves the bodies of methods out of a test file that do not compile, so that the others can run.
 *
 * <p>Only what lies in bodies can be left out. An import goes together with all methods that name
 * what it imports: the name alone could come to mean something else. Lines keep their numbers.
 */
final class TestMethods {
    /** Methods without which tests have other names, or none. */
    private static final Set<String> PROVIDING = new HashSet<>(Arrays.asList(
        "TestFactory", "DataProvider", "Factory", "Parameters", "DataPoint", "DataPoints",
        "BeforeAll", "BeforeClass", "BeforeSuite", "BeforeTest", "BeforeGroups"));

    /** In place of where a body begins, for what is in none. */
    private static final long ELSEWHERE = -1;

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String text;
    /** The bodies of methods, none within another: where one begins -> where it ends. */
    private final TreeMap<Long, Long> bodies = new TreeMap<>();
    private final Set<Long> needed = new HashSet<>();
    private final Set<String> named = new HashSet<>();

    private TestMethods(JavacTask task, CompilationUnitTree unit) throws IOException {
        this.unit = unit;
        positions = Trees.instance(task).getSourcePositions();
        text = unit.getSourceFile().getCharContent(true).toString();
        unit.accept(new Names(), null);
        unit.accept(new Bodies(), null);
    }

    /**
     * The source without what has errors, each known by its position; empty where some error lies
     * elsewhere. `task` is to parse this source alone.
     */
    static Optional<String> without(Map<Long, String> errors, JavacTask task) throws IOException {
        for (CompilationUnitTree unit : task.parse()) {
            return new TestMethods(task, unit).without(errors);
        }
        return Optional.empty();
    }

    private Optional<String> without(Map<Long, String> errors) {
        TreeMap<Long, String> left = new TreeMap<>();
        StringBuilder changed = new StringBuilder(text);
        for (Map.Entry<Long, String> each : errors.entrySet()) {
            ImportTree imported = importAt(each.getKey());
            Set<Long> found =
                imported == null ? Collections.singleton(at(each.getKey())) : naming(imported);
            if (found.contains(ELSEWHERE) || !Collections.disjoint(found, needed)) {
                return Optional.empty();
            }
            found.forEach(body -> left.putIfAbsent(body, each.getValue()));
            if (imported != null) {
                long start = positions.getStartPosition(unit, imported);
                replace(changed, start, positions.getEndPosition(unit, imported), "");
            }
        }
        left.descendingMap().forEach((start, error) -> {
            String thrown = "{throw fixgate.run.LeftOut.method(" + quoted(error) + ");}";
            replace(changed, start, bodies.get(start), thrown);
        });
        return Optional.of(changed.toString());
    }

    /** Of the same length where that suffices, and with as many lines. */
    private static void replace(StringBuilder text, long start, long end, String by) {
        StringBuilder put = new StringBuilder(by);
        for (int i = (int) start; i < end; i++) {
            if (text.charAt(i) == '\n') {
                put.append('\n');
            }
        }
        while (put.length() < end - start) {
            put.append(' ');
        }
        text.replace((int) start, (int) end, put.toString());
    }

    /** The body that holds a place. */
    private long at(long place) {
        Map.Entry<Long, Long> body = bodies.floorEntry(place);
        return body != null && place < body.getValue() ? body.getKey() : ELSEWHERE;
    }

    /** The bodies that name what is imported; of a whole package, nobody knows. */
    private Set<Long> naming(ImportTree imported) {
        MemberSelectTree named = (MemberSelectTree) imported.getQualifiedIdentifier();
        if (named.getIdentifier().contentEquals("*")) {
            return Collections.singleton(ELSEWHERE);
        }
        Set<Long> found = new HashSet<>();
        unit.accept(new Places(named.getIdentifier(), found), null);
        return found;
    }

    private ImportTree importAt(long place) {
        for (ImportTree each : unit.getImports()) {
            if (positions.getStartPosition(unit, each) <= place
                    && place < positions.getEndPosition(unit, each)) {
                return each;
            }
        }
        return null;
    }

    private static String quoted(String text) {
        StringBuilder found = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            boolean plain = each >= ' ' && each < 127 && each != '"' && each != '\\';
            found.append(plain ? String.valueOf(each) : escaped(each));
        }
        return found.append('"').toString();
    }

    /** Octal, as a Unicode escape would be read before the literal is. */
    private static String escaped(char each) {
        return String.format(each < 256 ? "\\%03o" : "\\u%04x", (int) each);
    }

    /** The outermost bodies of methods; constructors need what they begin with. */
    private final class Bodies extends TreeScanner<Void, Void> {
        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            if (method.getBody() == null || method.getReturnType() == null) {
                return super.visitMethod(method, nothing);
            }
            long start = positions.getStartPosition(unit, method.getBody());
            bodies.put(start, positions.getEndPosition(unit, method.getBody()));
            if (provides(method)) {
                needed.add(start);
            }
            return null;
        }

        private boolean provides(MethodTree method) {
            boolean gives = !method.getReturnType().toString().equals("void")
                && method.getModifiers().getFlags().contains(Modifier.STATIC);
            boolean marked = method.getModifiers().getAnnotations().stream()
                .anyMatch(each -> PROVIDING.contains(simpleName(each)));
            return marked || gives && (named.contains("MethodSource")
                || method.getName().contentEquals("suite"));
        }

        private String simpleName(AnnotationTree annotation) {
            String name = annotation.getAnnotationType().toString();
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }

    /** All names of a file. */
    private final class Names extends TreeScanner<Void, Void> {
        @Override
        public Void visitIdentifier(IdentifierTree identifier, Void nothing) {
            named.add(identifier.getName().toString());
            return null;
        }
    }

    /** Which bodies hold a name. */
    private final class Places extends TreeScanner<Void, Void> {
        private final Name name;
        private final Set<Long> found;

        Places(Name name, Set<Long> found) {
            this.name = name;
            this.found = found;
        }

        @Override
        public Void visitImport(ImportTree imported, Void nothing) {
            return null;
        }

        @Override
        public Void visitIdentifier(IdentifierTree identifier, Void nothing) {
            if (identifier.getName().equals(name)) {
                found.add(at(positions.getStartPosition(unit, identifier)));
            }
            return null;
        }
    }
}
