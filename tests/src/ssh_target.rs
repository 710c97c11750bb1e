//! A real `sshd` with its own port and keys, and a connection to it that the test can cut. The machine's own server and
//! the users' configurations stay as they are.
#![allow(clippy::panic)] // A test that cannot start its server has failed.

use crate::loopback::{self, Loopback};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The server and the way to it; both end when this is dropped.
pub struct SshTarget {
    folder: tempfile::TempDir,
    program: &'static Path,
    logins: Logins,
    /// The process in whose network namespace the server runs.
    inside: Option<u32>,
    server: Child,
    port: u16,
    /// The connection between client and server.
    pub line: CutLine,
}

impl SshTarget {
    /// Starts a server. `None`, with a message, if no `sshd` is installed.
    pub fn start() -> Option<Self> {
        Self::start_with(Logins::Key, None)
    }

    /// As [`SshTarget::start`], in a namespace with nothing but loopback. A client must run in the same namespace and
    /// use the alias `straight`.
    pub fn start_inside(namespace: &Loopback) -> Option<Self> {
        Self::start_with(Logins::Key, Some(namespace.holder()))
    }

    /// Starts a server that accepts no keys: PAM asks for a password and then for a one-time code. The files `password`
    /// and `code` contain the right answers, and `tries` gets a line for each try. `None`, with a message, if this test
    /// has no right to give the server its own PAM configuration.
    pub fn start_with_two_factors(password: &str, code: &str) -> Option<Self> {
        let may = Command::new("unshare")
            .args(["-m", "mount", "--make-rprivate", "/"])
            .stderr(Stdio::null())
            .status();
        if !may.is_ok_and(|s| s.success()) || !Path::new("/etc/pam.d/sshd").is_file() {
            lexforge_needs::unavailable(
                "a mount namespace and PAM for a server of its own (as root, with unshare)",
            );
            return None;
        }
        let target = Self::start_with(Logins::TwoFactors, None)?;
        target.expect(password, code);
        Some(target)
    }

    /// This password and this code are the right ones from now on.
    pub fn expect(&self, password: &str, code: &str) {
        write(&self.path("password"), password);
        write(&self.path("code"), code);
    }

