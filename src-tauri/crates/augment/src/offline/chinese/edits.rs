//! Minimal edits of a Chinese sentence: figures and terms.

use crate::chinese::{lexicon, parse};
use crate::clause::Clause;
use crate::offline::patterns::Figure;
use lexforge_text::lists::{Swap, Word};
use lexforge_text::numerals::{self, write};
use regex::Regex;
use std::sync::LazyLock;

static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,3}|[一二两三四五六七八九十百]{1,4})(个工作日|个交易日|个月|日|天|年|小时|周)(?:内|前|以内|以上|以下|之内|的|，|、|。|后)")
        .expect("a constant pattern")
});
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,3})(\.\d+)?%|百分之([一二三四五六七八九十百]{1,4})")
        .expect("a constant pattern")
});
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,5}|[一二两三四五六七八九十百]{1,4})(千?万元|亿元|万元|元|倍|名|人|家)")
        .expect("a constant pattern")
});

/// The value of a number in figures or Chinese numerals.
pub(super) fn value(text: &str) -> Option<u32> {
    u32::try_from(numerals::chinese(text)?).ok()
}

fn usual(unit: &str) -> &'static [u32] {
    match unit {
        "小时" => &[12, 24, 36, 48, 72],
        "日" | "天" | "个工作日" | "个交易日" => {
            &[1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90]
        }
        "周" => &[1, 2, 3, 4],
        "个月" => &[1, 2, 3, 6, 9, 12, 18],
        "年" => &[1, 2, 3, 5, 8, 10, 15, 20],
        _ => &[
            1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 90, 100, 200, 300, 500, 800,
            1000, 2000, 3000, 5000,
        ],
    }
}

/// An amount in a sentence: byte range of its number, what stands before it as part of the amount, unit.
pub(super) struct Amount<'t> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) prefix: &'static str,
    pub(super) unit: &'t str,
    /// Whether it is a length of time.
    pub(super) time: bool,
}

pub(super) fn amounts(text: &str) -> Vec<Amount<'_>> {
    let spans = SPAN
        .captures_iter(text)
        .filter_map(|hit| Some((hit.get(1)?, "", hit.get(2)?.as_str(), true)));
    let figures = SHARE
        .captures_iter(text)
        .filter_map(|hit| Some((hit.get(1)?, "", "%", false)));
    let shares = SHARE
        .captures_iter(text)
        .filter_map(|hit| Some((hit.get(3)?, "百分之", "", false)));
    let sums = AMOUNT
        .captures_iter(text)
        .filter_map(|hit| Some((hit.get(1)?, "", hit.get(2)?.as_str(), false)));
    let all = spans.chain(figures).chain(shares).chain(sums);
    all.map(|(number, prefix, unit, time)| Amount {
        start: number.start(),
        end: number.end(),
        prefix,
        unit,
        time,
    })
    .collect()
}

/// Whether a number is an ordinal, a date or a part of a longer number, and no amount.
pub(super) fn no_amount(before: &str, number: &str, amount: &Amount<'_>) -> bool {
    let part = before.ends_with(['第', '百', '千', '年', '月', '.', '〇', '零'])
        && (amount.prefix.is_empty() || !before.ends_with(amount.prefix))
        || before.ends_with(|c: char| c.is_ascii_digit());
    let dated = amount.unit == "年" && number.len() > 3 && number.is_ascii();
    let counted = amount.prefix.is_empty() && before.ends_with('之');
    part || dated || counted
}

/// A number written like another one, where that can be done.
fn written_like(other: u32, number: &str, amount: &Amount<'_>) -> Option<String> {
    let share = amount.unit == "%" || !amount.prefix.is_empty();
    match (number.is_ascii(), other) {
        (true, _) => Some(other.to_string()),
        (false, 100) if share => Some("百".to_owned()),
        (false, 2) if lexicon::COUNTED_IN_LIANG.contains(&amount.unit) => Some("两".to_owned()),
        (false, 1000..) => None,
        (false, _) => Some(write::chinese(other)),
    }
}

/// Smaller and larger numbers that rules use in the place of `number`; `None` if it is no amount.
pub(super) fn alternatives(
    amount: &Amount<'_>,
    number: &str,
) -> Option<(Vec<String>, Vec<String>)> {
    let value = value(number).filter(|v| *v > 0)?;
    let share = amount.unit == "%" || !amount.prefix.is_empty();
    let usual = usual(amount.unit)
        .iter()
        .copied()
        .filter(|u| !share || *u < 100);
    let near: Vec<u32> = usual
        .filter(|u| *u != value && u * 5 >= value && *u <= value * 5)
        .collect();
    let of = |smaller: bool| {
        near.iter()
            .filter(|u| (**u < value) == smaller)
            .filter_map(|u| written_like(*u, number, amount))
            .collect()
    };
    Some((of(true), of(false)))
}

/// Whether a mention is one of several examples before a word that sums them up
/// ("录音电话、交易即时通讯工具等通讯设施"). If another term is put in the place of the mention, it must be such an
/// example as well.
fn enumerated(text: &str, range: (usize, usize)) -> bool {
    let (before, after) = (&text[..range.0], &text[range.1..]);
    let links = ['、', '和', '及', '与', '或'];
    let rest = after.split(['，', '。', '；']).next().unwrap_or("");
    let linked = after.starts_with(links)
        || before.ends_with(links)
        || before.ends_with("以及")
        || before.ends_with("或者");
    after.starts_with('等') || linked && rest.contains('等')
}

