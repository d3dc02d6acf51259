package fixgate.count;

import fixgate.asm.Handle;
import fixgate.asm.Label;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls a counter before the first instruction of each counted line.
 *
 * <p>Not in visitLineNumber: there a stack map frame may follow, which belongs to the instruction
 * that a jump leads to.
 */
final class CountingMethod extends MethodVisitor {
    private final Map<Integer, Integer> indexes;
    private final Map<Object, Object> moved = new HashMap<>();
    private Label here;
    private Integer next;

    CountingMethod(MethodVisitor usual, Map<Integer, Integer> indexes) {
        super(Opcodes.ASM9, usual);
        this.indexes = indexes;
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        super.visitLineNumber(line, start);
        next = indexes.getOrDefault(line, next);
    }

    private void count() {
        if (next != null) {
            int index = next;
            next = null;
            super.visitLdcInsn(index);
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, "fixgate/count/Counters", "hit", "(I)V", false);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        count();
        super.visitInsn(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        count();
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        count();
        super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitLabel(Label label) {
        here = label;
        super.visitLabel(label);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && next != null) {
            count();
            Label after = new Label();
            moved.put(here, after);
            super.visitLabel(after);
        }
        count();
        super.visitTypeInsn(opcode, type);
    }

    /** An object is known by the label of its NEW until it is initialized. */
    @Override
    public void visitFrame(int type, int locals, Object[] local, int depth, Object[] stack) {
        super.visitFrame(type, locals, moved(local), depth, moved(stack));
    }

    private Object[] moved(Object[] types) {
        return types == null ? null
            : Arrays.stream(types).map(each -> moved.getOrDefault(each, each)).toArray();
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
        count();
        super.visitFieldInsn(opcode, owner, name, type);
    }

    @Override
    public void visitMethodInsn(
            int opcode, String owner, String name, String type, boolean isInterface) {
        count();
        super.visitMethodInsn(opcode, owner, name, type, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
            String name, String type, Handle bootstrap, Object... arguments) {
        count();
        super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        count();
        super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitLdcInsn(Object value) {
        count();
        super.visitLdcInsn(value);
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        count();
        super.visitIincInsn(variable, increment);
    }

    @Override
    public void visitTableSwitchInsn(int least, int greatest, Label other, Label... labels) {
        count();
        super.visitTableSwitchInsn(least, greatest, other, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
        count();
        super.visitLookupSwitchInsn(other, keys, labels);
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dimensions) {
        count();
        super.visitMultiANewArrayInsn(type, dimensions);
    }
}
