#!/usr/bin/env python3
"""Makes the icon in the formats of Windows (.ico) and macOS (.icns) from the one picture in the repository.

    tools/packages/icons.py                writes icon.ico and icon.icns beside src-tauri/icons/icon.png

Both are containers of PNG pictures. ImageMagick (`convert`) makes the smaller ones; run this when the picture changes.
"""
import pathlib
import shutil
import struct
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "src-tauri/icons"
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
# What macOS calls a PNG of a size; those of double density have names of their own.
ICNS_KINDS = ((b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic13", 256), (b"ic08", 256), (b"ic14", 512), (b"ic09", 512))
PNG = b"\x89PNG\r\n\x1a\n"


def size(png):
    """Width and height of a PNG picture."""
    if png[:8] != PNG:
        sys.exit("error: this is no PNG picture\nhint: run tools/packages/icons.py again")
    return struct.unpack(">II", png[16:24])


def ico(pictures):
    """An .ico of pictures, smallest first."""
    head, body, at = struct.pack("<HHH", 0, 1, len(pictures)), b"", 6 + 16 * len(pictures)
    for png in pictures:
        width, height = size(png)
        # A side of 256 is written as 0.
        head += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(png), at + len(body))
        body += png
    return head + body


def icns(pictures):
    """An .icns of pictures, each with its kind."""
    body = b"".join(kind + struct.pack(">I", 8 + len(png)) + png for kind, png in pictures)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def read_ico(data):
    """Sizes of the pictures in an .ico."""
    entries = [struct.unpack("<BBBBHHII", data[6 + 16 * n : 22 + 16 * n]) for n in range(struct.unpack("<H", data[4:6])[0])]
    return [size(data[at : at + length]) for *_, length, at in entries]


def read_icns(data):
    """Kinds and sizes of the pictures in an .icns."""
    found, at = [], 8
    while at < struct.unpack(">I", data[4:8])[0]:
        kind, length = data[at : at + 4], struct.unpack(">I", data[at + 4 : at + 8])[0]
        found.append((kind, size(data[at + 8 : at + length])))
        at += length
    return found


def main():
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    if not shutil.which("convert"):
        sys.exit("error: ImageMagick is missing\nhint: on Debian: apt-get install imagemagick")

    def scaled(side):
        command = ["convert", FOLDER / "icon.png", "-resize", f"{side}x{side}", "-strip", "-define", "png:exclude-chunks=date,time", "png32:-"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    (FOLDER / "icon.ico").write_bytes(ico([scaled(side) for side in ICO_SIZES]))
    (FOLDER / "icon.icns").write_bytes(icns([(kind, scaled(side)) for kind, side in ICNS_KINDS]))


if __name__ == "__main__":
    main()
