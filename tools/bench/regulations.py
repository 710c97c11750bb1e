#!/usr/bin/env python3
"""Measures whether tuning helps on the product's own questions: one encoder before and after its tuning, on each regulation of a
folder separately.

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/regulations.py FOLDER [--encoder all-MiniLM-L6-v2] [--seeds 42,43,44] [--max-steps 160] [--minutes 60]
        [--jobs 4] [--only NAME …] [--general FILE] [--table]

Every PDF, Word, HTML or Markdown file of FOLDER becomes a workspace of its own under --work, with questions of the offline
generator and a frozen snapshot. There the encoder is tuned by the recipe `encoder` once for each seed, and `lexforge bench`
compares it with the untuned encoder; the runs of all seeds count as one system. Existing results are not computed again, so an
interrupted run can continue. The standard output is a Markdown table of all results so far.

Difference: accuracy after minus accuracy before, on the same test questions, with a 95 % interval by cluster; p is corrected
(Holm) over the regulations of the table. *Shows from* is the smallest difference that the test questions of a regulation show in
four of five cases. If the result is undecided, the last columns say how many more clusters (articles, sections or anchors) would
be needed to show a difference of 1, 2 and 3 points. A line below the table has the mean over the regulations; each regulation has
the same weight, whatever its number of questions. Its 95 % interval is by Student's t, and p comes from swapping the signs of the
differences (all combinations up to 16 regulations, otherwise 65,536 random ones).

`--general` also measures each run on pairs of general sentences that people scored, before and after: Spearman, 95 % by pair.
FILE has three columns (CSV: two sentences and their score, with or without headings), or lines as `lexforge bench --general`
takes them.
"""
import argparse
import collections
import csv
import datetime
import glob
import importlib.machinery
import importlib.util
import itertools
import json
import math
import pathlib
import random
import shutil
import statistics
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("systems", str(ROOT / "tools" / "bench" / "systems.py"))
systems = importlib.util.module_from_spec(importlib.util.spec_from_loader("systems", loader))
loader.exec_module(systems)
demo = systems.demo
three, p = systems.three, systems.p

KINDS = {".pdf", ".docx", ".html", ".htm", ".md"}
RECIPE = ["--preset", "encoder"]


def prepare(file, work):
    """The workspace of a regulation with its snapshot; one that is there is kept."""
    path, done = work / f"{file.stem}.lexforge", work / f"{file.stem}.frozen"
    if not done.is_file():
        demo.say(f"{file.stem}: import, terms, graph, questions, snapshot")
        for old in work.glob(glob.escape(path.name) + "*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        demo.lexforge("import", "--no-ocr", path, file)
        demo.lexforge("terms", "extract", path)
        demo.lexforge("graph", "build", path)
        demo.lexforge("augment", "--offline", path)
        demo.lexforge("dataset", "freeze", path)
        done.touch()
    return path


def holm(values):
    """Corrected p-values, in their order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, largest = [0.0] * len(values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[i]))
        corrected[i] = largest
    return corrected


def t_bound(freedom, inside=0.95):
    """The value that bounds this share of a t distribution on both sides."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    density = lambda x: scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)

    def share(bound, parts=2000):
        # Simpson's rule, from zero to the bound, twice.
        step = bound / parts
        inner = sum((4 if i % 2 else 2) * density(i * step) for i in range(1, parts))
        return 2 * step / 3 * (density(0) + inner + density(bound))

    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < inside else (low, middle)
    return low


def together(differences):
    """The mean, its interval by t, and how often swapped signs give a mean that lies as far from zero."""
    n, mean = len(differences), statistics.fmean(differences)
    reach = t_bound(n - 1) * statistics.stdev(differences) / math.sqrt(n)
    # Up to 16 regulations all combinations of signs are used. For more, random combinations are used, and the unchanged
    # differences.
    dice = random.Random(42)
    drawn = [[1] * n] + [dice.choices((1, -1), k=n) for _ in range(2 ** 16 - 1)] if n > 16 else None
    sums = [abs(sum(sign * one for sign, one in zip(signs, differences)))
            for signs in drawn or itertools.product((1, -1), repeat=n)]
    far = sum(one >= abs(sum(differences)) - 1e-12 for one in sums)
    return mean, mean - reach, mean + reach, far / len(sums)


def scored_pairs(file, work):
    """Pairs of general sentences as the bench reads them."""
    if file.suffix.lower() != ".csv":
        return file
    lines = work / f"{file.stem}.jsonl"
    with open(file, encoding="utf-8", newline="") as rows:
        columns = list(csv.reader(rows))
    if columns and columns[0][2] == "score":
        del columns[0]
    pairs = [{"a": a, "b": b, "score": float(score)} for a, b, score in columns]
    lines.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs), encoding="utf-8")
    return lines


def general(of, arguments, pairs):
    """Rows of what each run lost of general language; several runs as one system have no such figures."""
    known = {seed: of.known(arguments.encoder, RECIPE, [seed]) for seed in arguments.seeds}
    runs = {f"run {numbers[0]}": seed for seed, numbers in known.items() if numbers}
    if not runs:
        return
    base = f"base {arguments.encoder}"
    words = ["bench", of.path, "--systems", ",".join([base, *runs]), "--baseline", base, "--general", pairs, "--json"]
    rows = {row["system"]: row["general"] for row in json.loads(demo.lexforge(*words))["systems"] if row.get("general")}
    for run, seed in runs.items():
        if run in rows and base in rows:
            yield seed, rows[base], rows[run]


def spread(figure):
    low, high = figure["interval"]
    return f"{three(figure['value'])} [{three(low)}, {three(high)}]"