/// The figures of a text with others of their kind.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let figure = |amount: &Amount<'_>| {
        let number = text.get(amount.start..amount.end)?;
        if no_amount(text.get(..amount.start)?, number, amount) {
            return None;
        }
        let (below, above) = alternatives(amount, number)?;
        Some(Figure {
            start: amount.start,
            end: amount.end,
            below,
            above,
        })
    };
    amounts(text).iter().filter_map(figure).collect()
}

/// The text with its first amount in figures where it is in numerals, or the other way round.
pub(super) fn figures_otherwise(text: &str) -> Option<String> {
    let amount = amounts(text).into_iter().min_by_key(|a| a.start)?;
    let number = text.get(amount.start..amount.end)?;
    let (before, after) = (text.get(..amount.start)?, text.get(amount.end..)?);
    if no_amount(before, number, &amount) {
        return None;
    }
    let value = value(number).filter(|v| *v > 0)?;
    match (number.is_ascii(), amount.prefix.is_empty()) {
        (true, _) if amount.unit == "%" => {
            let rest = after.strip_prefix('%')?;
            (value < 100).then(|| format!("{before}百分之{}{rest}", write::chinese(value)))
        }
        (true, _) => (value < 1000).then(|| format!("{before}{}{after}", write::chinese(value))),
        (false, true) => Some(format!("{before}{value}{after}")),
        (false, false) => {
            let before = before.strip_suffix(amount.prefix)?;
            Some(format!("{before}{value}%{after}"))
        }
    }
}

/// The predicates in which the first verb is replaced: (predicate, old verb, new verb).
pub(super) fn verbs(clause: &Clause) -> Vec<(String, Word, Word)> {
    let text = clause.predicate.as_str();
    let rest = lexicon::BEFORE_A_VERB
        .iter()
        .find_map(|a| text.strip_prefix(a))
        .unwrap_or(text);
    let head = text.strip_suffix(rest).unwrap_or_default();
    let behind = |(forms, others): &'static Swap| {
        let verb = forms.first()?;
        Some((*verb, rest.strip_prefix(verb)?, others))
    };
    let Some((verb, after, others)) = lexicon::VERBS.iter().find_map(behind) else {
        return Vec::new();
    };
    // "建立的……", "保存和使用……": part of a noun, or one of several verbs of one object.
    if after.starts_with("并")
        || after
            .chars()
            .next()
            .is_none_or(|c| "的和或与及、，（等给至于为".contains(c))
    {
        return Vec::new();
    }
    let new = others.iter().filter(|other| !text.contains(**other));
    new.map(|other| (format!("{head}{other}{after}"), verb, *other))
        .collect()
}

/// Whether a term may be replaced by another. For this, the text must mention the term exactly once, as a phrase of its
/// own, and not as one of several examples.
pub(super) fn replaceable(text: &str, mention: &str) -> bool {
    let [(start, _)] = text.match_indices(mention).collect::<Vec<_>>()[..] else {
        return false;
    };
    let range = (start, start + mention.len());
    parse::stands_free(text, range) && !enumerated(text, range)
}

/// The term replaced by another one that the sentence does not name.
pub(super) fn replaced(text: &str, mention: &str, other: &str) -> Option<String> {
    (!text.contains(other)).then(|| text.replacen(mention, other, 1))
}

/// The phrase at `mention` as a question names it.
pub(super) fn topic(text: &str, mention: (usize, usize)) -> Option<String> {
    // If the mention is one of several or belongs to another noun, the rule is not about it.
    let beside = ['、', '和', '及', '或', '与', '的'];
    let told = text.get(mention.1..)?.starts_with(beside)
        || text.get(..mention.0)?.ends_with(&beside[..5]);
    text.get(mention.0..mention.1)
        .filter(|t| !told && t.chars().count() > 2)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_dates() {
        let check = |text: &str, expected: &[&str]| {
            let all = figures(text);
            let shown: Vec<&str> = all.iter().map(|f| &text[f.start..f.end]).collect();
            assert_eq!(shown, expected, "{text}");
            assert!(
                all.iter()
                    .all(|f| !f.below.is_empty() && !f.above.is_empty()),
                "{all:?}"
            );
        };
        check("保险人应当自收到请求之日起三十日内作出核定。", &["三十"]);
        check("商业银行应当于3个月内报送报表。", &["3"]);
        check("股东持股比例不得超过百分之二十。", &["二十"]);
        check("本办法自2010年1月1日起施行。", &[]);
    }

    #[test]
    fn an_amount_is_written_otherwise() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(figures_otherwise(text).as_deref(), expected, "{text}");
        };
        check("应当在三十日内报送。", Some("应当在30日内报送。"));
        check("应当于3个月内报送。", Some("应当于三个月内报送。"));
        check("不得超过百分之二十。", Some("不得超过20%。"));
        check("不得超过20%。", Some("不得超过百分之二十。"));
        check("本办法自2010年1月1日起施行。", None);
    }
}
