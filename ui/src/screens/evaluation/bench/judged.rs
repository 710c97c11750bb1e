//! What a judge said about the texts that systems wrote: marks, pairs in both orders, replies that could not be used,
//! and how far the judge agrees with people.

use super::names::named;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::{
    BenchJudge, ExpertAgreement, JudgedFigures, JudgedPair, WrittenFigures,
};

/// The marks, in the order in which they are shown.
pub const MARKS: [&str; 5] = ["correct", "complete", "grounded", "restrained", "plain"];

/// Marks of each system, the pairs, and the agreement.
#[component]
pub fn Judged(
    /// The systems that write.
    rows: Vec<(String, WrittenFigures)>,
    /// What was asked.
    judge: BenchJudge,
) -> impl IntoView {
    let who = tf(
        "judging.who",
        &[
            ("model", &judge.model),
            ("host", &judge.host),
            ("calls", &format::count(judge.asked.calls)),
            ("known", &format::count(judge.asked.from_cache)),
        ],
    );
    let reasons: Vec<(String, u64)> = judge.asked.unparseable.clone().into_iter().collect();
    let marks = rows
        .into_iter()
        .filter_map(|(system, written)| {
            let judged = written.judged?;
            Some(view! { <Marks system judged/> })
        })
        .collect_view();
    let pairs = (!judge.pairs.is_empty()).then(|| {
        let pairs = judge.pairs.into_iter().map(|pair| view! { <Pair pair/> });
        view! { <Pairs>{pairs.collect_view()}</Pairs> }
    });
    let agreements = agreements(judge.preferences, judge.verdicts)
        .into_iter()
        .map(|text| view! { <li>{text}</li> })
        .collect_view();
    view! {
        <h3>{t("judging.judge")}</h3>
        <p class="t-small t-mute" id="judged-by">{who}</p>
        <div class="table-wrap">
            <table class="table" id="bench-judged" aria-label=t("judging.judge")>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th class="num">{t("judging.mean")}</th>
                        {MARKS.map(|mark| view! { <th class="num">{tag("mark", mark)}</th> }).collect_view()}
                        <th class="num">"n"</th>
                        <th class="num">{t("written.empty")}</th>
                        <th class="num">{t("judging.unreadable")}</th>
                        <th class="num">{t("judging.unanswered")}</th>
                        <th class="num">{t("judging.without_rule")}</th>
                    </tr>
                </thead>
                <tbody>{marks}</tbody>
            </table>
        </div>
        {pairs}
        <Unread reasons/>
        <ul class="stack limits t-small" id="judge-agreement">{agreements}</ul>
    }
}

/// Replies that could not be used, by the reason; nothing where all could.
#[component]
fn Unread(reasons: Vec<(String, u64)>) -> impl IntoView {
    let mut reasons = reasons;
    reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(*n), reason.clone()));
    let all: u64 = reasons.iter().map(|(_, n)| n).sum();
    (all > 0).then(|| {
        let text = tf("judging.unread", &[("n", &format::count(all))]);
        let reason = |(reason, n): (String, u64)| {
            view! { <span class="badge line">{tag("rejection", &reason)}" "{format::count(n)}</span> }
        };
        let reasons = reasons.into_iter().map(reason).collect_view();
        view! { <p class="t-small row g-1 wrap" id="judge-unread">{text}" "{reasons}</p> }
    })
}

/// How far the judge agrees with people, or that none were asked.
fn agreements(pairs: Option<ExpertAgreement>, right: Option<ExpertAgreement>) -> Vec<String> {
    let pairs = pairs.map(|found| preferences(&found));
    let right = right.map(|found| verdicts(&found));
    if pairs.is_none() && right.is_none() {
        return vec![t("judging.no_experts")];
    }
    pairs.into_iter().chain(right).collect()
}

/// How far it agrees on which of two answers is better.
fn preferences(found: &ExpertAgreement) -> String {
    agreement(found, |values| tf("judging.preferences", values))
}

