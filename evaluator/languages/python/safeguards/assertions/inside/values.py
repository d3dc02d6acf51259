"""Other values of the same type as a given one. Runs in Python 3.6 and later."""

import copy
import datetime
import decimal
import enum
import fractions
import pathlib
import random
import re
import string
import sys
import uuid

CHANCE = random.Random("TURNED_SEED")
DEEPEST = 4
LONG = 2000
PATTERN = type(re.compile(""))


class Unknown(Exception):
    """No other value of a type is known."""


def others(value, far=False):
    """Several values of the type of `value` that do not equal it, [] where none is known.

    One part of it is changed, all parts are, there is one less, one more; `far` ones differ in all
    parts by more than any tolerance.
    """
    ways = [every_far] if far else [every, one, shorter, longer]
    found = []
    for way in ways[:1] if is_long(value) else ways:
        try:
            found.append(way(value, 0))
        except Exception:
            continue
    return found


def is_long(value):
    return isinstance(value, (str, bytes)) and len(value) > LONG


def every(value, depth):
    return rebuilt(value, depth, every, near)


def every_far(value, depth):
    return rebuilt(value, depth, every_far, far_away)


def one(value, depth):
    """Only one part is changed."""
    chosen = []

    def some(part, depth):
        chosen.append(part)
        return every(part, depth) if len(chosen) == wanted else part

    if not isinstance(value, (list, tuple, dict)) or not value:
        return leaf(value, other_number, one_letter)
    wanted = CHANCE.randint(1, len(value))
    return rebuilt(value, depth, some, None)


def shorter(value, depth):
    if isinstance(value, dict):
        return rebuilt_as(value, dict(list(value.items())[:-1])) if value else unknown()
    if isinstance(value, (list, tuple, set, frozenset)):
        return rebuilt_as(value, list(value)[:-1]) if value else unknown()
    return leaf(value, lambda number: -number - 1, one_less)


def longer(value, depth):
    if isinstance(value, dict):
        return rebuilt_as(value, dict(value, **{word(7): word(5)}))
    if isinstance(value, (list, tuple, set, frozenset)):
        return rebuilt_as(value, list(value) + [word(7)])
    return leaf(value, lambda number: number + CHANCE.randint(10 ** 5, 10 ** 6), one_more)


def unknown():
    raise Unknown


def near(value):
    return leaf(value, lambda number: number + 1, all_letters)


def far_away(value):
    return leaf(value, lambda number: number + 1000003 * (1 + abs(number)), all_letters)


def other_number(number):
    return number - 1


def rebuilt(value, depth, change, change_leaf):
    """A container with changed parts, of which dictionaries keep their keys."""
    if depth > DEEPEST:
        raise Unknown
    if isinstance(value, dict) and value:
        return rebuilt_as(value, {k: change(v, depth + 1) for k, v in value.items()})
    if isinstance(value, (list, tuple, set, frozenset)) and value:
        return rebuilt_as(value, [change(part, depth + 1) for part in value])
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return longer(value, depth)
    if is_made_of_attributes(value):
        return other_object(value, depth, change)
    return change_leaf(value)


def rebuilt_as(value, parts):
    """A container like `value` of other parts."""
    kind = type(value)
    if kind in (set, frozenset) and is_same_set(value, parts):
        raise Unknown
    if kind in (list, tuple, set, frozenset, dict):
        return kind(parts)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tuple.__new__(kind, parts)
    if isinstance(value, tuple):
        return kind(parts)
    made = copy.copy(value)
    made.clear()
    made.extend(parts) if isinstance(value, list) else made.update(parts)
    return made


def is_same_set(value, parts):
    """Whether changed parts make the same set, as True and False do; of types that cannot lie."""
    return all(type(part) in CANNOT_LIE for part in value) and set(parts) == value


CANNOT_LIE = (type(None), bool, int, float, complex, str, bytes)
LEAVES = (type(None), bool, int, float, complex, str, bytes, bytearray, decimal.Decimal)
LEAVES += (fractions.Fraction, datetime.date, datetime.time, datetime.timedelta, uuid.UUID)
LEAVES += (pathlib.PurePath, type, enum.Enum, PATTERN, range)


def is_made_of_attributes(value):
    if isinstance(value, LEAVES) or is_array(value) or callable(value):
        return False
    kind = type(value)
    known = hasattr(kind, "__attrs_attrs__") or hasattr(kind, "__dataclass_fields__")
    return known or not is_of_a_library(value)


def is_array(value):
    return type(value).__module__.partition(".")[0] in ("numpy", "pandas", "xarray")


def leaf(value, number, text):
    """A value without parts, changed by one of two functions, or as its type wants it."""
    if value is None:
        return CHANCE.choice([0, "", False, word(4)])
    if isinstance(value, bool):
        return not value
    if isinstance(value, enum.Enum):
        return CHANCE.choice([member for member in type(value) if member is not value])
    if isinstance(value, (int, float, complex, decimal.Decimal, fractions.Fraction)):
        return other_amount(value, number)
    if isinstance(value, str):
        return like(value, text(str(value)))
    if isinstance(value, (bytes, bytearray)):
        return type(value)(text(bytes(value).decode("latin-1")).encode("latin-1"))
    return other_special(value)


