package text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void orders() {
        assertTrue(new Version("1.2").compareTo(new Version("1.3")) < 0);
    }

    @Test
    void equalTexts() {
        assertEquals(new Version("2.0"), new Version("2.0"));
    }
}
