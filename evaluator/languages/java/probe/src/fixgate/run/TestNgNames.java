package fixgate.run;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;

/**
 * Names of TestNG's tests: `path::Class::method`, and in brackets what else tells them apart.
 *
 * <p>That is the types of an overloaded method's parameters, the number of the object that a
 * factory made, and that of the invocation, by data or by count, all in this order.
 */
final class TestNgNames {
    private final Names names;
    private final Map<List<Object>, Integer> invocations = new HashMap<>();

    TestNgNames(Names names) {
        this.names = names;
    }

    String file(ITestResult result) {
        return names.file(type(result).getName());
    }

    /** The name of an invocation, which has another number with each call. */
    String of(ITestResult result) {
        ITestNGMethod method = result.getMethod();
        StringBuilder found = new StringBuilder(of(method));
        if (method.isTest()) {
            found.append(types(result)).append(object(result)).append(invocation(result));
        }
        return found.toString();
    }

    /** The name that all invocations of a method begin with. */
    String of(ITestNGMethod method) {
        return names.group(method.getTestClass().getRealClass().getName())
            + "::" + method.getMethodName();
    }

    /** Whether a method waits for others. */
    static boolean depends(ITestNGMethod method) {
        return method.getMethodsDependedUpon().length + method.getGroupsDependedUpon().length > 0;
    }

    /** `package.Class::method`, which datasets and reports of builds use. */
    static String qualified(ITestResult result) {
        return type(result).getName() + "::" + result.getMethod().getMethodName();
    }

    /** The class that was asked for, which may inherit the method. */
    static Class<?> type(ITestResult result) {
        return result.getTestClass().getRealClass();
    }

    /** Methods of a name in a class, once for each object. */
    private static List<ITestNGMethod> namesakes(ITestResult result) {
        List<ITestNGMethod> found = new ArrayList<>();
        for (ITestNGMethod each : result.getTestContext().getAllTestMethods()) {
            if (each.getMethodName().equals(result.getMethod().getMethodName())
                    && each.getTestClass().getRealClass() == type(result)) {
                found.add(each);
            }
        }
        return found;
    }

    private static String types(ITestResult result) {
        List<String> own = parameters(result.getMethod());
        return namesakes(result).stream().allMatch(each -> parameters(each).equals(own))
            ? "" : own.toString().replace(" ", "");
    }

    private static List<String> parameters(ITestNGMethod method) {
        List<String> found = new ArrayList<>();
        for (Class<?> each : method.getConstructorOrMethod().getMethod().getParameterTypes()) {
            found.add(each.getSimpleName());
        }
        return found;
    }

    /** Which one of the objects of its class, in the order of their making. */
    private static String object(ITestResult result) {
        Object[] objects = result.getTestClass().getInstances(false);
        for (int index = 0; objects.length > 1 && index < objects.length; index++) {
            if (unwrapped(objects[index]) == result.getInstance()) {
                return "[" + (index + 1) + "]";
            }
        }
        return "";
    }

    /** From version 7.10 on, TestNG shows wrappers of its own that have the object. */
    private static Object unwrapped(Object object) {
        Object found = object;
        try {
            while (found != null && found.getClass().getName().startsWith("org.testng.internal.")) {
                Method wrapped = found.getClass().getMethod("getInstance");
                wrapped.setAccessible(true);
                found = wrapped.invoke(found);
            }
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("this version of TestNG is not known", error);
        }
        return found;
    }

    private String invocation(ITestResult result) {
        Object[] given = result.getParameters();
        boolean once = result.getMethod().getInvocationCount() <= 1;
        if (once && (given == null || given.length == 0)) {
            return "";
        }
        List<Object> which = Arrays.asList(
            type(result),
            result.getMethod().getMethodName(),
            parameters(result.getMethod()),
            System.identityHashCode(result.getInstance()));
        return "[" + invocations.merge(which, 1, Integer::sum) + "]";
    }
}
