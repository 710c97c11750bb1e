//! "… a contract that …": what is said of a term names a kind of thing, and what sets the term apart within it.

use super::clause::word;
use super::lists::{
    EVALUATIVE, NEVER, RELATIVE, RESTRICTOR, VAGUE, is_copula, is_plural, names_kind,
};
use super::tokens::Token;

/// What names a kind.
#[derive(Clone, Debug)]
pub(super) struct Kind<'t> {
    /// The word before it: an article, "any", "one", "those"; "any" for "something"; empty if there is none.
    pub(super) article: &'t str,
    /// The noun with the words before it.
    pub(super) first: usize,
    /// The noun; empty after "one" and "those".
    pub(super) head: &'t str,
    /// The token after it.
    pub(super) after: &'t str,
    /// A relative clause sets the term apart.
    pub(super) relative: bool,
    /// The noun, or one with it, is a usual word for a kind.
    pub(super) named: bool,
}

/// Words to the relative clause.
const NEAR: usize = 14;
/// Words of the longest name of a kind.
const LONGEST: usize = 9;

/// The kind that is named at `from`, if what stands there is a description of at least `least` words and marks.
pub(super) fn kind<'t>(tokens: &'t [Token<'_>], from: usize, least: usize) -> Option<Kind<'t>> {
    let mut at = from;
    while is_passed_over(word(tokens, at)) {
        at += 1;
    }
    let end = (at..tokens.len())
        .find(|&k| matches!(word(tokens, k), ";" | ":" | "—" | "–"))
        .unwrap_or(tokens.len());
    let article = match word(tokens, at) {
        a @ ("something" | "anything" | "someone" | "anyone") => {
            at += 1;
            a
        }
        a @ ("a" | "an" | "the" | "any" | "one" | "those") => {
            at += 1;
            a
        }
        _ => "",
    };
    let first = at;
    let mut words: Vec<&str> = Vec::new();
    while at < end && words.len() < LONGEST {
        let here = word(tokens, at);
        let listed = here == "," && words.len() == 1 && !is_plural(words[0]) && !article.is_empty();
        if RESTRICTOR.contains(here)
            || RELATIVE.contains(here)
            || (matches!(here, "," | "(" | ")") && !listed)
            || is_copula(here)
            || (NEVER.contains(here)
                && !matches!(here, "two" | "three" | "one" | "second" | "first"))
        {
            break;
        }
        if here != "," {
            words.push(here);
        }
        at += 1;
    }
    let after = if at < end { word(tokens, at) } else { "" };
    if end < from + least || matches!(after, "example" | "examples" | "same") {
        return None;
    }
    let relative = is_set_apart(tokens, at, end, NEAR);
    // "something of value that …": the relative clause says it all.
    if matches!(article, "something" | "anything" | "someone" | "anyone") {
        return (words.is_empty() && (RELATIVE.contains(after) || relative && after == "of"))
            .then_some(Kind {
                article: "any",
                first,
                head: "",
                after,
                relative: true,
                named: true,
            });
    }
    if matches!(article, "those" | "one") {
        return pronoun(tokens, at, article, after, relative, words.first().copied()).then_some(
            Kind {
                article,
                first,
                head: "",
                after,
                relative: true,
                named: true,
            },
        );
    }
    let head = *words.last()?;
    if words.iter().any(|w| EVALUATIVE.contains(w))
        || words.starts_with(&["number", "one"])
        || is_no_noun(words[0])
        || matches!(head, "labeled" | "labelled" | "shown")
        || (VAGUE.contains(head) && !is_still_a_kind(article, head, after))
    {
        return None;
    }
    Some(Kind {
        article,
        first,
        head,
        after,
        relative,
        named: words.iter().any(|w| names_kind(w)),
    })
}

/// "those that …", "one who …", but not "one of the …".
fn pronoun(
    tokens: &[Token<'_>],
    at: usize,
    article: &str,
    after: &str,
    relative: bool,
    first: Option<&str>,
) -> bool {
    if article == "one" && after == "of" {
        let of_known = matches!(
            word(tokens, at + 1),
            "the" | "my" | "our" | "his" | "her" | "their" | "its" | "these" | "those"
        );
        return !of_known && relative;
    }
    RELATIVE.contains(after)
        || relative
        || after == "not"
        || (article == "those" && matches!(after, "of" | "with" | "in"))
        || first.is_some_and(|w| w.ends_with("ed"))
}

/// Adverbs that may stand before a description without changing it.
fn is_passed_over(word: &str) -> bool {
    matches!(
        word,
        "simply"
            | "basically"
            | "essentially"
            | "generally"
            | "then"
            | "itself"
            | "themselves"
            | "therefore"
            | "thus"
            | "formally"
            | "broadly"
            | "roughly"
    )
}

fn is_no_noun(word: &str) -> bool {
    matches!(
        word,
        "eager"
            | "able"
            | "unable"
            | "likely"
            | "unlikely"
            | "willing"
            | "more"
            | "less"
            | "most"
            | "keeping"
            | "ready"
            | "subject"
            | "based"
    )
}

/// Vague nouns that name a kind in some company: "the number of …", "a good that …".
fn is_still_a_kind(article: &str, head: &str, after: &str) -> bool {
    match article {
        "the" => {
            matches!(head, "number" | "part" | "effect" | "opposite" | "result")
                || (head == "difference" && after == "between")
        }
        "a" | "an" | "any" => {
            RELATIVE.contains(after)
                || matches!(
                    head,
                    "part" | "good" | "symbol" | "number" | "source" | "result"
                )
        }
        _ => false,
    }
}

/// Whether a relative clause that sets apart begins among the next words; one after a comma only adds something.
pub(super) fn is_set_apart(tokens: &[Token<'_>], from: usize, end: usize, near: usize) -> bool {
    for k in from..end.min(from + near) {
        let (here, next) = (word(tokens, k), word(tokens, k + 1));
        match here {
            ";" | ":" | "—" | "–" => return false,
            "," if matches!(
                next,
                "which"
                    | "who"
                    | "and"
                    | "but"
                    | "so"
                    | "where"
                    | "while"
                    | "although"
                    | "with"
                    | "such"
                    | "like"
                    | "including"
            ) =>
            {
                return false;
            }
            _ if RELATIVE.contains(here) => return true,
            "in" | "at" | "on" | "through" | "by" | "for" | "to" | "from" | "under" | "with"
                if next == "which" =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}
