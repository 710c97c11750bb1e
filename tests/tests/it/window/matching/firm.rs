//! Real policies of a firm against a real regulation in the window: imported, matched, a gap noted and accepted, and
//! the gap report written.

use super::{CONTROL, ENTER, shown};
use crate::window::driver::Window;
use crate::window::{built, open};
use lexforge_tests::repository::data;
use serde_json::json;
use std::path::Path;

/// What is noted on a gap, to be found again in the report.
const NOTE: &str = "No policy of the firm says this.";

#[tokio::test]
async fn policies_of_a_firm_are_matched_with_the_gdpr_and_signed_for() {
    let (Some(gdpr), Some(folder)) = (
        data("pdf-core-en/GDPR.pdf"),
        data("policies-comply/policies"),
    ) else {
        return;
    };
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("firm.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("library").await;
    let policies = ["incident.md", "retention.md", "vendor.md"].map(|name| folder.join(name));
    let files: Vec<&Path> = std::iter::once(&gdpr)
        .chain(&policies)
        .map(|file| file.as_path())
        .collect();
    // Ninety pages are read twice, which may take longer than what other tests import.
    let asked = format!(
        "return window.__TAURI__.core.invoke('ImportDocuments', {{ paths: {}, password: null }})",
        json!(files)
    );
    window.ask(&asked).await;
    window.until_task("import", 600).await;
    window.go("match").await;
    matched(&window).await;
    let rule = noted_and_accepted(&window).await;
    reported(&window, home.path(), &rule).await;
    window.close().await;
    drop(driver);
}

/// The regulation's rules are matched with the policies by their words. Most of them nothing covers: these policies
/// are not about data of persons.
async fn matched(window: &Window) {
    window
        .until(
            "all documents",
            30,
            "return document.querySelectorAll('#match-documents tbody tr').length === 4",
        )
        .await;
    // The identifiers of the documents, the regulation's first.
    let ids = window
        .ask("return window.__TAURI__.core.invoke('Documents').then(all => all.sort((a, b) => b.sentences - a.sentences).map(d => d.id))")
        .await;
    window.click(&format!("#rules-{}", ids[0])).await;
    for policy in 1..4 {
        window.click(&format!("#policies-{}", ids[policy])).await;
    }
    let words = "const s = document.querySelector('#match-encoder'); s.value = 'words'; s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(words).await;
    window.click("#match-begin").await;
    window.until_task("match", 300).await;
    window
        .until(
            "the rules and the chapters",
            30,
            "return document.querySelectorAll('#match-rules [data-rule]').length > 60 && document.querySelectorAll('#match-chapters .cov').length > 3",
        )
        .await;
    // What the head counts is what the engine found, and every rule is of a page of the regulation.
    let counts = "const rows = await window.__TAURI__.core.invoke('MatchOverview').then(o => o.rows); \
        const of = v => rows.filter(r => r.verdict === v).length; \
        const shown = v => Number(document.querySelector(`.m-row[data-verdict=${v}] b`).innerText.replace(',', '')); \
        const all = ['covered', 'partly', 'contradicted', 'not_covered']; \
        return [all.every(v => shown(v) === of(v)), rows.length > 200, of('not_covered') * 2 > rows.length, \
            rows.every(r => r.rule.page >= 1 && r.rule.page <= 88)].join()";
    assert_eq!(window.ask(counts).await, "true,true,true,true");
}

/// The first gap shows the five nearest statements, each with why it fails. It gets a note and is accepted.
async fn noted_and_accepted(window: &Window) -> String {
    window.click(".m-row[data-verdict=not_covered]").await;
    window
        .until(
            "the first gap, with what is nearest",
            30,
            "const rows = [...document.querySelectorAll('#match-rules [data-rule]')]; \
             return rows.length > 0 && rows.every(r => r.dataset.verdict === 'not_covered') && rows[0].getAttribute('aria-current') === 'true' \
             && document.querySelectorAll('#match-nearest [data-near]').length === 5 \
             && document.querySelectorAll('#match-nearest .m-fail').length > 0",
        )
        .await;
    let rule = shown(window).await;
    window.press('n').await;
    window
        .until(
            "the note",
            10,
            "return document.activeElement?.id === 'match-note-text'",
        )
        .await;
    window.type_on(NOTE).await;
    window.press_with(CONTROL, ENTER).await;
    window
        .until(
            "the note to be kept",
            20,
            &format!(
                "return (document.querySelector('#match-history')?.innerText ?? '').includes('{NOTE}') && !document.querySelector('#match-remark')"
            ),
        )
        .await;
    window.press('a').await;
    window
        .until(
            "the gap to be accepted",
            20,
            &format!(
                "return window.__TAURI__.core.invoke('MatchedRule', {{ rule: {rule} }}).then(r => r.row.status === 'accepted')"
            ),
        )
        .await;
    rule
}

/// The gap report holds the rule that was accepted with its note, and the policies that were looked at; the audit chain
/// holds what was done.
async fn reported(window: &Window, folder: &Path, rule: &str) {
    let path = folder.join("gaps.docx");
    let written = format!(
        "return window.__TAURI__.core.invoke('ExportMatching', {{ form: 'docx', path: {path:?} }}).then(f => f.bytes)"
    );
    let bytes = window.ask(&written).await;
    assert_eq!(
        Some(std::fs::metadata(&path).unwrap().len()),
        bytes.as_u64()
    );
    let report = std::fs::read(&path).unwrap();
    let report = String::from_utf8_lossy(&report).into_owned();
    for word in ["Signatures", NOTE, "Security Incident Response Policy"] {
        assert!(report.contains(word), "{word} of rule {rule}");
    }
    assert_eq!(window.chain().await["ok"], true);
}
