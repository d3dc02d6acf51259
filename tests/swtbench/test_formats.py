"""Rows in JSON Lines, JSON and Parquet files, whole and broken."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.swtbench.dataset import load_instances

from .conftest import Write, problem, refused, row


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (json.dumps(row(2)).encode()[:-30], "is cut off; was the file copied whole?"),
        (b'{"instance_id": "x",', "is cut off; was the file copied whole?"),
        (b"{'instance_id': 1}", "is not JSON: Expecting property name"),
        (b"not json", "is not JSON: Expecting value (column 1)"),
        (b'{"a": "\xff"}', "is not UTF-8 (byte 8: invalid start byte)"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is not JSON: Exceeds the limit"),
        (b"3", "expected an object with fields, found a number"),
        (b"null", "expected an object with fields, found null"),
        (b'["x"]', "expected an object with fields, found a list"),
    ],
)
def test_lines_that_are_no_rows(write: Write, raw: bytes, said: str) -> None:
    assert problem(write(row(1), raw)).startswith(f"line 2: {said}")


def test_lines_keep_their_numbers_past_blank_ones(write: Write) -> None:
    assert problem(write(b"", row(1), b"  ", b"x")).startswith("line 4: ")


def test_line_separators_within_text_are_no_line_ends(write: Write) -> None:
    raw = json.dumps(row(hints_text="a\u2028b\x85c"), ensure_ascii=False).encode()
    (instance,) = load_instances(str(write(raw))).instances
    assert instance.hints_text == "a\u2028b\x85c"


def test_a_byte_order_mark_and_dos_line_ends(write: Write) -> None:
    path = write(row(1), row(2))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(load_instances(str(path)).instances) == 2


@pytest.mark.parametrize("content", [b"", b"\n \n", b"[]", b"{}"])
def test_a_file_without_rows(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"(holds no rows|is cut off)"):
        load_instances(str(path))


def test_a_missing_file_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nope\.jsonl: no such file; name a \.jsonl, \.json"):
        load_instances(str(tmp_path / "nope.jsonl"))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_instances(str(tmp_path))


class TestJson:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "rows.json"

    @pytest.mark.parametrize("indent", [None, 2])
    def test_a_list_or_an_object_by_id(self, path: Path, indent: int | None) -> None:
        rows = [row(1), row(2)]
        by_id = {str(r["instance_id"]): r for r in rows}
        path.write_text(json.dumps(rows, indent=indent))
        listed = load_instances(str(path))
        path.write_text(json.dumps(by_id, indent=indent))
        assert load_instances(str(path)) == listed
        assert [i.instance_id for i in listed.instances] == ["owner__name-1", "owner__name-2"]

    def test_the_only_row(self, path: Path) -> None:
        path.write_text(json.dumps(row(1), indent=1))
        assert len(load_instances(str(path)).instances) == 1

    def test_lines_in_a_json_file_and_a_list_in_a_jsonl_file(
        self, path: Path, tmp_path: Path
    ) -> None:
        path.write_text(f"{json.dumps(row(1))}\n{json.dumps(row(2))}\n")
        assert len(load_instances(str(path)).instances) == 2
        other = tmp_path / "rows.jsonl"
        other.write_text(json.dumps([row(1), row(2)], indent=1))
        assert len(load_instances(str(other)).instances) == 2

    def test_a_bad_row_is_named_by_line_and_number(self, path: Path) -> None:
        path.write_text(json.dumps([row(1), row(2, repo=7)], indent=1))
        line = path.read_text().splitlines().index(" {", 2) + 1
        said = problem(path)
        assert said == f'line {line}, row 2, field "repo": expected text, found a number'

    def test_a_key_that_is_another_id(self, path: Path) -> None:
        path.write_text(json.dumps({"other": row(1)}))
        said = "is 'owner__name-1' but the row stands under the key 'other'"
        assert problem(path) == f'line 1, field "instance_id": {said}'

    def test_a_key_that_is_there_twice(self, path: Path) -> None:
        text = json.dumps(row(1))
        path.write_text(f'{{"owner__name-1": {text},\n"owner__name-1": {text}}}')
        said = "owner__name-1 is there already (line 1)"
        assert problem(path) == f'line 2, field "instance_id": {said}'

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[{}\n, {", "line 2: is cut off"),
            ("[", "line 1: is cut off"),
            ("", "line 1: is cut off"),
            ('{"a": {}, ', "line 1: is cut off"),
            ('{"a": {"b": "c', "line 1: is cut off"),
            ("[{}] []", "line 1: is not JSON: Extra data (column 6)"),
            ("[{},\n\n nonsense]", "line 3: is not JSON: Expecting value"),
            ('{"a" 1}', "line 1: is not JSON: Expecting ':' (column 6)"),
            ("{1: 2}", "line 1: is not JSON: Expecting a key in double quotes"),
            ("[{}\n {}]", "line 2: is not JSON: Expecting ']'"),
            ("3", "line 1: is not JSON: Expecting '{'"),
            ("[" * 100_000, "line 1: is nested too deeply"),
        ],
    )
    def test_what_is_no_json(self, path: Path, text: str, said: str) -> None:
        path.write_text(text)
        assert refused(path)[-1].startswith(said)

    def test_what_is_no_text(self, path: Path) -> None:
        path.write_bytes(b'[{"a": "\xff"}]')
        assert problem(path) == "the file: is not UTF-8 (byte 9: invalid start byte)"


class TestParquet:
    def test_reads_lists_and_dates(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.parquet"
        created = datetime.datetime(2020, 1, 2, 3, 4, 5)
        rows = [row(1, FAIL_TO_PASS=["a", "b"], created_at=created), row(2)]
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        first, second = load_instances(str(path)).instances
        assert first.fail_to_pass == ("a", "b")
        assert first.created_at == created.replace(tzinfo=datetime.UTC)
        assert second.created_at is None

    def test_names_the_row(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.parquet"
        table = pyarrow.Table.from_pylist([row(1), row(2, base_commit="main")])
        pyarrow.parquet.write_table(table, path)
        assert problem(path).startswith('row 2, field "base_commit": ')

    def test_a_damaged_file(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.parquet"
        path.write_bytes(b"PAR1 and then nothing that makes sense")
        with pytest.raises(InputError, match="is no readable Parquet file: "):
            load_instances(str(path))


@settings(deadline=None, max_examples=150)
@given(content=st.binary(max_size=80) | st.text('[]{}":,1a \n\\', max_size=40).map(str.encode))
def test_no_content_breaks_the_reader(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for suffix in ("json", "jsonl"):
        path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
        path.write_bytes(content)
        with pytest.raises(InputError):
            load_instances(str(path))
