"""Attacks by the machine: disks that are full, kills, two programs at once, a wrong clock."""
import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import time

from attacks_site import LONGEST, RULES, WS, NotTried, attack, expect, kills


@contextlib.contextmanager
def small_disk(site, kilobytes):
    place = site.folder / "small"
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place], capture_output=True, check=False)
    if done.returncode:
        raise NotTried("a small disk cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=False)


@attack
def full_disks(site):
    """On disks with room for less than is needed: whole, or not there, and said."""
    site.rules(3)
    size = (site.folder / WS).stat().st_size >> 10
    made = {"new": 0, "backup": 0, "import": 0}
    for kilobytes in (40, 200, 416, 500, 600, 700, 790, 900, 1100, 1400, size - 200, size, size + 100, size + 600):
        for what, words in (("new", ("new", "small/n.lexforge")), ("backup", ("workspace", "backup", WS, "small/b.lexforge")),
                            ("restore", ("workspace", "restore", WS, "small/r.lexforge")),
                            ("import", ("import", "small/i.lexforge", "rules-0.md", "--no-vectors"))):
            with small_disk(site, max(kilobytes, 16)) as place:
                code, out, _ = site.command(*words)
                file = place / words[-1 if what in ("backup", "restore") else 1].split("/")[1]
                if code:
                    expect(site.failure().get("message"), f"{what} on {kilobytes} KB: {out[:300]}")
                else:
                    made[what] = made.get(what, 0) + 1
                if file.exists():
                    done = subprocess.run([site.environment["LEXFORGE_BIN"], "audit", "verify", file, "--json"], cwd=site.folder,
                                          env=site.environment, capture_output=True, check=False)
                    expect(done.returncode == 0, f"{what} on {kilobytes} KB left a broken file: {done.stdout[:300]!r}")
                left = [name for name in os.listdir(place) if name.endswith(".new") or kills.LEFT.fullmatch(name)]
                expect(not left, f"{what} on {kilobytes} KB left {left}")
    # The workspace's own disk is full.
    with small_disk(site, size + 700) as place:
        shutil.copy(site.folder / WS, place / WS)
        for number in range(40):
            (site.folder / "more.md").write_text(RULES.replace("register", f"register more {number}") * 20)
            code, out, _ = site.command("import", f"small/{WS}", "more.md", "--no-vectors")
            if code:
                break
        expect(code != 0, "the disk never became full")
        expect("disk_full" in out, out[:300])
        site.command("audit", "verify", f"small/{WS}", code=0)
        site.command("docs", f"small/{WS}", code=0)
    return f"of 14 sizes each: {made}"


@attack
def killed_on_the_way(site):
    """SIGKILL during an import, a backup and an export: the workspace holds, and what was left goes."""
    site.rules(3)
    (site.folder / "long.md").write_text(RULES * 60)
    draw = random.Random(3)
    for number in range(12):
        words = [("import", WS, "long.md", "--no-vectors"), ("workspace", "backup", WS, f"b{number}.lexforge"), ("terms", "extract", WS)][number % 3]
        process = site.start(words, subprocess.DEVNULL)
        time.sleep(draw.uniform(0.005, 0.4))
        process.kill()
        process.wait()
        site.holds()
    until = time.monotonic() + 30
    while site.processes() and time.monotonic() < until:
        time.sleep(0.2)
    expect(not site.processes(), f"processes live on: {site.processes()}")
    site.command("import", WS, "long.md", "--no-vectors")
    left = [str(path) for folder in (site.folder, site.folder / "tmp") for path in folder.iterdir() if kills.LEFT.fullmatch(path.name)]
    expect(not left, f"left behind: {left}")


@attack
def two_at_once(site):
    """Two programs make the same workspace, restore over an open one, and move it away under a long step."""
    for number in range(6):
        (site.folder / f"r{number}.md").write_text(RULES.replace("register", f"register {number}"))
    programs = [site.start(("import", WS, f"r{number}.md", "--no-vectors"), subprocess.DEVNULL) for number in range(6)]
    codes = [program.wait(LONGEST) for program in programs]
    expect(codes == [0] * 6 and len(site.documents()) == 6, f"six imports at once: {codes}, {len(site.documents())} documents")
    site.command("workspace", "backup", WS, "b.lexforge", code=0)
    (site.folder / "long.md").write_text(RULES * 60)
    program = site.start(("import", WS, "long.md", "--no-vectors"), subprocess.DEVNULL)
    time.sleep(0.15)
    code, out, _ = site.command("workspace", "restore", "b.lexforge", WS, "--replace")
    expect(code == 0 or site.failure().get("hint"), out)
    expect(program.wait(LONGEST) in (0, 1), "the import that was overtaken")
    site.holds()
    program = site.start(("terms", "extract", WS), subprocess.PIPE)
    time.sleep(0.05)
    os.rename(site.folder / WS, site.folder / "moved.lexforge")
    said = program.communicate(timeout=LONGEST)[0].decode()
    moved = program.returncode != 0 and ("workspace_moved" in said or "workspace_missing" in said)
    expect(moved or program.returncode == 0, said[-300:])
    expect(not (site.folder / WS).exists() or program.returncode == 0, "a file was made where the workspace had been")


@attack
def clock_set_back(site):
    """Acts at a time before the newest entry: the chain goes on, and of two decisions the later act counts."""
    library = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
    if not library:
        raise NotTried("libfaketime is not there")
    site.rules()
    (site.folder / "terms.csv").write_text("term\nloss report\n")
    site.command("terms", "import", WS, "terms.csv", code=0)
    site.command("terms", "decide", WS, "1", "--accept", code=0)
    for offset in ("-2h", "-400d", "-20000d", "+3000d"):
        variables = {"LD_PRELOAD": str(library), "FAKETIME": offset}
        site.command("terms", "decide", WS, "1", "--reject", "--reason", f"at {offset}", code=0, variables=variables)
        site.command("ask", WS, "Within how many days is a loss reported?", variables=variables)
        with contextlib.closing(sqlite3.connect(site.folder / WS)) as database:
            status = database.execute("SELECT status FROM verdict").fetchall()
        expect(status == [("rejected",)], f"{offset}: {status}")
        site.command("terms", "decide", WS, "1", "--accept", code=0)
        with contextlib.closing(sqlite3.connect(site.folder / WS)) as database:
            status = database.execute("SELECT status FROM verdict").fetchall()
        expect(status == [("accepted",)], f"after {offset}: {status}")
        site.holds()
