package fixgate.mutate;

import fixgate.asm.ClassReader;
import fixgate.asm.ClassVisitor;
import fixgate.asm.ClassWriter;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.util.Collections;
import java.util.List;

/** The mutants of one method of a class, each with one place changed. */
final class Mutants {
    private final byte[] code;
    private final String name;
    private final String descriptor;

    Mutants(byte[] code, String name, String descriptor) {
        this.code = code;
        this.name = name;
        this.descriptor = descriptor;
    }

    /** "LINE OPERATOR" of each. */
    List<String> places() {
        return places(-1, new ClassWriter(0));
    }

    /** The class with the place of a number changed. */
    byte[] mutated(int number) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        places(number, writer);
        return writer.toByteArray();
    }

    private List<String> places(int number, ClassWriter writer) {
        MutatingMethod[] found = new MutatingMethod[1];
        new ClassReader(code).accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String own, String type, String generic, String[] thrown) {
                MethodVisitor usual = super.visitMethod(access, own, type, generic, thrown);
                if (!own.equals(name) || !type.equals(descriptor)) {
                    return usual;
                }
                found[0] = new MutatingMethod(usual, type, number);
                return found[0];
            }
        }, 0);
        return found[0] == null ? Collections.emptyList() : found[0].places;
    }
}
