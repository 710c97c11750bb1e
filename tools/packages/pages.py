#!/usr/bin/env python3
"""Writes the pages of a package: the documentation and the changelog in one folder, with links that work there.

    tools/packages/pages.py INTO

A link between two of these pages still leads to the same heading. A link to the demonstration decoder becomes the path of that
file in the package. Any other link would lead nowhere in the package, so the script ends with an error that names it.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
# What lies elsewhere in a package, by its folder here and there.
MOVED = {"models/demo": "models/lexforge-demo"}


def pages(root):
    """The pages that go along, each by its path below `root`."""
    return sorted(p.relative_to(root).as_posix() for p in [root / "CHANGELOG.md", *root.glob("docs/**/*.md")])


def rewritten(text, page, all_pages):
    """The text of a page for a folder that holds all pages; and the links that lead to nothing there."""
    dead = []

    def link(found):
        words, path, place = found[1], found[2], found[3] or ""
        if not path or path.startswith(("https://", "http://")):
            return found[0]
        target = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if target in all_pages:
            return f"[{words}]({os.path.basename(target)}{place})"
        folder, name = os.path.split(target)
        if folder in MOVED:
            return f"{words} (`{MOVED[folder]}/{name}` of the package)"
        dead.append(path)
        return found[0]

    return LINK.sub(link, text), dead


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    into, found = pathlib.Path(sys.argv[1]), pages(ROOT)
    if len({os.path.basename(page) for page in found}) < len(found):
        sys.exit("error: two pages have one name, and a package has all of them in one folder\nhint: name one of them otherwise")
    for page in found:
        text, dead = rewritten((ROOT / page).read_text("utf-8"), page, found)
        if dead:
            sys.exit(f"error: {page} links to {', '.join(dead)}, which is in no package\nhint: name it without a link, or add it here")
        (into / os.path.basename(page)).write_text(text, "utf-8")
    print(f"{len(found)} pages")


if __name__ == "__main__":
    main()
