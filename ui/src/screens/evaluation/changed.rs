//! The questions that became right, and those that became wrong.

use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::metrics::{ChangedItem, Evaluation};

/// Two tabs of changed questions.
#[component]
pub fn Changed(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    let worse = RwSignal::new(false);
    let (improved, worsened) = (evaluation.improved, evaluation.worsened);
    let (improved_total, worsened_total) = (
        evaluation.improved_total as u64,
        evaluation.worsened_total as u64,
    );
    let shown = move || {
        let (items, total) = if worse.get() {
            (worsened.clone(), worsened_total)
        } else {
            (improved.clone(), improved_total)
        };
        if items.is_empty() {
            return view! { <p class="card-body t-small">{t("evaluation.no_changes")}</p> }
                .into_any();
        }
        let first = (items.len() as u64) < total;
        let note = tf(
            "evaluation.first_changes",
            &[
                ("n", &format::count(items.len() as u64)),
                ("of", &format::count(total)),
            ],
        );
        view! {
            <ul class="card-body changes">
                {first.then(|| view! { <li class="t-small">{note}</li> })}
                {items.into_iter().map(|item| view! { <Item item/> }).collect_view()}
            </ul>
        }
        .into_any()
    };
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("evaluation.changed")}</h2>
                <div class="seg push">
                    <button aria-pressed=move || (!worse.get()).to_string() on:click=move |_| worse.set(false)>{tf("evaluation.improved", &[("n", &format::count(improved_total))])}</button>
                    <button aria-pressed=move || worse.get().to_string() on:click=move |_| worse.set(true)>{tf("evaluation.worsened", &[("n", &format::count(worsened_total))])}</button>
                </div>
            </div>
            {shown}
        </article>
    }
}

#[component]
fn Item(item: ChangedItem) -> impl IntoView {
    let choice = |at: usize| item.choices.get(at).cloned().unwrap_or_default();
    let right = choice(item.answer);
    let other = if item.before == item.answer {
        item.after
    } else {
        item.before
    };
    let wrong = choice(other);
    let who = if item.before == item.answer {
        t("evaluation.tuned_chose")
    } else {
        t("evaluation.base_chose")
    };
    let margins = tf(
        "evaluation.margins",
        &[
            ("before", &format::change(item.margin_before)),
            ("after", &format::change(item.margin_after)),
        ],
    );
    view! {
        <li class="change">
            <p class="law sm strong">{item.question.clone()}</p>
            <dl class="kv">
                <dt>{t("evaluation.right_choice")}</dt>
                <dd class="law sm">{right}</dd>
                <dt>{who}</dt>
                <dd class="law sm">{wrong}</dd>
            </dl>
            <p class="t-small">{tag("question_type", item.question_type.tag())} " · " {margins} " · " {item.place.clone()}</p>
        </li>
    }
}
