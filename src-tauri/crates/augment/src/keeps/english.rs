//! An English text as a row of words, marks, figures and breaks.

use super::binding::Compared;
use super::fact::{Fact, Figures};
use super::lexicon::{self, Mark};
use super::numbers;
use super::token::Token;
use crate::words::is_stop;

/// A text that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) tokens: Vec<Token>,
}

/// The rule, the answer, and what the question and the place of the rule say.
pub(super) struct Texts {
    pub(super) anchor: Text,
    pub(super) answer: Text,
    pub(super) asked: Text,
    pub(super) place: Text,
}

impl Texts {
    pub(super) fn of(compared: &Compared<'_>) -> Self {
        Self {
            anchor: Text::read(compared.anchor),
            answer: Text::read(compared.answer),
            asked: Text::read(compared.asked),
            place: Text::read(compared.place),
        }
    }

    pub(super) fn figures(&self) -> Figures {
        Figures {
            anchor: self.anchor.facts(),
            answer: self.answer.facts(),
            place: self.place.facts(),
            periods: self
                .anchor
                .marks()
                .filter(|(_, m, _)| m.is_period())
                .map(|(_, m, _)| m)
                .collect(),
        }
    }
}

/// The force that is the negation of a force.
fn contrary(force: Mark) -> Option<Mark> {
    Some(match force {
        Mark::NeedNot => Mark::Must,
        Mark::MustNot => Mark::May,
        Mark::May => Mark::MustNot,
        Mark::Must => Mark::NeedNot,
        Mark::Should => Mark::ShouldNot,
        _ => return None,
    })
}

/// A word, number or sign before phrases are looked for.
#[derive(Clone, Debug, PartialEq)]
enum Raw {
    Word(String),
    Number(String),
    Sign(char),
}

impl Text {
    pub(super) fn read(text: &str) -> Self {
        let raws = raws(text);
        let words: Vec<&str> = raws
            .iter()
            .map(|raw| {
                if let Raw::Word(word) = raw {
                    word.as_str()
                } else {
                    ""
                }
            })
            .collect();
        let mut tokens = Vec::with_capacity(raws.len());
        let mut at = 0;
        while let Some(raw) = raws.get(at) {
            match raw {
                Raw::Number(value) => tokens.push(Token::Fact(Fact::bare(value.clone()))),
                Raw::Sign(sign) => tokens.push(Token::Break(*sign)),
                Raw::Word(word) => {
                    let run = words[at..]
                        .iter()
                        .position(|w| w.is_empty())
                        .unwrap_or(words.len() - at);
                    if let Some((mark, taken)) = lexicon::english(&words[at..at + run]) {
                        let said = words[at..at + taken].join(" ");
                        tokens.push(if mark == Mark::Neutral {
                            Token::Little(said)
                        } else {
                            Token::Mark(mark, said)
                        });
                        at += taken;
                        continue;
                    }
                    tokens.push(
                        if is_stop(word) && word != "one" || word.chars().count() < 2 {
                            Token::Little(word.clone())
                        } else {
                            Token::Word(word.clone(), stem(word))
                        },
                    );
                }
            }
            at += 1;
        }
        let mut text = Self {
            tokens: numbers::english(tokens),
        };
        text.join_forces();
        text.turn_denied_subjects();
        text
    }

