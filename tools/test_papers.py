"""What the papers of a package say: `python3 -m unittest discover -s tools`."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "packages"))
import libraries  # noqa: E402  (found in the folder beside this file)
import papers  # noqa: E402


def package(name, source="registry", licence="MIT", folder="/nowhere"):
    manifest = str(pathlib.Path(folder) / "Cargo.toml")
    return {"id": name, "name": name, "version": "1.0.0", "source": source, "license": licence, "manifest_path": manifest}


def node(id, *deps):
    return {"id": id, "deps": [{"pkg": dep, "dep_kinds": [{"kind": kind}]} for dep, kind in deps]}


class Crates(unittest.TestCase):
    def test_what_only_tests_use_is_not_in_the_package(self):
        meta = {
            "packages": [package("lexforge-cli", None), *map(package, ("linked", "below", "build", "test", "stray"))],
            "resolve": {"nodes": [
                node("lexforge-cli", ("linked", None), ("build", "build"), ("test", "dev")),
                node("linked", ("below", None)), node("below"), node("build"), node("test"), node("stray"),
            ]},
        }
        found, edges = papers.reachable(meta, papers.PROGRAMS)
        self.assertEqual(sorted(found), ["below", "build", "lexforge-cli", "linked"])
        self.assertEqual(edges["lexforge-cli"], ["build", "linked"])
        self.assertEqual([p["name"] for p in papers.third_parties(found)], ["below", "build", "linked"])

    def test_a_patched_crate_is_one_of_others_and_says_so(self):
        patched = package("changed", None, folder=papers.PATCHED / "changed")
        crates = {"changed": patched, "ours": package("ours", None)}
        self.assertEqual([p["name"] for p in papers.third_parties(crates)], ["changed"])
        entry = papers.component(patched, {})
        self.assertEqual(entry["purl"], "pkg:cargo/changed@1.0.0")
        self.assertIn("README.md", entry["pedigree"]["notes"])
        self.assertNotIn("purl", papers.component(crates["ours"], {}))

    def test_every_patched_crate_brings_its_licence_and_what_was_changed(self):
        folders = [folder for folder in papers.PATCHED.iterdir() if folder.is_dir()]
        self.assertTrue(folders)
        for folder in folders:
            self.assertTrue((folder / "LICENSE").read_text().strip(), folder.name)
            self.assertIn("| changed | why |", (folder / "README.md").read_text(), folder.name)

    def test_licences_are_written_as_spdx_does(self):
        for given, written in [("MIT/Apache-2.0", "MIT OR Apache-2.0"), ("MIT OR Zlib", "MIT OR Zlib"), (None, "")]:
            self.assertEqual(papers.expression(given), written)

    def test_a_text_that_several_ship_stands_once_and_who_ships_none_is_named(self):
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("one", "two"):
                folder = pathlib.Path(scratch) / name
                folder.mkdir()
                (folder / "LICENSE-MIT").write_text("Permission is granted\n")
            (pathlib.Path(scratch) / "three").mkdir()
            crates = {n: package(n, folder=pathlib.Path(scratch) / n) for n in ("one", "two", "three")}
            crates["three"]["authors"] = ["A. Writer"]
            text = papers.licences(crates, [])
        self.assertEqual(text.count("Permission is granted"), 1)
        self.assertIn("one 1.0.0\ntwo 1.0.0\n", text)
        self.assertIn("  three 1.0.0 (MIT)\n", text)
        rule = "=" * 100
        self.assertIn(f"{rule}\nthree 1.0.0\n{rule}\n\nCopyright (c) A. Writer (three 1.0.0)\n\nThe MIT License\n\nPermission", text)

    def test_of_several_licences_the_first_text_that_is_there_is_given(self):
        for licence, begins in [("MIT", "The MIT"), ("Apache-2.0 OR MIT", "The MIT"), ("Apache-2.0", "Apache License"),
                                ("BSD-3-Clause", "The BSD"), ("MPL-2.0", None), ("MIT AND BSD-2-Clause", None)]:
            text = papers.standard(licence)
            self.assertEqual(text and text.startswith(begins), begins and True, licence)

    def test_the_bill_of_materials_is_the_same_for_the_same_input_and_names_every_reference_once(self):
        crates = {p["id"]: p for p in (package("lexforge-app", None), package("linked"))}
        edges = {"lexforge-app": {"linked"}, "linked": set()}
        made = [papers.bill("1.0.0", crates, edges, {("linked", "1.0.0"): "ab" * 32}, []) for _ in range(2)]
        self.assertEqual(made[0], made[1])
        references = [entry["bom-ref"] for entry in made[0]["components"]]
        self.assertEqual(len(references), len(set(references)))
        below = {entry["ref"]: entry["dependsOn"] for entry in made[0]["dependencies"]}
        self.assertEqual(below["pkg:cargo/lexforge-app@1.0.0"], ["pkg:cargo/linked@1.0.0"])
        self.assertEqual(below["pkg:generic/lexforge@1.0.0"], ["pkg:cargo/lexforge-app@1.0.0"])

    def crate_with_c(self, name, files):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        for path, text in files.items():
            place = pathlib.Path(scratch.name) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return {name: package(name, folder=scratch.name) | {"links": name}}

    def test_a_library_in_c_stands_by_its_own_name_version_and_licence(self):
        header = "".join(f"#define ZSTD_VERSION_{part} {n}\n" for part, n in [("MAJOR", 1), ("MINOR", 5), ("RELEASE", 7)])
        crates = self.crate_with_c("zstd-sys", {"zstd/lib/zstd.h": header, "zstd/LICENSE": "Copyright of somebody\n", "zstd/a.c": ""})
        inside = papers.embedded(crates)
        self.assertEqual([row[1:3] for row in inside], [("zstd", "1.5.7")])
        text = papers.licences(crates, [], inside)
        self.assertIn("zstd 1.5.7 (in zstd-sys 1.0.0)", text)
        self.assertIn("Copyright of somebody", text)
        bill = papers.bill("1.0.0", crates, {"zstd-sys": set()}, {}, [], inside)
        entry, = [entry for entry in bill["components"] if entry["name"] == "zstd"]
        self.assertEqual((entry["purl"], entry["cpe"]), ("pkg:generic/zstd@1.5.7", "cpe:2.3:a:facebook:zstandard:1.5.7:*:*:*:*:*:*:*"))
        below = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
        self.assertEqual(below["pkg:cargo/zstd-sys@1.0.0"], [entry["bom-ref"]])

    def test_sources_in_c_of_which_nothing_is_said_end_it(self):
        for name, files in [("new-sys", {"src/new.c": ""}), ("zstd-sys", {"zstd/lib/zstd.h": "no version", "zstd/LICENSE": ""}), ("zstd-sys", {})]:
            with self.assertRaises(SystemExit):
                papers.embedded(self.crate_with_c(name, files))
        for name, file in [("ring", "crypto/a.c"), ("atk-sys", "tests/layout.c")]:
            self.assertEqual(papers.embedded(self.crate_with_c(name, {file: ""})), [])


class Models(unittest.TestCase):
    def test_each_model_that_is_fetched_is_packed_and_named_with_its_licence(self):
        pins = json.loads((papers.ROOT / "tools/pins.json").read_text())
        script = (papers.ROOT / "tools/dist").read_text()
        with tempfile.TemporaryDirectory() as scratch:
            tree = pathlib.Path(scratch)
            for name in pins["models"]:
                (tree / "models" / name).mkdir(parents=True)
                (tree / "models" / name / "config.json").write_text("{}")
            found = {row[0]: row for row in papers.others(tree, pins, tree / "no licences")}
        self.assertEqual(sorted(found), sorted(pins["models"]))
        for name, row in found.items():
            self.assertIn(name, script)
            self.assertEqual([p.name for p in row[5]], ["config.json"], name)
            if row[2] == "MIT":
                text, = [text for _, text in row[6]]
                self.assertIn("Copyright (c) Microsoft Corporation", text)
                self.assertIn("The above copyright notice and this permission notice shall be included", text)
                self.assertIn(text, papers.licences({}, [row]))


class Libraries(unittest.TestCase):
    def test_only_what_is_needed_and_lies_in_the_folder_is_taken(self):
        needs = {"worker": ["a.so", "libc.so"], "a.so": ["b.so"], "b.so": ["a.so", "libm.so"]}
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            for name in ("a.so", "b.so", "unused.so"):
                (folder / name).touch()
            found = libraries.closure(folder / "worker", folder, lambda file: (needs[file.name], []))
        self.assertEqual(found, ["a.so", "b.so"])


if __name__ == "__main__":
    unittest.main()
