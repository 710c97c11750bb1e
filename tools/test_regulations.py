"""What is reckoned of single regulations together: `python3 -m unittest discover -s tools`."""
import importlib.machinery
import importlib.util
import json
import pathlib
import tempfile
import unittest

TOOL = pathlib.Path(__file__).parent / "bench" / "regulations.py"
loader = importlib.machinery.SourceFileLoader("regulations", str(TOOL))
regulations = importlib.util.module_from_spec(importlib.util.spec_from_loader("regulations", loader))
loader.exec_module(regulations)


class Together(unittest.TestCase):
    def test_the_bound_is_that_of_the_tables(self):
        for freedom, bound in [(1, 12.706), (4, 2.776), (9, 2.262), (30, 2.042)]:
            self.assertAlmostEqual(regulations.t_bound(freedom), bound, places=3)

    def test_differences_of_one_sign_have_the_smallest_p_that_there_is(self):
        mean, low, high, p = regulations.together([0.1, 0.2, 0.3, 0.1, 0.15, 0.05])
        self.assertAlmostEqual(mean, 0.15)
        self.assertAlmostEqual(low, 0.0561, places=4)
        self.assertAlmostEqual(high, 0.2439, places=4)
        self.assertAlmostEqual(p, 2 / 2 ** 6)

    def test_of_many_regulations_signs_are_drawn(self):
        self.assertLess(regulations.together([0.1, 0.2, 0.1] * 6)[3], 0.001)

    def test_signs_that_differ_show_nothing(self):
        mean, low, high, p = regulations.together([0.1, -0.2, 0.3])
        self.assertLess(low, 0)
        self.assertGreater(high, 0)
        self.assertAlmostEqual(p, 6 / 8)

    def test_corrected_values_keep_their_order_and_stay_below_one(self):
        self.assertEqual(regulations.holm([0.5, 0.01, 0.6]), [1.0, 0.03, 1.0])

    def test_columns_become_scored_pairs(self):
        rows = '"One, two.",Three.,2.5\nFour.,Five.,0\n'
        for text in (rows, "sentence1,sentence2,score\n" + rows):
            with self.subTest(text), tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                columns = folder / "pairs.csv"
                columns.write_text(text, encoding="utf-8")
                lines = regulations.scored_pairs(columns, folder).read_text(encoding="utf-8").splitlines()
                self.assertEqual(json.loads(lines[0]), {"a": "One, two.", "b": "Three.", "score": 2.5})
                self.assertEqual(len(lines), 2)


if __name__ == "__main__":
    unittest.main()
