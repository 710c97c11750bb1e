//! A rule taken apart: condition, subject, modal, predicate.

use super::lexicon;
use crate::clause::{Clause, Duty};
use crate::words::length;

/// Modals, the longer before the shorter.
const MODALS: &[(&str, Duty)] = &[
    ("应当", Duty::Must),
    ("必须", Duty::Must),
    ("不得", Duty::MustNot),
    ("严禁", Duty::MustNot),
    ("禁止", Duty::MustNot),
    ("可以", Duty::May),
    ("有权", Duty::May),
];

/// The core modal at the end of a modal with its adverbials.
pub(crate) fn core(modal: &str) -> Option<(&'static str, Duty)> {
    MODALS
        .iter()
        .chain(&[("应", Duty::Must)])
        .find(|m| modal.ends_with(m.0))
        .copied()
}

/// The parts of a sentence: subject, modal and predicate. The first modal must belong to the main clause; adverbials
/// directly before it stay with it ("依法应当"). If only the condition names the subject ("保险人收到请求后，应当…"), the subject is
/// empty.
pub(crate) fn clause(sentence: &str) -> Option<Clause> {
    let body = sentence.strip_suffix('。')?;
    let found = MODALS
        .iter()
        .filter_map(|m| Some((body.find(m.0)?, *m)))
        .min_by_key(|f| f.0);
    let (at, (modal, duty)) = match (found, short(body)) {
        (Some(found), Some(short)) if short.0 < found.0 => short,
        (Some(found), _) | (None, Some(found)) => found,
        (None, None) => return None,
    };
    let before = &body[..at];
    let predicate = &body[at + modal.len()..];
    if predicate.starts_with("具备的条件") || predicate.starts_with("符合的条件") {
        return None;
    }
    if length(predicate) < 4
        || predicate.starts_with(['的', '，', '、'])
        || before.contains(['；', '。', '：'])
    {
        return None;
    }
    // "知道或者应当知道": the modal of an attribute.
    if before.ends_with("或者") || before.ends_with('的') && !before.ends_with("的，") {
        return None;
    }
    let (lead, rest) = match before.rfind('，') {
        Some(comma) => before.split_at(comma + '，'.len_utf8()),
        None => ("", before),
    };
    if !lead.is_empty() && !is_condition(lead) {
        return None;
    }
    let cut = adverbial(rest);
    let (subject, adverb) = rest.split_at(cut);
    if subject.is_empty() && lead.is_empty() || length(subject) > 30 || length(lead) > 110 {
        return None;
    }
    if subject.is_empty() && !lead.is_empty() && names_no_subject(lead) {
        return None;
    }
    Some(Clause {
        lead: lead.to_owned(),
        subject: subject.to_owned(),
        duty,
        modal: format!("{adverb}{modal}"),
        predicate: predicate.to_owned(),
    })
}

