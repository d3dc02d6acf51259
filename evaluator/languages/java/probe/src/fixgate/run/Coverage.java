package fixgate.run;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes what JaCoCo's agent recorded during each test into one file, for `fixgate.cover.Main`.
 *
 * <p>The agent is asked for by reflection: it is loaded only where a run wants coverage. What is
 * executed between tests is written under the name "".
 */
final class Coverage {
    private static final String AGENT = "org.jacoco.agent.rt.RT";

    private final Object agent;
    private final Method recorded;
    private final DataOutputStream file;

    private Coverage(Object agent, Method recorded, DataOutputStream file) {
        this.agent = agent;
        this.recorded = recorded;
        this.file = file;
    }

    /** Null where the agent is not loaded, or only lies on the class path of the tests. */
    static Coverage into(Path file) throws ReflectiveOperationException, IOException {
        Class<?> access;
        try {
            access = Class.forName(AGENT);
        } catch (ClassNotFoundException error) {
            return null;
        }
        Object agent;
        try {
            agent = access.getMethod("getAgent").invoke(null);
        } catch (InvocationTargetException error) {
            return null;
        }
        Method recorded = Class.forName("org.jacoco.agent.rt.IAgent")
            .getMethod("getExecutionData", boolean.class);
        return new Coverage(
            agent, recorded, new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file))));
    }

    /** Write and forget what was recorded since the last call. */
    synchronized void save(String test) {
        try {
            byte[] data = (byte[]) recorded.invoke(agent, true);
            file.writeUTF(test);
            file.writeInt(data.length);
            file.write(data);
            file.flush();
        } catch (ReflectiveOperationException | IOException error) {
            throw new IllegalStateException("coverage cannot be written", error);
        }
    }
}
