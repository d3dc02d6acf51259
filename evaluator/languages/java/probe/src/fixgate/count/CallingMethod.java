package fixgate.count;

import fixgate.asm.AnnotationVisitor;
import fixgate.asm.Handle;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.util.regex.Pattern;

/** A method of a test class that leaves what it calls; what sets tests up or ends them leaves "". */
final class CallingMethod extends MethodVisitor {
    private static final Pattern FIXTURES = Pattern.compile(".*/(?:Before|After)\\w*;");

    private boolean isFixture;

    CallingMethod(MethodVisitor usual, String name) {
        super(Opcodes.ASM9, usual);
        isFixture = name.startsWith("<") || name.equals("setUp") || name.equals("tearDown");
    }

    @Override
    public AnnotationVisitor visitAnnotation(String type, boolean visible) {
        isFixture |= FIXTURES.matcher(type).matches();
        return super.visitAnnotation(type, visible);
    }

    @Override
    public void visitMethodInsn(
            int opcode, String owner, String name, String type, boolean isInterface) {
        leave("begin", isFixture ? "" : name);
        super.visitMethodInsn(opcode, owner, name, type, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
            String name, String type, Handle bootstrap, Object... arguments) {
        for (Object each : arguments) {
            if (each instanceof Handle && !isFixture) {
                leave("refer", ((Handle) each).getName());
            }
        }
        super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    private void leave(String how, String name) {
        super.visitLdcInsn(name);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, "fixgate/count/Calls", how, "(Ljava/lang/String;)V", false);
    }
}
