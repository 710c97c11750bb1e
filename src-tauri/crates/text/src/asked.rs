//! The subject of a question, without the words that ask.

use crate::asked_han;
use crate::duty;
use crate::granted;
use crate::lists::Word;
use crate::numerals::is_chinese_numeral;
use crate::phrasal;
use crate::script::is_han;
use crate::seams::joins_words;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Chinese words that ask.
    CHINESE: Vec<Word> = "chinese/asking.txt";
    /// Those of these words that alone do not make a question.
    ASKS_NOTHING: HashSet<Word> = "chinese/asks_nothing.txt";
    /// English phrases that ask.
    ENGLISH: Vec<Word> = "english/asking.txt";
    /// English helping verbs as they are contracted.
    CONTRACTED: HashSet<Word> = "english/contracted.txt";
    /// English words of everyday questions that are about nothing.
    FILLERS: HashSet<Word> = "english/fillers.txt";
    /// English words that say how a question is meant.
    HELPS: HashSet<Word> = "english/helps_to_ask.txt";
}

/// The question with its question words replaced by blanks. Otherwise Chinese question words would be cut into pairs of
/// characters and count as much as the subject. In English, question words are stop words of the index. A question that
/// has only such words stays as it is.
pub fn subject(question: &str) -> String {
    if !question.chars().any(is_han) {
        return without_phrases(granted::before_tag(question).unwrap_or(question));
    }
    let mut text = question.to_owned();
    for word in CHINESE.iter() {
        text = text.replace(word, " ");
    }
    let text = asked_han::without_words_of_asking(&text);
    let pieces: Vec<&str> = text
        .split_whitespace()
        .map(asked_han::without_how_it_is_meant)
        .map(asked_han::without_edges)
        .filter(|piece| !piece.is_empty())
        .collect();
    if pieces.iter().any(|piece| piece.chars().any(is_han)) {
        pieces.join(" ")
    } else {
        question.to_owned()
    }
}

/// The subject of a Chinese question whose question words were removed. It is the text before the first 的, or the name
/// of an institution at the beginning (blanks may separate the parts of the name). `None` if that text is not a name.
pub fn topic(subject: &str) -> Option<&str> {
    const LENGTH: std::ops::RangeInclusive<usize> = 2..=10;
    let is_part = |name: &str| PARTS_OF_A_BODY.iter().any(|part| name.ends_with(part));
    let named = subject.split_once('的').map(|(topic, _)| topic);
    let is_topic = |topic: &&str| {
        let is_name = topic.chars().all(|c| is_han(c) && !is_chinese_numeral(c));
        is_name && LENGTH.contains(&topic.chars().count()) && !is_part(topic)
    };
    let of_body = || body(subject).filter(|name| !is_part(name));
    named.filter(is_topic).or_else(of_body)
}

/// Endings of names which say that a body is a part of another body, and not what kind of body it is. So rules for 保险公司
/// also apply to 省分公司.
const PARTS_OF_A_BODY: [&str; 5] = ["分公司", "支公司", "总公司", "分支机构", "分行"];

/// The name of a kind of body that a text begins with: 引航公司.
fn body(subject: &str) -> Option<&str> {
    // A kind alone names none.
    const LENGTH: std::ops::RangeInclusive<usize> = 3..=8;
    let of_a_name = |c: char| c == ' ' || (is_han(c) && !is_chinese_numeral(c) && !joins_words(c));
    let ends = BODIES.iter().flat_map(|kind| {
        let places = subject.match_indices(kind);
        places.map(|(at, kind)| at + kind.len())
    });
    let name = ends
        .map(|end| &subject[..end])
        .filter(|name| LENGTH.contains(&name.chars().filter(|c| *c != ' ').count()))
        .min_by_key(|name| name.len())?;
    name.chars().all(of_a_name).then_some(name)
}

/// Whether a name is that of a kind of body.
pub fn is_body(name: &str) -> bool {
    BODIES.iter().any(|kind| name.ends_with(kind))
}

/// The endings of names of kinds of bodies. Rules for one kind do not apply to another.
const BODIES: [&str; 7] = ["公司", "机构", "银行", "企业", "基金", "协会", "交易所"];

/// Whether a pair of characters at the beginning of a question is not a word. This is so if it begins with a negation
/// (没收 in 没收到通知), or contains a number or a conjunction (对信 in 对信访意见).
pub fn is_no_word(pair: &str) -> bool {
    let joins = |c: char| is_chinese_numeral(c) || joins_words(c);
    pair.starts_with(['没', '不', '未']) || pair.chars().any(joins)
}

/// Whether a Chinese text has a word that asks.
pub fn has_word_that_asks(text: &str) -> bool {
    let mut asking = CHINESE.iter().filter(|word| !ASKS_NOTHING.contains(*word));
    asking.any(|word| text.contains(word)) || asked_han::asks_by_choice(text)
}

