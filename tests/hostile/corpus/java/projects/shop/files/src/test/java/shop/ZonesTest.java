package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ZonesTest {
    @Test
    public void ratesByZone() {
        assertEquals(12, Zones.base("EU"));
        assertEquals(20, Zones.base("US"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void unknownZone() {
        Zones.base("XX");
    }
}
