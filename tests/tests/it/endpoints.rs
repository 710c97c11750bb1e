//! Questions by a language model behind an endpoint, with the built programs. The tests write questions through a proxy
//! that damages answers, across a `kill -9`, without consent, without a network, and through files.
//!
//! One file because all tests check one promise: no reply is lost, no text is sent without consent, all is counted.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Trouble, Weather};
use lexforge_tests::product::{Product, program, refused};
use lexforge_tests::question_backend;
use lexforge_tests::repository::{demo_decoder, sample};
use lexforge_tests::rules::{KEY, PATIENCE, Server, WS, add, close, key_file, prepared};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::net::{IpAddr, TcpListener, UdpSocket};
use std::process::Command;
use std::time::{Duration, Instant};

fn database(lexforge: &Product) -> Connection {
    Connection::open_with_flags(lexforge.path(WS), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

fn number(lexforge: &Product, sql: &str) -> u64 {
    database(lexforge)
        .query_row(sql, [], |row| row.get(0))
        .unwrap()
}

/// The sum of a table's numbers.
fn sum(table: &Value) -> u64 {
    let numbers = table.as_object().unwrap().values();
    numbers.filter_map(Value::as_u64).sum()
}

/// How many questions a report of writing counts, of all levels and types.
fn of_each_level(report: &Value) -> u64 {
    report["questions"]
        .as_object()
        .unwrap()
        .values()
        .map(sum)
        .sum()
}

/// Whether the key stands in any file of the workspace.
fn key_is_kept(lexforge: &Product) -> bool {
    fn look(path: &std::path::Path) -> bool {
        if path.is_dir() {
            return std::fs::read_dir(path)
                .unwrap()
                .flatten()
                .any(|entry| look(&entry.path()));
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes())
    }
    [
        WS.to_owned(),
        format!("{WS}-wal"),
        format!("{WS}.artifacts"),
    ]
    .iter()
    .map(|name| lexforge.path(name))
    .any(|path| path.exists() && look(&path))
}

/// The acceptance of the endpoint client: a thousand calls through the proxy, the program killed in the middle.
#[test]
#[cfg(unix)]
fn a_thousand_calls_through_trouble_and_a_kill() {
    let Some(lexforge) = prepared(1400) else {
        return;
    };
    let weather = Weather {
        trouble: 25,
        stalls: 3,
        large: 2,
        delay: 5,
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(question_backend::answer)), weather);
    add(
        &lexforge,
        &proxy.url(),
        &[
            "--timeout",
            "3",
            "--attempts",
            "10",
            "--concurrency",
            "16",
            "--price-in",
            "2",
        ],
    );

    // No prompt is repeated here, so prompts and answers can be counted one by one.
    let words = [
        "augment",
        WS,
        "--endpoint",
        "firm",
        "--reask",
        "0",
        "--json",
    ];
    let mut child = lexforge.start(&words);
    let began = Instant::now();
    while proxy.seen().answered.len() < 450 {
        assert!(
            began.elapsed() < PATIENCE,
            "no progress: {:?}",
            proxy.seen().troubles
        );
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What was on its way when it was killed arrives at the proxy.
    std::thread::sleep(Duration::from_millis(500));

    let kept = number(&lexforge, "SELECT count(*) FROM answer");
    let open = number(
        &lexforge,
        "SELECT count(*) FROM request WHERE state = 'asked'",
    );
    // Prompts whose last request may have been answered: on its way at the kill, or lost and not yet asked again.
    let owed = number(
        &lexforge,
        "SELECT count(*) FROM (SELECT state, max(id) FROM request GROUP BY key) WHERE state IN ('asked', 'uncertain')",
    );
    assert!(kept >= 400, "only {kept} answers were committed");
    let before = proxy.seen();
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);

    let done = lexforge.run(&words);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    let (counts, after) = (&report["asked"], proxy.seen());
    let count = |name: &str| counts[name].as_u64().unwrap();
    let prompts = count("prompts");
    eprintln!(
        "{prompts} prompts, {kept} kept over the kill, {open} open at it: {counts:#}\n{:?}",
        after.troubles
    );
    assert!(prompts >= 1000, "only {prompts} prompts");
    assert!(after.all() >= 1000);

    // Every committed answer was kept and none asked again.
    assert_eq!(count("from_cache"), kept);
    let twice: Vec<u64> = after
        .answered
        .values()
        .copied()
        .filter(|n| *n > 1)
        .collect();
    assert!(
        twice.len() as u64 <= open,
        "{} prompts were answered twice, {open} were open",
        twice.len()
    );
    let asked_now: HashSet<u64> = after
        .requests
        .iter()
        .filter(|(p, n)| before.requests.get(p) != Some(n))
        .map(|(p, _)| *p)
        .collect();
    assert_eq!(
        asked_now.len() as u64,
        prompts - kept,
        "a prompt with an answer was asked again"
    );

    // The counts are those that the proxy has.
    assert_eq!(count("calls"), after.all() - before.all());
    assert_eq!(
        (count("answered"), count("unanswered")),
        (prompts - kept, 0)
    );
    assert_eq!(count("retried"), count("calls") - (prompts - kept));
    let of = |trouble: Trouble| {
        after.troubles.get(&trouble).copied().unwrap_or(0)
            - before.troubles.get(&trouble).copied().unwrap_or(0)
    };
    let failed = |reason: &str| counts["failed"][reason].as_u64().unwrap_or(0);
    let expected = [
        ("busy", Trouble::Busy),
        ("server_error", Trouble::ServerError),
        ("page", Trouble::Page),
        ("garbage", Trouble::Garbage),
        ("encoding", Trouble::Encoding),
        ("dropped", Trouble::Drop),
        ("truncated", Trouble::Truncate),
    ];
    for (reason, trouble) in expected {
        assert_eq!(failed(reason), of(trouble), "{reason}");
    }
    assert_eq!(failed("timed_out"), of(Trouble::Stall));
    let lost: u64 = ["garbage", "encoding", "dropped", "truncated", "timed_out"]
        .into_iter()
        .map(failed)
        .sum();
    assert_eq!(count("uncertain"), lost);
    // Requests that were open at the kill are sent again, too, and may be billed twice.
    let interrupted = number(
        &lexforge,
        "SELECT count(*) FROM request WHERE reason = 'interrupted'",
    );
    assert_eq!(interrupted, open);
    let twice = count("possibly_billed_twice");
    assert_eq!(
        twice,
        lost + owed,
        "each lost answer is asked for once more"
    );
    assert!(twice > 0 && count("prompt_tokens") > 0 && counts["cost"].as_f64().unwrap() > 0.0);

    // An answer of a megabyte is kept, counted as what nobody can read, and harms nothing.
    let large = number(
        &lexforge,
        "SELECT count(*) FROM answer WHERE length(text) > 1000000",
    );
    assert_eq!(
        counts["unparseable"]["too_long_answer"]
            .as_u64()
            .unwrap_or(0),
        large
    );
    // Each answer is a question, a draft that was turned down, or unreadable: nothing is dropped silently.
    let written = of_each_level(&report);
    assert_eq!(
        written + sum(&report["rejected"]) + sum(&counts["unparseable"]),
        prompts,
        "{report:#}"
    );
    assert!(written >= 200, "{report:#}");
    let questions = lexforge.lines(&["qca", "export", WS]);
    assert!(questions.iter().all(|q| q["source"] == "llm"));

    // A third time sends nothing and finds the same.
    let again = lexforge.json(&words[..6]);
    assert_eq!(
        (again["asked"]["calls"].as_u64(), proxy.seen().all()),
        (Some(0), after.all())
    );
    assert_eq!(again["questions"], report["questions"]);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
    let integrity: String = database(&lexforge)
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(integrity, "ok");
    assert!(after.keys.iter().all(|k| k.contains(KEY)) && !after.keys.is_empty());
    assert!(!key_is_kept(&lexforge) && !format!("{}{}", done.out, done.err).contains(KEY));
}

/// Sends forty questions to the server behind the proxy. The demo decoder writes no usable answer, so each of its
/// answers is counted with the reason.
fn forty_through_trouble(
    lexforge: &Product,
    server: std::net::SocketAddr,
    token: &str,
    model: &str,
) {
    let weather = Weather {
        trouble: 20,
        stalls: 0,
        large: 0,
        delay: 0,
    };
    let proxy = FaultProxy::start(Backend::Server(server, token.to_owned()), weather);
    let (key, url) = (key_file(lexforge), proxy.url());
    let place = [
        "endpoints",
        "add",
        WS,
        "own",
        "--url",
        &url,
        "--model",
        model,
        "--key-file",
        &key,
    ];
    let limits = [
        "--timeout",
        "60",
        "--attempts",
        "10",
        "--form",
        "free",
        "--max-tokens",
        "8",
        "--total",
        "300",
    ];
    lexforge.json(&[&place[..], &limits].concat());
    let report = lexforge.json(&["augment", WS, "--endpoint", "own", "--limit", "40"]);
    let counts = &report["asked"];
    eprintln!("{counts:#}\n{:?}", proxy.seen().troubles);
    assert_eq!(
        (counts["answered"].as_u64(), counts["calls"].as_u64()),
        (Some(40), Some(proxy.seen().all()))
    );
    let questions = of_each_level(&report);
    assert_eq!(
        sum(&counts["unparseable"]) + sum(&report["rejected"]) + questions,
        40,
        "{report:#}"
    );
    assert!(counts["completion_tokens"].as_u64().unwrap() > 0);
}

#[test]
fn our_own_server_answers_through_trouble() {
    let Some(lexforge) = prepared(120) else {
        return;
    };
    let Some(server) = Server::start(&lexforge) else {
        return;
    };
    // The model's name is the server's.
    let folder = demo_decoder();
    forty_through_trouble(
        &lexforge,
        server.address,
        "server-token",
        folder.file_name().unwrap().to_str().unwrap(),
    );
}

/// llama-cpp-python's server with a GGUF that the product exported, where the interpreter of `LEXFORGE_PYTHON` has it.
#[test]
fn another_server_answers_through_trouble_with_an_exported_model() {
    let Some(python) = lexforge_needs::python("llama_cpp.server.__main__") else {
        return;
    };
    let Some(trained) = Product::with_decoder() else {
        return;
    };
    crate::prepared::trained_decoder(&trained.path(WS)).unwrap();
    let export = trained.json(&[
        "models", "export", WS, "--format", "gguf", "--dtype", "f16", "--out", "out",
    ]);
    let files = export["files"].as_array().unwrap();
    let gguf = files
        .iter()
        .filter_map(|f| f["name"].as_str())
        .find(|name| name.ends_with(".gguf"))
        .unwrap();
    let Some(lexforge) = prepared(120) else {
        return;
    };
    // A port that is free now; nothing else of this test takes one before the server does.
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let child = Command::new(python)
        .args([
            "-m",
            "llama_cpp.server",
            "--host",
            "127.0.0.1",
            "--api_key",
            "server-token",
            "--n_ctx",
            "2048",
        ])
        .args([
            "--model_alias",
            "exported",
            "--port",
            &address.port().to_string(),
            "--model",
        ])
        .arg(trained.path("out").join(gguf))
        .spawn()
        .unwrap();
    let mut server = Server::of(child, address);
    let began = Instant::now();
    while std::net::TcpStream::connect(address).is_err() {
        assert!(
            began.elapsed() < PATIENCE,
            "the server does not become ready"
        );
        assert!(server.runs(), "the server ended");
        std::thread::sleep(Duration::from_millis(100));
    }
    forty_through_trouble(&lexforge, address, "server-token", "exported");
}

/// `local`: the application starts the worker itself, asks it through the same client, and ends it.
#[test]
fn a_model_of_this_machine_is_served_and_asked() {
    if program("LEXFORGE_WORKER", "lexforge-worker").is_none() {
        return;
    }
    let Some(lexforge) = prepared(60).map(|p| p.with("LEXFORGE_MODELS", demo_decoder())) else {
        return;
    };
    let local = [
        "augment",
        WS,
        "--endpoint",
        "local",
        "--limit",
        "4",
        "--max-tokens",
        "8",
    ];
    let report = lexforge.json(&local);
    assert_eq!(report["asked"]["answered"], 4, "{report:#}");
    let consent: String = database(&lexforge)
        .query_row("SELECT consent FROM asking", [], |row| row.get(0))
        .unwrap();
    assert!(consent.contains("stays on this machine"), "{consent}");
    let check = lexforge.json(&["endpoints", "check", WS, "local"]);
    assert_eq!(
        (&check["ok"], &check["host"]),
        (&json!(true), &json!("this machine"))
    );
}

#[test]
fn what_is_wrong_with_an_endpoint_is_said() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&["new", WS]);
    // A server that answers everything with the same bytes.
    let server = |response: Vec<u8>| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut buffer = [0; 65536];
                let _ = std::io::Read::read(&mut stream, &mut buffer);
                let _ = stream.write_all(&response);
            }
        });
        url
    };
    let check = |response: &[u8], code: &str, named: &str| {
        add(&lexforge, &server(response.to_vec()), &["--timeout", "2"]);
        let done = lexforge.run(&["endpoints", "check", WS, "firm", "--json"]);
        let found: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(
            (done.code, &found["failure"]["code"]),
            (1, &json!(code)),
            "{found:#}"
        );
        let said = format!(
            "{} {}",
            found["failure"]["message"], found["failure"]["hint"]
        );
        assert!(said.contains(named), "{said}");
        assert!(!done.out.contains(KEY) && !done.err.contains(KEY));
    };
    let full = |status: &str, kind: &str, body: &str| {
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    };
    let json = "application/json";
    let echo = format!(r#"{{"error":{{"message":"bad key {KEY}"}}}}"#);
    check(
        &full("401 Unauthorized", json, &echo),
        "endpoint_key",
        "bad key •••",
    );
    check(
        &full("200 OK", "text/html", "<!DOCTYPE html><title>Proxy</title>"),
        "endpoint_answer",
        "web page",
    );
    check(
        &full(
            "307 Temporary Redirect\r\nlocation: https://other.example.com/",
            json,
            "",
        ),
        "endpoint_refused",
        "other.example.com",
    );
    check(
        b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"data\": [",
        "endpoint_answer",
        "broke off",
    );
    let mut broken = full("200 OK", json, "{\"data\": [{\"id\": \"?\"}]}");
    let at = broken.len() - 5;
    broken[at] = 0xff;
    check(&broken, "endpoint_answer", "UTF-8");
    check(
        &full("503 Service Unavailable", json, "{}"),
        "endpoint_busy",
        "503",
    );
    // Nobody there at all.
    let unused = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    add(&lexforge, &format!("http://{unused}/v1"), &[]);
    let done = lexforge.run(&["endpoints", "check", WS, "firm"]);
    assert!(
        done.code == 1 && done.out.contains("cannot be reached"),
        "{}",
        done.out
    );
    refused(
        &lexforge.run(&["endpoints", "check", WS, "nobody", "--json"]),
        "not_found",
    );
    refused(
        &lexforge.run(&["augment", WS, "--endpoint", "nobody", "--json"]),
        "not_found",
    );
    refused(
        &lexforge.run(&[
            "endpoints",
            "add",
            WS,
            "x",
            "--url",
            "https://a:b@c/v1",
            "--model",
            "m",
            "--json",
        ]),
        "invalid_request",
    );
    refused(
        &lexforge.run(&[
            "endpoints",
            "add",
            WS,
            "local",
            "--url",
            "https://c/v1",
            "--model",
            "m",
            "--json",
        ]),
        "invalid_request",
    );
    assert_eq!(lexforge.json(&["endpoints", "list", WS])["name"], "firm");
    lexforge.json(&["endpoints", "remove", WS, "firm"]);
    assert!(lexforge.lines(&["endpoints", "list", WS]).is_empty());
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

#[test]
#[cfg(unix)]
fn a_key_is_where_the_user_put_it_and_nowhere_else() {
    let Some(lexforge) = prepared(40) else { return };
    let proxy = FaultProxy::start(
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    );
    let url = proxy.url();
    add(&lexforge, &url, &[]);
    let ask = [
        "augment",
        WS,
        "--endpoint",
        "firm",
        "--limit",
        "3",
        "--json",
    ];
    close(&lexforge.path("key"), 0o644);
    let said = refused(&lexforge.run(&ask), "key_missing");
    assert!(said.contains("can be read by others"), "{said}");
    lexforge.json(&[
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        &url,
        "--model",
        "m",
        "--key-env",
        "FIRM_KEY",
    ]);
    let said = refused(&lexforge.run(&ask), "key_missing");
    assert!(said.contains("FIRM_KEY"), "{said}");
    assert_eq!(proxy.connections(), 0);
    let mut command = lexforge.command(&ask);
    let done = command.env("FIRM_KEY", KEY).output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(proxy.seen().keys.iter().all(|k| k.ends_with(KEY)) && proxy.seen().all() == 3);
    let words = [done.stdout, done.stderr].concat();
    assert!(!String::from_utf8_lossy(&words).contains(KEY) && !key_is_kept(&lexforge));
}

/// Unlocks the key ring, waits until the session's bus knows it, and runs the given program. Without waiting, the bus
/// would start a second daemon for the first request, which prints into the session's output; so the program's output
/// goes to a separate file.
const IN_SESSION: &str = r#"
printf 'ring\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
owned() { dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; }
for _ in $(seq 100); do owned && break; sleep 0.1; done
out=$1; shift
exec "$@" >"$out"
"#;

/// A running key ring: each command has a session of its own with its own Secret Service. So the key is found again in
/// another session of the same user.
#[test]
fn a_key_in_the_key_ring_is_found_by_the_next_session() {
    let there = |program: &str| {
        Command::new(program)
            .arg("--version")
            .output()
            .is_ok_and(|o| o.status.success())
    };
    if !there("dbus-run-session") || !there("gnome-keyring-daemon") {
        lexforge_needs::missing("dbus-run-session or gnome-keyring-daemon is not installed");
        return;
    }
    let Some(lexforge) = prepared(40) else { return };
    let in_session = |words: &[&str], typed: &str| {
        let program = lexforge.command(words);
        let mut command = Command::new("dbus-run-session");
        let out = lexforge.path("said.json");
        command.args(["--", "sh", "-c", IN_SESSION, "sh"]).arg(&out);
        command.arg(program.get_program()).args(program.get_args());
        command
            .current_dir(lexforge.path(""))
            .env("XDG_DATA_HOME", lexforge.path("ring"));
        command.env("LEXFORGE_STATE", lexforge.state());
        command.stdin(std::process::Stdio::piped());
        command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(typed.as_bytes())
            .unwrap();
        let done = child.wait_with_output().unwrap();
        let words = std::fs::read_to_string(&out).unwrap();
        let beside = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        assert!(!words.contains(KEY) && !beside.contains(KEY), "{beside}");
        serde_json::from_str::<Value>(&words).unwrap_or_else(|e| panic!("{e}: {words} {beside}"))
    };
    let proxy = FaultProxy::start(
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    );
    let url = proxy.url();
    let add = [
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        &url,
        "--model",
        "m",
        "--key-stdin",
        "--json",
    ];
    let added = in_session(&add, &format!("{KEY}\n"));
    assert_eq!(
        (&added["key"]["kind"], &added["key_present"]),
        (&json!("key_ring"), &json!(true))
    );
    let report = in_session(
        &[
            "augment",
            WS,
            "--endpoint",
            "firm",
            "--limit",
            "3",
            "--json",
        ],
        "",
    );
    assert_eq!(report["asked"]["answered"], 3, "{report:#}");
    assert!(proxy.seen().keys.iter().all(|k| k.ends_with(KEY)) && proxy.seen().all() == 3);
    in_session(&["endpoints", "remove", WS, "firm", "--json"], "");
    assert!(!key_is_kept(&lexforge));
}

/// An address of this machine that is not loopback, if it has one. It is found without sending anything.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let ip = socket.local_addr().ok()?.ip();
    let listens = TcpListener::bind((ip, 0)).is_ok();
    (listens && !ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[test]
fn nothing_leaves_before_somebody_agreed() {
    let Some(ip) = own_address() else {
        lexforge_needs::unavailable("this machine has no address but its loopback");
        return;
    };
    let Some(lexforge) = prepared(40) else { return };
    let proxy = FaultProxy::start_at(
        ip,
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    );
    let row = add(&lexforge, &proxy.url(), &[]);
    assert_eq!(
        (&row["local"], &row["unencrypted"]),
        (&json!(false), &json!(true))
    );
    let ask = ["augment", WS, "--endpoint", "firm", "--limit", "5"];
    let said = refused(
        &lexforge.run(&[&ask[..], &["--json"]].concat()),
        "consent_missing",
    );
    assert!(
        said.contains("Send 5 prompts to ") && said.contains(&ip.to_string()),
        "{said}"
    );
    assert!(said.contains("sentences from 1 document"), "{said}");
    assert_eq!(proxy.connections(), 0, "something left without consent");
    assert_eq!(number(&lexforge, "SELECT count(*) FROM asking"), 0);

    let report = lexforge.json(&[&ask[..], &["--yes"]].concat());
    assert_eq!(
        (report["asked"]["answered"].as_u64(), proxy.seen().all()),
        (Some(5), 5)
    );
    let rows = lexforge.lines(&["audit", "list", WS]);
    let begun = rows.iter().find(|r| r["action"] == "asking.begin").unwrap();
    let reason = begun["reason"].as_str().unwrap();
    assert!(
        reason.contains("Send 5 prompts to ") && reason.contains("agreed by --yes"),
        "{reason}"
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// Runs the main job and everything else that works without an endpoint, in a network namespace that has only its own
/// loopback. No connection is tried and no packet is sent.
#[test]
#[cfg(target_os = "linux")]
fn without_an_endpoint_there_is_no_traffic() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let path = lexforge.command(&["doctor"]).get_program().to_owned();
    let (binary, ws, pdf) = (
        path.to_str().unwrap().to_owned(),
        lexforge.path("n.lexforge"),
        sample(),
    );
    let (ws, pdf) = (ws.display(), pdf.display());
    // Few pages: every step is taken, and a model is asked few questions.
    let text = crate::prepared::short_file(&lexforge);
    let text = text.display();
    let count =
        "awk '/^Tcp: [0-9]/{t=$6} /^Udp: [0-9]/{u=$5} END{print \"seen\", t, u}' /proc/net/snmp";
    let worker = program("LEXFORGE_WORKER", "lexforge-worker").is_some();
    let job = if worker {
        format!("{binary} run {ws} {text} --max-steps 2")
    } else {
        format!("{binary} import {ws} {text}")
    };
    let script = format!(
        "set -e; ip link set lo up; ip route add default dev lo; {count}
         {job} >/dev/null 2>&1
         {binary} terms extract {ws} >/dev/null 2>&1; {binary} graph build {ws} --encoder lsa >/dev/null 2>&1
         {binary} augment {ws} >/dev/null 2>&1; {binary} search {ws} bank >/dev/null 2>&1
         {binary} endpoints add {ws} firm --url https://192.0.2.7/v1 --model m >/dev/null 2>&1
         {binary} endpoints list {ws} >/dev/null 2>&1; {binary} doctor >/dev/null 2>&1 || true
         {binary} augment {ws} --endpoint firm >/dev/null 2>&1 && exit 9
         {binary} import {ws} {pdf} >/dev/null 2>&1
         {binary} audit verify {ws} >/dev/null 2>&1
         {count}
         {binary} endpoints check {ws} firm --json 2>/dev/null || true
         {count}"
    );
    let done = Command::new("unshare")
        .args(["-rn", "sh", "-c", &script])
        .current_dir(lexforge.path(""))
        .env("LEXFORGE_STATE", lexforge.state())
        .output();
    let Ok(done) = done.map(|d| {
        (
            d.status.code(),
            String::from_utf8_lossy(&d.stdout).into_owned(),
            d.stderr,
        )
    }) else {
        lexforge_needs::unavailable("there is no unshare here");
        return;
    };
    let (code, out, err) = done;
    let seen: Vec<&str> = out.lines().filter(|l| l.starts_with("seen")).collect();
    if seen.is_empty() {
        lexforge_needs::unavailable(format!(
            "no network of its own is allowed here ({})",
            String::from_utf8_lossy(&err).trim()
        ));
        return;
    }
    assert_eq!(
        (code, seen.len()),
        (Some(0), 3),
        "{out}\n{}",
        String::from_utf8_lossy(&err)
    );
    assert_eq!(
        seen[0], seen[1],
        "something was sent without an endpoint and consent"
    );
    // The measure measures: a check of an endpoint is seen.
    assert_ne!(seen[1], seen[2], "{out}");
}

#[test]
fn prompts_go_out_as_a_file_and_answers_come_back() {
    let Some(lexforge) = prepared(80) else { return };
    let out = lexforge.path("prompts.jsonl").display().to_string();
    let written = lexforge.json(&[
        "augment",
        WS,
        "--batch-out",
        &out,
        "--model",
        "far-away",
        "--limit",
        "30",
    ]);
    assert_eq!(written["prompts"], 30);
    let lines: Vec<Value> = std::fs::read_to_string(&out)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let ids: HashSet<&str> = lines
        .iter()
        .map(|l| l["custom_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 30);
    assert!(lines.iter().all(|l| l["method"] == "POST"
        && l["url"] == "/v1/chat/completions"
        && l["body"]["model"] == "far-away"));
    refused(
        &lexforge.run(&[
            "augment",
            WS,
            "--batch-out",
            &out,
            "--model",
            "far-away",
            "--json",
        ]),
        "invalid_request",
    );

    let completion = |text: &str| json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 5}});
    let line = |id: &Value, body: Value| {
        json!({"id": "b", "custom_id": id, "response": {"status_code": 200, "body": body}, "error": null}).to_string()
    };
    let mut answers: Vec<String> = lines[..25]
        .iter()
        .map(|l| {
            line(
                &l["custom_id"],
                completion(&question_backend::answer(&l["body"])),
            )
        })
        .collect();
    answers.push(line(&lines[0]["custom_id"], completion("another answer")));
    answers.push(line(&json!("request-7"), completion("whose is this?")));
    answers.push(line(&json!("ab".repeat(32)), completion("nor this")));
    answers.push(
        json!({"custom_id": lines[25]["custom_id"], "response": null, "error": {"code": "batch_expired"}}).to_string(),
    );
    answers.push(line(
        &lines[26]["custom_id"],
        completion("I would rather not."),
    ));
    answers.push("{ no json".to_owned());
    answers.push(line(&lines[27]["custom_id"], json!({"choices": []})));
    let back = lexforge
        .file("answers.jsonl", answers.join("\n").as_bytes())
        .display()
        .to_string();
    let read = lexforge.json(&["augment", WS, "--batch-in", &back]);
    let batch = &read["batch"];
    let reported: BTreeMap<&str, u64> = [
        "lines",
        "accepted",
        "known",
        "duplicate",
        "unmatched",
        "missing",
    ]
    .into_iter()
    .map(|name| (name, batch[name].as_u64().unwrap()))
    .collect();
    let expected = BTreeMap::from([
        ("lines", 32),
        ("accepted", 26),
        ("known", 0),
        ("duplicate", 1),
        ("unmatched", 2),
        ("missing", 4),
    ]);
    assert_eq!(reported, expected, "{batch:#}");
    assert_eq!(
        (&batch["failed"], &batch["invalid"]),
        (
            &json!({"batch_expired": 1}),
            &json!({"no_completion": 1, "not_json": 1})
        )
    );
    assert_eq!(batch["first"].as_array().unwrap().len(), 6);
    assert_eq!(
        read["questions"]["asked"]["unparseable"],
        json!({"no_object": 1})
    );
    let questions = lexforge.lines(&["qca", "export", WS]);
    assert!(questions.len() > 15, "{}", questions.len());

    // Once more: nothing new, nothing lost.
    let again = lexforge.json(&["augment", WS, "--batch-in", &back]);
    let batch = &again["batch"];
    assert_eq!(
        (&batch["accepted"], &batch["known"], &batch["duplicate"]),
        (&json!(0), &json!(26), &json!(1)),
        "{batch:#}"
    );
    assert_eq!(
        again["questions"]["questions"],
        read["questions"]["questions"]
    );
    let same: HashMap<String, Value> = questions
        .iter()
        .map(|q| (q["id"].to_string(), q["question"].clone()))
        .collect();
    assert!(
        lexforge
            .lines(&["qca", "export", WS])
            .iter()
            .all(|q| same[&q["id"].to_string()] == q["question"])
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
