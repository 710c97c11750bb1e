//! A Chinese text as clauses of characters, marks and figures.

use super::fact::Fact;
use super::lexicon::{self, Mark};
use lexforge_text::numerals;
use std::collections::HashSet;

/// One piece of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Char(char),
    Mark(Mark, &'static str),
    Fact(Fact),
}

/// The text between two commas.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clause {
    pub(super) pieces: Vec<Piece>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) clauses: Vec<Clause>,
}

/// What numbers count or name; the longest first where one begins another.
const UNITS: &[(&str, &str)] = &[
    ("个工作日", "working day"),
    ("工作日", "working day"),
    ("个交易日", "working day"),
    ("交易日", "working day"),
    ("个自然日", "day"),
    ("自然日", "day"),
    ("日历日", "day"),
    ("个百分点", "百分点"),
    ("个季度", "quarter"),
    ("季度", "quarter"),
    ("个小时", "hour"),
    ("小时", "hour"),
    ("个月", "month"),
    ("个星期", "week"),
    ("星期", "week"),
    ("周岁", "岁"),
    ("岁", "岁"),
    ("周", "week"),
    ("周年", "year"),
    ("年", "year"),
    ("月", "of month"),
    ("日", "day"),
    ("天", "day"),
    ("分钟", "minute"),
    ("元人民币", "CNY"),
    ("美元", "USD"),
    ("欧元", "EUR"),
    ("港元", "HKD"),
    ("港币", "HKD"),
    ("日元", "JPY"),
    ("英镑", "GBP"),
    ("元", "CNY"),
    ("%", "%"),
    ("％", "%"),
    ("‰", "‰"),
    ("倍", "倍"),
    ("条", "条"),
    ("款", "款"),
    ("项", "项"),
    ("章", "章"),
    ("节", "节"),
    ("号", "号"),
    ("次", "次"),
    ("名", "人"),
    ("人", "人"),
    ("位", "人"),
    ("户", "户"),
    ("家", "家"),
    ("股", "股"),
    ("份", "份"),
    ("件", "件"),
    ("级", "级"),
    ("个", ""),
];

impl Text {
    pub(super) fn read(text: &str) -> Self {
        let parts = text.split(['，', '；', '。', '：', '！', '？', ',', ';', '\n']);
        let clauses = parts
            .map(Clause::read)
            .filter(|clause| !clause.pieces.is_empty())
            .collect();
        Self { clauses }
    }

    pub(super) fn marks(&self) -> impl Iterator<Item = (Mark, &'static str)> {
        self.clauses.iter().flat_map(Clause::marks)
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks().any(|(m, _)| m == mark)
    }

    pub(super) fn facts(&self) -> Vec<Fact> {
        self.clauses
            .iter()
            .flat_map(|clause| clause.facts().cloned())
            .collect()
    }

    pub(super) fn pairs(&self) -> HashSet<[char; 2]> {
        self.clauses.iter().flat_map(Clause::pairs).collect()
    }

    /// Plain characters without marks and figures.
    pub(super) fn plain(&self) -> String {
        self.clauses
            .iter()
            .map(|clause| clause.plain() + "，")
            .collect()
    }
}

