"""What the summary of a test run says: `python3 -m unittest discover -s tools`."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import summary  # noqa: E402  (found beside this file)

JUNIT = """<testsuites><testsuite name="lexforge-store::it">
<testcase name="chain::holds" time="2.5"/><testcase name="disks::full" time="12.25"/></testsuite></testsuites>"""
NOTES = "missing\ta::b\tthe data\nmissing\ta::c\tthe data\nmissing\ta::b\tthe data\nunavailable\td\ta GPU\ntorn"


class Summary(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def file(self, name, text):
        path = pathlib.Path(self.scratch.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def test_the_slowest_come_first_and_each_skipped_test_counts_once(self):
        lines = summary.report(self.file("junit.xml", JUNIT), self.file("skipped.tsv", NOTES), ["61 build: units"])
        text = "\n".join(lines)
        self.assertIn("    61 s  build: units", text)
        self.assertLess(text.index("disks::full"), text.index("chain::holds"))
        self.assertIn("== 2 skipped: something is missing", text)
        self.assertIn("     2 ×  the data", text)
        self.assertIn("== 1 skipped: few machines", text)

    def test_times_are_summed_by_room(self):
        rooms = summary.by_room([(4.0, "a::it", "window::x"), (2.0, "a::it", "window::y::z"), (3.0, "b", "u::v"), (2.5, "b", "w")])
        self.assertEqual(rooms, [(6.0, 2, "a::it window"), (5.5, 2, "b")])

    def test_a_run_that_ended_before_its_tests_says_so_much(self):
        lines = summary.report("absent.xml", "absent.tsv", [])
        self.assertEqual(sum("0 skipped" in line for line in lines), 2)
        self.assertFalse(any("slowest" in line for line in lines))


if __name__ == "__main__":
    unittest.main()
