//! What an answer must contain according to the question: a list, an amount or a length of time.

mod beside;
mod extent;
mod figure_names;
mod measured;

pub use beside::{Beside, beside};
pub use figure_names::{is_of_its_name, name_of_the_figure};
pub use measured::{bounded, counted, kept, measured};

use crate::calendar::MONTHS;
use crate::figures::{ENGLISH_UNITS, Figure, begins_with_unit, figures};
use crate::lists::Word;
use crate::numerals::{english, is_chinese_numeral};
use crate::script::is_han;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// English phrases that ask for several things.
    ENGLISH_LIST: Vec<Word> = "english/asks_for_a_list.txt";
    /// English phrases that ask for an amount.
    ENGLISH_AMOUNT: Vec<Word> = "english/asks_for_an_amount.txt";
    /// English phrases that ask for a length of time or a date.
    ENGLISH_TIME: Vec<Word> = "english/asks_for_a_time.txt";
    /// English words that tell an amount without a figure.
    AMOUNTS_IN_WORDS: HashSet<Word> = "english/amounts_in_words.txt";
    /// English words that tell a time without a figure.
    TIMES_IN_WORDS: HashSet<Word> = "english/times_in_words.txt";
    /// English words that tell how often without a figure.
    OFTEN_IN_WORDS: HashSet<Word> = "english/often_in_words.txt";
    /// Chinese words that ask for several things.
    CHINESE_LIST: Vec<Word> = "chinese/asks_for_a_list.txt";
    /// Chinese words that ask for an amount.
    CHINESE_AMOUNT: Vec<Word> = "chinese/asks_for_an_amount.txt";
    /// Chinese words that ask for a length of time or a date.
    CHINESE_TIME: Vec<Word> = "chinese/asks_for_a_time.txt";
    /// English words for sums that are paid or counted.
    SUMS: HashSet<Word> = "english/sums.txt";
    /// Chinese words of a question for a figure that a case may tell.
    ASKS_FOR_A_CASE: Vec<Word> = "chinese/asks_for_a_case.txt";
}

/// The content that a text must have to be the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Several things, one after the other.
    List,
    /// A number that is no number of a clause.
    Amount,
    /// A number of days, months or years.
    Time,
    /// A number of characters, pages, metres or the like.
    Extent,
}

/// The content that a question asks for, if its words show it.
pub fn of_question(question: &str) -> Option<Expected> {
    let has = |list: &[Word], text: &str| list.iter().any(|word| text.contains(word));
    if question.chars().any(is_han) {
        let kinds = [
            (&CHINESE_TIME, Expected::Time),
            (&CHINESE_AMOUNT, Expected::Amount),
            (&CHINESE_LIST, Expected::List),
        ];
        return kinds
            .into_iter()
            .find(|(words, _)| has(words, question))
            .map(|(_, kind)| kind);
    }
    let words: Vec<String> = question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if extent::is_asked_for(&words) {
        return Some(Expected::Extent);
    }
    let text = format!(" {} ", words.join(" "));
    let kinds = [
        (&ENGLISH_TIME, Expected::Time),
        (&ENGLISH_AMOUNT, Expected::Amount),
        (&ENGLISH_LIST, Expected::List),
    ];
    let asks = |list: &[Word]| {
        list.iter()
            .any(|phrase| text.contains(&format!(" {phrase} ")))
    };
    let by_a_list = kinds.into_iter().find(|(list, _)| asks(list));
    let of_a_bound = || asks_for_a_bound(&words).then_some(Expected::Amount);
    by_a_list.map(|(_, kind)| kind).or_else(of_a_bound)
}

/// Whether a question asks for a figure: an amount, a time or an extent.
pub fn asks_for_a_figure(question: &str) -> bool {
    of_question(question).is_some_and(|wanted| wanted != Expected::List)
}