/// How far it agrees on whether an answer is right.
fn verdicts(found: &ExpertAgreement) -> String {
    agreement(found, |values| tf("judging.verdicts", values))
}

fn agreement(found: &ExpertAgreement, words: impl Fn(&[(&str, &str)]) -> String) -> String {
    let count = |n: usize| format::count(n as u64);
    words(&[
        ("agreed", &count(found.agreed)),
        ("n", &count(found.n)),
        ("unclear", &count(found.unclear)),
        ("hidden", &count(found.not_shown)),
    ])
}

#[component]
fn Marks(system: String, judged: JudgedFigures) -> impl IntoView {
    let count = |n: usize| format::count(n as u64);
    let mark = |value: f64| format!("{value:.2}");
    let none = judged.n == 0;
    let mean = if none {
        "–".to_owned()
    } else {
        mark(judged.mean)
    };
    let bounds = judged
        .ci95
        .filter(|_| !none)
        .map(|[low, high]| format!("[{low:.2}, {high:.2}]"));
    let marks = MARKS.map(|name| {
        let value = judged.marks.get(name).filter(|_| !none);
        let value = value.map_or_else(|| "–".to_owned(), |value| mark(*value));
        view! { <td class="num">{value}</td> }
    });
    view! {
        <tr data-judged=system.clone()>
            <td>{named(&system).name}</td>
            <td class="num"><span class="strong">{mean}</span><small class="t-mute">{bounds}</small></td>
            {marks.collect_view()}
            <td class="num">{count(judged.n)}</td>
            <td class="num">{count(judged.empty)}</td>
            <td class="num">{count(judged.unreadable)}</td>
            <td class="num">{count(judged.unanswered)}</td>
            <td class="num">{count(judged.without_rule)}</td>
        </tr>
    }
}

#[component]
fn Pairs(children: Children) -> impl IntoView {
    view! {
        <h3>{t("judging.pairs")}</h3>
        <p class="t-small t-mute">{t("judging.pairs_is")}</p>
        <div class="table-wrap">
            <table class="table" id="bench-pairs" aria-label=t("judging.pairs")>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th>{t("systems.against")}</th>
                        <th class="num">{t("systems.is_better")}</th>
                        <th class="num">{t("judging.neither")}</th>
                        <th class="num">{t("systems.is_worse")}</th>
                        <th class="num">{t("judging.lead")}</th>
                        <th class="num">{t("judging.contradicted")}</th>
                        <th class="num">{t("judging.unreadable")}</th>
                        <th class="num">{t("judging.unanswered")}</th>
                    </tr>
                </thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Pair(pair: JudgedPair) -> impl IntoView {
    let count = |n: usize| format::count(n as u64);
    let lead = if pair.n == 0 {
        "–".to_owned()
    } else {
        format::change(pair.lead)
    };
    let bounds = pair
        .ci95
        .filter(|_| pair.n > 0)
        .map(|[low, high]| format::change_interval(low, high));
    view! {
        <tr data-pair=pair.system.clone()>
            <td>{named(&pair.system).name}</td>
            <td>{named(&pair.against).name}</td>
            <td class="num">{count(pair.better)}</td>
            <td class="num">{count(pair.neither)}</td>
            <td class="num">{count(pair.worse)}</td>
            <td class="num"><span class="strong">{lead}</span><small class="t-mute">{bounds}</small></td>
            <td class="num">{count(pair.contradicted)}</td>
            <td class="num">{count(pair.unreadable)}</td>
            <td class="num">{count(pair.unanswered)}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn agreement_with_people_counts_what_was_unclear_or_could_not_be_shown() {
        speak(Lang::En);
        let found = ExpertAgreement {
            n: 8,
            agreed: 6,
            unclear: 3,
            not_shown: 2,
        };
        for text in [preferences(&found), verdicts(&found)] {
            assert!(
                text.contains("6 of 8") && text.contains('3') && text.contains('2'),
                "{text}"
            );
        }
        assert_ne!(preferences(&found), verdicts(&found));
    }
}
