package text;

import java.util.ArrayList;
import java.util.List;

/** Addresses of pages. */
public class Pages {
    private final Slug slug;
    private final List<String> known = new ArrayList<>();

    public Pages(Slug slug) {
        this.slug = slug;
    }

    public String add(String title) {
        String address = "/" + slug.of(title);
        int count = 2;
        String free = address;
        while (known.contains(free)) {
            free = address + "-" + count++;
        }
        known.add(free);
        return free;
    }

    public List<String> known() {
        return List.copyOf(known);
    }
}
