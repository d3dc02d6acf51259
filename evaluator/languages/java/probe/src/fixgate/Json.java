package fixgate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON (RFC 8259) as maps, lists, strings, longs, doubles, booleans and null. */
public final class Json {
    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    /** The value of a text. Throws IllegalArgumentException where it is not JSON. */
    public static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipBlanks();
        if (json.place < text.length()) {
            throw json.broken();
        }
        return value;
    }

    /** The text of a value, on one line; lone surrogates and control characters are escaped. */
    public static String write(Object value) {
        StringBuilder into = new StringBuilder();
        write(value, into);
        return into.toString();
    }

    private Object value() {
        skipBlanks();
        char first = place < text.length() ? text.charAt(place) : 0;
        switch (first) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> found = new LinkedHashMap<>();
        place++;
        while (!closed('}')) {
            skipBlanks();
            String name = string();
            skipBlanks();
            expect(':');
            found.put(name, value());
        }
        return found;
    }

    private List<Object> array() {
        List<Object> found = new ArrayList<>();
        place++;
        while (!closed(']')) {
            found.add(value());
        }
        return found;
    }

    /** Whether the closing bracket comes next; passes it, or the comma before another value. */
    private boolean closed(char bracket) {
        skipBlanks();
        if (place < text.length() && text.charAt(place) == ',') {
            place++;
            return false;
        }
        if (place < text.length() && text.charAt(place) == bracket) {
            place++;
            return true;
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder found = new StringBuilder();
        while (place < text.length() && text.charAt(place) != '"') {
            char next = text.charAt(place++);
            found.append(next == '\\' ? escaped() : next);
        }
        expect('"');
        return found.toString();
    }

    private char escaped() {
        char kind = text.charAt(place++);
        if (kind == 'u') {
            place += 4;
            return (char) Integer.parseInt(text.substring(place - 4, place), 16);
        }
        int known = "bfnrt".indexOf(kind);
        return known < 0 ? kind : "\b\f\n\r\t".charAt(known);
    }

    private Object number() {
        int start = place;
        while (place < text.length() && "+-.0123456789Ee".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        String digits = text.substring(start, place);
        if (digits.isEmpty()) {
            throw broken();
        }
        boolean whole = digits.matches("-?\\d+");
        return whole ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, place)) {
            throw broken();
        }
        place += word.length();
        return value;
    }

    private void expect(char wanted) {
        if (place >= text.length() || text.charAt(place) != wanted) {
            throw broken();
        }
        place++;
    }

    private void skipBlanks() {
        while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
            place++;
        }
    }

    private IllegalArgumentException broken() {
        return new IllegalArgumentException("not JSON at character " + place);
    }

    private static void write(Object value, StringBuilder into) {
        if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                into.append(separator);
                quote(entry.getKey().toString(), into);
                into.append(':');
                write(entry.getValue(), into);
                separator = ",";
            }
            into.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String separator = "[";
            for (Object item : (Iterable<?>) value) {
                into.append(separator);
                write(item, into);
                separator = ",";
            }
            into.append(separator.equals("[") ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            into.append(value);
        } else {
            quote(value.toString(), into);
        }
    }

    private static void quote(String text, StringBuilder into) {
        into.append('"');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                into.append('\\').append(each);
            } else if (each < ' ' || Character.isSurrogate(each) || each == 0x7f) {
                into.append(String.format("\\u%04x", (int) each));
            } else {
                into.append(each);
            }
        }
        into.append('"');
    }
}
