package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StatementTest {
    @Test
    void countsEveryEntry() {
        Ledger ledger = new Ledger();
        ledger.add(new Entry("food", 10));
        ledger.add(new Entry("food", 0, true));
        assertEquals("food: 10 in 2", new Statement(ledger).text());
    }
}
