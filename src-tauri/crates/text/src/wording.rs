//! Whether two definitions say the same: their words are compared, not how they are set.

use crate::lists::Word;
use crate::numerals::{is_chinese_numeral, is_clause_numeral};
use crate::script::is_han;
use crate::word_lists;
use lexforge_domain::api::TermDefinition;
use std::collections::HashSet;

word_lists! {
    PLACES: HashSet<Word> = "english/places.txt";
    ELSEWHERE: Vec<Word> = "english/defined_elsewhere.txt";
    CHINESE_ELSEWHERE: Vec<Word> = "chinese/defined_elsewhere.txt";
}

/// Whether two texts have the same words. Ignored are blanks, capitals, punctuation and quotation marks, articles, the
/// marks of list items, footnote numbers, and the numbers of provisions ("Article 4(1)", 第三条). The numbers of acts,
/// amounts and time limits count.
pub fn same(one: &str, other: &str) -> bool {
    words(one) == words(other)
}

/// Marks the definitions that say something else than the first one ([`same`]); whether there are any.
pub fn mark_differing(definitions: &mut [TermDefinition]) -> bool {
    let Some((first, others)) = definitions.split_first_mut() else {
        return false;
    };
    first.differs = false;
    others
        .iter_mut()
        .for_each(|other| other.differs = !same(&first.text, &other.text));
    others.iter().any(|other| other.differs)
}

/// Words that may stand before the reference in a definition that says nothing else: "any service as defined in …".
const BEFORE_REFERENCE: usize = 2;
/// The same number for Chinese, in characters.
const HAN_BEFORE_REFERENCE: usize = 8;

/// Whether what is said of a term only refers to another act's definition: no meaning of its own.
pub fn only_refers(term: &str, definition: &str) -> bool {
    let lower = definition.to_lowercase();
    let own = words(term);
    let before = |at: usize| {
        words(&lower[..at])
            .into_iter()
            .filter(|word| !own.contains(word))
            .count()
    };
    if let Some(at) = ELSEWHERE
        .iter()
        .filter_map(|phrase| lower.find(phrase))
        .min()
    {
        return before(at) <= BEFORE_REFERENCE;
    }
    let han = |text: &str| {
        words(text)
            .iter()
            .filter(|word| word.chars().all(is_han))
            .count()
    };
    CHINESE_ELSEWHERE.iter().any(|phrase| {
        lower.find(phrase).is_some_and(|at| {
            let named: usize = titles(&lower[..at]).map(han).sum();
            let rest = han(&lower[..at]) - named;
            rest.saturating_sub(own.len()) + han(&lower[at + phrase.len()..])
                <= HAN_BEFORE_REFERENCE
        })
    })
}

/// The texts within the marks of titles of acts.
fn titles(text: &str) -> impl Iterator<Item = &str> {
    text.split('《')
        .skip(1)
        .filter_map(|rest| rest.split_once('》'))
        .map(|(title, _)| title)
}

/// The words that count.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut after_place = false;
    for token in tokens(text) {
        let number = is_number(&token.text);
        let mark =
            token.bracketed && (number || token.text.chars().count() <= 2 && token.text.is_ascii());
        if mark || (number && after_place && !token.text.contains('/')) {
            continue;
        }
        // "points 1 and 2", "Articles 3 to 5": the place goes on.
        let joins = matches!(token.text.as_str(), "and" | "or" | "to" | "of" | "no");
        after_place = PLACES.contains(token.text.as_str()) || (after_place && joins);
        if !matches!(token.text.as_str(), "a" | "an" | "the") {
            found.push(token.text);
        }
    }
    found
}

struct Token {
    text: String,
    bracketed: bool,
}

