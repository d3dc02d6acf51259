package shop;

import java.math.BigDecimal;

/** An amount in cents. */
public final class Price {
    private final long cents;

    public Price(long cents) {
        this.cents = cents;
    }

    public static Price parse(String text) {
        return new Price(new BigDecimal(text.trim()).movePointRight(2).longValueExact());
    }

    public long cents() {
        return cents;
    }

    public Price plus(Price other) {
        return new Price(cents + other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Price && ((Price) other).cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
