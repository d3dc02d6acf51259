def lambdas():
    f = lambda x: x + 1
    g = lambda x, y=f(
        1): (
        x
        + y)
    h = sorted([3, 1, 2], key=lambda v: -v)
    return f(1), f(2), g(1), h


def generator(n):
    for i in range(n):
        got = yield i
        if got:
            yield (
                got)
    yield from (
        x
        for x in range(n)
        if x
    )


def comprehensions(n):
    a = [x for x in range(n)]
    b = [
        x
        for x in range(n)
        for y in range(x)
        if y
        if x
    ]
    c = {x:
         x
         for x in range(n)}
    d = {
        x for x in
        range(n)
    }
    e = (x for x in range(n))
    next(e)
    return a, b, c, d, list(e)


def closure():
    count = 0

    def inner():
        nonlocal count
        count += 1
        return count

    inner()
    return inner()


class Parent:
    def who(self):
        return "parent"


class Child(Parent):
    def who(self):
        return (
            super()
            .who()
            + "child")


held = generator(3)
lazy = (
    x
    for x in range(3)
)
same_line = (x for x in range(3)); only = lambda: 1
calls = [
    lambdas,
    lambda: next(held),
    lambda: held.send("x"),
    lambda: next(held),
    lambda: list(held),
    lambda: list(generator(2)),
    lambda: next(lazy),
    lambda: next(same_line),
    only,
    lambda: comprehensions(3),
    lambda: comprehensions(0),
    closure,
    lambda: Child().who(),
]
