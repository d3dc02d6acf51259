package fixgate.count;

import fixgate.asm.ClassReader;
import fixgate.asm.ClassVisitor;
import fixgate.asm.ClassWriter;
import fixgate.asm.Label;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Has test classes leave what they call, and methods of traced sources count when tests call them. */
final class CallCounting implements ClassFileTransformer {
    private final Map<String, Map<Integer, Integer>> indexes;
    private final SourcePaths sources;
    private final SourcePaths tests;

    CallCounting(Map<String, int[]> traced, Collection<String> tests) {
        indexes = LineCounting.indexes(traced);
        sources = new SourcePaths(traced.keySet());
        this.tests = new SourcePaths(tests);
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] code) {
        if (name == null) {
            return null;
        }
        String path = sources.of(name, code);
        try {
            boolean isTest = path == null && tests.of(name, code) != null;
            if (path == null && !isTest || !Counters.foundBy(loader)) {
                return null;
            }
            return isTest ? calling(code) : watched(code, indexes.get(path));
        } catch (RuntimeException error) {
            LineCounting.UNTRACED.put(path == null ? name : path, error.toString());
            return null;
        }
    }

    private static byte[] calling(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String type, String generic, String[] thrown) {
                return new CallingMethod(
                    super.visitMethod(access, name, type, generic, thrown), name);
            }
        }, 0);
        return writer.toByteArray();
    }

    private static byte[] watched(byte[] code, Map<Integer, Integer> counters) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        Map<String, Integer> beginnings = beginnings(reader);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String type, String generic, String[] thrown) {
                MethodVisitor usual = super.visitMethod(access, name, type, generic, thrown);
                Integer counter = counters.get(beginnings.get(name + type));
                return counter == null ? usual : watching(usual, name, counter);
            }
        }, 0);
        return writer.toByteArray();
    }

    private static MethodVisitor watching(MethodVisitor usual, String name, int counter) {
        return new MethodVisitor(Opcodes.ASM9, usual) {
            @Override
            public void visitCode() {
                super.visitCode();
                super.visitLdcInsn(name);
                super.visitLdcInsn(counter);
                super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, "fixgate/count/Calls", "enter",
                    "(Ljava/lang/String;I)V", false);
            }
        };
    }

    /** Name and type of each method -> its first line. */
    private static Map<String, Integer> beginnings(ClassReader reader) {
        Map<String, Integer> found = new HashMap<>();
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String type, String generic, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitLineNumber(int line, Label start) {
                        found.putIfAbsent(name + type, line);
                    }
                };
            }
        }, ClassReader.SKIP_FRAMES);
        return found;
    }
}