    /// How each try to log in ended: `good` or `wrong`.
    pub fn tries(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("tries")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn start_with(logins: Logins, inside: Option<u32>) -> Option<Self> {
        let program = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"]
            .into_iter()
            .map(Path::new)
            .find(|path| path.is_file());
        let Some(program) = program else {
            lexforge_needs::missing("sshd is not installed (make setup installs it)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("no temporary folder: {e}"));
        let at = |name: &str| folder.path().join(name);
        for name in ["host", "other", "user"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(at(name))
                .status();
            assert!(made.is_ok_and(|s| s.success()), "ssh-keygen");
        }
        // If `sshd` runs as root, it needs this folder.
        let _ = std::fs::create_dir_all("/run/sshd");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
        let port = free.unwrap_or_else(|e| panic!("no port: {e}")).port();
        let server = serve(program, folder.path(), port, "host", logins, inside);
        let line = CutLine::to(port);
        let target = Self {
            folder,
            program,
            logins,
            inside,
            server,
            port,
            line,
        };
        target.trust("host");
        target.configure("user");
        let wrapper = format!(
            "#!/bin/sh\nexec ssh -F {} \"$@\"\n",
            target.path("ssh_config").display()
        );
        write(&target.path("ssh"), &wrapper);
        executable(&target.path("ssh"));
        Some(target)
    }

    /// The port on which the server listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A path in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program that is to be used as `ssh`: the system's, with a configuration of its own.
    pub fn ssh(&self) -> PathBuf {
        self.path("ssh")
    }

    /// From now on the server has this key: `host`, or `other`, as a host that was set up anew or is another one.
    pub fn answer_with(&mut self, key: &str) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        self.server = serve(
            self.program,
            self.folder.path(),
            self.port,
            key,
            self.logins,
            self.inside,
        );
    }

    /// From now on a login has a home of its own. If the user's shell is bash, it reads this start file there first.
    pub fn start_logins_with(&mut self, profile: &str) {
        let home = self.path("home");
        std::fs::create_dir_all(&home).unwrap_or_else(|e| panic!("{e}"));
        write(&home.join(".bashrc"), profile);
        self.answer_with("host");
    }

    /// From now on a login of root has this shell. Only the server sees it, and this test must be allowed to mount.
    pub fn log_in_with_shell(&mut self, shell: &Path) {
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_else(|e| panic!("{e}"));
        let changed = users.lines().map(|line| match line.rsplit_once(':') {
            Some((user, _)) if line.starts_with("root:") => format!("{user}:{}\n", shell.display()),
            _ => format!("{line}\n"),
        });
        let changed: String = changed.collect();
        let own = self.path("passwd");
        write(&own, &changed);
        self.mount(&format!("mount --bind '{}' /etc/passwd", own.display()));
    }

    /// Runs these shell commands, which mount something. From now on the server, and everybody who logs in to it, see
    /// these mounts; no other process does. This test must be allowed to mount.
    pub fn mount(&mut self, commands: &str) {
        write(&self.path("mounts"), commands);
        self.answer_with("host");
    }

    /// What a shell prints that sees what the server sees.
    pub fn inside(&self, line: &str) -> String {
        let process = self.server.id().to_string();
        let done = Command::new("nsenter")
            .args(["-t", &process, "-m", "sh", "-c", line])
            .output()
            .unwrap_or_else(|e| panic!("nsenter: {e}"));
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// Takes this key for that of the host: `host`, or `other`, which is not.
    pub fn trust(&self, key: &str) {
        let public = std::fs::read_to_string(self.path(&format!("{key}.pub")));
        let public = public.unwrap_or_else(|e| panic!("{e}"));
        let hosts = [self.port, self.line.port].map(|port| format!("[127.0.0.1]:{port} {public}"));
        write(&self.path("known_hosts"), &hosts.concat());
    }

    /// Forgets all hosts.
    pub fn forget(&self) {
        write(&self.path("known_hosts"), "");
    }

    /// From now on the user's key has a passphrase.
    pub fn lock_key(&self, passphrase: &str) {
        let locked = Command::new("ssh-keygen")
            .args(["-q", "-p", "-P", "", "-N", passphrase, "-f"])
            .arg(self.path("user"))
            .stdout(Stdio::null())
            .status();
        assert!(locked.is_ok_and(|s| s.success()), "ssh-keygen -p");
    }

    /// The fingerprint of a key, as those who run the host would give it.
    pub fn fingerprint(&self, key: &str) -> String {
        let said = Command::new("ssh-keygen")
            .args(["-l", "-f"])
            .arg(self.path(&format!("{key}.pub")))
            .output();
        let said = said.map_or(String::new(), |out| {
            String::from_utf8_lossy(&out.stdout).into_owned()
        });
        said.split_whitespace()
            .nth(1)
            .unwrap_or_default()
            .to_owned()
    }

    /// Logs in with this key: `user`, or another, which the server does not know.
    pub fn configure(&self, key: &str) {
        let config = |name: &str, port: u16| {
            format!(
                "Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n  \
                 UserKnownHostsFile {}\n  GlobalKnownHostsFile none\n",
                std::env::var("USER").unwrap_or_else(|_| "root".to_owned()),
                self.path(key).display(),
                self.path("known_hosts").display(),
            )
        };
        // A port on which nobody listens: this test used it a moment ago.
        let text = [
            config("box", self.line.port),
            config("straight", self.port),
            config("nobody", 1),
        ];
        write(&self.path("ssh_config"), &text.concat());
    }
}

/// How the server lets somebody in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logins {
    /// With the key of the user.
    Key,
    /// With a password and a one-time code, both asked for by PAM.
    TwoFactors,
}

/// Starts the server with this host key, and waits until it listens.
fn serve(
    program: &Path,
    folder: &Path,
    port: u16,
    key: &str,
    logins: Logins,
    inside: Option<u32>,
) -> Child {
    let asked = match logins {
        Logins::Key => "UsePAM no\nKbdInteractiveAuthentication no\n",
        Logins::TwoFactors => {
            "UsePAM yes\nKbdInteractiveAuthentication yes\nPubkeyAuthentication no\n\
             AuthenticationMethods keyboard-interactive:pam\n"
        }
    };
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {0}/{key}\nAuthorizedKeysFile {0}/user.pub\nStrictModes no\n\
         {asked}PasswordAuthentication no\nPermitRootLogin yes\nPidFile none\nMaxStartups 100\nMaxSessions 100\n",
        folder.display()
    );
    let home = folder.join("home");
    let profile = match home.is_dir() {
        true => format!("SetEnv HOME={}\n", home.display()),
        false => String::new(),
    };
    write(&folder.join("sshd_config"), &(config + &profile));
    let log = std::fs::File::create(folder.join("log")).unwrap_or_else(|e| panic!("{e}"));
    let mut command = match (logins, inside) {
        (Logins::TwoFactors, _) => with_own_pam(program, folder),
        (Logins::Key, None) if folder.join("mounts").is_file() => {
            let mut command = Command::new("unshare");
            command
                .args(["-m", "sh", "-c"])
                .arg("mount --make-rprivate / && . \"$0\" && exec \"$@\"")
                .arg(folder.join("mounts"))
                .arg(program);
            command
        }
        (Logins::Key, None) => Command::new(program),
        (Logins::Key, Some(process)) => {
            let mut command = Command::new("env");
            command.args(loopback::words(process)).arg(program);
            command
        }
    };
    let server = command
        .args(["-D", "-e", "-f"])
        .arg(folder.join("sshd_config"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap_or_else(|e| panic!("sshd: {e}"));
    let since = Instant::now();
    let listens = || match inside {
        Some(process) => loopback::listens(process, port),
        None => TcpStream::connect(("127.0.0.1", port)).is_ok(),
    };
    while !listens() {
        assert!(
            since.elapsed() < Duration::from_secs(120),
            "sshd does not listen"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    server
}

/// A command that starts the server where it sees a PAM configuration of its own and everybody else sees the machine's.
fn with_own_pam(program: &Path, folder: &Path) -> Command {
    let (source, module) = (folder.join("two_factors.c"), folder.join("two_factors.so"));
    write(&source, include_str!("two_factors.c"));
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&module, &source])
        .status();
    assert!(built.is_ok_and(|s| s.success()), "cc");
    let service = format!(
        "auth required {0}/two_factors.so {0}/password {0}/code {0}/tries\naccount required pam_permit.so\n\
         session required pam_permit.so\n",
        folder.display()
    );
    write(&folder.join("pam"), &service);
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c"])
        .arg("mount --make-rprivate / && mount --bind \"$0\" /etc/pam.d/sshd && exec \"$@\"")
        .arg(folder.join("pam"))
        .arg(program);
    command
}

impl Drop for SshTarget {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let set = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755));
        set.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// The connection between client and server. It passes bytes on, and is cut after a set number of bytes.
#[derive(Clone)]
pub struct CutLine {
    port: u16,
    budget: Arc<AtomicU64>,
    cuts: Arc<AtomicUsize>,
    passed: Arc<AtomicU64>,
    connections: Arc<AtomicUsize>,
}

impl CutLine {
    fn to(server: u16) -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").unwrap_or_else(|e| panic!("cannot listen: {e}"));
        let port = listener.local_addr().map_or(0, |a| a.port());
        let line = Self {
            port,
            budget: Arc::new(AtomicU64::new(u64::MAX)),
            cuts: Arc::default(),
            passed: Arc::default(),
            connections: Arc::default(),
        };
        let all = line.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                all.connections.fetch_add(1, Ordering::SeqCst);
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                all.pass(&client, &server);
                all.pass(&server, &client);
            }
        });
        line
    }

    /// From now on all connections together pass so many bytes; then each is cut, and new ones are not.
    pub fn cut_after(&self, bytes: u64) {
        self.budget.store(bytes, Ordering::SeqCst);
    }

    /// From now on, no connection is cut.
    pub fn mend(&self) {
        self.budget.store(u64::MAX, Ordering::SeqCst);
    }

    /// How often it has cut.
    pub fn cuts(&self) -> usize {
        self.cuts.load(Ordering::SeqCst)
    }

    /// Connections that came.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Bytes that passed, both ways.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    fn pass(&self, from: &TcpStream, to: &TcpStream) {
        let (Ok(mut from), Ok(mut to)) = (from.try_clone(), to.try_clone()) else {
            return;
        };
        let line = self.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 16384];
            while let Ok(n) = from.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let left = line.budget.load(Ordering::SeqCst);
                let pass = n.min(usize::try_from(left).unwrap_or(n));
                if to.write_all(&buffer[..pass]).is_err() {
                    break;
                }
                line.passed.fetch_add(pass as u64, Ordering::SeqCst);
                if left != u64::MAX {
                    line.budget.fetch_sub(pass as u64, Ordering::SeqCst);
                    if pass < n || left <= n as u64 {
                        line.cuts.fetch_add(1, Ordering::SeqCst);
                        line.mend();
                        break;
                    }
                }
            }
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }
}
