//! Everyday Chinese words that are replaced in the question before the search, for example 险企 by 保险公司 and 理财经理 by 销售人员.
//! The index cannot do this, because it contains only pairs of characters, and the everyday word or its replacement has
//! more than two characters.

use crate::asked;
use crate::lists::{Pair, Swap, Word};
use crate::script::is_han;
use crate::seams::joins_words;
use crate::word_lists;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

word_lists! {
    /// Everyday words, and the words of rules in their place, the likeliest first.
    LONGER: Vec<Swap> = "chinese/everyday_longer.txt";
    /// Those that no rule has as a word. Their characters stand together in rules by chance: 险企 in 保险企业.
    ONLY_BY_CHANCE: HashSet<Word> = "chinese/only_by_chance.txt";
}

/// Characters of a word of rules that says by itself what a question is about. One rule in two may have a shorter one.
const SAYS_ENOUGH: usize = 4;
/// The end of names for everybody who works somewhere: 从业人员.
const ANYBODY: &str = "人员";
/// A shorter word may be the end of one word and the beginning of the next.
const IS_LONG: usize = 3;

/// Everyday words by their first character, longer ones first, each with the words of rules in its place.
type Forms = HashMap<char, Vec<(Word, &'static [Word])>>;

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let mut forms = Forms::new();
    for (words, others) in LONGER.iter() {
        for word in words {
            if let Some(first) = word.chars().next() {
                let known = forms.entry(first).or_default();
                known.push((*word, others.as_slice()));
            }
        }
    }
    for known in forms.values_mut() {
        known.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    }
    forms
});

