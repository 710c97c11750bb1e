//! Questions for the time limits, shares and amounts of Chinese rules.

use super::edits::{Amount, alternatives, amounts, no_amount, value};
use super::questions::pointing;
use crate::chinese::lexicon;
use crate::clause::Parsed;
use crate::offline::patterns::FigureStem;
use crate::words::length;
use lexforge_domain::qca::QuestionType;
use regex::Regex;
use std::sync::LazyLock;

/// The range of a fine.
static FINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(处以|处)(\d{1,4}|[一二两三四五六七八九十百]{1,4})(万元|倍)以上(\d{1,4}|[一二两三四五六七八九十百]{1,4})(万元|倍)以下的?罚款")
        .expect("a constant pattern")
});
/// Ranges of fines that rules use, in ten thousand yuan and in multiples.
const SUMS: &[(u32, u32)] = &[
    (1, 3),
    (1, 5),
    (1, 10),
    (2, 10),
    (3, 10),
    (5, 20),
    (5, 30),
    (10, 30),
    (10, 50),
    (20, 50),
    (20, 100),
    (30, 100),
    (50, 100),
    (50, 200),
    (100, 300),
    (100, 500),
];
const MULTIPLES: &[(u32, u32)] = &[(1, 2), (1, 3), (1, 5), (2, 5), (3, 5), (3, 8), (5, 10)];
/// Fewest scalar values before a fine: what it is for.
const OFFENCE: usize = 22;

/// Longest sentence that a question repeats, in scalar values.
const LONGEST: usize = 110;

/// All figures of the sentence that can be asked for.
pub(super) fn stems(sentence: &Parsed) -> Vec<FigureStem> {
    let Some(body) = sentence.text.strip_suffix('。') else {
        return Vec::new();
    };
    if length(body) > LONGEST || pointing(body) || body.contains('；') {
        return Vec::new();
    }
    if let Some(found) = fine(body) {
        return vec![found];
    }
    let all = amounts(body);
    // If a rule has many figures, a question about one would have to state all the others.
    if all.len() > 2 {
        return Vec::new();
    }
    all.iter()
        .filter_map(|amount| stem(body, amount, &all))
        .collect()
}

/// "处多少罚款？": the range of a fine.
fn fine(body: &str) -> Option<FigureStem> {
    let mut all = FINE.captures_iter(body);
    let found = all.next()?;
    // The reason of the fine is in a list or in another article, or there are several fines.
    let vague = ["下列", "之一", "本章", "本节"]
        .iter()
        .any(|p| body.contains(p));
    let (whole, verb) = (found.get(0)?, found.get(1)?);
    let (before, after) = (body.get(..verb.start())?, body.get(whole.end()..)?);
    if vague
        || all.next().is_some()
        || length(before) < OFFENCE
        || found.get(3)?.as_str() != found.get(5)?.as_str()
    {
        return None;
    }
    let (low, high) = (found.get(2)?.as_str(), found.get(4)?.as_str());
    let unit = found.get(3)?.as_str();
    let own = (value(low)?, value(high)?);
    let said = |(low_value, high_value): (u32, u32)| {
        let number = |v: u32| {
            if low.is_ascii() {
                v.to_string()
            } else {
                lexforge_text::numerals::write::chinese(v)
            }
        };
        format!(
            "{}{unit}以上{}{unit}以下",
            number(low_value),
            number(high_value)
        )
    };
    let ranges = if unit == "倍" { MULTIPLES } else { SUMS };
    let near = |r: &&(u32, u32)| **r != own && r.1 * 5 >= own.1 && r.1 <= own.1 * 5;
    let of = |smaller: bool| -> Vec<String> {
        ranges
            .iter()
            .filter(near)
            .filter(|r| (**r < own) == smaller)
            .map(|r| said(*r))
            .collect()
    };
    Some(FigureStem {
        question: format!("{before}{}多少罚款{after}？", verb.as_str()),
        before: format!("{before}{}罚款{after}，罚款的幅度为", verb.as_str()),
        after: "。".to_owned(),
        figure: said(own),
        below: of(true),
        above: of(false),
        question_type: QuestionType::Threshold,
    })
}

