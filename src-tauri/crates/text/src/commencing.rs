//! Questions for the day from which an act applies, and sentences that tell it.

use crate::expected::Beside;
use crate::script::is_han;
use crate::words::words;

/// How a question asks for the beginning of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// For the day: "When does the Act enter into force?"
    ForTheDay,
    /// For the day, or for the cases to which the act applies: "When does the Act apply?"
    ForTheDayOrTheCases,
}

/// Words with which such a question begins; longer ones before shorter ones.
const BEGINS: [&[&str]; 9] = [
    &["as", "of", "when"],
    &["from", "which", "date"],
    &["from", "what", "date"],
    &["on", "which", "date"],
    &["on", "what", "date"],
    &["what", "date"],
    &["from", "when"],
    &["since", "when"],
    &["when"],
];
const HELPING: [&str; 10] = [
    "does", "do", "did", "will", "shall", "is", "are", "was", "were", "has",
];
/// Words for an act.
const ACTS: [&str; 22] = [
    "regulation",
    "regulations",
    "directive",
    "act",
    "law",
    "laws",
    "guideline",
    "guidelines",
    "guidance",
    "rule",
    "rules",
    "rulebook",
    "decision",
    "ordinance",
    "standard",
    "standards",
    "circular",
    "code",
    "statute",
    "decree",
    "policy",
    "document",
];
/// Words with which such a question ends.
const ENDS: [&[&str]; 16] = [
    &["start", "to", "apply"],
    &["begin", "to", "apply"],
    &["enter", "into", "force"],
    &["entered", "into", "force"],
    &["come", "into", "force"],
    &["came", "into", "force"],
    &["come", "into", "effect"],
    &["take", "effect"],
    &["taken", "effect"],
    &["become", "effective"],
    &["become", "applicable"],
    &["become", "binding"],
    &["in", "force"],
    &["effective"],
    &["applicable"],
    &["apply"],
];
/// Questions that name the day itself, as they begin.
const NAMED: [&str; 5] = [
    "what is the effective date",
    "what is the application date",
    "what is the date of application",
    "what is the date of entry into force",
    "what is the commencement date",
];

/// Words by which a Chinese question asks for a day.
const CHINESE_DAYS: [&str; 12] = [
    "什么时候",
    "什么时间",
    "何时",
    "哪一天",
    "哪天",
    "哪年",
    "几月几号",
    "几月几日",
    "几号",
    "多久",
    "啥时候",
    "哪个日期",
];
/// Chinese words for the beginning of an act; longer ones before shorter ones.
const CHINESE_BEGINNINGS: [&str; 6] = ["起施行", "施行", "实施", "生效", "执行", "适用"];
/// Chinese words of such a question that say nothing more.
const CHINESE_REST: [&str; 10] = [
    "开始", "正式", "从", "自", "起", "是", "的", "才", "会", "算",
];
/// If more characters are left of such a question than the name of an act has, it asks for something else.
const LEFT: usize = 2;

/// Whether a Chinese question asks for the beginning of an act and for nothing else: 《港口法》什么时候开始施行？ `named` is the number of
/// characters by which it names an act.
pub fn is_asked_in_chinese(question: &str, named: usize) -> bool {
    let day = CHINESE_DAYS.iter().find(|day| question.contains(**day));
    let beginning = CHINESE_BEGINNINGS
        .iter()
        .find(|word| question.contains(**word));
    let (Some(day), Some(beginning)) = (day, beginning) else {
        return false;
    };
    let mut rest = question.replacen(day, "", 1).replacen(beginning, "", 1);
    for word in CHINESE_REST {
        rest = rest.replace(word, "");
    }
    let left = rest.chars().filter(|c| is_han(*c)).count();
    named > 0 && left <= named + LEFT
}

/// Whether a Chinese sentence of an act tells from when the act applies: 本法自2021年5月1日起施行。
pub fn is_told_in_chinese(sentence: &str) -> bool {
    let begins = ["起施行", "起实施", "起生效", "起执行", "起正式施行"];
    let Some(at) = begins.iter().filter_map(|begin| sentence.find(begin)).min() else {
        return false;
    };
    let before = &sentence[..at];
    before.contains('自') && (before.contains('本') || before.starts_with(['(', '（']))
}

/// An English question for the beginning of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How it asks.
    pub asks: Asks,
    /// The words by which it names the act, in lower case, without words for any act: "pilots" in "the guidelines on
    /// pilots".
    pub named: Vec<String>,
}

/// Whether an English question asks for the beginning of an act, and how. "When does the exemption apply?" does not.
pub fn asked_for(question: &str) -> Option<Asked> {
    if question.chars().any(is_han) {
        return None;
    }
    let lower = question.trim().to_lowercase();
    if let Some(rest) = NAMED.iter().find_map(|begin| lower.strip_prefix(begin)) {
        let rest = words(rest);
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        return Some(Asked {
            asks: Asks::ForTheDay,
            named: which(&rest),
        });
    }
    let all = words(question);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let rest = BEGINS.iter().find_map(|begin| all.strip_prefix(*begin))?;
    let (helping, rest) = rest.split_first()?;
    let end = ENDS.iter().find(|end| rest.ends_with(end))?;
    let named = &rest[..rest.len() - end.len()];
    let act = named.last()?;
    // "The guidelines on pilots".
    let begins_with_act = match named {
        [
            "the" | "this" | "these",
            act,
            "on" | "of" | "for" | "about",
            ..,
        ] => ACTS.contains(act),
        _ => false,
    };
    // A name of capitals, as people call an act.
    let is_name = || {
        question
            .split(|c: char| !c.is_alphanumeric())
            .any(|written| written.to_lowercase() == *act && is_of_capitals(written))
    };
    let is_of_an_act =
        HELPING.contains(helping) && (begins_with_act || ACTS.contains(act) || is_name());
    let is_of_either = *end == ["apply"] && all[0] == "when" && matches!(*helping, "does" | "do");
    is_of_an_act.then(|| Asked {
        asks: match is_of_either {
            true => Asks::ForTheDayOrTheCases,
            false => Asks::ForTheDay,
        },
        named: which(named),
    })
}

