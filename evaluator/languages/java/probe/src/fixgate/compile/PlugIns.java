package fixgate.compile;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Plug-ins of the compiler. It loads each that it finds, asked for or not, and fails without an error
 * on one that was compiled for a later Java.
 */
final class PlugIns {
    static final String SERVICES = "META-INF/services/";
    private static final String PLUG_INS = SERVICES + "com.sun.source.util.Plugin";
    private static final String PROCESSORS = SERVICES + "javax.annotation.processing.Processor";
    private static final double OWN_VERSION =
        Double.parseDouble(System.getProperty("java.class.version"));

    private PlugIns() {}

    /** Without jars that bring nothing to the compiler but plug-ins for a later Java: these only check. */
    static List<Path> usable(List<Path> jars) {
        return jars.stream().filter(jar -> !isOnlyForLater(jar)).collect(Collectors.toList());
    }

    private static boolean isOnlyForLater(Path jar) {
        if (!jar.getFileName().toString().endsWith(".jar")) {
            return false;
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.getEntry(PROCESSORS) == null && hasLaterPlugIn(file);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean hasLaterPlugIn(ZipFile jar) throws IOException {
        ZipEntry services = jar.getEntry(PLUG_INS);
        if (services == null) {
            return false;
        }
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(jar.getInputStream(services), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String name = line.replaceFirst("#.*", "").trim().replace('.', '/');
                ZipEntry plugIn = jar.getEntry(name + ".class");
                if (plugIn != null && version(jar, plugIn) > OWN_VERSION) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int version(ZipFile jar, ZipEntry type) throws IOException {
        try (DataInputStream data = new DataInputStream(jar.getInputStream(type))) {
            data.readInt();
            data.readUnsignedShort();
            return data.readUnsignedShort();
        }
    }
}
