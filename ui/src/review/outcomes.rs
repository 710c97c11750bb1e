//! The result of a file that was written or read for the review, as it is shown: its figures, and what was not taken.

use super::outcome::Outcome;
use super::packets::{asked, merge_as, merge_with_packet};
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::waiting::Waiting;
use crate::format;
use crate::i18n::{t, tf, tn, tnf};
use crate::said::{Told, said};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{GlossaryReport, LeftOut, MergeReport, MergeRequest};
use lexforge_domain::{Code, Failure};

/// The latest outcome, until it is put away.
#[component]
pub fn Outcomes() -> impl IntoView {
    let app = use_app();
    let close = move || app.outcome.set(None);
    move || {
        app.outcome.get().map(|outcome| {
            let (title, body) = told(outcome);
            let label = title.clone();
            view! {
                <Dialog label close=move |()| close() id="outcome" class="padded">
                    <h2 class="row"><Sign icon=Icon::Check/>{title}</h2>
                    {body}
                    <div class="row"><button class="btn push" id="outcome-close" autofocus=true on:click=move |_| close()>{t("action.close")}</button></div>
                </Dialog>
            }
        })
    }
}

fn told(outcome: Outcome) -> (String, AnyView) {
    let path = |path: String| view! { <p class="mono wrap-anywhere">{path}</p> };
    match outcome {
        Outcome::Packet(report, at) => (
            t("packet.written"),
            view! {
                <p>{tf("packet.holds", &[
                    ("items", &tn("count.items", report.items)),
                    ("sentences", &tn("count.sentences", report.sentences)),
                    ("person", &report.person),
                ])}</p>
                {path(at)}
                <p class="t-small t-mute">{tf("packet.hash", &[("hash", &format::short_hash(&report.packet))])}</p>
            }
            .into_any(),
        ),
        Outcome::Answer(report, at) => (
            t("packet.answered"),
            view! {
                <p>{tf("packet.answer_holds", &[("items", &tn("count.decisions", report.items)), ("person", &report.person)])}</p>
                {path(at)}
                <p class="t-small t-mute">{tf("packet.hash", &[("hash", &format::short_hash(&report.packet))])}</p>
            }
            .into_any(),
        ),
        Outcome::Merged(report) => (tf("packet.merged", &[("person", &report.person)]), merged(report)),
        Outcome::MergeAsks(failure, path, request) => (t("packet.merge"), merge_asks(failure, path, request)),
        Outcome::Imported(report) => (t("glossary.imported"), imported(report)),
        Outcome::Dataset(written) => (
            t("dataset.exported"),
            view! {
                {figures(written.files.into_iter().collect())}
                {path(written.folder)}
                <p class="t-small t-mute">{tf("dataset.hash", &[("hash", &format::short_hash(&written.hash))])}</p>
            }
            .into_any(),
        ),
        Outcome::Exported(terms, at) => {
            (t("glossary.exported"), view! { <p>{tn("count.terms", terms)}</p>{path(at)} }.into_any())
        }
    }
}

fn figures(rows: Vec<(String, u64)>) -> AnyView {
    let rows = rows
        .into_iter()
        .map(|(name, n)| view! { <dt>{name}</dt><dd class="num">{format::count(n)}</dd> })
        .collect_view();
    view! { <dl class="kv">{rows}</dl> }.into_any()
}

/// The question that must be answered before an answer file is merged.
fn merge_asks(failure: Failure, path: String, request: MergeRequest) -> AnyView {
    let app = use_app();
    if failure.code == Code::NameAlike {
        let said = Callback::new(move |like| {
            merge_as(
                app,
                path.clone(),
                MergeRequest {
                    like,
                    ..request.clone()
                },
            )
        });
        return view! { {asked(failure, said)} <Waiting words=t("wait.merge")/> }.into_any();
    }
    let name = move |_| merge_with_packet(app, path.clone(), request.clone());
    let taken = move || app.waits.has(&t("wait.merge"));
    view! {
        <ErrorPanel failure>
            <button class="btn sm" id="merge-packet" disabled=taken on:click=name>{t("packet.name_packet")}</button>
        </ErrorPanel>
        <Waiting words=t("wait.merge")/>
    }
    .into_any()
}

fn merged(report: MergeReport) -> AnyView {
    let warned = |text: String| view! { <Note tone=Tone::Warn>{text}</Note> };
    let of = |left: &LeftOut| (left.decisions, format::list(&left.items));
    let untimely = (report.untimely.decisions > 0).then(|| {
        let (n, items) = of(&report.untimely);
        warned(tnf("packet.untimely", n, &[("items", &items)]))
    });
    let foreign = (report.foreign.decisions > 0).then(|| {
        let (n, items) = of(&report.foreign);
        warned(tnf("packet.foreign", n, &[("items", &items)]))
    });
    let without = report.without_item;
    view! {
        {figures(vec![
            (t("packet.new_decisions"), report.merged),
            (t("packet.known_decisions"), report.known),
            (t("packet.new_conflicts"), report.conflicts),
        ])}
        {(!without.is_empty()).then(|| view! {
            <Note tone=Tone::Warn>{tnf("packet.without_item", without.len() as u64, &[("items", &format::list(&without))])}</Note>
        })}
        {untimely}
        {foreign}
        <p class="t-small t-mute">{tf("packet.claimed", &[("hash", &format::short_hash(&report.packet))])}</p>
    }
    .into_any()
}

fn imported(report: GlossaryReport) -> AnyView {
    let rejected = report.refused.max(report.rejected.len() as u64);
    let unread: Vec<String> = report
        .unread
        .iter()
        .map(|(name, n)| format!("{} ×{}", said(name), format::count(*n)))
        .collect();
    let rows = report
        .rejected
        .into_iter()
        .map(|entry| view! { <li><b>{tf("glossary.entry", &[("n", &format::count(entry.entry))])}</b>" "{entry.text}": "<Told text=entry.reason/></li> })
        .collect_view();
    view! {
        {figures(vec![
            (t("glossary.read"), report.read),
            (t("glossary.added"), report.added),
            (t("glossary.joined"), report.joined),
            (t("glossary.known"), report.known),
            (t("glossary.synonyms"), report.synonyms),
            (t("glossary.mentions"), report.mentions),
        ])}
        {report.warnings.into_iter().map(|warning| view! { <Note tone=Tone::Warn><Told text=warning/></Note> }).collect_view()}
        {(!unread.is_empty()).then(|| view! { <Note tone=Tone::Info>{tf("glossary.unread", &[("fields", &format::list(&unread))])}</Note> })}
        {(rejected > 0).then(|| view! {
            <Note tone=Tone::Warn>{tn("glossary.rejected", rejected)}</Note>
            <ul class="rejected">{rows}</ul>
        })}
    }
    .into_any()
}
