"""What may go wrong while something is fetched: `python3 -m unittest discover -s tools`."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import fetch  # noqa: E402  (found beside this file)

PINS = {"thing==1.0": "aa"}


class Install(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name) / "cache" / "thing"

    def install(self, text="whole", pins=PINS):
        with contextlib.redirect_stdout(io.StringIO()):
            fetch.install(self.folder, pins, 0, lambda into, _: (into / "file").write_text(text))

    def test_what_was_installed_is_whole(self):
        self.assertFalse(fetch.is_whole(self.folder, PINS))
        self.install()
        self.assertTrue(fetch.is_whole(self.folder, PINS))
        self.assertEqual([p.name for p in self.folder.parent.iterdir()], ["thing"])

    def test_other_pins_short_and_missing_files_are_not_whole(self):
        self.install()
        self.assertFalse(fetch.is_whole(self.folder, {"thing==1.1": "bb"}))
        (self.folder / "file").write_text("who")
        self.assertFalse(fetch.is_whole(self.folder, PINS))
        (self.folder / "file").unlink()
        self.assertFalse(fetch.is_whole(self.folder, PINS))

    def test_a_folder_that_somebody_unpacked_by_hand_is_replaced(self):
        self.folder.mkdir(parents=True)
        (self.folder / "file").write_text("by hand")
        self.assertFalse(fetch.is_whole(self.folder, PINS))
        self.install()
        self.assertEqual((self.folder / "file").read_text(), "whole")

    def test_a_broken_off_attempt_leaves_what_was_there_and_is_cleared_away(self):
        self.install()

        def break_off(into, _):
            (into / "file").write_text("half")
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            fetch.install(self.folder, {"thing==2.0": "cc"}, 0, break_off)
        self.assertTrue(fetch.is_whole(self.folder, PINS))
        self.assertEqual((self.folder / "file").read_text(), "whole")
        self.install("newer", {"thing==2.0": "cc"})
        self.assertEqual((self.folder / "file").read_text(), "newer")
        self.assertEqual([p.name for p in self.folder.parent.iterdir()], ["thing"])

    def test_a_full_disk_is_said_before_anything_is_fetched(self):
        with self.assertRaises(SystemExit) as said:
            fetch.install(self.folder, PINS, 10**9, lambda *_: self.fail("it began"))
        self.assertIn("hint: free some space", str(said.exception))


class Licence(unittest.TestCase):
    def test_texts_of_licences_are_kept_by_the_name_of_the_wheel(self):
        for member, place in [
            ("torch-2.11.0.dist-info/licenses/LICENSE", "licences/torch/LICENSE"),
            ("nvidia_cuda_cupti-13.0.85.dist-info/License.txt", "licences/nvidia-cuda-cupti/License.txt"),
            ("torch-2.11.0.dist-info/METADATA", None),
            ("torch/lib/LICENSE", None),
        ]:
            self.assertEqual(fetch.licence(member), place, member)


class Unpack(unittest.TestCase):
    def test_a_member_outside_the_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            wheel = pathlib.Path(scratch) / "thing.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr("../outside", "x")
            into = pathlib.Path(scratch) / "into"
            into.mkdir()
            with self.assertRaises(SystemExit):
                fetch.unpack(wheel, into, lambda name: name)
            self.assertFalse((pathlib.Path(scratch) / "outside").exists())


if __name__ == "__main__":
    unittest.main()
