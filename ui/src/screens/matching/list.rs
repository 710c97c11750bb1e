//! The rules, the worst first, under the captions of their verdicts.

use super::deeds::show;
use super::place::{Filter, STALE, bars};
use super::words;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{MatchBrief, MatchVerdict, Severity};
use lexforge_domain::text::Language;

/// How many rules are rendered before a user asks for more, or the keys reach them.
const AT_ONCE: usize = 200;

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    /// Where rules of another verdict begin, and how many there are.
    Caption(MatchVerdict, u64),
    Rule(Box<MatchBrief>),
}

#[component]
pub fn List() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let limit = RwSignal::new(AT_ONCE);
    let listed = Memo::new(move |_| place.listed());
    // What the keys have come to is drawn.
    Effect::new(move |_| {
        let shown = place.shown.get();
        let at = listed.with(|rules| rules.iter().position(|r| Some(r.rule.id) == shown));
        if let Some(at) = at
            && at >= limit.get_untracked()
        {
            limit.set((at / AT_ONCE + 1) * AT_ONCE);
        }
    });
    let lines = move || listed.with(|rules| lines(rules, limit.get()));
    let more = Memo::new(move |_| listed.with(Vec::len).saturating_sub(limit.get()));
    let head = move || {
        let n = listed.with(Vec::len) as u64;
        if place.filter.with(Filter::is_all) {
            tn("match.count_rules", n)
        } else {
            tn("match.of_filter", n)
        }
    };
    view! {
        <div class="pane-head">
            <h2 id="match-listed">{head}</h2>
            <span class="t-small t-mute push nowrap">{t("match.worst_first")}</span>
            {move || (!place.filter.with(Filter::is_all)).then(|| view! {
                <button class="btn ghost sm" id="match-all" on:click=move |_| place.filter.set(Filter::default())>{t("match.show_all")}</button>
            })}
        </div>
        <div class="scroll" id="match-rules">
            {move || listed.with(Vec::is_empty).then(|| view! { <p class="pad t-small t-mute">{t("match.none_fits")}</p> })}
            <For each=lines key=|line| format!("{line:?}") children=|line| match line {
                Line::Caption(verdict, n) => view! { <Caption verdict n/> }.into_any(),
                Line::Rule(rule) => view! { <Rule rule=*rule/> }.into_any(),
            }/>
            {move || (more.get() > 0).then(|| view! {
                <button class="m-more" id="match-more" on:click=move |_| limit.update(|n| *n += AT_ONCE)>
                    {tn("match.more_rules", more.get() as u64)}
                </button>
            })}
        </div>
    }
}

fn lines(rules: &[MatchBrief], limit: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut before = None;
    for rule in rules.iter().take(limit) {
        if before != Some(rule.verdict) {
            before = Some(rule.verdict);
            let n = rules.iter().filter(|r| r.verdict == rule.verdict).count();
            lines.push(Line::Caption(rule.verdict, n as u64));
        }
        lines.push(Line::Rule(Box::new(rule.clone())));
    }
    lines
}

#[component]
fn Caption(verdict: MatchVerdict, n: u64) -> impl IntoView {
    view! {
        <div class="m-caption">
            <Sign icon=words::sign(verdict) small=true/>
            <span>{words::verdict(verdict)}</span>
            <span class="push">{format::count(n)}</span>
        </div>
    }
}

/// How bad a gap is, as three bars and the word.
#[component]
pub fn Severe(
    /// How bad.
    severity: Severity,
) -> impl IntoView {
    let class = format!("sev s{}", bars(severity));
    view! { <span class=class><i aria-hidden="true"></i><i aria-hidden="true"></i><i aria-hidden="true"></i><span>{words::severity(severity)}</span></span> }
}

#[component]
fn Rule(rule: MatchBrief) -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let id = rule.rule.id;
    let shown = Memo::new(move |_| app.matching.shown.get() == Some(id));
    let text = rule.rule.clone();
    // The documents may come after the rules.
    let about = Memo::new(move |_| {
        let document = reading.row(text.document);
        let title = document
            .as_ref()
            .map(|d| d.title.clone())
            .unwrap_or_default();
        let language = document.map_or(Language::Other, |d| d.language);
        (title, lang_tag(language))
    });
    let section = words::section(&rule.rule);
    let known = rule.rule.clone();
    let place = move || about.with(|(title, _)| words::place(title, &known));
    // Where the rules of one document are listed, its title is in the head.
    let several = app.matching.overview.value.with_untracked(|o| {
        let overview = o.as_ref().and_then(Option::as_ref);
        overview.is_some_and(|o| o.request.rules.len() > 1)
    }) || section.is_empty();
    let title = move || several.then(|| about.with(|(title, _)| title.clone()));
    let lang = move || about.with(|(_, lang)| Some(*lang).filter(|tag| !tag.is_empty()));
    let decided = matches!(rule.status.as_str(), "accepted" | "corrected");
    let whose = whose(&rule);
    let badge = format!("{} m-badge", words::badge(rule.verdict));
    view! {
        <button
            class="m-rule"
            data-rule=id.to_string()
            data-verdict=rule.verdict.tag()
            data-status=rule.status.clone()
            aria-current=move || shown.get().then_some("true")
            on:click=move |_| show(app, id)
        >
            <span class="row g-1">
                <span class="m-place row g-1" title=place><span class="m-section clip">{section}</span><span class="clip t-mute">{title}</span></span>
                {(rule.status == STALE).then(|| view! { <span class="badge info">{words::state(STALE)}</span> })}
                <span class=badge><Sign icon=words::sign(rule.verdict) small=true/>{words::verdict(rule.verdict)}</span>
            </span>
            <span class="law cell" lang=lang>{rule.rule.text.clone()}</span>
            <small class="row">
                <Severe severity=rule.severity/>
                <span class="nowrap">{tf("match.probability", &[("p", &format::short_share(rule.probability))])}</span>
                {decided.then(|| view! { <span class="m-decided nowrap"><Sign icon=Icon::Check small=true/>{words::state(&rule.status)}</span> })}
                {(rule.proposed > 0).then(|| view! { <span class="nowrap">{tn("match.proposed_n", rule.proposed as u64)}</span> })}
                {whose.map(|text| view! { <span class="push clip" title=text.clone()>{text.clone()}</span> })}
            </small>
        </button>
    }
}

/// Who should close the gap, and by when, as far as either is known.
fn whose(rule: &MatchBrief) -> Option<String> {
    let due = rule.due.as_ref();
    let due = due.map(|due| tf("match.due", &[("due", due)]));
    match (rule.owner.is_empty(), due) {
        (true, due) => due,
        (false, None) => Some(rule.owner.clone()),
        (false, Some(due)) => Some(format!("{} · {due}", rule.owner)),
    }
}
