//! The rule of the gate: how often it is right is seen before another one is kept, and one press goes back. Then what
//! goes live: general language is measured, a run is made active against the gate, and that is taken back.

use crate::window::driver::Window;
use crate::window::pictures;
use serde_json::Value;
use std::path::Path;

/// Keeps another level, and goes back to the usual rule. Then a run goes live.
pub async fn change(window: &Window, home: &Path) {
    window.go("evaluation").await;
    window.click("#tab-candidate").await;
    // The rule stands beside the gate, without being asked for.
    let beside = "return (document.querySelector('#gate-rule')?.innerText ?? '').includes('95 %')";
    window.until("the rule", 20, beside).await;
    window.click("#gate-policy").await;
    seen(window).await;
    let why = window.text("#gate-policy-why").await;
    assert!(why.contains("holds"), "{why}");
    pictures::of_screen(window, "gate-rule").await;

    window.fill("#rule-level", "90").await;
    let unseen = "return document.querySelector('#gate-policy-keep').disabled \
        && document.querySelector('#gate-policy-why').innerText.includes('First work out')";
    window
        .until("it is not kept before it is seen", 20, unseen)
        .await;
    window.click("#gate-policy-plan").await;
    seen(window).await;
    window.click("#gate-policy-keep").await;
    gone(window).await;
    assert_eq!(rule(window).await["level"], 0.9);
    let kept = "return document.querySelector('#gate-rule').innerText.includes('90 %')";
    window.until("the new rule beside the gate", 20, kept).await;

    window.click("#gate-policy").await;
    seen(window).await;
    window.click("#gate-policy-usual").await;
    gone(window).await;
    assert_eq!(rule(window).await["level"], 0.95);
    go_live(window, home).await;
}

/// The reason of the person who stands for a run.
const REASON: &str = "A trial in one branch until May, looked at each week.";

/// Measures general language, makes the run active against the gate, and takes that back.
async fn go_live(window: &Window, home: &Path) {
    ask_for_general_language(window, home).await;
    measure_general_language(window).await;
    stand_for_it(window).await;
    take_it_back(window).await;
    // The usual rule holds again for what comes after.
    window.click("#gate-policy").await;
    seen(window).await;
    window.click("#gate-policy-usual").await;
    gone(window).await;
    assert_eq!(rule(window).await["general_floor"], Value::Null);
}

/// The file is remembered and named in the dialog; the rule asks for general language from then on.
async fn ask_for_general_language(window: &Window, home: &Path) {
    let mut pairs = "sentence1,sentence2,score\n".to_owned();
    for (n, animal) in ["dog", "cat", "horse", "goat", "hen", "duck"]
        .iter()
        .enumerate()
    {
        let at = n + 2;
        // No sentence stands in two pairs: pairs that share one are drawn together.
        for (score, place, other) in [
            (
                5.0,
                "garden",
                format!("The {animal} is running in the garden"),
            ),
            (3.5, "yard", format!("The {animal} is asleep")),
            (1.5, "field", format!("Bus {at} leaves at noon")),
            (0.0, "street", format!("{at} musicians tune their guitars")),
        ] {
            let one = format!("A {animal} runs through the {place}");
            pairs += &format!("{one},{other},{}\n", score + 0.01 * n as f64);
        }
    }
    let file = home.join("general.csv");
    std::fs::write(&file, pairs).unwrap();
    // What the dialog for files would name.
    let kept = format!(
        "return window.__TAURI__.core.invoke('KeepGateGeneral', {{ path: {file:?} }}).then(set => set.pairs)"
    );
    assert_eq!(window.ask(&kept).await, 24);
    window.click("#gate-policy").await;
    seen(window).await;
    let named = "return (document.querySelector('#rule-general-chosen')?.innerText ?? '').includes('24 pairs of general.csv')";
    window.until("the file in the dialog", 20, named).await;
    window.click("#rule-general-asked").await;
    window.fill("#rule-general", ".5").await;
    window.click("#gate-policy-plan").await;
    seen(window).await;
    window.click("#gate-policy-keep").await;
    gone(window).await;
    assert_eq!(rule(window).await["general_floor"], 0.5);
}

