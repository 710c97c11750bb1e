"""A test cluster, and the parts on the way to it in which faults can be caused: a real sshd on loopback, a real Slurm in its own
namespaces (tests/src/cluster.sh), and a proxy between client and sshd that can cut the connection. All of them end with this
program."""
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What the bundles of all jobs have room for on the cluster: a file system of its own, so that it can be full.
ROOM = "96m"

# Stands before sbatch. Each job that was taken is written down; where it is asked to, it loses its answer.
SBATCH = """#!/bin/sh
for script; do :; done
said=$(/usr/bin/sbatch "$@") || exit
echo "$said $(sed -n 's/^#SBATCH --job-name=//p' "$script")" >>{folder}/taken
case $(cat {folder}/lose 2>/dev/null) in
  error)
    mv {folder}/lose {folder}/errored
    echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2
    exit 1 ;;
  cut)
    mv {folder}/lose {folder}/cut-now
    sleep 2 ;;
esac
echo "$said"
"""


class Line:
    """Passes bytes on between client and sshd, and cuts when as many have passed as it was told."""

    def __init__(self, server):
        self.server, self.left, self.cuts, self.connections = server, None, 0, 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.connections += 1
            try:
                server = socket.create_connection(("127.0.0.1", self.server))
            except OSError:
                client.close()
                continue
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    def cut_after(self, count):
        with self.lock:
            self.left = count

    def pass_on(self, source, sink):
        try:
            while True:
                piece = source.recv(16384)
                if not piece:
                    break
                with self.lock:
                    cut = self.left is not None and len(piece) >= self.left
                    some = piece[: self.left] if cut else piece
                    if cut:
                        self.left, self.cuts = None, self.cuts + 1
                    elif self.left is not None:
                        self.left -= len(piece)
                sink.sendall(some)
                if cut:
                    break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Site:
    """The cluster, its sshd, and the way there."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="faults-")
        self.folder = pathlib.Path(self.scratch.name)
        os.chmod(self.folder, 0o755)
        words = ["unshare", "-m", "-u", "-n", "-i", "-p", "-f", "--mount-proc", "--kill-child", "sh"]
        log = open(self.folder / "out", "wb")
        self.root = subprocess.Popen([*words, str(ROOT / "tests/src/cluster.sh"), str(self.folder)],
                                     stdin=subprocess.PIPE, stdout=log, stderr=log)
        self.inside, self.server = None, None
        since = time.monotonic()
        while True:
            children = pathlib.Path(f"/proc/{self.root.pid}/task/{self.root.pid}/children").read_text().split()
            if children:
                self.inside = children[0]
                if "idle" in self.run("sinfo --noheader"):
                    break
            if time.monotonic() - since > 60:
                raise RuntimeError("the cluster does not start here: " + (self.folder / "out").read_text())
            time.sleep(0.1)
        self.there = self.folder / "there"
        self.run(f"mkdir -m 700 -p {self.there}/jobs; mount -t tmpfs -o size={ROOM},mode=700 jobs {self.there}/jobs")
        self.program("bin/sbatch", SBATCH.format(folder=self.folder))
        self.program("enter", f'#!/bin/sh\nexec nsenter -t {self.inside} -m -u -n -i -p -- '
                              f'env PATH="{self.folder}/bin:$PATH" sh -c "$SSH_ORIGINAL_COMMAND"\n')
        self.start_sshd()
        self.line = Line(self.port)
        self.configure()

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def start_sshd(self):
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name)], check=True)
        os.makedirs("/run/sshd", exist_ok=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        (self.folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\n"
            f"AuthorizedKeysFile {self.folder}/user.pub\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
            f"KbdInteractiveAuthentication no\nPermitRootLogin yes\nPidFile none\nMaxStartups 100\n"
            f"ForceCommand {self.folder}/enter\n")
        self.server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", str(self.folder / "sshd_config")],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=open(self.folder / "sshd.log", "wb"))
        since = time.monotonic()
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if time.monotonic() - since > 20:
                    raise RuntimeError("sshd does not listen")
                time.sleep(0.05)

    def configure(self):
        public = (self.folder / "host.pub").read_text()
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.line.port} {public}")
        (self.folder / "ssh_config").write_text(
            f"Host cluster\n  HostName 127.0.0.1\n  Port {self.line.port}\n  User root\n  IdentityFile {self.folder}/user\n"
            f"  IdentitiesOnly yes\n  UserKnownHostsFile {self.folder}/known_hosts\n  GlobalKnownHostsFile none\n")
        self.ssh = self.program("ssh", f'#!/bin/sh\nexec ssh -F {self.folder}/ssh_config "$@"\n')

    def run(self, line, within=60):
        """Runs a line of shell within the cluster; its standard output."""
        words = ["nsenter", "-t", self.inside, "-m", "-u", "-n", "-i", "-p", "--", "sh", "-c", line]
        try:
            return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, timeout=within).stdout
        except subprocess.TimeoutExpired:
            return ""

    def signal(self, program, name):
        pid = (self.folder / f"{program}.pid").read_text().strip()
        self.run(f"kill -{name} {pid}")

    def start_node(self, node):
        folder = self.folder
        self.run(f"slurmd -D -N {node} >>{folder}/log/{node} 2>&1 </dev/null & echo $! >{folder}/{node}.pid")

    def taken(self):
        """Every job that Slurm ever took, as (number, name)."""
        path = self.folder / "taken"
        return [tuple(line.split()) for line in path.read_text().splitlines()] if path.exists() else []

    def job(self, number):
        """State and node of a job; neither where Slurm knows none or is silent."""
        said = self.run(f"squeue --noheader --states=all --format='%T %N' --jobs {number} 2>/dev/null", 30).split()
        return (said + ["", ""])[:2]

    def end(self):
        if self.server:
            self.server.kill()
            self.server.wait()
        self.root.kill()
        self.root.wait()
        self.scratch.cleanup()
