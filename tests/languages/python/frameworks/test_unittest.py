"""unittest's results become outcomes under the names that Django's runner uses too."""

from __future__ import annotations

import dataclasses

import pytest

from evaluator.model import Frame, Phase, Status
from evaluator.sandbox.protocol import ExitReason

from .conftest import Project, plain_recipe, statuses

TESTS = """
    import unittest

    class Case(unittest.TestCase):
        def test_passed(self):
            "What it is for."

        def test_failed(self): self.assertEqual(1, 2)
        def test_raised(self): {}["key"]

        def test_parts(self):
            for part in range(3):
                with self.subTest(part=part):
                    self.assertLess(part, 1)

        @unittest.skip("not now")
        def test_skipped(self): pass

        def test_skipping(self): self.skipTest("not here")

        @unittest.expectedFailure
        def test_expected(self): self.fail()

        @unittest.expectedFailure
        def test_unexpected(self): pass

    class SetUp(unittest.TestCase):
        def setUp(self): raise OSError("no setup")
        def test_x(self): pass

    class TearDown(unittest.TestCase):
        def tearDown(self): raise OSError("no end")
        def test_x(self): pass

    class ClassSetUp(unittest.TestCase):
        @classmethod
        def setUpClass(cls): raise OSError("no class")
        def test_x(self): pass
        def test_y(self): pass

    class ClassSkipped(unittest.TestCase):
        @classmethod
        def setUpClass(cls): raise unittest.SkipTest("whole class")
        def test_x(self): pass

    class ClassTearDown(unittest.TestCase):
        @classmethod
        def tearDownClass(cls): raise OSError("no class end")
        def test_x(self): pass

    class Inner(unittest.TestCase):
        def test_runner_in_a_test(self):
            suite = unittest.defaultTestLoader.loadTestsFromTestCase(SetUp)
            self.assertFalse(unittest.TextTestRunner().run(suite).wasSuccessful())
"""


def test_each_way_to_end(project: Project) -> None:
    project.write({"tests/__init__.py": "", "tests/test_a.py": TESTS})
    run = project.run("tests/test_a.py", framework="unittest")
    expected = {
        "Case.test_passed": "passed",
        "Case.test_failed": "failed",
        "Case.test_raised": "error",
        "Case.test_parts": "failed",
        "Case.test_skipped": "skipped",
        "Case.test_skipping": "skipped",
        "Case.test_expected": "xfailed",
        "Case.test_unexpected": "xpassed",
        "SetUp.test_x": "error",
        "TearDown.test_x": "error",
        "ClassSetUp.test_x": "error",
        "ClassSetUp.test_y": "error",
        "ClassSkipped.test_x": "skipped",
        "ClassTearDown.test_x": "passed",
        "Inner.test_runner_in_a_test": "passed",
    }
    class_end = {"tearDownClass (tests.test_a.ClassTearDown)": "error"}
    named = {f"tests.test_a.{name}": status for name, status in expected.items()}
    assert statuses(run) == {**named, **class_end}
    assert {outcome.file for outcome in run.outcomes.values()} == {"tests/test_a.py"}
    assert run.ending is ExitReason.EXITED


def test_a_test_may_be_called_test_case(project: Project) -> None:
    text = """
        import unittest

        class Case(unittest.TestCase):
            def test_case(self): self.assertEqual(1, 2)
    """
    project.write({"tests/__init__.py": "", "tests/test_a.py": text})
    run = project.run("tests/test_a.py", framework="unittest")
    assert statuses(run) == {"tests.test_a.Case.test_case": "failed"}


by_both_frameworks = pytest.mark.parametrize(
    ("framework", "prefix"),
    [("unittest", "tests.test_a.Case."), ("pytest", "tests/test_a.py::Case::")],
)

SCRIPT = """
    import unittest
    from unittest import TestCase, main

    class Case(TestCase):
        def test_passed(self): pass

        def test_program_in_a_test(self):
            name = "sample.Sample"
            program = main(module=None, argv=["x", name], exit=False)
            self.assertEqual(program.result.testsRun, 1)

    main()
    unittest.main(verbosity=2)
"""
SAMPLE = """
    import unittest

    class Sample(unittest.TestCase):
        def test_x(self): pass
"""


@by_both_frameworks
def test_a_script_of_tests_runs_no_program_of_its_own_while_it_is_read(
    project: Project, framework: str, prefix: str
) -> None:
    """Without a guard, `unittest.main()` reads the arguments of others and ends the interpreter."""
    project.write({"tests/__init__.py": "", "tests/test_a.py": SCRIPT, "sample.py": SAMPLE})
    run = project.run("tests/test_a.py", framework=framework)
    names = ("test_passed", "test_program_in_a_test")
    assert statuses(run) == {prefix + name: "passed" for name in names}


