"""Files of tests that end by `unittest.main()`, guarded by no `if __name__ == "__main__"`.

Run as scripts, they run their tests by it. Imported, it would read the arguments of whoever imports
them, and end the interpreter.
"""

import contextlib
import unittest


@contextlib.contextmanager
def programs_left_out():
    """Have `unittest.main()` do nothing for the time being; many know it by a name of their own."""
    program = unittest.TestProgram
    usual = program.__init__

    def leave_out(self, *args, **kwargs):
        """What a module that is only read would have run."""

    program.__init__ = leave_out
    try:
        yield
    finally:
        program.__init__ = usual
