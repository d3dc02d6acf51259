package plan;

/** Hours from start to end. */
public record Span(int start, int end) {
    public boolean overlaps(Span other) {
        return start < other.end && other.start < end;
    }

    public Span join(Span other) {
        return new Span(Math.min(start, other.start), Math.max(end, other.end));
    }
}
