//! "Liquidity risk is the risk that …": a name, "is" or "are", and a kind.

use super::clause::{After, Subject, beginnings, end_of_clause, parts, subject, word};
use super::kind::{Kind, kind};
use super::lists::{RELATIVE, RESTRICTOR, is_copula, is_plural, names_kind};
use super::reading::Reading;
use super::tokens::Token;

/// Words and marks of the shortest description.
const LEAST: usize = 5;
/// The least score of a definition.
const ENOUGH: i32 = 1;

pub(super) fn find(tokens: &[Token<'_>]) -> Vec<Reading> {
    beginnings(tokens)
        .into_iter()
        .filter_map(|(at, after)| {
            if begins_conditionally(tokens, at, after) {
                return None;
            }
            let subject = subject(tokens, at)?;
            if !is_copula(word(tokens, subject.next))
                || says_how_often(word(tokens, subject.next + 1))
            {
                return None;
            }
            let from = subject.next + 1;
            let kind = kind(tokens, from, LEAST)?;
            let score = score(tokens, &subject, &kind, after)?;
            (score >= ENOUGH).then(|| Reading {
                term: subject.name,
                wording: from..end_of_clause(tokens, from),
                plain: true,
            })
        })
        .collect()
}

/// "If a fee is a payment that …" supposes and does not define.
fn begins_conditionally(tokens: &[Token<'_>], at: usize, after: After) -> bool {
    let lead = match after {
        After::Nothing => return false,
        After::Break => word(tokens, at.saturating_sub(1)),
        After::Phrase => {
            let begin = (0..at)
                .rfind(|&k| parts(word(tokens, k)))
                .map_or(0, |k| k + 1);
            word(tokens, begin)
        }
    };
    matches!(lead, "if" | "because" | "since" | "when" | "for" | "unless")
}

/// Adverbs after which a statement with "is" defines nothing.
fn says_how_often(word: &str) -> bool {
    matches!(
        word,
        "also"
            | "often"
            | "sometimes"
            | "now"
            | "currently"
            | "still"
            | "not"
            | "never"
            | "always"
            | "usually"
            | "already"
            | "only"
            | "just"
    )
}

fn score(tokens: &[Token<'_>], subject: &Subject, kind: &Kind<'_>, after: After) -> Option<i32> {
    let verb = word(tokens, subject.next);
    if kind.article.is_empty() {
        // Without an article a plural or a word for a kind is needed, or it is an adjective or a verb.
        let progressive =
            word(tokens, kind.first).ends_with("ing") && (verb == "is" || !names_kind(kind.head));
        let noun = if verb == "is" {
            names_kind(kind.head)
        } else {
            is_plural(kind.head)
        };
        let bounded = !kind.after.is_empty() && (kind.after != "," || kind.relative);
        if progressive || !noun || !bounded || !(kind.relative || kind.named) {
            return None;
        }
    }
    // "Losses are the cloud that …" compares. "A boat is the security" tells which one.
    let other_number = verb == "are" && kind.article == "the" && !is_plural(kind.head);
    let which_one = kind.article == "the" && !kind.relative && !RESTRICTOR.contains(kind.after);
    if other_number || which_one {
        return None;
    }
    // "The report is a summary of …" is about one thing, "the stomach is an organ of …" about a kind.
    let of_one_thing = subject.article == "the" && matches!(kind.article, "a" | "an");
    if of_one_thing && !kind.named && !RELATIVE.contains(kind.after) {
        return None;
    }
    let name = subject.name.clone();
    let words = || name.clone().map(|k| word(tokens, k));
    if words().any(|w| w.contains('.')) {
        return None;
    }
    let mut score = 0;
    if RELATIVE.contains(kind.after) || kind.relative {
        score += 2;
    } else if RESTRICTOR.contains(kind.after) || kind.head.ends_with("ed") {
        score += 1;
    }
    score += i32::from(kind.named) + i32::from(matches!(kind.article, "a" | "an" | "any"));
    score += match subject.article {
        "the" => -1,
        "a" | "an" => 1,
        _ => 0,
    };
    // A name of one thing: what is said of it describes it and does not define.
    let first_is_capital_anyway = subject.article.is_empty() && after == After::Nothing;
    let capital = name
        .clone()
        .skip(usize::from(first_is_capital_anyway))
        .any(|k| tokens[k].capital);
    if capital {
        score -= 2;
    }
    score -= i32::from(words().any(|w| w == "or"));
    score -= i32::from(word(tokens, name.start).contains(['’', '\'']));
    score -= i32::from(name.len() > 5);
    if matches!(
        word(tokens, name.start),
        "idea"
            | "problem"
            | "goal"
            | "purpose"
            | "result"
            | "reason"
            | "key"
            | "difference"
            | "question"
            | "advantage"
            | "heart"
            | "way"
            | "example"
            | "answer"
            | "issue"
            | "process"
    ) {
        score -= 2;
    }
    if matches!(
        word(tokens, name.end - 1),
        "idea"
            | "problem"
            | "goal"
            | "purpose"
            | "reason"
            | "difference"
            | "advantage"
            | "example"
            | "answer"
            | "exception"
            | "choice"
    ) {
        score -= 2;
    }
    Some(score)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tokens::only;
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let tokens = only(text);
        let say = |r: std::ops::Range<usize>| {
            text[tokens[r.start].start..tokens[r.end - 1].end].to_owned()
        };
        let found = find(&tokens)
            .into_iter()
            .next()
            .map(|r| (say(r.term), say(r.wording)));
        let expected = expected.map(|(t, w)| (t.to_owned(), w.to_owned()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_kind_with_what_sets_apart() {
        check(
            "A mooring is a line that holds a boat in its place.",
            Some(("mooring", "a line that holds a boat in its place")),
        );
        check(
            "In sailing, leeway is the distance that wind pushes a boat aside.",
            Some(("leeway", "the distance that wind pushes a boat aside")),
        );
        check(
            "Ballast tanks are chambers that hold water at the bottom of a ship; they are emptied in port.",
            Some((
                "Ballast tanks",
                "chambers that hold water at the bottom of a ship",
            )),
        );
    }

    #[test]
    fn judgements_and_suppositions_define_nothing() {
        for text in [
            "A storm is the main problem that sailors meet at sea.",
            "If a buoy is a mark that floats, it is charted.",
            "It is a line that holds a boat in its place.",
            "The Northern Star is a ship that was built in the town.",
            "Sailors are often victims of bad weather in the north.",
        ] {
            check(text, None);
        }
    }
}
