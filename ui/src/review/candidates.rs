//! What a term could be confused with, each with a sentence of its own, and what the two are to each other.

use crate::components::law::{MarkedAll, from_first_mark, lang_tag};
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::api::{Confusable, QueueItem, Stage, TermContext};
use lexforge_domain::review::{Choice, Subject};
use std::collections::HashMap;

/// What two terms can be to each other, with its class.
pub const MARKS: [(Choice, &str); 3] = [
    (Choice::Same, "same"),
    (Choice::Confusable, "conf"),
    (Choice::Unrelated, "unrel"),
];

/// Scalar values that are shown before the candidate in a long sentence.
const BEFORE_MARK: usize = 28;

/// The decisions about pairs that were made here, and how to make more.
#[derive(Clone, Copy)]
pub struct Marking {
    /// Marks that were made here.
    pub marks: RwSignal<HashMap<Subject, Choice>>,
    /// The candidate that single keys mean.
    pub chosen: RwSignal<usize>,
    /// Marks the candidate of a position.
    pub mark: Callback<(usize, Choice)>,
}

/// The item as it is once these marks are saved.
pub fn with_marks(mut item: QueueItem, marks: &HashMap<Subject, Choice>) -> QueueItem {
    if let QueueItem::Term(card) = &mut item {
        let term = card.term.id;
        for other in &mut card.confusables {
            if let Some(mark) = marks.get(&Subject::pair(term, other.term.id)) {
                other.mine = Some(*mark);
            }
        }
    }
    item
}

/// The candidates, the nearest first.
#[component]
pub fn Candidates(
    /// How they are marked.
    marking: Marking,
    term: TermId,
    /// The terms that it could be taken for.
    confusables: Vec<Confusable>,
) -> impl IntoView {
    let app = use_app();
    let none = confusables.is_empty();
    // Nearness is that of vectors: while they are made, nothing is said of it.
    let coming = Memo::new(move |_| {
        let jobs = ["prepare", "graph", "sample"].into_iter();
        jobs.filter_map(|job| app.busy(job)).any(|task| {
            task.progress.is_none_or(|p| {
                matches!(
                    p.stage,
                    Stage::Import | Stage::Terms | Stage::Embed | Stage::Graph
                )
            })
        })
    });
    let no_other = move || match coming.get() {
        true => t("review.vectors_coming"),
        false => t("terms.no_confusable"),
    };
    let rows = confusables
        .into_iter()
        .enumerate()
        .map(|(at, other)| view! { <Candidate marking term at other/> })
        .collect_view();
    view! {
        <section class="stack">
            <div class="row wrap">
                <h2>{t("terms.confusable")}</h2>
                <span class="t-small t-mute">{t("review.nearest")}</span>
            </div>
            {none.then(|| view! { <p class="t-small" role="status">{no_other}</p> })}
            {(!none).then(|| view! { <div class="card conf" role="grid" aria-label=t("terms.confusable") id="candidates">{rows}</div> })}
        </section>
    }
}

#[component]
fn Candidate(marking: Marking, term: TermId, at: usize, other: Confusable) -> impl IntoView {
    let app = use_app();
    let id = other.term.id;
    let subject = Subject::pair(term, id);
    let saved = other.mine;
    let mark = Signal::derive(move || {
        marking
            .marks
            .with(|marks| marks.get(&subject).copied())
            .or(saved)
    });
    let language = lang_tag(other.term.language);
    let node = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |before: Option<bool>| {
        let chosen = marking.chosen.get() == at;
        // Into view when the keys moved there, not when the item was laid onto the desk.
        if chosen
            && before == Some(false)
            && let Some(node) = node.get_untracked()
        {
            node.scroll_into_view_with_bool(false);
        }
        chosen
    });
    let buttons = MARKS
        .map(|(choice, class)| {
            view! {
                <button class=class aria-pressed=move || (mark.get() == Some(choice)).to_string() on:click=move |_| marking.mark.run((at, choice))>
                    {tag("pair", choice.tag())}
                </button>
            }
        })
        .collect_view();
    let example = example(other.context.as_ref(), language);
    let settled = other.settled.filter(|settled| Some(*settled) != saved);
    view! {
        <div
            class="cand"
            role="row"
            node_ref=node
            aria-selected=move || (marking.chosen.get() == at).to_string()
            on:click=move |_| marking.chosen.set(at)
        >
            <kbd>{if at < 9 { (at + 1).to_string() } else { "·".to_owned() }}</kbd>
            <div class="nm" role="gridcell">
                <button class="link law sm near-name" lang=language on:click=move |_| app.open_term(id)>{other.term.text.clone()}</button>
                <Nearness cosine=other.cosine spelling=other.spelling/>
                {settled.map(|settled| view! { <small class="t-small">{tf("review.settled", &[("mark", &tag("pair", settled.tag()))])}</small> })}
            </div>
            <div role="gridcell">{example}</div>
            <div role="gridcell">
                <div class="seg tri" role="group" aria-label=tf("review.mark_of", &[("term", &other.term.text)])>{buttons}</div>
            </div>
        </div>
    }
}

/// A sentence that mentions a candidate, from a little before the mention on.
fn example(context: Option<&TermContext>, language: &'static str) -> AnyView {
    let Some(context) = context else {
        return view! { <p class="t-small t-mute">{t("review.no_sentence")}</p> }.into_any();
    };
    let whole = context.sentence.text.clone();
    let (text, marks) = from_first_mark(&whole, &[(context.start, context.end)], BEFORE_MARK);
    view! { <p class="law sm example" lang=language title=whole><MarkedAll text marks/></p> }
        .into_any()
}

/// How near two terms are by meaning and by spelling: a bar and a figure each.
#[component]
pub fn Nearness(
    /// Cosine of their vectors.
    cosine: Option<f32>,
    /// Similarity of their spelling.
    spelling: f32,
) -> impl IntoView {
    let part = |value: f32| format!("{:.0}%", f64::from(value).clamp(0.0, 1.0) * 100.0);
    let line = move |value: f32, name: String, class: &'static str| {
        let tip = name.clone();
        view! {
            <small class="near" title=tip>
                <span class=class aria-hidden="true" style=("--part", part(value))><i></i></span>
                <span class="num">{format::short_share(f64::from(value))}</span>
                <span class="near-kind">{name}</span>
            </small>
        }
    };
    view! {
        {cosine.map(|cosine| line(cosine, t("review.by_meaning"), "bar"))}
        {line(spelling, t("review.by_spelling"), "bar plain")}
    }
}