    /// "Shall be permitted to" allows, whatever "shall" does: of two forces that follow each other the second holds.
    fn join_forces(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let mut next = at + 1;
            while self
                .tokens
                .get(next)
                .is_some_and(|t| ["be", "also", "been"].iter().any(|w| t.is_little(w)))
            {
                next += 1;
            }
            let (first, second) = (
                self.tokens[at].mark(),
                self.tokens.get(next).and_then(Token::mark),
            );
            let denied = (first == Some(Mark::Not))
                .then(|| second.and_then(contrary))
                .flatten();
            if let (Some(contrary), Some(Token::Mark(mark, said))) =
                (denied, self.tokens.get_mut(next))
            {
                // "Not exempt" obliges.
                (*mark, *said) = (contrary, format!("not {said}"));
                self.tokens.drain(at..next);
            } else if let (Some(Mark::Must | Mark::May), Some(second)) = (first, second)
                && second.is_force()
            {
                self.tokens.drain(at..next);
            } else {
                at += 1;
            }
        }
    }

    /// "No bank may pay" forbids: the negation of the subject belongs to the force.
    fn turn_denied_subjects(&mut self) {
        let mut denied: Option<usize> = None;
        let mut at = 0;
        while at < self.tokens.len() {
            match &self.tokens[at] {
                Token::Break(_) => denied = None,
                Token::Mark(Mark::Not, said)
                    if matches!(
                        said.as_str(),
                        "no" | "neither" | "none" | "nobody" | "no one"
                    ) =>
                {
                    denied = Some(at);
                }
                Token::Mark(mark @ (Mark::Must | Mark::May), said) => {
                    if let Some(from) = denied.take() {
                        let said = said.clone();
                        let keep = *mark;
                        self.tokens[at] = Token::Mark(Mark::MustNot, format!("no … {said}"));
                        debug_assert!(keep.is_force());
                        self.tokens[from] = Token::Little("a".to_owned());
                        // "Neither A nor B may" has a second one.
                        for token in &mut self.tokens[from..at] {
                            if matches!(token, Token::Mark(Mark::Not, said) if said == "nor") {
                                *token = Token::Mark(Mark::And, "nor".to_owned());
                            }
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Marks with their places.
    pub(super) fn marks(&self) -> impl Iterator<Item = (usize, Mark, &str)> {
        self.tokens
            .iter()
            .enumerate()
            .filter_map(|(at, token)| match token {
                Token::Mark(mark, said) => Some((at, *mark, said.as_str())),
                _ => None,
            })
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks().any(|(_, m, _)| m == mark)
    }

    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(Token::stem)
    }

    pub(super) fn has_stem(&self, stem: &str) -> bool {
        self.stems().any(|known| known == stem)
    }

    pub(super) fn facts(&self) -> Vec<Fact> {
        self.tokens
            .iter()
            .filter_map(|t| {
                if let Token::Fact(fact) = t {
                    Some(fact.clone())
                } else {
                    None
                }
            })
            .collect()
    }

    /// The stem of the word that the mark at a place governs: the next with content, adverbs passed over.
    pub(super) fn governed(&self, at: usize) -> Option<&str> {
        self.tokens[self.governed_place(at)?].stem()
    }

    /// The place of the word that the mark at a place governs.
    pub(super) fn governed_place(&self, at: usize) -> Option<usize> {
        let mut from = at + 1;
        // "Shall, within ten days, pay": what stands between commas is skipped.
        if matches!(self.tokens.get(from), Some(Token::Break(','))) {
            let end = self.tokens[from + 1..]
                .iter()
                .position(|t| matches!(t, Token::Break(',')));
            from += 2 + end.unwrap_or(0);
        }
        let rest = self.tokens.get(from..)?.iter();
        let open = rest.take_while(|t| !matches!(t, Token::Break(';' | '.' | ':')));
        let is_governed = |t: &Token| matches!(t, Token::Word(word, _) if !word.ends_with("ly"));
        let place = open.take_while(|t| !is_governed(t)).count();
        let found = self.tokens.get(from + place);
        found.filter(|t| is_governed(t)).map(|_| from + place)
    }

    /// The range of tokens of the part of the sentence that a mark opens: to the next comma or stop.
    pub(super) fn clause(&self, at: usize) -> std::ops::Range<usize> {
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|t| matches!(t, Token::Break(',' | ';' | '.' | ':')))
            .unwrap_or(rest.len());
        at + 1..at + 1 + end
    }
}

fn raws(text: &str) -> Vec<Raw> {
    let text = text
        .replace(['’', '‘', 'ʼ'], "'")
        .replace("n't", " not")
        .replace("N'T", " NOT");
    let text = text
        .replace("ca not", "can not")
        .replace("wo not", "will not")
        .replace("sha not", "shall not");
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<Raw> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c.is_ascii_digit() {
            let (value, next) = numbers::digits(&chars, at);
            found.push(Raw::Number(value));
            at = next;
            // "31st" is a number, "30d" hardly a word.
            while chars.get(at).is_some_and(|c| c.is_alphabetic()) {
                at += 1;
            }
        } else if c.is_alphabetic() {
            let start = at;
            while chars.get(at).is_some_and(|c| c.is_alphanumeric()) {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            if chars.get(at) == Some(&'\'')
                && chars.get(at + 1).is_some_and(|c| matches!(c, 's' | 'S'))
            {
                at += 2;
            }
            found.push(Raw::Word(if is_may_month(&word, &chars, start, at) {
                "#may".to_owned()
            } else {
                word.to_lowercase()
            }));
        } else {
            match c {
                '%' | '€' | '$' | '£' | '¥' => found.push(Raw::Word(c.to_string())),
                ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' => found.push(Raw::Sign(c)),
                '–' | '—' => found.push(Raw::Sign(',')),
                _ => {}
            }
            at += 1;
        }
    }
    found
}

/// The month is written with a capital and has a number beside it.
fn is_may_month(word: &str, chars: &[char], start: usize, end: usize) -> bool {
    let digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
    let before = chars[..start].iter().rev().find(|c| !c.is_whitespace());
    word == "May" && (digit(before) || digit(chars[end..].iter().find(|c| !c.is_whitespace())))
}

/// Irregular forms that rules have.
const IRREGULAR: &[(&str, &str)] = &[
    ("used", "use"),
    ("uses", "use"),
    ("using", "use"),
    ("paid", "pay"),
    ("kept", "keep"),
    ("given", "give"),
    ("gave", "give"),
    ("made", "make"),
    ("held", "hold"),
    ("sent", "send"),
    ("taken", "take"),
    ("told", "tell"),
    ("borne", "bear"),
    ("drawn", "draw"),
    ("sold", "sell"),
    ("bought", "buy"),
    ("lent", "lend"),
    ("met", "meet"),
    ("written", "write"),
    ("chosen", "choose"),
    ("shown", "show"),
    ("begun", "begin"),
    ("undertaken", "undertake"),
    ("withheld", "withhold"),
    ("withdrawn", "withdraw"),
    ("brought", "bring"),
    ("left", "leave"),
];

/// A word without its endings; wrong now and then, the same way everywhere.
pub(super) fn stem(word: &str) -> String {
    let word = IRREGULAR
        .iter()
        .find(|(form, _)| *form == word)
        .map_or(word, |(_, base)| *base);
    if word.len() < 4 || !word.is_ascii() {
        return word.to_owned();
    }
    for (ending, instead) in [("ied", "i"), ("ies", "i"), ("ying", "i")] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() > 2
        {
            return format!("{stem}{instead}");
        }
    }
    if let Some(stem) = word.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{stem}i");
    }
    let cut = ["ing", "ed", "es", "s", "e"].iter().find_map(|ending| {
        let stem = word.strip_suffix(ending)?;
        let fits = stem.len() > 2 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
            || *ending == "ing" && stem.len() > 1;
        (fits && !(*ending == "s" && (stem.ends_with(['s', 'u', 'i'])))).then_some(stem)
    });
    let cut = cut.unwrap_or(word);
    let bytes = cut.as_bytes();
    let double = bytes.len() > 3
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && !cut.ends_with("ss")
        && !cut.ends_with("ll");
    if double {
        cut[..cut.len() - 1].to_owned()
    } else {
        cut.to_owned()
    }
}

#[cfg(test)]
mod tests;
