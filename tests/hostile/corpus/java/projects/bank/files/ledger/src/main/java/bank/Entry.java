package bank;

/** An entry of a ledger, in cents. */
public record Entry(String account, long cents, boolean reversed) {
    public Entry(String account, long cents) {
        this(account, cents, false);
    }
}
