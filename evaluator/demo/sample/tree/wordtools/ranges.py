"""Ranges of numbers, as in "1-3, 5"."""


def parse_ranges(text):
    """The numbers that a text such as "1-3, 5" names, sorted and each once."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers.extend(range(int(first), int(last) + 1))
    return sorted(numbers)
