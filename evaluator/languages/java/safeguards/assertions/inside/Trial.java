// Each by its name, since the package that this is put into may have a class of that name.
import java.lang.AssertionError;
import java.lang.Boolean;
import java.lang.Byte;
import java.lang.Character;
import java.lang.Class;
import java.lang.Double;
import java.lang.Enum;
import java.lang.Float;
import java.lang.Integer;
import java.lang.LinkageError;
import java.lang.Long;
import java.lang.Math;
import java.lang.Number;
import java.lang.Object;
import java.lang.ReflectiveOperationException;
import java.lang.RuntimeException;
import java.lang.Short;
import java.lang.String;
import java.lang.System;
import java.lang.Throwable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Tries what a test claims with other values, and goes on as if nothing had been.
 *
 * <p>A claim must not hold with another value than the expected one: where it does, what it is
 * about says yes to anything. A site is a line times a hundred, and a number on that line.
 */
public final class Trial {
    private static final int MOST_TRIALS = 50;
    private static final String TOKEN = "TRIAL_TOKEN";
    private static final Map<Integer, List<Object>> PARTS = new HashMap<>();
    private static final Map<Integer, Integer> TRIALS = new HashMap<>();
    private static final List<String> HELD = new ArrayList<>();
    private static final List<String> UNLIKE = new ArrayList<>();
    private static int noticed;
    private static Throwable error;
    private static Class<?> awaited;

    private Trial() {
    }

    /** A test begins. */
    public static synchronized void begin() {
        PARTS.clear();
        TRIALS.clear();
        noticed = 0;
        HELD.clear();
        UNLIKE.clear();
        error = null;
        awaited = null;
    }

    /** What a rule of JUnit is told of the exception that the test is to end by. */
    public static synchronized <T> T awaiting(T value) {
        if (value instanceof Class) {
            awaited = (Class<?>) value;
        } else if (awaited == null) {
            awaited = Throwable.class;
        }
        return value;
    }

    /** A test ended by an exception; {@code expected} is that which it is to end by, or null. */
    public static synchronized void failed(Throwable thrown, Class<?> expected) {
        Class<?> wanted = expected == null ? awaited : expected;
        if (wanted != null && wanted.isInstance(thrown)) {
            noticed++;
        } else {
            error = thrown;
        }
    }

    /** Every test fails that was tried; how says what came of it. */
    public static synchronized void finish() {
        // What says yes to anything now and then may well say no to the right value at last.
        if (error == null || !HELD.isEmpty()) {
            String said = lines("held", HELD) + lines("unlike", UNLIKE);
            throw new AssertionError(TOKEN + " " + said + "noticed " + noticed);
        }
    }

    private static String lines(String what, List<String> lines) {
        return lines.isEmpty() ? "" : what + " " + String.join(", ", lines) + "; ";
    }

    /** What is true is not false, which no value can deny. */
    public static synchronized <T> T truth(int site, T value) {
        noticed++;
        return value;
    }

    public static synchronized boolean truth(int site, boolean value) {
        noticed++;
        return value;
    }

    /** One of the values of a claim, but not the last one. */
    public static <T> T part(int site, T value) {
        keep(site, value);
        return value;
    }

    public static boolean part(int site, boolean value) {
        keep(site, value);
        return value;
    }

    public static byte part(int site, byte value) {
        keep(site, value);
        return value;
    }

    public static short part(int site, short value) {
        keep(site, value);
        return value;
    }

    public static char part(int site, char value) {
        keep(site, value);
        return value;
    }

    public static int part(int site, int value) {
        keep(site, value);
        return value;
    }

    public static long part(int site, long value) {
        keep(site, value);
        return value;
    }

    public static float part(int site, float value) {
        keep(site, value);
        return value;
    }

    public static double part(int site, double value) {
        keep(site, value);
        return value;
    }

    /** The last value of a claim, which {@code claim} describes: `style type method`. */
    public static <T> T last(int site, String claim, T value) {
        attempt(site, claim, value);
        return value;
    }

    public static boolean last(int site, String claim, boolean value) {
        attempt(site, claim, value);
        return value;
    }

    public static byte last(int site, String claim, byte value) {
        attempt(site, claim, value);
        return value;
    }

    public static short last(int site, String claim, short value) {
        attempt(site, claim, value);
        return value;
    }

    public static char last(int site, String claim, char value) {
        attempt(site, claim, value);
        return value;
    }

