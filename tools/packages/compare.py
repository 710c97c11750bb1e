#!/usr/bin/env python3
"""Compares two outputs of `tools/dist`, file by file, and names what differs.

    tools/packages/compare.py ONE TWO

Exit code 0: the same bytes everywhere. 1: something differs, and is named: a file that only one has, a file with other
bytes (and the first place), and within the packages the member with its bytes, rights, owner, time or place in the order.
"""
import hashlib
import pathlib
import subprocess
import sys
import tarfile

BLOCK = 1 << 20
# Signatures carry the time at which they were made.
UNLIKE_BY_NATURE = (".minisig",)


def files(folder):
    """Files and links below a folder, by their paths."""
    found = (p for p in sorted(folder.rglob("*")) if p.is_symlink() or p.is_file())
    return {p.relative_to(folder).as_posix(): p for p in found if not p.name.endswith(UNLIKE_BY_NATURE)}


def first_difference(one, two):
    """Place of the first byte in which two files differ; none where they are the same."""
    at = 0
    with one.open("rb") as a, two.open("rb") as b:
        while True:
            left, right = a.read(BLOCK), b.read(BLOCK)
            if left != right:
                same = next((i for i, (x, y) in enumerate(zip(left, right)) if x != y), min(len(left), len(right)))
                return at + same
            if not left:
                return None
            at += len(left)


def tar_members(command):
    """Name and everything about each member of a tar archive that a command writes."""
    members = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                digest = hashlib.sha256()
                if member.isreg():
                    stream = archive.extractfile(member)
                    while block := stream.read(BLOCK):
                        digest.update(block)
                about = {
                    "bytes": digest.hexdigest(), "size": member.size, "kind": member.type, "link": member.linkname,
                    "rights": oct(member.mode), "owner": (member.uid, member.gid, member.uname, member.gname), "time": member.mtime,
                }
                members.append((member.name, about))
        process.stdout.read()
    if process.returncode:
        sys.exit(f"error: {' '.join(map(str, command))} ended with {process.returncode}")
    return members


def text_members(command, separator):
    """Lines of a program's output, each as a member: its first field, and the rest."""
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [(line.split(separator, 1)[0], {"said": line}) for line in text.splitlines()]


def members(path):
    """What is inside a package, part by part; none for what is no package."""
    if path.name.endswith(".tar.zst"):
        return {"": tar_members(["zstd", "-dcq", path])}
    if path.suffix == ".deb":
        return {"control: ": tar_members(["dpkg-deb", "--ctrl-tarfile", path]), "data: ": tar_members(["dpkg-deb", "--fsys-tarfile", path])}
    if path.suffix == ".rpm":
        tags = ["rpm", "-qp", "--nosignature", "--qf", r"[%{*:xml}\n]", path]
        return {"file: ": text_members(["rpm", "-qp", "--nosignature", "--dump", path], " "), "header: ": text_members(tags, "\0")}
    return None


def inside(one, two):
    """What differs inside two packages, in words."""
    left, right = members(one), members(two)
    if left is None:
        return []
    said = []
    for part in left:
        a, b = dict(left[part]), dict(right[part])
        said += [f"{part}{name}: only in the first" for name in a if name not in b]
        said += [f"{part}{name}: only in the second" for name in b if name not in a]
        for name in a:
            if name in b and a[name] != b[name]:
                said.append(f"{part}{name}: other {', '.join(key for key in a[name] if a[name][key] != b[name][key])}")
        if not said and [name for name, _ in left[part]] != [name for name, _ in right[part]]:
            said.append(f"{part}the order of the members")
    return said or ["the members are the same: the difference is in how they are packed"]


def compare(one, two):
    """Everything that differs between two folders, in words."""
    left, right = files(one), files(two)
    said = [f"{name}: only in the first" for name in left if name not in right]
    said += [f"{name}: only in the second" for name in right if name not in left]
    for name in left:
        if name not in right:
            continue
        a, b = left[name], right[name]
        if a.is_symlink() or b.is_symlink():
            if not (a.is_symlink() and b.is_symlink() and a.readlink() == b.readlink()):
                said.append(f"{name}: another link")
            continue
        if a.stat().st_mode != b.stat().st_mode:
            said.append(f"{name}: rights {oct(a.stat().st_mode & 0o7777)} and {oct(b.stat().st_mode & 0o7777)}")
        at = first_difference(a, b)
        if at is not None:
            said.append(f"{name}: other bytes, from place {at} of {a.stat().st_size} and {b.stat().st_size}")
            said += [f"{name}: {words}" for words in inside(a, b)]
    return said, len(left)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    one, two = map(pathlib.Path, sys.argv[1:])
    for folder in (one, two):
        if not folder.is_dir() or not files(folder):
            sys.exit(f"error: {folder} holds no files\nhint: name two folders that tools/dist has written")
    said, count = compare(one, two)
    for words in said:
        print(words)
    if said:
        sys.exit(f"{len(said)} differences between {one} and {two}")
    print(f"{count} files: the same bytes")


if __name__ == "__main__":
    main()