/// The words that say which act is meant.
fn which(named: &[&str]) -> Vec<String> {
    const OF_ANY: [&str; 12] = [
        "the", "this", "these", "that", "our", "new", "on", "of", "for", "about", "and", "s",
    ];
    let says_which = |word: &&&str| !ACTS.contains(*word) && !OF_ANY.contains(*word);
    named
        .iter()
        .filter(says_which)
        .map(|word| (*word).to_owned())
        .collect()
}

fn is_of_capitals(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() >= 3
}

/// Whether an English sentence of an act tells from when the act applies: "It shall apply from 1 May 2020."
pub fn is_told(sentence: &str) -> bool {
    const TELLING: [&str; 14] = [
        "apply from ",
        "applies from ",
        "apply as of ",
        "applies as of ",
        "enter into force ",
        "enters into force ",
        "entered into force ",
        "come into force ",
        "comes into force ",
        "came into force ",
        "take effect ",
        "takes effect ",
        "effective from ",
        "effective on ",
    ];
    /// How a sentence begins that goes on about the act.
    const ITSELF: [&str; 4] = [
        "it shall apply from ",
        "it applies from ",
        "they shall apply from ",
        "they apply from ",
    ];
    let text = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let lower = text.to_lowercase();
    let first = words(text);
    let is_of_itself = match first.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["this" | "these", ..] => true,
        // "It shall take effect" may be said of something else.
        ["it" | "they", ..] => ITSELF.iter().any(|begin| lower.starts_with(begin)),
        ["the", act, ..] => ACTS.contains(&act),
        _ => false,
    };
    is_of_itself
        && TELLING.iter().any(|telling| lower.contains(telling))
        && Beside::Time.may_be_told_in(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_an_act_is_asked_for() {
        let day = |named: &'static [&'static str]| Some((Asks::ForTheDay, named));
        let either = |named: &'static [&'static str]| Some((Asks::ForTheDayOrTheCases, named));
        for (question, asks) in [
            ("When does the regulation enter into force?", day(&[])),
            ("From when does the PDA apply?", day(&["pda"])),
            ("When will these rules become effective?", day(&[])),
            ("When is the act in force?", day(&[])),
            (
                "What is the effective date of the pilots act?",
                day(&["pilots"]),
            ),
            ("When does the harbour act apply?", either(&["harbour"])),
            ("When do the guidelines apply?", either(&[])),
            (
                "When do the guidelines on pilots apply?",
                either(&["pilots"]),
            ),
            ("When does the exemption apply?", None),
            ("When does the act apply to barges?", None),
            ("When must a berth be painted?", None),
            ("本办法何时施行？", None),
        ] {
            let found = asked_for(question);
            let found = found
                .as_ref()
                .map(|f| (f.asks, f.named.iter().map(String::as_str)));
            let found = found.map(|(asks, named)| (asks, named.collect::<Vec<_>>()));
            let asks = asks.map(|(asks, named)| (asks, named.to_vec()));
            assert_eq!(found, asks, "{question}");
        }
    }

    #[test]
    fn the_beginning_of_a_chinese_act_is_asked_for_and_told() {
        for (question, named, asks) in [
            ("港口法什么时候开始施行？", 3, true),
            ("《停泊费管理办法》自何时起施行？", 7, true),
            ("停泊费管理办法从哪天起生效？", 7, true),
            ("港口法规定的停泊费什么时候开始执行新标准？", 3, false),
            ("什么时候施行？", 0, false),
            ("港口法规定了什么？", 3, false),
        ] {
            assert_eq!(is_asked_in_chinese(question, named), asks, "{question}");
        }
        for (sentence, told) in [
            ("第九条 本法自2021年5月1日起施行。", true),
            ("(2021年4月1日港口局令第2号公布 自2021年5月1日起施行)", true),
            ("本办法自公布之日起施行。", true),
            ("撤销决定自宣布之日起生效。", false),
            ("本法所称船舶，是指船。", false),
        ] {
            assert_eq!(is_told_in_chinese(sentence), told, "{sentence}");
        }
    }

    #[test]
    fn an_act_tells_from_when_it_applies() {
        for (sentence, told) in [
            ("2. It shall apply from 1 May 2020.", true),
            (
                "This Regulation shall enter into force on the twentieth day following that of its publication.",
                true,
            ),
            ("These guidelines apply from 30 June 2023.", true),
            ("The Act comes into force on 1 March 2011.", true),
            ("The Berth Act applies from 1 May 2020.", false),
            (
                "It shall take effect the day following its publication.",
                false,
            ),
            ("This Regulation shall apply to barges.", false),
            ("Fees that apply from 1 May 2020 are due.", false),
        ] {
            assert_eq!(is_told(sentence), told, "{sentence}");
        }
    }
}
