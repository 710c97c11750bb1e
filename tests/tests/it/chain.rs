//! Attacks on the audit chain by somebody who has the file and SQLite. The tests show what verification finds, what
//! stops the next change, and what only a head shows that was noted or signed elsewhere.

use lexforge_tests::product::{Product, refused};
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;

const WS: &str = "a.lexforge";

fn rules(title: &str, percent: u32) -> String {
    format!(
        "# {title}\n\n## Article 1\n\nA bank must hold own funds of {percent} percent of its exposures.\n\n\
         ## Article 2\n\nThe board shall approve the policy once a year.\n"
    )
}

fn made(lexforge: &Product) {
    for (name, percent) in [("one.md", 8), ("two.md", 9), ("three.md", 10)] {
        let file = lexforge.file(name, rules(name, percent).as_bytes());
        lexforge.json(&["import", WS, file.to_str().unwrap()]);
    }
    lexforge.json(&["terms", "extract", WS]);
}

/// Alters by hand: the guards go and come back.
fn alter(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    let guards: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (name, _) in &guards {
        connection
            .execute_batch(&format!("DROP TRIGGER {name}"))
            .unwrap();
    }
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection.execute_batch(sql).unwrap();
    for (_, sql) in &guards {
        connection.execute_batch(sql).unwrap();
    }
}

fn broken(lexforge: &Product, arguments: &[&str]) -> Value {
    let done = lexforge.run(&[&["audit", "verify", WS, "--json"][..], arguments].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn a_forged_rule_is_laundered_by_no_link_and_no_list_of_terms() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    made(&lexforge);
    alter(
        &lexforge.path(WS),
        "UPDATE sentence SET text = replace(text, '10 percent', '1 percent') WHERE document = 3;
         UPDATE term SET text = text || ' (repealed)' WHERE id = (SELECT min(id) FROM term);",
    );
    let found = broken(&lexforge, &[]);
    let messages: Vec<&str> = found["breaks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["message"].as_str().unwrap())
        .collect();
    assert!(
        messages
            .iter()
            .any(|m| m.contains("document 3") && m.contains("the row of sentence with id")),
        "{found:#}"
    );
    assert!(
        messages
            .iter()
            .any(|m| m.contains("the row of term with id")),
        "{found:#}"
    );
    let said = refused(
        &lexforge.run(&["docs", WS, "--link", "3", "--replaces", "1", "--json"]),
        "audit_broken",
    );
    assert!(
        said.contains("nothing was written") && said.contains("the row of sentence with id"),
        "{said}"
    );
    let list = lexforge.file("terms.csv", b"term\nleverage ratio\n");
    let said = refused(
        &lexforge.run(&["terms", "import", WS, list.to_str().unwrap(), "--json"]),
        "audit_broken",
    );
    assert!(said.contains("the row of term with id"), "{said}");
    assert_eq!(broken(&lexforge, &[]), found, "something was written");
}

#[test]
fn a_trigger_that_was_added_stops_every_change_and_is_named() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    made(&lexforge);
    let hostile = "CREATE TRIGGER helpful AFTER INSERT ON decision BEGIN
        UPDATE verdict SET status = 'accepted' WHERE kind = new.kind AND first = new.first; END";
    Connection::open(lexforge.path(WS))
        .unwrap()
        .execute_batch(hostile)
        .unwrap();
    let found = broken(&lexforge, &[]);
    assert_eq!(found["first_break"]["kind"], "schema");
    assert!(
        found["first_break"]["message"]
            .as_str()
            .unwrap()
            .contains("trigger helpful"),
        "{found:#}"
    );
    let said = refused(
        &lexforge.run(&["docs", WS, "--link", "3", "--replaces", "1", "--json"]),
        "audit_broken",
    );
    assert!(said.contains("trigger helpful"), "{said}");
}

/// An older copy holds by itself. A head that was noted shows it, and so does one that was signed.
#[test]
fn an_older_copy_is_shown_by_a_head_that_was_noted_or_signed() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    made(&lexforge);
    let older = std::fs::read(lexforge.path(WS)).unwrap();
    assert!(
        !lexforge.path("a.lexforge-wal").exists(),
        "the log is in the file once nobody works on it"
    );
    lexforge.json(&["docs", WS, "--unlink", "3"]);
    let head = lexforge.json(&["audit", "verify", WS])["head"]
        .as_str()
        .unwrap()
        .to_owned();
    let sign = [
        "audit",
        "sign",
        WS,
        "--out",
        "head.json",
        "--key-file",
        "key",
        "--json",
    ];
    refused(&lexforge.run(&sign), "key_missing");
    let signed = lexforge.json(&[&sign[..7], &["--new-key"][..]].concat());
    assert_eq!(signed["head"], head.as_str());
    let key = signed["public_key"].as_str().unwrap().to_owned();
    lexforge.json(&["docs", WS, "--link", "3", "--replaces", "1"]);
    let signed_by = ["--signed", "head.json", "--public-key", key.as_str()];
    for against in [&["--head", head.as_str()][..], &signed_by[..]] {
        let found = lexforge.json(&[&["audit", "verify", WS][..], against].concat());
        assert_eq!(
            (&found["ok"], &found["known_head"]["since"]),
            (&true.into(), &1.into()),
            "{found:#}"
        );
    }
    let text = lexforge.run(&["audit", "verify", WS, "--head", &head]).out;
    assert!(text.contains("1 entry has come since"), "{text}");
    // Signed by a key that nobody named, it proves nothing.
    let unknown = broken(
        &lexforge,
        &["--signed", "head.json", "--public-key", &"ab".repeat(32)],
    );
    assert_eq!(unknown["first_break"]["kind"], "signature");

    std::fs::write(lexforge.path(WS), older).unwrap();
    assert_eq!(
        lexforge.json(&["audit", "verify", WS])["ok"],
        true,
        "a chain alone cannot show that it is an older copy"
    );
    for against in [&["--head", head.as_str()][..], &signed_by[..]] {
        assert_eq!(broken(&lexforge, against)["first_break"]["kind"], "head");
    }
}

