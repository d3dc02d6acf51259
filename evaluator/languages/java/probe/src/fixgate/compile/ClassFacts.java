package fixgate.compile;

import fixgate.asm.ClassReader;
import fixgate.asm.ClassVisitor;
import fixgate.asm.FieldVisitor;
import fixgate.asm.MethodVisitor;
import fixgate.asm.Opcodes;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What other classes can depend on in a class, and which classes it depends on. */
final class ClassFacts extends ClassVisitor {
    private static final int CLASS = 7;
    private static final int UTF8 = 1;
    private static final int HIDDEN = Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
    private static final Pattern TYPE = Pattern.compile("L([\\w/$]+)[;<]");

    private final Set<String> members = new TreeSet<>();
    private final Set<String> constants = new TreeSet<>();
    /** Internal names (`java/lang/String`). */
    final Set<String> references = new TreeSet<>();
    String name = "";
    String source = "";

    ClassFacts(byte[] code) {
        super(Opcodes.ASM9);
        ClassReader reader = new ClassReader(code);
        reader.accept(this, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int index = 1; index < reader.getItemCount(); index++) {
            addReferences(reader, reader.getItem(index), index, buffer);
        }
    }

    /** The same text as long as no user of the class needs to be compiled again. */
    String signature() {
        return Integer.toHexString(members.hashCode()) + members.size();
    }

    /** The same text as long as no constant changes: compilers copy these into other classes. */
    String constants() {
        return Integer.toHexString(constants.hashCode()) + constants.size();
    }

    private void addReferences(ClassReader reader, int offset, int index, char[] buffer) {
        int kind = offset == 0 ? 0 : reader.readByte(offset - 1);
        if (kind == CLASS) {
            references.add(reader.readUTF8(offset, buffer));
        } else if (kind == UTF8) {
            Matcher types = TYPE.matcher(text(reader, offset));
            while (types.find()) {
                references.add(types.group(1));
            }
        }
    }

    /** Names of types are in ASCII, nearly always; others are found by their class constant. */
    private static String text(ClassReader reader, int offset) {
        StringBuilder found = new StringBuilder();
        int length = reader.readUnsignedShort(offset);
        for (int place = offset + 2; place < offset + 2 + length; place++) {
            found.append((char) reader.readByte(place));
        }
        return found.toString();
    }

    @Override
    public void visit(
            int version, int access, String name, String generic, String parent, String[] above) {
        this.name = name;
        members.add(access + " " + name + " " + generic + " " + parent + Arrays.toString(above));
    }

    @Override
    public void visitSource(String source, String debug) {
        this.source = source == null ? "" : source;
    }

    @Override
    public FieldVisitor visitField(
            int access, String name, String type, String generic, Object value) {
        if ((access & HIDDEN) == 0) {
            members.add(access + " " + name + " " + type + " " + generic);
        }
        if ((access & HIDDEN) == 0 && value != null) {
            constants.add(name + "=" + value);
        }
        return null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String type, String generic, String[] thrown) {
        if ((access & HIDDEN) == 0) {
            String exceptions = Arrays.toString(thrown);
            members.add(access + " " + name + type + " " + generic + " " + exceptions);
        }
        return null;
    }
}
