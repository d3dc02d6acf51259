"""Tries what is compared with other expected values, and goes on as if nothing had been.

A claim must not hold with another value than the expected one: where it does, what it is about says
yes to anything. Other values come first, the right one last, so that what is compared cannot know
which it is.
"""

import copy
import operator
import warnings

LONGEST = 10 ** 5
OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda part, whole: part in whole,
    "not in": lambda part, whole: part not in whole,
}
PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None))


def truth(line, value):
    """`assert value`: what is true is not false, which no value can deny."""
    if RECORD.may_try((line, "truth")):
        RECORD.note(line, [False])
    return value


def compare(line, counted, literals, signs, *operands):
    """`a == b`, `a < b <= c`; `literals` are the places of operands that stand there as constants."""
    result = True
    for place, sign in enumerate(signs):
        sides = [side for side in (0, 1) if place + side in literals]
        sides = sides if len(sides) == 1 else [0, 1]
        result = compared(line, counted, sides, sign, operands[place], operands[place + 1])
        if place + 1 < len(signs) and not result:
            break
    return result


def compared(line, counted, sides, sign, left, right):
    compares = OPERATORS[sign]
    if not RECORD.may_try((line, sign)):
        return compares(left, right)
    left, right = kept(left, sign), kept(right, sign)
    trials = [tried(compares, *trial) for trial in trials_of(sign, sides, left, right)]
    opposite = [tried(compares, *trial) for trial in opposites_of(sign, left, right)]
    result = compares(*fresh(left, right))
    if sign == "==":
        note_hashes(line, left, right)
    if counted or is_plain(result):
        RECORD.note(line, results_of(sign, is_true(result), trials, opposite), counted)
    return result


def results_of(sign, truth, trials, opposite):
    """The trials of what a comparison turned out to claim, and whether that held in each."""
    if sign in ("is", "is not"):
        return [False]
    negated = sign in ("!=", "not in")
    return [
        None if found is None else found is truth for found in (trials if truth ^ negated else opposite)
    ]


class Kept:
    """An iterator that can be read again and again."""

    def __init__(self, values):
        self.values = values


def kept(value, sign):
    if sign in ("in", "not in") and hasattr(type(value), "__next__"):
        return Kept([part for part, _ in zip(value, range(LONGEST))])
    return value


def fresh(*values):
    return [iter(value.values) if isinstance(value, Kept) else value for value in values]


def trials_of(sign, sides, left, right):
    """The operands that are not equal, not in the other, not in this order."""
    if sign in ("in", "not in"):
        return membership(sides, left, right)
    if sign in ("==", "!="):
        return equality(sides, left, right)
    return ordering(sign, sides, left, right) if sign[0] in "<>" else ()


def opposites_of(sign, left, right):
    """The operands that are equal, or of which one holds the other."""
    if sign in ("==", "!="):
        for value in (left, right):
            if is_of_the_code(value) or tried(operator.eq, value, value):
                yield value, value
    elif sign in ("in", "not in"):
        yield left, right + left if isinstance(right, (str, bytes)) else [left]
        if isinstance(right, (str, bytes, list, dict, set)):
            yield from ((part, right) for part in ([right] if isinstance(right, (str, bytes)) else list(right)[:1]))


def equality(sides, left, right):
    far = any(is_tolerant(value) for value in (left, right))
    if any(is_snapshot(value) for value in (left, right)):
        sides = [1] if is_snapshot(left) else [0]
    if len(sides) > 1:
        sides = [side for side in sides if not has_matcher((right, left)[side])]
    if 0 in sides:
        for value in in_place_of(left, far):
            yield value, right
    if 1 in sides:
        for value in in_place_of(right, far):
            yield left, value


def in_place_of(value, far=False):
    """What may stand in the place of an expected value."""
    if is_tolerant(value):
        return tolerant_others(value)
    found = others(value, far)
    return found + foreign() if is_of_the_code(value) else found


def has_matcher(value):
    """Whether a part of a value says itself what it equals, like `unittest.mock.ANY`."""
    seen, waiting = {}, [value]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen[id(part)] = part  # Held, so that no later value gets its id.
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, (list, tuple)):
            waiting += part
        elif is_matcher(part):
            return True
    return False


def is_matcher(value):
    asked = type(value).__module__.startswith(("unittest", "mock", "dirty_equals"))
    return asked and not is_tolerant(value)


def is_snapshot(value):
    """Whether it compares with what was stored for its next comparison (syrupy)."""
    return type(value).__module__.partition(".")[0] == "syrupy" and hasattr(value, "executions")


def apart(value):
    """A snapshot of which a comparison does not count."""
    if not is_snapshot(value):
        return value
    made = copy.copy(value)
    for name, part in vars(value).items():
        if isinstance(part, (dict, list)):
            setattr(made, name, dict(part) if isinstance(part, dict) else [])
    return made


def is_tolerant(value):
    return type(value).__name__.startswith("Approx")


def tolerant_others(value):
    try:
        made = type(value)(others(value.expected, far=True)[0], rel=value.rel, abs=value.abs)
    except Exception:
        return []
    return [made]


def membership(sides, left, right):
    if sides != [1]:
        for value in unlikely(left):
            yield value, right
        return
    try:
        yield left, without_its_letters(right)
    except Exception:
        return


def ordering(sign, sides, left, right):
    if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)):
        less = left if sign.startswith("<") else right
        if less:
            changed = without_its_letters(less)
            yield (changed, right) if less is left else (left, changed)
    elif "=" not in sign:
        yield left, left
        yield right, right
    else:
        change = (1 if sign.startswith("<") else -1) * 10 ** 12
        if isinstance(right, (int, float)) and 1 in sides:
            yield left, right - change * (1 + abs(right))
        if isinstance(left, (int, float)) and 0 in sides:
            yield left + change * (1 + abs(left)), right


def tried(function, *arguments):
    """Whether a comparison holds; None where it cannot be made."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return is_true(function(*fresh(*map(apart, arguments))))
    except Exception:
        return None


def is_plain(result):
    return isinstance(result, PLAIN) or type(result).__module__ == "numpy"


def is_true(result):
    """The truth of a comparison, of all its parts where it is an array."""
    try:
        return bool(result)
    except ValueError:
        while hasattr(result, "all"):
            result = result.all()
        return bool(result)
