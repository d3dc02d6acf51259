package fixgate.cover;

import fixgate.Json;
import fixgate.Specification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionDataStore;

/**
 * How much of methods was covered: `Main SPEC.json REPORT.json`.
 *
 * <p>The specification has the files that runs recorded, directories of compiled classes, and
 * methods with the tests whose coverage counts. The report has those methods that the classes have,
 * with [covered, all] lines and branches, by these tests and by all tests together.
 */
public final class Main {
    private final Recorded recorded = new Recorded();
    private final List<String> classes;

    private Main(Specification spec) throws IOException {
        classes = spec.texts("classes");
        for (String file : spec.texts("recorded")) {
            recorded.read(Paths.get(file));
        }
    }

    public static void main(String[] arguments) throws IOException {
        Specification spec = Specification.read(Paths.get(arguments[0]));
        Main main = new Main(spec);
        Map<String, Object> report = new LinkedHashMap<>();
        for (Specification wanted : spec.objects("methods")) {
            Map<String, Object> found = main.covered(wanted);
            if (!found.isEmpty()) {
                report.put(wanted.text("id"), found);
            }
        }
        Files.write(
            Paths.get(arguments[1]), Json.write(report).getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, Object> covered(Specification wanted) throws IOException {
        Map<String, Object> found = new LinkedHashMap<>();
        String name = wanted.text("class").replace('.', '/');
        for (String directory : classes) {
            Path file = Paths.get(directory, name + ".class");
            if (Files.isRegularFile(file)) {
                byte[] code = Files.readAllBytes(file);
                IMethodCoverage own = method(code, recorded.of(name, wanted.texts("tests")), wanted);
                IMethodCoverage all = method(code, recorded.of(name), wanted);
                if (own != null && all != null) {
                    found.put("descriptor", own.getDesc());
                    found.put("lines", counts(own.getLineCounter()));
                    found.put("branches", counts(own.getBranchCounter()));
                    found.put("lines_by_all", counts(all.getLineCounter()));
                    found.put("branches_by_all", counts(all.getBranchCounter()));
                }
                return found;
            }
        }
        return found;
    }

    /** The method as its class has it; null where JaCoCo sees no code of it. */
    private static IMethodCoverage method(
            byte[] code, ExecutionDataStore data, Specification wanted) throws IOException {
        CoverageBuilder builder = new CoverageBuilder();
        new Analyzer(data, builder).analyzeClass(code, wanted.text("class"));
        for (IClassCoverage each : builder.getClasses()) {
            return Signature.of(wanted).among(each.getMethods());
        }
        return null;
    }

    private static List<Integer> counts(ICounter counter) {
        return Arrays.asList(counter.getCoveredCount(), counter.getTotalCount());
    }
}
