//! Encrypted workspaces, with the built programs.

use crate::disks::{WS, import};
use lexforge_tests::product::{Product, refused};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

const PASSPHRASE: &str = "correct horse battery 电池";

/// A command with a passphrase and perhaps a new one.
fn with<S: AsRef<std::ffi::OsStr>>(
    lexforge: &Product,
    arguments: &[S],
    passphrase: Option<&str>,
    new: Option<&str>,
) -> Command {
    let mut command = lexforge.command(arguments);
    for (name, value) in [
        ("LEXFORGE_WORKSPACE_PASSPHRASE", passphrase),
        ("LEXFORGE_NEW_WORKSPACE_PASSPHRASE", new),
    ] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[track_caller]
fn done(mut command: Command) -> Value {
    let output = command.arg("--json").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

#[track_caller]
fn fails(mut command: Command, code: &str) -> String {
    let output = command.arg("--json").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{text}");
    let value: Value = serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap();
    assert_eq!(value["error"]["code"], code, "{value:#}");
    value["error"]["message"].as_str().unwrap().to_owned()
}

/// The longest words of a document, of which none may stand in an encrypted file.
fn words(lexforge: &Product) -> Vec<String> {
    let sentences = lexforge.lines(&["docs", WS, "--sentences"]);
    let mut words: Vec<String> = sentences
        .iter()
        .filter_map(|sentence| sentence["text"].as_str())
        .flat_map(|text| text.split(|c: char| !c.is_alphabetic()))
        .filter(|word| word.len() > 8)
        .map(str::to_owned)
        .collect();
    words.sort();
    words.dedup();
    words
}

fn holds(lexforge: &Product, name: &str, words: &[String]) -> usize {
    let bytes = std::fs::read(lexforge.path(name)).unwrap();
    words
        .iter()
        .filter(|word| {
            bytes
                .windows(word.len())
                .any(|part| part == word.as_bytes())
        })
        .count()
}

#[test]
fn a_workspace_is_encrypted_and_everything_goes_on() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    let words = words(&lexforge);
    assert!(words.len() > 20 && holds(&lexforge, WS, &words) > 0);
    // Nobody can be asked here.
    fails(
        with(&lexforge, &["workspace", "encrypt", WS], None, None),
        "invalid_request",
    );
    fails(
        with(
            &lexforge,
            &["workspace", "encrypt", WS],
            None,
            Some("short"),
        ),
        "invalid_request",
    );
    let told = done(with(
        &lexforge,
        &["workspace", "encrypt", WS],
        None,
        Some(PASSPHRASE),
    ));
    assert_eq!(told["encrypted"], true);
    assert_eq!(
        holds(&lexforge, WS, &words),
        0,
        "a word of the document stands in the file"
    );

    let said = refused(&lexforge.run(&["docs", WS, "--json"]), "workspace_locked");
    assert!(said.contains("is encrypted"), "{said}");
    let wrong = with(&lexforge, &["docs", WS], Some("another passphrase"), None);
    let said = fails(wrong, "workspace_locked");
    assert!(said.contains("does not open"), "{said}");

    let verify = with(&lexforge, &["audit", "verify", WS], Some(PASSPHRASE), None);
    assert_eq!(done(verify)["ok"], true);
    // The passphrase can also stand in a file that its owner alone can read.
    #[cfg(unix)]
    {
        let file = lexforge.file("passphrase", format!("{PASSPHRASE}\n").as_bytes());
        let mode = |mode| {
            let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(&file, rights).unwrap();
            let mut command = with(&lexforge, &["audit", "verify", WS], None, None);
            command.env("LEXFORGE_WORKSPACE_PASSPHRASE_FILE", &file);
            command
        };
        assert_eq!(done(mode(0o600))["ok"], true);
        fails(mode(0o644), "key_missing");
    }

    // A backup is encrypted with the passphrase of its time, and is restored.
    let backup = with(
        &lexforge,
        &["workspace", "backup", WS, "copy.lexforge"],
        Some(PASSPHRASE),
        None,
    );
    assert_eq!(done(backup)["encrypted"], true);
    assert_eq!(holds(&lexforge, "copy.lexforge", &words), 0);
    done(with(
        &lexforge,
        &["workspace", "passphrase", WS],
        Some(PASSPHRASE),
        Some("the next passphrase"),
    ));
    fails(
        with(&lexforge, &["docs", WS], Some(PASSPHRASE), None),
        "workspace_locked",
    );
    let restore = ["workspace", "restore", "copy.lexforge", "back.lexforge"];
    fails(
        with(&lexforge, &restore, Some("the next passphrase"), None),
        "workspace_locked",
    );
    let restored = done(with(&lexforge, &restore, Some(PASSPHRASE), None));
    assert_eq!(
        (&restored["documents"], &restored["audit_ok"]),
        (&1.into(), &true.into())
    );
    assert_eq!(holds(&lexforge, "back.lexforge", &words), 0);

    done(with(
        &lexforge,
        &["workspace", "decrypt", WS],
        Some("the next passphrase"),
        None,
    ));
    assert!(holds(&lexforge, WS, &words) > 0);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);

    // A file that is not encrypted is not taken for a workspace that was, and a restore says what it puts there.
    done(with(
        &lexforge,
        &["workspace", "encrypt", WS],
        None,
        Some(PASSPHRASE),
    ));
    lexforge.json(&["new", "plain.lexforge"]);
    std::fs::rename(lexforge.path(WS), lexforge.path("aside.lexforge")).unwrap();
    std::fs::copy(lexforge.path("plain.lexforge"), lexforge.path(WS)).unwrap();
    let said = refused(&lexforge.run(&["docs", WS, "--json"]), "workspace_moved");
    assert!(said.contains("another one was put in its place"), "{said}");
    let replace = ["workspace", "restore", "plain.lexforge", WS, "--replace"];
    let replaced = done(with(&lexforge, &replace, None, None));
    assert_eq!(replaced["no_longer_encrypted"], true, "{replaced:#}");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);

    // What no key opens is still told from an encrypted workspace.
    lexforge.file("text.lexforge", "no workspace ".repeat(2_000).as_bytes());
    let text = with(
        &lexforge,
        &["docs", "text.lexforge"],
        Some(PASSPHRASE),
        None,
    );
    fails(text, "workspace_invalid");
}

