package bank;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.Set;

/** Entries by account. */
public class Ledger {
    private final List<Entry> entries = new ArrayList<>();

    public void add(Entry entry) {
        entries.add(entry);
    }

    /** The sum of an account's entries, without those that were reversed. */
    public long balance(String account) {
        return entries.stream()
                .filter(entry -> entry.account().equals(account))
                .mapToLong(Entry::cents)
                .sum();
    }

    public List<Entry> entries(String account) {
        return entries.stream().filter(entry -> entry.account().equals(account)).toList();
    }

    public Set<String> accounts() {
        Set<String> names = new TreeSet<>();
        entries.forEach(entry -> names.add(entry.account()));
        return names;
    }
}
