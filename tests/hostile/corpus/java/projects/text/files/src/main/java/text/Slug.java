package text;

import java.util.Locale;

/** Names for addresses. */
public class Slug {
    public String of(String title) {
        String plain = title.toLowerCase(Locale.ROOT);
        return plain.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
