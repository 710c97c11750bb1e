"""Attacks on the worker: folders of models that ask for all memory, and requests to its server."""
import contextlib
import json
import pathlib
import random
import re
import shutil
import socket
import subprocess
import time

from attacks_site import BARE, LONGEST, ROOT, Broken, attack, expect


@attack
def hostile_models(site):
    """Model folders that ask for all memory or all time, or that hold what is no number."""
    demo = ROOT / "models/demo"
    worker = site.environment["LEXFORGE_WORKER"]

    def inspected(name, change):
        folder = site.folder / name
        shutil.copytree(demo, folder)
        change(folder)
        began = time.monotonic()
        done = subprocess.run(["prlimit", f"--as={64 << 30}", worker, "inspect", folder, "--json"], env=site.environment, cwd=site.folder,
                              capture_output=True, timeout=LONGEST, check=False)
        said = (done.stdout + done.stderr).decode(errors="replace")
        expect(not BARE.search(said) and done.returncode in (0, 1, 2, 3), f"{name}: {done.returncode} {said[-400:]}")
        return time.monotonic() - began

    def config(**values):
        def change(folder):
            path = folder / "config.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), **values}))
        return change

    def device(file):
        def change(folder):
            (folder / file).unlink(missing_ok=True)
            (folder / file).symlink_to("/dev/zero")
        return change

    def header(folder):
        weights = next(folder.glob("*.safetensors"))
        weights.write_bytes((2**62).to_bytes(8, "little") + b"{" * 100)
    inspected("layers", config(num_hidden_layers=10**9))
    inspected("wide", config(hidden_size=10**9, intermediate_size=10**12))
    inspected("words", config(vocab_size=10**15))
    inspected("minus", config(num_attention_heads=0, num_hidden_layers=-1))
    inspected("weights", device("model.safetensors"))
    inspected("tokens", device("tokenizer.json"))
    inspected("pointed", device("config.json"))
    inspected("header", header)
    # A template that doubles a text forty times, asked by the server.
    folder = site.folder / "doubles"
    shutil.copytree(demo, folder)
    template = "{% set ns = namespace(a='aaaaaaaa') %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}{{ ns.a }}"
    named = folder / "tokenizer_config.json"
    named.write_text(json.dumps({**json.loads(named.read_text()), "chat_template": template}))
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    with Server(site, folder) as server:
        body = json.dumps({"model": "doubles", "messages": [{"role": "user", "content": "Who?"}], "max_tokens": 4})
        answer = server.ask("POST", "/v1/chat/completions", body)
        expect(b" 200 " not in answer[:20], f"a template that doubles a text was run: {answer[:200]!r}")
        expect(b" 200 " in server.ask("GET", "/health")[:20], "the server does not answer any more")


class Server:
    """The worker's server with a model."""

    token = "a-token-of-the-attack"

    def __init__(self, site, folder):
        self.port_file = site.folder / f"port-{folder.name}.json"
        self.log = open(site.folder / f"serve-{folder.name}.log", "w+b")
        self.process = subprocess.Popen([site.environment["LEXFORGE_WORKER"], "serve", "--model", folder, "--port-file", self.port_file],
                                        env={**site.environment, "LEXFORGE_TOKEN": self.token}, stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, stderr=self.log)
        until = time.monotonic() + LONGEST
        while not self.port_file.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise Broken(f"the server did not start: {pathlib.Path(self.log.name).read_text()[-300:]}")
            time.sleep(0.05)
        self.port = json.loads(self.port_file.read_text())["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def open(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def send(self, content, waits=120):
        """What comes back until the server closes."""
        with self.open() as connection:
            connection.settimeout(waits)
            with contextlib.suppress(OSError):
                connection.sendall(content)
            answer = b""
            with contextlib.suppress(OSError):
                while part := connection.recv(1 << 16):
                    answer += part
            return answer

    def head(self, method, path, more="", host=None, token=token):
        return (f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n"
                f"{f'Authorization: Bearer {token}' if token is not None else 'X: y'}\r\nConnection: close\r\n{more}")

    def ask(self, method, path, body="", **more):
        return self.send((self.head(method, path, f"Content-Length: {len(body.encode())}\r\n\r\n", **more) + body).encode())

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) // 1024


