#!/usr/bin/env python3
"""Measures how well questions about the documents are answered: ranking, refusal, other languages.

    cargo build --release -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/ask.py [--data ../shared/data] [--work out/ask] [--bin target/release] [--only STEP …]

With --only, only the steps whose names contain one of these texts are computed, for example `promise` or `STARD`. Existing
results are not computed again, so an interrupted step continues where it stopped. The figures of each step are written to
WORK/figures.json.
"""
import argparse
import csv
import json
import math
import os
import random
import re
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=HERE.parent / "shared/data")
    options.add_argument("--work", type=Path, default=HERE / "out/ask")
    options.add_argument("--bin", type=Path, default=HERE / "target/release")
    options.add_argument("--only", dest="steps", nargs="+", default=[""], metavar="STEP", help="a part of the step's name")
    options = options.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    bench = Bench(options)
    by_words = ("promise", "support", "batch", "STARD", "sample of STARD")
    if all(step.startswith(by_words) for step in options.steps):
        bench.rulebook_files()
    else:
        bench.rulebooks()
    bench.figure("ranker, fitted on other questions", bench.ranker)
    bench.figure("ObliQA dev, ranked", bench.ranked)
    for mode in ("lexical", "dense", "hybrid"):
        bench.figure(f"ObliQA dev, {mode}", lambda mode=mode: bench.rank(mode))
    for mode in ("lexical", "hybrid"):
        bench.figure(f"left-out rulebooks, {mode}", lambda mode=mode: bench.calibrate(mode))
    bench.figure("ConditionalQA", bench.conditional)
    bench.figure("other language", bench.other_language)
    bench.figure("Chinese articles", bench.chinese)
    for mode in ("lexical", "dense", "hybrid"):
        bench.figure(f"STARD, {mode}", lambda mode=mode: bench.stard(mode))
        bench.figure(f"sample of STARD, {mode}", lambda mode=mode: bench.stard(mode, (200, 1200)))
    bench.figure("promise of certificates", bench.promise)
    for way in ("extractive", "base"):
        bench.figure(f"support, {way}", lambda way=way: bench.support(way))
    bench.figure("batch and single questions", bench.batch_and_single)
    for name, value in bench.figures.items():
        print(name, json.dumps(value, ensure_ascii=False))