/// Whether an English question asks for a bound that it names behind the thing: "What is the deposit minimum for …?"
fn asks_for_a_bound(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["what", "is" | "are", "the" | "a", rest @ ..] = words.as_slice() else {
        return false;
    };
    let named = rest
        .iter()
        .take_while(|word| !BEHIND_A_BOUND.contains(word));
    named.last().is_some_and(|word| BOUNDS.contains(word))
}

/// Words for a bound behind the thing that has it.
const BOUNDS: [&str; 4] = ["minimum", "minimums", "maximum", "maximums"];
/// Words behind the thing that is asked for.
const BEHIND_A_BOUND: [&str; 11] = [
    "for", "of", "on", "if", "when", "under", "in", "to", "at", "that", "which",
];

/// Whether a question asks for the content of something: "What must the notice contain?" The subject is between the
/// question word and the verb, so this function compares only the beginning and the last word.
pub fn asks_what_is_in_it(question: &str) -> bool {
    let lower = question.to_lowercase();
    let asked = lower
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .trim_end_matches(" at least");
    let last = asked.rsplit(' ').next().unwrap_or_default();
    let asks = [
        "what must ",
        "what shall ",
        "what should ",
        "what does ",
        "what do ",
    ];
    asks.iter().any(|begin| asked.starts_with(begin)) && CONTAINING.contains(&last)
}

/// Verbs that are followed by the content of something.
const CONTAINING: [&str; 9] = [
    "contain", "include", "state", "specify", "describe", "comprise", "indicate", "cover", "say",
];

/// Whether a Chinese text contains the figure that a question asks for. The result is also true if the question asks
/// for no figure, or for a time that can be told without a figure ("什么时候生效").
pub fn is_told(question: &str, text: &str) -> bool {
    let asks_for = |words: &[&str]| words.iter().any(|word| question.contains(word));
    if asks_for(&MOMENTS) {
        return true;
    }
    // What a rule says of a case does not tell what it sets, unless the case is asked for.
    let by_a_case = asks_for(&ASKS_FOR_A_CASE) || asks_from_which_figure_on(question);
    let may_tell = |f: &Figure<'_>| by_a_case || !f.is_of_a_case();
    match of_question(question) {
        Some(Expected::Time) => {
            let by_a_word = || WORDS_OF_TIME.iter().any(|word| text.contains(word));
            let tells = |f: &Figure<'_>| !f.is_of_a_date() && begins_with_unit(f.after);
            figures(text).any(|f| tells(&f) && may_tell(&f)) || by_a_word()
        }
        Some(Expected::Amount) => {
            let counted = COUNTED.iter().find(|(words, _)| asks_for(words));
            let may_be_free = counted.is_none_or(|(_, units)| units.contains(&"元"));
            let is_free = || FREE.iter().any(|word| text.contains(word));
            let of_things = asks_for(&THINGS);
            // A time is no sum, and neither are a number of things, a number of people and an age.
            let of_money = asks_for(&MONEY) && !asks_for_a_time_of(question);
            // 费 in 消费 is no sum.
            let of_consumers = question.contains("消费");
            let tells = |f: &Figure<'_>| {
                let is_time = (of_money || of_things) && begins_with_unit(f.after);
                let is_sum = of_things && f.has_unit(&["元", "万元", "亿元"]);
                let counts = f.counts() || (of_things && f.has_unit(&["个"]));
                let is_of_people = of_money && !of_consumers && f.has_unit(&OF_PEOPLE);
                let is_other = is_time || is_sum || is_of_people;
                counts && !is_other && !f.is_of_a_date() && !f.is_month_and_day()
            };
            (may_be_free && is_free())
                || figures(text).filter(may_tell).any(|f| match counted {
                    Some((_, units)) => f.has_unit(units),
                    None => tells(&f),
                })
        }
        _ => true,
    }
}