fn stem(body: &str, amount: &Amount<'_>, all: &[Amount<'_>]) -> Option<FigureStem> {
    let (before, number, after) = (
        body.get(..amount.start)?,
        body.get(amount.start..amount.end)?,
        body.get(amount.end..)?,
    );
    if no_amount(before, number, amount) {
        return None;
    }
    let after = after.strip_prefix(amount.unit)?;
    let before = before.strip_suffix(amount.prefix)?;
    // "二十万元以上五十万元以下": one of two figures alone is no answer.
    let double = all
        .iter()
        .any(|o| o.start != amount.start && o.start.abs_diff(amount.start) < 40);
    let (below, above) = alternatives(amount, number)?;
    if double {
        return None;
    }
    let whole = |n: &str| format!("{}{n}{}", amount.prefix, amount.unit);
    let (opens, closes, asked) = if let Some(rest) = ["之内", "以内", "内"]
        .iter()
        .find_map(|i| after.strip_prefix(i))
    {
        if !amount.time {
            return None;
        }
        let shown = after.strip_suffix(rest)?;
        // "自受理之日起20日之内": as natural, and not how most laws have it.
        let inside = if after.starts_with("之内") {
            "以内"
        } else {
            "之内"
        };
        (
            before.to_owned(),
            format!("{inside}{rest}"),
            format!("{before}{}{shown}{rest}", whole("多少")),
        )
    } else if let Some(rest) = after.strip_prefix('前').filter(|_| amount.time) {
        (
            format!("{before}前至少"),
            rest.to_owned(),
            format!("{before}{}前{rest}", whole("多少")),
        )
    } else {
        let (bound, other) = lexicon::BOUNDS.iter().find(|(b, _)| before.ends_with(b))?;
        let head = before.strip_suffix(bound)?;
        if !(after.is_empty() || after.starts_with(['，', '、', '。'])) {
            return None;
        }
        let opens = format!("{head}{other}");
        (
            opens,
            format!("这一标准{after}"),
            format!("{before}{}{after}", whole("多少")),
        )
    };
    let question_type = if amount.time {
        QuestionType::Deadline
    } else {
        QuestionType::Threshold
    };
    Some(FigureStem {
        question: format!("{asked}？"),
        before: opens,
        after: format!("{closes}。"),
        figure: whole(number),
        below: below.iter().map(|n| whole(n)).collect(),
        above: above.iter().map(|n| whole(n)).collect(),
        question_type,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;

    #[test]
    fn figures_are_asked_for() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let parsed = Parsed {
                id: SentenceId(1),
                text: text.to_owned(),
                clause: None,
                definition: None,
            };
            let found = stems(&parsed);
            let shown: Option<(&str, String)> = found
                .first()
                .map(|s| (s.question.as_str(), s.statement(&s.figure)));
            assert_eq!(shown, expected.map(|(q, s)| (q, s.to_owned())), "{text}");
            assert!(
                found.iter().all(|s| s.below.len() + s.above.len() >= 3),
                "{found:?}"
            );
        };
        check(
            "仓储公司应当自收到仓单之日起十五日内核对货物。",
            Some((
                "仓储公司应当自收到仓单之日起多少日内核对货物？",
                "仓储公司应当自收到仓单之日起十五日之内核对货物。",
            )),
        );
        check(
            "仓储公司的自有资金比例不得低于百分之二十。",
            Some((
                "仓储公司的自有资金比例不得低于百分之多少？",
                "仓储公司的自有资金比例不得小于百分之二十这一标准。",
            )),
        );
        check(
            "仓储公司未经存货人同意擅自处分货物的，由主管部门责令改正，处五万元以上三十万元以下的罚款。",
            Some((
                "仓储公司未经存货人同意擅自处分货物的，由主管部门责令改正，处多少罚款？",
                "仓储公司未经存货人同意擅自处分货物的，由主管部门责令改正，处罚款，罚款的幅度为五万元以上三十万元以下。",
            )),
        );
        check(
            "仓储公司应当在停业三十日前报告主管部门。",
            Some((
                "仓储公司应当在停业多少日前报告主管部门？",
                "仓储公司应当在停业前至少三十日报告主管部门。",
            )),
        );
        check(
            "有下列情形之一的，由主管部门责令改正，处五万元以上三十万元以下的罚款。",
            None,
        );
        check("违反规定的，处五万元以上二十万元以下罚款。", None);
        check("持有仓储公司百分之五以上股份的股东应当报告。", None);
    }
}
