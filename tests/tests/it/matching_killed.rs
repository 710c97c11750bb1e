//! `kill -9` while rules are matched, decided and mapped: what was told as kept is there, and nothing is half there.
#![cfg(unix)]

use lexforge_tests::product::Product;
use lexforge_tests::repository::sample;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

const POLICY: &str = "# Operational policy

We record every operational incident in a register within one business day of its detection.

The exit plan for a critical outsourcing may be tested at least once every 12 months.
";
/// Moments at which a command is killed, in milliseconds.
const MOMENTS: [u64; 6] = [5, 15, 30, 60, 120, 250];

fn notes(rows: &[Value]) -> BTreeSet<String> {
    let note = |row: &Value| {
        row["decision"]["note"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    rows.iter().map(note).collect()
}

#[test]
fn what_was_decided_is_kept_whole_when_the_next_command_is_killed() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&["import".into(), "a.lexforge".into(), sample()]);
    let policy = lexforge.file("policy.md", POLICY.as_bytes());
    lexforge.json(&["import".into(), "a.lexforge".into(), policy]);
    let matching: Vec<String> = "match a.lexforge --rules 1 --policies 2 --words"
        .split(' ')
        .map(str::to_owned)
        .collect();
    let rules: Vec<String> = lexforge
        .lines(&matching)
        .iter()
        .map(|row| row["rule"]["id"].to_string())
        .collect();
    assert!(rules.len() > 60, "{}", rules.len());
    lexforge.json(&["match", "export", "a.lexforge", "--out", "own.json"]);
    let decide = |note: &str| -> Vec<String> {
        let words = ["match", "decide", "a.lexforge", "--note", note, "--rule"];
        let words = words.map(str::to_owned).into_iter();
        words.chain(rules.iter().cloned()).collect()
    };
    let killed = |command: &[String], milliseconds: u64| -> bool {
        let mut child = lexforge.start(command);
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        !child.wait().unwrap().success()
    };
    let import = ["match", "import", "a.lexforge", "own.json"].map(str::to_owned);
    let mut cut_short = 0;
    for (round, milliseconds) in MOMENTS.into_iter().enumerate() {
        let (kept, next) = (format!("kept {round}"), format!("killed {round}"));
        lexforge.lines(&decide(&kept));
        let commands = [decide(&next), matching.clone(), import.to_vec()];
        for command in &commands {
            cut_short += usize::from(killed(command, milliseconds));
            let rows = lexforge.lines(&["match", "list", "a.lexforge"]);
            assert_eq!(rows.len(), rules.len());
            // All of one command or nothing of it.
            let all = notes(&rows);
            assert_eq!(all.len(), 1, "{all:?}");
            assert!(all.contains(&kept) || all.contains(&next), "{all:?}");
            assert!(rows.iter().all(|row| row["status"] == "accepted"));
            let audit = lexforge.json(&["audit", "verify", "a.lexforge"]);
            assert_eq!(audit["ok"], true, "{audit:#}");
        }
    }
    assert!(
        cut_short > 0,
        "every command ended before it was killed; nothing was tried"
    );
    // A mapping is read whole in the end, whatever of it was read before, and proposes nothing twice.
    lexforge.json(&import);
    let proposals = lexforge.lines(&["match", "proposals", "a.lexforge"]);
    assert!(!proposals.is_empty());
    let again = lexforge.json(&import);
    assert_eq!(again["proposed"], Value::Array(Vec::new()), "{again:#}");
    let same = lexforge.lines(&["match", "proposals", "a.lexforge"]);
    assert_eq!(same.len(), proposals.len());
}