impl Clause {
    fn read(text: &str) -> Self {
        let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            if let Some((fact, next)) = figure(&chars, at) {
                pieces.push(Piece::Fact(fact));
                at = next;
                continue;
            }
            // A condition opens its clause.
            if at == 0
                && matches!(chars[0], '如' | '若')
                && !matches!(chars.get(1), Some('实' | '期' | '下' | '干' | '何'))
            {
                pieces.push(Piece::Mark(
                    Mark::If,
                    if chars[0] == '如' { "如" } else { "若" },
                ));
                at = if chars.get(1) == Some(&'果') { 2 } else { 1 };
                continue;
            }
            let end = chars.len().min(at + 12);
            let ahead: String = chars[at..end].iter().collect();
            match lexicon::chinese(&ahead) {
                Some((Mark::Neutral, word)) => {
                    pieces.extend(word.chars().map(Piece::Char));
                    at += word.chars().count();
                }
                Some((mark, word)) => {
                    pieces.push(Piece::Mark(mark, word));
                    at += word.chars().count();
                }
                None => {
                    if chars[at].is_alphanumeric() {
                        pieces.push(Piece::Char(chars[at]));
                    }
                    at += 1;
                }
            }
        }
        let mut clause = Self { pieces };
        clause.bounds();
        clause
    }

    /// Every figure with its side, by the words beside it.
    fn bounds(&mut self) {
        for at in 0..self.pieces.len() {
            if !matches!(self.pieces[at], Piece::Fact(_)) {
                continue;
            }
            let side = |mark: Mark| mark.is_bound().then_some(mark);
            let mut bound = None;
            for piece in self.pieces[at + 1..].iter().take(3) {
                match piece {
                    Piece::Mark(mark @ (Mark::Before | Mark::After), _) => bound = Some(*mark),
                    Piece::Mark(mark, _) => bound = side(*mark),
                    Piece::Char(c) if !matches!(c, '的' | '起') => continue,
                    _ => {}
                }
                break;
            }
            if bound.is_none() {
                for piece in self.pieces[..at].iter().rev().take(4) {
                    match piece {
                        Piece::Mark(mark, _) => bound = side(*mark),
                        Piece::Char(_) => continue,
                        Piece::Fact(_) => {}
                    }
                    break;
                }
            }
            if let Piece::Fact(fact) = &mut self.pieces[at] {
                fact.bound = bound;
            }
        }
    }

    pub(super) fn marks(&self) -> impl Iterator<Item = (Mark, &'static str)> {
        self.pieces.iter().filter_map(|piece| {
            if let Piece::Mark(mark, said) = piece {
                Some((*mark, *said))
            } else {
                None
            }
        })
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks().any(|(m, _)| m == mark)
    }

    fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.pieces.iter().filter_map(|piece| {
            if let Piece::Fact(fact) = piece {
                Some(fact)
            } else {
                None
            }
        })
    }

    /// Plain characters without marks and figures.
    pub(super) fn plain(&self) -> String {
        plain(&self.pieces)
    }

    /// Pairs of plain characters.
    pub(super) fn pairs(&self) -> Vec<[char; 2]> {
        pairs(&self.plain())
    }

    /// The place of the first force, if there is one.
    pub(super) fn force(&self) -> Option<usize> {
        self.pieces
            .iter()
            .position(|piece| matches!(piece, Piece::Mark(mark, _) if mark.is_force()))
    }
}

/// The plain characters of pieces.
pub(super) fn plain(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .filter_map(|piece| {
            if let Piece::Char(c) = piece {
                Some(*c)
            } else {
                None
            }
        })
        .collect()
}

