//! "…, which is a contract that …", ": the …", "— that is, …": a name within a sentence, and after a mark what it is.

use super::clause::{has_capital, parts, word};
use super::kind::{Kind, kind};
use super::lists::{
    ANAPHOR, BEFORE, NEVER, PREPOSITION, RELATIVE, RESTRICTOR, is_article, is_copula, is_plural,
    names_kind,
};
use super::reading::Reading;
use super::tokens::Token;
use std::ops::Range;

/// Words of the longest name before a mark.
const LONGEST_NAME: usize = 6;
/// Words and marks of the shortest description after one.
const LEAST: usize = 4;

pub(super) fn find(tokens: &[Token<'_>]) -> Vec<Reading> {
    (1..tokens.len())
        .filter(|&k| !tokens[k].is_word())
        .filter_map(|mark| {
            let name = Name::before(tokens, mark)?;
            let from = said_after(tokens, &name, mark)?;
            let end = aside_end(tokens, mark, from);
            (end > from).then_some(Reading {
                term: name.range,
                wording: from..end,
                plain: false,
            })
        })
        .collect()
}

/// A name that ends before a mark.
struct Name {
    range: Range<usize>,
    /// The article before it; "this" for any other word that points or counts.
    article: &'static str,
    /// It is what something is, or is called: "is a tare, …", "called tares: …".
    introduced: bool,
    /// The sentence begins with it.
    first: bool,
    capital: bool,
}

impl Name {
    fn before(tokens: &[Token<'_>], mark: usize) -> Option<Self> {
        let mut end = mark;
        if word(tokens, end - 1) == ")" {
            let open = (0..end).rfind(|&k| word(tokens, k) == "(")?;
            (end - open <= 10).then_some(())?;
            end = open;
        }
        let mut start = end;
        while start > 0 && end - start < LONGEST_NAME {
            let before = &tokens[start - 1];
            if !before.is_word()
                || BEFORE.contains(&*before.word)
                || is_article(&before.word)
                || points(&before.word)
            {
                break;
            }
            start -= 1;
        }
        let first_word = word(tokens, start);
        let number = first_word.starts_with(|c: char| c.is_ascii_digit());
        let pronoun = (start..end).any(|k| ANAPHOR.contains(word(tokens, k)));
        // "was arrested, …", "is falling, …": a verb and no name.
        let verb = start.checked_sub(1).map_or("", |k| word(tokens, k));
        let verbal = (is_copula(verb) || matches!(verb, "was" | "were"))
            && (first_word.ends_with("ing") || first_word.ends_with("ed"));
        if start >= end || verbal || NEVER.contains(first_word) || number || pronoun {
            return None;
        }
        let mut at = start;
        let article = match at.checked_sub(1).map_or("", |k| word(tokens, k)) {
            "a" => "a",
            "an" => "an",
            "the" => "the",
            w if points(w) => "this",
            _ => "",
        };
        at -= usize::from(!article.is_empty());
        let before = at.checked_sub(1).map(|k| word(tokens, k));
        let introduced = before.is_some_and(|w| {
            matches!(
                w,
                "is" | "are"
                    | "was"
                    | "include"
                    | "includes"
                    | "called"
                    | "known"
                    | "termed"
                    | "named"
                    | "as"
            )
        });
        Some(Self {
            capital: has_capital(tokens, start..end),
            range: start..end,
            article,
            introduced,
            first: before.is_none(),
        })
    }
}

fn points(word: &str) -> bool {
    matches!(
        word,
        "this"
            | "these"
            | "those"
            | "his"
            | "her"
            | "its"
            | "their"
            | "our"
            | "some"
            | "such"
            | "any"
            | "each"
            | "every"
            | "no"
            | "many"
            | "most"
            | "all"
            | "several"
            | "two"
            | "three"
            | "four"
            | "another"
            | "other"
            | "one"
    )
}

/// Where what the name is said to be begins, if it is said after this mark.
fn said_after(tokens: &[Token<'_>], name: &Name, mark: usize) -> Option<usize> {
    let (next, third) = (word(tokens, mark + 1), word(tokens, mark + 2));
    if mark + 3 >= tokens.len() {
        return None;
    }
    match (word(tokens, mark), next, third) {
        // "…, which means keeping …" explains a name; "…, which means that …" draws a conclusion.
        (",", "which", "means")
            if !name.capital
                && !matches!(name.article, "the" | "this")
                && word(tokens, mark + 3).ends_with("ing") =>
        {
            Some(mark + 3)
        }
        // "…, which is defined as the quantity that …".
        ("," | "(", "which", "is" | "are")
            if (word(tokens, mark + 3), word(tokens, mark + 4)) == ("defined", "as") =>
        {
            Some(mark + 5)
        }
        ("," | "(", "which", verb) => which(tokens, name, verb, mark + 3),
        (",", "in", "which") => {
            let general = matches!(name.article, "a" | "an")
                || name.article.is_empty()
                    && (name.introduced || name.range.len() == 2 && !name.first);
            (general && !name.capital && word(tokens, mark + 3) != "case").then_some(mark + 3)
        }
        (",", "whereby", _) => Some(mark + 2),
        (";" | "—" | "–" | "(" | ",", "that", "is") if word(tokens, mark + 3) == "," => {
            let said = word(tokens, mark + 4);
            let noun = !matches!(said, "to" | "if" | "when" | "not" | "by" | "in" | "because");
            (!name.capital && name.article != "this" && noun).then_some(mark + 4)
        }
        (",", "meaning", _) => (!name.capital && name.article != "the").then_some(mark + 2),
        (":" | "—" | "–", "which", _) => None,
        (_, "then", _) => None,
        (sign @ ("," | ":" | "—" | "–" | "("), ..) => {
            let kind = kind(tokens, mark + 1, LEAST)?;
            let enough = match (sign, kind.article) {
                (":", "the") => 0,
                (":", "" | "a") | (",", "a" | "an") | ("—" | "–", "a" | "an") => 2,
                (",", "those") => 1,
                ("—" | "–", "the")
                    if !name.capital && name.range.len() <= 3 && is_bounded(&kind) =>
                {
                    2
                }
                ("(", "a" | "an" | "the") if is_bounded(&kind) => 2,
                _ => return None,
            };
            (apposition(tokens, name, &kind, mark)? >= enough).then_some(mark + 1)
        }
        _ => None,
    }
}

/// Whether the noun itself names a kind, and what sets the term apart follows it at once: "the right to …".
fn is_bounded(kind: &Kind<'_>) -> bool {
    names_kind(kind.head) && (RESTRICTOR.contains(kind.after) || RELATIVE.contains(kind.after))
}

fn which(tokens: &[Token<'_>], name: &Name, verb: &str, from: usize) -> Option<usize> {
    let points = name.article == "this";
    if is_copula(verb) {
        let kind = kind(tokens, from, LEAST)?;
        if kind.article.is_empty() && !is_plural(kind.head) && !kind.named {
            return None;
        }
        let score = 1
            + i32::from(kind.relative)
            + i32::from(kind.named)
            + i32::from(RESTRICTOR.contains(kind.after))
            - i32::from(kind.article.is_empty() && kind.head.ends_with("ed"))
            - i32::from(name.capital)
            - i32::from(points);
        return (score >= 2).then_some(from);
    }
    let singular =
        verb.ends_with('s') && verb.len() > 2 && !matches!(verb, "was" | "has" | "does" | "means");
    let plural = is_plural(word(tokens, name.range.end - 1))
        && !verb.ends_with("ed")
        && !singular
        && !matches!(
            verb,
            "was"
                | "were"
                | "have"
                | "has"
                | "had"
                | "can"
                | "could"
                | "may"
                | "would"
                | "will"
                | "might"
                | "do"
                | "does"
                | "did"
                | "mean"
                | "means"
        );
    let mut score = 1 + i32::from(name.introduced);
    if singular {
        let explains = matches!(
            verb,
            "states"
                | "refers"
                | "describes"
                | "measures"
                | "holds"
                | "says"
                | "involves"
                | "consists"
                | "examines"
                | "recognizes"
                | "defines"
        );
        score += i32::from(explains && !name.capital);
        score -= i32::from(name.capital);
        score -= i32::from(points || name.article == "the" && !name.introduced);
    } else if !plural || name.capital || points {
        return None;
    }
    (score >= 2).then_some(from - 1)
}

/// A score for the reading that the words after the mark say what the name is.
fn apposition(tokens: &[Token<'_>], name: &Name, kind: &Kind<'_>, mark: usize) -> Option<i32> {
    let first = tokens.get(kind.first)?;
    // After a colon a capital begins a sentence.
    if first.capital || tokens[mark + 1].capital {
        return None;
    }
    let end = (kind.first..tokens.len())
        .find(|&k| parts(word(tokens, k)) || matches!(word(tokens, k), "," | ")"))
        .unwrap_or(tokens.len());
    let comma = word(tokens, mark) == ",";
    // "Fee – the price of keeping a deposit" is a line of a list and is not read here. The module `glossary` reads such
    // lines if a text has enough of them.
    if name.first && name.article.is_empty() && matches!(word(tokens, mark), "—" | "–") {
        return None;
    }
    // "a rope, an anchor, and a sail" is a list.
    if comma && word(tokens, end) == "," && matches!(word(tokens, end + 1), "and" | "or") {
        return None;
    }
    let sentence = !kind.relative
        && (mark + 1..end).any(|k| {
            matches!(
                word(tokens, k),
                "is" | "are"
                    | "was"
                    | "were"
                    | "has"
                    | "have"
                    | "had"
                    | "will"
                    | "can"
                    | "could"
                    | "must"
                    | "may"
                    | "would"
                    | "does"
                    | "do"
            )
        });
    if sentence {
        return None;
    }
    if comma && !name.introduced && is_lead_in(tokens, name.range.start) {
        return None;
    }
    let bare = kind.article.is_empty();
    let mut score = i32::from(kind.relative) + i32::from(kind.named) + i32::from(name.introduced);
    score -= i32::from(bare && !is_plural(kind.head));
    if word(tokens, mark) != ":" && (bare || kind.article == "the" || word(tokens, mark) == "(") {
        score += i32::from(RESTRICTOR.contains(kind.after));
    }
    score -= i32::from(name.capital);
    score += i32::from(matches!(name.article, "a" | "an"));
    score -= i32::from(name.article == "this");
    score -= i32::from(name.first && comma);
    let listed =
        (name.range.start.saturating_sub(7)..name.range.start).any(|k| word(tokens, k) == ",");
    score -= i32::from(comma && listed);
    score -= i32::from(name.range.len() > 4);
    Some(score)
}

/// Whether the name ends a phrase before the clause: "During a recession, a bank that …".
fn is_lead_in(tokens: &[Token<'_>], name: usize) -> bool {
    let begin = (0..name)
        .rfind(|&k| parts(word(tokens, k)) || word(tokens, k) == ",")
        .map_or(0, |k| k + 1);
    let lead = word(tokens, begin);
    begin < name
        && (PREPOSITION.contains(lead)
            || matches!(
                lead,
                "if" | "when"
                    | "while"
                    | "because"
                    | "since"
                    | "although"
                    | "as"
                    | "where"
                    | "whereas"
                    | "once"
            ))
}

/// Where what is said after a mark ends: at the bracket's or the dash's other end, else with the clause.
fn aside_end(tokens: &[Token<'_>], mark: usize, from: usize) -> usize {
    let close = match word(tokens, mark) {
        "(" => Some(")"),
        dash @ ("—" | "–") => Some(dash),
        _ => None,
    };
    (from..tokens.len())
        .find(|&k| word(tokens, k) == ";" || close == Some(word(tokens, k)))
        .unwrap_or(tokens.len())
}
