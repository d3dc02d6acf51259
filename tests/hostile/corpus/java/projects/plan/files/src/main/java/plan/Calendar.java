package plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Spans of time, merged. */
public class Calendar {
    public List<Span> merge(List<Span> spans) {
        List<Span> merged = new ArrayList<>();
        spans.stream().sorted(Comparator.comparingInt(Span::start)).forEach(span -> {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).overlaps(span)) {
                merged.set(last, merged.get(last).join(span));
            } else {
                merged.add(span);
            }
        });
        return merged;
    }
}
