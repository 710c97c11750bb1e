//! Terms in English sentences: their places, and the terms that can replace them.

use super::agreement::{self, article, capital};
use super::{lexicon, parse};
use crate::clause::Fitted;
use crate::words::is_stop;
use lexforge_text::plural::singular;

/// Words with their byte ranges.
fn tokens(text: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            found.push((from, at, singular(&text[from..at].to_lowercase())));
        }
    }
    found
}

/// Byte ranges of the mentions of a term; plural and capitals do not matter.
pub(crate) fn mentions(text: &str, term: &str) -> Vec<(usize, usize)> {
    let words = tokens(text);
    let wanted: Vec<String> = tokens(term).into_iter().map(|t| t.2).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    words
        .windows(wanted.len())
        .filter(|w| w.iter().zip(&wanted).all(|(a, b)| a.2 == *b))
        .filter(|w| {
            w.windows(2)
                .all(|p| matches!(&text[p[0].1..p[1].0], " " | "-" | "/" | "’" | "'" | " & "))
        })
        .filter_map(|w| Some((w.first()?.0, w.last()?.1)))
        .filter(|(start, end)| !text[..*start].ends_with('-') && !text[*end..].starts_with('-'))
        .collect()
}

/// The term in the number and capital that its place asks for, and the sentence with it.
pub(crate) fn fit(text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
    let (start, end) = mention;
    let surface = text.get(start..end)?;
    let head = surface.split_whitespace().last()?;
    let before = &text[..start];
    let after = &text[end..];
    let follows = |verbs: &[&str]| verbs.iter().any(|v| after.starts_with(&format!(" {v} ")));
    let singular_asked = [
        "a ", "an ", "each ", "every ", "A ", "An ", "Each ", "Every ",
    ]
    .iter()
    .any(|d| before == *d || before.ends_with(&format!(" {d}")));
    let plural = !singular_asked
        && !follows(&["is", "was", "has", "does"])
        && (follows(&["are", "were", "have", "do"]) || agreement::is_plural(head));
    // The term contains "of", and the text after it begins with another "of", as in "disclosure of, or access to".
    if after.starts_with(" of") && term.contains(" of ") {
        return None;
    }
    let mut fitted = if plural {
        agreement::plural(term)
    } else {
        agreement::singular(term)
    };
    // "a processing", "where auditor applies": a noun without a plural takes no "a", and only such a noun stands alone.
    let uncounted = !agreement::is_plural(head) && (plural || agreement::is_uncounted(head));
    let quoted = before.ends_with(['“', '‘', '"']);
    let alone =
        !plural && !quoted && !determined(before) && !surface.starts_with(char::is_uppercase);
    let other = term.split_whitespace().last().unwrap_or("");
    let breaks = (singular_asked || plural && !uncounted) && agreement::is_uncounted(other)
        || alone && !agreement::stands_alone(other) && start > 0;
    if breaks {
        return None;
    }
    if start == 0 || before.ends_with(['“', '‘', '"']) && before.chars().count() == 1 {
        fitted = capital(&fitted);
    }
    let mut before = before.to_owned();
    for (written, rest) in [(" a ", 1), (" an ", 1), ("A ", 0), ("An ", 0)] {
        let whole_start = rest == 0;
        if (whole_start && before == written) || (!whole_start && before.ends_with(written)) {
            before.truncate(before.len() - written.len());
            let repaired = if whole_start {
                capital(article(&fitted))
            } else {
                format!(" {}", article(&fitted))
            };
            before.push_str(&repaired);
            before.push(' ');
            break;
        }
    }
    let sentence = format!("{before}{fitted}{}", &text[end..]);
    Some(Fitted {
        term: fitted,
        sentence,
    })
}

/// Whether the mention is a whole noun phrase: no adverb before it; no noun, bracket or governed preposition behind it.
pub(crate) fn stands_free(text: &str, mention: (usize, usize)) -> bool {
    let (Some(before), Some(after)) = (text.get(..mention.0), text.get(mention.1..)) else {
        return false;
    };
    let defined = before.chars().count() <= 1;
    // "any Specified ____": part of a name.
    let last = before.split_whitespace().next_back().unwrap_or("");
    let name = last.starts_with(char::is_uppercase)
        && !is_stop(&last.to_lowercase())
        && !last.ends_with([',', ';', '.']);
    let joined = ["easily", "unauthorised", "free", "own"].contains(&last);
    if name && before.split_whitespace().count() > 1 || joined {
        return false;
    }
    let adverb = before.ends_with(' ') && before.trim_end().ends_with("ly");
    let short_name = before.ends_with(['‘', '“', '\'', '"']) && !defined;
    if adverb || short_name || compound(before) {
        return false;
    }
    let Some(next) = after.strip_prefix(' ') else {
        return defined || !after.starts_with(['’', '\'', '-']);
    };
    let word = next
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("")
        .to_lowercase();
    let governed = ["with", "to", "for", "on", "against"].contains(&word.as_str());
    let participle = word.ends_with("ed") || word.ends_with("ing");
    !next.starts_with('(')
        && !governed
        && (is_stop(&word)
            || participle
            || lexicon::VERBS_BEHIND_A_SUBJECT.contains(&word.as_str()))
}

