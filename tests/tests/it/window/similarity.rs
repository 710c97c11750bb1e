//! Sentences that get a score and triplets, decided by keyboard.

use crate::window::{built, command_line, open, pictures};
use serde_json::json;
use std::ffi::OsStr;

const SETTLED: &str = "return !!document.querySelector('#item-title') && !document.querySelector('.work .skel') \
    && !document.querySelector('#save-again')";

/// Eighty rules in ten documents of our own writing.
pub fn corpus(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let duties = [
        "keep a register of its clients for six years",
        "report each loss above 5 % of its capital to the authority within ten days",
        "appoint a compliance officer in accordance with this Part",
        "hold the money of its clients apart from its own money at all times",
        "publish its fees before the end of each month",
        "review its plan at least annually on the basis of its own figures",
    ];
    let whom = ["bank", "broker", "insurer", "trustee", "auditor", "adviser"];
    whom.iter()
        .map(|who| {
            let rules: String = duties
                .iter()
                .enumerate()
                .map(|(number, duty)| {
                    let text = format!("Each {who} shall {duty}.");
                    json!({ "id": format!("{who}-{number}"), "text": text }).to_string() + "\n"
                })
                .collect();
            let path = folder.join(format!("{who}.jsonl"));
            std::fs::write(&path, rules).unwrap();
            path
        })
        .collect()
}

#[tokio::test]
async fn an_expert_scores_sentences_by_keyboard() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("scores.lexforge");
    let ws = workspace.as_os_str();
    let run = |words: &[&str]| {
        let mut arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        arguments.insert(2.min(arguments.len()), ws);
        command_line(&arguments);
    };
    for file in corpus(home.path()) {
        command_line(&[OsStr::new("import"), ws, file.as_os_str()]);
    }
    run(&["triplets", "make", "--offline"]);
    run(&["similarity", "draw", "--pairs", "12"]);
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("questions").await;
    window.until("a triplet to decide", 30, SETTLED).await;
    pictures::of_review(&window, "triplets").await;
    let standing = |kind: &str, part: &str, n: u64| {
        format!(
            "return window.__TAURI__.core.invoke('ReviewQueue', {{ filter: {{ kind: '{kind}' }}, at: null }})\
             .then(v => v.standing.{part} === {n})"
        )
    };
    window.press('a').await;
    window
        .until(
            "an accepted triplet",
            30,
            &standing("triplet", "accepted", 1),
        )
        .await;
    window.until("the next triplet", 30, SETTLED).await;
    window.press('r').await;
    window
        .until(
            "the reason",
            20,
            "return !!document.querySelector('#reject-reason')",
        )
        .await;
    window.fill("#reject-reason", "reads badly").await;
    window.click("#edit-keep").await;
    window
        .until(
            "a rejected triplet",
            30,
            &standing("triplet", "rejected", 1),
        )
        .await;

    window.click("#queue-filter").await;
    window.click("#queue-similarity").await;
    window.click(".menu-veil").await;
    window
        .until(
            "two sentences",
            30,
            "return !!document.querySelector('#similarity .law')",
        )
        .await;
    // Escape puts the form away from its button too, which keeps the focus.
    window.click("#queue-filter").await;
    window.press('\u{e00c}').await;
    window
        .until(
            "the filter put away",
            10,
            "return !document.querySelector('.filter-form')",
        )
        .await;
    pictures::of_review(&window, "similarity").await;
    for (n, key) in [(1, '4'), (2, '0'), (3, '2')] {
        window.until("a pair to score", 30, SETTLED).await;
        window.press(key).await;
        window
            .until("a score", 30, &standing("similarity", "accepted", n))
            .await;
    }
    window.until("a pair to score", 30, SETTLED).await;
    window.click("#score-7").await;
    window
        .until("half a point", 30, &standing("similarity", "accepted", 4))
        .await;
    window.press('u').await;
    window
        .until("undone", 30, &standing("similarity", "accepted", 3))
        .await;
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
    window.close().await;
    drop(driver);
}
