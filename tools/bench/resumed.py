#!/usr/bin/env python3
"""Measures what a lost connection costs when the worker is installed on a target: the additional time, and the bytes that are
sent again. It uses a real sshd on loopback.

Needs built programs (LEXFORGE_BIN, LEXFORGE_WORKER, LIBTORCH) and sshd. It makes one installation without a cut. In a second one
the connection is cut after half of the bytes, and the same command is repeated to continue.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path


class Line:
    """Passes bytes on, counts them, and cuts every connection once so many have passed."""

    def __init__(self, server: int) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.passed, self.cut_at = self.listener.getsockname()[1], 0, None
        self.server, self.lock = server, threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            client = self.listener.accept()[0]
            server = socket.create_connection(("127.0.0.1", self.server))
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self.move, args=ends, daemon=True).start()

    def move(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 18):
                with self.lock:
                    self.passed += len(data)
                    if self.cut_at is not None and self.passed > self.cut_at:
                        self.cut_at = None
                        break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
        "StrictModes no\nUsePAM no\nPidFile none\n"
    )
    os.makedirs("/run/sshd", exist_ok=True)
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", folder / "sshd_config"], stderr=log)
    line = Line(port)
    (folder / "known").write_text(f"[127.0.0.1]:{line.port} {(folder / 'host.pub').read_text()}")
    (folder / "ssh_config").write_text(
        f"Host box\n HostName 127.0.0.1\n Port {line.port}\n IdentityFile {folder}/user\n IdentitiesOnly yes\n"
        f" UserKnownHostsFile {folder}/known\n"
    )
    (folder / "ssh").write_text(f'#!/bin/sh\nexec ssh -F {folder}/ssh_config "$@"\n')
    (folder / "ssh").chmod(0o755)
    program = os.environ.get("LEXFORGE_BIN", "target/debug/lexforge")
    environment = {**os.environ, "LEXFORGE_SSH": f"{folder}/ssh", "LEXFORGE_STATE": f"{folder}/state"}

    def run(*words: str) -> tuple[int, float, int]:
        before, start = line.passed, time.monotonic()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        done = subprocess.run([program, "compute", *words], env=environment, check=False, **quiet)
        return done.returncode, time.monotonic() - start, line.passed - before

    try:
        time.sleep(1)
        run("add", "box", "--ssh", "box", "--folder", f"{folder}/there")
        run("install", "box")  # the hashes of the files here are known from then on
        run("clean", "box", "--all")
        code, whole, bytes_whole = run("install", "box")
        assert code == 0, "the installation failed"
        run("clean", "box", "--all")
        line.cut_at = line.passed + bytes_whole // 2
        code, until, first = run("install", "box")
        print(f"without a cut: {bytes_whole / 1e6:.1f} MB in {whole:.1f} s")
        print(f"cut after {first / 1e6:.1f} MB and {until:.1f} s (exit code {code})")
        code, rest, second = run("install", "box")
        assert code == 0, "it does not go on"
        again = first + second - bytes_whole
        print(f"gone on with: {second / 1e6:.1f} MB in {rest:.1f} s; both took {until + rest:.1f} s")
        print(f"more bytes than without a cut: {again / 1e6:.1f} MB")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
