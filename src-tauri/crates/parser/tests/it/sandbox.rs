//! Tests that the parser program cannot do what it gave up. Some run on a thread that was restricted in the same way,
//! others on the program itself, from outside.
#![cfg(target_os = "linux")]

use crate::made::{image_pages, program};
use lexforge_domain::Code;
use lexforge_ingest::sandbox::Granted;
use lexforge_ingest::wire::{self, Frame};
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use lexforge_parser::sandbox;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lexforge-parse");

/// Whether this kernel grants all of it; else a visible note, and the promise is not tested.
fn granted() -> bool {
    let found = Parser::new(PROGRAM, ParseLimits::default())
        .sandbox()
        .unwrap();
    let all = (&found.files, &found.calls) == (&Granted::Whole, &Granted::Whole);
    if !all {
        lexforge_needs::unavailable(format!("no whole sandbox: {}", found.describe()));
    }
    all
}

/// A folder with a file of somebody's, and a service of this machine.
struct Ground {
    folder: PathBuf,
    port: u16,
    _service: TcpListener,
}

impl Ground {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sandbox-{name}"));
        // Files that an earlier run left behind.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("secret"), "a secret").unwrap();
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = service.local_addr().unwrap().port();
        Self {
            folder,
            port,
            _service: service,
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

type Act = (&'static str, fn(&Ground) -> io::Result<()>);

const FILES: &[Act] = &[
    ("read a file", |g| File::open(g.at("secret")).map(drop)),
    ("read what the system knows of users", |_| {
        File::open("/etc/passwd").map(drop)
    }),
    ("look into a folder", |g| fs::read_dir(&g.folder).map(drop)),
    ("look into the memory of a process", |_| {
        File::open(format!("/proc/{}/mem", std::process::id())).map(drop)
    }),
    ("make a file", |g| File::create(g.at("new")).map(drop)),
    ("write into a file", |g| {
        OpenOptions::new()
            .append(true)
            .open(g.at("secret"))
            .map(drop)
    }),
    ("write into the folder for temporary files", |_| {
        let path =
            std::env::temp_dir().join(format!("lexforge-sandbox-test-{}", std::process::id()));
        fs::write(&path, "x").and_then(|()| fs::remove_file(&path))
    }),
    ("rename a file", |g| {
        fs::rename(g.at("secret"), g.at("other"))
    }),
    ("remove a file", |g| fs::remove_file(g.at("other"))),
    ("make a folder", |g| fs::create_dir(g.at("folder"))),
    ("remove a folder", |g| fs::remove_dir(g.at("folder"))),
    ("make a link", |g| symlink("secret", g.at("link"))),
    ("change rights", |g| {
        fs::set_permissions(&g.folder, Permissions::from_mode(0o755))
    }),
];

const NETWORK: &[Act] = &[
    ("connect", |g| {
        TcpStream::connect(("127.0.0.1", g.port)).map(drop)
    }),
    ("listen", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    ("listen on IPv6", |_| TcpListener::bind("[::1]:0").map(drop)),
    ("send a datagram", |_| {
        UdpSocket::bind("127.0.0.1:0").map(drop)
    }),
    ("make sockets of this machine", |_| {
        UnixStream::pair().map(drop)
    }),
];

const PROGRAMS: &[Act] = &[
    ("start a shell", |_| {
        Command::new("/bin/sh").args(["-c", ":"]).status().map(drop)
    }),
    ("start the program itself", |_| {
        let mut command = Command::new(PROGRAM);
        command.arg("--version").stdout(Stdio::piped());
        command.status().map(drop)
    }),
];

/// What each act comes to, as an error's number, on a thread that is shut off (or not).
fn tried(
    acts: &'static [Act],
    ground: Ground,
    close: Option<Option<&'static str>>,
) -> Vec<(&'static str, Option<i32>)> {
    let work = move || {
        if let Some(program) = close {
            sandbox::close(program.map(Path::new));
        }
        let told = |outcome: io::Result<()>| {
            outcome
                .err()
                .map(|error| error.raw_os_error().unwrap_or(-1))
        };
        acts.iter()
            .map(|(name, act)| (*name, told(act(&ground))))
            .collect()
    };
    // Both means are a thread's own, and of the threads that it starts.
    std::thread::spawn(work).join().unwrap()
}

#[test]
fn a_thread_that_is_shut_off_can_do_nothing_but_compute() {
    if !granted() {
        return;
    }
    const DENIED: [i32; 2] = [libc::EPERM, libc::EACCES];
    for acts in [FILES, NETWORK, PROGRAMS] {
        // Each act must be possible here. Otherwise its refusal would prove nothing.
        for (name, error) in tried(acts, Ground::new("open"), None) {
            if name == "listen on IPv6" && error.is_some() {
                lexforge_needs::unavailable("this machine has no IPv6");
            } else {
                assert_eq!(error, None, "{name} where nothing is shut off");
            }
        }
    }
    for program in [None, Some("/usr/bin/tesseract")] {
        for acts in [FILES, NETWORK] {
            for (name, error) in tried(acts, Ground::new("closed"), Some(program)) {
                let denied = error.is_some_and(|error| DENIED.contains(&error));
                assert!(denied, "{name}, with {program:?} to be started: {error:?}");
            }
        }
    }
    for (name, error) in tried(PROGRAMS, Ground::new("programs"), Some(None)) {
        assert_eq!(error, Some(libc::ENOSYS), "{name}");
    }
    let shell = &PROGRAMS[..1];
    assert_eq!(
        tried(
            shell,
            Ground::new("shell"),
            Some(Some("/usr/bin/tesseract"))
        ),
        [("start a shell", Some(libc::EACCES))]
    );
}

#[test]
fn a_thread_that_is_shut_off_can_start_threads_and_take_memory() {
    let work = || {
        sandbox::close(None);
        let others: Vec<_> = (0..4)
            .map(|n: u8| std::thread::spawn(move || vec![n; 64 << 20].len()))
            .collect();
        let lengths: Vec<usize> = others
            .into_iter()
            .map(|other| other.join().unwrap())
            .collect();
        let socket = std::thread::spawn(|| UdpSocket::bind("127.0.0.1:0").is_err());
        (lengths, socket.join().unwrap())
    };
    let (lengths, refused) = std::thread::spawn(work).join().unwrap();
    assert_eq!(lengths, [64 << 20; 4]);
    assert!(
        refused || !granted(),
        "a thread that was started later is not shut off"
    );
}

/// Runs a program through the one that turns into it, as Tesseract is run.
fn guarded(words: &[String]) -> Output {
    let mut command = Command::new(PROGRAM);
    command
        .arg("guard")
        .arg("--")
        .args(words)
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn the_program_in_tesseracts_place_is_shut_off_as_well() {
    if !granted() {
        return;
    }
    let ground = Ground::new("guarded");
    let path = |name: &str| ground.at(name).display().to_string();
    fs::create_dir(ground.at("mounted")).unwrap();
    let cases: [(&str, Vec<String>, &str); 9] = [
        (
            "read a file",
            vec!["/bin/cat".into(), path("secret")],
            "Permission denied",
        ),
        (
            "make a file",
            vec!["/usr/bin/touch".into(), path("new")],
            "Operation not permitted",
        ),
        (
            "remove a file",
            vec!["/bin/rm".into(), "-f".into(), path("secret")],
            "Operation not permitted",
        ),
        (
            "start another program",
            ["/usr/bin/env", "/bin/true"].map(String::from).to_vec(),
            "Permission denied",
        ),
        (
            "connect",
            vec![
                "/bin/bash".into(),
                "-c".into(),
                format!("exec 3<>/dev/tcp/127.0.0.1/{}", ground.port),
            ],
            "Operation not permitted",
        ),
        (
            "reach another process",
            vec![
                "/bin/bash".into(),
                "-c".into(),
                format!("kill -0 {}", std::process::id()),
            ],
            "Operation not permitted",
        ),
        (
            "trace",
            ["/usr/bin/strace", "/bin/true"].map(String::from).to_vec(),
            "Operation not permitted",
        ),
        (
            "make a world of its own",
            ["/usr/bin/unshare", "--user", "/bin/true"]
                .map(String::from)
                .to_vec(),
            "Operation not permitted",
        ),
        (
            "mount",
            ["/bin/mount", "-t", "tmpfs", "none"]
                .map(String::from)
                .into_iter()
                .chain([path("mounted")])
                .collect(),
            "permission denied",
        ),
    ];
    for (name, words, said) in &cases {
        // The attempt in the sandbox comes first, because the attempt outside may remove what both need.
        // It is repeated for strace. At its start, strace tests the kernel with a child process, which waits until it
        // is killed. In the sandbox this child cannot wait. If it ends before it is killed, strace reports "unexpected
        // wait status" and ends, before it has tried to trace anything.
        let mut refused = guarded(words);
        for _ in 0..20 {
            if !String::from_utf8_lossy(&refused.stderr).contains("unexpected wait status") {
                break;
            }
            refused = guarded(words);
        }
        let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
        let possible = Command::new(&words[0]).args(&words[1..]).output();
        if !possible.is_ok_and(|output| output.status.success()) {
            lexforge_needs::unavailable(format!("this user cannot {name} here at all"));
            continue;
        }
        assert!(!refused.status.success(), "{name} was possible");
        assert!(errors.contains(said), "{name}: {errors}");
    }
    // A mount that was made without the sandbox.
    let _ = Command::new("/bin/umount")
        .arg(ground.at("mounted"))
        .output();
}

/// The lines of a process's threads that tell what holds for them.
fn threads(child: &Child) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{}/task", child.id()));
    let status =
        |task: io::Result<fs::DirEntry>| fs::read_to_string(task.ok()?.path().join("status")).ok();
    tasks.into_iter().flatten().filter_map(status).collect()
}

#[test]
fn every_task_is_shut_off_before_a_byte_is_there() {
    if !granted() {
        return;
    }
    let tasks: [&[&str]; 4] = [
        &["read", "--name", "a.txt"],
        &["read", "--name", "a.txt", "--ocr", "/usr/bin/tesseract"],
        &["render", "--page", "1"],
        &["sheets"],
    ];
    for task in tasks {
        let mut command = Command::new(PROGRAM);
        command
            .args(task)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It waits in a separate thread for its document, which nobody has sent.
        let began = Instant::now();
        let waiting = loop {
            let found = threads(&child);
            if found.len() > 1 || began.elapsed() > Duration::from_secs(20) {
                break found;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(waiting.len() > 1, "{task:?} starts no thread");
        for status in &waiting {
            for line in ["\nSeccomp:\t2\n", "\nNoNewPrivs:\t1\n"] {
                assert!(status.contains(line), "{task:?}: {status}");
            }
        }
        let text = b"Article 1\n\nThe institution shall keep a register of its arrangements.\n";
        child.stdin.take().unwrap().write_all(text).unwrap();
        let mut answer = Vec::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_end(&mut answer)
            .unwrap();
        child.wait().unwrap();
        let first = wire::read(&mut answer.as_slice()).unwrap();
        // A text has pages in neither sense; that is an answer as well.
        match task[0] {
            "read" => assert!(matches!(first, Frame::Document(_)), "{task:?}"),
            _ => assert!(matches!(first, Frame::Failure(_)), "{task:?}"),
        }
    }
}

/// If a call is refused while a document is read, this gives one failure that names the call.
#[test]
fn a_refused_call_is_one_clear_failure() {
    if !granted() {
        return;
    }
    let ground = Ground::new("refused");
    let script = ground.at("script");
    fs::write(&script, "#!/bin/sh\nexec tesseract \"$@\"\n").unwrap();
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let connects = format!(
        "if let Err(error) = std::net::TcpStream::connect((\"127.0.0.1\", {})) {{
             eprintln!(\"no connection: {{error}}\");
             std::process::exit(1);
         }}",
        ground.port
    );
    let Some(connects) = program("connecting-tesseract", &connects) else {
        return;
    };
    let scan = image_pages(&[(vec![255; 600 * 800], 600, 800)]);
    for (program, said) in [
        (
            script,
            "script is a script, and the parser may start nothing but Tesseract",
        ),
        (
            connects,
            "Tesseract failed: no connection: Operation not permitted",
        ),
    ] {
        let options = ParseOptions {
            ocr: Some(program),
            ..ParseOptions::default()
        };
        let began = Instant::now();
        let failure = Parser::new(PROGRAM, ParseLimits::default())
            .parse("scan.pdf", &scan, &options, &mut |_, _| {}, &|| false)
            .unwrap_err();
        assert_eq!(failure.code, Code::ScannedNoText, "{failure:?}");
        assert!(failure.message.contains(said), "{failure:?}");
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}

/// A container may let a program restrict itself only in part. The parser then reads with the restrictions that remain,
/// and says which ones are missing.
#[test]
fn where_the_system_refuses_a_part_the_rest_holds_and_is_told() {
    if !granted() {
        return;
    }
    let cases: [(&[i64], bool, bool); 3] = [
        (&[libc::SYS_seccomp], true, false),
        (&[libc::SYS_landlock_create_ruleset], false, true),
        (
            &[libc::SYS_seccomp, libc::SYS_landlock_create_ruleset],
            false,
            false,
        ),
    ];
    for (refused, files, calls) in cases {
        let work = move || {
            let rules = refused.iter().map(|call| (*call, Vec::new())).collect();
            let filter: BpfProgram = SeccompFilter::new(
                rules,
                SeccompAction::Allow,
                SeccompAction::Errno(libc::EPERM.unsigned_abs()),
                std::env::consts::ARCH.try_into().unwrap(),
            )
            .unwrap()
            .try_into()
            .unwrap();
            seccompiler::apply_filter(&filter).unwrap();
            let parser = Parser::new(PROGRAM, ParseLimits::default());
            let text = b"Article 1\n\nThe institution shall keep a register.\n";
            let options = ParseOptions::default();
            let read = parser.parse("a.txt", text, &options, &mut |_, _| {}, &|| false);
            (parser.sandbox().unwrap(), read.is_ok())
        };
        let (found, read) = std::thread::spawn(work).join().unwrap();
        assert!(read, "{refused:?}");
        let holds = (found.files == Granted::Whole, found.calls == Granted::Whole);
        assert_eq!(holds, (files, calls), "{found:?}");
        let told = found.describe();
        assert_eq!(told.contains("no Landlock"), !files, "{told}");
        assert_eq!(told.contains("no seccomp"), !calls, "{told}");
    }
}
