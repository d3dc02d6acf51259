"""What methods of Java do beside their results, as a change of their text shows."""

from __future__ import annotations

import pytest

from evaluator.verification.safeguards import unseen_effects

PATH = "src/main/java/a/A.java"
SEEN = {
    "static final Map<K, V> KNOWN = new HashMap<>(); void f(K k) { KNOWN.put(k, null); }": (
        "KNOWN keeps values for later calls"
    ),
    "private static final Set<K> SEEN = g(); void f(K k) { A.SEEN.add(k); }": (
        "SEEN keeps values for later calls"
    ),
    "static K last; void f(K k) { last = k; }": "last keeps values for later calls",
    "V f() { try { return g(); } catch (Exception e) { return null; } }": "A.f catches every error",
    "V f() { try { return g(); } catch (IOException | RuntimeException e) { throw new B(); } }": (
        "A.f catches every error"
    ),
    "void f() { try { g(); } catch (final java.lang.Throwable e) { } }": "A.f catches every error",
}
UNSEEN = [
    "static final Map<K, V> KNOWN = g(); V f(K k) { return KNOWN.get(k); }",
    "static final Map<K, V> KNOWN = new HashMap<>(); static { KNOWN.put(null, null); }",
    "final Map<K, V> known = new HashMap<>(); void f(K k) { known.put(k, null); }",
    "K last; void f(K k) { this.last = k; }",
    "static final K NONE = null; void f(K k) { K other = k; other = NONE; }",
    "V f() { try { return g(); } catch (IOException e) { return null; } }",
    "V f() { try { return g(); } catch (Exception e) { throw new IllegalStateException(e); } }",
    "V f() { try { return g(); } catch (Exception e) { log.warn(e.getMessage()); return null; } }",
    "static K last; void f(K k) { last = k;",
]


def effects(old: str, new: str) -> list[str]:
    before, after = (f"package a; public class A {{ {each} }}".encode() for each in (old, new))
    return [concern.what for concern in unseen_effects({PATH: after}, {PATH: before}.get)]


@pytest.mark.parametrize("new", SEEN)
def test_what_no_result_shows_is_named(new: str) -> None:
    assert effects("", new) == [SEEN[new]]
    assert effects(new, new) == []


@pytest.mark.parametrize("new", UNSEEN)
def test_what_is_local_was_there_or_tells_is_nothing(new: str) -> None:
    assert effects("", new) == []
