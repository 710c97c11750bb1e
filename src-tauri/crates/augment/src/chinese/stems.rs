//! Chinese statements with one place open: who acts, in which case, with which force.

use super::questions::{clean_heading, clean_title, pointing, short};
use super::{edits, parse};
use crate::clause::{Clause, Duty};
use crate::words::length;

/// Longest condition that stands behind its rule, in scalar values.
const LONGEST_CASE: usize = 70;
/// Longest predicate of another rule, in scalar values.
const LONGEST_PREDICATE: usize = 90;

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
    let sanction = ["罚款", "责令", "处以", "没收", "警告"].iter().any(|w| does.contains(w));
    if clause.subject.is_empty() || !parse::is_agent(&clause.subject) || sanction {
        return None;
    }
    let act = format!("{}{adverb}{does}", clause.subject);
    let said = [
        (Duty::Must, "属于必须履行的义务"),
        (Duty::Should, "属于受到鼓励但不强制的行为"),
        (Duty::May, "属于可以自行决定的事项"),
        (Duty::MustNot, "属于被禁止的行为"),
    ];
    let question = format!("{case}{act}，属于义务、受鼓励的行为、可以自行决定的事项还是被禁止的行为？");
    Some((question, said.map(|(duty, word)| (duty, format!("{case}{act}，{word}。"))).to_vec()))
}

/// "商业银行必须……", with the predicate of another rule in the place of its own.
pub(super) fn doing(clause: &Clause, predicate: &str) -> Option<String> {
    let fits = (6..=LONGEST_PREDICATE).contains(&length(predicate))
        && !pointing(predicate)
        && !predicate.contains('其')
        && !predicate.contains("条件包");
    fits.then(|| format!("{}{}{predicate}。", clause.subject, edits::same_force(&clause.modal)))
}

/// "根据《……》，谁应当……？"
pub(super) fn placed(question: &str, heading: &str, title: &str) -> String {
    match (clean_title(title), clean_heading(heading)) {
        (Some(title), _) => format!("根据《{title}》，{question}"),
        (None, Some(heading)) => format!("在“{heading}”的规定中，{question}"),
        (None, None) => question.to_owned(),
    }
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
        assert_eq!(doing(&clause, "书面通知全体存货人").unwrap(), "仓储公司必须书面通知全体存货人。");
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
        assert_eq!(placed("谁负责？", "", "仓储业管理办法"), "根据《仓储业管理办法》，谁负责？");
        assert_eq!(placed("谁负责？", "仓单", "storage_v2.pdf"), "在“仓单”的规定中，谁负责？");
    }
}
