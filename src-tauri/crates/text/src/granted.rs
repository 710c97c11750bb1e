//! What a question takes for granted: "since the bank need not report …", "why must …", "the 30-day period".

use crate::lists::Word;
use crate::numerals::{english, is_chinese_numeral};
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// English phrases.
    ENGLISH: Vec<Word> = "english/takes_for_granted.txt";
    /// Verbs after "why".
    HELPING: Vec<Word> = "english/helping_verbs.txt";
    /// Chinese words.
    CHINESE: Vec<Word> = "chinese/takes_for_granted.txt";
    /// Chinese words after what is said.
    ASSERTS: Vec<Word> = "chinese/asserts.txt";
    /// The endings of an English question that ask whether a statement is true.
    TAGS: HashSet<Word> = "english/question_tags.txt";
    /// Chinese words that say that something need not be done.
    NEED_NOT: Vec<Word> = "chinese/need_not.txt";
    /// Units of a figure by which something is named in Chinese.
    UNITS: Vec<Word> = "chinese/units_of_figures.txt";
}

/// What ends a clause of a question.
const ENDS: [char; 7] = [',', '，', '?', '？', ';', '；', '。'];

/// The clause that a question takes for granted; `None` if it takes none.
pub fn clause(question: &str) -> Option<&str> {
    let lower = question.to_lowercase();
    // Lower case may be of another length in other scripts; then nothing is cut out.
    if lower.len() != question.len() {
        return None;
    }
    let begins = |at: usize| {
        let before = lower[..at].trim_end();
        before.is_empty() || before.ends_with([',', '.', ';'])
    };
    let english = ENGLISH.iter().filter_map(|word| {
        let mut places = lower.match_indices(word).map(|(at, _)| at);
        let at = places.find(|at| {
            let rest = &lower[at + word.len()..];
            begins(*at) && rest.starts_with(' ') && (**word != *"as" || states(rest))
        })?;
        Some((at, at + word.len()))
    });
    let why = lower.match_indices("why ").find_map(|(at, why)| {
        let rest = &lower[at + why.len()..];
        let verb = rest.split(' ').next()?;
        (begins(at) && HELPING.contains(&verb)).then_some((at, at + why.len()))
    });
    let chinese = CHINESE.iter().filter_map(|word| {
        let at = question.find(word)?;
        Some((at, at + word.len()))
    });
    // The first phrase counts, and of those that begin at one place the longest.
    let (_, from) = english
        .chain(why)
        .chain(chinese)
        .min_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)))?;
    Some(until_the_end(question.get(from..)?))
}

/// Whether what follows "as" states something: "as a bank must report" does, "as required by Rule 4.2" only names a place,
/// and "as a bank with branches" only says who asks.
fn states(rest: &str) -> bool {
    let mut words = until_the_end(rest).split_whitespace();
    words.next().is_some_and(|first| !HELPING.contains(&first))
        && words.any(|w| HELPING.contains(&w))
}

/// What a question states before it asks whether this is true: "停泊费由船长缴，对吗？", "The fee is due at night, right?". `None`
/// for other questions.
pub fn asserted(question: &str) -> Option<&str> {
    if let Some(said) = before_tag(question) {
        // The last clause: "a fee is due" in "If it is late, a fee is due, right?"
        let ends = [", ", "; ", ". ", "? "];
        let last = ends.iter().filter_map(|end| said.rfind(end));
        let from = last.max().map_or(0, |at| at + 2);
        return said.get(from..);
    }
    let ends = ['？', '?', '，', ',', ' '];
    let question = question.trim_end_matches(ends);
    // "停泊不用登记吧"
    let last = question
        .strip_suffix('吧')
        .map(|said| said.rsplit(ENDS).next().unwrap_or(said).trim());
    if let Some(said) = last.filter(|said| need_not(said).is_some()) {
        return Some(said);
    }
    let said = ASSERTS
        .iter()
        .find_map(|word| question.strip_suffix(*word))?;
    // Without a comma it is the end of another question: "该缴的是吗".
    let said = said.strip_suffix(['，', ','])?;
    Some(said.rsplit(ENDS).next().unwrap_or(said).trim())
}

/// What a Chinese assumption says need not be done: 登记 in 停泊不需要登记. `None` if it says nothing of the kind.
pub fn denied(assumed: &str) -> Option<&str> {
    let (_, end) = need_not(assumed)?;
    assumed.get(end..)
}

