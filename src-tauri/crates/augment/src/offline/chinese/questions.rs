//! Chinese questions and the statements that answer them.

use crate::chinese::{lexicon, parse};
use crate::clause::{Clause, Duty, Parsed};
use crate::offline::patterns::{Asked, Part, Place, Statuses};
use crate::words::length;
use lexforge_text::fold::tidy;

/// Longest predicate that a question repeats, in scalar values.
const LONGEST_PREDICATE: usize = 60;
/// Longest name of a document that a question quotes, in scalar values.
const LONGEST_NAME: usize = 40;

/// "哪个主体应当向监管机构报告？"
pub(super) fn who(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    Some(format!("{}谁{}{does}？", case(clause)?, clause.modal))
}

/// "应当向监管机构报告的是商业银行。"
pub(super) fn actor(clause: &Clause, subject: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    (!subject.is_empty()).then(|| format!("{}{does}的是{subject}。", clause.modal))
}

/// "……的，关于……，商业银行应当怎么做？", for statements that differ in the `open` parts.
pub(super) fn wording(clause: &Clause, open: &[Part], topic: Option<&str>) -> Option<Asked> {
    if pointing(&clause.predicate) || pointing(&clause.lead) {
        return None;
    }
    let case = repeated(&clause.lead).filter(|_| !open.contains(&Part::Lead));
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
    Some(Asked {
        question: format!("{about}{case}{asked}？"),
        says_lead,
    })
}

/// A condition as a question repeats it; `None` if it points to another sentence.
fn repeated(lead: &str) -> Option<String> {
    let case = lead.trim_end_matches('，');
    (!case.is_empty() && !pointing(case) && length(case) <= 80).then(|| case.to_owned())
}

/// The condition of a rule with its comma, as a question begins with it; empty if the rule has none.
fn case(clause: &Clause) -> Option<String> {
    if clause.lead.is_empty() {
        return Some(String::new());
    }
    repeated(&clause.lead).map(|case| format!("{case}，"))
}

/// Whether a text points to a sentence that is not shown.
pub(super) fn pointing(text: &str) -> bool {
    lexicon::ELSEWHERE.iter().any(|p| text.contains(p))
        || text.contains('第') && text.contains('条')
}

/// The first part of a predicate, short enough to be asked with.
pub(super) fn short(predicate: &str) -> Option<String> {
    let cut = ["，", "；", "。"]
        .iter()
        .filter_map(|c| predicate.find(c))
        .min()
        .unwrap_or(predicate.len());
    let part = &predicate[..cut];
    let fits = (6..=LONGEST_PREDICATE).contains(&length(part));
    let whole = [('（', '）'), ('《', '》'), ('“', '”')]
        .iter()
        .all(|(a, b)| part.matches(*a).count() == part.matches(*b).count());
    // "应当将已收取的保险费，……退还": the verb stands behind the comma.
    let open_end = cut < predicate.len()
        && [
            "将", "把", "自", "按照", "依照", "对", "向", "在", "由", "根据", "于", "以", "经",
            "与", "从",
        ]
        .iter()
        .any(|p| part.starts_with(p))
        && !part.contains(['报', '作', '进', '提', '承', '设', '建']);
    (fits && whole && !pointing(part) && !open_end).then(|| part.to_owned())
}

/// "商业银行向关系人发放信用贷款，属于……？" and what can be answered.
pub(super) fn statuses(clause: &Clause) -> Option<Statuses> {
    let does = short(&clause.predicate).filter(|d| d.len() == clause.predicate.len())?;
    let (core, _) = parse::core(&clause.modal)?;
    let adverb = clause.modal.strip_suffix(core)?;
    let case = case(clause)?;
    // A sanction is nothing that somebody could be encouraged to.
    let sanction = [
        "罚款", "责令", "处以", "没收", "警告", "禁止", "处罚", "不予",
    ]
    .iter()
    .any(|w| does.contains(w));
    if clause.subject.is_empty() || !parse::is_agent(&clause.subject) || sanction {
        return None;
    }
    let act = format!("{}{adverb}{does}", clause.subject);
    let said = [
        (Duty::Must, "属于必须履行的义务"),
        (Duty::Should, "属于受到鼓励的行为"),
        (Duty::May, "属于可以自行决定的事项"),
        (Duty::MustNot, "属于被禁止的行为"),
    ];
    let question =
        format!("{case}{act}，属于义务、受鼓励的行为、可以自行决定的事项还是被禁止的行为？");
    Some((
        question,
        said.map(|(duty, word)| (duty, format!("{case}{act}，{word}。")))
            .to_vec(),
    ))
}

