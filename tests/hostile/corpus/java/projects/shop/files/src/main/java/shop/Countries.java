package shop;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Zones of countries, from a resource. */
public final class Countries {
    private final Properties zones = new Properties();

    public Countries() {
        try (InputStream in = Countries.class.getResourceAsStream("/countries.properties")) {
            zones.load(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public String zone(String country) {
        return zones.getProperty(country, "US");
    }
}
