"""How runs of the window's tests are read and judged: `python3 -m unittest discover -s tools`."""
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
spec = importlib.util.spec_from_file_location("windows", ROOT / "tools/bench/windows.py")
windows = importlib.util.module_from_spec(spec)
spec.loader.exec_module(windows)


def row(test, passed=True, sources="a1", load=4, beside=0, average=6.0):
    return {"test": test, "passed": passed, "seconds": 2.5, "load": load, "beside": beside, "average": average,
            "sources": sources}


class Windows(unittest.TestCase):
    def test_the_names_are_those_of_the_sources(self):
        found = windows.names()
        self.assertIn("window::from_a_regulation_to_its_report", found)
        self.assertIn("window::reopened::a_run_on_another_machine_goes_on_while_the_window_is_closed", found)
        self.assertEqual(len(found), len(set(found)))
        self.assertGreater(len(found), 25)

    def test_lines_with_which_a_test_has_ended_are_read(self):
        for line, expected in (
                ("        PASS [   0.017s] (1/3) lexforge-tests::it window::graph::seen", ("window::graph::seen", True, 0.017)),
                (" PASS + LEAK [  10.500s] ( 12/303) lexforge-tests::it window::a::b", ("window::a::b", True, 10.5)),
                ("        LEAK [   2.000s] lexforge-tests::it window::a::b", ("window::a::b", True, 2.0)),
                (" FAIL + LEAK [ 167.162s] ( 430/2915) lexforge-tests::it window::a::b", ("window::a::b", False, 167.162)),
                ("     SIGSEGV [   1.250s] (2/3) lexforge-tests::it window::a::b", ("window::a::b", False, 1.25)),
                ("        SLOW [>120.000s] (─────) lexforge-tests::it window::a::b", None),
                (" SLOW + LEAK [ 163.060s] (  84/2915) lexforge-tests::it window::a::b", None),
                ("        PASS [   0.017s] (1/3) lexforge-store::it chain::holds", None),
                ("     Summary [2390.296s] 2915 tests run: 2912 passed", None)):
            self.assertEqual(windows.outcome(line), expected, line)

    def test_those_that_were_run_least_are_next_and_other_sources_do_not_count(self):
        rows = [row("x"), row("x"), row("y"), row("z", sources="b2"), row("z", load=0)]
        counts = windows.done(rows, "a1", 4)
        self.assertEqual(windows.due(["x", "y", "z"], counts, 10), ["z"])
        self.assertEqual(windows.due(["x", "y"], counts, 10), ["y"])
        self.assertEqual(windows.due(["x", "y"], counts, 1), [])

    def test_all_must_be_run_so_often_and_none_may_fail(self):
        rows = [row("x"), row("x"), row("y"), row("y")]
        self.assertTrue(windows.judged(rows, ["x", "y"], "a1", 2, 4)[1])
        self.assertFalse(windows.judged(rows, ["x", "y"], "a1", 3, 4)[1])
        self.assertFalse(windows.judged(rows, ["x", "y", "z"], "a1", 2, 4)[1])
        lines, held = windows.judged([*rows, row("y", passed=False)], ["x", "y"], "a1", 2, 4)
        self.assertFalse(held)
        self.assertIn("     1 of 3 failed: y", lines)

    def test_a_load_of_programs_that_run_already_is_the_same_load_and_is_said(self):
        for load, beside, expected in ((4, 0, 4), (4, 2, 2), (4, 4, 0), (0, 0, 0)):
            self.assertEqual(windows.started(load, beside), expected)
        for load, beside in ((4, 5), (4, -1)):
            self.assertRaises(ValueError, windows.started, load, beside)
        rows = [row("x", average=5.5), row("x", beside=2, average=9.25)]
        lines, held = windows.judged(rows, ["x"], "a1", 2, 4)
        self.assertTrue(held)
        self.assertIn("in 1 of them, part of the load was programs that ran already; load average 5.5 to 9.2", lines)
        alone = windows.judged(rows[:1], ["x"], "a1", 1, 4)[0]
        self.assertFalse(any("already" in line for line in alone), alone)


if __name__ == "__main__":
    unittest.main()
