#!/usr/bin/env python3
"""Copies the libraries of libtorch that a program needs, and no others.

    tools/packages/libraries.py PROGRAM FOLDER INTO

The script follows the list of needed libraries in PROGRAM and in each library. Libraries that are in FOLDER are copied; all
others belong to the system. The search paths for libraries in PROGRAM must be relative to PROGRAM, because otherwise the package
would depend on the machine that built it.
"""
import pathlib
import re
import shutil
import subprocess
import sys


def dynamic(file):
    """Names of the libraries that a program needs, and the places in which it looks for them."""
    text = subprocess.run(["readelf", "-d", "-W", file], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", text)
    places = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.+)\]", text)
    return needed, [place for places in places for place in places.split(":")]


def closure(program, folder, look=dynamic):
    """Names of the files in `folder` that `program` needs, directly or not."""
    found, waiting = set(), list(look(program)[0])
    while waiting:
        name = waiting.pop()
        if name not in found and (folder / name).is_file():
            found.add(name)
            waiting += look(folder / name)[0]
    return sorted(found)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, folder, into = map(pathlib.Path, sys.argv[1:])
    fixed = [place for place in dynamic(program)[1] if not place.startswith("$ORIGIN")]
    if fixed:
        sys.exit(f"error: {program.name} looks for libraries in {', '.join(fixed)}\nhint: build it with LEXFORGE_RELOCATABLE=1")
    names = closure(program, folder)
    if not names:
        sys.exit(f"error: {program.name} needs no library of {folder}\nhint: name the folder `lib` of the libtorch that it was linked to")
    into.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(folder / name, into / name)
        print(f"{(into / name).stat().st_size:>11}  {name}")


if __name__ == "__main__":
    main()
