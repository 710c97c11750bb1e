#!/usr/bin/env python3
"""The table of comparison methods (docs/methods.md, 'Evaluation'): every recipe and every other system that can run on this
machine.

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/systems.py --corpus FOLDER [--sets privacy,regulations-zh] [--seeds 42,43,44] [--decoder lexforge-demo]
        [--encoder all-MiniLM-L6-v2] [--endpoint local] [--max-steps 24] [--batch-size 8] [--part decoder] [--jobs 4] [--minutes 120] [--table]

FOLDER is searched for the documents of tools/bench/ablation.json by their SHA-256. Each set becomes a workspace with a frozen
snapshot under --work. There every recipe below is trained once for each seed with `lexforge train`. `lexforge bench` compares all
of them with the untuned models, with the decoder under PromptEOL and Echo, and with the systems that count words; the runs of a
recipe count as one system. Existing results are not computed again: an interrupted run continues, a finished run is used, and the
workspace stores the answers of models. With --jobs several trainings and their measurements run at the same time, each on its own
share of the processors; a set that is prepared does not wait for the other. `--part encoder decoder` does the encoder first. The
standard output is a Markdown table of all results so far.

For a system of several seeds, a question counts by the share of seeds that answered it rightly. Intervals (95 %) and p-values are
by cluster; p-values are corrected (Holm) over all differences of a set's table. An encoder has no figures under likelihood, and a
model has no figures on a set whose language it does not read. With `--endpoint local` the demo decoder is also served and asked
like an endpoint: it gives the number of a choice under a schema, and it writes answers without seeing choices.
"""
import argparse
import concurrent.futures
import datetime
import importlib.machinery
import importlib.util
import itertools
import json
import os
import pathlib
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("ablation", str(ROOT / "tools" / "bench" / "ablation.py"))
ablation = importlib.util.module_from_spec(importlib.util.spec_from_loader("ablation", loader))
loader.exec_module(ablation)
demo = ablation.demo

FULL = "full, token loss `candidates`"
# Name → what `lexforge train` is told.
DECODER = {
    FULL: ["--preset", "quick-look"],
    "full, token loss `divergence`": ["--preset", "quick-look", "--token-loss", "divergence"],
    "full, token loss `paper`": ["--preset", "quick-look", "--token-loss", "paper"],
    "w/o SFT": ["--preset", "quick-look", "--without", "sft"],
    "w/o CL": ["--preset", "quick-look", "--without", "sentence", "--without", "token"],
    "w/o token": ["--preset", "quick-look", "--without", "token"],
    "w/o sentence": ["--preset", "quick-look", "--without", "sentence"],
    "sentence alone (SimCSE-like)": ["--preset", "quick-look", "--without", "sft", "--without", "token"],
    "joint variant": ["--preset", "joint"],
    "GritLM-like": ["--preset", "gritlm"],
    "contrastive token learning": ["--preset", "contrastive-token"],
}
ENCODER = {
    "sentences": ["--preset", "encoder"],
    "joint variant": ["--preset", "encoder-joint"],
}
COUNTED = {"tfidf": "TF-IDF", "lsa": "LSA", "bm25": "BM25"}


