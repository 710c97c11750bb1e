"""The checks of tools/bench/gpu. Each gives its figures and, where it fails, why."""
import concurrent.futures
import functools
import json
import math
import random
import shutil
import statistics
import time

import gpu_models
import gpu_worker
from gpu_record import Case, NotRun

RECORDED = gpu_worker.ROOT / "models/tests/it/data"
DEMO = "lexforge-demo"
# Largest difference that passes: of a loss in its parts, of a vector in parts of its largest number.
BOUND = {"fp32": 1e-4, "bf16": 3e-2}
# The same of losses over several steps: where a gradient is nothing but rounding, Adam still moves by the whole rate.
OVER_STEPS = {"fp32": 1e-3, "bf16": 1e-1}
# Number of the recorded sequence whose last token the recorded models take for the end of a text.
LONG = 1
STAGES = ("sft", "sentence", "token")
# Vocabulary, hidden, inner, layers, heads, key heads, head, positions.
EIGHT_B = (151_936, 4096, 12_288, 36, 32, 8, 128, 4096)
SMALL_DECODER = (2048, 64, 128, 2, 4, 2, 16, 128)
# Vocabulary, hidden, inner, layers, heads, positions: all-MiniLM-L6-v2's shape.
MINILM = (30_522, 384, 1536, 6, 12, 512)
SMALL_ENCODER = (2048, 64, 128, 2, 4, 64)
DECODER, ENCODER = "check-decoder", "check-encoder"
MEMORY_OFF = 0.15


def all_cases(small):
    """Every case in its order. The parts are numbered from 1 and take at most nine minutes each."""
    cases = []
    recorded = json.loads((RECORDED / "architectures.json").read_text())
    others = json.loads((RECORDED / "encoders.json").read_text())

    def quick(check, name, run, usual=6):
        cases.append(Case(1, check, name, run, usual, 60))

    for file, made in (("architectures", recorded), ("encoders", others)):
        for case in made["cases"]:
            with_case = lambda run, *more, c=case, s=made["sequences"]: functools.partial(run, c, s, *more)
            name = case["name"]
            if case.get("logits"):
                for precision in BOUND:
                    quick(f"architectures, {precision}", name, with_case(logits, precision))
            if case.get("bidirectional") or case.get("hidden"):
                quick("architectures, vectors", name, with_case(vectors))
            if case.get("scores"):
                quick("architectures, classifiers", name, unreachable)
    for precision in BOUND:
        for stage in STAGES:
            quick(f"stages' losses, {precision}", stage, functools.partial(stage_losses, stage, precision), 20)

    shapes = [(1, 16), (2, 32)] if small else [(1, 512), (4, 512), (8, 512), (1, 2048), (4, 2048)]
    steps = [Step(batch, length, way) for batch, length in shapes for way in ("kept", "recomputed")]
    mixed = (4, 32) if small else (8, 1024)
    steps += [Step(*mixed, way) for way in ("packed", "one by one")]
    steps.append(Step(*shapes[1], "four bits"))
    for number, step in enumerate(steps):
        cases.append(Case(2, f"LoRA step, {step}", "", step.run, 90 if number == 0 and not small else 30, 240))
        if step.full:
            cases.append(Case(2, "memory, estimate against measured", str(step), step.memory, 1, 10))

    for precision in BOUND:
        cases.append(Case(3, "resume gives the same adapter", precision, functools.partial(resume, precision), 40))
    cases += [Case(3, "embedding", "", embedding, 40), Case(3, "decoding, as on the CPU", "", same_answers, 40)]
    for together in (1, 8) if small else (1, 8, 32):
        cases.append(Case(3, f"decoding, {together} together", "", functools.partial(decoding, together), 60, 180))
    cases += [Case(3, "serving", "", serving, 40), Case(3, "two ranks", "", two_ranks, 60)]
    return cases


def unreachable(_):
    raise NotRun("no job of the worker scores given tokens with a classifier")


def apart(found, expected):
    """The largest difference, in parts of what is expected."""
    if len(found) != len(expected) or not all(map(math.isfinite, found)):
        raise RuntimeError(f"{len(found)} values instead of {len(expected)}, or one that is no number")
    return max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(found, expected))


def judged(what, value, bound, unit=""):
    """A figure with its bound: what a case gives."""
    figures = {what: [value, unit], "bound": [bound, unit]}
    return figures, "" if value <= bound else f"{what} {value:.2e} is above {bound:.0e}"


