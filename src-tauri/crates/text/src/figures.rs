//! Finds the numbers in a text that say how many, how much or how long. Numbers that only name something are left out,
//! such as the number of an article, an act, a category or a table.

mod labels;

use crate::calendar::MONTHS;
use crate::lists::Word;
use crate::numerals::{english, is_chinese_numeral};
use crate::script::is_han;
use crate::word_lists;
use labels::{
    CODES, ends_with_code, first_word, is_label, is_of_a_footnote, is_year_in_numerals, last_word,
    names_a_chinese_kind, names_a_kind, names_a_place,
};

word_lists! {
    /// English units of time.
    ENGLISH_UNITS: Vec<Word> = "english/units_of_time.txt";
    /// Chinese units of time.
    CHINESE_UNITS: Vec<Word> = "chinese/units_of_time.txt";
    /// Chinese words before a number that names a case.
    BEYOND: Vec<Word> = "chinese/beyond.txt";
}

/// A number, with the text before and after it.
pub(crate) struct Figure<'t> {
    /// The text before it.
    pub before: &'t str,
    number: &'t str,
    /// The text after it.
    pub after: &'t str,
}

impl Figure<'_> {
    /// Whether the number is part of an English date, or says which one of a series is meant: "1 March 2020", "in
    /// 2002", "the Act of 2002", "the 5th", "2020-03-01".
    pub(crate) fn is_of_a_day(&self) -> bool {
        self.is_ordinal()
            || ['-', '.']
                .iter()
                .any(|sign| goes_on_twice(self.after, *sign))
            || self.is_beside_a_month()
            || (is_year(self.number.trim_end_matches(',')) && self.stands_as_a_year())
    }

    fn is_ordinal(&self) -> bool {
        ["st", "nd", "rd", "th"].iter().any(|end| {
            let rest = self.after.strip_prefix(*end);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }

    /// "1 March", "March 1", "March 2020", "March 1, 2020".
    fn is_beside_a_month(&self) -> bool {
        let after = self.after.strip_prefix("of ").unwrap_or(self.after);
        let mut before = self.before.trim_end();
        if is_year(self.number.trim_end_matches(',')) {
            let day = before.trim_end_matches(',').trim_end();
            before = day
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .trim_end();
        }
        is_month(first_word(after)) || is_month(last_word(before))
    }

    /// Whether a number that may be a year is used as one: "in 2002 the fee", "the Act of 2002", "from 2021 to 2022",
    /// but not "in 2000 cases".
    fn stands_as_a_year(&self) -> bool {
        let before = self.before.trim_end();
        let last = last_word(before).to_lowercase();
        let act = match last.as_str() {
            "of" => last_word(before[..before.len() - last.len()].trim_end()).to_lowercase(),
            _ => last.clone(),
        };
        let next = first_word(self.after);
        let is_currency = next.len() == 3 && next.chars().all(char::is_uppercase);
        let nothing_is_counted = self.number.ends_with(',')
            || match next.is_empty() {
                true => !self.after.starts_with(['%', '€', '$', '£']),
                false => {
                    BEHIND_A_YEAR.contains(&next)
                        || (next.starts_with(char::is_uppercase) && !is_currency)
                }
            };
        let goes_on = TO_ANOTHER_YEAR
            .iter()
            .filter_map(|to| self.after.strip_prefix(*to))
            .any(|rest| begins_with_year(rest.trim_start()));
        let began = TO_ANOTHER_YEAR
            .iter()
            .filter_map(|to| before.strip_suffix(*to))
            .any(|rest| ends_with_year(rest.trim_end()));
        ACTS.contains(&act.as_str())
            || goes_on
            || began
            || (BEFORE_A_YEAR.contains(&last.as_str()) && nothing_is_counted)
    }

    /// Whether the number counts units of time: "30 business days", "12 or 18 months". It does not in "5 euros a day",
    /// "5 per week" and "two weeks' pay".
    pub(crate) fn counts_time(&self) -> bool {
        let after = behind_a_range(self.after);
        let behind = after.trim_start_matches(|c: char| !c.is_alphabetic());
        let next = first_word(behind);
        let of_a_unit = behind[next.len()..].starts_with(['’', '\'']);
        begins_with_unit(after) && !BEFORE_A_UNIT.contains(&next) && !of_a_unit
    }

    /// The month or the day of a Chinese date with its year.
    pub(crate) fn is_of_a_date(&self) -> bool {
        let is_part = |c: char| c.is_ascii_digit() || is_chinese_numeral(c);
        let month = self.before.strip_suffix('月');
        let before = month.map_or(self.before, |before| before.trim_end_matches(is_part));
        let year = before.strip_suffix('年');
        self.after.starts_with(['月', '日']) && year.is_some_and(|year| year.ends_with(is_part))
    }

    /// The month or the day of a Chinese date without a year: 7月1日, 3月底.
    pub(crate) fn is_month_and_day(&self) -> bool {
        let is_part = |c: char| c.is_ascii_digit() || is_chinese_numeral(c);
        let month = self.before.strip_suffix('月');
        let is_day =
            self.after.starts_with('日') && month.is_some_and(|before| before.ends_with(is_part));
        let behind = self.after.strip_prefix('月');
        let is_month = behind.is_some_and(|behind| {
            let day = behind.trim_start_matches(is_part);
            (day.len() < behind.len() && day.starts_with('日'))
                || PARTS_OF_A_MONTH
                    .iter()
                    .any(|part| behind.starts_with(*part))
        });
        is_day || is_month
    }

    /// The text beside it up to the next mark, before it and after it.
    pub fn part(&self) -> (&str, &str) {
        let before = self.before.rsplit(ends_a_part).next().unwrap_or_default();
        let end = self.after.find(ends_a_part).unwrap_or(self.after.len());
        (before, &self.after[..end])
    }

    /// Whether a number in a Chinese text describes the case in which a rule applies: 期限超过一年的船舶, 一年期以上的保险,
    /// 在三个月内再次停泊的，…. Such a number is not the figure that the rule sets.
    pub(crate) fn is_of_a_case(&self) -> bool {
        let (before, after) = self.part();
        let ends_in_comma = self.after[after.len()..].starts_with([',', '，']);
        let is_unit = |c: char| UNITS_OF_CASES.contains(c);
        let beyond = BEYOND.iter().find_map(|word| before.strip_suffix(*word));
        let names_a_case = beyond.is_some_and(|rest| {
            let is_denied = DENIED.iter().any(|word| rest.ends_with(*word));
            !is_denied && after.trim_start_matches(is_unit).starts_with('的')
        });
        let of_a_term = after.trim_start_matches(is_unit).starts_with("期以");
        names_a_case || of_a_term || (ends_in_comma && after.ends_with('的'))
    }

    /// Whether one of these Chinese units follows it.
    pub(crate) fn has_unit(&self, units: &[&str]) -> bool {
        let once = self.after.starts_with("次性");
        !once && units.iter().any(|unit| self.after.starts_with(unit))
    }

    /// Whether a number in a Chinese text says how many and is not part of a word. The number of a grade or a kind does
    /// not count anything: 3级, 三类.
    pub fn counts(&self) -> bool {
        let in_digits = self.number.starts_with(|c: char| c.is_ascii_digit());
        let words: &[&str] = &["个", "人", "名", "家", "分"];
        let of_a_word = self.number == "一"
            && words.iter().any(|word| self.after.starts_with(word))
            && !begins_with_unit(self.after);
        // 万能, 百货 are words; 一百, 两万 are amounts.
        let is_large =
            self.number.ends_with(['万', '亿', '千', '百']) && self.number.chars().nth(1).is_some();
        let with_unit = is_large || self.has_unit(&UNITS_OF_AMOUNTS);
        let is_kind = self.after.starts_with(['级', '类']);
        (in_digits && !is_kind) || self.before.ends_with("分之") || (with_unit && !of_a_word)
    }
}

/// Characters that follow a number that says how many. In 同一, 一般 and 一个 the numeral does not say how many.
const UNITS_OF_AMOUNTS: [&str; 17] = [
    "元", "万", "亿", "倍", "次", "人", "名", "家", "年", "月", "日", "天", "周", "小时", "个",
    "分", "成",
];
/// Characters that may stand between a number and the word that shows that it describes a case: 三个月的.
const UNITS_OF_CASES: &str = "个年月日天周工作季度岁万亿元倍次人家%";
/// Words that make a bound of the word behind them: 不得超过.
const DENIED: [&str; 4] = ["不", "不得", "不应", "不能"];
/// What follows a month without a day.
const PARTS_OF_A_MONTH: [&str; 7] = ["底", "初", "末", "份", "上旬", "中旬", "下旬"];

/// Words before a year in which something is done.
const BEFORE_A_YEAR: [&str; 14] = [
    "in", "since", "until", "till", "from", "before", "after", "by", "during", "for", "to", "and",
    "year", "fy",
];
/// Words behind a year. Other words behind a number of four digits name what it counts.
const BEHIND_A_YEAR: [&str; 40] = [
    "the", "a", "an", "and", "or", "to", "by", "on", "in", "of", "at", "for", "with", "is", "are",
    "was", "were", "be", "has", "have", "had", "shall", "must", "may", "will", "should", "which",
    "that", "as", "when", "where", "if", "but", "under", "from", "it", "they", "this", "these",
    "those",
];
/// What stands between two years.
const TO_ANOTHER_YEAR: [&str; 4] = ["to", "and", "–", "-"];
/// Names of acts, behind which their year stands.
const ACTS: [&str; 16] = [
    "act",
    "acts",
    "agreement",
    "code",
    "constitution",
    "convention",
    "decree",
    "law",
    "laws",
    "order",
    "ordinance",
    "regulations",
    "rules",
    "statute",
    "statutes",
    "treaty",
];
/// What stands between the two numbers of a range or a choice.
const IN_A_RANGE: [&str; 5] = ["or ", "to ", "and ", "–", "-"];
/// Words between a number and a unit of time that the number does not count: "5 a day".
const BEFORE_A_UNIT: [&str; 16] = [
    "a", "an", "per", "each", "every", "for", "in", "of", "within", "on", "by", "at", "and", "or",
    "the", "to",
];

/// The text after the second number of a range or a choice: " months" in "or 18 months". A text that does not begin
/// with such a number is returned as it is.
fn behind_a_range(after: &str) -> &str {
    let to = IN_A_RANGE.iter().find_map(|to| after.strip_prefix(*to));
    let Some(rest) = to.map(str::trim_start) else {
        return after;
    };
    let word = first_word(rest);
    let behind = match english(&word.to_lowercase()) {
        Some(_) => &rest[word.len()..],
        None => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
    };
    if behind.len() < rest.len() {
        behind
    } else {
        after
    }
}

fn ends_a_part(c: char) -> bool {
    matches!(c, ',' | '，' | ';' | '；' | '。' | ':' | '：' | '、' | '\n')
}

fn is_month(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && MONTHS.contains(&word.to_lowercase().as_str())
}

fn is_year(number: &str) -> bool {
    let value = number.parse::<u32>().ok().filter(|_| number.len() == 4);
    value.is_some_and(|value| (1800..2200).contains(&value))
}

fn begins_with_year(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    is_year(&text[..text.len() - rest.len()])
}

fn ends_with_year(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    is_year(&text[before.len()..])
}

/// Whether a text begins with a sign, one or two digits, the same sign again, and a digit: "-03-01" in a date, ".15.7"
/// in the number of a rule. The result is false for ".000.000", because its signs separate thousands.
fn goes_on_twice(text: &str, sign: char) -> bool {
    let Some(rest) = text.strip_prefix(sign) else {
        return false;
    };
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let next = behind.strip_prefix(sign);
    (1..=2).contains(&(rest.len() - behind.len()))
        && next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
}

/// The numbers of a text that name nothing: none of a clause, of an act, of a year or of a category.
pub(crate) fn figures(text: &str) -> impl Iterator<Item = Figure<'_>> {
    let chinese = text.chars().any(is_han);
    starts(text, chinese).filter_map(move |(at, length)| {
        let before = &text[..at];
        let after = text[at + length..].trim_start();
        let number = &text[at..at + length];
        let of_a_clause = before.ends_with(['第', '〔', '(', '（', '.', '/', '-'])
            || (chinese && (length == 4 || is_year_in_numerals(number)) && after.starts_with('年'))
            || (chinese && after.starts_with(['条', '章', '节', '款', '项', '号', '〕', '、']))
            || (chinese && names_a_chinese_kind(before))
            || after.starts_with([')', '）', '/', ']'])
            || (!chinese && CODES.iter().any(|code| after.starts_with(code)))
            || (!chinese && before.trim_end().ends_with('§'))
            || (!chinese && (is_label(before, after) || is_of_a_footnote(before, after)))
            || (!chinese && (names_a_place(before) || ends_with_code(before)))
            || names_a_kind(before, after);
        (!of_a_clause).then_some(Figure {
            before,
            number,
            after,
        })
    })
}