/// Whether a Chinese question asks for the smallest figure for which something must or may be done: 停泊几天要登记 ("after how
/// many days of mooring must one register"). The result is false for a question with 几天内 ("within how many days"),
/// because it asks for a time limit.
fn asks_from_which_figure_on(question: &str) -> bool {
    let asking = ["多少", "几"]
        .iter()
        .find_map(|word| question.split_once(word));
    let (_, behind) = asking.unwrap_or_default();
    let part = behind.split(['，', ',', '；', ';', '？', '?']).next();
    let part = part.unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|word| part.contains(word));
    has(&DONE_FROM_THERE_ON) && !has(&SET)
}

/// Words behind a figure of a case that must or may be done.
const DONE_FROM_THERE_ON: [&str; 6] = ["要", "需", "应", "须", "就", "可以"];
/// Words behind a figure with which it is no case.
const SET: [&str; 2] = ["内", "前"];

/// Whether a Chinese question asks for a time, and a text says how soon without a figure.
pub fn tells_how_soon(question: &str, text: &str) -> bool {
    let is_soon = || SOON.iter().any(|word| text.contains(word));
    of_question(question) == Some(Expected::Time) && question.chars().any(is_han) && is_soon()
}

/// Whether a Chinese question asks for a date (几月几号) and a text gives one (每年4月30日前). A number of months or days is not
/// a date.
pub fn tells_the_day(question: &str, text: &str) -> bool {
    let asks = DAYS.iter().any(|word| question.contains(word));
    asks && figures(text).any(|f| f.is_month_and_day())
}

/// Words that ask for a day of the calendar.
const DAYS: [&str; 3] = ["几月几", "几月份", "几号"];
/// Words for how soon something is done.
const SOON: [&str; 4] = ["及时", "立即", "尽快", "尽早"];
/// Words that ask for a moment.
const MOMENTS: [&str; 9] = [
    "何时",
    "什么时候",
    "什么时间",
    "哪天",
    "几月几",
    "几月份",
    "几号",
    "算起",
    "起算",
];
/// A time without a number.
const WORDS_OF_TIME: [&str; 9] = [
    "每年",
    "每季",
    "每月",
    "每日",
    "每周",
    "每半年",
    "当日",
    "次日",
    "立即",
];
/// An amount that is nothing.
const FREE: [&str; 6] = ["免缴", "免交", "免收", "免征", "免费", "不收"];
/// Words that ask for a number of something, and the words that follow the number.
const COUNTED: [(&[&str], &[&str]); 9] = [
    (&["多少次", "几次"], &["次"]),
    (&["多少倍", "几倍"], &["倍"]),
    (&["多少分"], &["分"]),
    (&["多少家", "几家"], &["家"]),
    (
        &[
            "多少人",
            "多少名",
            "多少位",
            "几人",
            "几名",
            "几位",
            "几个人",
        ],
        &["人", "名", "位"],
    ),
    (&["多少级", "几级"], &["级"]),
    (&["多少种", "多少类", "几种"], &["种", "类"]),
    (&["多少份", "几份"], &["份"]),
    (&["多少钱", "多少元", "多少万"], &["元", "万元", "亿元"]),
];
/// Words that ask for a number of things without saying how they are counted.
const THINGS: [&str; 2] = ["多少个", "几个"];
/// Words for sums that are paid.
const MONEY: [&str; 9] = [
    "罚款",
    "费",
    "金额",
    "资本",
    "价",
    "税",
    "工资",
    "薪",
    "保证金",
];
/// Words of a question that may ask for a time, even if it names a sum.
const OF_TIME: [&str; 7] = ["期", "时", "长", "久", "年", "月", "天"];
/// Times before 多少 in a question for what is paid in each of them.
const PAID_IN: [&str; 8] = [
    "一个月",
    "每个月",
    "每月",
    "一年",
    "每年",
    "一天",
    "每天",
    "一次",
];
/// Words behind a number of people, and behind an age.
const OF_PEOPLE: [&str; 5] = ["周岁", "岁", "人", "名", "位"];

