package shop;

import static org.hamcrest.CoreMatchers.is;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThat;

import org.junit.Test;

@SuppressWarnings("deprecation")
public class PriceTest {
    @Test
    public void parses() {
        assertThat(Price.parse("12.50").cents(), is(1250L));
    }

    @Test
    public void adds() {
        assertEquals(new Price(300), new Price(100).plus(new Price(200)));
    }
}