/// Signs without a key ring. The key is in a file, the file is protected by a passphrase, and the passphrase does not
/// show in the list of processes.
#[test]
#[cfg(unix)]
fn a_key_file_behind_a_passphrase_signs_with_it_alone() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    made(&lexforge);
    let sign = |out: &'static str| {
        [
            "audit",
            "sign",
            WS,
            "--out",
            out,
            "--key-file",
            "key",
            "--json",
        ]
    };
    let with = |arguments: &[&str], passphrase: &str| {
        let mut command = lexforge.command(arguments);
        command.env("LEXFORGE_PASSPHRASE", passphrase);
        command.output().unwrap()
    };
    let open = lexforge.json(&[&sign("open.json")[..7], &["--new-key"][..]].concat());
    let kept = std::fs::read_to_string(lexforge.path("key")).unwrap();
    // Nobody can be asked here, and an empty passphrase is none.
    refused(
        &lexforge.run(&["key", "protect", "key", "--json"]),
        "invalid_request",
    );
    assert!(!with(&["key", "protect", "key"], "").status.success());
    assert!(
        with(&["key", "protect", "key"], "horse 电池")
            .status
            .success()
    );
    let protected = std::fs::read_to_string(lexforge.path("key")).unwrap();
    assert!(!protected.contains(kept.trim()), "{protected}");

    let said = refused(&lexforge.run(&sign("none.json")), "key_locked");
    assert!(said.contains("protected by a passphrase"), "{said}");
    let wrong = with(&sign("wrong.json"), "horse");
    assert!(!wrong.status.success());
    let wrong: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert_eq!(wrong["error"]["code"], "key_locked", "{wrong:#}");
    assert!(!lexforge.path("none.json").exists() && !lexforge.path("wrong.json").exists());

    let signed = with(&sign("signed.json"), "horse 电池");
    assert!(signed.status.success(), "{signed:?}");
    let signed: Value = serde_json::from_slice(&signed.stdout).unwrap();
    assert_eq!(signed["public_key"], open["public_key"]);

    assert!(!with(&["key", "unprotect", "key"], "horse").status.success());
    assert!(
        with(&["key", "unprotect", "key"], "horse 电池")
            .status
            .success()
    );
    assert_eq!(std::fs::read_to_string(lexforge.path("key")).unwrap(), kept);
}
