//! The outcome of the questions that the sentences give: how many for each sentence, and what was left out, by reason.

use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::reasons::LEFT_OUT;
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AugmentReport, Items};

/// `1,030, 3.4 a sentence`.
pub fn each(items: &Items, n: u64) -> String {
    tf(
        "estimate.items_of",
        &[
            ("n", &format::count(n)),
            ("each", &format!("{:.1}", items.per_anchor(n))),
        ],
    )
}

/// What was left out, the most frequent reason first.
pub fn left_out(items: &Items) -> impl IntoView + use<> {
    let mut reasons: Vec<(String, u64)> = items.left_out.clone().into_iter().collect();
    reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(*n), reason.clone()));
    reasons
        .into_iter()
        .map(|(reason, n)| view! { <span class="badge line">{why(&reason)}" "{format::count(n)}</span> })
        .collect_view()
}

/// A reason in words, of either kind.
fn why(reason: &str) -> String {
    if LEFT_OUT.contains(&reason) {
        tag("left_out", reason)
    } else {
        tag("rejection", reason)
    }
}

/// The report on the questions that a model wrote: how many it wrote, and how many are possible for the sentences.
/// Nothing is shown while the model writes, or if no model was used.
#[component]
pub fn Written() -> impl IntoView {
    let app = use_app();
    let report = Fetched::<Option<AugmentReport>>::default();
    Effect::new(move |_| {
        app.changes.track();
        report.refresh(call(commands::WritingReport {}));
    });
    let items = Memo::new(move |_| {
        let report = report.value.get().flatten();
        report
            .and_then(|report| report.items)
            .filter(|items| items.possible > 0)
    });
    let working = Memo::new(move |_| app.busy("questions").is_some());
    let failed = move || {
        let failure = report.failure.get().filter(|_| !working.get())?;
        let why = said(&failure.message);
        Some(tf("written_questions.failed", &[("why", &why)]))
    };
    let written = move || {
        let items = items.get().filter(|_| !working.get())?;
        let made = tf(
            "written_questions.made",
            &[
                ("made", &each(&items, items.made)),
                ("possible", &format::count(items.possible)),
                ("sentences", &tn("count.sentences", items.anchors)),
            ],
        );
        let some = !items.left_out.is_empty();
        Some(view! {
            <section class="run-strip" id="written" aria-label=t("written_questions.title")>
                <span class="t-small">{made}</span>
                {some.then(|| view! {
                    <span class="t-small t-mute">{t("written_questions.left_out")}</span>
                    <span class="row g-1 wrap grow">{left_out(&items)}</span>
                })}
            </section>
        })
    };
    view! {
        {written}
        {move || failed().map(|text| view! {
            <section class="run-strip" role="status"><span class="t-small t-mute">{text}</span></section>
        })}
    }
}
