//! Beside a queue: how far one is and how fast, how far reviewers agree, and what comes next.

use super::agreement::Agreement;
use super::coming::by_what_differs;
use super::desk::Desk;
use super::question_first::question_first;
use crate::components::law::lang_tag;
use crate::components::stat::stat;
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::{ComingItem, QueueStanding, SampleStanding};
use lexforge_domain::review::SubjectKind;

/// The pane.
#[component]
pub fn Side(desk: Desk) -> impl IntoView {
    let standing = Memo::new(move |_| {
        desk.view
            .value
            .with(|view| view.as_ref().map(|view| view.standing.clone()))
    });
    let sample = Memo::new(move |_| {
        desk.view
            .value
            .with(|view| view.as_ref().and_then(|view| view.sample))
    });
    let kind = Memo::new(move |_| desk.filter.with(|filter| filter.kind));
    view! {
        <aside class="pane quiet side" aria-label=t("review.side") data-pane="side">
            <div class="scroll">
                {move || standing.get().map(|standing| view! { <Standing standing kind=kind.get()/> })}
                {move || {
                    let said = sample.get().map(of_sample);
                    said.map(|said| view! { <section><p class="t-small" id="sample">{said}</p></section> })
                }}
                {move || view! { <Agreement kind=kind.get()/> }}
                <Coming desk/>
            </div>
        </aside>
    }
}

/// How a sample of triplets that fill thin shifts was judged.
fn of_sample(sample: SampleStanding) -> String {
    tf(
        "review.sample",
        &[
            ("drawn", &format::count(sample.drawn)),
            ("decided", &format::count(sample.decided)),
            ("accepted", &format::count(sample.accepted)),
        ],
    )
}

#[component]
fn Standing(standing: QueueStanding, kind: SubjectKind) -> impl IntoView {
    let parts = parts(&standing, kind);
    let to_do = n(t("review.n_to_do"), standing.to_do);
    let mut all: Vec<String> = parts.iter().map(|(_, _, words)| words.clone()).collect();
    all.push(to_do.clone());
    let some = parts
        .into_iter()
        .filter(|(_, n, _)| *n > 0)
        .collect::<Vec<_>>();
    let bars = some
        .iter()
        .map(|(tone, n, _)| {
            let part = *n as f64 / standing.total.max(1) as f64 * 100.0;
            view! { <i class=*tone style=("--part", format!("{part:.2}%"))></i> }
        })
        .collect_view();
    let legend = some
        .into_iter()
        .map(|(tone, _, words)| view! { <span><i class=format!("dot {tone}")></i>{words}</span> })
        .collect_view();
    let pace = standing.median_seconds.filter(|seconds| *seconds > 0.0);
    let left = pace.filter(|_| standing.to_do > 0).map(|s| {
        tf(
            "review.left",
            &[("time", &format::duration(s * standing.to_do as f64))],
        )
    });
    let skipped = (standing.skipped > 0).then(
        || view! { <span class="t-mute">{n(t("review.n_skipped"), standing.skipped)}</span> },
    );
    view! {
        <section>
            <div class="row between">
                <h2>{t("review.share")}</h2>
                <span class="t-small t-mute clip">{left}</span>
            </div>
            <span class="bar stacked" role="img" aria-label=all.join(", ")>{bars}</span>
            <div class="legend" id="standing">
                {legend}
                <span><i class="dot rest"></i>{to_do}</span>
                {skipped}
            </div>
            <Pace seconds=pace kind/>
        </section>
    }
}

/// The parts of a queue that are decided: the colour, how many, and that in words.
fn parts(standing: &QueueStanding, kind: SubjectKind) -> [(&'static str, u64, String); 3] {
    let accepted = match kind {
        SubjectKind::Similarity => t("review.n_scored"),
        _ => t("review.n_accepted"),
    };
    [
        ("c3", standing.accepted, accepted),
        ("c2", standing.rejected, t("review.n_rejected")),
        ("c1", standing.merged, t("review.n_merged")),
    ]
    .map(|(tone, many, words)| (tone, many, n(words, many)))
}

/// How fast one is, as far as that is known: seconds that an item takes.
#[component]
fn Pace(seconds: Option<f64>, kind: SubjectKind) -> impl IntoView {
    let Some(seconds) = seconds else {
        return view! { <p class="t-small t-mute">{t("review.no_pace")}</p> }.into_any();
    };
    view! {
        <div class="row g-6">
            {stat(format::about(60.0 / seconds), per_minute(kind))}
            {stat(format::duration(seconds), t("review.median"))}
        </div>
    }
    .into_any()
}

/// The words with their number.
fn n(words: String, n: u64) -> String {
    words.replace("{n}", &format::count(n))
}

fn per_minute(kind: SubjectKind) -> String {
    match kind {
        SubjectKind::Term => t("review.terms_a_minute"),
        SubjectKind::Pair => t("review.pairs_a_minute"),
        SubjectKind::Question => t("review.questions_a_minute"),
        SubjectKind::Triplet => t("review.triplets_a_minute"),
        SubjectKind::Similarity => t("review.sentences_a_minute"),
    }
}

#[component]
fn Coming(desk: Desk) -> impl IntoView {
    let coming = move || {
        desk.view.value.with(|view| {
            view.as_ref()
                .map(|view| view.coming.clone())
                .unwrap_or_default()
        })
    };
    let rows = move || {
        let items = coming();
        let line = |item: &ComingItem| match item.subject.kind() {
            SubjectKind::Question => question_first(&item.text),
            _ => item.text.clone(),
        };
        let texts: Vec<String> = items.iter().map(line).collect();
        items
            .into_iter()
            .zip(by_what_differs(&texts))
            .map(|(item, text)| {
                let subject = item.subject;
                let many = (item.mentions > 0).then(|| format!("×{}", format::count(u64::from(item.mentions))));
                view! {
                    <button class="link law sm clip" lang=lang_tag(item.language) title=item.text.clone() on:click=move |_| desk.open(subject)>{text}</button>
                    <span class="t-small num">{many}</span>
                }
            })
            .collect_view()
    };
    view! {
        <section>
            <h2>{t("review.coming")}</h2>
            {move || coming().is_empty().then(|| view! { <p class="t-small t-mute">{t("review.nothing_coming")}</p> })}
            <div class="up">{rows}</div>
        </section>
    }
}
