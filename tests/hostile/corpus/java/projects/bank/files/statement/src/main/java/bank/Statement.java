package bank;

import java.util.stream.Collectors;

/** A ledger as text. */
public class Statement {
    private final Ledger ledger;

    public Statement(Ledger ledger) {
        this.ledger = ledger;
    }

    public String text() {
        return ledger.accounts().stream()
                .map(account -> account + ": " + ledger.balance(account) + " in " + ledger.entries(account).size())
                .collect(Collectors.joining("\n"));
    }
}
