package org.example.durations;

/** Durations as people write them. */
public final class Durations {
    private Durations() {
    }

    /** Hours, minutes and seconds, without those that are zero: "1h 5m". */
    public static String format(long seconds) {
        StringBuilder text = new StringBuilder();
        append(text, seconds / 3600, 'h');
        append(text, seconds / 60, 'm');
        append(text, seconds % 60, 's');
        return text.length() == 0 ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long number, char unit) {
        if (number > 0) {
            text.append(text.length() == 0 ? "" : " ").append(number).append(unit);
        }
    }
}