#[test]
fn a_new_workspace_is_encrypted_from_the_beginning_and_two_programs_write_into_it() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let new = ["new", WS, "--encrypted"];
    done(with(&lexforge, &new, None, Some(PASSPHRASE)));
    let folder = lexforge.path("texts");
    std::fs::create_dir(&folder).unwrap();
    let mut children = Vec::new();
    for number in 0..4 {
        let text =
            format!("# Rules {number}\n\nA custodian shall report holding {number} daily.\n");
        let file = lexforge.file(&format!("texts/{number}.md"), text.as_bytes());
        let file = file.display().to_string();
        let mut command = with(&lexforge, &["import", WS, &file], Some(PASSPHRASE), None);
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        children.push(command.spawn().unwrap());
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let verify = with(&lexforge, &["audit", "verify", WS], Some(PASSPHRASE), None);
    assert_eq!(done(verify)["ok"], true);
    let listed = with(&lexforge, &["docs", WS, "--json"], Some(PASSPHRASE), None)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 4);
    assert_eq!(holds(&lexforge, WS, &["custodian".to_owned()]), 0);
}

/// The program is ended at several moments of an encryption; what is there opens, with or without the passphrase.
#[test]
fn an_encryption_that_is_killed_loses_nothing() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    let (mut old, mut new) = (0, 0);
    for moment in 0..8_u64 {
        let name = format!("w{moment}.lexforge");
        std::fs::copy(lexforge.path(WS), lexforge.path(&name)).unwrap();
        let mut command = with(
            &lexforge,
            &["workspace", "encrypt", &name],
            None,
            Some(PASSPHRASE),
        );
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment * moment * 40));
        let _ = child.kill();
        child.wait().unwrap();
        let begins = std::fs::read(lexforge.path(&name)).unwrap();
        let is_new = !begins.starts_with(b"SQLite format 3");
        let passphrase = is_new.then_some(PASSPHRASE);
        let verify = with(&lexforge, &["audit", "verify", &name], passphrase, None);
        assert_eq!(done(verify)["ok"], true, "{moment}");
        // What the program left beside it went when the workspace was opened.
        let left = std::fs::read_dir(lexforge.path("."))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|left| left.starts_with(&format!("{name}.")) && left.contains(".new"))
            .collect::<Vec<_>>();
        assert_eq!(left, Vec::<String>::new(), "{moment}");
        if is_new {
            new += 1;
        } else {
            old += 1;
        }
    }
    println!("8 kills: {old} old files, {new} new ones");
    assert!(old > 0, "no encryption was ended before its end");
}
