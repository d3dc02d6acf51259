"""Java test classes of all frameworks, whole and with more or fewer tests."""

from __future__ import annotations

from hypothesis import strategies as st

TESTS = {
    "junit4": "@Test(timeout = 5) public void {name}() {{ assertEquals(1, box.size()); }}",
    "jupiter": "/** What it is for. */\n  @Test\n  void {name}() {{ box.put(1); }}",
    "parameterized": "// one\n  // two\n  @ParameterizedTest @ValueSource(ints = {{1}})\n"
    "  void {name}(int value) {{ box.put(value); }}",
    "repeated": "@org.junit.jupiter.api.RepeatedTest(3) void {name}() throws Exception {{ }} // x",
}
OTHERS = (
    "private final Box box = new Box(); // about the box",
    "@BeforeEach void setUp() { box.clear(); }",
    "// a note of its own\n\n  private static int helper(int value) { return value + 1; }",
    "static class Inner { int value; }",
)


@st.composite
def test_classes(draw: st.DrawFn) -> tuple[str, list[str], list[str]]:
    """A test class, the names of its tests, and the text of its other members."""
    kinds = draw(st.lists(st.sampled_from(sorted(TESTS)), max_size=5))
    tests = {f"case{number}": TESTS[kind] for number, kind in enumerate(kinds)}
    others = draw(st.lists(st.sampled_from(OTHERS), unique=True))
    members = [template.format(name=name) for name, template in tests.items()] + others
    gap = draw(st.sampled_from(["\n  ", "\n\n  ", "\r\n  "]))
    body = gap.join(draw(st.permutations(members)))
    return f"package acme;\n\nclass BoxTest {{{gap}{body}\n}}\n", sorted(tests), others


test_classes.__test__ = False  # type: ignore[attr-defined]