/// The Chinese question with everyday words replaced by the words that rules use, and a list of the replacements. A
/// word is not replaced in three cases: the documents contain it, they contain no replacement for it, or it is quoted.
/// `pairs` holds those pairs of characters of the question that occur in the documents. `together` says whether some
/// clause contains the given characters one after the other.
///
/// If a question consists only of everyday words, and their replacements are short, the question stays as it is. Many
/// rules contain these short words. So a rule that contains them need not answer the question.
///
/// # Errors
/// Those of `together`.
pub fn in_words_of_rules<E>(
    question: &str,
    pairs: &HashSet<String>,
    together: impl Fn(&str) -> Result<bool, E>,
) -> Result<(String, Vec<Pair>), E> {
    let mut out = String::with_capacity(question.len());
    // What nobody put in other words.
    let mut own = String::with_capacity(question.len());
    let mut swapped: Vec<Pair> = Vec::new();
    let mut rest = question;
    let mut is_quoted = false;
    while let Some(first) = rest.chars().next() {
        match first {
            '《' | '“' | '「' | '"' if !is_quoted => is_quoted = true,
            '》' | '”' | '」' | '"' => is_quoted = false,
            _ => {}
        }
        let before = question[..question.len() - rest.len()].chars().next_back();
        let found = (!is_quoted).then(|| word_at(rest, before, pairs)).flatten();
        let Some((word, others)) = found else {
            out.push(first);
            own.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        match in_its_place(word, others, question, pairs, &together)? {
            Some(read) => {
                out.push_str(read);
                own.push(' ');
                if !swapped.contains(&(word, read)) {
                    swapped.push((word, read));
                }
            }
            None => {
                out.push_str(word);
                own.push_str(word);
            }
        }
        rest = &rest[word.len()..];
    }
    let says_enough =
        |(_, read): &Pair| read.chars().count() >= SAYS_ENOUGH && !read.ends_with(ANYBODY);
    if swapped.iter().any(says_enough) || says_something(&own, pairs) {
        return Ok((out, swapped));
    }
    Ok((question.to_owned(), Vec::new()))
}

/// Whether a word is one of these.
pub fn is_everyday(word: &str) -> bool {
    LONGER.iter().any(|(forms, _)| forms.contains(&word))
}

/// The longest everyday word with which a text begins; `before` stands before the text.
fn word_at(
    text: &str,
    before: Option<char>,
    pairs: &HashSet<String>,
) -> Option<(Word, &'static [Word])> {
    let forms = FORMS.get(&text.chars().next()?)?;
    let begins = forms.iter().filter(|(word, _)| text.starts_with(word));
    let mut words = begins.filter(|(word, _)| {
        let after = text[word.len()..].chars().next();
        is_a_word(word, before, after, pairs)
    });
    words.next().copied()
}

/// Whether these characters form a word at this place. They do not if they are the end of one word and the beginning of
/// the next, as 回扣 in 要收回扣除的款项.
fn is_a_word(
    word: &str,
    before: Option<char>,
    after: Option<char>,
    pairs: &HashSet<String>,
) -> bool {
    let is_joined = |one: Option<char>, other: Option<char>, neighbour: Option<char>| {
        let joins = neighbour.is_none_or(|c| joins_words(c) || !is_han(c));
        let pair: String = one.into_iter().chain(other).collect();
        !joins && pairs.contains(&pair)
    };
    let at_front = is_joined(before, word.chars().next(), before);
    let at_back = is_joined(word.chars().next_back(), after, after);
    match word.chars().count() >= IS_LONG {
        true => !(at_front && at_back),
        false => !(at_front || at_back),
    }
}

/// The word that the documents use instead of an everyday word, if they do not contain the everyday word itself. A word
/// that the question already contains is not used, because it adds nothing: 保障基金 in 保险保障基金.
fn in_its_place<E>(
    word: &str,
    others: &'static [Word],
    question: &str,
    pairs: &HashSet<String>,
    together: impl Fn(&str) -> Result<bool, E>,
) -> Result<Option<Word>, E> {
    let chars: Vec<char> = word.chars().collect();
    let stand =
        |two: &[char]| !two.iter().all(|c| is_han(*c)) || pairs.contains(&String::from_iter(two));
    let may_stand = !ONLY_BY_CHANCE.contains(word) && chars.windows(2).all(stand);
    if may_stand && together(word)? {
        return Ok(None);
    }
    for other in others {
        if question.contains(other) {
            return Ok(None);
        }
        if together(other)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Whether a question says what it is about by words that stand in the documents.
fn says_something(question: &str, pairs: &HashSet<String>) -> bool {
    let subject = asked::subject(question);
    // A question of nothing but words that ask is its own subject.
    if subject == question && asked::has_word_that_asks(question) {
        return false;
    }
    let chars: Vec<char> = subject.chars().collect();
    chars.windows(2).any(|two| {
        let joins = two.iter().any(|c| joins_words(*c));
        !joins && pairs.contains(&String::from_iter(two))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::everyday;
    use std::convert::Infallible;

    fn read_in(text: &str, question: &str) -> (String, Vec<Pair>) {
        let chars: Vec<char> = question.chars().collect();
        let pairs = chars.windows(2).map(String::from_iter);
        let pairs = pairs.filter(|pair| text.contains(pair.as_str())).collect();
        let together = |part: &str| Ok::<bool, Infallible>(text.contains(part));
        in_words_of_rules(question, &pairs, together).unwrap()
    }

    #[test]
    fn everyday_words_are_read_as_those_of_rules() {
        const TEXT: &str =
            "保险公司应当缴存保证金。保险企业收回扣除的款项。船员报酬由港务机构核定。工作人员";
        for (question, expected) in [
            ("险企要缴存多少保证金？", "保险公司要缴存多少保证金？"),
            // It is a part of a longer word.
            ("保险企业要缴存多少保证金？", "保险企业要缴存多少保证金？"),
            // What is quoted is meant as it is.
            ("“险企”要缴存保证金吗？", "“险企”要缴存保证金吗？"),
            (
                "《险企办法》要缴存保证金吗？",
                "《险企办法》要缴存保证金吗？",
            ),
            ("“款项”和险企的保证金", "“款项”和保险公司的保证金"),
            // A word in whose place the documents have nothing.
            ("第三者险的保证金？", "第三者险的保证金？"),
            // A question of nothing else: of a long word, and of a short one.
            ("什么是险企？", "什么是保险公司？"),
            ("险企", "保险公司"),
            ("年终奖怎么算？", "年终奖怎么算？"),
            ("柜员怎么算？", "柜员怎么算？"),
            ("柜员缴存保证金吗？", "工作人员缴存保证金吗？"),
            // The question has the word of rules.
            (
                "保险公司这样的险企要缴存吗？",
                "保险公司这样的险企要缴存吗？",
            ),
            ("船员年终奖怎么核定？", "船员报酬怎么核定？"),
            ("Who pays?", "Who pays?"),
            ("", ""),
        ] {
            let (read, swapped) = read_in(TEXT, question);
            assert_eq!(read, expected, "{question}");
            assert_eq!(swapped.is_empty(), read == question, "{question}");
        }
    }

    #[test]
    fn a_word_that_the_documents_have_stays() {
        for (text, expected) in [
            ("险企应当报告。保险公司缴存保证金。", "什么是保险公司？"),
            ("年终奖属于报酬。船员缴存保证金。", "船员年终奖"),
            ("报酬由船员缴存。", "船员报酬"),
            ("船员由港务机构核定。", "船员年终奖"),
        ] {
            let question = match expected.starts_with('船') {
                true => "船员年终奖",
                false => "什么是险企？",
            };
            assert_eq!(read_in(text, question).0, expected, "{text}");
        }
    }

    #[test]
    fn two_words_that_meet_are_no_everyday_word() {
        let pairs = |all: &[&str]| all.iter().map(|pair| (*pair).to_owned()).collect();
        for (word, before, after, standing, expected) in [
            (
                "回扣",
                Some('收'),
                Some('除'),
                ["收回", "扣除"].as_slice(),
                false,
            ),
            ("回扣", Some('收'), Some('款'), &["收回"], false),
            ("回扣", Some('收'), Some('吗'), &["扣吗"], true),
            ("回扣", Some('的'), None, &["的回"], true),
            ("年终奖", Some('发'), Some('励'), &["奖励"], true),
            ("年终奖", Some('今'), Some('励'), &["今年", "奖励"], false),
        ] {
            let is = is_a_word(word, before, after, &pairs(standing));
            assert_eq!(is, expected, "{before:?} {word} {after:?}");
        }
    }

    #[test]
    fn the_longest_word_is_read() {
        assert!(!is_everyday("保险公司"));
        let longer = FORMS.values().flatten();
        for (word, _) in longer {
            let found = word_at(word, None, &HashSet::new());
            assert_eq!(found.map(|(found, _)| found), Some(*word), "{word}");
            assert!(is_everyday(word));
        }
    }

    #[test]
    fn no_word_stands_for_itself_or_in_two_lists() {
        let of_the_index: HashSet<&str> = everyday::swaps()
            .flat_map(|(forms, _)| forms)
            .copied()
            .collect();
        let mut seen = HashSet::new();
        for (forms, others) in LONGER.iter() {
            for word in forms {
                assert!(seen.insert(*word), "{word} twice");
                assert!(!of_the_index.contains(word), "{word} in both lists");
                assert!(word.chars().nth(1).is_some(), "{word}");
                assert!(!others.contains(word), "{word}");
                // What a question asks for would be lost.
                assert!(!asked::has_word_that_asks(word), "{word}");
            }
            for word in others {
                assert!(word.chars().nth(1).is_some(), "{word}");
            }
        }
        for word in ONLY_BY_CHANCE.iter() {
            assert!(seen.contains(word), "{word}");
        }
    }
}
