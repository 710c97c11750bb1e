//! "Money that is owed is called debt": what is described comes first, and then its name.

use super::clause::{has_capital, word};
use super::kind::is_set_apart;
use super::lists::{ADVERB, ANAPHOR, NEVER, PREPOSITION, is_article, is_copula};
use super::reading::Reading;
use super::tokens::Token;
use std::ops::Range;

/// Words of the longest name.
const LONGEST_NAME: usize = 7;

pub(super) fn find(tokens: &[Token<'_>]) -> Vec<Reading> {
    (0..tokens.len())
        .filter_map(|at| {
            let name = name_after(tokens, naming_end(tokens, at)?)?;
            let naming = Naming::read(tokens, at, name)?;
            naming.reading()
        })
        .collect()
}

/// Where the words that name end: "called", "known as", "referred to as".
fn naming_end(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    match word(tokens, at) {
        "called" | "termed" | "named" | "dubbed" | "labeled" | "labelled" => Some(at + 1),
        "known" => {
            let before = at.checked_sub(1).map_or("", |k| word(tokens, k));
            let plain = !matches!(before, "well" | "best" | "better" | "not" | "also");
            (plain && matches!(word(tokens, at + 1), "as" | "simply")).then_some(at + 2)
        }
        "referred" => {
            (word(tokens, at + 1) == "to" && word(tokens, at + 2) == "as").then_some(at + 3)
        }
        "said" => (word(tokens, at + 1) == "to" && matches!(word(tokens, at + 2), "be" | "have"))
            .then_some(at + 3),
        _ => None,
    }
}

fn name_after(tokens: &[Token<'_>], at: usize) -> Option<Range<usize>> {
    let mut first = at;
    if is_article(word(tokens, first)) {
        first += 1;
    }
    if word(tokens, first) == "as" {
        first += 1;
    }
    if is_article(word(tokens, first)) {
        first += 1;
    }
    let mut end = first;
    while let Some(token) = tokens.get(end) {
        let here = &*token.word;
        let stops = NEVER.contains(here)
            || is_copula(here)
            || matches!(
                here,
                "to" | "for"
                    | "on"
                    | "by"
                    | "because"
                    | "that"
                    | "which"
                    | "or"
                    | "and"
                    | "in"
                    | "from"
                    | "with"
                    | "at"
                    | "as"
            );
        if !token.is_word() || stops || end - first >= LONGEST_NAME {
            break;
        }
        end += 1;
    }
    (end > first).then_some(first..end)
}

/// A naming with the clause that it is in.
struct Naming<'t, 'a> {
    tokens: &'t [Token<'a>],
    /// The clause up to the verb.
    clause: Range<usize>,
    /// "called", or the first word of what stands for it.
    at: usize,
    name: Range<usize>,
}

impl<'t, 'a> Naming<'t, 'a> {
    fn read(tokens: &'t [Token<'a>], at: usize, name: Range<usize>) -> Option<Self> {
        // Back over what stands between the verb and the naming: "is sometimes called".
        let between = |w: &str| {
            ADVERB.contains(w)
                || w.ends_with("ly")
                || matches!(
                    w,
                    "what" | "be" | "being" | "been" | "now" | "economists" | "scientists"
                )
        };
        let verb = (0..at).rfind(|&k| !between(word(tokens, k)))?;
        let mut begin = (0..verb)
            .rfind(|&k| matches!(word(tokens, k), ";" | ":"))
            .map_or(0, |k| k + 1);
        while begin < verb
            && matches!(
                word(tokens, begin),
                "thus" | "therefore" | "hence" | "and" | "but" | "so" | "similarly" | ","
            )
        {
            begin += 1;
        }
        (begin < verb).then_some(Self {
            tokens,
            clause: begin..verb,
            at,
            name,
        })
    }

    fn reading(self) -> Option<Reading> {
        let verb = word(self.tokens, self.clause.end);
        let described = match verb {
            "is" | "are" => self.described_by_subject()?,
            "was" | "were" | "became" => self.told_of_the_past()?,
            "," | "(" => self.described_before_comma()?,
            _ => return None,
        };
        Some(Reading {
            term: self.name,
            wording: described,
            plain: matches!(verb, "is" | "are"),
        })
    }

    fn words(&self, range: Range<usize>) -> Vec<&'t str> {
        range
            .filter(|&k| self.tokens[k].is_word())
            .map(|k| word(self.tokens, k))
            .collect()
    }

    /// Whether more than a bare noun stands there: "the rate banks pay for loans".
    fn is_qualified(words: &[&str]) -> bool {
        words.iter().skip(1).any(|w| {
            matches!(
                *w,
                "of" | "in"
                    | "with"
                    | "by"
                    | "between"
                    | "for"
                    | "who"
                    | "that"
                    | "to"
                    | "from"
                    | "at"
                    | "on"
                    | "without"
            ) || w.ends_with("ing")
        })
    }

    fn described_by_subject(&self) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let Range { start, end } = self.clause.clone();
        let lead = word(tokens, start);
        // "When prices rise everywhere, it is called inflation."
        if matches!(lead, "when" | "if" | "where") {
            let comma = (start..end)
                .rfind(|&k| word(tokens, k) == ",")
                .unwrap_or(end);
            return Some(start..comma);
        }
        let mut from = start;
        if PREPOSITION.contains(lead)
            || matches!(lead, "although" | "while" | "because" | "since" | "as")
        {
            let comma = (start..end).find(|&k| word(tokens, k) == ",");
            from = comma.map_or(from, |k| k + 1);
        }
        let joined = (from + 1..end).rev().find(|&k| {
            word(tokens, k) == ","
                && k + 1 < end
                && matches!(word(tokens, k + 1), "and" | "but" | "while" | "or")
        });
        from = joined.map_or(from, |k| k + 2);
        let subject = self.words(from..end);
        let (first, last) = (*subject.first()?, *subject.last()?);
        if last == "what" || word(tokens, end + 1) == "what" || word(tokens, self.at) == "said" {
            return None;
        }
        let whole = self.words(start..end);
        if last == "which" {
            // "…, which is called a tare".
            return (whole.len() >= 6).then_some(start..end - 1);
        }
        if ANAPHOR.contains(last) {
            return None;
        }
        let relative = is_set_apart(tokens, from, end, 30);
        let qualified = Self::is_qualified(&subject);
        let accepted = match first {
            "those" | "such" | "some" => relative,
            "this" | "these" => {
                subject.len() >= 7
                    && qualified
                    && !matches!(subject[1], "type" | "kind" | "form" | "sort")
            }
            "that" | "one" | "another" | "both" | "all" | "most" | "other" | "it" | "they"
            | "he" | "she" | "we" | "many" => false,
            _ => {
                let points = |w: &&str| matches!(*w, "this" | "these");
                // "common enough that these goods are called …" names what stood before.
                let refers = subject.len() < 8 && subject.iter().take(5).any(points)
                    || subject.iter().rev().take(3).any(points);
                !refers && self.score(&subject, relative, qualified, from..end) >= 1
            }
        };
        accepted.then_some(from..end)
    }

    fn score(&self, subject: &[&str], relative: bool, qualified: bool, place: Range<usize>) -> i32 {
        let mut score = match subject.len() {
            _ if relative => 3,
            4.. if qualified => 3,
            3 if qualified => 2,
            4.. => 2,
            3 => 1,
            _ => 0,
        };
        let capitals = place.skip(1).filter(|&k| self.tokens[k].capital).count();
        if capitals >= 3 {
            score -= 1;
        }
        // "X is often called Y" gives a second name to what has one.
        let often = (self.clause.end..self.at).any(|k| {
            matches!(
                word(self.tokens, k),
                "often" | "sometimes" | "also" | "commonly" | "usually" | "typically"
            )
        });
        if score <= 1 && often { 0 } else { score }
    }

    /// "The long struggle between them became known as …".
    fn told_of_the_past(&self) -> Option<Range<usize>> {
        let Range { start, end } = self.clause.clone();
        let before = word(self.tokens, end - 1);
        let told = word(self.tokens, end) == "became"
            && self.words(start..end).len() >= 6
            && !ANAPHOR.contains(before)
            && before != "what"
            && !has_capital(self.tokens, start + 1..end);
        told.then_some(start..end)
    }

    /// "a fee that is paid once, called a premium".
    fn described_before_comma(&self) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let Range { start, end } = self.clause.clone();
        let second_name = (end..self.at).any(|k| {
            matches!(
                word(tokens, k),
                "also"
                    | "sometimes"
                    | "often"
                    | "otherwise"
                    | "alternatively"
                    | "typically"
                    | "usually"
            )
        });
        if word(tokens, end) == "," && second_name {
            return None;
        }
        let stops = |k: usize| {
            let here = word(tokens, k);
            matches!(
                here,
                "," | ";" | ":" | "(" | ")" | "—" | "–" | "that" | "which" | "and" | "have" | "has"
            ) || is_copula(here)
        };
        let mut from = (start..end).rfind(|&k| stops(k)).map_or(start, |k| k + 1);
        let article =
            (from + 1..end).rfind(|&k| matches!(word(tokens, k), "a" | "an" | "another" | "some"));
        from = article.map_or(from, |k| k + 1);
        let words = self.words(from..end);
        let capital = self.name.clone().any(|k| tokens[k].capital);
        let mut score = match words.len() {
            4.. if Self::is_qualified(&words) => 2,
            2.. => 1,
            _ => 0,
        };
        score -= i32::from(capital);
        let refers = words
            .first()
            .is_some_and(|w| matches!(*w, "these" | "this" | "those" | "such"));
        (score >= 1 && !refers).then_some(from..end)
    }
}
