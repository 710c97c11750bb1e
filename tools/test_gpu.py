"""What tools/bench/gpu keeps, goes on with and prints: `python3 -m unittest discover -s tools`."""
import json
import os
import pathlib
import stat
import struct
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "bench"))
import gpu_checks  # noqa: E402  (found in the folder beside this file)
import gpu_models  # noqa: E402
import gpu_worker  # noqa: E402
from gpu_record import (PART_S, Case, NotRun, OutOfMemory, OutOfTime, Record, counts, run_part,  # noqa: E402
                        table)


class Clock:
    """A clock that stands still until somebody works."""

    def __init__(self):
        self.now, self.until = 0.0, 0.0

    def works(self, seconds, figures=None, why=""):
        def run(_):
            took = min(seconds, self.until - self.now)
            self.now += took
            if took < seconds:
                raise OutOfTime
            return figures or {}, why
        return run


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)


class Parts(Scratch):
    def record(self):
        return Record(self.folder / "state.json", "a card")

    def part(self, cases, clock, seconds=100):
        said = []
        left = run_part(cases, self.record(), clock, seconds, said.append, lambda: clock.now)
        return left, said

    def outcomes(self):
        return {name: entry["outcome"] for name, entry in self.record().state["cases"].items()}

    def test_a_failing_case_hides_no_other_and_each_outcome_has_its_name(self):
        def raises(error):
            def run(_):
                raise error
            return run

        clock = Clock()
        cases = [Case(1, "a", "", raises(KeyError("loss"))), Case(1, "b", "", raises(OutOfMemory("80 GiB were asked for"))),
                 Case(1, "c", "", raises(NotRun("there is 1 card"))), Case(1, "d", "", clock.works(1, why="too far")),
                 Case(1, "e", "", clock.works(1, {"speed": [1234.5, "tokens/s"]}))]
        left, said = self.part(cases, clock)
        self.assertEqual(left, 0)
        self.assertEqual(self.outcomes(), {"a": "failed", "b": "out of memory", "c": "not run", "d": "failed", "e": "passed"})
        self.assertEqual(len(said), 5)
        text = table(self.record(), cases, "2026-01-02")
        self.assertIn("Of 5 cases 1 passed, 2 failed, 1 out of memory, 1 not run.", text)
        self.assertIn("| e | 1 | passed | speed 1,234 tokens/s |", text)
        self.assertIn("- b: out of memory: 80 GiB were asked for", text)
        self.assertIn("- c: not run: there is 1 card", text)

    def test_a_part_ends_in_its_time_and_goes_on_where_it_stopped(self):
        clock, run = Clock(), []
        def works(name):
            work = clock.works(40)
            return lambda bench: (run.append(name), work(bench))[1]
        cases = [Case(1, name, "", works(name), usual=40, limit=60) for name in "abc"]
        self.assertEqual(self.part(cases, clock)[0], 1)
        self.assertLessEqual(clock.now, 100)
        self.assertEqual(counts(self.record(), cases)["still to run"], 1)
        self.assertIn("| c | 1 | 1 still to run |", table(self.record(), cases, ""))
        self.assertEqual(self.part(cases, clock)[0], 0)
        self.assertEqual(run, ["a", "b", "c"])

    def test_what_the_end_of_a_part_cut_is_tried_once_more(self):
        clock = Clock()
        cases = [Case(1, "first", "", clock.works(70)), Case(1, "slow", "", clock.works(150), usual=10, limit=200),
                 Case(1, "after", "", clock.works(1), usual=1)]
        self.assertEqual(self.part(cases, clock)[0], 2)
        self.assertEqual(self.outcomes(), {"first": "passed"})
        self.assertEqual(self.part(cases, clock, 100)[0], 1)
        self.assertEqual(self.outcomes()["slow"], "failed")
        self.assertEqual(self.part(cases, clock, 100)[0], 0)
        self.assertIn("took longer than 100 s", table(self.record(), cases, ""))

    def test_a_case_has_its_own_limit(self):
        clock = Clock()
        self.assertEqual(self.part([Case(1, "hangs", "", clock.works(90), limit=50)], clock)[0], 0)
        self.assertEqual((self.outcomes(), clock.now), ({"hangs": "failed"}, 50))

    def test_figures_of_another_machine_are_not_mixed_in(self):
        self.part([Case(1, "a", "", Clock().works(0))], Clock())
        with self.assertRaises(SystemExit) as refused:
            Record(self.folder / "state.json", "another card")
        self.assertIn("another card", str(refused.exception))

    def test_the_table_has_the_largest_figure_of_a_check(self):
        clock = Clock()
        cases = [Case(1, "values", name, clock.works(1, {"difference": [far, ""]}))
                 for name, far in (("qwen3", 2e-5), ("llama", 3e-4), ("bert", 1e-6))]
        self.part(cases, clock)
        self.assertIn("| values | 3 | 3 passed | difference 3.0e-04 |", table(self.record(), cases, ""))


class Checks(unittest.TestCase):
    def test_every_check_has_a_name_of_its_own_and_a_part_of_three(self):
        for small in (True, False):
            cases = gpu_checks.all_cases(small)
            self.assertEqual(len({case.key for case in cases}), len(cases))
            self.assertEqual({case.part for case in cases}, {1, 2, 3})
            self.assertTrue(all(case.usual <= case.limit <= PART_S for case in cases))
            for part in (1, 2, 3):
                self.assertLess(sum(case.usual for case in cases if case.part == part), PART_S, f"part {part}")

    def test_a_difference_is_judged_and_a_missing_or_endless_value_is_an_error(self):
        self.assertEqual(gpu_checks.apart([1.0, 20.0], [1.5, 10.0]), 1.0)
        self.assertEqual(gpu_checks.judged("d", 0.5, 0.5)[1], "")
        self.assertIn("above", gpu_checks.judged("d", 0.6, 0.5)[1])
        for found in ([1.0], [1.0, float("nan")]):
            self.assertRaises(RuntimeError, gpu_checks.apart, found, [1.0, 2.0])


