package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {
    @Test
    void sums() {
        Ledger ledger = new Ledger();
        ledger.add(new Entry("rent", 500));
        ledger.add(new Entry("rent", 250));
        ledger.add(new Entry("food", 10));
        assertEquals(750, ledger.balance("rent"));
        assertEquals(Set.of("food", "rent"), ledger.accounts());
    }
}