def print_general(sets, arguments):
    pairs = scored_pairs(arguments.general, arguments.work)
    print(f"\nGeneral language, Spearman on {arguments.general.name}:\n")
    print("| tuned on | seed | pairs | before [95 %] | after [95 %] | difference [95 %] | p, Holm over the seeds |")
    print("|---|---|---|---|---|---|---|")
    for of in sets:
        for seed, before, after in general(of, arguments, pairs):
            print(f"| {of.name} | {seed} | {after['n']:,} | {spread(before['spearman'])} | {spread(after['spearman'])} "
                  f"| {spread(after['gained'])} | {p(after['p_holm'])} |", flush=True)


def figures(of, arguments):
    """Before and after on one regulation; none where nothing was trained, or nothing can be compared."""
    runs = of.known(arguments.encoder, RECIPE)
    base = f"base {arguments.encoder}"
    if not runs:
        return None
    after = systems.system(runs)
    table = systems.bench(of, [base, after], base)
    row = next((row for row in table["systems"] if row["system"] == after and row.get("against")), None)
    for one in table["missing"]:
        demo.say(f"{of.name}: {one['system']}: {one['failure']['message']}")
    return row and {"name": of.name, "runs": len(runs), "table": table, "row": row}


def print_table(found):
    corrected = holm([one["row"]["against"]["p_value"] for one in found])
    print("\n| regulation | seeds | test questions (clusters) | before | after | difference [95 %] | p, Holm | shows from "
          "| reading | more clusters for 1, 2, 3 points |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for one, level in sorted(zip(found, corrected), key=lambda pair: pair[0]["name"]):
        table, against = one["table"], one["row"]["against"]
        d, power = against["difference"], table.get("power")
        reading = "undecided"
        if level < 0.05 and d["low"] > 0:
            reading = "**better**"
        elif level < 0.05 and d["high"] < 0:
            reading = "**worse**"
        smallest = f"{100 * power['smallest_difference']:.1f} points" if power else "–"
        more = ", ".join(f"{power['more_clusters'].get(n, 0):,}" for n in "123") if power and reading == "undecided" else "–"
        print(f"| {one['name']} | {one['runs']} | {against['n']} ({against['clusters']} by {table['unit']}) "
              f"| {three(against['before'])} | {three(against['after'])} "
              f"| {three(d['value'])} [{three(d['low'])}, {three(d['high'])}] | {p(level)} | {smallest} | {reading} | {more} |")
    if len(found) > 1:
        mean, low, high, level = together([one["row"]["against"]["difference"]["value"] for one in found])
        print(f"\nMean over the {len(found)} regulations: {three(mean)} [{three(low)}, {three(high)}], p {p(level)} "
              f"(the smallest possible with so many: {p(2 / 2 ** min(len(found), 16))}).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "regulations")
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    parser.add_argument("--seeds", default="42,43,44")
    parser.add_argument("--max-steps", type=int, default=160)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="regulations or trainings side by side")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="files of these names alone, without their ending")
    parser.add_argument("--minutes", type=float, default=0, help="begin nothing after so many; 0 = no limit")
    parser.add_argument("--general", type=pathlib.Path, metavar="FILE", help="scored pairs of general sentences")
    parser.add_argument("--table", action="store_true", help="make nothing, print what there is")
    arguments = parser.parse_args()
    arguments.seeds = arguments.seeds.split(",")
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    over = lambda: arguments.table or arguments.minutes and time.monotonic() - begun > 60 * arguments.minutes
    files = sorted(file for file in arguments.folder.iterdir() if file.suffix.lower() in KINDS
                   and (not arguments.only or file.stem in arguments.only))
    if not files:
        parser.error(f"there is no regulation in {arguments.folder}")
    twice = [name for name, n in collections.Counter(file.stem for file in files).items() if n > 1]
    if twice:
        parser.error(f"several files bear one name, and a workspace is named after its file: {', '.join(twice)}")
    left, unfit = [], []

    def prepared(file):
        if over() and not (arguments.work / f"{file.stem}.frozen").is_file():
            left.extend(arguments.seeds)
            return None
        try:
            return systems.Set(file.stem, prepare(file, arguments.work), arguments)
        except SystemExit as problem:
            # One that gives no snapshot takes nothing from the others.
            demo.say(f"{file.stem}: {problem}")
            unfit.append(file.stem)
            return None

    def one(of, seed):
        if over():
            left.extend([] if of.known(arguments.encoder, RECIPE, [seed]) else [seed])
            return
        try:
            run = of.train(arguments.encoder, "encoder", RECIPE, seed)
        except SystemExit as problem:
            demo.say(f"{of.name}, seed {seed}: {problem}")
            left.append(seed)
            return
        demo.say(f"{(time.monotonic() - begun) / 60:.1f} min: {of.name}, seed {seed}: run {run}")
        if run and arguments.jobs > 1:
            of.measure(f"run {run}")

    with systems.side_by_side(arguments.jobs) as pool:
        sets = [of for of in pool.map(prepared, files) if of]
        for done in [pool.submit(one, of, seed) for seed in arguments.seeds for of in sets]:
            done.result()
    print(f"{datetime.date.today()}, `{arguments.encoder}`, recipe `encoder`, at most {arguments.max_steps} steps of "
          f"{arguments.batch_size} items, {arguments.threads} thread(s), seeds {', '.join(arguments.seeds)}.")
    if left:
        print(f"\nNot trained yet: {len(left)} runs; the command goes on with them.")
    if unfit:
        print(f"\nWithout a snapshot: {', '.join(unfit)}.")
    found = [one for of in sets if (one := figures(of, arguments))]
    if found:
        print_table(found)
    for of in sets:
        if of.name not in {one["name"] for one in found}:
            print(f"\nNothing to compare yet: {of.name}.")
    if arguments.general:
        print_general(sets, arguments)


if __name__ == "__main__":
    main()