/// Whether a word of a question is about nothing: "must", "may", "allowed".
pub fn helps_to_ask(word: &str) -> bool {
    HELPS.contains(word.to_lowercase().as_str())
}

/// Whether a question refers back to something that was said before: "And what if it is late?", "那处理者呢？". If such a
/// question has only one word of its own, there is nothing to search for.
pub fn points_back(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    let begins = ["and ", "but ", "what about ", "how about "];
    // "那船长呢" consists only of such words.
    let end = lower.trim_end_matches(['？', '?']);
    let rest = end
        .strip_prefix('那')
        .and_then(|rest| rest.strip_suffix('呢'));
    if let Some(rest) = rest {
        let rest = rest.trim_end_matches('的');
        return !rest.is_empty() && subject(rest) == rest;
    }
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    begins.iter().any(|begin| lower.starts_with(begin))
        || words.any(|word| matches!(word, "it" | "they" | "them" | "this" | "those" | "these"))
}

/// Whether a text is a question, and not words to look for.
pub fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？']) || subject(text) != text.trim()
}

/// An English question without its phrases that ask; its other words that ask are stop words of the index.
fn without_phrases(question: &str) -> String {
    let with_must = duty::with_must(question);
    // A few words may be a term that is looked up: "set aside".
    let is_long = with_must.split_whitespace().nth(MOST_WORDS).is_some();
    let mut text = match is_long {
        true => format!(" {} ", phrasal::as_one(&with_must)),
        false => format!(" {with_must} "),
    };
    for phrase in ENGLISH.iter() {
        // The phrases are plain letters; as those of others change, so may the places.
        let lower = text.to_ascii_lowercase();
        if let Some(at) = lower.find(&format!(" {phrase} ")) {
            text.replace_range(at..at + phrase.len() + 1, "");
        }
    }
    without_contracted(without_last(text.trim()))
}

/// An English question without contracted verbs ("don't", "what's") and fillers ("just", "really"). Written out ("do
/// not"), these verbs are ignored by the index. A contracted verb would be searched for like a word of the subject, and
/// no document contains it. A question that consists only of such words stays as it is.
fn without_contracted(text: &str) -> String {
    let says_nothing = |part: &&str| {
        let word = part.trim_matches(|c: char| !c.is_alphanumeric());
        // "US" is no "us".
        let is_a_word = word.chars().any(char::is_lowercase);
        let word = word.replace('’', "'").to_lowercase();
        CONTRACTED.contains(word.as_str()) || (is_a_word && FILLERS.contains(word.as_str()))
    };
    let kept: Vec<&str> = text.split(' ').filter(|part| !says_nothing(part)).collect();
    match kept.is_empty() {
        true => text.to_owned(),
        false => kept.join(" "),
    }
}

/// An English question without the words at its end that ask on: "…, and to whom?" One of nothing else stays as it is.
fn without_last(text: &str) -> &str {
    let end = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let lower = end.to_ascii_lowercase();
    let asks = LAST.iter().find(|last| {
        let before = lower.strip_suffix(**last);
        before.is_some_and(|before| before.ends_with(' '))
    });
    let Some(last) = asks else { return text };
    let rest = end[..end.len() - last.len()].trim_end();
    let rest = rest.strip_suffix(" and").unwrap_or(rest);
    if rest.contains(' ') { rest } else { text }
}

/// Words at the end of a question.
const LAST: [&str; 4] = ["to whom", "by whom", "for whom", "and when"];

/// The term whose meaning a question asks for: "what does X mean", "什么是X". `None` if it asks for something else.
pub fn meaning_of(question: &str) -> Option<&str> {
    let asked = question
        .trim()
        .trim_end_matches(['?', '？', '.', '。'])
        .trim();
    let asked = without_scope(asked);
    let bare = |term: &'_ str| -> Option<usize> { (!term.trim().is_empty()).then_some(term.len()) };
    let lower = asked.to_lowercase();
    // Lower case may be of another length in other scripts; then no English form is looked for.
    if lower.len() == asked.len() {
        for (before, after) in ENGLISH_FORMS {
            let inside = lower
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after));
            if let Some(length) = inside.and_then(bare) {
                let term = asked.get(before.len()..before.len() + length)?;
                return Some(named(without_act(term)));
            }
        }
    }
    // "什么样的船算停泊船舶"
    if let Some((before, term)) = asked.split_once('算')
        && !before.ends_with(['计', '清', '结', '预', '决', '核', '测', '换'])
        && CHINESE_KINDS.iter().any(|kind| asked.starts_with(kind))
    {
        let term = term.trim_start_matches(['是', '作', '做']);
        return bare(term).map(|_| named(term));
    }
    CHINESE_FORMS.iter().find_map(|(before, after)| {
        let term = within(asked.strip_prefix(before)?.strip_suffix(after)?);
        bare(term).map(|_| named(term))
    })
}