/// A Chinese assumption in which the word for "need not" is replaced by a blank, so that only the subject remains.
pub fn without_denial(assumed: &str) -> String {
    match need_not(assumed) {
        Some((from, end)) => format!("{} {}", &assumed[..from], &assumed[end..]),
        None => assumed.to_owned(),
    }
}

/// The place of the first such word; of those that begin there the longest. 不用于 and 不必要 are other words.
fn need_not(assumed: &str) -> Option<(usize, usize)> {
    let places = NEED_NOT.iter().filter_map(|word| {
        let at = assumed.find(*word)?;
        let end = at + word.len();
        (!assumed[end..].starts_with(['于', '要'])).then_some((at, end))
    });
    places.min_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)))
}

/// An English question without what it asks at its end: "right?", "isn't it?". `None` if it asks in another way.
pub(crate) fn before_tag(question: &str) -> Option<&str> {
    let (said, tag) = question
        .trim_end()
        .strip_suffix('?')?
        .trim_end()
        .rsplit_once(", ")?;
    let tag = tag.replace('’', "'").to_lowercase();
    let turned = tag
        .split_once(' ')
        .is_some_and(|(verb, who)| TURNED.contains(&who) && HELPING.contains(&verb));
    (turned || TAGS.contains(tag.as_str())).then(|| said.trim())
}

/// The words that follow the verb in such an ending: "isn't it", "do we".
const TURNED: [&str; 8] = ["it", "they", "we", "he", "she", "i", "you", "there"];

/// Parts of a question that name something by a figure as if that were settled: "the 30-day period for …", "停泊三天的期限".
pub fn figures(question: &str) -> Vec<&str> {
    let mut found: Vec<&str> = question.split(ENDS).filter_map(chinese_figure).collect();
    for article in ["the ", "The "] {
        for (at, _) in question.match_indices(article) {
            let whole_word = question[..at].chars().next_back().is_none_or(|c| c == ' ');
            let rest = &question[at + article.len()..];
            let figure: usize = rest.find(' ').unwrap_or(rest.len());
            let said = &rest[..figure];
            // "The one" and "the two" name things and count none.
            let in_words = said.split('-').next().unwrap_or_default().to_lowercase();
            let fewest = if said.contains('-') { 2 } else { 3 };
            let counts = english(&in_words).is_some_and(|number| number >= fewest);
            if whole_word && (counts || said.starts_with(|c: char| c.is_ascii_digit())) {
                found.push(until_the_end(rest));
            }
        }
    }
    found
}

/// The part of a Chinese clause up to what it names by a figure: a number with a unit, 的, and a noun.
fn chinese_figure(clause: &str) -> Option<&str> {
    let clause = clause.trim();
    let is_number = |c: char| c.is_ascii_digit() || is_chinese_numeral(c);
    let mut places = clause.match_indices('的');
    let (at, of) = places.find(|(at, _)| {
        let before = &clause[..*at];
        let unit = UNITS.iter().find_map(|unit| before.strip_suffix(unit));
        // "2024年的期限" names a year.
        let is_year = |number: &str| {
            let digits = number.len() - number.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            digits == 4 && before.ends_with('年')
        };
        unit.is_some_and(|number| number.ends_with(is_number) && !is_year(number))
    })?;
    let noun = &clause[at + of.len()..];
    let ends = AFTER_A_NOUN.iter().filter_map(|word| noun.find(word));
    let length = ends.min().unwrap_or(noun.len());
    // A loan of an amount may be an example; a term or a limit is what a rule sets.
    let is_set = SET_BY_RULES
        .iter()
        .any(|word| noun[..length].contains(word));
    is_set.then_some(&clause[..at + of.len() + length])
}

/// Words for what rules set.
const SET_BY_RULES: [&str; 10] = [
    "期限", "时限", "期间", "限额", "上限", "下限", "最低", "最高", "比例", "标准",
];
/// Words that end the noun after it.
const AFTER_A_NOUN: [&str; 20] = [
    "可以", "可否", "能", "是", "应", "要", "从", "由", "自", "怎", "如何", "什么", "哪", "有",
    "何", "多", "吗", "到", "起", "包",
];

