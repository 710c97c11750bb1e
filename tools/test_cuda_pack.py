"""Packs of a made-up libtorch: `python3 -m unittest discover -s tools`."""
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).parent / "cuda-pack"
LOADER = importlib.machinery.SourceFileLoader("cuda_pack", str(PROGRAM))
cuda_pack = importlib.util.module_from_spec(importlib.util.spec_from_loader("cuda_pack", LOADER))
LOADER.exec_module(cuda_pack)


@unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
class Pack(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, files):
        for path, text in files.items():
            place = self.folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def make(self, folder, holds):
        with contextlib.redirect_stdout(io.StringIO()):
            return json.loads(cuda_pack.make(self.folder / folder, self.folder / "out", holds).read_text())

    def whole(self, made):
        """What the parts hold, each checked by its hash."""
        bytes_of_all = b""
        for part in made["parts"]:
            place = self.folder / "out" / part["name"]
            self.assertEqual(hashlib.sha256(place.read_bytes()).hexdigest(), part["sha256"])
            held = subprocess.run(["zstd", "-dcq", place], check=True, capture_output=True).stdout
            self.assertEqual(len(held), part["holds"])
            bytes_of_all += held
        return bytes_of_all

    def test_the_parts_hold_all_files_in_their_order(self):
        files = {"lib/libtorch.so": "a" * 10, "lib/libtorch_cpu.so": "b" * 25, "lib/libtorch_cuda.so": "c" * 40,
                 "lib/libcudart.so.13": "d" * 5, "licences/torch/LICENSE": "words"}
        ignored = {"build-version": "2.11.0+cu130", "lib/libtorch_python.so": "p", "include/torch.h": "h", "lib/empty.so": ""}
        self.write({f"torch/{path}": text for path, text in (files | ignored).items()})
        made = self.make("torch", 32)
        self.assertEqual((made["libtorch"], made["device"], list(made["files"])), ("2.11.0", "cuda", sorted(files)))
        self.assertEqual(self.whole(made).decode(), "".join(files[path] for path in sorted(files)))
        self.assertEqual([part["holds"] for part in made["parts"]], [32, 32, 21])
        # Fewer parts are left of fewer files.
        self.assertEqual(len(self.make("torch", 1000)["parts"]), 1)
        self.assertEqual(len(list((self.folder / "out").iterdir())), 2)

    def test_an_installed_pytorch_brings_the_libraries_beside_it(self):
        self.write({
            "site/torch/lib/libtorch.so": "a", "site/torch/lib/libtorch_cpu.so": "b", "site/torch/version.py": "__version__ = '2.11.0+cu130'\n",
            "site/nvidia/cu13/lib/libcublas.so.13": "c", "site/torch-2.11.0.dist-info/licenses/LICENSE": "words",
        })
        made = self.make("site/torch", 1000)
        self.assertEqual(list(made["files"]), ["lib/libcublas.so.13", "lib/libtorch.so", "lib/libtorch_cpu.so", "licences/torch/LICENSE"])

    def test_what_is_no_libtorch_is_refused(self):
        self.write({"torch/lib/other.so": "x"})
        with self.assertRaises(SystemExit) as said:
            self.make("torch", 1000)
        self.assertIn("lacks libtorch.so", str(said.exception))
        self.assertFalse((self.folder / "out").exists())