class Bench:
    def __init__(self, options):
        self.data, self.work, self.bin = options.data, options.work, options.bin
        self.steps = getattr(options, "steps", [""])
        self.file = self.work / "figures.json"
        self.figures = json.loads(self.file.read_text()) if self.file.exists() else {}

    def figure(self, name, measure):
        if name not in self.figures and any(step in name for step in self.steps):
            self.figures[name] = measure()
            self.file.write_text(json.dumps(self.figures, indent=1, ensure_ascii=False))

    def lexforge(self, *words):
        programs = {f"LEXFORGE_{p.upper()}": str(self.bin / f"lexforge-{p}") for p in ("parse", "worker")}
        words = [str(self.bin / "lexforge"), *map(str, words)]
        done = subprocess.run(words, env={**os.environ, **programs}, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    def workspace(self, name, files, graph=False):
        """A workspace of these files, with vectors where they are wanted."""
        path = self.work / f"{name}.lexforge"
        done = self.work / f"{name}.done"
        if not done.exists():
            path.unlink(missing_ok=True)
            self.lexforge("import", path, *files)
            if graph:
                self.lexforge("terms", "extract", path)
                self.lexforge("graph", "build", path)
            done.write_text("")
        return path

    def rulebooks(self):
        """The 40 rulebooks with their development questions, and a workspace of them with vectors."""
        self.adgm = self.workspace("rulebooks", self.rulebook_files(), graph=True)

    def rulebook_files(self):
        folder = self.data / "retrieval-obliqa"
        ids, files = {}, []
        (self.work / "rulebooks").mkdir(exist_ok=True)
        for number in range(1, 41):
            passages = json.loads((folder / f"StructuredRegulatoryDocuments/{number}.json").read_text())
            out = self.work / f"rulebooks/{number:02}.jsonl"
            with out.open("w") as lines:
                for p in passages:
                    ids[p["DocumentID"], p["PassageID"]] = p["ID"]
                    text = f"{p['PassageID']} {p['Passage']}".strip()
                    lines.write(json.dumps({"id": p["ID"], "text": text}) + "\n")
            files.append(out)
        self.queries, self.qrels = self.work / "dev.jsonl", self.work / "dev.qrels"
        with self.queries.open("w") as queries, self.qrels.open("w") as qrels:
            for q in json.loads((folder / "ObliQA_dev.json").read_text()):
                right = [ids[p["DocumentID"], p["PassageID"]] for p in q["Passages"]]
                kind = "one clause" if len(right) == 1 else "several clauses"
                line = {"id": q["QuestionID"], "question": q["Question"], "passage_ids": right, "kind": kind}
                queries.write(json.dumps(line) + "\n")
                qrels.writelines(f"{q['QuestionID']} 0 {p} 1\n" for p in right)
        return files

    def rank(self, mode):
        words = ("rank", "eval", self.adgm, "--queries", self.queries, "--qrels", self.qrels, "--mode", mode, "--half")
        return json.loads(self.lexforge(*words, "--json"))

    def with_ranker(self):
        """The rulebooks with the training questions alone, so that no development question is learned from."""
        path, done = self.work / "ranked.lexforge", self.work / "ranked.done"
        if not done.exists():
            path.unlink(missing_ok=True)
            if self.lexforge("pairs", "list", self.adgm, "--json").strip():
                raise SystemExit(f"{self.adgm} has labelled questions already: begin with an empty --work.")
            self.lexforge("workspace", "backup", self.adgm, path)
            done.write_text("")
        return path

    def ranker(self):
        train = self.data / "retrieval-adgm-train/questions.jsonl"
        return json.loads(self.lexforge("rank", "train", self.with_ranker(), "--labels", train, "--json"))

    def ranked(self):
        words = ("rank", "eval", self.with_ranker(), "--queries", self.queries, "--qrels", self.qrels)
        return json.loads(self.lexforge(*words, "--against-half", "--json"))

    def calibrate(self, mode):
        words = ("calibrate", self.adgm, "--labels", self.queries, "--mode", mode, "--json")
        found = json.loads(self.lexforge(*words))
        return {k: found[k] for k in ("answerable", "unanswerable", "auc", "support", "certificate", "by_document")}

    def batch(self, workspace, questions, name):
        """Probability and whether something was found, question by question."""
        rows = self.batch_rows(workspace, questions, name)
        return {question: (float(own[0]["probability"]), own[0]["found"] == "yes") for question, own in rows.items()}

    def batch_rows(self, workspace, questions, name):
        """The rows of the answers to each question."""
        asked, out = self.work / f"{name}.csv", self.work / f"{name}.answers.csv"
        with asked.open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["question"])
            table.writerows([re.sub(r"\s+", " ", q)] for q in questions)
        self.lexforge("ask", workspace, "--batch", asked, "--out", out)
        with out.open(encoding="utf-8-sig", newline="") as file:
            rows = {}
            for row in csv.DictReader(file):
                # A cell that a spreadsheet would take for a formula has a mark before it.
                rows.setdefault(re.sub("^'(?=[-=+@])", "", row["question"]), []).append(row)
            return rows

    def conditional(self):
        """Pages of a government; some questions are about pages that were left out."""
        folder = self.data / "refusal-conditionalqa"
        marks = {"h1": "# ", "h2": "\n## ", "h3": "\n### ", "li": "- "}
        pages = self.work / "pages"
        pages.mkdir(exist_ok=True)
        for number, line in enumerate((folder / "pages.jsonl").read_text().splitlines()):
            lines = json.loads(line)["lines"]
            text = (marks.get(x["tag"], "\n") + x["text"].replace("\n", " ") for x in lines)
            (pages / f"{number:03}.md").write_text("\n".join(text) + "\n")
        questions = [json.loads(q) for q in (folder / "questions.jsonl").read_text().splitlines()]
        found = self.batch(self.workspace("pages", [pages]), [q["question"] for q in questions], "conditional")
        scored = [(found[re.sub(r"\s+", " ", q["question"]).strip()][0], q["answerable"]) for q in questions]
        return {"n": len(scored), "auc": auc(scored)}

    def stard(self, mode, sample=None):
        """Everyday questions to articles of statutes, each statute a document, by words and by the vectors of the encoder of
        other languages. A sample has so many questions, drawn by chance, and so many articles: those that answer them, and
        others drawn by chance."""
        folder, name = self.data / "retrieval-stard-zh", "stard-sample" if sample else "stard"
        articles = [json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()]
        questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
        if sample:
            dice = random.Random(42)
            questions = dice.sample(questions, sample[0])
            right = {article for q in questions for article in q["article_ids"]}
            others = [a["id"] for a in articles if a["id"] not in right]
            kept = right | set(dice.sample(others, sample[1] - len(right)))
            articles = [a for a in articles if a["id"] in kept]
        statutes = {}
        for a in articles:
            line = json.dumps({"id": a["id"], "text": f"{a['name']} {a['text']}"}, ensure_ascii=False)
            statutes.setdefault(re.sub("第[一二三四五六七八九十百千零〇]+条.*", "", a["name"]), []).append(line + "\n")
        (self.work / name).mkdir(exist_ok=True)
        files = [self.work / name / f"{number:03}.jsonl" for number in range(len(statutes))]
        for file, lines in zip(files, statutes.values()):
            file.write_text("".join(lines))
        queries, qrels = (self.work / f"{name}.{end}" for end in ("queries.jsonl", "qrels"))
        with queries.open("w") as asked, qrels.open("w") as right:
            for q in questions:
                asked.write(json.dumps({"id": str(q["question_id"]), "text": q["question"]}, ensure_ascii=False) + "\n")
                right.writelines(f"{q['question_id']} 0 {article} 1\n" for article in q["article_ids"])
        workspace = self.workspace(name, files)
        encoder = () if mode == "lexical" else ("--encoder", "multilingual-e5-small-q4")
        words = ("rank", "eval", workspace, "--queries", queries, "--qrels", qrels, "--mode", mode, "--half", *encoder)
        return json.loads(self.lexforge(*words, "--json"))

    def words(self, name):
        """A workspace of the rulebooks without vectors, without labelled questions."""
        return self.workspace(name, sorted((self.work / "rulebooks").glob("*.jsonl")))

    def promise(self):
        """200 times a threshold is certified on a random half of the answers, as `calibrate` certifies it with the weights that
        the product ships, and tested on the other half. 500 questions are drawn by chance; one in five is asked without the
        half of the rulebooks that answers it, so that every answer to it is wrong, or left out if both halves answer it.
        Another answer is wrong if none of the clauses that it quotes is a right one."""
        lines = [json.loads(line) for line in self.queries.read_text().splitlines()]
        drawn = random.Random(42).sample(lines, 500)
        passages, of_passage = {}, {}
        for number, file in enumerate(sorted((self.work / "rulebooks").glob("*.jsonl")), 1):
            for passage in map(json.loads, file.read_text().splitlines()):
                passages[passage["id"]] = " ".join(passage["text"].split())
                of_passage[passage["id"]] = number
        without, answers = {}, []
        for place, q in enumerate(drawn):
            halves = {of_passage[p] % 2 for p in q["passage_ids"]}
            if place % 5 or len(halves) == 1:
                without.setdefault(None if place % 5 else halves.pop(), []).append(q)
        for key, asked in without.items():
            files = sorted((self.work / "rulebooks").glob("*.jsonl"))
            files = [file for number, file in enumerate(files, 1) if number % 2 != key]
            workspace = self.workspace("words" if key is None else f"without-{key}", files)
            found = self.batch_rows(workspace, [q["question"] for q in asked], "promise")
            for q in asked:
                rows = found[re.sub(r"\s+", " ", q["question"]).strip()]
                right = [passages[p] for p in q["passage_ids"]]
                quotes = [" ".join(row["quote"].split()) for row in rows if row["quote"]]
                is_right = key is None and any(quote in text or text in quote for quote in quotes for text in right)
                answers.append((float(rows[0]["probability"]), not is_right))
        figures = {"wrong of all": sum(wrong for _, wrong in answers) / len(answers)}
        for alpha in (0.05, 0.1, 0.15, 0.2, 0.25):
            figures[f"{alpha}"] = splits(answers, alpha)
        return figures

    def support(self, way):
        """Of 100 questions drawn by chance: cited clauses that are right, and right clauses that are cited."""
        sample = self.work / "sample.jsonl"
        lines = self.queries.read_text().splitlines(keepends=True)
        sample.write_text("".join(random.Random(42).sample(lines, 100)))
        words = ("calibrate", self.words("sample"), "--labels", sample, "--mode", "lexical", "--with", way, "--json")
        began = time.monotonic()
        found = json.loads(self.lexforge(*words))
        return {"seconds": time.monotonic() - began} | {k: found[k] for k in ("support", "certificate", "threshold")}

    def batch_and_single(self):
        """Thirty questions as one table, and each as a command of its own: seconds a question, and whether the answers are the
        same."""
        questions = [json.loads(line)["question"] for line in self.queries.read_text().splitlines()]
        questions = [re.sub(r"\s+", " ", q).strip() for q in random.Random(42).sample(questions, 30)]
        workspace = self.words("asked")
        self.lexforge("ask", workspace, questions[0], "--json")
        began = time.monotonic()
        together = self.batch(workspace, questions, "thirty")
        middle = time.monotonic()
        single = [json.loads(self.lexforge("ask", workspace, q, "--json")) for q in questions]
        ended = time.monotonic()
        same = sum(abs(one["probability"] - together[q][0]) < 1e-3 for q, one in zip(questions, single))
        return {"batch": (middle - began) / 30, "single": (ended - middle) / 30, "same": same}

    def chinese_questions(self):
        lines = (self.data / "pdf-zh-nfra/nfra_qa_shared.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def chinese_workspace(self):
        return self.workspace("chinese", sorted((self.data / "pdf-zh-nfra").glob("*.pdf")))

    def other_language(self):
        chinese = self.batch(self.adgm, [q["question"] for q in self.chinese_questions()], "chinese-in-english")
        english = [json.loads(q)["question"] for q in self.queries.read_text().splitlines()[:500]]
        english = self.batch(self.chinese_workspace(), english, "english-in-chinese")
        refused = lambda answers: sum(not found for _, found in answers.values()) / len(answers)
        return {"Chinese questions, English rulebooks": refused(chinese), "English questions, Chinese laws": refused(english)}

    def chinese(self):
        """Returns two figures. The first is how often the article that a question's source names is among the first five results;
        only questions whose source quotes its article are used. The second is how often one of the first five results is an
        article of which the source quotes seven tenths, or which contains seven tenths of the source."""
        article = re.compile("第[一二三四五六七八九十百千零〇]+条")
        workspace = self.chinese_workspace()
        place, first = {}, {}
        for document in (json.loads(d) for d in self.lexforge("docs", workspace, "--json").splitlines()):
            for line in self.lexforge("docs", workspace, "--sentences", document["id"], "--json").splitlines():
                sentence = json.loads(line)
                named = article.findall(sentence["section"])
                if named:
                    key = (document["file"].removesuffix(".pdf"), named[-1])
                    place[sentence["id"]] = key
                    first.setdefault(key, []).append(sentence["text"])
        texts = {key: pairs("".join("".join(own).split())) for key, own in first.items()}
        questions, asked, quoting = self.chinese_questions(), [], []
        for number, q in enumerate(questions):
            quoted = set()
            for part in re.split("(?=【?引用文件】?是)", q["source"]):
                act = re.search("《(.*?)》", part)
                body = re.split("相关内容】?[；;:：]?", part)[-1]
                for named in article.findall(body) if act else []:
                    key = (act.group(1), named)
                    text = "".join(first.get(key, []))
                    if len(pairs(text) & pairs(body)) >= 8:
                        asked.append((number, key))
                said = pairs("".join(body.split()))
                for key, text in texts.items() if act and len(said) >= 8 else []:
                    if key[0] == act.group(1) and len(text) >= 8 and len(text & said) >= 0.7 * min(len(text), len(said)):
                        quoted.add(key)
            if quoted:
                quoting.append((number, quoted))
        queries, qrels, run = (self.work / f"zh.{end}" for end in ("jsonl", "qrels", "run"))
        with queries.open("w") as q, qrels.open("w") as r:
            for number, question in enumerate(questions):
                q.write(json.dumps({"id": str(number), "text": question["question"]}) + "\n")
                r.write(f"{number} 0 1 1\n")
        self.lexforge("rank", "eval", workspace, "--queries", queries, "--qrels", qrels, "--trec", run)
        ranked = {}
        for line in run.read_text().splitlines():
            question, _, sentence, *_ = line.split()
            # A clause begins with its heading at times: the sentence after it has the place.
            near = [place.get(int(sentence) + step) for step in range(4)]
            ranked.setdefault(int(question), []).append(next((p for p in near if p), None))
        hits = sum(key in ranked.get(n, [])[:5] for n, key in asked)
        quoted = sum(not keys.isdisjoint(ranked.get(n, [])[:5]) for n, keys in quoting)
        return {"n": len(asked), "article among the first five": hits / len(asked),
                "that quote it": len(quoting), "one of those it quotes among the first five": quoted / len(quoting)}


def splits(answers, alpha, delta=0.05, level=0.05):
    """How many of 200 certificates on random halves an exact test rejects on the other half."""
    dice, certified, rejected, share = random.Random(7), 0, 0, 0.0
    for _ in range(200):
        dice.shuffle(answers)
        half = len(answers) // 2
        threshold = certified_from(answers[:half], alpha, delta)
        if threshold is not None:
            given = [wrong for probability, wrong in answers[half:] if probability >= threshold]
            certified += 1
            share += len(given) / (len(answers) - half)
            rejected += 1 - at_most(sum(given) - 1, len(given), alpha) <= level
    return {"certified": certified, "rejected": rejected, "answered": certified and share / certified}


def certified_from(answers, alpha, delta):
    """The lowest threshold that holds, tested from the highest one down; as lexforge_evaluate::certificate."""
    answers = sorted(answers, reverse=True)
    fewest = max(1, math.ceil(math.log(delta) / math.log(1 - alpha)))
    wanted, n, wrong, best = max(fewest, len(answers) // 10), 0, 0, None
    while n < len(answers) and len(answers) >= fewest:
        threshold = answers[min(math.ceil(wanted), len(answers)) - 1][0]
        while n < len(answers) and answers[n][0] >= threshold:
            wrong += answers[n][1]
            n += 1
        if at_most(wrong, n, alpha) > delta:
            break
        best, wanted = threshold, n * 1.1
    return best


def at_most(k, n, p):
    """P(Bin(n, p) ≤ k)."""
    return min(1.0, sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)))


def pairs(text):
    return {text[i : i + 2] for i in range(len(text) - 1)}


def auc(scored):
    """How often a question with an answer has the higher probability; ties count half."""
    with_answer = [p for p, answerable in scored if answerable]
    without = [p for p, answerable in scored if not answerable]
    won = sum((a > b) + (a == b) / 2 for a in with_answer for b in without)
    return won / (len(with_answer) * len(without))


if __name__ == "__main__":
    main()
