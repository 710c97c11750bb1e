//! Chinese statements with one place open: who acts, in which case, with which force.

use super::parse;
use super::questions::{clean_heading, clean_title, pointing, short};
use crate::clause::{Clause, Duty, Place};
use crate::words::{length, tidy};

/// Longest condition that stands behind its rule, in scalar values.
const LONGEST_CASE: usize = 70;

/// "哪个主体应当向监管机构报告？"
pub(super) fn who(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    let case = if clause.lead.is_empty() { String::new() } else { format!("{}，", repeated(&clause.lead)?) };
    Some(format!("{case}谁{}{does}？", clause.modal))
}

/// "应当向监管机构报告的是商业银行。"
pub(super) fn actor(clause: &Clause, subject: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    (!subject.is_empty()).then(|| format!("{}{does}的是{subject}。", clause.modal))
}

/// A condition as a question repeats it; none where it points to another sentence.
pub(super) fn repeated(lead: &str) -> Option<String> {
    let case = lead.trim_end_matches('，');
    (!case.is_empty() && !pointing(case) && length(case) <= 80).then(|| case.to_owned())
}

/// The case of "……的，": what follows "的情形是".
pub(super) fn case(lead: &str) -> Option<String> {
    let case = repeated(lead)?;
    let case = case.strip_suffix('的')?;
    let fits = (6..=LONGEST_CASE).contains(&length(case))
        && !["对", "按照", "依照", "根据", "除", "为", "其", "该", "但"].iter().any(|p| case.starts_with(p))
        && !case.contains(['；', '。', '：']);
    fits.then(|| case.to_owned())
}

/// "在什么情形下，保险人可以解除合同？"
pub(super) fn in_which_case(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    (!clause.subject.is_empty()).then(|| format!("在什么情形下，{}{}{does}？", clause.subject, clause.modal))
}

/// "保险人可以解除合同的情形是投保人未支付保险费。"
pub(super) fn conditional(clause: &Clause, case: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    Some(format!("{}{}{does}的情形是{case}。", clause.subject, clause.modal))
}

/// "商业银行向关系人发放信用贷款，属于……？" and what can be answered.
pub(super) fn statuses(clause: &Clause) -> Option<(String, Vec<(Duty, String)>)> {
    let does = short(&clause.predicate).filter(|d| d.len() == clause.predicate.len())?;
    let (core, _) = parse::core(&clause.modal)?;
    let adverb = clause.modal.strip_suffix(core)?;
    let case = match repeated(&clause.lead) {
        Some(case) => format!("{case}，"),
        None if clause.lead.is_empty() => String::new(),
        None => return None,
    };
    // A sanction is nothing that somebody could be encouraged to.
    let sanction = ["罚款", "责令", "处以", "没收", "警告", "禁止", "处罚", "不予"].iter().any(|w| does.contains(w));
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
    let question = format!("{case}{act}，属于义务、受鼓励的行为、可以自行决定的事项还是被禁止的行为？");
    Some((question, said.map(|(duty, word)| (duty, format!("{case}{act}，{word}。"))).to_vec()))
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
    let unclear = clause.predicate.starts_with(['不', '为', '是', '有', '无']) || clause.predicate.contains("至少");
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

/// Longest name of a document that a question quotes, in scalar values.
const LONGEST_NAME: usize = 40;

/// "第二十八条": the article of a rule.
pub(super) fn article<'p>(place: &Place<'p>) -> Option<&'p str> {
    place.section.split(" › ").map(str::trim).find(|p| p.starts_with('第') && p.ends_with('条'))
}

/// "根据《……》第二十八条，谁应当……？"
pub(super) fn placed(question: &str, place: &Place<'_>, hidden: &str) -> Option<String> {
    let shown = |text: &String| hidden.is_empty() || !text.contains(hidden);
    let (title, heading) = (clean_title(place.title), clean_heading(place.heading).filter(shown));
    if title.as_ref().is_some_and(|t| !shown(t)) {
        return None;
    }
    Some(match (title, heading) {
        (Some(title), Some(heading)) if article(place).is_some() => {
            format!("根据《{title}》{}（“{heading}”），{question}", article(place).unwrap_or_default())
        }
        (Some(title), _) => format!("根据《{title}》{}，{question}", article(place).unwrap_or_default()),
        // A document whose title is not that of a law is cited by its name.
        (None, heading) if article(place).is_some() => {
            let name = Some(tidy(place.title)).filter(|t| !t.is_empty() && length(t) <= LONGEST_NAME && shown(t));
            let name = name.map(|name| format!("“{name}”")).unwrap_or_default();
            let heading = heading.map(|h| format!("（“{h}”）")).unwrap_or_default();
            format!("根据{name}{}{heading}，{question}", article(place).unwrap_or_default())
        }
        (None, Some(heading)) => format!("在“{heading}”的规定中，{question}"),
        (None, None) => question.to_owned(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_left_open() {
        let clause = parse::clause("承运人逾期交付货物的，仓储公司应当退还已经收取的保管费用。").unwrap();
        assert_eq!(actor(&clause, "托运人").unwrap(), "应当退还已经收取的保管费用的是托运人。");
        assert_eq!(who(&clause).unwrap(), "承运人逾期交付货物的，谁应当退还已经收取的保管费用？");
        assert_eq!(
            conditional(&clause, &case(&clause.lead).unwrap()).unwrap(),
            "仓储公司应当退还已经收取的保管费用的情形是承运人逾期交付货物。"
        );
    }

    #[test]
    fn the_force_of_a_rule_has_four_values() {
        let clause = parse::clause("仓储公司不得以存货人的货物提供担保。").unwrap();
        let (question, said) = statuses(&clause).unwrap();
        assert!(question.starts_with("仓储公司以存货人的货物提供担保，属于"));
        assert!(said.contains(&(Duty::MustNot, "仓储公司以存货人的货物提供担保，属于被禁止的行为。".to_owned())));
    }

    #[test]
    fn titles_place_a_question() {
        let full =
            Place { section: "第二章 › 第九条", heading: "仓单", above: &[], title: "仓储业管理办法" };
        assert_eq!(placed("谁负责？", &full, "").as_deref(), Some("根据《仓储业管理办法》第九条（“仓单”），谁负责？"));
        let check = |section, heading, title, hidden, expected: Option<&str>| {
            let place = Place { section, heading, above: &[], title };
            assert_eq!(placed("谁负责？", &place, hidden).as_deref(), expected);
        };
        check("", "", "仓储业管理办法", "", Some("根据《仓储业管理办法》，谁负责？"));
        check("第一章 › 第二条 › （一）", "总则", "仓储业管理办法", "", Some("根据《仓储业管理办法》第二条，谁负责？"));
        check("", "仓单", "storage_v2.pdf", "", Some("在“仓单”的规定中，谁负责？"));
        // Without its title a question could be about another law.
        check("", "仓单", "仓储公司管理办法", "仓储公司", None);
    }
}
