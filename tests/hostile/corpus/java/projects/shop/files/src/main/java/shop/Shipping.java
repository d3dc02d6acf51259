package shop;

/** What it costs to send a parcel. */
public class Shipping {
    /** Euros for a parcel; each kilogram above 20 costs 2 more. */
    public int cost(int kilograms, String zone) {
        int base = Zones.base(zone);
        return base;
    }

    public String label(int kilograms, String zone) {
        return zone + " " + kilograms + " kg: " + cost(kilograms, zone) + " EUR";
    }
}
