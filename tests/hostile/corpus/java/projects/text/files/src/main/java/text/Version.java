package text;

import java.util.Objects;

/** A version such as 1.10.2. */
public class Version implements Comparable<Version> {
    private final String text;

    public Version(String text) {
        this.text = Objects.requireNonNull(text);
    }

    @Override
    public int compareTo(Version other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Version v && v.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
