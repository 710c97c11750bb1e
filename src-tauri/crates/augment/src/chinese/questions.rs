//! Chinese questions.

use super::{lexicon, parse};
use crate::anchor::Anchor;
use crate::clause::{Ask, Clause, Duty, Parsed};
use crate::words::{length, tidy};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Longest condition and predicate that a question repeats, in scalar values.
const LONGEST_CONDITION: usize = 80;
const LONGEST_PREDICATE: usize = 60;

/// The question for a sentence, or none where the sentence lacks what it needs.
pub(super) fn question(
    ask: Ask,
    sentence: &Parsed,
    topics: &[String],
    heading: &str,
    rng: &mut ChaCha8Rng,
) -> Option<String> {
    let heading = clean_heading(heading);
    match (ask, &sentence.clause) {
        (Ask::Meaning, _) => sentence.definition.as_ref().map(|(term, _)| format!("“{term}”是指什么？")),
        (Ask::Statement, _) | (_, None) => statement(ask, topics, heading.as_deref()),
        (Ask::Who, Some(clause)) => who(clause),
        (Ask::Condition, Some(clause)) => {
            case(clause)?;
            let does = short(&clause.predicate)?;
            Some(format!("在什么情形下，{}{}{does}？", clause.subject, clause.modal))
                .filter(|_| !clause.subject.is_empty())
        }
        (_, Some(clause)) => about(ask, clause, topics, heading.as_deref(), rng),
    }
}

fn who(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    let case = if clause.lead.is_empty() { String::new() } else { format!("{}，", case(clause)?) };
    Some(format!("{case}谁{}{does}？", clause.modal))
}

fn about(ask: Ask, clause: &Clause, topics: &[String], heading: Option<&str>, rng: &mut ChaCha8Rng) -> Option<String> {
    let subject = clause.subject.as_str();
    let case = case(clause);
    let topic = topics
        .iter()
        .find(|t| !subject.contains(t.as_str()) && !t.contains(subject) || subject.is_empty())
        .filter(|t| !case.as_ref().is_some_and(|c| c.contains(t.as_str())));
    let placed = match (&case, topic) {
        (Some(case), _) => format!("{case}，"),
        (None, Some(topic)) => match rng.random_range(0..3) {
            0 => format!("关于{topic}，"),
            1 => format!("就{topic}而言，"),
            _ => format!("在{topic}方面，"),
        },
        (None, None) => return None,
    };
    if subject.is_empty() && case.is_none() || ["本", "其", "该", "前款"].iter().any(|p| subject.starts_with(p)) {
        return None;
    }
    let under = match heading {
        Some(heading) if case.is_none() => format!("在“{heading}”的规定中，"),
        _ => String::new(),
    };
    let agent = subject.is_empty() || parse::is_agent(subject);
    let core = parse::core(&clause.modal)?.0;
    let body = match (ask, clause.duty) {
        (Ask::TimeLimit, _) => format!("{subject}适用什么期限？"),
        (Ask::Limit, _) => format!("{subject}适用什么数额或者比例？"),
        (Ask::Do, Duty::Must | Duty::Should) if agent => format!("{subject}{core}怎么做？"),
        (Ask::Do, Duty::MustNot) if agent && core == "不得" => format!("{subject}不得做什么？"),
        (Ask::Do, Duty::May) if agent && core == "可以" => format!("{subject}可以做什么？"),
        _ if subject.is_empty() => "适用什么规定？".to_owned(),
        _ => format!("对{subject}有什么规定？"),
    };
    Some(format!("{under}{placed}{body}"))
}

fn statement(ask: Ask, topics: &[String], heading: Option<&str>) -> Option<String> {
    let under = heading.map(|h| format!("在“{h}”的规定中，")).unwrap_or_default();
    let own: Vec<&String> = topics.iter().take(2).collect();
    match (ask, own.as_slice()) {
        (Ask::TimeLimit, [a, ..]) => Some(format!("{under}{a}适用什么期限？")),
        (Ask::Limit, [a, ..]) => Some(format!("{under}{a}适用什么数额或者比例？")),
        (_, [a, b]) => Some(format!("{under}关于{a}与{b}，是如何规定的？")),
        (_, [a]) if heading.is_some() => Some(format!("{under}关于{a}，是如何规定的？")),
        _ => None,
    }
}

