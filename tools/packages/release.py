#!/usr/bin/env python3
"""Writes the description of a package (release.json): its version, its system, and each file with its hash.

    tools/packages/release.py TREE VERSION SYSTEM [KEY]

TREE is the folder of the version that `tools/dist` packs. KEY is the file with the public key that later packages are checked
with; a copy is put beside the programs as `update.pub`. An update from a file compares every file with this list before the new
version is used, and installs no other files.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import sys

NAME = "release.json"
KEY = "update.pub"
FORMAT = 1


def public_key(path):
    """The line of a public key of minisign; a program that cannot read it could never be updated."""
    lines = path.read_text("utf-8").strip().splitlines()
    if not lines or len(lines) > 2 or not re.fullmatch(r"RW[A-Za-z0-9+/]{54}", lines[-1].strip()):
        sys.exit(f"error: {path} holds no public key of minisign\nhint: name the file that `minisign -G` wrote as its public key")
    return lines[-1].strip()


def listed(tree):
    """Each file of a tree by its path. What an update would refuse is refused here already."""
    files = {}
    for path in sorted(tree.rglob("*")):
        name, kind = path.relative_to(tree).as_posix(), path.lstat()
        if stat.S_ISDIR(kind.st_mode):
            continue
        if not stat.S_ISREG(kind.st_mode) or kind.st_mode & 0o7000:
            sys.exit(f"error: {path} is no plain file\nhint: packages hold plain files alone, without links and special rights")
        if name == NAME:
            continue
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        files[name] = {"bytes": kind.st_size, "sha256": digest, "runs": bool(kind.st_mode & stat.S_IXUSR)}
    return files


def write(tree, version, system, key=None):
    if key:
        public_key(key)
        shutil.copyfile(key, tree / KEY)
        os.chmod(tree / KEY, 0o644)
    release = {"format": FORMAT, "product": "lexforge", "version": version, "system": system, "files": listed(tree)}
    (tree / NAME).write_text(json.dumps(release, indent=1, sort_keys=True) + "\n")
    return release


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    tree, version, system = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    release = write(tree, version, system, pathlib.Path(sys.argv[4]) if len(sys.argv) == 5 else None)
    total = sum(file["bytes"] for file in release["files"].values())
    print(f"{len(release['files'])} files, {total >> 20} MiB; {'with a public key' if KEY in release['files'] else 'without a public key: not to be updated by file'}")


if __name__ == "__main__":
    main()
