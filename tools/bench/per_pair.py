#!/usr/bin/env python3
"""Counts the questions that one regulation gives at the published scale: a question for each pair of a sentence and a
neighbour, and for each term. Planned and made stand side by side, with what was left out, by reason.

    tools/bench/per_pair.py FILE.pdf --work FOLDER [--encoder lsa] [--prompts N] [--own N]

The endpoint is a server in this script that answers by rule, in the form of a good model: no figure here is one of a
model's quality. With --own the demonstration decoder, served by Lexforge itself, is asked N prompts afterwards, in a copy of the
workspace, to show how what it writes fails.

The programs are those of LEXFORGE_BIN and LEXFORGE_PARSE, else the ones on the path. The workspace stays in FOLDER; what was
answered there is not asked again. Prints Markdown.
"""
import argparse
import http.server
import json
import os
import pathlib
import re
import subprocess
import threading

WS, COPY = "pairs.lexforge", "own.lexforge"


def fenced(prompt, label):
    """The text between the markers of a label."""
    found = re.search(rf"<<<{label} [^\n]*?(\S+)\n(.*?)\n\1 {label}>>>", prompt, re.S)
    return found and found[2]


def answer(prompt):
    """A question about the rule in the prompt, as tests/src/question_backend.rs makes it."""
    rule, term, other = (fenced(prompt, label) for label in "ATB")
    if rule is None:
        return json.dumps({"answer": "ready"})
    rule = re.sub(r"^\[[^\n]*\]\n", "", rule)
    if term:
        words = " ".join(sorted(rule.replace(term, " ", 1).split())).rstrip(".")
        return json.dumps({"question": f"What belongs to these words of a rule: {words}?", "rephrased": rule})
    words = rule.split()
    about = " ".join(words[:len(words) - max(len(words) // 4, min(4, len(words)))])
    return json.dumps({"type": "obligation", "question": f"What is required where it says “{about} …”?", "right": rule,
                       "neighbour": other or "", "hard_1": wrong(rule, " need not ", "Nowhere"),
                       "hard_2": wrong(rule, " may, if it so wishes, ", "Only on request")})


def wrong(rule, modal, before):
    """A rule that binds otherwise; of a sentence without "shall" one that begins otherwise."""
    return rule.replace(" shall ", modal, 1) if " shall " in rule else f"{before}: {rule}"


class Endpoint(http.server.BaseHTTPRequestHandler):
    """OpenAI's chat completions, and nothing else."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = answer(asked["messages"][-1]["content"])
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": asked.get("model", ""), "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Program:
    """The command line in the folder of the work."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, LEXFORGE_STATE=str(folder / "state"))
        self.program = os.environ.get("LEXFORGE_BIN", "lexforge")

    def __call__(self, *words):
        """The last line of JSON that a command prints."""
        done = subprocess.run([self.program, *map(str, words), "--json"], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode or not lines:
            raise SystemExit(f"{words} ended with {done.returncode}: {done.stdout}")
        return lines[-1]


def table(report):
    """Rows of what was made of what could be asked."""
    items = report["items"]
    anchors = max(items["anchors"], 1)
    rows = [("sentences asked about", items["anchors"]), ("possible", items["possible"]), ("asked for", items["asked"]),
            ("asked for, a sentence", round(items["asked"] / anchors, 2)),
            ("made", items["made"]), ("made, a sentence", round(items["made"] / anchors, 2))]
    rows += [(f"left out: {reason.replace('_', ' ')}", n) for reason, n in sorted(items["left_out"].items()) if n]
    return "\n".join(f"| {what} | {n:,} |" for what, n in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--encoder", default="lsa")
    parser.add_argument("--prompts", type=int)
    parser.add_argument("--own", type=int)
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    product = Program(chosen.work.resolve())
    if not (chosen.work / WS).exists():
        product("import", WS, chosen.file.resolve())
        product("terms", "extract", WS)
        product("graph", "build", WS, "--encoder", chosen.encoder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    product("endpoints", "add", WS, "rule", "--url", url, "--model", "by-rule", "--concurrency", 8)
    some = ("--limit", chosen.prompts) if chosen.prompts else ()
    each = ("augment", WS, "--endpoint", "rule", "--per", "pair", "--reask", 0, "--yes")
    planned = product(*each, "--estimate")
    made = product(*each, *some)
    server.shutdown()
    reports = [("Planned", planned), ("Made", made)]
    if chosen.own:
        if not (chosen.work / COPY).exists():
            product("workspace", "backup", WS, COPY)
        words = ("augment", COPY, "--endpoint", "local", "--base", "lexforge-demo", "--per", "pair", "--reask", 0, "--yes")
        reports.append((f"Made by the demonstration decoder, of {chosen.own} prompts", product(*words, "--limit", chosen.own)))
    (chosen.work / "counts.json").write_text(json.dumps(dict(reports), indent=1))
    for title, report in reports:
        print(f"\n{title}\n\n| questions | |\n|---|---|\n{table(report)}")


if __name__ == "__main__":
    main()
