//! Proxies between the product and an endpoint, with the built programs, an endpoint on this machine, and a proxy that
//! counts the bytes it gets. Nothing is sent to anybody without consent.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Finished, PROXY_VARIABLES, Product, refused};
use lexforge_tests::question_backend;
use lexforge_tests::rules::{KEY, WS, close, prepared};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) const ASK: [&str; 7] = [
    "augment",
    WS,
    "--endpoint",
    "firm",
    "--limit",
    "3",
    "--json",
];
/// An address of this machine that only a proxy can answer for: nothing listens there.
const HERE: &str = "http://localhost:9/v1";

pub(crate) fn proxy() -> FaultProxy {
    FaultProxy::start(
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    )
}

pub(crate) fn run(lexforge: &Product, words: &[&str], variables: &[(&str, &str)]) -> Finished {
    let output = lexforge
        .command(words)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Finished {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn text(lexforge: &Product, sql: &str) -> String {
    let database =
        Connection::open_with_flags(lexforge.path(WS), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Whether some bytes stand in any file of a test's folder, but for those named.
fn stands_anywhere(folder: &Path, needle: &str, but: &[&str]) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if path.is_dir() {
            return stands_anywhere(&path, needle, but);
        }
        !but.contains(&name.as_str())
            && std::fs::read(path)
                .unwrap()
                .windows(needle.len())
                .any(|w| w == needle.as_bytes())
    })
}

/// Without consent no byte is sent. With consent, the proxy is named in every record of the consent.
fn asks_before_the_first_byte(lexforge: &Product, proxy: &FaultProxy, variables: &[(&str, &str)]) {
    let listed = run(lexforge, &["endpoints", "list", WS, "--json"], variables);
    let row: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(
        (&row["local"], &row["via"]),
        (&json!(false), &json!(proxy.host())),
        "{row:#}"
    );
    assert_eq!(
        (&row["unencrypted"], &row["confirmed"]),
        (&json!(true), &json!(true))
    );
    let listed = run(lexforge, &["endpoints", "list", WS], variables).out;
    assert!(
        listed.contains(&format!("through the proxy {}", proxy.host()))
            && !listed.contains("this machine")
    );

    let done = run(lexforge, &ASK, variables);
    let said = refused(&done, "consent_missing");
    assert!(
        said.contains(&format!("through the proxy {}?", proxy.host())),
        "{said}"
    );
    assert!(
        !done.err.contains("do not leave this machine"),
        "{}",
        done.err
    );
    assert_eq!(
        (proxy.bytes(), proxy.connections()),
        (0, 0),
        "something left without consent"
    );

    let done = run(lexforge, &[&ASK[..], &["--yes"]].concat(), variables);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(
        (report["asked"]["answered"].as_u64(), proxy.seen().all()),
        (Some(3), 3)
    );
    assert!(proxy.bytes() > 0);
    assert!(
        proxy
            .seen()
            .first_lines
            .iter()
            .all(|line| line.contains(HERE)),
        "{:?}",
        proxy.seen().first_lines
    );
    let rows = lexforge.lines(&["audit", "list", WS]);
    let begun = rows.iter().find(|r| r["action"] == "asking.begin").unwrap()["reason"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        begun.contains(&proxy.host()) && begun.contains("agreed by --yes"),
        "{begun}"
    );
    let record: Value =
        serde_json::from_str(&text(lexforge, "SELECT consent FROM asking")).unwrap();
    assert_eq!(
        (&record["plan"]["via"], &record["plan"]["local"]),
        (&json!(proxy.host()), &json!(false))
    );
    assert!(
        !record.to_string().contains("stays on this machine"),
        "{record:#}"
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

#[test]
fn a_proxy_in_between_is_agreed_to_though_the_endpoint_is_this_machine() {
    let Some(lexforge) = prepared(40) else { return };
    let proxy = proxy();
    lexforge.json(&[
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        HERE,
        "--model",
        "m",
        "--proxy",
        &proxy.as_proxy(),
    ]);
    asks_before_the_first_byte(&lexforge, &proxy, &[]);
}

#[test]
fn the_environment_s_proxy_is_agreed_to_and_looked_up_each_time() {
    let Some(lexforge) = prepared(40) else { return };
    let proxy = proxy();
    lexforge.json(&[
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        HERE,
        "--model",
        "m",
        "--proxy",
        "environment",
    ]);
    let row = |variables: &[(&str, &str)]| -> Value {
        serde_json::from_str(&run(&lexforge, &["endpoints", "list", WS, "--json"], variables).out)
            .unwrap()
    };
    // Without a proxy it is this machine; and each of the usual variables names one, unless NO_PROXY takes it back.
    assert_eq!(
        (&row(&[])["local"], &row(&[])["via"]),
        (&json!(true), &Value::Null)
    );
    let address = proxy.as_proxy();
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        assert!(PROXY_VARIABLES.contains(&name));
        assert_eq!(row(&[(name, &address)])["via"], proxy.host(), "{name}");
        for free in ["NO_PROXY", "no_proxy"] {
            assert_eq!(
                row(&[(name, &address), (free, "localhost")])["local"],
                true,
                "{name} {free}"
            );
        }
    }
    // An endpoint with the same answer that is not to follow the environment does not.
    asks_before_the_first_byte(&lexforge, &proxy, &[("http_proxy", &address)]);
}

#[test]
#[cfg(unix)]
fn a_proxy_s_password_stands_in_no_file_of_the_workspace() {
    let Some(lexforge) = prepared(40) else { return };
    const PASSWORD: &str = "open-sesame-2026";
    let proxy = proxy();
    let file = lexforge.file("password", PASSWORD.as_bytes());
    close(&file, 0o600);
    let address = proxy.as_proxy().replace("http://", "http://ann@");
    let file = file.display().to_string();
    let add = [
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        HERE,
        "--model",
        "m",
        "--proxy",
    ];
    lexforge.json(
        &[
            &add[..],
            &[address.as_str(), "--proxy-password-file", &file],
        ]
        .concat(),
    );
    let report = lexforge.json(&[&ASK[..], &["--yes"]].concat());
    assert_eq!(report["asked"]["answered"], 3, "{report:#}");
    // `ann:open-sesame-2026`
    assert_eq!(
        proxy.seen().proxy_keys[0].split_whitespace().last(),
        Some("YW5uOm9wZW4tc2VzYW1lLTIwMjY=")
    );
    assert!(!stands_anywhere(
        &lexforge.path(""),
        PASSWORD,
        &["password"]
    ));

    // A password in the address would go into the key ring. There is no key ring here, so it is refused and not stored.
    let carrying = proxy
        .as_proxy()
        .replace("http://", &format!("http://ann:{PASSWORD}@"));
    let mut command = lexforge.command(&[&add[..], &[carrying.as_str(), "--json"]].concat());
    let output = command
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
        .output()
        .unwrap();
    let words = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(
        words.contains("key_missing") && words.contains("--proxy-password-env"),
        "{words}"
    );
    assert!(
        !words.contains(PASSWORD) && !stands_anywhere(&lexforge.path(""), PASSWORD, &["password"])
    );

    // An older version kept it in the address: it is shown nowhere.
    let database = Connection::open(lexforge.path(WS)).unwrap();
    let old = json!({"name": "old", "url": HERE, "model": "m", "proxy": {"url": carrying}});
    database
        .execute(
            "INSERT INTO endpoint VALUES ('old', ?1)",
            params![old.to_string()],
        )
        .unwrap();
    drop(database);
    for words in [
        &["endpoints", "list", WS, "--json"][..],
        &["endpoints", "list", WS],
    ] {
        let done = lexforge.run(words);
        assert!(
            done.code == 0 && done.out.contains("old") && !done.out.contains(PASSWORD),
            "{}",
            done.out
        );
    }
}

#[test]
#[cfg(unix)]
fn a_key_that_is_echoed_is_kept_nowhere() {
    let Some(lexforge) = prepared(40) else { return };
    let file = lexforge.file("key", KEY.as_bytes());
    close(&file, 0o600);
    let file = file.display().to_string();
    // As it is, as a header, percent-encoded, and in base64 alone and with what stands before it.
    let echoes = [
        format!("Your key is {KEY}."),
        format!("{{\"question\": \"Bearer {KEY}\"}}"),
        KEY.replace('-', "%2D"),
        "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm".to_owned(),
        "QmVhcmVyIHNrLXRlc3QtMDEyMzQ1Njc4OWFiY2RlZg==".to_owned(),
    ];
    for echo in echoes {
        let answer = echo.clone();
        let server = FaultProxy::start(
            Backend::Own(Box::new(move |_| answer.clone())),
            Weather::default(),
        );
        let add = [
            "endpoints",
            "add",
            WS,
            "firm",
            "--url",
            &server.url(),
            "--model",
            "m",
            "--key-file",
            &file,
        ];
        lexforge.json(&add);
        let done = lexforge.run(&ASK);
        assert!(server.seen().all() >= 3, "{}", done.err);
        let kept = text(&lexforge, "SELECT group_concat(text) FROM answer");
        let hidden = echo.replace("Your key is ", "").replace('.', "");
        assert!(kept.contains("•••") && !kept.contains(&hidden), "{kept}");
        assert!(
            !stands_anywhere(&lexforge.path(""), KEY, &["key"]),
            "{echo}"
        );
        assert!(!format!("{}{}", done.out, done.err).contains(KEY));
    }
}

#[test]
fn augment_fails_where_every_request_failed() {
    let Some(lexforge) = prepared(40) else { return };
    let add = [
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        HERE,
        "--model",
        "m",
        "--attempts",
        "1",
    ];
    lexforge.json(&add);
    let done = lexforge.run(&[
        "augment",
        WS,
        "--endpoint",
        "firm",
        "--limit",
        "2",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(
        (
            report["asked"]["calls"].as_u64(),
            report["asked"]["answered"].as_u64()
        ),
        (Some(2), Some(0))
    );
    assert_eq!(done.code, 1, "{report:#}");
    assert!(
        done.err.contains("Every request failed: unreachable 2."),
        "{}",
        done.err
    );
    assert!(done.err.contains("endpoints check"), "{}", done.err);

    let server = proxy();
    lexforge.json(&[
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        &server.url(),
        "--model",
        "m",
    ]);
    assert_eq!(
        lexforge
            .run(&[
                "augment",
                WS,
                "--endpoint",
                "firm",
                "--limit",
                "2",
                "--json"
            ])
            .code,
        0
    );
}
