package fixgate.mutate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * What came of each mutant, a line each, in a file that outlives this virtual machine.
 *
 * <p>A mutant that was begun and has no end took the virtual machine with it.
 */
final class Journal {
    private final Path file;
    private final Set<String> begun = new HashSet<>();

    Journal(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ");
                begun.add(words[0] + " " + words[1]);
            }
        }
    }

    boolean knows(int method, int mutant) {
        return begun.contains(method + " " + mutant);
    }

    void write(int method, int mutant, String state, String place) {
        String line = method + " " + mutant + " " + state + " " + place + "\n";
        try {
            Files.write(file, line.getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
