"""Attacks by those who can write the workspace, or who sent it: altered rows, spoilt files, endpoints that nobody here confirmed,
packets and runs that claim what cannot be."""
import contextlib
import hashlib
import json
import os
import re
import resource
import shutil
import sqlite3

from attacks_site import RULES, WS, Listener, NotTried, attack, expect


@attack
def altered_rows(site):
    """Rows altered with SQLite are named, and no later change takes them into the chain."""
    site.rules(3)
    site.command("terms", "extract", WS, code=0)
    (site.folder / "terms.csv").write_text("term\nleverage ratio\n")
    shutil.copy(site.folder / WS, site.folder / "older")
    site.command("people", "add", WS, "Reviewer 3", code=0)
    head = site.must("audit", "list", WS, "--limit", "1")[0]["hash"]
    shutil.copy(site.folder / WS, site.folder / "before")
    attempts = {
        "sentence": "UPDATE sentence SET text = replace(text, 'percent', 'per mille') WHERE document = 3",
        "term": "UPDATE term SET text = text || ' x' WHERE id = 1",
        "new trigger": "CREATE TRIGGER helpful AFTER INSERT ON decision BEGIN UPDATE verdict SET status = 'accepted'; END",
        "new view": "CREATE VIEW person_2 AS SELECT * FROM person",
        "chain": "UPDATE audit SET reason = 'another' WHERE sequence = 2",
        "cut out": "DELETE FROM audit WHERE sequence = 2",
    }
    for what, sql in attempts.items():
        for name in (WS, f"{WS}-wal", f"{WS}-shm"):
            (site.folder / name).unlink(missing_ok=True)
        shutil.copy(site.folder / "before", site.folder / WS)
        site.alter(sql)
        code, out, _ = site.command("audit", "verify", WS)
        expect(code == 1, f"{what}: not found: {out[:300]}")
        if what in ("sentence", "new trigger", "new view"):
            site.refused("docs", WS, "--link", "3", "--replaces", "1", said="audit_broken")
        if what in ("term", "new trigger", "new view"):
            site.refused("terms", "import", WS, "terms.csv", said="audit_broken")
    for name in (WS, f"{WS}-wal", f"{WS}-shm"):
        (site.folder / name).unlink(missing_ok=True)
    shutil.copy(site.folder / "older", site.folder / WS)
    site.command("audit", "verify", WS, code=0)
    code, _, _ = site.command("audit", "verify", WS, "--head", head)
    expect(code == 1, "an older copy passes against a head that was noted")


