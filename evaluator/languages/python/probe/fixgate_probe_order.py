"""Another order of tests for each seed; seed 0 leaves them as they are.

Tests of one class, and classes of one module, stay together: what is set up once for them is still
set up once.
"""

import hashlib
import unittest


def place(seed, name):
    """What a name is sorted by: the same for the same seed, and unrelated between seeds."""
    text = "%d %s" % (seed, name)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def nested(seed, name):
    """What a pytest node id is sorted by: its file, then its class, then the test itself."""
    parts = name.split("::")
    return [place(seed, "::".join(parts[: end + 1])) for end in range(len(parts))]


def reorder_loaded(seed):
    """Sort what unittest's loaders load from now on; returns what ends that.

    Django builds its suites with them too, and keeps their order within each kind of test.
    """
    loader = unittest.TestLoader
    usual = loader.sortTestMethodsUsing, loader.loadTestsFromModule

    def compare(one, other):
        return (place(seed, one) > place(seed, other)) - (place(seed, one) < place(seed, other))

    def load(self, module, *args, **kwargs):
        suite = usual[1](self, module, *args, **kwargs)
        if type(suite) is unittest.TestSuite:
            suite._tests.sort(key=lambda members: place(seed, first_id(members)))
        return suite

    def end():
        loader.sortTestMethodsUsing, loader.loadTestsFromModule = staticmethod(usual[0]), usual[1]

    if seed:
        loader.sortTestMethodsUsing, loader.loadTestsFromModule = staticmethod(compare), load
    return end


def first_id(test):
    """The name of a test, or that of the first one in a suite."""
    while isinstance(test, unittest.TestSuite):
        test = next(iter(test), None)
    return "" if test is None else test.id()
