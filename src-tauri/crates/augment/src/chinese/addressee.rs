//! Whom a Chinese rule binds.

use super::lexicon;
use super::parse::is_agent;
use crate::whom::Addressee;

/// Words that oblige, the longer before the shorter.
const DUTIES: [&str; 5] = ["应当", "必须", "不得", "严禁", "应"];
/// The number of an article has fewer characters.
const LABEL: usize = 10;
/// Between the names of a subject.
const JOINS: [&str; 8] = ["以及", "或者", "及其", "和", "与", "及", "或", "、"];
/// Verbs by which a clause names what its subject does first: "监管机构收到报告后，应当…".
const BEGINS: [&str; 10] = [
    "收到", "接到", "发现", "受理", "认为", "可以", "有权", "在", "自", "依法",
];
/// Words at the beginning of a part of a sentence. They show that this part says how or where something is done, and
/// not who must do it.
const OPENS: [&str; 9] = ["经", "对", "按照", "根据", "依照", "除", "因", "向", "由"];

/// Whom a rule binds.
pub(crate) fn of(rule: &str) -> Addressee {
    let found = DUTIES.iter().filter_map(|duty| rule.find(duty)).min();
    let Some(at) = found else {
        return Addressee::Nobody;
    };
    let before = without_label(&rule[..at]);
    let mut parts = before.split(['，', '；', '：', '。']).map(str::trim).rev();
    let by_subject = named(parts.next().unwrap_or_default());
    if by_subject != Addressee::Nobody {
        return by_subject;
    }
    // If the part before the modal names no actor, an earlier part does.
    let earlier = parts.filter(|part| !OPENS.iter().any(|o| part.starts_with(o)));
    let mut by_part = earlier.map(|part| {
        let cut = BEGINS.iter().filter_map(|word| part.find(word)).min();
        cut.map_or(Addressee::Nobody, |cut| named(&part[..cut]))
    });
    by_part
        .find(|found| *found != Addressee::Nobody)
        .unwrap_or(Addressee::Nobody)
}

/// Without "第九条" and the like before it.
fn without_label(text: &str) -> &str {
    let text = text.trim();
    if text.starts_with('第')
        && let Some((label, rest)) = text.split_once('条')
        && label.chars().count() < LABEL
    {
        return rest.trim();
    }
    match text.split_once(char::is_whitespace) {
        Some((label, rest)) if label.ends_with(['、', '）', '.']) => rest.trim(),
        _ => text,
    }
}

fn named(subject: &str) -> Addressee {
    let mut subject = subject.trim();
    // "依法", "及时": how it is done stands behind who does it.
    while let Some(shorter) = lexicon::ADVERBIALS.iter().find_map(|adverb| {
        subject
            .strip_suffix(*adverb)
            .filter(|rest| !rest.is_empty())
    }) {
        subject = shorter;
    }
    let mut names = vec![subject.to_owned()];
    for join in JOINS {
        names = names
            .iter()
            .flat_map(|name| name.split(join).map(str::to_owned))
            .collect();
    }
    names.retain(|name| !name.is_empty());
    let public = |name: &String| lexicon::PUBLIC_BODIES.iter().any(|end| name.ends_with(end));
    if !names.is_empty() && names.iter().all(public) {
        Addressee::Public
    } else if is_agent(subject) || names.iter().any(|name| !public(name) && is_agent(name)) {
        Addressee::Other
    } else {
        Addressee::Nobody
    }
}