/// Whether a Chinese question that names a sum may ask for a time: 停泊费几年交一次. With 停泊费一年多少 it asks for the sum.
fn asks_for_a_time_of(question: &str) -> bool {
    let mut rest = question.to_owned();
    for time in PAID_IN {
        rest = rest.replace(&format!("{time}多少"), "");
    }
    OF_TIME.iter().any(|word| rest.contains(word))
}

impl Expected {
    /// Whether a sentence contains it, or introduces the list that does: "The notice states:".
    pub fn is_in_sentence(self, sentence: &str) -> bool {
        let leads_in = sentence.trim_end().ends_with([':', '：']);
        self.is_in(sentence) || (self == Self::List && leads_in)
    }

    /// Whether a text holds it.
    pub fn is_in(self, text: &str) -> bool {
        match self {
            Self::List => items(text) >= 2,
            Self::Amount => figures(text).any(|figure| !figure.is_of_a_day()),
            Self::Time => figures(text).any(|figure| begins_with_unit(figure.after)),
            Self::Extent => figures(text).any(|figure| extent::is_one(&figure)),
        }
    }
}

/// Whether English words have a day of a month, or a year: "in 2002".
fn has_date(words: &[String]) -> bool {
    let begins_with_digit = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let is_year = |word: &str| {
        let number = word.parse::<u32>().ok().filter(|_| word.len() == 4);
        number.is_some_and(|number| (1800..2200).contains(&number))
    };
    words.windows(2).any(|pair| match pair {
        [one, other] => {
            let in_month = |word: &String| MONTHS.contains(&word.as_str());
            (in_month(one) && begins_with_digit(other))
                || (begins_with_digit(one) && in_month(other))
                || (BEFORE_A_YEAR.contains(&one.as_str()) && is_year(other))
        }
        _ => false,
    })
}

/// Words before a year in which something is done. "Of 2002" names an act.
const BEFORE_A_YEAR: [&str; 6] = ["in", "since", "until", "from", "before", "after"];
/// Words for how soon something is done.
const HOW_SOON: [&str; 3] = ["immediately", "promptly", "forthwith"];
/// Words for how often something is done.
const HOW_OFTEN: [&str; 6] = [
    "annually",
    "yearly",
    "quarterly",
    "monthly",
    "weekly",
    "daily",
];

/// Whether English words say how often something is done: "on an annual basis", "once a year", "every three years", "in
/// each cycle", "three times".
fn recurs(words: &[String]) -> bool {
    let is_span = |word: &String| {
        let word = word.as_str();
        ENGLISH_UNITS.contains(&word) || matches!(word, "cycle" | "cycles")
    };
    words.iter().enumerate().any(|(at, word)| {
        let mut behind = words.iter().skip(at + 1).take(3);
        match word.as_str() {
            "each" | "every" | "per" | "once" | "twice" => behind.any(is_span),
            "annual" | "regular" | "quarterly" => behind.next().is_some_and(|w| w == "basis"),
            "times" => {
                let before = at.checked_sub(1).and_then(|at| words.get(at));
                before.is_some_and(|w| w.parse::<u32>().is_ok() || english(w).is_some())
            }
            _ => false,
        }
    })
}

/// How many labels of items a text has: "(a)", "（二）", "(iii)".
fn items(text: &str) -> usize {
    let mut count = 0;
    for (at, open) in text.match_indices(['(', '（']) {
        let rest = &text[at + open.len()..];
        let label: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
        let closed = rest[label.len()..].starts_with([')', '）']);
        let short = label.chars().count() <= 4;
        let plain = label.chars().all(|c| c.is_ascii_digit())
            || label.chars().all(is_chinese_numeral)
            || label.chars().count() == 1
            || crate::numerals::roman(&label).is_some();
        count += usize::from(closed && !label.is_empty() && short && plain);
    }
    count
}

#[cfg(test)]
mod tests;