/// The modal of a duty as the rule has it, and the other one of the same force.
pub(super) fn modals(clause: &Clause, duty: Duty) -> Option<[String; 2]> {
    let (core, _) = parse::core(&clause.modal)?;
    let adverb = clause.modal.strip_suffix(core)?;
    let usual = match duty {
        _ if duty == clause.duty => core,
        Duty::Must | Duty::Should => "应当",
        Duty::MustNot => "不得",
        Duty::May => "可以",
    };
    let other = match usual {
        "应当" => "必须",
        "必须" | "应" | "须" => "应当",
        "不得" => "不能",
        "可以" => "有权",
        "有权" => "可以",
        _ => return None,
    };
    Some([format!("{adverb}{usual}"), format!("{adverb}{other}")])
}

/// The forces that a rule could have instead of its own, where its predicate reads with them.
pub(super) fn other_duties(clause: &Clause) -> Vec<Duty> {
    let unclear = clause.predicate.starts_with(['不', '为', '是', '有', '无'])
        || clause.predicate.contains("至少");
    if unclear || !(clause.subject.is_empty() || parse::is_agent(&clause.subject)) {
        return Vec::new();
    }
    match clause.duty {
        // "不得按照真实、准确的原则公示" is nothing that a rule would say.
        Duty::Must | Duty::Should => vec![Duty::May],
        Duty::MustNot => vec![Duty::May],
        Duty::May => vec![Duty::Must, Duty::MustNot],
    }
}

/// "第二十八条": the article of a rule.
fn article<'p>(place: &Place<'p>) -> Option<&'p str> {
    place
        .section
        .split(" › ")
        .map(str::trim)
        .find(|p| p.starts_with('第') && p.ends_with('条'))
}

/// Whether a question can name the place by its number.
pub(super) fn has_label(place: &Place<'_>) -> bool {
    article(place).is_some()
}

/// "根据《……》第二十八条，谁应当……？"
pub(super) fn placed(question: &str, place: &Place<'_>, hidden: &str) -> Option<String> {
    let shown = |text: &String| hidden.is_empty() || !text.contains(hidden);
    let (title, heading) = (
        clean_title(place.title),
        clean_heading(place.heading).filter(shown),
    );
    if title.as_ref().is_some_and(|t| !shown(t)) {
        return None;
    }
    Some(match (title, heading) {
        (Some(title), Some(heading)) if article(place).is_some() => {
            format!(
                "根据《{title}》{}（“{heading}”），{question}",
                article(place).unwrap_or_default()
            )
        }
        (Some(title), _) => format!(
            "根据《{title}》{}，{question}",
            article(place).unwrap_or_default()
        ),
        // A document whose title is not that of a law is cited by its name.
        (None, heading) if article(place).is_some() => {
            let name = Some(tidy(place.title))
                .filter(|t| !t.is_empty() && length(t) <= LONGEST_NAME && shown(t));
            let name = name.map(|name| format!("“{name}”")).unwrap_or_default();
            let heading = heading.map(|h| format!("（“{h}”）")).unwrap_or_default();
            format!(
                "根据{name}{}{heading}，{question}",
                article(place).unwrap_or_default()
            )
        }
        (None, Some(heading)) => format!("在“{heading}”的规定中，{question}"),
        (None, None) => question.to_owned(),
    })
}

