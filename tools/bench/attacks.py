#!/usr/bin/env python3
"""Attacks the programs as somebody would who means harm, or who has bad luck: hostile files, altered workspaces, places that lead
elsewhere, full disks, kills, two programs at once, a clock that is wrong, requests to the worker's server. Each attack says what
came of it: it held, something was broken, or it could not be tried.

    tools/bench/attacks.py [--only NAME …] [--list]

The programs are those of LEXFORGE_BIN, LEXFORGE_PARSE and LEXFORGE_WORKER, else the optimised ones (tools/optimised). Small disks
(tmpfs) and networks of their own need root, traces need strace, and a wrong clock needs libfaketime. Prints a line of JSON for each
attack. Exit code 1: something was broken.
"""
import argparse
import json
import resource
import sys
import tempfile
import time

import attacks_documents
import attacks_machine
import attacks_worker
import attacks_workspace
from attacks_site import ATTACKS, Broken, NotTried, Site


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--only", nargs="+", metavar="NAME", choices=[one.__name__ for one in ATTACKS])
    arguments.add_argument("--list", action="store_true")
    chosen = arguments.parse_args()
    broken = 0
    for one in ATTACKS:
        if chosen.only and one.__name__ not in chosen.only:
            continue
        if chosen.list:
            print(f"{one.__name__:26} {one.__doc__}")
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as scratch:
            try:
                result, words = "held", one(Site(scratch))
            except NotTried as why:
                result, words = "not tried", str(why)
            except Broken as why:
                result, words, broken = "broken", str(why), broken + 1
        row = {"attack": one.__name__, "result": result, "said": words, "seconds": round(time.monotonic() - began, 1),
               "memory_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10}
        print(json.dumps(row, ensure_ascii=False), flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
