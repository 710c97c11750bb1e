//! Papers from the window: what the dialog for a file would name is given, and page and data are written there.

use crate::window::driver::Window;
use lexforge_domain::api::BenchTable;
use serde_json::Value;
use std::path::Path;

/// Writes the report of the comparison, the report of the decision, and the card, each with its data. A file that the
/// user already has is not overwritten.
pub async fn write(window: &Window, home: &Path) {
    window.click("#tab-bench").await;
    let (page, data) = written(window, home, "WriteComparison", "attack: false").await;
    let systems = data["systems"]["systems"].as_array().unwrap();
    assert!(systems.len() > 4 && data["attack"].is_null(), "{data}");
    assert!(page.contains("bm25"));
    // The table that stands on the screen is the one that was written.
    let shown = "return window.__TAURI__.core.invoke('LastBench').then(kept => kept.table)";
    // As tables: a page's script writes 0.0 as 0.
    let table = |value: Value| serde_json::from_value::<BenchTable>(value).unwrap();
    assert_eq!(
        table(window.ask(shown).await),
        table(data["systems"].clone())
    );
    let told = "return (document.querySelector('#paper-written')?.innerText ?? '').includes('WriteComparison.html')";
    window.until("where it was written", 20, told).await;
    window
        .until(
            "the button",
            20,
            "return !!document.querySelector('#paper-comparison')",
        )
        .await;

    window.click("#tab-candidate").await;
    let run = "return window.__TAURI__.core.invoke('Runs').then(runs => runs.find(r => r.state === 'finished').id)";
    let run = window.ask(run).await;
    let buttons = "return !!document.querySelector('#gate #paper-decision') && !!document.querySelector('#gate #paper-card')";
    window.until("the buttons", 20, buttons).await;
    let (page, data) = written(window, home, "WriteDecision", &format!("run: {run}")).await;
    assert_eq!(data["decision"]["run"], run);
    assert!(page.contains("The rule"));
    // The decision that stands on the screen says its unit, and the page says the same.
    let unit = data["decision"]["unit"].as_str().unwrap();
    let gate = window.text("#gate").await;
    assert!(gate.contains(unit) && page.contains(unit), "{unit}: {gate}");

    // In Chinese it has the same data.
    let asked = format!("run: {run}, language: 'zh'");
    let (page, same) = written(window, home, "WriteDecision", &asked).await;
    assert!(
        page.contains("<html lang=\"zh-CN\">")
            && page.contains("规则")
            && !page.contains("The rule")
    );
    assert_eq!(same["decision"], data["decision"]);

    let card = format!("run: {run}, attack: true");
    let (page, data) = written(window, home, "WriteCard", &card).await;
    assert_eq!(data["run"]["id"], run);
    assert!(!data["attack"].is_null() && page.contains("Under attack"));

    let own = home.join("own.json");
    std::fs::write(&own, "[]").unwrap();
    begin(
        window,
        &home.join("own.html"),
        "WriteDecision",
        &format!("run: {run}"),
    )
    .await;
    let refused = "return (document.querySelector('#paper-failed')?.innerText ?? '').includes('is not a report')";
    window.until("the refusal", 60, refused).await;
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "[]");
    window.click("#paper-failed .btn").await;
}

async fn begin(window: &Window, page: &Path, command: &str, arguments: &str) {
    let begun = format!(
        "return window.__TAURI__.core.invoke({command:?}, {{ {arguments}, path: {page:?} }})"
    );
    window.ask(&begun).await;
}

/// The page and the data of a paper.
async fn written(window: &Window, home: &Path, command: &str, arguments: &str) -> (String, Value) {
    let page = home.join(format!("{command}.html"));
    begin(window, &page, command, arguments).await;
    window.until_task("paper", 400).await;
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    let data = serde_json::from_str(&text(&page.with_extension("json"))).unwrap();
    let page = text(&page);
    assert!(page.starts_with("<!doctype html>") && !page.contains("<script"));
    (page, data)
}
