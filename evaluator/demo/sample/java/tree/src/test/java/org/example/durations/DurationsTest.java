package org.example.durations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DurationsTest {
    @Test
    void nothing() {
        assertEquals("0s", Durations.format(0));
    }

    @Test
    void lessThanAnHour() {
        assertEquals("42s", Durations.format(42));
        assertEquals("1m 30s", Durations.format(90));
    }
}
