"""What a package says of itself, and how two outputs are compared: `python3 -m unittest discover -s tools`."""
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

PACKAGES = pathlib.Path(__file__).parent / "packages"
sys.path.insert(0, str(PACKAGES))
import compare  # noqa: E402  (found in the folder beside this file)
import icons  # noqa: E402
import pages  # noqa: E402
import release  # noqa: E402

KEY = "untrusted comment: made up\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n"


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def tree(self, name, files):
        for path, text in files.items():
            place = self.folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return self.folder / name


class Release(Folder):
    def test_each_file_is_listed_with_its_hash_and_the_key_goes_along(self):
        tree = self.tree("tree", {"lexforge": "program", "doc/guide.md": "words"})
        (tree / "lexforge").chmod(0o755)
        key = self.tree("keys", {"maker.pub": KEY}) / "maker.pub"
        written = release.write(tree, "1.2.3", "linux-x86_64", key)
        self.assertEqual(written, json.loads((tree / "release.json").read_text()))
        self.assertEqual(sorted(written["files"]), ["doc/guide.md", "lexforge", "update.pub"])
        self.assertEqual((tree / "update.pub").read_text(), KEY)
        self.assertTrue(written["files"]["lexforge"]["runs"])
        self.assertFalse(written["files"]["doc/guide.md"]["runs"])
        self.assertEqual(written["files"]["doc/guide.md"]["bytes"], 5)
        # What a script reads of an installed package.
        self.assertIn('\n "version": "1.2.3"\n', (tree / "release.json").read_text())
        self.assertNotIn("update.pub", release.write(self.tree("bare", {"lexforge": ""}), "1.2.3", "x")["files"])

    def test_what_an_update_would_refuse_is_not_packed(self):
        linked = self.tree("linked", {"lexforge": "program"})
        (linked / "link").symlink_to("lexforge")
        special = self.tree("special", {"lexforge": "program"})
        (special / "lexforge").chmod(0o4755)
        for tree in (linked, special):
            with self.assertRaises(SystemExit) as said:
                release.write(tree, "1.2.3", "linux-x86_64")
            self.assertIn("no plain file", str(said.exception))

    def test_what_is_no_public_key_is_refused(self):
        for text in ("", "untrusted comment: x\nnonsense\n", KEY + KEY, KEY.replace("RW", "XX")):
            with self.assertRaises(SystemExit):
                release.public_key(self.tree("keys", {"k": text}) / "k")


class Icons(unittest.TestCase):
    def test_the_icons_of_other_systems_hold_all_their_sizes(self):
        self.assertEqual(icons.read_ico((icons.FOLDER / "icon.ico").read_bytes()), [(side, side) for side in icons.ICO_SIZES])
        self.assertEqual(icons.read_icns((icons.FOLDER / "icon.icns").read_bytes()), [(kind, (side, side)) for kind, side in icons.ICNS_KINDS])
        named = json.loads((pages.ROOT / "tauri.conf.json").read_text())["bundle"]["icon"]
        self.assertEqual([name for name in named if not (pages.ROOT / name).is_file()], [])
        self.assertEqual(sorted(pathlib.Path(name).suffix for name in named), [".icns", ".ico", ".png"])


class Pages(unittest.TestCase):
    ALL = ["CHANGELOG.md", "docs/guide.md", "docs/install.md"]

    def test_links_lead_to_the_pages_beside(self):
        for page, given, written in [
            ("docs/guide.md", "[how](install.md#updating)", "[how](install.md#updating)"),
            ("docs/install.md", "[what\nchanged](../CHANGELOG.md)", "[what\nchanged](CHANGELOG.md)"),
            ("CHANGELOG.md", "see [it](docs/guide.md)", "see [it](guide.md)"),
            ("docs/guide.md", "its [card](../models/demo/README.md).", "its card (`models/lexforge-demo/README.md` of the package)."),
            ("docs/guide.md", "[below](#later) [out](https://example.org/a#b)", "[below](#later) [out](https://example.org/a#b)"),
        ]:
            self.assertEqual(pages.rewritten(given, page, self.ALL), (written, []))

    def test_a_link_to_what_is_not_packed_is_named(self):
        self.assertEqual(pages.rewritten("[a](../src/a.rs) [b](guide.md)", "docs/install.md", self.ALL)[1], ["../src/a.rs"])

    def test_the_pages_of_the_product_can_be_packed(self):
        found = pages.pages(pages.ROOT)
        self.assertIn("docs/security.md", found)
        for page in found:
            text, dead = pages.rewritten((pages.ROOT / page).read_text("utf-8"), page, found)
            self.assertEqual(dead, [], page)
            self.assertNotIn("](../", text, page)


