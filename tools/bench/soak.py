#!/usr/bin/env python3
"""Imports a thousand files with one command and prints how much memory the command line uses over time. A flat curve shows that
nothing of a finished file stays in memory. Also times the import of a corpus of passages, if one is named.

    tools/bench/soak.py [--program target/release/lexforge] [--files 1000] [--passages FILE.jsonl]
"""
import argparse
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("bench", ROOT / "tools/bench/import.py")
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)


def resident(pid):
    """Resident memory of a process in MB; none when it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    line = next((l for l in status.splitlines() if l.startswith("VmRSS")), None)
    return int(line.split()[1]) / 1024 if line else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/lexforge")
    arguments.add_argument("--files", type=int, default=1000)
    arguments.add_argument("--passages", type=pathlib.Path)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if chosen.passages:
            count = sum(1 for _ in open(chosen.passages, encoding="utf-8"))
            started = time.monotonic()
            done = subprocess.run([chosen.program, "import", folder / "p.lexforge", chosen.passages], capture_output=True, text=True)
            print(f"{count} passages: {time.monotonic() - started:.2f} s, exit code {done.returncode}")
        base = bench.long_pdf(1)
        files = []
        for i in range(chosen.files):
            # The page's own words change with the file, so that nothing is the same bytes twice.
            name = folder / f"{i:04}.pdf"
            name.write_bytes(base.replace(b"Duty of notice", f"Duty {i:09}".encode()[:14]))
            files.append(name)
        started, samples = time.monotonic(), []
        importer = subprocess.Popen([chosen.program, "import", folder / "s.lexforge", *files],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while importer.poll() is None:
            size = resident(importer.pid)
            if size is not None:
                samples.append((time.monotonic() - started, size))
            time.sleep(0.05)
        took = time.monotonic() - started
        if not samples:
            sys.exit("the import ended before it was looked at")
        print(f"{chosen.files} files: {took:.1f} s, exit code {importer.returncode}; resident memory of the importer:")
        for share in [0.02, 0.1, 0.25, 0.5, 0.75, 0.98]:
            at, size = samples[int(share * (len(samples) - 1))]
            print(f"  after {at:6.1f} s {size:6.1f} MB")
        print(f"  largest        {max(s for _, s in samples):6.1f} MB")


if __name__ == "__main__":
    main()
