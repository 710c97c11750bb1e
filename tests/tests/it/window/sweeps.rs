//! A sweep from the window: choosing the values, running the trainings one after the other, stopping and continuing it,
//! and seeing how many questions are enough.

use crate::window::driver::Window;
use crate::window::opening::open_short;
use crate::window::{built, pictures};
use lexforge_tests::held::{Held, steps};
use std::path::Path;

/// The decoder that comes with the product.
const DECODER: &str = "lexforge-demo";
/// The newest sweep as the engine has it.
const NEWEST: &str = "const [sweep] = await window.__TAURI__.core.invoke('Sweeps'); ";

#[tokio::test]
async fn several_values_are_tried_ended_and_taken_up_again() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("tried.lexforge");
    let (driver, window) = open_short(&app, &parse, &worker, &workspace, &[]).await;
    let bases = "return window.__TAURI__.core.invoke('BaseModels')";
    let bases = window.ask(bases).await;
    let works = |row: &serde_json::Value| row["name"] == DECODER && row["problem"].is_null();
    if !bases.as_array().is_some_and(|rows| rows.iter().any(works)) {
        lexforge_needs::missing(format!(
            "{DECODER} is not there, so no sweep is made in the window ({bases})"
        ));
        window.close().await;
        drop(driver);
        return;
    }
    window.go("training").await;
    name_values(&window).await;
    end_and_take_up(&window, &workspace).await;
    look_at_it(&window).await;
    read_the_report(&window, home.path()).await;
    window.close().await;
    drop(driver);
}

/// What is typed is checked at its field, and the number of trainings follows it.
async fn name_values(window: &Window) {
    window.click("#preset-joint").await;
    // As many epochs as the few questions need for these steps.
    window.fill("#epochs", "8").await;
    window.fill("#steps", "8").await;
    window.fill("#batch", "4").await;
    window.click("#try-several").await;
    window.fill("#tried-items", "0").await;
    window
        .until(
            "the field's own words",
            10,
            "return !!document.querySelector('#several .err') && document.querySelector('#start-sweep').disabled \
             && !document.querySelector('#start-training').disabled",
        )
        .await;
    window.fill("#tried-items", "1, all").await;
    window.fill("#tried-weights", "0.4/0.6, 1/0").await;
    window
        .until_text("four trainings", 60, "#sweep-extent", "4 trainings")
        .await;
    window.fill("#tried-weights", "").await;
    window
        .until_text("two trainings", 60, "#sweep-extent", "2 trainings")
        .await;
    window
        .run("document.querySelector('#several').scrollIntoView()")
        .await;
    pictures::of_screen(window, "sweep-values").await;
}

/// Ended while the first combination is trained, the sweep goes on with it, and no other run takes its place.
async fn end_and_take_up(window: &Window, workspace: &Path) {
    window.click("#start-sweep").await;
    let bundles = workspace
        .with_extension("lexforge.artifacts")
        .join("bundles");
    let held = Held::when(&bundles, |events| steps(events) > 0);
    window
        .until(
            "the first training under way, and all combinations",
            120,
            "const [run] = await window.__TAURI__.core.invoke('Runs'); \
             return run?.state === 'running' && run.step > 0 \
             && document.querySelectorAll('#combinations tbody tr').length === 2",
        )
        .await;
    window.click("#cancel-sweep").await;
    window
        .until_for_good(
            "the end of the sweep",
            240,
            "return (await window.__TAURI__.core.invoke('Tasks')).filter(t => t.kind === 'sweep').pop().failure?.code \
             === 'cancelled'",
        )
        .await;
    let runs = "return window.__TAURI__.core.invoke('Runs').then(runs => runs.length)";
    assert_eq!(window.ask(runs).await, 1, "no other training has begun");
    pictures::of_screen(window, "sweep-ended").await;
    drop(held);
    window.click("#go-on-sweep").await;
    window.until_task("sweep", 400).await;
    assert_eq!(window.ask(runs).await, 2, "no combination is trained twice");
}

/// Every combination with its run, state and figure; the best; and the curve over the number of questions.
async fn look_at_it(window: &Window) {
    let sweep = window.ask(&format!("{NEWEST} return sweep")).await;
    let rows = sweep["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row["state"], "finished", "{sweep:#}");
        assert!(row["dev"]["value"].is_f64(), "{sweep:#}");
    }
    let [few, all] = [&rows[0], &rows[1]].map(|row| row["learnt_from"].as_u64().unwrap());
    assert!(0 < few && few < all, "{sweep:#}");
    window
        .until(
            "the figures of both, and the curve",
            30,
            "return document.querySelectorAll('#items-curve circle').length === 2 && \
             [...document.querySelectorAll('#combinations tbody tr')].every(row => /\\[/.test(row.innerText))",
        )
        .await;
    let shown = window.text("#combinations").await;
    for row in rows {
        let run = row["run"].to_string();
        let value = format!("{:.3}", row["dev"]["value"].as_f64().unwrap());
        let value = value.trim_start_matches('0');
        assert!(
            shown.contains(&run) && shown.contains(value),
            "{run}, {value}: {shown}"
        );
    }
    let outcome = window.text("#sweep-outcome").await;
    assert!(
        outcome.contains(&format!("Best: {}", sweep["best"])) && outcome.contains("Enough:"),
        "{outcome}"
    );
    window
        .until(
            "nothing left to train",
            20,
            "return !document.querySelector('#go-on-sweep') && !document.querySelector('#cancel-sweep')",
        )
        .await;
    window
        .until_text(
            "that all are done",
            60,
            "#sweep-extent",
            "2 trainings, of which 2 are done",
        )
        .await;
    window
        .run("document.querySelector('#sweep').scrollIntoView()")
        .await;
    pictures::of_screen(window, "sweep-done").await;
    window.speak("zh").await;
    window
        .until(
            "the curve in the other language",
            30,
            "return document.querySelectorAll('#items-curve circle').length === 2",
        )
        .await;
    window
        .run("document.querySelector('#sweep').scrollIntoView()")
        .await;
    pictures::of_screen(window, "sweep-done-zh").await;
    window.speak("en").await;
}

/// The report of the best run has the curve.
async fn read_the_report(window: &Window, home: &Path) {
    let best = window
        .ask(&format!(
            "{NEWEST} const run = sweep.rows.find(row => row.number === sweep.best).run; \
             await window.__TAURI__.core.invoke('Evaluate', {{ run }}); return run"
        ))
        .await;
    window.until_task("evaluate", 400).await;
    let report = home.join(format!("tried-report-run-{best}.html"));
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report.contains("Questions of each rule") && report.contains("At most 1 question"));
}
