package fixgate.run;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Tells TestNG's classes by their annotations, where TestNG itself may be absent. */
final class TestNgMarks {
    private static final List<String> MARKS =
        Arrays.asList("org.testng.annotations.Test", "org.testng.annotations.Factory");

    private TestNgMarks() {}

    /** Whether a class, or one that it extends, is marked as tests of TestNG, or their factory. */
    static boolean isMarked(Class<?> type) {
        try {
            return type != null && (isOwnMarked(type) || isMarked(type.getSuperclass()));
        } catch (LinkageError error) {
            // A class that cannot be looked into cannot run either: the JUnit Platform says why.
            return false;
        }
    }

    private static boolean isOwnMarked(Class<?> type) {
        return anyMarked(type)
            || anyMarked(type.getDeclaredMethods())
            || anyMarked(type.getDeclaredConstructors());
    }

    private static boolean anyMarked(AnnotatedElement... elements) {
        return Stream.of(elements)
            .flatMap(each -> Stream.of(each.getDeclaredAnnotations()))
            .map(each -> each.annotationType().getName())
            .anyMatch(MARKS::contains);
    }
}
