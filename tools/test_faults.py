"""What the fault injector does where Slurm does not go on by itself: `python3 -m unittest discover -s tools`."""
import pathlib
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/bench"))
import faults_care  # noqa: E402


class Site:
    """A cluster that says what it was told to say, and writes down what it was asked."""

    def __init__(self):
        self.jobs, self.queue, self.drained, self.asked = [("7", "name")], "RUNNING|None", "", []

    def taken(self):
        return self.jobs

    def run(self, line, _within=60):
        self.asked.append(line)
        return self.queue + "\n" if line.startswith("squeue") else self.drained if line.startswith("sinfo") else ""


class Product:
    def __init__(self):
        self.asked, self.fails = [], False

    def ask(self, *words):
        self.asked.append(words)
        if self.fails:
            raise RuntimeError("refused")


class Run:
    """A run whose job has said so many events."""

    def __init__(self):
        self.site, self.product, self.before, self.notes, self.said, self.listed = Site(), Product(), 0, [], 0, True

    def events(self):
        return ["event"] * self.said

    def row(self):
        if not self.listed:
            raise RuntimeError("locked")
        return {"id": 3, "state": "running", "notes": ["It counts as running there."]}


class Care(unittest.TestCase):
    def setUp(self):
        self.now, self.run_ = 1000.0, Run()
        clock = mock.patch("faults_care.time.monotonic", lambda: self.now)
        clock.start()
        self.addCleanup(clock.stop)
        self.care = faults_care.Care(self.run_)

    def look(self, after):
        self.now += after
        self.care.look()
        return self.run_.product.asked

    def test_a_machine_that_is_drained_is_taken_back_once_for_all_its_partitions(self):
        self.run_.site.drained = "gpu1\ngpu1\n"
        self.look(6)
        told = [line for line in self.run_.site.asked if line.startswith("scontrol")]
        self.assertEqual(told, ["scontrol update NodeName=gpu1 State=RESUME"])
        self.assertEqual(self.run_.notes, ["gpu1 was drained"])
        # Slurm's own names: all nodes of the cluster are the same host.
        self.assertIn("--format=%N", next(line for line in self.run_.site.asked if line.startswith("sinfo")))

    def test_a_job_that_slurm_holds_is_released(self):
        for reason in ("launch failed requeued held", "launch_failed_requeued_held"):
            self.run_.product.asked.clear()
            self.run_.site.queue = f"PENDING|{reason}"
            self.assertEqual(self.look(6), [("runs", "resume", "a.lexforge", "3", "--detach")])
        self.run_.product.asked.clear()
        for reason in ("Priority", "BeginTime", "JobHeldUser"):
            self.run_.site.queue = f"PENDING|{reason}"
            self.assertEqual(self.look(6), [])

    def test_a_job_that_says_nothing_is_stopped_and_one_that_has_waited_is_not(self):
        self.assertEqual(self.look(6), [])
        self.run_.said = 5
        self.assertEqual(self.look(80), [])
        self.assertEqual(self.look(80), [])
        self.assertEqual(self.look(20), [("runs", "stop", "a.lexforge", "3")])
        self.run_.product.asked.clear()
        self.run_.site.queue = "PENDING|BeginTime"
        self.assertEqual(self.look(300), [])
        self.run_.site.queue = "RUNNING|None"
        self.assertEqual(self.look(60), [])
        # A scheduler that does not answer says nothing of the job.
        self.run_.site.queue = ""
        self.assertEqual(self.look(300), [])

    def test_what_cannot_be_done_is_a_note(self):
        self.run_.product.fails = True
        self.run_.site.queue = "PENDING|launch failed requeued held"
        self.look(6)
        self.assertIn("resume: refused", self.run_.notes)
        self.run_.listed = False
        self.look(6)
        self.assertIn("the runs could not be listed: locked", self.run_.notes)

    def test_nothing_is_asked_more_often_than_every_five_seconds(self):
        self.look(6)
        asked = len(self.run_.site.asked)
        self.look(1)
        self.assertEqual(len(self.run_.site.asked), asked)


if __name__ == "__main__":
    unittest.main()
