package fixgate.mutate;

import java.lang.instrument.Instrumentation;

/** Keeps what can replace the code of loaded classes: `-javaagent:mutation.jar`. */
public final class Agent {
    private static Instrumentation instrumentation;

    private Agent() {}

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static Instrumentation instrumentation() {
        return instrumentation;
    }
}
