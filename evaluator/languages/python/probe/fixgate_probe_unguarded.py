"""Files of tests that end by running them, guarded by no `if __name__ == "__main__"`.

They do so as scripts. Imported, `unittest.main()` would read the arguments of whoever imports them,
and end the interpreter; so does what many have behind a text runner: `if failed: sys.exit(1)`.
"""

import contextlib
import unittest


@contextlib.contextmanager
def programs_left_out():
    """Have `unittest.main()` and text runners run nothing for the time being.

    Many know them by names of their own. What a runner answers is a success without tests.
    """
    program, runner = unittest.TestProgram, unittest.TextTestRunner
    usual_program, usual_run = program.__init__, runner.run

    def leave_out(self, *args, **kwargs):
        """What a module that is only read would have run."""

    program.__init__ = leave_out
    runner.run = lambda self, suite: unittest.TestResult()
    try:
        yield
    finally:
        program.__init__, runner.run = usual_program, usual_run