/// The places of the numbers of a text with their lengths, in digits or in words.
fn starts(text: &str, chinese: bool) -> impl Iterator<Item = (usize, usize)> {
    let is_part = move |c: char| c.is_ascii_digit() || (chinese && is_chinese_numeral(c));
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        if is_part(c) || (c == ',' && runs.last().is_some_and(|(s, n)| s + n == at)) {
            match runs.last_mut() {
                Some((start, length)) if *start + *length == at => *length += c.len_utf8(),
                _ if c != ',' => runs.push((at, c.len_utf8())),
                _ => {}
            }
        }
    }
    if !chinese {
        let mut at = 0;
        for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '-') {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            // "one" stands for a person or a thing more often than for a number, but not in "one month".
            let of_time = |number: u32| number == 1 && begins_with_unit(&text[at + bare.len()..]);
            if english(&bare.to_lowercase()).is_some_and(|n| n > 1 || of_time(n)) {
                runs.push((at, bare.len()));
            }
            at += word.len();
        }
    }
    runs.into_iter()
}

/// Whether a text behind a number begins with a unit of time.
pub(crate) fn begins_with_unit(after: &str) -> bool {
    if after.starts_with(|c: char| is_han(c)) {
        let after = after.strip_prefix('个').unwrap_or(after);
        return CHINESE_UNITS.iter().any(|unit| after.starts_with(unit));
    }
    // "30 business days", "thirty (30) calendar days", "12-month".
    after
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .split(|c: char| !c.is_alphabetic())
        .take(2)
        .any(|word| ENGLISH_UNITS.contains(&word.to_lowercase().as_str()))
}