/// Whether a noun phrase begins at the mention: "high risk" is no risk with something before it.
pub(crate) fn begins(text: &str, mention: (usize, usize)) -> bool {
    let last = text
        .get(..mention.0)
        .and_then(|b| b.split_whitespace().next_back())
        .unwrap_or("");
    let word = last
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    word.is_empty()
        || last.ends_with([',', ';', ':', '('])
        || is_stop(&word)
        || parse::is_verb(&word)
}

/// Whether the mention is the end of a longer name: "credit spread ____" hides half of one.
fn compound(before: &str) -> bool {
    const ADJECTIVES: &[&str] = &[
        "key", "new", "high", "low", "main", "own", "full", "large", "small", "fair", "good",
    ];
    const ENDINGS: &[&str] = &[
        "al", "ive", "ic", "ous", "able", "ible", "ent", "ant", "ary", "ory", "ate", "ed", "ing",
        "ar", "ful", "less",
    ];
    let last = before.split_whitespace().next_back().unwrap_or("");
    let word = last.trim_start_matches(|c: char| !c.is_alphanumeric());
    let lower = word.to_lowercase();
    let adjective =
        ADJECTIVES.contains(&lower.as_str()) || ENDINGS.iter().any(|e| lower.ends_with(e));
    let free = word.is_empty()
        || last.ends_with([',', ';', ':', '('])
        || is_stop(&lower)
        || parse::is_verb(&lower);
    before.ends_with(' ')
        && word.starts_with(char::is_lowercase)
        && !free
        && !adjective
        && !lower.ends_with('s')
}

/// Whether a noun phrase that begins here has a determiner, adjectives in between allowed.
fn determined(before: &str) -> bool {
    const DETERMINERS: &[&str] = &[
        "the", "a", "an", "any", "each", "every", "all", "no", "this", "that", "such", "its",
        "their", "his", "her", "some", "another", "which", "whose", "either", "one",
    ];
    for word in before.split_whitespace().rev().take(4) {
        let lower = word.to_lowercase();
        if DETERMINERS.contains(&lower.as_str()) || lower.ends_with("’s") || lower.ends_with("'s")
        {
            return true;
        }
        if is_stop(&lower) || word.ends_with([',', ';', ':', '.']) {
            return false;
        }
    }
    false
}

/// Every mention of `surface` replaced by another term, in the form that each place asks for.
pub(crate) fn replace_all(text: &str, surface: &str, other: &str) -> Option<String> {
    let mut result = text.to_owned();
    let count = mentions(text, surface).len();
    if count == 0 || !mentions(text, other).is_empty() {
        return None;
    }
    for _ in 0..count {
        let place = mentions(&result, surface).into_iter().next()?;
        result = fit(&result, place, other)?.sentence;
    }
    Some(result)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn mentions_at_word_boundaries() {
        let check = |text: &str, term: &str, expected: &[&str]| {
            let found: Vec<&str> = mentions(text, term)
                .iter()
                .map(|(a, b)| &text[*a..*b])
                .collect();
            assert_eq!(found, expected);
        };
        check(
            "Supervisory authorities and the supervisory authority.",
            "supervisory authority",
            &["Supervisory authorities", "supervisory authority"],
        );
        check(
            "A sub-processor is no processor.",
            "processor",
            &["processor"],
        );
        check("The data, subject to review, is kept.", "data subject", &[]);
    }

    #[test]
    fn other_terms_are_fitted_in() {
        let check = |text: &str, term: &str, other: &str, expected: &str| {
            let place = mentions(text, term)[0];
            assert_eq!(fit(text, place, other).unwrap().sentence, expected);
        };
        check(
            "A controller must act.",
            "controller",
            "undertaking",
            "An undertaking must act.",
        );
        check(
            "The bank informs data subjects.",
            "data subject",
            "supervisory authority",
            "The bank informs supervisory authorities.",
        );
        check(
            "Controllers must act.",
            "controller",
            "processor",
            "Processors must act.",
        );
        check(
            "Send it to an authority.",
            "authority",
            "bank",
            "Send it to a bank.",
        );
    }

    #[test]
    fn nothing_is_replaced_by_what_is_there() {
        assert_eq!(
            replace_all(
                "The controller informs the processor.",
                "controller",
                "processor"
            ),
            None
        );
        assert_eq!(
            replace_all(
                "The controller informs a controller.",
                "controller",
                "auditor"
            )
            .unwrap(),
            "The auditor informs an auditor."
        );
    }
}
