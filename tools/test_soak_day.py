"""How the record of a simulated day is judged: `python3 -m unittest discover -s tools`."""
import copy
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
spec = importlib.util.spec_from_file_location("soak_day", ROOT / "tools/bench/soak_day.py")
soak_day = importlib.util.module_from_spec(spec)
spec.loader.exec_module(soak_day)


def hour(number):
    held = {"memory": 100.0 + number, "files": 9, "threads": 3, "children": 1, "memory_all": 150.0, "files_all": 20, "zombies": 0}
    return {"hour": number, "stretch": 0, "programs": {"watch": dict(held), "window": dict(held)}, "left": [], "refused": [],
            "audit": {"ok": True, "rows": 10 * number}, "logs": {"lexforge.log": 4096}, "answers": "ab cd"}


END = {"lost": {}, "left": [], "whole": True, "audit": {"ok": True, "rows": 9}, "hours": 25, "gaps": [60.0, 75.0],
       "log_days": ["2026-03-28", "2026-03-29"], "logs": {"a/lexforge.log": 4096, "a/lexforge.1.log": 524288}}
BACK = {"lost": {}, "left": [], "whole": True, "audit": {"ok": True, "rows": 9}, "back": 1, "gaps": [63.0, 62.0, 66.0], "kept": True,
        "later_counts": True, "refused": [], "programs": {"watch": {"zombies": 0}}}


class SoakDay(unittest.TestCase):
    def test_a_day_on_which_nothing_grows_and_nothing_is_lost_is_held(self):
        self.assertEqual(soak_day.faults_of_hours([hour(n) for n in range(1, 13)]), [])
        self.assertEqual(soak_day.faults_of_end(END), [])
        self.assertEqual(soak_day.faults_of_end(BACK), [])

    def test_each_fault_of_an_hour_is_told(self):
        def changed(last, change):
            rows = [hour(n) for n in range(1, 13)]
            for row in rows[-last:]:
                change(row)
            return soak_day.faults_of_hours(rows)

        for last, words, change in (
                (1, "memory 102.0 MB", lambda row: row["programs"]["watch"].update(memory=123.0)),
                (1, "memory_all", lambda row: row["programs"]["window"].update(memory_all=181.0)),
                (3, "open files", lambda row: row["programs"]["watch"].update(files=10)),
                (1, "dead children", lambda row: row["programs"]["window"].update(zombies=1)),
                (1, "has ended", lambda row: row["programs"].update(watch={"ended": 1})),
                (2, "left tmp/x", lambda row: row["left"].append("tmp/x")),
                (1, "refused ask", lambda row: row["refused"].append("ask")),
                (1, "chain", lambda row: row["audit"].update(ok=False)),
                (1, "bytes long", lambda row: row["logs"].update({"lexforge.log": 600_000})),
                (1, "one too many", lambda row: row["logs"].update({"lexforge.4.log": 1})),
                (1, "other answers", lambda row: row.update(answers="ab ce"))):
            said = changed(last, change)
            self.assertEqual(len(said), 1, (words, said))
            self.assertIn(words, said[0])
        # One look at which more is open is no growth, and what is there at one look was in work.
        self.assertEqual(changed(1, lambda row: row["left"].append("tmp/x")), [])
        self.assertEqual(changed(1, lambda row: row["programs"]["watch"].update(files=10)), [])

    def test_each_fault_of_an_end_is_told(self):
        for row, key, value, words in (
                (END, "lost", {"ask": ["7"]}, "lost: ask"), (END, "left", ["tmp/x"], "left"), (END, "whole", False, "whole"),
                (END, "audit", {"ok": False, "rows": 9}, "chain"), (END, "gaps", [30.0, 75.0], "after 30.0"),
                (END, "gaps", [60.0, 130.0], "not for"), (END, "log_days", ["2026-03-28"], "days"),
                (END, "logs", {"a/lexforge.log": 1}, "renamed"), (BACK, "kept", False, "before"),
                (BACK, "later_counts", False, "earlier"), (BACK, "refused", ["ask"], "refused"),
                (BACK, "programs", {"watch": {"ended": 1}}, "ended"), (BACK, "gaps", [63.0, 190.0], "looked after"),
                (BACK, "gaps", [63.0, 2.0], "looked after"), (BACK, "gaps", [], "looked after")):
            said = soak_day.faults_of_end({**copy.deepcopy(row), key: value})
            self.assertEqual(len(said), 1, (key, said))
            self.assertIn(words, said[0])

    def test_the_day_begins_at_noon_before_the_night_of_the_clock(self):
        noon = soak_day.night()
        later = soak_day.datetime.datetime.fromtimestamp(noon.timestamp() + 86_400, soak_day.ZONE)
        self.assertEqual((noon.hour, later.hour), (12, 13))
        self.assertLess(noon.date(), soak_day.datetime.date.today())


if __name__ == "__main__":
    unittest.main()