/// Before it is measured the gate says so; afterwards the figures stand there, and the reason.
async fn measure_general_language(window: &Window) {
    let missing = "return (document.querySelector('#gate-verdict')?.innerText ?? '').includes('General language was not measured')";
    window.until("that it was not measured", 30, missing).await;
    window.click("#gate-general-measure").await;
    window.until_task("gate_general", 200).await;
    let figures = "return (document.querySelector('#gate-general')?.innerText ?? '').includes('24 pairs of general.csv') \
        && !document.querySelector('#gate-general-measure')";
    window.until("the figures", 30, figures).await;
    let verdict = window.text("#gate-verdict").await;
    assert!(
        verdict.contains("General language: ") && verdict.contains("the rank correlation"),
        "{verdict}"
    );
    assert!(!verdict.contains("was not measured"), "{verdict}");
}

/// A name, a reason and the acceptance are asked for; then the run is active, and who stands for it is shown.
async fn stand_for_it(window: &Window) {
    window.click("#gate-override").await;
    let open = "return !!document.querySelector('#gate-stand-for')";
    window.until("the form", 20, open).await;
    let refused = "return document.querySelector('#gate-make-active').disabled";
    let steps = [("#gate-by", "Ada Example"), ("#gate-reason", REASON)];
    for (field, text) in steps {
        window.until("what is still missing", 10, refused).await;
        window.fill(field, text).await;
    }
    window.until("the acceptance is missing", 10, refused).await;
    window.click("#gate-accepts").await;
    let complete = "return !document.querySelector('#gate-make-active').disabled";
    window.until("that nothing is missing", 10, complete).await;
    window.click("#gate-make-active").await;
    let closed = "return !document.querySelector('#gate-stand-for')";
    window.until_for_good("the activation", 200, closed).await;
    let stands = format!(
        "return (document.querySelector('#gate')?.innerText ?? '').includes('Ada Example stands for it: {REASON}') \
         && !document.querySelector('#gate-override')"
    );
    window.until("who stands for it", 30, &stands).await;
    let active = window.ask(ACTIVE).await;
    assert_eq!(active["encoder"]["overridden"]["by"], "Ada Example");
    assert_eq!(active["encoder"]["decision"]["verdict"], "stop");
    assert_eq!(active["encoder"]["decision"]["general"]["pairs"], 24);
    assert_eq!(active["decoder"], Value::Null);
}

/// One press, and nothing is active any more; what was done stays in the history.
async fn take_it_back(window: &Window) {
    window.click("#gate-roll-back").await;
    let none = "return (document.querySelector('#gate-active')?.innerText ?? '').includes('No encoder is active') \
        && !document.querySelector('#gate-roll-back') && !!document.querySelector('#gate-override')";
    window.until("that nothing is active", 60, none).await;
    let active = window.ask(ACTIVE).await;
    assert_eq!(active["encoder"], Value::Null);
    let done: Vec<&str> = active["history"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["action"].as_str())
        .collect();
    assert_eq!(done, ["roll_back", "override"]);
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
}

/// What is active, and what was before.
const ACTIVE: &str = "return window.__TAURI__.core.invoke('ActiveModels')";

/// Waits for how often the rule is right: a line each for an equal model and for those worse by 1, 2 and 3 points.
async fn seen(window: &Window) {
    let lines = "return document.querySelectorAll('#gate-plan tbody tr').length === 4";
    window.until("how often it is right", 60, lines).await;
}

async fn gone(window: &Window) {
    let gone = "return !document.querySelector('#gate-policy-dialog')";
    window.until("the end of the dialog", 20, gone).await;
}

/// The rule that holds.
async fn rule(window: &Window) -> Value {
    window
        .ask("return window.__TAURI__.core.invoke('GatePolicy')")
        .await
}
