"""Roman numerals."""

VALUES = [(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")]


def to_roman(number):
    """Write a number from 1 to 3999 as a Roman numeral."""
    numeral = ""
    for value, letter in VALUES:
        while number >= value:
            numeral += letter
            number -= value
    return numeral
