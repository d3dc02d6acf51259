def f(value):
    match value:
        case 1:
            return "one"
        case 2 | 3:
            return "few"
        case [a, b] if a > b:
            return "down"
        case [a,
              b]:  # counts with its first line
            return "pair"
        case {"key": key, **rest}:
            return key, rest
        case str(text): return text
        case _:
            pass
    match (
        value,
        1,
    ):
        case (None, 1):
            return "none"
    return "other"


values = (1, 2, [2, 1], [1, 2], {"key": 1, "z": 2}, "text", None, 9)
calls = [lambda value=value: f(value) for value in values]
