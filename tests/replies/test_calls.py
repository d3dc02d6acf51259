from __future__ import annotations

from generator.replies import WrittenCall, read_calls


def test_calls_are_found_in_prose_lists_and_fences() -> None:
    reply = """
    First `search_class("Field")`, then
    - search_method_in_class(method_name='clean', class_name="Field")
    ```
    search_code("raise ValidationError(x)")
    get_code_around_line("a/b.py", 12, window_size=5)
    ```
    and search_class("Field") again, and search_class(Field.Meta).
    """
    assert read_calls(reply) == (
        WrittenCall("search_class", ("Field",)),
        WrittenCall(
            "search_method_in_class", (), (("method_name", "clean"), ("class_name", "Field"))
        ),
        WrittenCall("search_code", ("raise ValidationError(x)",)),
        WrittenCall("get_code_around_line", ("a/b.py", 12), (("window_size", 5),)),
        WrittenCall("search_class", ("Field.Meta",)),
    )


def test_what_is_no_call_of_literals_is_passed_over() -> None:
    reply = """search_class(class_name: str), search_code(f"{x}"), search_method(*names),
    search_code("never closed, research_class("x"), search_method(**all), search_class(1 + 1)"""
    assert read_calls(reply) == ()


def test_a_call_is_told_as_it_would_be_written() -> None:
    assert str(WrittenCall("search_code", ("a",), (("n", 1),))) == "search_code('a', n=1)"


def test_few_calls_of_many_are_read() -> None:
    assert len(read_calls("\n".join(f"search_class('C{n}')" for n in range(100)))) == 20
