//! The actions for the rule that is shown. The bar stays in its place.

use super::coverage::fill;
use super::deeds::{accept, correct, undo};
use super::place::{Field, Over};
use super::words;
use crate::components::icon::Sign;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::MatchVerdict;

/// The verdicts to correct to, by their numbers.
pub const CORRECTIONS: [MatchVerdict; 4] = [
    MatchVerdict::Covered,
    MatchVerdict::Partly,
    MatchVerdict::Contradicted,
    MatchVerdict::NotCovered,
];

/// The bar.
#[component]
pub fn Actions() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let none = move || place.shown.with(Option::is_none);
    let over = move |over: Over| move |_: leptos::ev::MouseEvent| place.over.set(Some(over));
    let correcting = Memo::new(move |_| place.over.get() == Some(Over::Correct));
    let last = move || {
        place
            .done
            .with(|done| done.last().map(|d| tf("match.last", &[("deed", &d.said)])))
    };
    let toggle = move |_| {
        place.over.set(if correcting.get_untracked() {
            None
        } else {
            Some(Over::Correct)
        });
    };
    view! {
        <div class="m-bar" role="toolbar" aria-label=t("match.decide") data-pane="decide">
            <button class="btn primary" id="match-accept" disabled=none on:click=move |_| accept(app)><kbd>"A"</kbd>{t("match.accept")}</button>
            <span class="menu-holder">
                <button class="btn" id="match-correct" disabled=none aria-haspopup="menu" aria-expanded=move || correcting.get().to_string() on:click=toggle>
                    <kbd>"C"</kbd>{t("match.correct")}
                </button>
                {move || correcting.get().then(|| view! { <Corrections/> })}
            </span>
            <button class="btn" id="match-link" disabled=none on:click=over(Over::Link(None))><kbd>"L"</kbd>{t("match.link")}</button>
            <button class="btn" id="match-note" disabled=none on:click=over(Over::Remark(Field::Note))><kbd>"N"</kbd>{t("match.note")}</button>
            <button class="btn" id="match-assign" disabled=none on:click=over(Over::Remark(Field::Owner))><kbd>"O"</kbd>{t("match.assign")}</button>
            <span class="push t-small t-mute clip m-last" title=last>{last}</span>
            <button class="btn ghost" id="match-undo" disabled=move || place.done.with(Vec::is_empty) on:click=move |_| undo(app)><kbd>"U"</kbd>{t("match.undo")}</button>
        </div>
    }
}

/// The verdicts, each with its number.
#[component]
fn Corrections() -> impl IntoView {
    let app = use_app();
    let close = move || {
        app.matching.over.set(None);
        crate::keys::focus("#match-correct");
    };
    let items = (1..)
        .zip(CORRECTIONS)
        .map(|(n, verdict): (usize, _)| {
            let class = format!("m-swatch {}", fill(verdict));
            view! {
                <button role="menuitem" data-correct=verdict.tag() on:click=move |_| correct(app, verdict)>
                    <i class=class aria-hidden="true"></i>
                    <Sign icon=words::sign(verdict)/>
                    <span class="stack g-0 grow"><b>{words::verdict(verdict)}</b><small>{words::verdict_means(verdict)}</small></span>
                    <kbd>{n.to_string()}</kbd>
                </button>
            }
        })
        .collect_view();
    view! {
        <div class="menu-veil" on:click=move |_| close()></div>
        <div class="menu menu-list m-corrections" role="menu" aria-label=t("match.what_then")>
            <span class="t-small t-mute m-menu-title">{t("match.what_then")}</span>
            {items}
        </div>
    }
}