/// A heading as a question quotes it; `None` if it names nothing.
fn clean_heading(heading: &str) -> Option<String> {
    let tidied: String = tidy(heading)
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let named =
        (2..=30).contains(&length(&tidied)) && !lexicon::EMPTY_HEADINGS.contains(&tidied.as_str());
    (named && !tidied.contains(['“', '”', '。']) && !tidied.starts_with('第')).then_some(tidied)
}

/// The title of a document as a question quotes it; `None` if it is no title (a file's name, a long headline).
fn clean_title(title: &str) -> Option<String> {
    let tidied: String = tidy(title).chars().filter(|c| !c.is_whitespace()).collect();
    let bare = tidied.trim_matches(['《', '》']);
    let named = (4..=36).contains(&length(bare))
        && bare
            .chars()
            .all(|c| lexforge_text::is_han(c) || matches!(c, '（' | '）' | '、' | '〈' | '〉'))
        && [
            "法", "办法", "条例", "规定", "规则", "指引", "细则", "准则", "通知", "意见",
        ]
        .iter()
        .any(|e| bare.trim_end_matches(['）', '行', '试', '（']).ends_with(e) || bare.ends_with(e));
    named.then(|| bare.to_owned())
}

/// A question whose answer is the term at `mention`, with a sentence that says it whole.
pub(super) fn term_question(
    sentence: &Parsed,
    mention: (usize, usize),
) -> Option<(String, String)> {
    let text = &sentence.text;
    let surface = text.get(mention.0..mention.1)?;
    if let Some((term, meaning)) = sentence
        .definition
        .as_ref()
        .filter(|(term, _)| term == surface)
    {
        return Some((
            format!("哪个术语是指“{meaning}”？"),
            format!("{term}是指{meaning}。"),
        ));
    }
    let gap = format!(
        "{}____{}",
        text.get(..mention.0)?,
        text.get(mention.1..)?.trim_end_matches('。')
    );
    Some((format!("“{gap}”一句的空缺处应填哪个术语？"), text.clone()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_left_open() {
        let clause =
            parse::clause("承运人逾期交付货物的，仓储公司应当退还已经收取的保管费用。").unwrap();
        assert_eq!(
            actor(&clause, "托运人").unwrap(),
            "应当退还已经收取的保管费用的是托运人。"
        );
        assert_eq!(
            who(&clause).unwrap(),
            "承运人逾期交付货物的，谁应当退还已经收取的保管费用？"
        );
    }

    #[test]
    fn the_force_of_a_rule_has_four_values() {
        let clause = parse::clause("仓储公司不得以存货人的货物提供担保。").unwrap();
        let (question, said) = statuses(&clause).unwrap();
        assert!(question.starts_with("仓储公司以存货人的货物提供担保，属于"));
        assert!(said.contains(&(
            Duty::MustNot,
            "仓储公司以存货人的货物提供担保，属于被禁止的行为。".to_owned()
        )));
    }

    #[test]
    fn titles_place_a_question() {
        let full = Place {
            section: "第二章 › 第九条",
            heading: "仓单",
            above: &[],
            title: "仓储业管理办法",
        };
        assert_eq!(
            placed("谁负责？", &full, "").as_deref(),
            Some("根据《仓储业管理办法》第九条（“仓单”），谁负责？")
        );
        let check = |section, heading, title, hidden, expected: Option<&str>| {
            let place = Place {
                section,
                heading,
                above: &[],
                title,
            };
            assert_eq!(placed("谁负责？", &place, hidden).as_deref(), expected);
        };
        check(
            "",
            "",
            "仓储业管理办法",
            "",
            Some("根据《仓储业管理办法》，谁负责？"),
        );
        check(
            "第一章 › 第二条 › （一）",
            "总则",
            "仓储业管理办法",
            "",
            Some("根据《仓储业管理办法》第二条，谁负责？"),
        );
        check(
            "",
            "仓单",
            "storage_v2.pdf",
            "",
            Some("在“仓单”的规定中，谁负责？"),
        );
        // Without its title a question could be about another law.
        check("", "仓单", "仓储公司管理办法", "仓储公司", None);
    }
}
