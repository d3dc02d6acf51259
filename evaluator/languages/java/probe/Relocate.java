import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Gives the classes of ASM another package, so that a project's own ASM cannot meet them. */
public final class Relocate extends Remapper {
    private static final String BEFORE = "org/objectweb/asm/";
    private static final String AFTER = "fixgate/asm/";

    /** `Relocate ASM.jar DIRECTORY`. */
    public static void main(String[] arguments) throws IOException {
        Path into = Paths.get(arguments[1]);
        try (JarFile jar = new JarFile(arguments[0])) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().startsWith(BEFORE) && entry.getName().endsWith(".class")) {
                    relocate(jar.getInputStream(entry), entry.getName(), into);
                }
            }
        }
    }

    private static void relocate(InputStream code, String name, Path into) throws IOException {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(code).accept(new ClassRemapper(writer, new Relocate()), 0);
        Path file = into.resolve(AFTER + name.substring(BEFORE.length()));
        Files.createDirectories(file.getParent());
        Files.write(file, writer.toByteArray());
    }

    @Override
    public String map(String name) {
        return name.startsWith(BEFORE) ? AFTER + name.substring(BEFORE.length()) : name;
    }
}