def side_by_side(jobs):
    """A pool whose threads, and what they start, keep to a share of the processors each: a worker takes all that it sees."""
    processors = sorted(os.sched_getaffinity(0))
    share, turn = max(1, len(processors) // jobs), itertools.count()

    def keep_to_share():
        if jobs > 1:
            first = next(turn) * share % len(processors)
            # Of the calling thread.
            os.sched_setaffinity(0, processors[first:first + share])

    return concurrent.futures.ThreadPoolExecutor(jobs, initializer=keep_to_share)


class Queue:
    """Work of several sets, done side by side: each time the first piece whose set is prepared. One set does not wait
    until the other is prepared."""

    def __init__(self):
        self.pieces, self.ready, self.change = [], set(), threading.Condition()

    def prepare(self, name, work):
        """Prepares a set. One that cannot be prepared takes nothing from the others."""
        def piece():
            done = False
            try:
                work()
                done = True
            except SystemExit as problem:
                demo.say(f"{name}: {problem}")
            with self.change:
                self.ready |= {name} if done else set()
                self.pieces = [one for one in self.pieces if done or one[0] != name]
        self.pieces.append((None, piece))

    def put(self, name, work, *arguments):
        self.pieces.append((name, lambda: work(*arguments)))

    def next(self):
        with self.change:
            while self.pieces:
                for at, (name, piece) in enumerate(self.pieces):
                    if name is None or name in self.ready:
                        del self.pieces[at]
                        return piece
                self.change.wait()
        return None

    def run(self, pool, jobs):
        """What all pieces gave, as a sum."""
        def worker():
            given = 0
            while piece := self.next():
                try:
                    given += piece() or 0
                finally:
                    with self.change:
                        self.change.notify_all()
            return given
        return sum([done.result() for done in [pool.submit(worker) for _ in range(jobs)]])


class Set:
    """A workspace with its runs."""

    def __init__(self, name, path, arguments):
        self.name, self.path, self.arguments = name, path, arguments
        self.writing = threading.Lock()
        self.file = arguments.work / f"{name}.runs.json"
        self.runs = json.loads(self.file.read_text(encoding="utf-8")) if self.file.is_file() else {}

    def keep(self, key, run):
        with self.writing:
            self.runs[key] = run
            part = self.file.with_name(self.file.name + ".part")
            part.write_text(json.dumps(self.runs, indent=1, ensure_ascii=False), encoding="utf-8")
            part.replace(self.file)

    def states(self):
        return {run["id"]: run for run in demo.records("runs", "list", self.path)}

    def train(self, base, name, words, seed):
        """The finished run of a recipe and a seed; none where it cannot be trained, which is said."""
        # Another budget is another recipe.
        told = [*words, "--max-steps", str(self.arguments.max_steps), "--batch-size", str(self.arguments.batch_size)]
        key = json.dumps([base, told, seed])
        run = self.runs.get(key)
        if run is None:
            asked = ["train", self.path, "--base", base, "--seed", seed, "--threads", self.arguments.threads, *told]
            done = subprocess.run([demo.PROGRAMS / "lexforge", *map(str, asked), "--detach", "--json"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if done.returncode != 0:
                demo.say(f"{self.name}, {name}, seed {seed}: {done.stderr.decode().strip()[-400:]}")
                return None
            run = json.loads(done.stdout)["id"]
            self.keep(key, run)
        else:
            state = self.states()[run]["state"]
            if state not in ("finished", "running", "queued", "starting"):
                subprocess.run([demo.PROGRAMS / "lexforge", "runs", "resume", self.path, str(run)], stdout=subprocess.DEVNULL)
        subprocess.run([demo.PROGRAMS / "lexforge", "runs", "follow", self.path, str(run)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        row = self.states()[run]
        if row["state"] != "finished":
            demo.say(f"{self.name}, {name}, seed {seed}: run {run} is {row['state']}: {row.get('failure')}")
            return None
        return run

    def measure(self, system):
        """Asks a system the test questions now, side by side with others; what it gives is kept for the table."""
        done = subprocess.run([demo.PROGRAMS / "lexforge", "bench", self.path, "--systems", system, "--json"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0:
            demo.say(f"{self.name}, {system}: {done.stderr.decode().strip()[-400:]}")

    def known(self, base, words, seeds=None):
        """The finished runs of a recipe that there are."""
        told = [*words, "--max-steps", str(self.arguments.max_steps), "--batch-size", str(self.arguments.batch_size)]
        wanted = [json.dumps([base, told, seed]) for seed in seeds or self.arguments.seeds]
        states = self.states()
        return sorted(run for key in wanted if (run := self.runs.get(key)) and states[run]["state"] == "finished")


def system(runs):
    """A recipe's runs as the bench names them."""
    return f"run {runs[0]}" if len(runs) == 1 else "runs " + "+".join(map(str, runs))


def figure(row):
    low, high = row["figures"]["ci95"]
    return f"{three(row['figures']['accuracy'])} [{three(low)}, {three(high)}]"


def three(value):
    sign = "−" if round(value, 3) < 0 else ""
    text = f"{abs(value):.3f}"
    return sign + (text[1:] if text.startswith("0") else text)


def p(value):
    return "< .001" if value < 0.001 else three(value)


def print_rows(table, names, scorer):
    rows = [row for row in table["systems"] if row["scorer"] == scorer and row["system"] in names]
    if not rows:
        return
    print(f"\n**{scorer}**, against {names.get(table['baseline'], table['baseline'])}\n")
    print("| system | seeds | n | accuracy [95 %] | macro F1 | difference [95 %] | p | p, Holm |")
    print("|---|---|---|---|---|---|---|---|")
    order = list(names)
    for row in sorted(rows, key=lambda row: order.index(row["system"])):
        figures, against = row["figures"], row.get("against")
        cells = ["–"] * 3
        if against:
            d = against["difference"]
            cells = [f"{three(d['value'])} [{three(d['low'])}, {three(d['high'])}]", p(against["p_value"]),
                     p(against["p_holm"])]
        own = row["system"].startswith("run")
        print(f"| {names[row['system']]} | {row.get('runs', 1) if own else '–'} | {figures['n']} | {figure(row)} "
              f"| {three(figures['f1'])} | {' | '.join(cells)} |")


def bench(of, systems, baseline):
    words = ["bench", of.path, "--systems", ",".join(systems), "--baseline", baseline, "--json"]
    return json.loads(demo.lexforge(*words))


def untuned(arguments):
    """The systems that need no training and take time."""
    decoder = arguments.decoder
    endpoint = [f"endpoint {arguments.endpoint}"] if arguments.endpoint else []
    of = {"decoder": [f"base {decoder}", f"eol {decoder}", f"echo {decoder}", *endpoint], "encoder": [f"base {arguments.encoder}"]}
    return [system for part in arguments.part for system in of[part]]


def tables(of, arguments):
    """What there is of a set, by the decoder and by the encoder."""
    for part in arguments.part:
        {"decoder": of_decoder, "encoder": of_encoder}[part](of, arguments)


def of_decoder(of, arguments):
    decoder = arguments.decoder
    names = {f"base {decoder}": f"{decoder}, untouched", f"eol {decoder}": "PromptEOL", f"echo {decoder}": "Echo"}
    full = of.known(decoder, DECODER[FULL])
    names |= {system(runs): name for name, words in DECODER.items() if (runs := of.known(decoder, words))}
    names |= COUNTED
    if arguments.endpoint:
        names[f"endpoint {arguments.endpoint}"] = f"endpoint `{arguments.endpoint}`"
    table = bench(of, list(names), system(full) if full else f"base {decoder}")
    print(f"\n### {of.name}: {decoder}\n\n{table['n']} test questions in {table['clusters']} clusters.")
    for scorer in ("likelihood", "generation", "embedding"):
        print_rows(table, names, scorer)
    told(table)


def of_encoder(of, arguments):
    encoder = arguments.encoder
    names = {f"base {encoder}": f"{encoder}, untouched"}
    names |= {system(runs): name for name, words in ENCODER.items() if (runs := of.known(encoder, words))}
    names |= COUNTED
    table = bench(of, list(names), f"base {encoder}")
    print(f"\n### {of.name}: {encoder}")
    print_rows(table, names, "embedding")
    told(table)


def told(table):
    """What is missing, and what the questions can show."""
    for one in table["missing"]:
        print(f"\nMissing: {one['system']}: {one['failure']['message']}")
    if table.get("power"):
        print(f"\nA difference of {100 * table['power']['smallest_difference']:.1f} points or more is shown in four of five cases.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "systems")
    parser.add_argument("--sets", default="privacy,regulations-zh")
    parser.add_argument("--seeds", default="42,43,44")
    parser.add_argument("--decoder", default="lexforge-demo")
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    parser.add_argument("--part", nargs="+", choices=("decoder", "encoder"), default=["decoder", "encoder"])
    parser.add_argument("--endpoint", default="local", help="asked without further consent if it is on this machine; \"\" = none")
    parser.add_argument("--max-steps", type=int, default=24, help="of each stage")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="trainings side by side")
    parser.add_argument("--minutes", type=float, default=0, help="begin no training after so many; 0 = no limit")
    parser.add_argument("--table", action="store_true", help="train nothing, print what there is")
    arguments = parser.parse_args()
    arguments.seeds = arguments.seeds.split(",")
    recipes_of = {"decoder": (arguments.decoder, DECODER), "encoder": (arguments.encoder, ENCODER)}
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    documents = json.loads(ablation.DOCUMENTS.read_text(encoding="utf-8"))["documents"]
    sets = [Set(name, arguments.work / f"{name}.lexforge", arguments) for name in arguments.sets.split(",")]
    prepared = lambda of: (arguments.work / f"{of.name}.frozen").is_file()

    def prepare(of):
        chosen = [document for document in documents if document["set"] == of.name]
        if not prepared(of) and not arguments.table:
            ablation.prepare(of.name, chosen, demo.find(arguments.corpus, chosen), arguments.work)
        if not prepared(of):
            raise SystemExit("no workspace was made yet")

    over = lambda: arguments.table or arguments.minutes and time.monotonic() - begun > 60 * arguments.minutes

    def one(of, base, name, words, seed):
        if over():
            return int(not of.known(base, words, [seed]))
        try:
            run = of.train(base, name, words, seed)
        except SystemExit as problem:
            # One that fails takes nothing from the others.
            demo.say(f"{of.name}, {name}, seed {seed}: {problem}")
            return 1
        demo.say(f"{(time.monotonic() - begun) / 60:.1f} min: {of.name}, {base}, {name}, seed {seed}: run {run}")
        if run and arguments.jobs > 1:
            of.measure(f"run {run}")
        return 0

    # Seed by seed, so that what is broken off has every recipe as often as the others.
    queue = Queue()
    for of in sets:
        queue.prepare(of.name, lambda of=of: prepare(of))
    if arguments.jobs > 1 and not arguments.table:
        for of, system in itertools.product(sets, untuned(arguments)):
            queue.put(of.name, of.measure, system)
    for seed, of in itertools.product(arguments.seeds, sets):
        for base, recipes in (recipes_of[part] for part in arguments.part):
            for name, words in recipes.items():
                queue.put(of.name, one, of, base, name, words, seed)
    with side_by_side(arguments.jobs) as pool:
        left = queue.run(pool, arguments.jobs)
    print(f"{datetime.date.today()}, at most {arguments.max_steps} steps a stage of {arguments.batch_size} items, "
          f"{arguments.threads} thread(s), seeds {', '.join(arguments.seeds)}.")
    if left:
        print(f"\nNot trained yet: {left} runs; the command goes on with them.")
    for of in sets:
        if prepared(of):
            tables(of, arguments)
        else:
            print(f"\n### {of.name}\n\nThere is no workspace yet.")


if __name__ == "__main__":
    main()
