package fixgate.mutate;

import fixgate.asm.Handle;
import fixgate.asm.Label;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import fixgate.asm.Type;
import java.util.ArrayList;
import java.util.List;

/** Changes one place of a method, and counts the places that there are. */
final class MutatingMethod extends MethodVisitor {
    private final Type returned;
    private final int wanted;
    /** "LINE OPERATOR" of each place, by the names that PIT has for operators. */
    final List<String> places = new ArrayList<>();
    private int line;
    /** The opcode of the instruction before, where it has no operands; else -1. */
    private int last = -1;

    /** Changes the place of a number, counted from 0; none where the number is negative. */
    MutatingMethod(MethodVisitor usual, String descriptor, int wanted) {
        super(Opcodes.ASM9, usual);
        this.returned = Type.getReturnType(descriptor);
        this.wanted = wanted;
    }

    private boolean chosen(String operator) {
        places.add(line + " " + operator);
        return places.size() - 1 == wanted;
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        this.line = line;
        super.visitLineNumber(line, start);
    }

    @Override
    public void visitInsn(int opcode) {
        int done = opcode;
        if (Operators.MATH.containsKey(opcode) || Operators.ONE_WAY.containsKey(opcode)) {
            if (chosen("MATH")) {
                done = Operators.MATH.getOrDefault(opcode, Operators.ONE_WAY.get(opcode));
            }
        } else if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
            if (chosen("INVERT_NEGS")) {
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
        super.visitIincInsn(variable, chosen("INCREMENTS") ? -increment : increment);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        last = -1;
        int done = opcode;
        if (Operators.NEGATED.containsKey(opcode) && chosen("NEGATE_CONDITIONALS")) {
            done = Operators.NEGATED.get(opcode);
        }
        if (Operators.BOUNDARY.containsKey(opcode) && chosen("CONDITIONALS_BOUNDARY")) {
            done = Operators.BOUNDARY.get(opcode);
        }
        super.visitJumpInsn(done, label);
    }

    @Override
    public void visitMethodInsn(
            int opcode, String owner, String name, String type, boolean isInterface) {
        last = -1;
        boolean removable = Type.getReturnType(type) == Type.VOID_TYPE && !name.equals("<init>");
        if (!removable || !chosen("VOID_METHOD_CALLS")) {
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
                if (returned.getSort() == Type.BOOLEAN) {
                    constant("FALSE_RETURNS", Opcodes.POP, Opcodes.ICONST_0);
                    constant("TRUE_RETURNS", Opcodes.POP, Opcodes.ICONST_1);
                } else {
                    constant("PRIMITIVE_RETURNS", Opcodes.POP, Opcodes.ICONST_0);
                }
                break;
            case Opcodes.LRETURN:
                constant("PRIMITIVE_RETURNS", Opcodes.POP2, Opcodes.LCONST_0);
                break;
            case Opcodes.FRETURN:
                constant("PRIMITIVE_RETURNS", Opcodes.POP, Opcodes.FCONST_0);
                break;
            case Opcodes.DRETURN:
                constant("PRIMITIVE_RETURNS", Opcodes.POP2, Opcodes.DCONST_0);
                break;
            default:
                String operator = isEmptied() ? "EMPTY_RETURNS" : "NULL_RETURNS";
                if (last != Opcodes.ACONST_NULL && chosen(operator)) {
                    reference();
                }
        }
    }

    private boolean isEmptied() {
        String type = returned.getDescriptor();
        return Operators.EMPTY.containsKey(type) || type.equals("Ljava/lang/String;");
    }

    private void constant(String operator, int dropping, int pushing) {
        if (last != pushing && chosen(operator)) {
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