/// "贷款人应在借款合同中约定": the short modal, where it stands behind somebody who acts and is no part of a word.
fn short(body: &str) -> Option<(usize, (&'static str, Duty))> {
    let word = [
        '当', '急', '用', '收', '付', '对', '答', '计', '税', '聘', '届', '变', '纳', '有', '得',
        '交', '缴', '允',
    ];
    let at = body.match_indices('应').map(|(at, _)| at).find(|at| {
        let (before, after) = (&body[..*at], &body[at + '应'.len_utf8()..]);
        let subject = before.rsplit('，').next().unwrap_or(before);
        is_agent(subject)
            && !after.starts_with(word)
            && !before.ends_with(['相', '响', '适', '反', '供'])
    })?;
    Some((at, ("应", Duty::Must)))
}

/// Whether the part before the main clause states a case.
fn is_condition(lead: &str) -> bool {
    let lead = lead.trim_end_matches('，');
    ["的", "时", "后", "前", "内", "起", "下", "中", "外"]
        .iter()
        .any(|e| lead.ends_with(e))
        || [
            "对", "在", "为", "因", "经", "除", "自", "按照", "依照", "根据", "如", "当", "未经",
        ]
        .iter()
        .any(|s| lead.starts_with(s))
}

/// Whether a condition begins with something else than the one who acts.
fn names_no_subject(lead: &str) -> bool {
    [
        "对", "在", "为", "因", "经", "除", "自", "按照", "依照", "根据", "如", "当", "未经", "有",
    ]
    .iter()
    .any(|s| lead.starts_with(s))
}

/// The place after the subject where the adverbials begin.
fn adverbial(rest: &str) -> usize {
    let found = lexicon::ADVERBIALS
        .iter()
        .filter_map(|a| {
            rest.match_indices(a)
                .map(|m| m.0)
                .find(|at| is_agent(&rest[..*at]) && !own(&rest[*at..]))
        })
        .min();
    match found {
        Some(at) => at,
        None if lexicon::ADVERBIALS.iter().any(|a| rest.starts_with(a)) => 0,
        None => rest.len(),
    }
}

/// "自身", "自有": a word that only begins like an adverbial.
fn own(rest: &str) -> bool {
    ["自身", "自有", "自主", "自行", "自然", "自愿", "自营"]
        .iter()
        .any(|w| rest.starts_with(w))
}

/// Whether a noun phrase names somebody who acts.
pub(crate) fn is_agent(subject: &str) -> bool {
    let count = length(subject);
    (2..=30).contains(&count)
        && lexicon::ACTORS.iter().any(|a| subject.ends_with(a))
        && ![
            "本", "第", "每", "对", "在", "自", "任何", "所有", "各", "其", "该", "有关", "相关",
        ]
        .iter()
        .any(|p| subject.starts_with(p) && !subject.starts_with("本行"))
}

/// Whether a mention is a phrase by itself and not part of a longer word.
pub(crate) fn stands_free(text: &str, mention: (usize, usize)) -> bool {
    let (Some(before), Some(after)) = (text.get(..mention.0), text.get(mention.1..)) else {
        return false;
    };
    (before.is_empty() || lexicon::OPENS_A_NAME.iter().any(|o| before.ends_with(o)))
        && (after.is_empty() || lexicon::CLOSES_A_NAME.iter().any(|c| after.starts_with(c)))
}

/// (term, meaning) of "本办法所称X，是指Y。"
pub(crate) fn definition(sentence: &str) -> Option<(String, String)> {
    let body = sentence.strip_suffix('。')?;
    let (head, meaning) = body
        .split_once("是指")
        .or_else(|| body.split_once("系指"))?;
    let head = head.trim_end_matches(['，', '：', ' ']);
    let term = ["所称的", "所称", "所指的"]
        .iter()
        .find_map(|p| head.split_once(p).map(|(_, t)| t))
        .unwrap_or(head);
    let term = term.trim_matches(['“', '”', '"', '，', ' ']);
    let fits = (2..=20).contains(&length(term))
        && !term.contains(['，', '、', '。', '的'])
        && length(meaning) >= 6;
    fits.then(|| (term.to_owned(), meaning.to_owned()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_taken_apart_and_put_together() {
        let check = |text: &str, lead: &str, subject: &str, modal: &str, duty| {
            let parts = clause(text).unwrap();
            assert_eq!(
                (
                    parts.lead.as_str(),
                    parts.subject.as_str(),
                    parts.modal.as_str()
                ),
                (lead, subject, modal),
                "{text}"
            );
            assert_eq!(parts.duty, duty);
            assert_eq!(
                format!(
                    "{}{}{}{}。",
                    parts.lead, parts.subject, parts.modal, parts.predicate
                ),
                text
            );
        };
        check(
            "贷款人应在放款前确认提款条件。",
            "",
            "贷款人",
            "应",
            Duty::Must,
        );
        check(
            "商业银行应当按月报送统计报表。",
            "",
            "商业银行",
            "应当",
            Duty::Must,
        );
        check(
            "外国保险公司分公司自清算之日起不得开展新业务。",
            "",
            "外国保险公司分公司",
            "自清算之日起不得",
            Duty::MustNot,
        );
        check(
            "保险人收到赔偿请求后，应当及时作出核定。",
            "保险人收到赔偿请求后，",
            "",
            "应当",
            Duty::Must,
        );
        check(
            "投保人未按期支付保险费的，保险人可以解除合同。",
            "投保人未按期支付保险费的，",
            "保险人",
            "可以",
            Duty::May,
        );
    }

    #[test]
    fn attributes_are_no_rules() {
        assert_eq!(
            clause("诉讼时效自其知道或者应当知道保险事故发生之日起计算。"),
            None
        );
    }

    #[test]
    fn definitions() {
        let check = |text: &str, term: &str| assert_eq!(definition(text).unwrap().0, term);
        check(
            "本条例所称农业保险，是指保险机构根据农业保险合同承担赔偿责任的保险活动。",
            "农业保险",
        );
        check(
            "关联交易是指公司与关联方之间发生的转移资源的事项。",
            "关联交易",
        );
    }
}
