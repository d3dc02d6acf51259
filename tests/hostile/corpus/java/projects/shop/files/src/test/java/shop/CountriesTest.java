package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CountriesTest {
    @Test
    public void zones() {
        assertEquals("EU", new Countries().zone("FR"));
        assertEquals("US", new Countries().zone("US"));
    }
}