@attack
def spoilt_workspaces(site):
    """Files that were cut, overwritten, exchanged or are no workspaces: refused in words, and left as they are."""
    site.rules(2)
    whole = (site.folder / WS).read_bytes()
    site.command("audit", "verify", WS, code=0)
    cases = {"empty": b"", "head": whole[:100], "half": whole[:len(whole) // 2], "text": b"no workspace" * 1000,
             "zeros": bytes(len(whole)), "first page": bytes(4096) + whole[4096:],
             "rows": whole[:8192] + bytes(len(whole) - 8192), "longer": whole[:40] + b"\xff" * 60 + whole[100:]}
    for what, content in cases.items():
        path = site.folder / f"{what.replace(' ', '-')}.lexforge"
        path.write_bytes(content)
        for words in (("docs", path.name), ("audit", "verify", path.name), ("search", path.name, "loss"),
                      ("workspace", "backup", path.name, f"copy-of-{path.name}")):
            code, out, _ = site.command(*words)
            # What lists or looks for something may come by nothing that is spoilt; what reads everything does not.
            if code == 0 and (what == "longer" or what in ("rows", "half") and words[0] in ("docs", "search")):
                continue
            expect(code != 0, f"{what}: {words[:2]} says nothing: {out[:300]}")
            expect(site.failure().get("message") or words[0] == "audit", f"{what}: {words[:2]}: {out[:300]}")
        expect(what == "longer" or not (site.folder / f"copy-of-{path.name}").exists(), f"{what}: was backed up")
        expect(path.read_bytes() == content, f"{what}: was altered")
    for what in ("pipe", "folder", "round", "device"):
        path = site.folder / f"{what}.lexforge"
        {"pipe": lambda: os.mkfifo(path), "folder": path.mkdir, "round": lambda: path.symlink_to(path.name),
         "device": lambda: path.symlink_to("/dev/zero")}[what]()
        site.refused("docs", path.name, longest=60)
        site.refused("import", path.name, "rules-0.md", longest=60)
    with contextlib.closing(sqlite3.connect(site.folder / WS)) as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        database.execute(f"PRAGMA user_version = {version + 1000}")
        database.commit()
    site.refused("docs", WS)


@attack
def logs_of_another_state(site):
    """A copy with a life of its own, put beside the log of the file that it was made of, is refused, and neither is changed."""
    site.rules()
    shutil.copy(site.folder / WS, site.folder / "other.lexforge")
    site.command("people", "add", "other.lexforge", "Reviewer 9", code=0)
    log = site.folder / f"{WS}-wal"
    with contextlib.closing(sqlite3.connect(site.folder / WS)) as database:
        database.execute("SELECT count(*) FROM sentence").fetchall()
        site.command("people", "add", WS, "Reviewer 2", code=0)
        kept = log.read_bytes() if log.exists() else b""
    if not kept:
        raise NotTried("no log was left")
    (site.folder / f"{WS}-shm").unlink(missing_ok=True)
    log.write_bytes(kept)
    other = (site.folder / "other.lexforge").read_bytes()
    (site.folder / WS).unlink()
    (site.folder / WS).write_bytes(other)
    site.refused("docs", WS, said="log_foreign")
    expect((site.folder / WS).read_bytes() == other and log.read_bytes() == kept, "a refused file was changed")


@attack
def consent(site):
    """Without a yes no byte goes to an endpoint elsewhere or through a proxy, and a foreign workspace names nobody to call."""
    site.rules()
    site.command("terms", "extract", WS, code=0)
    proxy = Listener()
    site.command("endpoints", "add", WS, "x", "--url", "http://localhost:1/v1", "--model", "m", "--proxy", f"http://{proxy.address}", code=0)
    site.refused("augment", WS, "--endpoint", "x")
    site.command("endpoints", "add", WS, "y", "--url", "http://localhost:1/v1", "--model", "m", "--proxy", "environment", code=0)
    variables = {"HTTP_PROXY": f"http://{proxy.address}", "ALL_PROXY": f"http://{proxy.address}"}
    site.refused("augment", WS, "--endpoint", "y", variables=variables)
    expect(proxy.heard == 0, "something was called without consent")
    # The same workspace on another machine: nothing of it is confirmed there.
    foreign = {"LEXFORGE_STATE": str(site.folder / "another-machine"), "SECRET": "a-secret-of-this-user"}
    for words in (("endpoints", "check", WS, "x"), ("augment", WS, "--endpoint", "x", "--yes"), ("terms", "extract", WS, "--endpoint", "x", "--yes")):
        site.refused(*words, said="endpoint_unconfirmed", variables=foreign)
    expect(proxy.heard == 0, "a foreign workspace made the program call")


@attack
def no_traffic(site):
    """In a network without anything but loopback the whole way works, and no socket of the internet is opened."""
    if not shutil.which("strace"):
        raise NotTried("strace is not there")
    (site.folder / "rules-0.md").write_text(RULES)
    trace = site.folder / "trace"
    steps = (("import", WS, "rules-0.md", "--no-vectors"), ("terms", "extract", WS), ("graph", "build", WS, "--encoder", "lsa"),
             ("ask", WS, "Within how many days is a loss reported?"), ("augment", WS, "--offline"), ("dataset", "freeze", WS), ("doctor",))
    for words in steps:
        site.command(*words, code=None if words == ("doctor",) else 0,
                     inside=("unshare", "-n", "strace", "-f", "-qq", "-o", str(trace), "-e", "trace=socket,connect"))
        sockets = re.findall(r"socket\(AF_INET6?.*|connect\([^)]*AF_INET.*", trace.read_text())
        expect(not sockets, f"{words} opened {sockets[:3]}")


@attack
def forged_packets(site):
    """An answer with impossible times, or decisions on what its packet did not hold, decides nothing of that."""
    site.rules(2)
    (site.folder / "terms.csv").write_text("term\n" + "".join(f"kept register {n}\n" for n in "abcdefgh"))
    site.command("terms", "import", WS, "terms.csv", code=0)
    site.command("packet", "write", WS, "share.json", "--for", "Reviewer 2", "--most", "2", code=0)
    site.command("packet", "open", "share.json", "mine.lexforge", code=0)
    identity = site.must("terms", "queue", "mine.lexforge")[0]["item"]["term"]["id"]
    site.command("terms", "decide", "mine.lexforge", str(identity), "--reject", code=0)
    site.command("packet", "answer", "mine.lexforge", "answer.json", code=0)
    honest = json.loads((site.folder / "answer.json").read_text())

    def forged(change):
        body = json.loads(json.dumps(honest["body"]))
        change(body)
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        (site.folder / "forged.json").write_text('{"format":"lexforge-review-answer","version":1,"sha256":"%s","body":%s}\n'
                                                 % (hashlib.sha256(text.encode()).hexdigest(), text))
        site.command("packet", "merge", WS, "forged.json")
        with contextlib.closing(sqlite3.connect(site.folder / WS)) as database:
            return database.execute("SELECT count(*) FROM decision").fetchone()[0]

    def one(body):
        return body["decisions"][0]
    for made in ("9999-12-31T23:59:59.999Z", "2090-01-01T00:00:00.000Z", "0000-00-00T00:00:00Z", "-1", ""):
        expect(forged(lambda body: one(body).update(made=made)) == 0, f"a decision made at {made!r} was merged")

    def everything(body):
        first = one(body)
        body["decisions"] = [{**first, **{key: number for key in first if key in ("first", "id", "term")}} for number in range(1, 500)]
    expect(forged(everything) <= 2, "decisions on what the packet did not hold were merged")
    site.command("terms", "decide", WS, str(identity), "--accept", "--as", "Reviewer 2", code=0)
    (site.folder / "changed.json").write_text((site.folder / "answer.json").read_text().replace("reject", "accept"))
    site.refused("packet", "merge", WS, "changed.json")
    site.holds()


@attack
def prepared_runs(site):
    """A workspace whose run names places outside: listing its runs reads, makes and copies nothing there."""
    site.rules()
    outside = site.folder / "outside"
    (outside / "tuned").mkdir(parents=True)
    (outside / "letter").write_text("a secret")
    (outside / "tuned/adapter.safetensors").symlink_to(outside / "letter")
    (outside / "job.json").write_text("{}")
    (outside / "result.json").write_text(json.dumps({"adapter_sha256": "../../outside", "adapter": "tuned"}))
    for bundle in (str(outside), "../outside", "bundles/../../outside", "/etc", ""):
        site.alter(f"DELETE FROM run; INSERT INTO run (recipe, base, bundle, spec, started, state, stage, step, of) VALUES "
                   f"('adept', 'lexforge-demo', '{bundle}', '{{}}', '2026-01-01T00:00:00.000Z', 'running', 'sentence', 0, 1)")
        for words in (("runs", "list", WS), ("runs", "follow", WS, "1"), ("docs", WS),
                      ("models", "export", WS, "1", "--format", "peft", "--out", "peft")):
            site.command(*words, longest=90)
    expect(sorted(os.listdir(outside)) == ["job.json", "letter", "result.json", "tuned"], f"outside: {os.listdir(outside)}")
    beside = site.folder / f"{WS}.artifacts"
    copied = [path for path in beside.rglob("*") if path.is_file() and b"a secret" in path.read_bytes()]
    expect(not copied, f"copied: {copied}")


@attack
def formulas(site):
    """No cell of a table that is written begins as a formula, by any separator."""
    terms = ["=1+1", "x;=1+1", "\t=cmd", "@sum", "＝1+1", "+1", "-1", "a\n=1"]
    (site.folder / "terms.csv").write_text("term\n" + "".join('"' + t.replace('"', '""') + '"\n' for t in terms))
    site.rules()
    site.command("terms", "import", WS, "terms.csv")
    site.command("terms", "export", WS, "out.csv", "--format", "csv")
    text = (site.folder / "out.csv").read_text() if (site.folder / "out.csv").exists() else ""
    if not text:
        raise NotTried(f"nothing was exported: {site.lines}")
    for line in re.split(r"[\r\n]+", text):
        for cell in re.split(r"[,;\t]", line):
            expect(not re.match(r'"?[=+\-@＝＋－＠]', cell), f"a formula: {cell!r}")


@attack
def large_lists(site):
    """A list of terms in Turtle with a million statements, beside a document, takes about four times as long as a quarter."""
    (site.folder / "rules.md").write_text(RULES)
    taken = []
    for concepts in (62_500, 250_000):
        with open(site.folder / "large.ttl", "w") as file:
            file.write("@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n")
            for number in range(concepts):
                file.write(f'<urn:{number}> a skos:Concept ; skos:prefLabel "term {number}"@en ; skos:altLabel "name {number}"@en ; '
                           f"skos:broader <urn:{number // 2}> .\n")
        site.command("import", f"{concepts}.lexforge", "rules.md", "--no-vectors", code=0)
        before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        site.command("terms", "import", f"{concepts}.lexforge", "large.ttl", code=0, longest=600)
        taken.append(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before)
    expect(taken[1] < 8 * max(taken[0], 1), f"{taken[0]:.1f} s and {taken[1]:.1f} s of processor time")
    return f"250,000 statements {taken[0]:.1f} s of processor time, 1,000,000 {taken[1]:.1f} s"
