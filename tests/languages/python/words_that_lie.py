"""Functions and values of which some lie about what they equal."""

import datetime
import logging
import warnings


def shorten(text):
    return text


def count():
    return 3


def half():
    return 0.5


def nothing():
    return None


def same():
    return True


def numbers():
    return [1, 2, [3]]


def table():
    return {"a": [1], "b": None}


def raw():
    return b"abc"


def day():
    return datetime.date(2020, 1, 2)


def fails():
    raise ValueError("no good")


def warns():
    warnings.warn("careful", stacklevel=1)


def logs():
    logging.getLogger("words").warning("so")


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    __hash__ = None


def point():
    return Point(1, 2)


class Column:
    """Like a column of a query builder: comparing it makes an expression."""

    def __eq__(self, other):
        return Column()

    def __str__(self):
        return "column"

    __hash__ = None


class Lies:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __contains__(self, other):
        return True

    def startswith(self, other):
        return True

    __hash__ = object.__hash__


class LyingText(Lies, str):
    pass


class LyingNumber(Lies, int):
    pass


class LyingList(Lies, list):
    pass


class LyingDict(Lies, dict):
    pass


class OnlyTexts(str):
    def __eq__(self, other):
        return type(other) is str

    __hash__ = None


class AsLong(str):
    def __eq__(self, other):
        return len(other) == len(self)

    __hash__ = None


class Starts(str):
    def __eq__(self, other):
        return str(other).startswith(str(self))

    __hash__ = None


class Near(int):
    def __eq__(self, other):
        return abs(int(self) - int(other)) < 3

    __hash__ = None


class Unequal:
    def __ne__(self, other):
        return True


class Empty(str):
    def __contains__(self, other):
        return False


class Greater:
    def __gt__(self, other):
        return True

    def __lt__(self, other):
        return True


class AnyPoint(Point):
    def __eq__(self, other):
        return isinstance(other, Point)

    __hash__ = None


class Odd:
    """Says yes the first time and every other time."""

    asked = 0

    def __eq__(self, other):
        self.asked += 1
        return self.asked % 2 == 1

    __hash__ = None