    public static int last(int site, String claim, int value) {
        attempt(site, claim, value);
        return value;
    }

    public static long last(int site, String claim, long value) {
        attempt(site, claim, value);
        return value;
    }

    public static float last(int site, String claim, float value) {
        attempt(site, claim, value);
        return value;
    }

    public static double last(int site, String claim, double value) {
        attempt(site, claim, value);
        return value;
    }

    private static synchronized void keep(int site, Object value) {
        PARTS.computeIfAbsent(site, key -> new ArrayList<>()).add(value);
    }

    private static synchronized void attempt(int site, String claim, Object value) {
        List<Object> parts = PARTS.remove(site);
        if (parts == null || TRIALS.merge(site, 1, Integer::sum) > MOST_TRIALS) {
            return;
        }
        Object first = parts.get(parts.size() - 1);
        String[] said = claim.split(" ", 3);
        boolean denied = false;
        boolean accepted = false;
        for (Object[] sides : trials(said, first, value)) {
            Boolean holds = holds(said, sides[0], sides[1]);
            denied |= holds != null && !holds;
            accepted |= holds != null && holds;
        }
        // The right values come last, so that what is compared cannot know which they are.
        if (accepted && Boolean.TRUE.equals(holds(said, first, value))) {
            HELD.add(String.valueOf(site / 100));
        } else if (denied) {
            noticed++;
        }
        if (areUnlike(first, value)) {
            UNLIKE.add(String.valueOf(site / 100));
        }
    }

    /**
     * Whether two objects of one class of the code are equal and their hash codes are not, so that
     * sets take them for two. A class that says what is equal, and not what hash code that has, is
     * not fit for sets at all, whatever is compared.
     */
    private static boolean areUnlike(Object first, Object last) {
        if (first == null || last == null || first.getClass() != last.getClass()
                || first.getClass().getClassLoader() == null) {
            return false;
        }
        try {
            if (saysItself(first, "hashCode")) {
                return first.equals(last) && first.hashCode() != last.hashCode();
            }
            return first != last && saysItself(first, "equals", Object.class);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException failure) {
            return false;
        }
    }

    /** Whether the class of an object does not leave a method to Object. */
    private static boolean saysItself(Object value, String method, Class<?>... types)
            throws ReflectiveOperationException {
        return value.getClass().getMethod(method, types).getDeclaringClass() != Object.class;
    }

    /** The values with which a claim must not hold. */
    private static List<Object[]> trials(String[] claim, Object first, Object last) {
        List<Object[]> found = new ArrayList<>();
        if (claim[2].contains("Not")) {
            found.add(new Object[] {last, last});
            return found;
        }
        for (Object other : others(last)) {
            found.add(new Object[] {first, other});
        }
        if (claim[0].equals("call")) {
            for (Object other : others(first)) {
                found.add(new Object[] {other, last});
            }
        }
        return found;
    }

    /** Whether a claim holds for two values; null where that cannot be found out. */
    private static Boolean holds(String[] claim, Object first, Object last) {
        try {
            switch (claim[0]) {
                case "call":
                    return claim[1].equals("-")
                        ? (Boolean) (Objects.deepEquals(first, last) != claim[2].contains("Not"))
                        : called(Class.forName(claim[1]), null, claim[2], first, last);
                case "chain":
                    return called(first.getClass(), first, claim[2], last);
                case "matcher":
                    Object matcher = Class.forName("org.hamcrest.core.IsEqual")
                        .getMethod("equalTo", Object.class).invoke(null, last);
                    return called(Class.forName("org.hamcrest.MatcherAssert"), null, "assertThat",
                        first, matcher);
                default:
                    return first.equals(last);
            }
        } catch (InvocationTargetException failure) {
            return failure.getCause() instanceof AssertionError ? Boolean.FALSE : null;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException failure) {
            return null;
        }
    }

    private static Boolean called(Class<?> type, Object on, String name, Object... given)
            throws ReflectiveOperationException {
        Method method = method(type, on == null, name, given, true);
        if (method == null) {
            method = method(type, on == null, name, given, false);
        }
        if (method == null) {
            return null;
        }
        method.setAccessible(true);
        method.invoke(on, arguments(method, given));
        return true;
    }

