package fixgate.count;

import fixgate.asm.ClassReader;
import fixgate.asm.ClassVisitor;
import fixgate.asm.ClassWriter;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts a counter before each traced line of the classes that come from traced sources. */
public final class LineCounting implements ClassFileTransformer {
    private final Map<String, Map<Integer, Integer>> indexes;
    private final SourcePaths sources;
    /** Path -> why a class of it cannot be counted. */
    public static final Map<String, String> UNTRACED = new ConcurrentHashMap<>();

    LineCounting(Map<String, int[]> traced) {
        indexes = indexes(traced);
        sources = new SourcePaths(traced.keySet());
    }

    /** Path -> line -> its index among the counters. */
    static Map<String, Map<Integer, Integer>> indexes(Map<String, int[]> traced) {
        Map<String, Map<Integer, Integer>> found = new LinkedHashMap<>();
        int index = 0;
        for (Map.Entry<String, int[]> entry : traced.entrySet()) {
            Map<Integer, Integer> lines = new HashMap<>();
            for (int line : entry.getValue()) {
                lines.put(line, index++);
            }
            found.put(entry.getKey(), lines);
        }
        return found;
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] code) {
        String path = name == null ? null : sources.of(name, code);
        if (path == null || !Counters.foundBy(loader)) {
            return null;
        }
        try {
            return counted(code, indexes.get(path));
        } catch (RuntimeException error) {
            UNTRACED.put(path, error.toString());
            return null;
        }
    }

    private static byte[] counted(byte[] code, Map<Integer, Integer> lines) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String type, String generic, String[] thrown) {
                MethodVisitor usual = super.visitMethod(access, name, type, generic, thrown);
                return new CountingMethod(usual, lines);
            }
        }, 0);
        return writer.toByteArray();
    }
}
