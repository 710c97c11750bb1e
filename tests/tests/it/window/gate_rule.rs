//! The rule of the gate: how often it is right is seen before another one is kept, and one press goes back.

use crate::window::driver::Window;
use crate::window::pictures;
use serde_json::Value;

/// Keeps another level, and goes back to the usual rule.
pub async fn change(window: &Window) {
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
}

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
