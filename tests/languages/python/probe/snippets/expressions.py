def call(*args, **kwargs):
    return args, sorted(kwargs)


def decorator(*args):
    return lambda function: function


@decorator(
    1,
    call(2),
)
@decorator()
def decorated(
    a,
    b=call(
        1),
    *,
    c: int = 3,
    d: "text" = None,
) -> dict:
    return a, b, c


@decorator(3)
class Decorated(
    dict,
    metaclass=type,
):
    x = (
        1
    )


def many(a, b):
    x = call(
        a,
        b,
        *[1, 2],
        key=b,
        **{"z": a},
    )
    y = [
        a,
        b,
        call(a)
    ]
    z = {
        "a": a,
        "b": call(
            b),
        **{"c": 1},
    }
    t = (a
         if a
         else b)
    u = (a
         and b
         or call(b))
    v = a < \
        b < \
        5
    w = (f"{a} "
         f"{b!r:>10} "
         "constant")
    s = [1, 2, 3][
        0:
        b
    ]
    n = not (
        a)
    p = -(
        b)
    first, *rest = (
        1, a,
        b)
    z["a"] = \
        b
    x += (
        b,
    )
    return (
        x, y, z, t, u, v, w, s, n, p, first, rest
    )


def chained(text):
    return (
        text.strip()
        .upper()
        .replace("A", "B")
        .title
    )()


constant = [
    1,
    2,
]
constants = (
    "a"
    "b",
    2,
)
mapping = {
    "k": 1,
    "l": [
        2],
}
long_text = """
lines
"""
fold = (1 +
        2)
calls = [
    lambda: many(0, 1),
    lambda: many(2, 1),
    lambda: many(0, 1),
    lambda: chained(" abc "),
    lambda: decorated(1),
    lambda: (Decorated.x, constant, constants, mapping, long_text, fold),
]