    /** The method of a class that takes some arguments, numbers as such if {@code exactly}. */
    private static Method method(
            Class<?> type, boolean isStatic, String name, Object[] given, boolean exactly) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && !method.isBridge()
                    && Modifier.isStatic(method.getModifiers()) == isStatic
                    && accepts(method, given, exactly && given.length > 1)) {
                return method;
            }
        }
        return null;
    }

    private static boolean accepts(Method method, Object[] given, boolean exactly) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != given.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            boolean spread = method.isVarArgs() && i == types.length - 1;
            if (!fits(spread ? types[i].getComponentType() : types[i], given[i], exactly)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Class<?> type, Object value, boolean exactly) {
        if (!type.isPrimitive()) {
            boolean number = exactly && type == Object.class && isPlain(value);
            return value == null || (type.isInstance(value) && !number);
        }
        boolean whole = value instanceof Integer || value instanceof Long || value instanceof Short
            || value instanceof Byte || value instanceof Character;
        return (type == long.class && whole)
            || (type == double.class && (value instanceof Double || value instanceof Float))
            || (type == int.class && value instanceof Integer)
            || (type == boolean.class && value instanceof Boolean);
    }

    private static boolean isPlain(Object value) {
        return (value instanceof Number && !(value instanceof BigDecimal || value instanceof BigInteger)
                && value.getClass().getName().startsWith("java.lang."))
            || value instanceof Character;
    }

    private static Object[] arguments(Method method, Object[] given) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = given.clone();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == long.class) {
                arguments[i] = given[i] instanceof Character
                    ? (long) (Character) given[i] : ((Number) given[i]).longValue();
            } else if (types[i] == double.class) {
                arguments[i] = ((Number) given[i]).doubleValue();
            } else if (method.isVarArgs() && i == types.length - 1) {
                arguments[i] = Array.newInstance(types[i].getComponentType(), 1);
                Array.set(arguments[i], 0, given[i]);
            }
        }
        return arguments;
    }

    /** Other values of the same type; for a type that is not known, nobody's object. */
    private static List<Object> others(Object value) {
        if (value instanceof String) {
            return Arrays.asList(value + "~" + TOKEN, TOKEN + value);
        } else if (value instanceof Boolean) {
            return Arrays.asList(!(Boolean) value);
        } else if (value instanceof Character) {
            return Arrays.asList((char) ((Character) value + 1));
        } else if (value instanceof Number) {
            return number((Number) value);
        } else if (value instanceof Enum) {
            return constants((Enum<?>) value);
        } else if (value instanceof Collection) {
            return collections((Collection<?>) value);
        } else if (value instanceof Map) {
            Map<Object, Object> more = new LinkedHashMap<>((Map<?, ?>) value);
            more.put(TOKEN, TOKEN);
            return Arrays.asList(more);
        } else if (value != null && value.getClass().isArray()) {
            return arrays(value);
        }
        List<Object> found = new ArrayList<>(Arrays.asList(new Object(), TOKEN));
        found.addAll(alike(value));
        return found;
    }

    /**
     * Objects of the same class, in one of which every field is another: what some of them say may
     * follow from the others, and not count. Of a record, which is no more than its components,
     * each of them in turn.
     */
    private static List<Object> alike(Object value) {
        List<Object> found = new ArrayList<>();
        if (value == null || value.getClass().getClassLoader() == null) {
            return found;
        }
        try {
            List<Field> fields = fields(value.getClass());
            boolean isRecord = isRecord(value.getClass());
            for (int i = 0; i < (isRecord ? fields.size() : 1); i++) {
                Object copy = copied(value, isRecord ? fields.subList(i, i + 1) : fields);
                if (copy != null) {
                    found.add(copy);
                }
            }
        } catch (ReflectiveOperationException | LinkageError | RuntimeException failure) {
            return found;
        }
        return found;
    }

    private static boolean isRecord(Class<?> type) {
        return type.getSuperclass() != null
            && type.getSuperclass().getName().equals("java.lang.Record");
    }

    /** A copy with other values in some fields; null where none of them can be another. */
    private static Object copied(Object value, List<Field> changed)
            throws ReflectiveOperationException {
        List<Field> fields = fields(value.getClass());
        List<Object> values = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        boolean isRecord = isRecord(value.getClass());
        boolean differs = false;
        for (Field field : fields) {
            field.setAccessible(true);
            Object old = field.get(value);
            Object other = changed.contains(field) ? scalar(old) : null;
            differs |= other != null;
            values.add(other != null ? other : isRecord ? old : without(field, old));
            types.add(field.getType());
        }
        if (!differs) {
            return null;
        }
        return isRecord ? made(value.getClass(), types, values)
            : filled(value.getClass(), fields, values);
    }

    /** What a field holds that is no scalar in a copy: nothing, or another class. */
    private static Object without(Field field, Object old) {
        if (old instanceof Class) {
            return old == Trial.class ? Object.class : Trial.class;
        }
        return field.getType().isPrimitive() ? old : null;
    }

    /** The fields of an object, those of its superclasses first, in the order of the source. */
    private static List<Field> fields(Class<?> type) {
        List<Field> found = new ArrayList<>();
        if (type != null && type.getClassLoader() != null) {
            found.addAll(fields(type.getSuperclass()));
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    found.add(field);
                }
            }
        }
        return found;
    }

    /** Another value for a field; null where the field is no text, number, truth or constant. */
    private static Object scalar(Object value) {
        if (value instanceof Enum) {
            Object other = constants((Enum<?>) value).get(0);
            return other instanceof Enum ? other : null;
        }
        boolean plain = value instanceof String || value instanceof Boolean
            || value instanceof Character || value instanceof Integer || value instanceof Long
            || value instanceof Short || value instanceof Byte || value instanceof Double
            || value instanceof Float || value instanceof BigDecimal || value instanceof BigInteger;
        return plain ? others(value).get(0) : null;
    }

    private static Object made(Class<?> type, List<Class<?>> types, List<Object> values)
            throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor(types.toArray(new Class<?>[0]));
        constructor.setAccessible(true);
        return constructor.newInstance(values.toArray());
    }

    private static Object filled(Class<?> type, List<Field> fields, List<Object> values)
            throws ReflectiveOperationException {
        Field allocator = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        allocator.setAccessible(true);
        Object unsafe = allocator.get(null);
        Object copy = unsafe.getClass().getMethod("allocateInstance", Class.class)
            .invoke(unsafe, type);
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).set(copy, values.get(i));
        }
        return copy;
    }

    private static List<Object> number(Number value) {
        if (value instanceof Integer) {
            return Arrays.asList((Integer) value + 1, ~(Integer) value);
        } else if (value instanceof Long) {
            return Arrays.asList((Long) value + 1, ~(Long) value);
        } else if (value instanceof Short) {
            return Arrays.asList((short) ((Short) value + 1));
        } else if (value instanceof Byte) {
            return Arrays.asList((byte) ((Byte) value + 1));
        } else if (value instanceof Double) {
            double number = (Double) value;
            return Arrays.asList(Double.isNaN(number) || Double.isInfinite(number)
                ? 1.0 : number + 1 + Math.abs(number));
        } else if (value instanceof Float) {
            float number = (Float) value;
            return Arrays.asList(Float.isNaN(number) || Float.isInfinite(number)
                ? 1f : number + 1 + Math.abs(number));
        } else if (value instanceof BigDecimal) {
            return Arrays.asList(((BigDecimal) value).add(BigDecimal.ONE));
        } else if (value instanceof BigInteger) {
            return Arrays.asList(((BigInteger) value).add(BigInteger.ONE));
        }
        return Arrays.asList(new Object());
    }

    private static List<Object> constants(Enum<?> value) {
        List<Object> found = new ArrayList<>();
        for (Object constant : value.getDeclaringClass().getEnumConstants()) {
            if (constant != value) {
                found.add(constant);
            }
        }
        found.add(new Object());
        return found;
    }

    private static List<Object> collections(Collection<?> value) {
        Collection<Object> more = value instanceof Set ? new LinkedHashSet<>() : new ArrayList<>();
        more.addAll(value);
        more.add(TOKEN);
        List<Object> found = new ArrayList<>(Arrays.asList(more));
        Object first = value.isEmpty() ? null : value.iterator().next();
        for (Object other : alike(first)) {
            List<Object> changed = new ArrayList<>(value);
            changed.set(0, other);
            found.add(value instanceof Set ? new LinkedHashSet<>(changed) : changed);
        }
        return found;
    }

    private static List<Object> arrays(Object value) {
        int length = Array.getLength(value);
        Object more = Array.newInstance(value.getClass().getComponentType(), length + 1);
        System.arraycopy(value, 0, more, 0, length);
        return Arrays.asList(more);
    }
}
