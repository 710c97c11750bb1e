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
    let stems = |text: &Text| text.stems().map(str::to_owned).collect::<Vec<_>>();
    let (known, said) = (stems(&texts.anchor), stems(&texts.answer));
    let denies = |long: &str, short: &str| {
        short.len() > 3
            && PREFIXES
                .iter()
                .any(|prefix| long.strip_prefix(prefix) == Some(short))
    };
    for word in said.iter().filter(|word| !known.contains(word)) {
        if let Some(turned) = known
            .iter()
            .find(|k| !said.contains(k) && (denies(word, k) || denies(k, word)))
        {
            found.push(Difference::new(
                Binding::Negation,
                turned.as_str(),
                word.as_str(),
            ));
        }
    }
}
