//! Triplets are made, listed and opened in the window, and pairs of sentences are drawn there.

use super::similarity::corpus;
use crate::window::driver::Window;
use crate::window::{built, command_line, open, pictures};
use std::ffi::OsStr;
use std::path::Path;

/// Two triplets of another tool; the positive of the second is no duty any more.
const THEIRS: &str = r#"{"source":"The keeper shall report each loss within ten days of its discovery.","positive":"Within 10 days of its discovery, each loss shall be reported.","negative":"The keeper shall report each loss within thirty days of its discovery.","shift":"temporal.time_limit"}
{"source":"The keeper shall report each loss within ten days of its discovery.","positive":"Within 10 days of its discovery, each loss may be reported.","negative":"The keeper shall report each loss within thirty days of its discovery.","shift":"temporal.time_limit"}
"#;
const ROWS: &str = "document.querySelectorAll('.triplets-columns [role=gridcell]').length";

#[tokio::test]
async fn a_person_makes_triplets_and_draws_pairs() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("triplets.lexforge");
    for file in corpus(home.path()) {
        command_line(&[
            OsStr::new("import"),
            workspace.as_os_str(),
            file.as_os_str(),
        ]);
    }
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("questions").await;
    window.click("#to-triplets").await;
    window
        .until(
            "that there are none",
            30,
            "return !!document.querySelector('#triplets-none')",
        )
        .await;
    window.click("#make-triplets").await;
    window
        .until(
            "the shifts",
            30,
            "return document.querySelectorAll('#triplets-shifts [data-shift]').length > 3 \
             && !document.querySelector('#triplets-begin').disabled",
        )
        .await;
    add_own_shifts(&window, home.path()).await;
    // One shift is left out.
    window.click("[data-shift='rule_based.force']").await;
    window.click("#triplets-begin").await;
    window
        .until(
            "what was made",
            60,
            &format!("return !!document.querySelector('#triplets-made') && {ROWS} > 0"),
        )
        .await;
    window
        .until(
            "triplets without the shift that was left out",
            30,
            "return window.__TAURI__.core.invoke('CountTriplets', {})\
             .then(c => Object.values(c.by_shift).reduce((a, n) => a + n, 0) > 0 && !c.by_shift['rule_based.force'])",
        )
        .await;
    window
        .until(
            "the first one beside the list",
            30,
            "return !!document.querySelector('#triplet-detail .law')",
        )
        .await;
    pictures::of_review(&window, "triplets-listed").await;
    // A file of others is read in, as the dialog has it done once it is chosen: one keeps what binds, one does not.
    let theirs = home.path().join("theirs.jsonl");
    std::fs::write(&theirs, THEIRS).unwrap();
    window
        .ask(&format!(
            "return window.__TAURI__.core.invoke('ImportTriplets', {{ file: {theirs:?} }})"
        ))
        .await;
    window.until_task("import_triplets", 60).await;
    window
        .until(
            "what was read in and what was turned down",
            30,
            "const said = document.querySelector('#triplets-made')?.innerText ?? ''; \
             return said.includes('Triplets read in: 1, of 2 lines') && said.includes('Turned down')",
        )
        .await;
    window.click("#triplet-decide").await;
    window
        .until(
            "it on the desk",
            30,
            "return !!document.querySelector('#item-title') && !!document.querySelector('#triplet')",
        )
        .await;
    window.click("#tab-similarity").await;
    window
        .until(
            "the button that draws",
            30,
            "return !!document.querySelector('#draw-similarity')",
        )
        .await;
    window.click("#draw-similarity").await;
    window
        .until(
            "the ranges of the draw",
            120,
            "return document.querySelectorAll('#similarity-strata tbody tr').length > 1",
        )
        .await;
    pictures::of_review(&window, "similarity-drawn").await;
    // The pairs go out to be scored in a spreadsheet and come in again; a row that is no pair is told.
    let sheet = home.path().join("score.csv");
    let written =
        format!("return window.__TAURI__.core.invoke('WriteScoreSheet', {{ file: {sheet:?} }})");
    let pairs = window.ask(&written).await.as_u64().unwrap();
    assert!(pairs > 0);
    let mut table = std::fs::read_to_string(&sheet).unwrap();
    table = table.replacen("\"\"\r\n", "\"2.5\"\r\n", 1);
    table.push_str("\"One.\",\"Other.\",\"3\"\r\n");
    std::fs::write(&sheet, table).unwrap();
    let read =
        format!("return window.__TAURI__.core.invoke('ImportScores', {{ file: {sheet:?} }})");
    let read = window.ask(&read).await;
    assert_eq!(
        (&read["scored"], &read["blank"]),
        (&1.into(), &(pairs - 1).into())
    );
    assert_eq!(read["refused"][0][1], "no_pair", "{read}");
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
    window.close().await;
    drop(driver);
}

/// A user's own shifts are read from a file and can be chosen beside the others. The dialog for files is the system's;
/// its answer is put in its place, and everything after it is done by the page.
async fn add_own_shifts(window: &Window, folder: &Path) {
    let own = serde_json::json!([{
        "tag": "harbour.berth", "en": "other berth", "zh": "泊位改变", "what": "Another berth is meant.", "edits": ["number"]
    }]);
    let file = folder.join("shifts.json");
    std::fs::write(&file, own.to_string()).unwrap();
    let count = "return document.querySelectorAll('#triplets-shifts [data-shift]').length";
    let before = window.ask(count).await.as_u64().unwrap();
    let answered = format!(
        "const core = window.__TAURI__.core; window.__TAURI__.core = {{ ...core, \
         invoke: (name, ...rest) => name === 'PickOpen' ? Promise.resolve({file:?}) : core.invoke(name, ...rest) }}; \
         window.coreBefore = core"
    );
    window.ask(&answered).await;
    window.click("#triplets-shifts-file").await;
    let told = format!(
        "const said = document.querySelector('#triplets-own-shifts')?.innerText ?? ''; \
         return said.includes('shifts.json') && !!document.querySelector('[data-shift=\"harbour.berth\"][aria-pressed=true]') \
             && document.querySelectorAll('#triplets-shifts [data-shift]').length === {}",
        before + 1
    );
    window.until("the shift of one's own", 30, &told).await;
    window
        .ask("window.__TAURI__.core = window.coreBefore")
        .await;
}
