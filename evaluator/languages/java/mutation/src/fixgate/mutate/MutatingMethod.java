package fixgate.mutate;

import fixgate.asm.Handle;
import fixgate.asm.Label;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import fixgate.asm.Type;

/** Changes one place of a method, and counts the places that there are. */
final class MutatingMethod extends MethodVisitor {
    private final Type returned;
    private final int wanted;
    int places;
    /** The opcode of the instruction before, where it has no operands; else -1. */
    private int last = -1;

    /** Changes the place of a number, counted from 0; none where the number is negative. */
    MutatingMethod(MethodVisitor usual, String descriptor, int wanted) {
        super(Opcodes.ASM9, usual);
        this.returned = Type.getReturnType(descriptor);
        this.wanted = wanted;
    }

    private boolean chosen() {
        return places++ == wanted;
    }

    @Override
    public void visitInsn(int opcode) {
        int done = opcode;
        if (Operators.MATH.containsKey(opcode) || Operators.ONE_WAY.containsKey(opcode)) {
            if (chosen()) {
                done = Operators.MATH.getOrDefault(opcode, Operators.ONE_WAY.get(opcode));
            }
        } else if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
            if (chosen()) {
                done = Opcodes.NOP;
            }
        } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) {
            returned(opcode);
        }
        super.visitInsn(done);
        last = opcode;
    }

    @Override
    public void visitLabel(Label label) {
        last = -1;
        super.visitLabel(label);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        last = -1;
        super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        last = -1;
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        last = -1;
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
        last = -1;
        super.visitFieldInsn(opcode, owner, name, type);
    }

    @Override
    public void visitLdcInsn(Object value) {
        last = -1;
        super.visitLdcInsn(value);
    }

    @Override
    public void visitInvokeDynamicInsn(
            String name, String type, Handle bootstrap, Object... arguments) {
        last = -1;
        super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        last = -1;
        super.visitIincInsn(variable, chosen() ? -increment : increment);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        last = -1;
        int done = opcode;
        if (Operators.NEGATED.containsKey(opcode) && chosen()) {
            done = Operators.NEGATED.get(opcode);
        }
        if (Operators.BOUNDARY.containsKey(opcode) && chosen()) {
            done = Operators.BOUNDARY.get(opcode);
        }
        super.visitJumpInsn(done, label);
    }

    @Override
    public void visitMethodInsn(
            int opcode, String owner, String name, String type, boolean isInterface) {
        last = -1;
        boolean removable = Type.getReturnType(type) == Type.VOID_TYPE && !name.equals("<init>");
        if (!removable || !chosen()) {
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
            return;
        }
        Type[] arguments = Type.getArgumentTypes(type);
        for (int i = arguments.length - 1; i >= 0; i--) {
            super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        }
        if (opcode != Opcodes.INVOKESTATIC) {
            super.visitInsn(Opcodes.POP);
        }
    }

    /**
     * Return something else: TRUE_RETURNS and FALSE_RETURNS, PRIMITIVE_, EMPTY_, NULL_RETURNS.
     *
     * <p>Nothing else where the same constant is returned already.
     */
    private void returned(int opcode) {
        switch (opcode) {
            case Opcodes.IRETURN:
                constant(Opcodes.POP, Opcodes.ICONST_0);
                if (returned.getSort() == Type.BOOLEAN) {
                    constant(Opcodes.POP, Opcodes.ICONST_1);
                }
                break;
            case Opcodes.LRETURN:
                constant(Opcodes.POP2, Opcodes.LCONST_0);
                break;
            case Opcodes.FRETURN:
                constant(Opcodes.POP, Opcodes.FCONST_0);
                break;
            case Opcodes.DRETURN:
                constant(Opcodes.POP2, Opcodes.DCONST_0);
                break;
            default:
                if (last != Opcodes.ACONST_NULL && chosen()) {
                    reference();
                }
        }
    }

    private void constant(int dropping, int pushing) {
        if (last != pushing && chosen()) {
            super.visitInsn(dropping);
            super.visitInsn(pushing);
        }
    }

    private void reference() {
        super.visitInsn(Opcodes.POP);
        String type = returned.getDescriptor();
        String[] maker = Operators.EMPTY.get(type);
        if (maker != null) {
            boolean isInterface = maker[0].endsWith("Stream");
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, maker[0], maker[1], "()" + type, isInterface);
        } else if (type.equals("Ljava/lang/String;")) {
            super.visitLdcInsn("");
        } else {
            super.visitInsn(Opcodes.ACONST_NULL);
        }
    }
}
