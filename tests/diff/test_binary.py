"""Binary patches that git would never write are refused, each with its reason."""

from __future__ import annotations

import base64
import zlib

import pytest

from evaluator.diff import Application, apply

OLD = bytes(range(256)) * 4


def encoded(data: bytes) -> str:
    """The lines of a block that inflates to some data."""
    packed = zlib.compress(data)
    rows = [packed[at : at + 52] for at in range(0, len(packed), 52)]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    lines = [letters[len(r) - 1] + base64.b85encode(r, pad=True).decode() for r in rows]
    return "\n".join(lines) + "\n"


def applied(block: str, old: bytes | None = OLD, blob: str = "1") -> Application:
    header = f"diff --git a/tests/a.bin b/tests/a.bin\nindex 0..{blob} 100644\nGIT binary patch\n"
    return apply(f"{header}{block}\n", {"tests/a.bin": old}.get)


def delta(*instructions: int, old: int = len(OLD), new: int = 4) -> str:
    sizes = [old & 0x7F | 0x80, old >> 7, new & 0x7F | 0x80, new >> 7 & 0x7F]
    data = bytes([*sizes, *instructions])
    return f"delta {len(data)}\n{encoded(data)}"


def test_literal_and_delta() -> None:
    literal = applied(f"literal 3\n{encoded(b'new')}")
    assert literal.changes.contents == {"tests/a.bin": b"new"}
    mixed = applied(delta(0x91, 7, 2, 2, 65, 66))
    assert mixed.changes.contents == {"tests/a.bin": b"\7\x08AB"}
    assert mixed.well_formed


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (delta(0x91, 7, 2), "does not give the size"),
        (delta(0x91, 7, 2, 3, 65, 66, 67), "does not give the size"),
        (delta(0x93, 0xFF, 0xFF, 2), "beyond the end of the file"),
        (delta(0), "unknown instruction"),
        (delta(0x91), "ends early"),
        (delta(0x91, 7, 2, old=5), "another content"),
        ("delta 10\n" + encoded(b"\x80" * 10), "impossible size"),
        ("delta 6\n" + encoded(b"\x80\x08\xff\xff\xff\x7f"), "is over 50000000 bytes"),
        ("literal 60000000\nzcm\n", "is over 50000000 bytes"),
        ("literal 4\n" + encoded(b"new"), "does not inflate to the 4 bytes"),
        ("literal 2\n" + encoded(b"new"), "does not inflate to the 2 bytes"),
        ("literal 3\nZabc\n", "damaged"),
        ("literal 3\n~é\n", "damaged"),
        ("something else\n", "no `literal` or `delta` block"),
    ],
)
def test_damage_is_told(block: str, reason: str) -> None:
    application = applied(block)
    assert not application.well_formed
    assert application.changes.contents == {}
    assert reason in application.parts[0].reason


def test_a_delta_needs_its_file_and_the_index_line_must_hold() -> None:
    assert "there is no file" in applied(delta(2, 65, 66), None).parts[0].reason
    wrong = applied(f"literal 3\n{encoded(b'new')}", blob="1" * 40)
    assert "index line" in wrong.parts[0].reason
    blob = "3e5126c4e761fd09582fc517918a1601b218dff0"
    assert applied(f"literal 3\n{encoded(b'new')}", blob=blob).well_formed