def other_amount(value, number):
    changed = number(value)
    if changed == value or changed != changed:
        changed = type(value)(7)
    return like(value, changed)


def like(value, changed):
    """The changed value in the type of the old one, where that can be had."""
    if type(changed) is type(value):
        return changed
    try:
        made = type(value)(changed)
    except Exception:
        return changed
    return made if made == changed else changed


def other_special(value):
    if isinstance(value, datetime.timedelta):
        return value + datetime.timedelta(days=400, seconds=61)
    if isinstance(value, datetime.date):
        return value.replace(year=value.year - 3 if value.year > 3 else value.year + 3, day=7)
    if isinstance(value, datetime.time):
        return value.replace(hour=(value.hour + 5) % 24, minute=(value.minute + 7) % 60)
    if isinstance(value, uuid.UUID):
        return uuid.UUID(int=value.int ^ CHANCE.getrandbits(100))
    if isinstance(value, pathlib.PurePath):
        return value / word(6)
    if isinstance(value, PATTERN):
        return re.compile(like_pattern(value.pattern))
    if isinstance(value, range):
        return range(value.stop + 7, value.stop + 8 + len(value))
    if isinstance(value, type):
        return type(value.__name__, (Exception,) if issubclass(value, BaseException) else (), {})
    if is_array(value):
        return ~value if str(getattr(value, "dtype", "")) == "bool" else value + 1
    raise Unknown


def like_pattern(pattern):
    return word(8).encode() if isinstance(pattern, bytes) else word(8)


def other_object(value, depth, change):
    """A copy of which every attribute is another, if that makes a difference to the class."""
    made = copy.copy(value)
    names = list(getattr(value, "__dict__", ()))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    changed = [made is not value and is_set(made, value, name, depth, change) for name in names]
    # Where all of it is changed, a class that finds both equal finds anything equal.
    if not any(changed) or (not all(changed) and made == value):
        raise Unknown
    return made


def is_set(made, value, name, depth, change):
    try:
        object.__setattr__(made, name, change(getattr(value, name), depth + 1))
    except Exception:
        return False
    return True


def word(length):
    return "".join(CHANCE.choice(string.ascii_lowercase) for _ in range(length))


def letter_for(old):
    """A letter or digit in the place of another, whatever its case."""
    if old.isdigit():
        return CHANCE.choice(string.digits.replace(old, "", 1) if old in string.digits else "7")
    choices = [c for c in string.ascii_lowercase if c != old.lower()]
    return CHANCE.choice(choices).upper() if old.isupper() else CHANCE.choice(choices)


def all_letters(text):
    if not any(character.isalnum() for character in text):
        return one_more(text)
    return "".join(letter_for(c) if c.isalnum() else c for c in text)


def one_letter(text):
    places = [place for place, c in enumerate(text) if c.isalnum()]
    if not places:
        return one_more(text)
    place = CHANCE.choice(places)
    return text[:place] + letter_for(text[place]) + text[place + 1 :]


def one_less(text):
    places = [place for place, c in enumerate(text) if c.isalnum()]
    return text[: places[-1]] + text[places[-1] + 1 :] if places else one_more(text)


def one_more(text):
    return text + CHANCE.choice(string.ascii_lowercase)


def unlikely(value):
    """Values of the same type that stand in no text or container by accident."""
    if isinstance(value, str):
        return [value + word(9), word(9) + value, word(len(value) + 9)]
    if isinstance(value, (bytes, bytearray)):
        return [value + word(9).encode(), word(9).encode() + value]
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value + CHANCE.randint(10 ** 9, 10 ** 10), -value - CHANCE.randint(10 ** 9, 10 ** 10)]
    return [made for made in others(value, far=True)]


def without_its_letters(value):
    """A container, or a text, that has nothing of what it held."""
    if isinstance(value, str):
        left = [c for c in string.ascii_letters + string.digits if c not in value]
        return "".join(CHANCE.choice(left) for _ in value) if left else unknown()
    if isinstance(value, dict):
        return {unlikely(key)[0]: part for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)([unlikely(part)[0] for part in value])
    raise Unknown


def foreign():
    """Values that an object of a type of its own has nothing in common with."""
    return [word(6), CHANCE.randint(10 ** 3, 10 ** 4), (word(3),), None]


def is_of_a_library(value):
    path = path_of(value)
    return not path or any(part in path for part in ("/site-packages/", "/dist-packages/", "/lib/python"))


def is_of_the_code(value):
    """Whether a type belongs to the code under test: neither to a library nor to tests."""
    if is_of_a_library(value):
        return False
    *directories, name = path_of(value).split("/")
    tests = name.startswith(("test", "conftest")) or name.endswith(("_test.py", "_tests.py"))
    return not tests and not {"test", "tests", "testing"}.intersection(directories)


def path_of(value):
    """The file in which the type of a value is defined, "" for a built-in one."""
    module = sys.modules.get(type(value).__module__)
    return (getattr(module, "__file__", None) or "").replace("\\", "/")
