package fixgate.cover;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;

/** What JaCoCo's agent recorded during each test. It comes from the tests' own process. */
final class Recorded {
    private static final int LARGEST = 64 << 20;

    private final Map<String, ExecutionDataStore> tests = new HashMap<>();

    /** Add what `fixgate.run.Coverage` wrote; a last part that a kill cut short is left out. */
    void read(Path file) throws IOException {
        try (DataInputStream input =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                String test = input.readUTF();
                int length = input.readInt();
                if (length < 0 || length > LARGEST) {
                    return;
                }
                byte[] data = new byte[length];
                input.readFully(data);
                add(test, data);
            }
        } catch (EOFException error) {
            // The end of the file.
        }
    }

    private void add(String test, byte[] data) {
        ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
        reader.setSessionInfoVisitor(info -> { });
        reader.setExecutionDataVisitor(each -> put(tests, test, each));
        try {
            reader.read();
        } catch (IOException | RuntimeException error) {
            System.err.println("what " + test + " covered cannot be read: " + error);
        }
    }

    private static void put(Map<String, ExecutionDataStore> tests, String test, ExecutionData data) {
        tests.computeIfAbsent(test, name -> new ExecutionDataStore()).put(data);
    }

    /** What all tests recorded of a class, and what ran between them. */
    ExecutionDataStore of(String className) {
        return of(className, tests.keySet());
    }

    /** What some tests recorded of a class, together. */
    ExecutionDataStore of(String className, Collection<String> names) {
        ExecutionDataStore together = new ExecutionDataStore();
        for (String name : names) {
            ExecutionDataStore data = tests.get(name);
            Collection<ExecutionData> all =
                data == null ? Collections.emptyList() : data.getContents();
            for (ExecutionData each : all) {
                if (each.getName().equals(className)) {
                    // A copy: stores merge into what they were given first.
                    together.put(new ExecutionData(
                        each.getId(), each.getName(), each.getProbes().clone()));
                }
            }
        }
        return together;
    }
}