@unittest.skipUnless(shutil.which("zstd") and shutil.which("dpkg-deb"), "zstd and dpkg-deb are not installed")
class Compare(Folder):
    def output(self, name, text="library", time=1000, mode=0o644, order=1):
        """An output of `tools/dist` with one package of each kind that needs no rpm."""
        folder = self.tree(name, {"lexforge/versions/1.0.0/libtorch.so": text, "lexforge/versions/1.0.0/doc/guide.md": "words"})
        inside = folder / "lexforge"
        if not (inside / "current").is_symlink():
            (inside / "current").symlink_to("versions/1.0.0")
        (inside / "versions/1.0.0/libtorch.so").chmod(mode)
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in sorted((p for p in inside.rglob("*") if p.is_file()), key=str)[::order]:
                member = tar.gettarinfo(path, path.relative_to(folder).as_posix())
                member.mtime, member.uid, member.gid, member.uname, member.gname = time, 0, 0, "", ""
                with path.open("rb") as stream:
                    tar.addfile(member, stream)
        subprocess.run(["zstd", "-q", "-f", "-o", folder / "lexforge.tar.zst"], input=archive.getvalue(), check=True)
        root = self.tree(f"{name}.deb.d", {"DEBIAN/control": "Package: a\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n",
                                           "usr/lib/libtorch.so": text})
        (root / "usr/lib/libtorch.so").chmod(mode)
        for path in [root, *root.rglob("*")]:
            os.utime(path, (time, time))
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", root, folder / "lexforge.deb"], check=True, capture_output=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1000"})
        return folder

    def said(self, one, two):
        return compare.compare(one, two)[0]

    def test_the_same_twice_is_the_same(self):
        one, two = self.output("one"), self.output("two")
        (one / "SHA256SUMS.minisig").write_text("signed at noon")
        self.assertEqual(self.said(one, two), [])
        done = subprocess.run([sys.executable, PACKAGES / "compare.py", one, two], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "5 files: the same bytes\n"))

    def test_a_planted_difference_is_named_where_it_lies(self):
        one = self.output("one", "a library")
        two = self.output("two", "a Library")
        said = self.said(one, two)
        self.assertIn("lexforge/versions/1.0.0/libtorch.so: other bytes, from place 2 of 9 and 9", said)
        self.assertIn("lexforge.tar.zst: lexforge/versions/1.0.0/libtorch.so: other bytes", said)
        self.assertIn("lexforge.deb: data: ./usr/lib/libtorch.so: other bytes", said)
        self.assertFalse([words for words in said if "guide" in words])
        done = subprocess.run([sys.executable, PACKAGES / "compare.py", one, two], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("differences between", done.stderr)

    def test_times_rights_and_order_within_a_package_are_named(self):
        one = self.output("one")
        for what, words in [
            ({"time": 2000}, "lexforge.tar.zst: lexforge/versions/1.0.0/doc/guide.md: other time"),
            ({"mode": 0o600}, "lexforge.tar.zst: lexforge/versions/1.0.0/libtorch.so: other rights"),
            ({"order": -1}, "lexforge.tar.zst: the order of the members"),
        ]:
            self.assertIn(words, self.said(one, self.output("two", **what)))

    def test_what_only_one_has_and_other_links_are_named(self):
        one, two = self.output("one"), self.output("two")
        (one / "more").write_text("x")
        (two / "lexforge/current").unlink()
        (two / "lexforge/current").symlink_to("versions/2.0.0")
        self.assertEqual(self.said(one, two), ["more: only in the first", "lexforge/current: another link"])

    def test_a_folder_without_packages_is_refused(self):
        (self.folder / "empty").mkdir()
        done = subprocess.run([sys.executable, PACKAGES / "compare.py", self.folder / "empty", self.folder / "none"],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("hint:", done.stderr)


if __name__ == "__main__":
    unittest.main()
