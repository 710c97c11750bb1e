//! Changes to a Chinese sentence: rewordings that keep the sense, edits that change it.

use super::{kinds, lexicon, parse, verbs};
use crate::clause::{Duty, Edit, Parsed, Variant};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use std::sync::LazyLock;

static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,3}|[一二两三四五六七八九十百]{1,4})(个工作日|个交易日|个月|日|天|年|小时|周)(?:内|前|以内|以上|以下|之内|的|，|、|。|后)")
        .expect("a constant pattern")
});
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,3})(\.\d+)?%|百分之([一二三四五六七八九十百]{1,4})").expect("a constant pattern")
});
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,5}|[一二两三四五六七八九十百]{1,4})(千?万元|亿元|万元|元|倍|名|人|家)")
        .expect("a constant pattern")
});

const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// A number below one thousand as Chinese writes it.
pub(super) fn written(value: u32) -> String {
    let (hundreds, tens, ones) = (value / 100 % 10, value / 10 % 10, value % 10);
    let digit = |d: u32| DIGITS.get(d as usize).copied().unwrap_or("");
    let mut text = String::new();
    if hundreds > 0 {
        text.push_str(digit(hundreds));
        text.push('百');
    }
    if tens > 0 {
        if tens > 1 || hundreds > 0 {
            text.push_str(digit(tens));
        }
        text.push('十');
    } else if hundreds > 0 && ones > 0 {
        text.push('零');
    }
    text.push_str(digit(ones));
    text
}

/// The value of a number in figures or Chinese numerals below one thousand.
pub(super) fn value(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (mut total, mut last) = (0, 0);
    for c in text.chars() {
        let digit = match c {
            '两' => 2,
            _ => DIGITS.iter().position(|d| *d == c.to_string()).unwrap_or(0) as u32,
        };
        match c {
            '百' => (total, last) = (total + last.max(1) * 100, 0),
            '十' => (total, last) = (total + last.max(1) * 10, 0),
            '零' | '〇' => {}
            _ if digit > 0 => last = digit,
            _ => return None,
        }
    }
    Some(total + last)
}

fn usual(unit: &str) -> &'static [u32] {
    match unit {
        "小时" => &[12, 24, 36, 48, 72],
        "日" | "天" | "个工作日" | "个交易日" => &[1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90],
        "周" => &[1, 2, 3, 4],
        "个月" => &[1, 2, 3, 6, 9, 12, 18],
        "年" => &[1, 2, 3, 5, 8, 10, 15, 20],
        _ => &[
            1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 90, 100, 200, 300, 500, 800, 1000, 2000, 3000,
            5000,
        ],
    }
}

/// A text in slightly other words, one rewording at a time.
pub(super) fn reworded(text: &str) -> Vec<String> {
    lexicon::SAME
        .iter()
        .filter(|(from, _)| {
            let Some(at) = text.find(from) else { return false };
            let (before, after) = (&text[..at], &text[at + from.len()..]);
            match *from {
                "依据" => {
                    after.starts_with(|c: char| crate::words::is_han(c) || c == '《')
                        && !before.ends_with(['的', '和', '、'])
                }
                "有关" | "相关" => {
                    !before.ends_with(['与', '性', '正', '负', '不']) && !after.starts_with(['性', '系'])
                }
                "遵守" => !before.ends_with('应'),
                "及其" => !before.ends_with('以'),
                _ => true,
            }
        })
        .map(|(from, to)| text.replacen(from, to, 1))
        .collect()
}

/// Sentences that differ by one change of sense.
pub(super) fn edits(sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
    let mut found = Vec::new();
    modals(sentence, &mut found);
    numbers(&sentence.text, rng, &mut found);
    opposites(&sentence.text, &mut found);
    if let Some(clause) = &sentence.clause {
        found.extend(verbs::swapped(clause).into_iter().map(|(predicate, removed, added)| Variant {
            text: format!("{}{}{}{predicate}。", clause.lead, clause.subject, clause.modal),
            edit: Edit::Action,
            removed,
            added,
        }));
    }
    for (mention, similar) in terms {
        let [(start, _)] = sentence.text.match_indices(mention.as_str()).collect::<Vec<_>>()[..] else { continue };
        let range = (start, start + mention.len());
        if !parse::stands_free(&sentence.text, range) || enumerated(&sentence.text, range) {
            continue;
        }
        for other in similar.iter().filter(|o| !sentence.text.contains(o.as_str()) && kinds::of_one_kind(mention, o)) {
            found.push(Variant {
                text: sentence.text.replace(mention.as_str(), other),
                edit: Edit::Term,
                removed: mention.clone(),
                added: other.clone(),
            });
        }
    }
    found.retain(|v| v.text != sentence.text);
    found
}

