"""Notices objects that are equal and have different hashes: sets take them for two.

https://docs.python.org/3/reference/datamodel.html#object.__hash__
"""


def note_hashes(line, first, second):
    """Note a line in which two objects of one class of the code are equal, and their hashes not.

    A class that keeps the hash of every object's own identity says so on purpose.
    """
    hashing = type(first).__hash__
    own = hashing is not None and hashing is not object.__hash__
    if own and type(first) is type(second) and is_of_the_code(first) and differ(first, second):
        RECORD.unlike.append(str(line))


def differ(first, second):
    try:
        return bool(first == second) and hash(first) != hash(second)
    except Exception:
        return False
