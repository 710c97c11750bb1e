//! Words that deny each other: "prior" and "subsequent", "lawful" and "unlawful".

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::lexicon::english_opposites;
use super::token::Token;

fn turned(pairs: &[(String, String)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| (b.clone(), a.clone())).collect()
}

/// Adds words of a phrase that are replaced: "the advisory board" for "the supervisory board".
pub(super) fn replaced(texts: &Texts, found: &mut Vec<Difference>) {
    let phrases = |text: &Text| -> Vec<(String, String)> {
        let pair = |pair: &[Token]| match pair {
            [Token::Word(word, own), Token::Word(next, stem)]
                if !["ly", "ing", "ed"]
                    .iter()
                    .any(|e| word.ends_with(e) || next.ends_with(e)) =>
            {
                Some((own.clone(), stem.clone()))
            }
            _ => None,
        };
        text.tokens.windows(2).filter_map(pair).collect()
    };
    let governed = |text: &Text, stem: &str| {
        text.marks()
            .any(|(at, mark, _)| mark.is_force() && text.governed(at) == Some(stem))
    };
    let known = phrases(&texts.anchor);
    // Either word of the phrase may be the one that is replaced.
    let (known_turned, said) = (turned(&known), phrases(&texts.answer));
    let said_turned = turned(&said);
    let pairs = said
        .iter()
        .map(|pair| (pair, &known))
        .chain(said_turned.iter().map(|pair| (pair, &known_turned)));
    for ((word, head), known) in pairs {
        if texts.anchor.has_stem(word)
            || texts.asked.has_stem(word)
            || governed(&texts.answer, word)
        {
            continue;
        }
        let gone = known
            .iter()
            .find(|(k, h)| h == head && !texts.answer.has_stem(k) && !governed(&texts.anchor, k));
        if let Some((gone, _)) = gone {
            found.push(Difference::new(
                Binding::Term,
                format!("{gone} {head}"),
                format!("{word} {head}"),
            ));
        }
    }
}

/// Syllables that deny a word.
const PREFIXES: &[&str] = &["un", "in", "im", "ir", "il", "non", "dis", "mis"];

fn words(text: &Text) -> Vec<&str> {
    text.tokens
        .iter()
        .filter_map(|t| match t {
            Token::Word(word, _) | Token::Little(word) | Token::Mark(_, word) => {
                Some(word.as_str())
            }
            _ => None,
        })
        .collect()
}

/// Adds words of the answer that say the contrary of a word of the rule, which the answer has no more.
pub(super) fn compare(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (words(&texts.anchor), words(&texts.answer));
    let is_known =
        |word: &str| known.contains(&word) || texts.anchor.has_stem(&super::english::stem(word));
    for word in said.iter().filter(|word| !is_known(word)) {
        for (own, other) in english_opposites(word) {
            let turned = known
                .iter()
                .find(|k| other.contains(k) && !said.contains(k));
            if *word == "with" && super::forces::only_with(texts) {
                continue;
            }
            let Some(turned) = turned.filter(|_| !own.iter().any(|o| known.contains(o))) else {
                continue;
            };
            found.push(Difference::new(Binding::Negation, *turned, *word));
        }
    }
    let (known, said) = (written(&texts.anchor), written(&texts.answer));
    let has = |words: &[(&str, &str)], stem: &str| words.iter().any(|(_, own)| *own == stem);
    for (word, stem) in said.iter().filter(|(_, stem)| !has(&known, stem)) {
        let turned = known
            .iter()
            .find(|(_, own)| !has(&said, own) && (denies(stem, own) || denies(own, stem)));
        let difference = turned.map(|(own, _)| Difference::new(Binding::Negation, *own, *word));
        found.extend(difference.filter(|one| !found.contains(one)));
    }
}

/// Whether one of these stems is the other behind a syllable that denies it.
fn denies(long: &str, short: &str) -> bool {
    let mut prefixes = PREFIXES.iter();
    short.len() > 3 && prefixes.any(|prefix| long.strip_prefix(prefix) == Some(short))
}

/// Whether a rule has a word outside of its cases, and a statement another one, of which one is the other behind a
/// syllable that denies it, while neither has the word of the other.
pub(super) fn denied_by_a_syllable(rule: &Text, in_cases: &[bool], statement: &Text) -> bool {
    let demanded = rule.tokens.iter().zip(in_cases);
    let stems = demanded.filter(|(_, in_case)| !**in_case);
    let mut own = stems.filter_map(|(token, _)| token.stem());
    own.any(|stem| {
        let mut others = statement.stems().filter(|other| !rule.has_stem(other));
        !statement.has_stem(stem) && others.any(|other| denies(stem, other) || denies(other, stem))
    })
}

/// The words with content of a text, each with its stem.
fn written(text: &Text) -> Vec<(&str, &str)> {
    let tokens = text.tokens.iter();
    let words = tokens.filter_map(|token| match token {
        Token::Word(word, stem) => Some((word.as_str(), stem.as_str())),
        _ => None,
    });
    words.collect()
}