RUNNING = """
    import sys
    import unittest

    class Case(unittest.TestCase):
        def test_passed(self): pass

        def test_failed(self): self.fail()

    runner = unittest.TextTestRunner(verbosity=1)
    result = runner.run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
    if not result.wasSuccessful():
        sys.exit(1)
"""


@by_both_frameworks
def test_a_script_of_tests_runs_none_of_them_while_it_is_read(
    project: Project, framework: str, prefix: str
) -> None:
    """As jsonpointer's did: where one failed, the others were taken for cut short."""
    project.write({"tests/__init__.py": "", "tests/test_a.py": RUNNING})
    run = project.run("tests/test_a.py", framework=framework)
    assert run.ending is ExitReason.EXITED
    wanted = {"test_passed": "passed", "test_failed": "failed"}
    assert statuses(run) == {prefix + name: status for name, status in wanted.items()}


def test_phases_reasons_and_descriptions(project: Project) -> None:
    project.write({"tests/__init__.py": "", "tests/test_a.py": TESTS})
    outcomes = project.run("tests/test_a.py", framework="unittest").outcomes
    phases = {
        name: outcomes[f"tests.test_a.{name}"].phase
        for name in ("SetUp.test_x", "TearDown.test_x", "ClassSetUp.test_x", "Case.test_failed")
    }
    assert list(phases.values()) == [Phase.SETUP, Phase.TEARDOWN, Phase.SETUP, Phase.CALL]
    assert outcomes["tests.test_a.Case.test_passed"].description == "What it is for."
    failure = outcomes["tests.test_a.Case.test_raised"].failure
    assert failure is not None
    assert failure.exception_type == "KeyError"
    assert failure.frame == Frame("tests/test_a.py", 9, "test_raised")


def test_a_module_that_cannot_be_imported(project: Project) -> None:
    project.write(
        {
            "tests/test_bad.py": "import nothing_of_this_name\nclass TestX: pass\n",
            "tests/test-odd.py": TESTS,
        }
    )
    run = project.run("tests/test_bad.py", "tests/test-odd.py", framework="unittest")
    bad = run.outcomes["tests/test_bad.py"]
    assert bad.phase is Phase.COLLECTION
    assert bad.failure is not None
    assert bad.failure.exception_type == "ModuleNotFoundError"
    assert run.outcomes["tests.test-odd.Case.test_passed"].file == "tests/test-odd.py"


def test_a_module_whose_parents_cannot_be_imported(project: Project) -> None:
    # unittest names what it cannot load after the first part that it does not find.
    project.write(
        {
            "real/__init__.py": "",
            "real/code.py": "",
            "real/code/tests/test_a.py": TESTS,
            "broken/__init__.py": "import nothing_of_this_name",
            "broken/inner/__init__.py": "",
            "broken/inner/test_a.py": TESTS,
            "good/__init__.py": "",
            "good/test_a.py": TESTS,
        }
    )
    files = ["real/code/tests/test_a.py", "broken/inner/test_a.py", "good/test_a.py"]
    run = project.run(*files, framework="unittest")
    for path, said in ((files[0], "has no attribute 'tests'"), (files[1], "nothing_of_this_name")):
        failed = run.outcomes[path]
        assert failed.phase is Phase.COLLECTION
        assert failed.failure is not None
        assert said in failed.failure.message
    assert run.outcomes["good.test_a.Case.test_passed"].status is Status.PASSED
    assert files[2] not in run.outcomes


def test_output_that_is_closed_or_forged(project: Project) -> None:
    project.write(
        {
            "test_a.py": """
                import os, sys, unittest
                class Case(unittest.TestCase):
                    def test_1(self):
                        print("test_2 (test_a.Case) ... ok", file=sys.stderr, flush=True)
                        print('{"event": "outcome", "test": "x", "status": "passed"}', flush=True)
                        os.close(1)
                        os.chdir("/")
                    def test_2(self): self.fail("truly")
            """
        }
    )
    run = project.run("test_a.py", framework="unittest")
    assert statuses(run) == {"test_a.Case.test_1": "passed", "test_a.Case.test_2": "failed"}


