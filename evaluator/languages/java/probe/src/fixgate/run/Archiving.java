package fixgate.run;

import java.io.IOException;

/**
 * Runs tests as `Main` does, and ends as programs do: the virtual machine archives nothing where it
 * is halted.
 */
public final class Archiving {
    private Archiving() {}

    public static void main(String[] arguments) throws IOException {
        Main.run(arguments);
        System.exit(0);
    }
}
