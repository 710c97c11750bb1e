#!/usr/bin/env python3
"""Measures the import of PDFs that were not scanned, and in the same run two other programs for comparison: pypdfium2 with a box
for every character, and `pdftotext -bbox` (poppler). Processor time is measured, so other load on the machine does not change the
ratios. Every figure is the number of pages per second on one core.

    cargo build --release -p lexforge-parser
    cargo build --release -p lexforge-parser --example reading
    tools/bench/import.py [--data FOLDER] [--target FOLDER] [--rounds N]

The other programs are optional: poppler-utils must be installed, and pypdfium2 is put into a virtual environment that this script
makes beside the build (one download). If a folder is missing, the output says that it was left out.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
PDFIUM = "pypdfium2==5.15.2"
ANCHOR = """
import ctypes, sys
import pypdfium2 as pdfium
import pypdfium2.raw as raw
pages = 0
for name in sys.argv[1:]:
    document = pdfium.PdfDocument(name)
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        for i in range(text.count_chars()):
            raw.FPDFText_GetCharBox(text.raw, i, left, right, bottom, top)
        pages += 1
print(pages)
"""


def run(command):
    """Processor seconds and largest resident size in MB of a command, and what it wrote."""
    reader = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = reader.stdout.read().decode()
    _, status, usage = os.wait4(reader.pid, 0)
    reader.returncode = os.waitstatus_to_exitcode(status)
    if reader.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))[:200]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def long_pdf(pages):
    """A PDF of many pages of numbered rules."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>",
               f"<</Type/Pages/Count {pages}/MediaBox[0 0 595 842]/Kids[{' '.join(f'{4 + 2 * i} 0 R' for i in range(pages))}]>>",
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    for i in range(pages):
        lines = [f"Article {i + 1}  Duty of notice {i + 1}"]
        lines += [f"({n + 1}) The institution shall notify the supervisor within {n + i % 30 + 1} days of any change that affects"
                  if n % 2 == 0 else f"the exposures listed in schedule {n * i % 97} or the arrangements made under rule {n}."
                  for n in range(44)]
        text = "BT /F 10 Tf 16 TL 60 790 Td " + " ".join(
            f"({l.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj T*" for l in lines) + " ET"
        objects += [f"<</Type/Page/Parent 2 0 R/Contents {5 + 2 * i} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
                    f"<</Length {len(text)}>>stream\n{text}\nendstream"]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for i, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{i} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{p:010} 00000 n \n".encode() for p in places)
    return bytes(out + f"trailer<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode())


def pdfium_python(target):
    home = target / "bench-venv"
    python = home / "bin" / "python"
    if not python.is_file():
        venv.create(home, with_pip=True)
    installed = subprocess.run([python, "-c", "import pypdfium2"], capture_output=True).returncode == 0
    if not installed and subprocess.run([python, "-m", "pip", "install", "-q", PDFIUM]).returncode != 0:
        return None
    return python


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--data", type=pathlib.Path, default=ROOT / "../shared/data")
    arguments.add_argument("--target", type=pathlib.Path, default=pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")))
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    reading, parse = chosen.target / "release/examples/reading", chosen.target / "release/lexforge-parse"
    if not reading.is_file() or not parse.is_file():
        sys.exit("build them first: see the head of this script")
    python = pdfium_python(chosen.target)
    poppler = subprocess.run(["sh", "-c", "command -v pdftotext"], capture_output=True).returncode == 0
    for folder in ["pdf-core-en", "pdf-zh-nfra"]:
        files = sorted((chosen.data / folder).glob("*.pdf"))
        if not files:
            print(f"{folder}: skipped, the folder is absent")
            continue
        tries = {"Lexforge, one reader": [[reading, "--no-second-reader", "--no-ocr", *files]],
                 "Lexforge, two readers": [[reading, "--no-ocr", *files]]}
        if python:
            tries["pypdfium2, character boxes"] = [[python, "-c", ANCHOR, *files]]
        if poppler:
            tries["pdftotext -bbox"] = [["pdftotext", "-bbox", f, "/dev/null"] for f in files]
        seconds, pages = dict.fromkeys(tries, float("inf")), 0
        for _ in range(chosen.rounds):
            for name, commands in tries.items():
                results = [run(command) for command in commands]
                seconds[name] = min(seconds[name], sum(r[0] for r in results))
                if name == "Lexforge, one reader":
                    pages = int(results[0][2].splitlines()[-1].split()[0])
        own = pages / seconds["Lexforge, one reader"]
        print(f"{folder}: {len(files)} files, {pages} pages, best of {chosen.rounds}")
        for name, took in seconds.items():
            print(f"  {name:<28} {pages / took:7.0f} pages/s/core   {own / (pages / took):5.2f} x")
    with tempfile.TemporaryDirectory() as scratch:
        for pages in [100, 1000]:
            long = pathlib.Path(scratch) / f"{pages}.pdf"
            long.write_bytes(long_pdf(pages))
            for flags in [["--no-second-reader"], []]:
                with open(long, "rb") as source:
                    reader = subprocess.Popen([parse, "read", "--name", "long.pdf", *flags], stdin=source, stdout=subprocess.DEVNULL)
                    _, status, usage = os.wait4(reader.pid, 0)
                which = "one reader" if flags else "two readers"
                print(f"{pages:>5} pages, {which:<12} {usage.ru_maxrss / 1024:5.0f} MB, "
                      f"{pages / (usage.ru_utime + usage.ru_stime):6.0f} pages/s/core, status {status}")


if __name__ == "__main__":
    main()