/// Whether a mention is one of several examples that are summed up ("录音电话、交易即时通讯工具等通讯设施"): what is put in its
/// place would have to be one as well.
fn enumerated(text: &str, range: (usize, usize)) -> bool {
    let (before, after) = (&text[..range.0], &text[range.1..]);
    let links = ['、', '和', '及', '与', '或'];
    let rest = after.split(['，', '。', '；']).next().unwrap_or("");
    let linked =
        after.starts_with(links) || before.ends_with(links) || before.ends_with("以及") || before.ends_with("或者");
    after.starts_with('等') || linked && rest.contains('等')
}

fn modals(sentence: &Parsed, found: &mut Vec<Variant>) {
    let Some(clause) = &sentence.clause else { return };
    let Some((core, duty)) = parse::core(&clause.modal) else { return };
    let adverb = clause.modal.strip_suffix(core).unwrap_or_default();
    let others: &[&str] = match duty {
        Duty::Must | Duty::Should => &["可以", "不得", "无须"],
        Duty::MustNot if core == "不得" => &["可以", "应当", "有权"],
        Duty::MustNot => &["允许", "鼓励"],
        Duty::May if core == "有权" => &["无权", "不得", "应当"],
        Duty::May => &["应当", "不得", "必须"],
    };
    for other in others {
        found.push(Variant {
            text: format!("{}{}{adverb}{other}{}。", clause.lead, clause.subject, clause.predicate),
            edit: Edit::Modal,
            removed: core.to_owned(),
            added: (*other).to_owned(),
        });
    }
}

/// An amount in a sentence: byte range of its number, what stands before it as part of the amount, unit.
pub(super) struct Amount<'t> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) prefix: &'static str,
    pub(super) unit: &'t str,
    pub(super) edit: Edit,
}

pub(super) fn amounts(text: &str) -> Vec<Amount<'_>> {
    let spans = SPAN.captures_iter(text).filter_map(|hit| Some((hit.get(1)?, "", hit.get(2)?.as_str(), Edit::Time)));
    let figures = SHARE.captures_iter(text).filter_map(|hit| Some((hit.get(1)?, "", "%", Edit::Number)));
    let shares = SHARE.captures_iter(text).filter_map(|hit| Some((hit.get(3)?, "百分之", "", Edit::Number)));
    let sums = AMOUNT.captures_iter(text).filter_map(|hit| Some((hit.get(1)?, "", hit.get(2)?.as_str(), Edit::Number)));
    let all = spans.chain(figures).chain(shares).chain(sums);
    all.map(|(number, prefix, unit, edit)| Amount { start: number.start(), end: number.end(), prefix, unit, edit })
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
    const TWO: &[&str] = &["个月", "年", "个工作日", "个交易日", "天", "倍", "名", "家", "人"];
    let share = amount.unit == "%" || !amount.prefix.is_empty();
    match (number.is_ascii(), other) {
        (true, _) => Some(other.to_string()),
        (false, 100) if share => Some("百".to_owned()),
        (false, 2) if TWO.contains(&amount.unit) => Some("两".to_owned()),
        (false, 1000..) => None,
        (false, _) => Some(written(other)),
    }
}

/// Smaller and larger numbers that rules use in the place of `number`; none where it is no amount.
pub(super) fn alternatives(amount: &Amount<'_>, number: &str) -> Option<(Vec<String>, Vec<String>)> {
    let value = value(number).filter(|v| *v > 0)?;
    let share = amount.unit == "%" || !amount.prefix.is_empty();
    let usual = usual(amount.unit).iter().copied().filter(|u| !share || *u < 100);
    let near: Vec<u32> = usual.filter(|u| *u != value && u * 5 >= value && *u <= value * 5).collect();
    let of = |smaller: bool| {
        near.iter().filter(|u| (**u < value) == smaller).filter_map(|u| written_like(*u, number, amount)).collect()
    };
    Some((of(true), of(false)))
}

fn numbers(text: &str, rng: &mut ChaCha8Rng, found: &mut Vec<Variant>) {
    for amount in amounts(text) {
        let (before, number, after) = (&text[..amount.start], &text[amount.start..amount.end], &text[amount.end..]);
        if no_amount(before, number, &amount) {
            continue;
        }
        let Some((below, above)) = alternatives(&amount, number) else { continue };
        for new in below.choose(rng).into_iter().chain(above.choose(rng)) {
            let shown = if after.starts_with(amount.unit) { amount.unit } else { "" };
            found.push(Variant {
                text: format!("{before}{new}{after}"),
                edit: amount.edit,
                removed: format!("{}{number}{shown}", amount.prefix),
                added: format!("{}{new}{shown}", amount.prefix),
            });
        }
    }
}