/// Runs of letters and digits in lower case; each ideograph by itself, except that 第…条 and the like are left out.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '第'
            && let Some(length) = provision(&chars[i + 1..])
        {
            i += 1 + length;
            continue;
        }
        if is_han(c) {
            let bracketed = i > 0 && matches!(chars[i - 1], '(' | '（') && is_chinese_numeral(c);
            found.push(Token {
                text: c.to_string(),
                bracketed,
            });
            i += 1;
        } else if c.is_alphanumeric() {
            let start = i;
            let inner = |i: usize| {
                matches!(chars[i], '/' | '.' | ',' | '-' | '\u{2010}' | '\u{2011}')
                    && chars[i - 1].is_ascii_digit()
                    && chars.get(i + 1).is_some_and(char::is_ascii_digit)
            };
            while i < chars.len() && (chars[i].is_alphanumeric() && !is_han(chars[i]) || inner(i)) {
                i += 1;
            }
            let bracketed = start > 0 && chars[start - 1] == '(' && chars.get(i) == Some(&')');
            found.push(Token {
                text: chars[start..i].iter().collect::<String>().to_lowercase(),
                bracketed,
            });
        } else {
            i += 1;
        }
    }
    found
}

/// How many characters make the number and unit of a Chinese provision: 三条, 十二款.
fn provision(rest: &[char]) -> Option<usize> {
    let digits = rest.iter().take_while(|c| is_clause_numeral(**c)).count();
    let unit = rest.get(digits)?;
    (digits > 0 && matches!(unit, '条' | '款' | '项' | '章' | '节' | '目')).then_some(digits + 1)
}

fn is_number(word: &str) -> bool {
    let roman = |w: &str| w.len() > 1 && w.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l'));
    word.starts_with(|c: char| c.is_ascii_digit()) || roman(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_that_only_refers_is_known() {
        let check = |term: &str, definition: &str, expected: bool| {
            assert_eq!(only_refers(term, definition), expected, "{definition}");
        };
        check(
            "holder",
            "a holder as defined in Article 2, point (4), of the Keeping Act",
            true,
        );
        check(
            "keeping service",
            "any service as defined in point (b) of Article 1",
            true,
        );
        check(
            "record keeping body",
            "a 'record keeping body' within the meaning of Article 4",
            true,
        );
        check(
            "holder",
            "has the meaning given in section 3 of the Keeping Act",
            true,
        );
        check(
            "holder",
            "a natural person who keeps a record as defined in Article 3",
            false,
        );
        check("holder", "a person who keeps records for others", false);
        check("持有人", "《记录保存法》第三条规定的持有人", true);
        check("持有人", "具有《记录保存法》第三条所定义的含义", true);
        check(
            "持有人",
            "为他人保存记录并对其完整性负责的自然人或者法人",
            false,
        );
    }

    #[test]
    fn words_count_and_setting_does_not() {
        let cases = [
            (
                "a person who holds deposits;",
                "A person\u{a0}who holds deposits.",
                true,
            ),
            (
                "an act under Article 4(1), point (b), of Regulation (EU) No 11/2030",
                "an act under Article 7(2), point (c), of Regulation (EU) No 11/2030 (5)",
                true,
            ),
            (
                "an act under Article 4 of Regulation (EU) No 11/2030",
                "an act under Article 4 of Regulation (EU) No 12/2031",
                false,
            ),
            ("notice within 72 hours", "notice within 24 hours", false),
            (
                "any of: (a) a bank; (b) a fund",
                "any of: (i) a bank; (ii) a fund",
                true,
            ),
            (
                "a person who holds deposits",
                "a person who takes deposits",
                false,
            ),
            (
                "‘key’ systems of points 1 and 2",
                "“key” systems of points 3 and 4",
                true,
            ),
            (
                "依照本办法第三条设立的银行",
                "依照本办法第十二条 设立的银行。",
                true,
            ),
            ("吸收公众存款的银行", "不吸收公众存款的银行", false),
        ];
        for (one, other, expected) in cases {
            assert_eq!(
                same(one, other),
                expected,
                "{one} / {other}: {:?} {:?}",
                words(one),
                words(other)
            );
        }
    }
}