/// From "What does late mean for a berth" it takes "What does late mean", because "for a berth" is no part of the term.
fn without_scope(asked: &str) -> &str {
    const MEAN: &str = " mean ";
    let lower = asked.to_ascii_lowercase();
    let scopes = ["for ", "in ", "under ", "within ", "when "];
    let at = lower
        .find(MEAN)
        .filter(|_| lower.starts_with("what does ") || lower.starts_with("what do "))
        .filter(|at| {
            scopes
                .iter()
                .any(|scope| lower[at + MEAN.len()..].starts_with(scope))
        });
    at.map_or(asked, |at| &asked[..at + MEAN.len() - 1])
}

/// An English term without the act in which it is looked up: "a vessel" for "a vessel under the Harbour Act". Words
/// after "in the" are kept, because they can be part of the term.
fn without_act(term: &str) -> &str {
    let acts = [" under the ", " under this ", " according to the "];
    let ends = acts.iter().filter_map(|act| term.find(act));
    ends.min().map_or(term, |end| &term[..end])
}

/// A Chinese term without the act in which it is looked for: "《缴费办法》里的船舶".
fn within(term: &str) -> &str {
    let places = ["所称的", "所称", "中的", "里的", "》中", "》里"];
    let ends = places
        .iter()
        .filter_map(|place| Some(term.find(place)? + place.len()));
    ends.max().map_or(term, |end| &term[end..])
}

/// Words of a term that is looked up, at most.
const MOST_WORDS: usize = 4;

/// The term, if the whole input is just a term to look up: "main establishment", "犹豫期". `None` if it contains
/// question words, or is longer than a term.
pub fn looked_up(text: &str) -> Option<&str> {
    const MOST_CHARACTERS: usize = 12;
    let text = text.trim();
    let has_mark = |c: char| {
        matches!(
            c,
            '?' | '？' | ',' | '，' | ';' | '；' | ':' | '：' | '.' | '。'
        )
    };
    let long = text.split_whitespace().count() > MOST_WORDS
        || (text.chars().any(is_han) && text.chars().count() > MOST_CHARACTERS);
    (!text.is_empty() && !long && !text.contains(has_mark) && !is_question(text))
        .then(|| named(text))
}

/// A term without the quotes and the article around it.
pub(crate) fn named(term: &str) -> &str {
    let term = term.trim();
    let term = [
        "a ",
        "an ",
        "the ",
        "A ",
        "An ",
        "The ",
        "term ",
        "the term ",
    ]
    .iter()
    .find_map(|article| term.strip_prefix(article))
    .unwrap_or(term);
    term.trim_matches(['"', '“', '”', '‘', '’', '\'', '「', '」', '《', '》', ' '])
}

/// The texts before and after a term whose meaning is asked for.
const ENGLISH_FORMS: [(&str, &str); 21] = [
    ("what does ", " mean"),
    ("what is meant by ", ""),
    ("what is the meaning of ", ""),
    ("what is the definition of ", ""),
    ("how is ", " defined"),
    ("how are ", " defined"),
    ("what does the term ", " mean"),
    ("define ", ""),
    ("definition of ", ""),
    ("what is understood by ", ""),
    ("what does ", " stand for"),
    ("meaning of ", ""),
    ("the definition of ", ""),
    ("what counts as ", ""),
    ("who counts as ", ""),
    ("who is a ", ""),
    ("who is an ", ""),
    ("what is a ", ""),
    ("what is an ", ""),
    ("what is ", ""),
    ("what are ", ""),
];
/// How a Chinese question begins that asks what counts as something.
const CHINESE_KINDS: [&str; 6] = ["什么样", "怎样", "怎么", "什么情况", "什么情形", "哪些"];
/// Such forms in Chinese; a longer form comes before the forms that it contains.
const CHINESE_FORMS: [(&str, &str); 32] = [
    ("什么是", ""),
    ("什么叫做", ""),
    ("什么叫", ""),
    ("什么才算", ""),
    ("什么算", ""),
    ("啥叫", ""),
    ("啥是", ""),
    ("啥才算", ""),
    ("啥算", ""),
    ("何为", ""),
    ("何谓", ""),
    ("怎样才算", ""),
    ("怎么才算", ""),
    ("", "是指什么人"),
    ("", "指的是什么人"),
    ("", "指什么人"),
    ("", "是指什么"),
    ("", "指的是什么"),
    ("", "是指谁"),
    ("", "指的是谁"),
    ("", "的定义是什么"),
    ("", "的含义是什么"),
    ("", "是什么意思"),
    ("", "怎么定义"),
    ("", "如何定义"),
    ("", "怎么界定"),
    ("", "如何界定"),
    ("", "的定义"),
    ("", "的含义"),
    ("", "指什么"),
    ("", "是什么"),
    ("", "是谁"),
];

#[cfg(test)]
mod tests;
