from __future__ import annotations


def f(
    a: undefined,
    b: (
        also.undefined
    ) = 1,
) -> undefined:
    x: undefined = a
    return x + b


class C:
    x: undefined
    y: undefined = 1


calls = [lambda: f(1), lambda: [sorted(each.__annotations__.items()) for each in (f, C)]]
