//! A target whose host key has changed: a real `sshd` is started with another key on the same port.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::ssh_target::SshTarget;
use serde_json::{Value, json};

const WS: &str = "a.lexforge";
const REASON: &str =
    "Set up anew on Monday; Bo of operations read the fingerprint out by telephone";

/// The product, and a target that it knows as `box`.
fn with_target() -> Option<(Product, SshTarget)> {
    let lexforge = Product::find()?;
    let target = SshTarget::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_ACTOR", "Ann");
    let folder = target.path("there").display().to_string();
    lexforge.json(&["compute", "add", "box", "--ssh", "box", "--folder", &folder]);
    lexforge.json(&["new", WS]);
    Some((lexforge, target))
}

/// The keys as `compute key` shows them, and its exit code.
fn keys(lexforge: &Product) -> (Value, i32) {
    let done = lexforge.run(&["compute", "key", "box", "--workspace", WS, "--json"]);
    let keys = serde_json::from_str(&done.out);
    (
        keys.unwrap_or_else(|e| panic!("{e}: {}", done.err)),
        done.code,
    )
}

/// The message of a replacement that is refused.
#[track_caller]
fn refuses(lexforge: &Product, fingerprint: &str, reason: &str) -> String {
    let words = [
        "compute",
        "replace-key",
        WS,
        "box",
        "--fingerprint",
        fingerprint,
        "--reason",
        reason,
        "--json",
    ];
    refused(&lexforge.run(&words), "invalid_request")
}

fn replace(lexforge: &Product, fingerprint: &str) -> Value {
    lexforge.json(&[
        "compute",
        "replace-key",
        WS,
        "box",
        "--fingerprint",
        fingerprint,
        "--reason",
        REASON,
    ])
}

/// What `check` says of the connection.
fn reached(lexforge: &Product) -> (bool, String) {
    let done = lexforge.run(&["compute", "check", "box", "--json"]);
    let lines = done.out.lines();
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = lines.find(|line| line["check"] == "reachability");
    let row = row.unwrap_or_else(|| panic!("{}\n{}", done.out, done.err));
    let said = format!("{} {}", row["found"], row["remedy"]);
    (row["ok"] == true, said)
}

fn rows_of_keys(lexforge: &Product) -> Vec<Value> {
    let mut rows = lexforge.lines(&["audit", "list", WS]);
    rows.retain(|row| {
        row["action"]
            .as_str()
            .is_some_and(|a| a.starts_with("host_key."))
    });
    rows
}

#[test]
fn a_changed_key_is_shown_beside_the_known_one_and_replaced_for_a_reason() {
    let Some((lexforge, mut target)) = with_target() else {
        return;
    };
    let (old, new) = (target.fingerprint("host"), target.fingerprint("other"));
    let known_hosts = target.path("known_hosts");
    let list = || std::fs::read_to_string(&known_hosts).unwrap();
    let first = list();
    // The key is the one that is known: there is nothing to replace.
    assert!(reached(&lexforge).0);
    let (shown, code) = keys(&lexforge);
    assert_eq!((&shown["state"], code), (&json!("same"), 0), "{shown:#}");
    assert!(refuses(&lexforge, &old, REASON).contains("nothing to replace"));

    // Another host with another key answers on the same port: refused, and told where both keys are seen.
    target.answer_with("other");
    let (ok, said) = reached(&lexforge);
    assert!(!ok && said.contains("another host key"), "{said}");
    assert!(
        said.contains("Look at both keys (lexforge compute key NAME)")
            && !said.contains("ssh-keygen"),
        "{said}"
    );
    let (shown, code) = keys(&lexforge);
    assert_eq!((&shown["state"], code), (&json!("changed"), 1), "{shown:#}");
    let key = |fingerprint: &str| json!({ "algorithm": "ED25519", "fingerprint": fingerprint });
    assert_eq!(shown["shown"], key(&new));
    let known = shown["known"].as_array().unwrap();
    assert_eq!((known.len(), &known[0]["key"]), (1, &key(&old)));
    assert_eq!(known[0]["trusted"], Value::Null);

    // Without a reason, or with a fingerprint that is not the one that is shown, nothing changes.
    assert!(refuses(&lexforge, &new, "  short  ").contains("reason"));
    assert!(refuses(&lexforge, &old, REASON).contains("fingerprint"));
    assert!(refuses(&lexforge, "", REASON).contains("fingerprint"));
    assert_eq!(list(), first);
    assert_eq!(rows_of_keys(&lexforge), [] as [Value; 0]);

    replace(&lexforge, &new);
    let (ok, said) = reached(&lexforge);
    assert!(ok, "{said}");
    let rows = rows_of_keys(&lexforge);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    assert_eq!(
        (&row["action"], &row["actor"]),
        (&json!("host_key.replace"), &json!("Ann"))
    );
    let why = row["reason"].as_str().unwrap();
    for part in [&new, &old, REASON] {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
    // The other line of the list, for the straight way to this host, is as it was.
    let kept = list();
    let straight = first.lines().next().unwrap();
    assert!(kept.contains(straight), "{kept}");

    // Changed once more: who trusted the key that is known now is told by that row.
    target.answer_with("host");
    let (shown, _) = keys(&lexforge);
    let trusted = &shown["known"][0]["trusted"];
    assert_eq!(
        (&trusted["actor"], &trusted["sequence"], &trusted["time"]),
        (&row["actor"], &row["sequence"], &row["time"])
    );
}

#[test]
fn a_host_of_which_no_key_is_known_has_none_to_replace() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    target.forget();
    let (shown, code) = keys(&lexforge);
    assert_eq!((&shown["state"], code), (&json!("unknown"), 0), "{shown:#}");
    let fingerprint = target.fingerprint("host");
    assert_eq!(shown["shown"]["fingerprint"], fingerprint);
    assert!(refuses(&lexforge, &fingerprint, REASON).contains("nothing to replace"));
    assert_eq!(
        std::fs::read_to_string(target.path("known_hosts")).unwrap(),
        ""
    );
}
