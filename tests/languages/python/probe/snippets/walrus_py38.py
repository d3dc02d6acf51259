def f(items, /, *, key=None):
    if (n := len(items)) > 1:
        return n
    while (
        item := items.pop() if items else None
    ):
        key = item
    return [
        y := 1,
        y**2,
        f"{key=}",
    ]


calls = [lambda: f([1, 2]), lambda: f([3]), lambda: f([])]
