package fixgate.mutate;

import fixgate.asm.Opcodes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What PIT's default operators put in the place of instructions.
 *
 * <p>See https://pitest.org/quickstart/mutators/, whose names these are.
 */
final class Operators {
    static final Map<Integer, Integer> MATH = pairs(
        Opcodes.IADD, Opcodes.ISUB, Opcodes.LADD, Opcodes.LSUB, Opcodes.FADD, Opcodes.FSUB,
        Opcodes.DADD, Opcodes.DSUB, Opcodes.IMUL, Opcodes.IDIV, Opcodes.LMUL, Opcodes.LDIV,
        Opcodes.FMUL, Opcodes.FDIV, Opcodes.DMUL, Opcodes.DDIV, Opcodes.IAND, Opcodes.IOR,
        Opcodes.LAND, Opcodes.LOR, Opcodes.ISHL, Opcodes.ISHR, Opcodes.LSHL, Opcodes.LSHR);

    static final Map<Integer, Integer> NEGATED = pairs(
        Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE,
        Opcodes.IFNULL, Opcodes.IFNONNULL, Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE,
        Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE, Opcodes.IF_ICMPGT, Opcodes.IF_ICMPLE,
        Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE);

    static final Map<Integer, Integer> BOUNDARY = pairs(
        Opcodes.IFLT, Opcodes.IFLE, Opcodes.IFGT, Opcodes.IFGE,
        Opcodes.IF_ICMPLT, Opcodes.IF_ICMPLE, Opcodes.IF_ICMPGT, Opcodes.IF_ICMPGE);

    /** One way only: what PIT replaces, but does not put in a place. */
    static final Map<Integer, Integer> ONE_WAY = new HashMap<>();

    static {
        ONE_WAY.put(Opcodes.IREM, Opcodes.IMUL);
        ONE_WAY.put(Opcodes.LREM, Opcodes.LMUL);
        ONE_WAY.put(Opcodes.FREM, Opcodes.FMUL);
        ONE_WAY.put(Opcodes.DREM, Opcodes.DMUL);
        ONE_WAY.put(Opcodes.IXOR, Opcodes.IAND);
        ONE_WAY.put(Opcodes.LXOR, Opcodes.LAND);
        ONE_WAY.put(Opcodes.IUSHR, Opcodes.ISHL);
        ONE_WAY.put(Opcodes.LUSHR, Opcodes.LSHL);
    }

    /** Type of what is returned -> static method (owner, name) that makes an empty one. */
    static final Map<String, String[]> EMPTY = new LinkedHashMap<>();

    static {
        EMPTY.put("Ljava/util/Optional;", new String[] {"java/util/Optional", "empty"});
        EMPTY.put("Ljava/util/List;", new String[] {"java/util/Collections", "emptyList"});
        EMPTY.put("Ljava/util/Set;", new String[] {"java/util/Collections", "emptySet"});
        EMPTY.put("Ljava/util/Map;", new String[] {"java/util/Collections", "emptyMap"});
        EMPTY.put("Ljava/util/stream/Stream;", new String[] {"java/util/stream/Stream", "empty"});
    }

    private Operators() {}

    private static Map<Integer, Integer> pairs(int... opcodes) {
        Map<Integer, Integer> found = new HashMap<>();
        for (int i = 0; i < opcodes.length; i += 2) {
            found.put(opcodes[i], opcodes[i + 1]);
            found.put(opcodes[i + 1], opcodes[i]);
        }
        return found;
    }
}