/// Pairs of characters that follow each other.
pub(super) fn pairs(text: &str) -> Vec<[char; 2]> {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The figure that begins at a place, and the place behind it.
fn figure(chars: &[char], from: usize) -> Option<(Fact, usize)> {
    let mut at = from;
    let starts = |at: usize, word: &str| {
        word.chars()
            .enumerate()
            .all(|(i, c)| chars.get(at + i) == Some(&c))
    };
    let share = [("百分之", "%"), ("千分之", "‰"), ("万分之", "‱")]
        .into_iter()
        .find(|(word, _)| starts(at, word));
    if share.is_some() {
        at += 3;
    }
    if starts(from, "半年") && !starts(from, "半年度") {
        return Some((Fact::new("6".to_owned(), "month"), from + 2));
    }
    let label = starts(from, "第");
    if label {
        at += 1;
    }
    let (value, next) = number(chars, at)?;
    let run: String = chars[at..next].iter().collect();
    at = next;
    if let Some((_, unit)) = share {
        return Some((Fact::new(value, unit), at));
    }
    // "三分之二".
    if starts(at, "分之")
        && let Some((over, next)) = number(chars, at + 2)
    {
        return Some((Fact::new(format!("{over}/{value}"), ""), next));
    }
    // A day or a year of a date is the unit, whatever comes after it.
    let unit = UNITS.iter().find(|(word, _)| starts(at, word));
    let Some((word, name)) = unit else {
        // 一 and 万 stand in many words.
        let plain = matches!(
            run.as_str(),
            "一" | "万" | "千" | "百" | "两" | "千万" | "零" | "十" | "亿"
        ) || label && run == "一";
        return (!plain && !is_word(chars, from, at)).then(|| (Fact::new(value, ""), at));
    };
    if run == "一"
        && matches!(
            *word,
            "个" | "次"
                | "家"
                | "名"
                | "位"
                | "条"
                | "款"
                | "项"
                | "日"
                | "份"
                | "件"
                | "级"
                | "人"
        )
        && !label
    {
        // "一日", "一名" and the like count, "一个" rarely.
        if *word == "个" {
            return None;
        }
    }
    let name = if *name == "year" && value.len() == 4 {
        "年"
    } else {
        name
    };
    let mut fact = Fact::new(value, name);
    fact.said = chars[from..(at + word.chars().count()).min(chars.len())]
        .iter()
        .collect();
    Some((fact, at + word.chars().count()))
}

/// Whether a numeral is a part of a word: 第三方, 三方.
fn is_word(chars: &[char], from: usize, at: usize) -> bool {
    matches!(
        chars.get(at),
        Some(
            '方' | '者'
                | '农'
                | '般'
                | '致'
                | '律'
                | '定'
                | '并'
                | '旦'
                | '切'
                | '样'
                | '体'
                | '些'
                | '直'
        )
    ) || from > 0
        && matches!(
            chars[from - 1],
            '统' | '唯' | '同' | '单' | '进' | '之' | '万'
        )
}

/// Signs behind digits, and how many of each one is.
const SIGNS: &[(char, f64)] = &[('万', 1e4), ('亿', 1e8), ('千', 1e3), ('百', 1e2)];

fn number(chars: &[char], from: usize) -> Option<(String, usize)> {
    let first = *chars.get(from)?;
    if first.is_ascii_digit() {
        let (mut value, mut at) = super::numbers::digits(chars, from);
        // Several can stand behind one another: 3千万.
        let times = |at: usize| {
            let (_, times) = SIGNS.iter().find(|(sign, _)| chars.get(at) == Some(sign))?;
            Some(*times)
        };
        while let Some(times) = times(at) {
            let Ok(n) = value.parse::<f64>() else { break };
            value = super::numbers::whole(n * times).to_string();
            at += 1;
        }
        return Some((value, at));
    }
    if !numerals::is_chinese_numeral(first) {
        return None;
    }
    let mut at = from;
    while chars
        .get(at)
        .is_some_and(|c| numerals::is_chinese_numeral(*c))
    {
        at += 1;
    }
    let run: String = chars[from..at].iter().collect();
    Some((numerals::chinese(&run)?.to_string(), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_one_value_in_digits_and_in_words() {
        let same = |a: &str, b: &str| {
            let fact = |text: &str| {
                Text::read(text)
                    .facts()
                    .into_iter()
                    .map(|f| (f.value, f.unit, f.bound))
                    .collect::<Vec<_>>()
            };
            assert_eq!(fact(a), fact(b), "{a} | {b}");
            assert!(!fact(a).is_empty(), "{a}");
        };
        same("三十日内", "30天以内");
        same("十万元以下", "10万元以下");
        same("4.1亿元", "410000000元");
        same("3千万元", "3000万元");
        same("百分之八", "8%");
        same("两年", "二十四个月");
        same("半年", "六个月");
        same("第二十九条", "第29条");
        same("不少于五年", "至少5年");
        same("三分之二以上", "三分之二以上");
    }

    #[test]
    fn numerals_in_words_are_no_figures() {
        for text in [
            "应当统一管理",
            "第三方不得查阅",
            "一般情形",
            "经营者应当一并报送",
        ] {
            assert_eq!(Text::read(text).facts(), [], "{text}");
        }
    }
}