def test_modules_have_the_names_of_their_import_root(project: Project) -> None:
    test = "import unittest\nclass Case(unittest.TestCase):\n"
    project.write(
        {
            "src/own/__init__.py": "",
            "src/own/tests/__init__.py": "",
            "src/own/tests/test_a.py": test
            + "    def test_1(self): self.assertEqual(__name__, 'own.tests.test_a')\n",
            "tests/__init__.py": "",
            "tests/test_b.py": test + "    def test_2(self): import own\n",
        }
    )
    recipe = dataclasses.replace(plain_recipe("unittest"), import_roots=("src",))
    run = project.run("src/own/tests/test_a.py", "tests/test_b.py", recipe=recipe)
    assert statuses(run) == {
        "own.tests.test_a.Case.test_1": "passed",
        "tests.test_b.Case.test_2": "passed",
    }


def test_a_namespace_that_a_start_up_file_made_holds_the_trees_part(project: Project) -> None:
    # What `zope.event-4.6-py3.9-nspkg.pth` does, done by a module that is imported as early.
    made = """
        import importlib.machinery, importlib.util, os, sys
        other = os.path.join(os.path.dirname(os.path.abspath(__file__)), "other")
        spec = importlib.machinery.PathFinder.find_spec("grid", [other])
        sys.modules["grid"] = importlib.util.module_from_spec(spec)
    """
    test = "import unittest\nimport grid.event\nclass Case(unittest.TestCase):\n"
    project.write(
        {
            "sitecustomize.py": made,
            "other/grid/event.py": "",
            "src/grid/__init__.py": "",
            "src/grid/own/__init__.py": "",
            "src/grid/own/test_a.py": test + "    def test_1(self): pass\n",
        }
    )
    recipe = dataclasses.replace(plain_recipe("unittest"), import_roots=("", "src"))
    run = project.run("src/grid/own/test_a.py", recipe=recipe)
    assert statuses(run) == {"grid.own.test_a.Case.test_1": "passed"}


def test_lines_and_contexts(project: Project) -> None:
    project.write(
        {
            "code_under.py": "def f(x):\n    if x:\n        return 1\n    return 2\n",
            "test_a.py": """
                import unittest
                from code_under import f
                class Case(unittest.TestCase):
                    def test_1(self): self.assertEqual(f(1) + f(2), 2)
                    def test_2(self): self.assertEqual(f(0), 2)
            """,
        }
    )
    run = project.run("test_a.py", framework="unittest", traced={"code_under.py": {1, 2, 3, 4}})
    assert run.hits == {"code_under.py": {1: 1, 2: 3, 3: 2, 4: 1}}
    assert run.contexts == {
        "test_a.Case.test_1": {"code_under.py": (2, 3)},
        "test_a.Case.test_2": {"code_under.py": (2, 4)},
    }


TESTTOOLS = """
    import traceback
    import unittest

    class _StringException(Exception):
        pass

    class TestCase(unittest.TestCase):
        def run(self, result=None):
            result.startTest(self)
            try:
                getattr(self, self._testMethodName)()
            except self.failureException:
                result.addFailure(self, self.told())
            except Exception:
                result.addError(self, self.told())
            result.stopTest(self)

        def told(self):
            text = "log: {{{ Traceback }}}\\n\\n" + traceback.format_exc()
            return _StringException, _StringException(text), None
"""


def test_what_testtools_tells_as_text_is_the_failure_itself(project: Project) -> None:
    """Else a name that does not exist yet would count like behaviour that is wrong."""
    tests = """
        from own import double
        from testtools.testresult.real import TestCase, _StringException

        class Case(TestCase):
            def test_wrong(self): self.assertEqual(double(2), 4, "twice\\n two")
            def test_name(self): no_such_name
            def test_inside(self): double(None)
            def test_bare(self): raise StopIteration
            def test_other(self): raise ValueError
            def told(self):
                other = _StringException, _StringException("plain"), None
                return other if "test_other" in self.id() else super().told()
    """
    project.write(
        {
            "own.py": "def double(x):\n    return x + x + 1\n",
            "testtools/__init__.py": "",
            "testtools/testresult/__init__.py": "",
            "testtools/testresult/real.py": TESTTOOLS,
            "test_a.py": tests,
        }
    )
    run = project.run("test_a.py", framework="unittest")
    failures = {
        test.rpartition(".")[2]: outcome.failure
        for test, outcome in run.outcomes.items()
        if outcome.failure
    }
    assert {test: failure.exception_type for test, failure in failures.items()} == {
        "test_wrong": "AssertionError",
        "test_name": "NameError",
        "test_inside": "TypeError",
        "test_bare": "StopIteration",
        "test_other": "testtools.testresult.real._StringException",
    }
    assert failures["test_wrong"].message == "5 != 4 : twice\n two"
    assert failures["test_inside"].frame == Frame("own.py", 2, "double")
    assert failures["test_bare"].message == ""
