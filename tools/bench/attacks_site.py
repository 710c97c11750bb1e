"""The place of an attack: a folder with the programs, in which each command is watched. It must end in time, without words of a
program that broke, and be refused in words of its own where it is refused."""
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("kills", ROOT / "tools/bench/kills.py")
kills = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(kills)
WS = "a.lexforge"
# Words of a program that broke, which nobody should have to read.
BARE = re.compile(r"panicked at|RUST_BACKTRACE|stack overflow|SQLITE_", re.I)
# Seconds that one command may take on a busy machine.
LONGEST = 240
RULES = "# Rules\n\n" + "".join(
    f"## Article {n}\n\nThe keeper of register {n} shall report each loss above {n} percent within {n + 2} days.\n\n"
    for n in range(1, 9))
ATTACKS = []


class Broken(Exception):
    """An attack did harm."""


class NotTried(Exception):
    """What the attack needs is not there."""


def attack(function):
    ATTACKS.append(function)
    return function


def expect(holds, why):
    if not holds:
        raise Broken(why)


class Site(kills.Product):
    """A folder with the programs, and what was told of each command."""

    def command(self, *words, code=None, variables=(), longest=LONGEST, inside=(), stdin=None):
        """Runs a command and looks whether it ended as a command may: in time, within memory, and with words of its own."""
        began, environment = time.monotonic(), {**self.environment, **dict(variables)}
        process = subprocess.Popen([*inside, self.environment["LEXFORGE_BIN"], *map(str, words), "--json"], cwd=self.folder,
                                   env=environment, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, errors = process.communicate(stdin, timeout=longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Broken(f"{words}: not done within {longest} s") from None
        self.seconds = time.monotonic() - began
        out, errors = out.decode(errors="replace"), errors.decode(errors="replace")
        expect(not BARE.search(out + errors), f"{words}: {(out + errors)[-600:]}")
        expect(process.returncode in (range(5) if code is None else (code,)),
               f"{words}: exit code {process.returncode}: {(out + errors)[-600:]}")
        self.lines = [json.loads(line) for line in out.splitlines() if line.startswith(("{", "["))]
        return process.returncode, out, errors

    def refused(self, *words, said=None, **more):
        """The failure of a command that must be refused, in words and with a remedy."""
        code, out, errors = self.command(*words, **more)
        expect(code != 0, f"{words} was not refused: {out[-400:]}")
        failure = self.failure()
        expect(failure.get("message") and failure.get("hint"), f"{words}: refused without words: {(out + errors)[-400:]}")
        expect(said is None or failure.get("code") in said.split("|"), f"{words}: refused as {failure}")
        return failure

    def failure(self):
        for line in self.lines:
            if isinstance(line.get("error"), dict):
                return line["error"]
            for failed in line.get("failed") or []:
                return failed.get("failure") or failed
        return {}

    def holds(self, file=WS):
        """The workspace opens, its chain holds and its pages are whole."""
        self.command("audit", "verify", file, code=0)
        with contextlib.closing(sqlite3.connect(self.folder / file)) as database:
            expect(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the workspace's pages are not whole")

    def documents(self):
        self.command("docs", WS, code=0)
        return [row for line in self.lines for row in (line.get("documents", [line]) if isinstance(line, dict) else line)]

    def rules(self, files=1):
        for n in range(files):
            (self.folder / f"rules-{n}.md").write_text(RULES.replace("register", f"register {'abcdefgh'[n % 8]}{n}"))
            self.command("import", WS, f"rules-{n}.md", "--no-vectors", code=0)

    def alter(self, sql):
        """Alters rows as somebody with a copy of SQLite does: without the triggers that guard them."""
        with contextlib.closing(sqlite3.connect(self.folder / WS)) as database:
            guards = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in guards:
                database.execute(f"DROP TRIGGER {name}")
            database.executescript(sql)
            for _, made in guards:
                database.execute(made)
            database.commit()


class Listener:
    """Counts who connects, and answers nobody."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.heard = 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            connection, _ = self.socket.accept()
            self.heard += 1
            connection.close()
