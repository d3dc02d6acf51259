package fixgate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Typed access to an object of a JSON file. */
public final class Specification {
    private final Map<?, ?> fields;

    public Specification(Object fields) {
        this.fields = (Map<?, ?>) fields;
    }

    /** The object that a file holds. */
    public static Specification read(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        return new Specification(Json.read(new String(content, StandardCharsets.UTF_8)));
    }

    /** A string, "" where it is absent. */
    public String text(String name) {
        Object value = fields.get(name);
        return value == null ? "" : value.toString();
    }

    /** A whole number, 0 where it is absent. */
    public long number(String name) {
        Object value = fields.get(name);
        return value == null ? 0 : (Long) value;
    }

    /** A list of strings, empty where it is absent. */
    public List<String> texts(String name) {
        List<String> found = new ArrayList<>();
        for (Object item : list(name)) {
            found.add(item.toString());
        }
        return found;
    }

    /** A list of objects, empty where it is absent. */
    public List<Specification> objects(String name) {
        List<Specification> found = new ArrayList<>();
        for (Object item : list(name)) {
            found.add(new Specification(item));
        }
        return found;
    }

    /** An object whose values may be of any kind, empty where it is absent. */
    public Map<String, Object> table(String name) {
        Map<String, Object> found = new LinkedHashMap<>();
        Object value = fields.get(name);
        if (value != null) {
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                found.put(entry.getKey().toString(), entry.getValue());
            }
        }
        return found;
    }

    private List<?> list(String name) {
        Object value = fields.get(name);
        return value == null ? Collections.emptyList() : (List<?>) value;
    }
}