fn until_the_end(rest: &str) -> &str {
    let ends = |at: usize, c: char| {
        // "10,000" is one figure.
        let inside = c == ',' && rest[at + 1..].starts_with(|next: char| next.is_ascii_digit());
        ENDS.contains(&c) && !inside
    };
    let end = rest.char_indices().find(|(at, c)| ends(*at, *c));
    rest[..end.map_or(rest.len(), |(at, _)| at)].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_takes_for_granted_is_found() {
        for (question, expected) in [
            (
                "Since the controller need not notify the authority, whom does it tell?",
                Some("the controller need not notify the authority"),
            ),
            (
                "Why must the broker report losses above EUR 10,000 to the exchange?",
                Some("must the broker report losses above EUR 10,000 to the exchange"),
            ),
            (
                "Is it true that a fee is due within 5 days?",
                Some("a fee is due within 5 days"),
            ),
            ("Why is it that no report is due?", Some("no report is due")),
            ("Whom does the controller tell?", None),
            (
                "As a bank must not lend to its owners, what follows?",
                Some("a bank must not lend to its owners"),
            ),
            (
                "What format has a notice, as required by Rule 12.15.2(b)?",
                None,
            ),
            ("As per Rule 3.3.3(b), what is due?", None),
            ("As is said in Rule 3, what is due?", None),
            (
                "As a small bank with three branches, what do we file?",
                None,
            ),
            ("How is it paid as long as it lasts?", None),
            ("What reason has the bank, and why?", None),
            (
                "既然银行不得向股东发放贷款，应当如何处理？",
                Some("银行不得向股东发放贷款"),
            ),
            ("为什么银行无需报告重大事项？", Some("银行无需报告重大事项")),
            ("İİ since it is so, what then?", None),
        ] {
            assert_eq!(clause(question), expected, "{question}");
        }
    }

    #[test]
    fn what_a_question_says_is_found() {
        for (question, expected) in [
            ("停泊费由船长缴，对吗？", Some("停泊费由船长缴")),
            ("听说，停泊费不用缴，是不是这样", Some("停泊费不用缴")),
            ("停泊费由船长缴吗？", None),
            ("对吗？", None),
            ("听说，停泊不需要登记吧？", Some("停泊不需要登记")),
            ("停泊费不用缴，对吧？", Some("停泊费不用缴")),
            ("停泊费由船长缴吧？", None),
            ("停泊费不用于修船吧？", None),
            (
                "A fee is due at night, right?",
                Some("A fee is due at night"),
            ),
            (
                "If it is late, the fee is 10,000 euros, isn’t it?",
                Some("the fee is 10,000 euros"),
            ),
            ("Pilots need no lamp, do they?", Some("Pilots need no lamp")),
            ("Who is right, the pilot or the master?", None),
            ("Is it paid by the master, the pilot?", None),
            ("Right?", None),
            ("Is it so?", None),
        ] {
            assert_eq!(asserted(question), expected, "{question}");
        }
    }

    #[test]
    fn what_need_not_be_done_is_found() {
        for (assumed, expected, rest) in [
            ("停泊不需要登记", Some("登记"), "停泊 登记"),
            ("停泊用不着登记", Some("登记"), "停泊 登记"),
            ("船长可以不登记", Some("登记"), "船长 登记"),
            ("停泊费不用于修船", None, "停泊费不用于修船"),
            ("不必要的停泊", None, "不必要的停泊"),
            ("停泊要登记", None, "停泊要登记"),
            ("no report is due", None, "no report is due"),
        ] {
            assert_eq!(denied(assumed), expected, "{assumed}");
            assert_eq!(without_denial(assumed), rest);
        }
    }

    #[test]
    fn settled_figures_are_found() {
        for (question, expected) in [
            (
                "When does the 30-day period for notifying a breach begin?",
                vec!["30-day period for notifying a breach begin"],
            ),
            (
                "Who pays the 10,000 EUR fee, and when?",
                vec!["10,000 EUR fee"],
            ),
            (
                "Who may extend the three-month term of a berth?",
                vec!["three-month term of a berth"],
            ),
            ("Who pays in the ten days?", vec!["ten days"]),
            ("Which of the two pays?", vec![]),
            ("Who is on the one-off list?", vec![]),
            ("Within how many days must the bank report?", vec![]),
            ("Does a bank with 30 employees report?", vec![]),
            ("停泊一般十年的期限可以延长吗？", vec!["停泊一般十年的期限"]),
            ("船长，5万元的最低停泊费由谁缴？", vec!["5万元的最低停泊费"]),
            ("停泊三年的船怎么缴费？", vec![]),
            ("停泊2024年的期限是什么？", vec![]),
            ("停泊的期限有几年？", vec![]),
        ] {
            assert_eq!(figures(question), expected, "{question}");
        }
    }
}
