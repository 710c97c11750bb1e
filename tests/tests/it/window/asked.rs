//! How many questions a model is asked for, and their outcomes: the limits before, the counts by reason afterwards.

use crate::window::driver::Window;
use crate::window::pictures;
use lexforge_tests::question_backend;
use serde_json::{Value, json};

/// A question is on the desk and still exists in the workspace.
pub(super) const ON_DESK: &str = "return !!document.querySelector('#item-title') && !document.querySelector('#item-gone') \
    && !document.querySelector('.work .skel')";

/// Good answers, except for one rule in four: there the question gives its answer away, however often it is asked
/// again.
pub(super) fn now_and_then_unfit(body: &Value) -> String {
    let good = question_backend::answer(body);
    let user = body["messages"][1]["content"].as_str().unwrap_or_default();
    let rule = question_backend::fenced(user, "A").unwrap_or_default();
    if rule.is_empty() || !rule.len().is_multiple_of(4) {
        return good;
    }
    json!({
        "type": "obligation", "question": format!("Is it so that {rule}?"), "right": rule, "neighbour": rule,
        "hard_1": rule, "hard_2": rule, "rephrased": "Nothing of the kind.",
    })
    .to_string()
}

/// One question for each pair and term, and a cap on them: what would be sent follows.
pub(super) async fn caps(window: &Window) {
    let put = async |text: &str| {
        let script = format!(
            "const e = document.querySelector('#most-in-all'); e.value = {text:?}; \
             e.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        window.ask(&script).await;
    };
    window.click("#per-pair").await;
    window
        .until(
            "the caps",
            20,
            "return !!document.querySelector('#most-per-anchor')",
        )
        .await;
    put("7").await;
    let seven = "(document.querySelector('#consent-line')?.innerText ?? '').includes(' 7 prompts')";
    window
        .until("a run of seven prompts", 90, &format!("return {seven}"))
        .await;
    // A text that is not a number leaves the cap as it was.
    put("many").await;
    let kept = "return document.querySelector('#most-in-all').value === '7'";
    window.until("the cap as it was", 20, kept).await;
    window.click("#per-pair").await;
    let without = format!("return !!document.querySelector('#consent-line') && !({seven})");
    window.until("a run without a cap", 90, &without).await;
}

/// What the sentences give is accounted for, question by question: made, or left out for a reason.
pub(super) async fn what_was_left_out_is_told(window: &Window) {
    let report = window
        .ask("return window.__TAURI__.core.invoke('WritingReport')")
        .await;
    let items = &report["items"];
    let n = |value: &Value| value.as_u64().unwrap();
    let left_out = items["left_out"].as_object().unwrap();
    let all: u64 = left_out.values().map(n).sum();
    assert!(n(&items["made"]) > 0 && all > 0, "{items}");
    assert_eq!(n(&items["possible"]), n(&items["made"]) + all, "{items}");
    window.click("#tab-rejected").await;
    window
        .until(
            "what was left out",
            20,
            &format!(
                "return document.querySelectorAll('#written .badge').length === {}",
                left_out.len()
            ),
        )
        .await;
    let told = window.text("#written").await.replace(',', "");
    for count in left_out
        .values()
        .chain([&items["made"], &items["possible"]])
    {
        assert!(told.contains(&count.to_string()), "{count}: {told}");
    }
    // Each reason has words of its own.
    assert!(!told.contains('_'), "{told}");
    pictures::of_screen(window, "writing-left-out").await;
    window.click("#tab-queue").await;
    window.until("a question to decide", 20, ON_DESK).await;
}