class Worker(Scratch):
    def test_a_lack_of_memory_is_told_apart_from_other_failures(self):
        with self.assertRaises(OutOfMemory) as lacked:
            gpu_worker.checked(1, "", "error[out_of_memory]: The device has too little memory.\nhint: micro_batch = 2\n")
        self.assertIn("micro_batch = 2", str(lacked.exception))
        with self.assertRaisesRegex(RuntimeError, "signal 9"):
            gpu_worker.checked(-9, "", "")
        self.assertEqual(gpu_worker.checked(0, "out", "noise"), "out")

    def test_an_installed_pytorch_serves_where_it_is_of_the_workers_version(self):
        (self.folder / "torch").mkdir()
        cuda = self.folder / "nvidia" / "cu13" / "lib"
        cuda.mkdir(parents=True)
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = str(self.folder)
        self.addCleanup(lambda: os.environ.pop("PYTHONPATH") if before is None else
                        os.environ.__setitem__("PYTHONPATH", before))
        for version, expected in ((f"{gpu_worker.LIBTORCH}.0+cu130", [self.folder / "torch/lib", cuda]), ("2.8.0", [])):
            (self.folder / "torch/__init__.py").write_text(f"__version__ = {version!r}{' ' * len(version)}\n")
            self.assertEqual(gpu_worker.library_folders(None), expected)
        self.assertEqual(gpu_worker.library_folders(cuda), [cuda])

    def test_steps_count_once_whatever_was_repeated(self):
        lines = [{"event": "progress", "stage": "load", "step": 0, "loss": None, "memory_mb": 50.0, "time": 0.0}]
        for step, at in ((1, 5.0), (2, 6.0), (2, 9.0), (3, 8.0), (4, 9.0)):
            lines.append({"event": "progress", "step": step, "loss": 1 / step, "time": at, "tokens_per_s": 100.0 * step})
        (self.folder / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"torn')
        self.assertEqual(gpu_worker.losses(self.folder), [1, 1 / 2, 1 / 3, 1 / 4])
        self.assertEqual(gpu_worker.pace(self.folder), (1.0, 300.0))
        self.assertEqual(gpu_worker.resident_before(self.folder), 50.0)

    @unittest.skipUnless(os.name == "posix", "a script stands for nvidia-smi")
    def test_the_card_that_grows_most_counts_over_what_it_held_before(self):
        program = self.folder / "nvidia-smi"
        used = self.folder / "used"
        program.write_text(f"#!/bin/sh\ncat {used}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        used.write_text("70000\n300\n")
        before = os.environ["PATH"]
        os.environ["PATH"] = f"{self.folder}{os.pathsep}{before}"
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        with gpu_worker.CardMemory() as card:
            whole = self.folder / "next"
            whole.write_text("70100\n900\n")
            whole.replace(used)
            until = time.monotonic() + 10
            while card.peak < 600 and time.monotonic() < until:
                time.sleep(0.01)
        self.assertEqual(card.peak, 600)


class Models(Scratch):
    def test_the_formula_gives_the_recorded_weights(self):
        # As models/tests/it/common/formula.rs computes them.
        values = gpu_models.formula("model.norm.weight", [4])
        self.assertTrue(all(0.9 <= value <= 1.1 for value in values))
        self.assertEqual(len(set(values)), 4)
        self.assertTrue(all(abs(value) <= struct.unpack("f", struct.pack("f", 0.3))[0]
                            for value in gpu_models.formula("a.q_proj.weight", [8, 8])))

    def test_a_random_model_is_a_whole_safetensors_file_of_moderate_numbers(self):
        config, shapes = gpu_models.decoder((32, 8, 16, 1, 2, 1, 4, 16))
        gpu_models.fill(self.folder / "m", config, shapes, gpu_models.BF16)
        data = (self.folder / "m/model.safetensors").read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + length])
        self.assertEqual(set(header), set(shapes))
        self.assertEqual(max(entry["data_offsets"][1] for entry in header.values()), len(data) - 8 - length)
        begin, end = header["lm_head.weight"]["data_offsets"]
        bits = struct.unpack(f"<{(end - begin) // 2}H", data[8 + length + begin:8 + length + end])
        numbers = [struct.unpack("f", struct.pack("<I", bit << 16))[0] for bit in bits]
        self.assertTrue(all(1 / 128 <= abs(value) < 1 / 32 for value in numbers))
        self.assertTrue(any(value < 0 for value in numbers) and any(value > 0 for value in numbers))
        begin = header["model.norm.weight"]["data_offsets"][0] + 8 + length
        self.assertEqual(data[begin:begin + 4], b"\x80\x3f\x80\x3f")

    def test_an_embed_jobs_rows_are_read(self):
        path = self.folder / "v.safetensors"
        pieces = lambda: [struct.pack("<6f", *range(6))]
        gpu_models.write_safetensors(path, {"embeddings": ([3, 2], pieces)}, gpu_models.FP32)
        self.assertEqual([list(row) for row in gpu_models.read_rows(path)], [[0, 1], [2, 3], [4, 5]])


if __name__ == "__main__":
    unittest.main()