def train_job(model, stages, **changes):
    """A train job; `changes` go to the settings that have their name, else to the job."""
    settings = {
        "lora": {"r": 16, "alpha": 32.0, "dropout": 0.0, "targets": ["all-linear"]}, "stages": stages, "max_length": 256,
        "precision": "fp32", "activation_checkpointing": False, "seed": 42, "threads": 0}
    job = {"kind": "train", "model": {"name": model, "sha256": ""}, "train": "inputs/train.jsonl",
           "dev": "inputs/dev.jsonl", "settings": settings, "checkpoint_every": 0, "evaluate_every": 0,
           "lineage": {"dataset": "", "corpus": "", "graph_date": "", "policy": ""}}
    for name, value in changes.items():
        where = settings if name in settings else settings["lora"] if name in settings["lora"] else job
        where[name] = value
    return job


def stage(name, batch, steps, **changes):
    objective = {
        "sft": {"kind": "sft", "form": "open", "replay": 0.0}, "token": {"kind": "token", "loss": "candidates"},
        "sentence": {"kind": "sentence", "temperature": 0.1, "in_batch": True, "pool": "batch", "pooling": "mean",
                     "instruction": "", "all_levels": True}}[name]
    return {"objective": objective, "epochs": 8, "batch_size": batch, "max_steps": steps, "learning_rate": 1e-4,
            "warmup_steps": 0, "decay": "linear", "weight_decay": 0.01, "max_grad_norm": 1.0} | changes


def item(number, question, answer, **more):
    return {"id": number, "anchor": number, "level": "sentence", "question": question, "answer": answer,
            "negatives": [], "answer_group": -1} | more


def words(ids):
    return " ".join(f"w{n}" for n in ids)


def recorded_folder(bench, case, sequences):
    folder = bench.models / f"recorded-{case['name']}"
    if not (folder / "config.json").exists():
        gpu_models.recorded(folder, case, sequences[LONG][-1])
    return folder.name


def logits(case, sequences, precision, bench):
    """Losses of each recorded sequence, token after token, as Transformers' logits give them."""
    def expected(ids, rows):
        log = lambda row, n: row[n] - max(row) - math.log(sum(math.exp(x - max(row)) for x in row))
        targets = [*ids[1:], sequences[LONG][-1]]
        return -sum(log(row, target) for row, target in zip(rows, targets)) / len(targets)

    items = [item(n, words(ids[:1]), words(ids[1:])) for n, ids in enumerate(sequences)]
    theirs = sorted(expected(*pair) for pair in zip(sequences, case["logits"]))
    # A rate that moves nothing: each step's loss is that of one sequence and of the model alone.
    plan = stage("sft", 1, len(items), epochs=1, learning_rate=1e-12)
    job = train_job(recorded_folder(bench, case, sequences), [plan], r=4, precision=precision)
    bundle = bench.bundle(f"logits-{case['name']}-{precision}", job, {"train.jsonl": items, "dev.jsonl": items})
    result = bench.run(bundle)
    ours = [*sorted(gpu_worker.losses(bundle)), result["stages"][0]["dev_loss_before"]]
    return judged("difference of losses", apart(ours, [*theirs, statistics.fmean(theirs)]), BOUND[precision])


def vectors(case, sequences, bench):
    """Means of each recorded sequence's vectors; of a decoder, which reads its end after a text, of the one that ends so."""
    name, rows = recorded_folder(bench, case, sequences), case.get("hidden")
    if not rows:
        sequences, rows = [sequences[LONG][:-1]], [case["bidirectional"][LONG]]
    job = {"kind": "embed", "model": {"name": name, "sha256": ""}, "input": "inputs/texts.jsonl",
           "output": "vectors.safetensors", "pooling": "mean", "causal": False, "normalize": False, "max_length": 512,
           "threads": 0}
    texts = [{"text": words(ids)} for ids in sequences]
    bundle = bench.bundle(f"vectors-{case['name']}", job, {"texts.jsonl": texts})
    bench.run(bundle)
    means = [[statistics.fmean(column) for column in zip(*vectors)] for vectors in rows]
    largest = max(abs(x) for row in means for x in row)
    far = max(abs(a - b) for ours, theirs in zip(gpu_models.read_rows(bundle / "vectors.safetensors"), means)
              for a, b in zip(ours, theirs)) / largest
    # An encoder is computed in fp32 everywhere, a decoder in the device's own type.
    return judged("difference of vectors", far, BOUND["fp32" if bench.on_cpu or "hidden" in case else "bf16"])


