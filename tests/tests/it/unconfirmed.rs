//! A workspace that came from elsewhere: what it brings is not used before its owner on this machine has confirmed it.

use crate::proxies::{ASK, proxy, run};
use lexforge_tests::product::refused;
use lexforge_tests::rules::{KEY, WS, prepared};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// A workspace that came from another machine names an endpoint, a proxy, and places where keys lie. None of them is
/// used before the user of this machine has confirmed exactly these settings.
#[test]
#[cfg(unix)]
fn what_came_with_a_workspace_is_not_used_before_it_is_confirmed() {
    let Some(lexforge) = prepared(40) else { return };
    let (endpoint, proxy) = (proxy(), proxy());
    // A key file that shows whether anybody opened it: reading a pipe to which nobody writes would never end.
    let pipe = lexforge.path("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let keys = [
        json!({"kind": "variable", "name": "SECRET_OF_THIS_USER"}),
        json!({"kind": "file", "path": pipe.display().to_string()}),
        json!({"kind": "key_ring"}),
    ];
    let put = |key: &Value, proxy: &Value| {
        let database = Connection::open(lexforge.path(WS)).unwrap();
        let row = json!({"name": "firm", "url": endpoint.url(), "model": "m", "key": key, "proxy": proxy});
        let sql = "INSERT INTO endpoint VALUES ('firm', ?1) ON CONFLICT (name) DO UPDATE SET settings = excluded.settings";
        database.execute(sql, params![row.to_string()]).unwrap();
    };
    let secret = [("SECRET_OF_THIS_USER", KEY)];
    for key in &keys {
        for way in [
            json!("none"),
            json!("environment"),
            json!({"url": proxy.as_proxy()}),
        ] {
            put(key, &way);
            let listed: Value = serde_json::from_str(
                &run(&lexforge, &["endpoints", "list", WS, "--json"], &secret).out,
            )
            .unwrap();
            assert_eq!(
                (&listed["confirmed"], &listed["key_present"]),
                (&json!(false), &json!(false)),
                "{listed:#}"
            );
            for words in [
                &["endpoints", "check", WS, "firm", "--json"][..],
                &[&ASK[..], &["--yes"]].concat(),
                &[
                    "augment",
                    WS,
                    "--endpoint",
                    "firm",
                    "--estimate",
                    "--yes",
                    "--json",
                ],
                &[
                    "terms",
                    "extract",
                    WS,
                    "--endpoint",
                    "firm",
                    "--yes",
                    "--json",
                ],
            ] {
                let done = run(&lexforge, words, &secret);
                let said = refused(&done, "endpoint_unconfirmed");
                assert!(
                    said.contains("firm") && !format!("{}{}", done.out, done.err).contains(KEY),
                    "{said}"
                );
            }
        }
    }
    assert_eq!(
        (endpoint.bytes(), proxy.bytes()),
        (0, 0),
        "something left unconfirmed"
    );
    assert_eq!(lexforge.kept(), ["logs"], "a refusal left something");

    // Confirming shows what is confirmed; without a yes nothing is.
    put(&keys[0], &json!({"url": proxy.as_proxy()}));
    let said = refused(
        &lexforge.run(&["endpoints", "confirm", WS, "firm", "--json"]),
        "endpoint_unconfirmed",
    );
    for part in [
        endpoint.url(),
        proxy.as_proxy(),
        "variable SECRET_OF_THIS_USER".to_owned(),
    ] {
        assert!(said.contains(&part), "{said}");
    }
    let row = lexforge.json(&["endpoints", "confirm", WS, "firm", "--yes"]);
    assert_eq!(
        (&row["confirmed"], &row["via"]),
        (&json!(true), &json!(proxy.host()))
    );
    assert_eq!(
        (endpoint.bytes(), proxy.bytes()),
        (0, 0),
        "confirming sends nothing"
    );
    let done = run(&lexforge, &[&ASK[..], &["--yes"]].concat(), &secret);
    assert_eq!((done.code, proxy.seen().all()), (0, 3), "{}", done.err);
    assert_eq!(endpoint.bytes(), 0, "all of it went through the proxy");

    // A definition that changes behind the owner's back is unconfirmed again, and another user's word is not theirs.
    let before = proxy.bytes();
    put(&keys[0], &json!("none"));
    let said = refused(
        &run(&lexforge, &[&ASK[..], &["--yes"]].concat(), &secret),
        "endpoint_unconfirmed",
    );
    assert!(said.contains("any more"), "{said}");
    put(&keys[0], &json!({"url": proxy.as_proxy()}));
    let other = lexforge.path("another-user").display().to_string();
    let variables = [secret[0], ("LEXFORGE_STATE", other.as_str())];
    refused(
        &run(
            &lexforge,
            &["endpoints", "check", WS, "firm", "--json"],
            &variables,
        ),
        "endpoint_unconfirmed",
    );
    assert_eq!((endpoint.bytes(), proxy.bytes()), (0, before));
}
