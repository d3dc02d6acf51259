package fixgate.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that are run so that what is loaded for them can be archived: one of them fails. */
class Example {
    private int number;

    @BeforeEach
    void begin() {
        number = 1;
    }

    @AfterEach
    void end() {
        number = 0;
    }

    @Test
    void passes() {
        assertEquals(1, number);
    }

    @Test
    void fails() {
        assertEquals(2, number);
    }
}