def drafted(count):
    """Items of both levels for the demonstration model."""
    subjects = ["supervisor", "board", "bank", "client", "executive", "auditor"]
    acts = ["approve the loan", "report the risk", "keep the register", "audit the bank", "limit the capital"]
    made = []
    for n in range(count):
        subject, act = n * 7 % 6, n * 3 % 5
        others = [(subject + k) % 6 for k in (1, 2, 3)]
        sentence = lambda subject, act: f"The {subjects[subject]} shall {acts[act % 5]} every year."
        if n % 2:
            made.append(item(n, f"Who must {acts[act]} every year?", subjects[subject], level="token",
                             negatives=[subjects[k] for k in others], rephrased=sentence(subject, act)))
        else:
            made.append(item(n, f"What must the {subjects[subject]} do?", sentence(subject, act),
                             negatives=[sentence(k, act + 1) for k in others]))
    return {"train.jsonl": made, "dev.jsonl": made[:6]}


def demo(bench):
    """The demonstration decoder among the models."""
    link = bench.models / DEMO
    if not link.exists():
        bench.models.mkdir(parents=True, exist_ok=True)
        link.symlink_to(gpu_worker.ROOT / "models/demo", target_is_directory=True)
    return DEMO


def stage_losses(name, precision, bench):
    """Losses of some steps against those that the CPU gives in fp32, from one adapter (the devices draw other numbers)."""
    plan = stage(name, 4, 6)
    first = bench.bundle(f"{name}-{precision}-first", train_job(demo(bench), [stage(name, 4, 2)]), drafted(24))
    start = first / bench.run(first, device="cpu")["adapter"]
    expected = bench.bundle(f"{name}-{precision}-cpu", train_job(DEMO, [plan]), drafted(24), start)
    bench.run(expected, device="cpu")
    bundle = bench.bundle(f"{name}-{precision}", train_job(DEMO, [plan], precision=precision), drafted(24), start)
    bench.run(bundle)
    ours, theirs = gpu_worker.losses(bundle), gpu_worker.losses(expected)
    return judged("difference of losses", apart(ours, theirs), OVER_STEPS[precision])