/// The condition without its comma; none where there is none or it points elsewhere.
fn case(clause: &Clause) -> Option<String> {
    let case = clause.lead.trim_end_matches('，');
    let pointing = ["前款", "前项", "前条", "本条", "上述"].iter().any(|p| case.contains(p));
    (!case.is_empty() && !pointing && length(case) <= LONGEST_CONDITION).then(|| case.to_owned())
}

/// The first part of a predicate, short enough to be asked with.
fn short(predicate: &str) -> Option<String> {
    let cut = ["，", "；", "。"].iter().filter_map(|c| predicate.find(c)).min().unwrap_or(predicate.len());
    let part = &predicate[..cut];
    let fits = (6..=LONGEST_PREDICATE).contains(&length(part));
    let whole = [('（', '）'), ('《', '》'), ('“', '”')]
        .iter()
        .all(|(a, b)| part.matches(*a).count() == part.matches(*b).count());
    let pointing = ["前款", "前项", "本条"].iter().any(|p| part.contains(p));
    // "应当将已收取的保险费，……退还": the verb stands behind the comma.
    let open_end = cut < predicate.len()
        && ["将", "把", "自", "按照", "依照", "对", "向", "在", "由", "根据", "于", "以", "经", "与", "从"]
            .iter()
            .any(|p| part.starts_with(p))
        && !part.contains(['报', '作', '进', '提', '承', '设', '建']);
    (fits && whole && !pointing && !open_end).then(|| part.to_owned())
}

/// Terms of the sentence that a question can name, the longest first.
pub(super) fn topics(anchor: &Anchor<'_>, sentence: &Parsed) -> Vec<String> {
    let mut found: Vec<&str> = anchor
        .terms
        .iter()
        .map(|t| t.text)
        .filter(|t| length(t) >= 2 && sentence.text.contains(*t))
        .filter(|t| {
            !["前款", "前项", "本法", "本办法", "本条例", "本规定"].iter().any(|p| t.contains(p))
                && !t.ends_with("规定")
        })
        .filter(|t| !["规定", "办法", "条例", "本法", "机构", "有关", "情况", "应当"].contains(t))
        .collect();
    found.sort_by_key(|t| std::cmp::Reverse(length(t)));
    let mut topics: Vec<String> = Vec::new();
    for term in found {
        if !topics.iter().any(|t| t.contains(term)) {
            topics.push(term.to_owned());
        }
    }
    topics
}

/// A heading as a question quotes it; none where it names nothing.
fn clean_heading(heading: &str) -> Option<String> {
    let tidied: String = tidy(heading).chars().filter(|c| !c.is_whitespace()).collect();
    let named = (2..=30).contains(&length(&tidied)) && !lexicon::EMPTY_HEADINGS.contains(&tidied.as_str());
    (named && !tidied.contains(['“', '”', '。']) && !tidied.starts_with('第')).then_some(tidied)
}

/// A question whose answer is the term at `mention`, with a sentence that says it whole.
pub(super) fn term_question(
    sentence: &Parsed,
    mention: (usize, usize),
    rng: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let text = &sentence.text;
    let surface = text.get(mention.0..mention.1)?;
    if let Some((term, meaning)) = &sentence.definition
        && term == surface
    {
        return Some((format!("哪个术语是指“{meaning}”？"), format!("{term}是指{meaning}。")));
    }
    if let Some(clause) = &sentence.clause
        && clause.subject == surface
        && parse::is_agent(surface)
        && rng.random_bool(0.6)
        && let (Some(question), Some(does)) = (who(clause), short(&clause.predicate))
    {
        return Some((question, format!("{}{surface}{}{does}。", clause.lead, clause.modal)));
    }
    let gap = format!("{}____{}", text.get(..mention.0)?, text.get(mention.1..)?.trim_end_matches('。'));
    Some((format!("“{gap}”一句的空缺处应填哪个术语？"), text.clone()))
}
