package plan;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertFalse;

import java.util.List;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class CalendarTest {
    @Test
    public void overlappingSpansAreJoined() {
        assertEquals(new Calendar().merge(List.of(new Span(1, 4), new Span(3, 6))), List.of(new Span(1, 6)));
    }

    @DataProvider
    public Object[][] apart() {
        return new Object[][] {{new Span(1, 2), new Span(3, 4)}, {new Span(1, 2), new Span(2, 4)}};
    }

    @Test(dataProvider = "apart")
    public void apart(Span one, Span two) {
        assertFalse(one.overlaps(two));
    }
}
