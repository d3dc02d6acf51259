package fixgate.run;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The same for JUnit 4. */
public class EarlierExample {
    @Test
    public void passes() {
        assertEquals(1, 1);
    }

    @Test
    public void fails() {
        assertEquals(2, 1);
    }
}