def resume(precision, bench):
    """Three stages straight through, and killed and resumed: the same bytes."""
    steps = 8 if bench.small else 12
    stages = [stage(name, 4, steps) for name in STAGES]
    job = train_job(demo(bench), stages, precision=precision, dropout=0.1, checkpoint_every=4, evaluate_every=4)
    straight, cut = (bench.bundle(f"{name}-{precision}", job, drafted(24)) for name in ("straight", "cut"))
    whole = bench.run(straight)
    kills = [bench.run_and_kill(cut, step) for step in (steps // 2 + 1, 3 * steps // 2)]
    again = bench.run(cut)
    read = lambda bundle, result: (bundle / result["adapter"] / "adapter_model.safetensors").read_bytes()
    differing = sum(a != b for a, b in zip(read(straight, whole), read(cut, again)))
    figures = {"steps": [whole["steps"], ""], "kills": [len(kills), ""], "differing bytes": [differing, ""],
               "difference of losses": [apart(gpu_worker.losses(cut), gpu_worker.losses(straight)), ""]}
    return figures, "" if whole["adapter_sha256"] == again["adapter_sha256"] else "the adapters differ"


def decoder(bench):
    """The large random decoder in bf16."""
    config, shapes = gpu_models.decoder(SMALL_DECODER if bench.small else EIGHT_B)
    needed = 2 * sum(math.prod(shape) for shape in shapes.values())
    folder = bench.models / DECODER
    bench.models.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(bench.models).free
    if not (folder / "config.json").exists() and free < 1.1 * needed:
        raise NotRun(f"the model takes {needed / 1e9:.0f} GB, and {free / 1e9:.0f} GB are free in {bench.models}")
    gpu_models.fill(folder, config, shapes, gpu_models.BF16)
    return DECODER


class Step:
    """A LoRA step of the large decoder."""

    MADE = 5

    def __init__(self, batch, length, way):
        self.batch, self.length, self.way = batch, length, way

    @property
    def full(self):
        """Whether all texts are as long as is read, as the estimate takes them to be."""
        return self.way not in ("packed", "one by one")

    def __str__(self):
        return f"{self.batch} × {self.length} tokens, {self.way}"

    def job(self, bench):
        one = {"micro_batch": 1} if self.way == "one by one" else {}
        return train_job(decoder(bench), [stage("sft", self.batch, self.MADE, **one)], max_length=self.length,
                         precision="nf4" if self.way == "four bits" else "bf16",
                         activation_checkpointing=self.way == "recomputed")

    def run(self, bench):
        chosen = random.Random(5)
        vocabulary = (SMALL_DECODER if bench.small else EIGHT_B)[0]

        def text(number):
            # With the token that ends it as long as is read; mixed ones from a quarter of that on.
            length = chosen.randint(self.length // 4, self.length) if not self.full else self.length
            ids = [chosen.randrange(2, vocabulary) for _ in range(length - 1)]
            return item(number, words(ids[:2]), words(ids[2:]))

        items = [text(number) for number in range(2 * self.batch)]
        bundle = bench.bundle(f"step-{self}", self.job(bench), {"train.jsonl": items, "dev.jsonl": []})
        before = 0.0 if bench.on_cpu else idle(bench)
        with gpu_worker.CardMemory() as card:
            result = bench.run(bundle)
        seconds, tokens = gpu_worker.pace(bundle)
        figures = {"a step": [seconds, "s"], "speed": [tokens, "tokens/s"],
                   "last loss": [gpu_worker.losses(bundle)[-1], "nats"]}
        if bench.on_cpu:
            figures["memory"] = [result["peak_memory_mb"] - gpu_worker.resident_before(bundle), "MiB"]
        elif card.peak:
            # The worker tells the memory of its process, and not the card's.
            figures["memory"] = [card.peak - before, "MiB"]
        left_out = result.get("left_out")
        return figures, f"left out: {left_out}" if left_out else ""

    def memory(self, bench):
        found = bench.record.figures(f"LoRA step, {self}")
        if not found:
            raise NotRun("its step has no figures")
        if "memory" not in found:
            raise NotRun("nvidia-smi did not tell the card's memory")
        taken = found["memory"][0]
        plan = bench.work / "plan.json"
        plan.write_text(json.dumps(self.job(bench)["settings"]))
        told = json.loads(bench.call("inspect", bench.models / DECODER, "--plan", plan, "--json"))["memory"]["total_mb"]
        off = told / taken - 1 if taken > 0 else math.inf
        figures = {"estimated": [told, "MiB"], "measured": [taken, "MiB"], "off by": [100 * abs(off), "%"]}
        if bench.small:
            # So small a model shows that the figures come, and not how good they are.
            return figures, ""
        far = f"estimated {told:,.0f} MiB, measured {taken:,.0f} MiB ({100 * off:+.0f} %)"
        return figures, "" if abs(off) <= MEMORY_OFF else far


def idle(bench):
    """MiB that a card holds while a worker trains hardly anything: its driver's and libraries' own share."""
    if getattr(bench, "idle_mb", None) is None:
        job = train_job(demo(bench), [stage("sft", 1, 3)], precision="bf16")
        bundle = bench.bundle("idle", job, drafted(4))
        with gpu_worker.CardMemory() as card:
            bench.run(bundle)
        bench.idle_mb = card.peak
    return bench.idle_mb


def embedding(bench):
    """Texts a second of a MiniLM's shape, and some of its vectors against the CPU's."""
    size = SMALL_ENCODER if bench.small else MINILM
    gpu_models.fill(bench.models / ENCODER, *gpu_models.encoder(size), gpu_models.FP32)
    chosen = random.Random(3)
    texts = [{"text": words(chosen.randrange(2, size[0]) for _ in range(chosen.randint(8, min(size[-1], 128))))}
             for _ in range(200 if bench.small else 50_000)]
    job = {"kind": "embed", "model": {"name": ENCODER, "sha256": ""}, "input": "inputs/texts.jsonl",
           "output": "vectors.safetensors", "pooling": "mean", "normalize": True, "max_length": size[-1], "threads": 0}
    bundle = bench.bundle("embedding", job, {"texts.jsonl": texts})
    result = bench.run(bundle)
    few = bench.bundle("embedding-cpu", job, {"texts.jsonl": texts[:64]})
    bench.run(few, device="cpu")
    pairs = zip(gpu_models.read_rows(bundle / "vectors.safetensors"), gpu_models.read_rows(few / "vectors.safetensors"))
    lowest = min(sum(a * b for a, b in zip(*pair)) for pair in pairs)
    figures = {"texts": [result["rows"], ""], "speed with loading": [result["rows"] / result["seconds"], "texts/s"],
               "lowest cosine with the CPU's": [f"{lowest:.6f}", ""]}
    return figures, "" if lowest > 0.9999 else f"a vector has the cosine {lowest:.5f} with the CPU's"


def same_answers(bench):
    """Written answers and likelihoods of the demonstration decoder in fp32 against the CPU's."""
    items = [{"id": line["id"], "question": line["question"], "choices": [line["answer"], *line["negatives"]]}
             for line in drafted(8 if bench.small else 40)["train.jsonl"]]
    job = {"kind": "score", "model": {"name": demo(bench), "sha256": ""}, "input": "inputs/items.jsonl",
           "output": "scores.jsonl", "generate": True, "embed": False, "max_new_tokens": 32, "precision": "fp32",
           "threads": 0}
    lines = []
    for device in (bench.device, "cpu"):
        bundle = bench.bundle(f"decoding-{device}", job, {"items.jsonl": items})
        bench.run(bundle, device=device)
        lines.append([json.loads(line) for line in (bundle / "scores.jsonl").read_text().splitlines()])
    far = max(apart(a["likelihood"], b["likelihood"]) for a, b in zip(*lines))
    same = sum(a["written"]["text"] == b["written"]["text"] for a, b in zip(*lines)) / len(items)
    figures, why = judged("difference of likelihoods", far, OVER_STEPS["fp32"])
    few = "" if same >= 0.95 else f"{100 * same:.0f} % of the answers are the same"
    return {"same answers": [100 * same, "%"]} | figures, why or few


def decoding(together, bench):
    """Tokens a second that the large decoder writes in so many answers at a time."""
    tokens = 8 if bench.small else 128
    message = lambda n: words(range(10 + n, 42 + n))
    with bench.server(decoder(bench)) as ask, concurrent.futures.ThreadPoolExecutor(together) as clients:
        ask(message(0), 2)  # warm
        began = time.monotonic()
        answers = [clients.submit(ask, message(n), tokens) for n in range(together)]
        for answer in answers:
            answer.result()
        took = time.monotonic() - began
    return {"speed": [together * tokens / took, "tokens/s"], "a token of one answer": [1000 * took / tokens, "ms"]}, ""


def serving(bench):
    """Many clients at a time on the demonstration decoder."""
    count, clients, tokens = (12, 4, 8) if bench.small else (200, 32, 48)
    questions = [line["question"] for line in drafted(30)["train.jsonl"]]
    with bench.server(demo(bench)) as ask:
        alone = [ask(question, tokens)[0] for question in questions[:4]]
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            found = list(pool.map(lambda n: ask(questions[n % len(questions)], tokens), range(count)))
        took = time.monotonic() - began
    seconds = sorted(second for _, second in found)
    same = statistics.fmean(found[n][0] == text for n, text in enumerate(alone))
    return {"requests": [count, ""], "at a time": [clients, ""], "speed": [count / took, "requests/s"],
            "median": [1000 * statistics.median(seconds), "ms"],
            "95 %": [1000 * seconds[math.ceil(0.95 * count) - 1], "ms"], "same as alone": [100 * same, "%"]}, ""


def two_ranks(bench):
    """Losses of two ranks against those of one process."""
    cards = len(bench.cards())
    if not bench.on_cpu and cards < 2:
        raise NotRun(f"there {'is 1 card' if cards == 1 else f'are {cards} cards'}, and it takes two")
    job = train_job(demo(bench), [stage("sft", 6, 8)])
    one, two = (bench.bundle(f"ranks-{name}", job, drafted(24)) for name in ("one", "two"))
    bench.run(one)
    bench.run(two, "--ranks", "2")
    figures, why = judged("difference of losses", apart(gpu_worker.losses(two), gpu_worker.losses(one)), BOUND["fp32"])
    pace = {f"a step of {name}": [gpu_worker.pace(bundle)[0], "s"] for name, bundle in (("one", one), ("two", two))}
    return pace | figures, why
