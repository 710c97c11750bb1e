//! Chinese questions.

use super::{lexicon, parse, stems};
use crate::clause::{Asked, Clause, Duty, Parsed, Part};
use crate::words::{length, tidy};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Longest predicate that a question repeats, in scalar values.
const LONGEST_PREDICATE: usize = 60;

/// "……的，关于……，商业银行应当怎么做？", for statements that differ in the `open` parts.
pub(super) fn wording(clause: &Clause, open: &[Part], topic: Option<&str>) -> Option<Asked> {
    if pointing(&clause.predicate) || pointing(&clause.lead) {
        return None;
    }
    let case = stems::repeated(&clause.lead).filter(|_| !open.contains(&Part::Lead));
    let says_lead = case.is_some();
    let about = topic.map(|t| format!("关于“{t}”，")).unwrap_or_default();
    let case = case.map(|c| format!("{c}，")).unwrap_or_default();
    let subject = clause.subject.as_str();
    let named = !open.contains(&Part::Subject) && parse::is_agent(subject);
    // "第三十四条是怎样规定的？" asks for an article and not for a rule.
    if topic.is_none() && !says_lead && !named {
        return None;
    }
    let core = parse::core(&clause.modal)?.0;
    let does = match clause.duty {
        _ if open.contains(&Part::Modal) => None,
        Duty::Must | Duty::Should => Some(format!("{core}怎么做")),
        Duty::MustNot if core == "不得" => Some("不得做什么".to_owned()),
        Duty::May if core == "可以" => Some("可以做什么".to_owned()),
        _ => None,
    };
    let asked = match does {
        Some(does) if named => format!("{subject}{does}"),
        Some(does) if subject.is_empty() => does,
        _ if named => format!("对{subject}是怎样规定的"),
        _ => "是怎样规定的".to_owned(),
    };
    Some(Asked { question: format!("{about}{case}{asked}？"), says_lead })
}

/// Whether a text points to a sentence that is not shown.
pub(super) fn pointing(text: &str) -> bool {
    ["前款", "前项", "前条", "本条", "上述", "上款", "本款", "本项", "本办法第", "本法第", "本条例第", "本规定第"]
        .iter()
        .any(|p| text.contains(p))
        || text.contains('第') && text.contains('条')
}

/// The first part of a predicate, short enough to be asked with.
pub(super) fn short(predicate: &str) -> Option<String> {
    let cut = ["，", "；", "。"].iter().filter_map(|c| predicate.find(c)).min().unwrap_or(predicate.len());
    let part = &predicate[..cut];
    let fits = (6..=LONGEST_PREDICATE).contains(&length(part));
    let whole = [('（', '）'), ('《', '》'), ('“', '”')]
        .iter()
        .all(|(a, b)| part.matches(*a).count() == part.matches(*b).count());
    // "应当将已收取的保险费，……退还": the verb stands behind the comma.
    let open_end = cut < predicate.len()
        && ["将", "把", "自", "按照", "依照", "对", "向", "在", "由", "根据", "于", "以", "经", "与", "从"]
            .iter()
            .any(|p| part.starts_with(p))
        && !part.contains(['报', '作', '进', '提', '承', '设', '建']);
    (fits && whole && !pointing(part) && !open_end).then(|| part.to_owned())
}

/// A heading as a question quotes it; none where it names nothing.
pub(super) fn clean_heading(heading: &str) -> Option<String> {
    let tidied: String = tidy(heading).chars().filter(|c| !c.is_whitespace()).collect();
    let named = (2..=30).contains(&length(&tidied)) && !lexicon::EMPTY_HEADINGS.contains(&tidied.as_str());
    (named && !tidied.contains(['“', '”', '。']) && !tidied.starts_with('第')).then_some(tidied)
}

/// The title of a document as a question quotes it; none where it is no title (a file's name, a long headline).
pub(super) fn clean_title(title: &str) -> Option<String> {
    let tidied: String = tidy(title).chars().filter(|c| !c.is_whitespace()).collect();
    let bare = tidied.trim_matches(['《', '》']);
    let named = (4..=36).contains(&length(bare))
        && bare.chars().all(|c| crate::words::is_han(c) || matches!(c, '（' | '）' | '、' | '〈' | '〉'))
        && ["法", "办法", "条例", "规定", "规则", "指引", "细则", "准则", "通知", "意见"]
            .iter()
            .any(|e| bare.trim_end_matches(['）', '行', '试', '（']).ends_with(e) || bare.ends_with(e));
    named.then(|| bare.to_owned())
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
        && let (Some(question), Some(does)) = (stems::who(clause), short(&clause.predicate))
    {
        return Some((question, format!("{}{surface}{}{does}。", clause.lead, clause.modal)));
    }
    let gap = format!("{}____{}", text.get(..mention.0)?, text.get(mention.1..)?.trim_end_matches('。'));
    Some((format!("“{gap}”一句的空缺处应填哪个术语？"), text.clone()))
}