fn opposites(text: &str, found: &mut Vec<Variant>) {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let both = lexicon::OPPOSITES.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let mut all: Vec<(&str, &str)> = both.chain(lexicon::NEGATED.iter().copied()).collect();
    all.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    for (from, to) in all {
        let Some(at) = text.find(from) else { continue };
        let end = at + from.len();
        let (before, after) = (&text[..at], &text[end..]);
        let overlaps = taken.iter().any(|t| at < t.1 && t.0 < end);
        let negative = before.ends_with(['不', '未', '无', '非', '被']);
        let unfit = match from {
            // "包括但不限于" says what it says; "过度承担风险" is what is to be prevented.
            "包括" if after.starts_with("但") => true,
            "承担" if ["防止", "避免", "拒绝", "过度", "愿意"].iter().any(|w| before.ends_with(w)) => true,
            "承担" | "负责" | "实行" | "享有" | "具有" | "计入" | "包括" | "适用" => {
                after.starts_with('的')
                    || before.ends_with(['应', '须', '以'])
                    || before.ends_with("应当")
                    || before.ends_with("可以")
                    || before.ends_with('得')
                    || after.starts_with('人')
            }
            // "十万元以上五十万元以下": a range has both ends.
            "以上" | "以下" if after.starts_with(['简', '统', '称']) => true,
            "以上" | "以下" => before.ends_with(['级', '列']) || text.contains("以上") && text.contains("以下"),
            "及时" | "立即" if ["日内", "月内", "小时", "工作日"].iter().any(|w| text.contains(w)) => true,
            "及时" | "立即" => !after.starts_with(crate::words::is_han) || after.starts_with(['性', '的']),
            "之前" | "之后" => false,
            "公开" | "批准" | "备案" => before.ends_with(['予', '经']) && from == "公开",
            "独立" | "统一" => after.starts_with("董事") || after.starts_with("社会"),
            "定期" | "不定期" => text.contains("定期或者不定期") || text.contains("定期或不定期"),
            "直接" | "间接" => text.contains("直接或间接") || text.contains("直接或者间接"),
            "故意" | "过失" => text.contains("故意或"),
            "全部" | "部分" => text.contains("全部或者部分") || before.ends_with(['两', '一', '组', '各']),
            "内部" | "外部" => {
                text.contains(to)
                    || ["控制", "审计", "管理", "治理", "监督", "制度"].iter().any(|w| after.starts_with(w))
            }
            "境内" | "境外" => text.contains(to),
            "支持" | "鼓励" | "限制" | "允许" | "禁止" => after.starts_with('类') || text.contains(to),
            "单独" | "共同" => text.contains("单独或者共同"),
            _ => false,
        };
        if overlaps || negative || unfit {
            continue;
        }
        taken.push((at, end));
        found.push(Variant {
            text: format!("{before}{to}{after}"),
            edit: Edit::Negation,
            removed: from.to_owned(),
            added: to.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed;
    use lexforge_domain::SentenceId;

    #[test]
    fn numerals_go_both_ways() {
        for (number, text) in
            [(3, "三"), (10, "十"), (15, "十五"), (30, "三十"), (45, "四十五"), (105, "一百零五"), (180, "一百八十")]
        {
            assert_eq!(written(number), text);
            assert_eq!(value(text), Some(number));
        }
        assert_eq!(value("两"), Some(2));
    }

    #[test]
    fn numbers_stay_in_their_form() {
        let check = |text: &str, suffix: &str, count: usize| {
            let parsed =
                Parsed { id: SentenceId(1), text: text.to_owned(), clause: parse::clause(text), definition: None };
            let all = edits(&parsed, &[], &mut seed::stream(5, 1, 0));
            let added: Vec<&str> =
                all.iter().filter(|v| matches!(v.edit, Edit::Time | Edit::Number)).map(|v| v.added.as_str()).collect();
            assert_eq!(added.len(), count, "{added:?}");
            assert!(added.iter().all(|a| a.ends_with(suffix)), "{added:?}");
        };
        check("保险人应当自收到请求之日起三十日内作出核定。", "日", 2);
        check("商业银行应当于3个月内报送报表。", "个月", 2);
        check("股东持股比例不得超过百分之二十。", "", 2);
        check("本办法自2010年1月1日起施行。", "", 0);
    }
}