@attack
def server(site):
    """Foreign hosts, pages of a browser, wrong tokens, spoilt and slow requests, very many connections."""
    with Server(site, ROOT / "models/demo") as server:
        good = lambda: expect(server.ask("GET", "/health").startswith(b"HTTP/1.1 200"), "a good request is not answered any more")
        good()
        for host in ("rebound.example.org", f"rebound.example.org:{server.port}", "127.0.0.1", "[::1]:1", f"localhost.:{server.port}", ""):
            expect(server.ask("GET", "/v1/models", host=host or "  ").startswith((b"HTTP/1.1 403", b"HTTP/1.1 400")), f"host {host!r}")
        for token in (None, "", server.token[:-1], server.token.upper(), "x" * 10_000):
            expect(server.ask("GET", "/v1/models", token=token).startswith((b"HTTP/1.1 401", b"HTTP/1.1 431")), f"token {token!r:.30}")
        for field in ("Origin: null", "Origin: http://127.0.0.1", "Sec-Fetch-Site: none"):
            expect(server.send((server.head("GET", "/v1/models", field + "\r\n\r\n")).encode()).startswith(b"HTTP/1.1 403"), field)
        # Two requests in the bytes of one, by two lengths that differ and by chunks beside a length.
        inner = server.head("GET", "/v1/models", "\r\n", token="wrong")
        for more in ("Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "Content-Length: +5\r\n\r\n", "Transfer-Encoding: chunked\r\n"
                     "Content-Length: 5\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"):
            answer = server.send((server.head("POST", "/v1/score", more) + inner).encode())
            expect(b"HTTP/1.1 200" not in answer, f"{more!r}: {answer[:200]!r}")
        answer = server.send(server.head("GET", "/health", "X-Long: " + "a" * 2_000_000 + "\r\n\r\n").encode())
        expect(answer[:12] in (b"HTTP/1.1 431", b""), "a long head")
        answer = server.send((server.head("POST", "/v1/embeddings", f"Content-Length: {9 << 20}\r\n\r\n") + "a" * (9 << 20)).encode())
        expect(answer[:12] in (b"HTTP/1.1 413", b""), f"a large body: {answer[:60]!r}")
        good()
        # Slow: a head that never ends, a body that never comes, and an answer that is not read.
        began = time.monotonic()
        with server.open() as head, server.open() as body, server.open() as unread:
            head.sendall(b"GET /health HTTP/1.1\r\nHo")
            body.sendall(server.head("POST", "/v1/embeddings", "Content-Length: 100\r\n\r\n{").encode())
            long = json.dumps({"model": "demo", "messages": [{"role": "user", "content": "Who?"}], "stream": True, "n": 16, "min_tokens": 300,
                               "max_tokens": 300})
            unread.sendall((server.head("POST", "/v1/chat/completions", f"Content-Length: {len(long)}\r\n\r\n") + long).encode())
            good()
            head.recv(100)
            head_s = time.monotonic() - began
            answer = body.recv(100)
            body_s = time.monotonic() - began
            expect(head_s < 20 and body_s < 60 and answer.startswith(b"HTTP/1.1 408"), f"{head_s:.0f} s, {body_s:.0f} s, {answer!r}")
        # More connections than the server takes at a time, which say nothing; the next good request waits until they are dropped.
        before, idle = server.memory(), []
        with contextlib.suppress(OSError):
            for _ in range(1100):
                idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        began = time.monotonic()
        good()
        waited = time.monotonic() - began
        for connection in idle:
            connection.close()
        after = server.memory()
        good()
        # Garbage, five seconds of it.
        draw, until, tries = random.Random(1), time.monotonic() + 5, 0
        while time.monotonic() < until:
            tries += 1
            server.send(draw.randbytes(draw.randrange(1, 3000)) + b"\r\n\r\n", waits=15)
        good()
        said = pathlib.Path(server.log.name).read_text()
        expect("stumbled" not in said and server.token not in said, said[-300:])
        return (f"a head without end was dropped after {head_s:.0f} s, a body after {body_s:.0f} s; with {len(idle)} silent connections "
                f"a good request was answered after {waited:.1f} s, memory {before} and then {after} MB; {tries} times garbage")
