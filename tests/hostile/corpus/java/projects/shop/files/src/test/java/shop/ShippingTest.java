package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ShippingTest {
    private final Shipping shipping = new Shipping();

    @Test
    public void lightParcelCostsTheBase() {
        assertEquals(12, shipping.cost(5, "EU"));
    }

    @Test
    public void labelNamesTheCost() {
        assertEquals("US 3 kg: 20 EUR", shipping.label(3, "US"));
    }
}
