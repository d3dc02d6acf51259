package fixgate.count;

import fixgate.asm.ClassReader;
import fixgate.asm.ClassVisitor;
import fixgate.asm.Opcodes;
import java.util.Collection;

/** Which of some source files a class was compiled from, by its package and its debug information. */
final class SourcePaths {
    private final Collection<String> paths;

    SourcePaths(Collection<String> paths) {
        this.paths = paths;
    }

    /** The source of a class, null where it is none of these. */
    String of(String name, byte[] code) {
        String directory = name.substring(0, name.lastIndexOf('/') + 1);
        for (String path : paths) {
            int end = path.lastIndexOf('/') + 1;
            if (isBelow(path.substring(0, end), directory)
                    && path.substring(end).equals(sourceOf(code))) {
                return path;
            }
        }
        return null;
    }

    private static boolean isBelow(String directory, String packageDirectory) {
        return ("/" + directory).endsWith("/" + packageDirectory);
    }

    private static String sourceOf(byte[] code) {
        String[] found = {""};
        int skipped = ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES;
        new ClassReader(code).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(String source, String debug) {
                found[0] = source;
            }
        }, skipped);
        return found[0];
    }
}
