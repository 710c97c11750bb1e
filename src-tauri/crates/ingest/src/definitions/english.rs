//! English definition patterns.

use super::found::Found;
use super::pattern::{Pattern, Search};
use super::subject::{is_bare_term, is_genus, is_term, without_article};
use super::wording;
use aho_corasick::AhoCorasick;
use lexforge_text::fold::joined;
use regex::Captures;
use std::sync::LazyLock;

/// A term between quotation marks; `’s` may stand inside single ones.
const QUOTED: &str = r#"(?:‘((?:[^‘’“”"]|’s\b){1,160}?)\s*’|“([^“”"]{1,160}?)\s*[”“]|"([^"“”]{1,160}?)\s*"|«\s*([^«»]{1,160}?)\s*»|``([^`']{1,160}?)'')"#;
/// A term between typewriter apostrophes: these need free space around them.
const APOSTROPHES: &str = r"(?:^|[\s(\[])'((?:[^'\n]|'s\b){1,120}?)\s*'";
/// Between a quoted term and its verb: "(‘ABC’)", "of the data subject", ", in relation to a bank,".
const GAP: &str = r#"(?:\s*\([^()]{1,120}\))?(?:\s*,\s*(?:in relation to|in respect of|with respect to|for the purposes? of|when used|as used|as regards|in|for|of|where)\b[^.;:]{0,160}?,|\s+(?:of|in|for|when|with|under|by|to|as|used)\b[^.;:,‘“"]{0,100}?)?"#;
/// What makes a sentence a definition if the term is quoted.
const VERB: &str = r"\s*,?\s*(?:\b(?:also|generally|further|each|both|together|collectively|respectively|therefore|otherwise)\s+)*(?:\b(?:shall\s+)?means?\b\s*[,:]?|\bshall\s+be\s+(?:construed|understood|read|taken|defined)\s+(?:as|to\s+mean)\b|\b(?:is|are)\s+(?:to\s+be\s+)?(?:construed|understood|read|taken|defined)\s+(?:as|to\s+mean)\b|\b(?:is|are)\s+(?P<cited>defined)\s+(?:in|by|under)\b|\b(?:has|have|shall\s+have|bears?)\s+(?P<meaning>the\s+(?:same\s+)?meanings?)\b|\b(?:shall\s+)?refers?\s+to\b|\b(?:shall\s+)?includes?\b|\bdenotes?\b)";
/// Where an unquoted definition may begin: a sentence, a line, a list item; with or without a lead-in.
const BEGIN: &str = r"(?:^|[.;:]\s+|\n\s*|,\s+(?:where(?:by)?|in\s+which)\s+)(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[).]\s*|[•●▪–-]\s*)?(?:(?:In|For the purposes? of|Under|As used in|When used in|Within the meaning of)\s+(?:this|these|the|that)\b[^,:;.]{0,80},\s*)?(?:[Tt]he\s+(?:term|expression|word|phrase)s?\s+)?";
/// An unquoted term: up to eight words, perhaps with its short form in brackets.
const TERM: &str = r"((?:[A-Z][\w’'/&-]*|[a-z][\w’'/&-]*)(?:\s(?:[A-Za-z][\w’'/&-]*)){0,7}?)(?:\s\([^()]{1,60}\))?";
/// What makes a sentence a definition if the term is not quoted.
const BARE_VERB: &str = r"(?:,)?\s+(?:(?:shall\s+)?(?P<means>means?)\b\s*[,:]?|(?:is|are)\s+defined\s+(?:as|to\s+be)\b|shall\s+be\s+(?:construed|understood|defined)\s+as\b|(?:is|are)\s+(?P<cited>defined)\s+(?:in|by|under)\b|(?:has|have|shall\s+have)\s+(?P<meaning>the\s+(?:same\s+)?meanings?)\b|refers?\s+to\s+(?P<refers>an?|the|any|all|those|when|how)\b|(?:is|are)\s+(?P<copula>an?|the|any)\b)";

/// A match of no more characters is within every bound of these patterns.
const WITHIN_BOUNDS: usize = 100;

fn length(text: &str) -> usize {
    text.chars().count()
}

fn is_within_bounds(captures: &Captures) -> bool {
    length(&captures[0]) <= WITHIN_BOUNDS
}

static QUOTED_DEFINITION: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::english(
        format!(
            r"{QUOTED}(?P<more>(?:\s*(?:,|,?\s*\b(?:and|or)\b|/)\s*{QUOTED}){{0,3}}){GAP}{VERB}"
        ),
        is_within_bounds,
    )
});
static APOSTROPHE_DEFINITION: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::english(format!(r"{APOSTROPHES}{GAP}{VERB}"), is_within_bounds));
static QUOTED_TERM: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::english(QUOTED.to_owned(), is_within_bounds));
static BARE_DEFINITION: LazyLock<Pattern> = LazyLock::new(|| {
    // What stands before the term has at most 80 characters in one part, what stands behind it 60 in brackets.
    Pattern::english(format!("{BEGIN}{TERM}{BARE_VERB}"), |captures| {
        let (Some(whole), Some(term)) = (captures.get(0), captures.get(1)) else {
            return false;
        };
        let (before, after) = (term.start() - whole.start(), whole.end() - term.end());
        before <= 80 && after <= 60
    })
});

/// A short name in brackets after what it stands for.
static SHORT_NAME: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::english(
        r#"\((?P<called>(?:(?:hereinafter|hereafter|together|collectively|each|also)(?:\s+(?:referred\s+to\s+as|called|known\s+as))?,?\s+|referred\s+to\s+as\s+)?(?:the|an?)\s+|(?:hereinafter|hereafter)(?:\s+(?:referred\s+to\s+as|called))?,?\s+)(?:‘([^‘’“”]{2,60}?)’|“([^“”"]{2,60}?)”|"([^"“”]{2,60}?)"|'([^'\n]{2,60}?)')\)"#.to_owned(),
        |captures| {
            let name = (2..=5).find_map(|i| captures.get(i));
            name.is_some_and(|name| length(name.as_str()) <= 60)
        },
    )
});

/// Where a definition begins: its term(s), and where its wording begins.
struct Opening {
    /// (term, first byte) of each term.
    terms: Vec<(String, usize)>,
    /// The terms are names for one thing: `‘a’ or ‘b’`.
    alternatives: bool,
    wording: usize,
}

pub(super) fn find(text: &str) -> Vec<Found> {
    let mut openings = quoted(text);
    let covered: Vec<(usize, usize)> = openings.iter().map(|o| (o.terms[0].1, o.wording)).collect();
    openings.extend(bare(text).into_iter().filter(|o| {
        let (start, end) = (o.terms[0].1, o.wording);
        !covered.iter().any(|&(s, e)| start < e && s < end)
    }));
    openings.sort_by_key(|o| o.terms[0].1);
    let mut found = Vec::new();
    for (i, opening) in openings.iter().enumerate() {
        let next = openings[i + 1..]
            .iter()
            .map(|o| o.terms[0].1)
            .find(|s| *s > opening.wording);
        let end = wording::end(text, opening.terms[0].1, opening.wording, next);
        // "‘multilateral trading facility’ or ‘MTF’ means …" is one definition with two names. "‘a’ and ‘b’ mean …" is
        // one definition for each term.
        let mut terms = opening.terms.iter();
        let Some((first, start)) = terms.next() else {
            continue;
        };
        let Some(mut one) = Found::at(
            text,
            first,
            *start,
            opening.wording..end.max(opening.wording),
        ) else {
            continue;
        };
        for (term, start) in terms {
            if opening.alternatives {
                one.aliases.push(joined(term));
            } else {
                found.extend(Found::at(
                    text,
                    term,
                    *start,
                    opening.wording..end.max(opening.wording),
                ));
            }
        }
        found.push(one);
    }
    let shortened: Vec<Found> = short_names(text)
        .into_iter()
        .filter(|s| !found.iter().any(|f| f.start < s.end && s.start < f.end))
        .collect();
    found.extend(shortened);
    found
}

/// Short names that a text gives in passing: "the European Union Agency for Cybersecurity (the ‘Agency’)", "the Markets
/// Regulations 2015 (hereinafter “MR”)". The wording of the definition is the name before the bracket.
fn short_names(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if !["’)", "”)", "\")", "')"]
        .iter()
        .any(|end| text.contains(end))
    {
        return found;
    }
    for captures in SHORT_NAME.search(text).all() {
        let (Some(whole), Some(term)) = (captures.get(0), (2..=5).find_map(|i| captures.get(i)))
        else {
            continue;
        };
        let mut from = whole.start().saturating_sub(160);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before = text[from..whole.start()].trim_end();
        let clause = before
            .rfind(['.', ';', ':', '(', '“', '‘', '\n'])
            .map_or(0, |at| {
                at + before[at..].chars().next().map_or(1, char::len_utf8)
            });
        let name = full_name(&before[clause..], term.as_str());
        if let Some(name) =
            name.filter(|n| n.split_whitespace().count() >= 2 || captures.name("called").is_some())
        {
            let start = name.as_ptr() as usize - text.as_ptr() as usize;
            if let Some(mut one) =
                Found::at(text, term.as_str(), term.start(), start..start + name.len())
            {
                // The wording comes first here.
                (one.start, one.end) = (start, whole.end());
                found.push(one);
            }
        }
    }
    found
}

/// The name at the end of `clause` for which `short` is the short name. If the initials of the last words make `short`,
/// it consists of these words. Otherwise it is a capitalised name after the last article.
fn full_name<'a>(clause: &'a str, short: &str) -> Option<&'a str> {
    let small = ["and", "of", "the", "for", "on", "in", "to", "a"];
    let words: Vec<&str> = clause.split_whitespace().collect();
    let place = |word: &str| word.as_ptr() as usize - clause.as_ptr() as usize;
    if short.chars().count() >= 2 && short.chars().all(|c| c.is_ascii_uppercase()) {
        let mut letters = short.chars().rev().peekable();
        for word in words.iter().rev().take(14) {
            let initial = word.chars().next().map(|c| c.to_ascii_uppercase());
            if initial == letters.peek().copied() {
                letters.next();
                if letters.peek().is_none() {
                    return Some(&clause[place(word)..]);
                }
            } else if !small.contains(word) {
                break;
            }
        }
    }
    let at = words
        .iter()
        .rposition(|w| matches!(*w, "the" | "The" | "a" | "an" | "A" | "An"));
    // "the Agency of the Union": back to an article after which the name begins.
    let begins = |i: usize| {
        words
            .get(i + 1)
            .is_some_and(|w| w.starts_with(char::is_uppercase))
    };
    let mut at = at.filter(|i| begins(*i))?;
    while at >= 2 && words[at - 1] == "of" {
        let Some(earlier) = words[..at - 1]
            .iter()
            .rposition(|w| matches!(*w, "the" | "The"))
            .filter(|i| begins(*i))
        else {
            break;
        };
        at = earlier;
    }
    words.get(at + 1).map(|w| &clause[place(w)..])
}

/// What any definition of a quoted term contains.
static QUOTED_VERBS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let verbs = [
        "mean",
        "construed",
        "understood",
        "read",
        "taken",
        "defined",
        "refer",
        "include",
        "denote",
    ];
    AhoCorasick::new(verbs).expect("constant words")
});

fn quoted(text: &str) -> Vec<Opening> {
    let mut openings = Vec::new();
    let (marked, apostrophes) = (
        text.contains(['‘', '“', '"', '«', '`']),
        text.contains('\''),
    );
    if !(marked || apostrophes) || !QUOTED_VERBS.is_match(text) {
        return openings;
    }
    let search = marked.then(|| QUOTED_DEFINITION.search(text));
    for captures in search.iter().flat_map(Search::all) {
        let (Some(whole), Some(first)) = (captures.get(0), (1..=5).find_map(|i| captures.get(i)))
        else {
            continue;
        };
        let mut terms = vec![(first.as_str().to_owned(), first.start())];
        if let Some(more) = captures.name("more") {
            for other in QUOTED_TERM.search(more.as_str()).all() {
                terms.extend(
                    (1..=5)
                        .find_map(|i| other.get(i))
                        .map(|m| (m.as_str().to_owned(), more.start() + m.start())),
                );
            }
        }
        terms.retain(|(term, _)| is_term(term));
        let said = captures
            .name("cited")
            .or(captures.name("meaning"))
            .map_or_else(|| wording::begin(text, whole), |m| m.start());
        if !terms.is_empty() && !text[whole.end()..].trim_start().starts_with("that ") {
            let alternatives = captures
                .name("more")
                .is_some_and(|m| m.as_str().contains(" or ") || m.as_str().contains('/'));
            openings.push(Opening {
                terms,
                alternatives,
                wording: said,
            });
        }
    }
    let search = apostrophes.then(|| APOSTROPHE_DEFINITION.search(text));
    for captures in search.iter().flat_map(Search::all) {
        let (Some(whole), Some(term)) = (captures.get(0), captures.get(1)) else {
            continue;
        };
        let known = openings
            .iter()
            .any(|o| o.terms[0].1 < whole.end() && whole.start() < o.wording);
        if !known && is_term(term.as_str()) {
            let said = captures
                .name("cited")
                .or(captures.name("meaning"))
                .map_or_else(|| wording::begin(text, whole), |m| m.start());
            openings.push(Opening {
                terms: vec![(term.as_str().to_owned(), term.start())],
                alternatives: false,
                wording: said,
            });
        }
    }
    openings
}

/// What any unquoted definition contains: most sentences are skipped by this alone.
static BARE_VERBS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let verbs = [
        "mean",
        "define",
        "construed",
        "understood",
        "refer",
        "is a",
        "is t",
        "are a",
        "are t",
        "is\n",
        "are\n",
    ];
    AhoCorasick::new(verbs).expect("constant words")
});

fn bare(text: &str) -> Vec<Opening> {
    if !BARE_VERBS.is_match(text) {
        return Vec::new();
    }
    let (mut openings, mut at) = (Vec::new(), 0);
    let search = BARE_DEFINITION.search(text);
    // The end of one sentence is the beginning of the next: matches may share it.
    while let Some(captures) = search.at(at) {
        let (Some(whole), Some(term)) = (captures.get(0), captures.get(1)) else {
            break;
        };
        at = term.end();
        let rest = text[whole.end()..].trim_start();
        let name = without_article(term.as_str());
        let accepted = if captures.name("means").is_some() {
            ![
                "of ",
                "that ",
                "to ",
                "for ",
                "by ",
                "and ",
                "or ",
                "is ",
                "are ",
                "in which ",
                "tested",
                // "Data sent by electronic means must be encrypted."
                "must ",
                "shall ",
                "should ",
                "may ",
                "can ",
                "cannot ",
                "will ",
            ]
            .iter()
            .any(|w| rest.starts_with(w))
                && is_bare_term(name, 8)
        } else if captures.name("copula").is_some() {
            is_bare_term(name, 4) && is_genus(term.as_str(), rest)
        } else if captures.name("cited").is_some() {
            is_bare_term(name, 8) && !says_where(whole.as_str(), name, rest)
        } else {
            is_bare_term(name, 8)
        };
        if accepted {
            let said = ["cited", "meaning", "refers", "copula"]
                .iter()
                .find_map(|n| captures.name(n))
                .map_or(whole.end(), |m| m.start());
            let start = term.end() - name.len();
            openings.push(Opening {
                terms: vec![(name.to_owned(), start)],
                alternatives: false,
                wording: said,
            });
            at = whole.end();
        }
    }
    openings
}

/// Whether a sentence says where something is written and not what a term means: "Requirements for backups are defined
/// in the Backup Policy", "Limits are defined in Table 3". "Return on equity is defined in Article 3" is different,
/// because it refers to the meaning of a term.
fn says_where(opening: &str, name: &str, rest: &str) -> bool {
    const CLAUSES: [&str; 8] = [
        "article ",
        "section ",
        "paragraph ",
        "point ",
        "chapter ",
        "annex ",
        "regulation ",
        "directive ",
    ];
    const SHOWN: [&str; 4] = ["table ", "tables ", "figure ", "figures "];
    let place = rest.trim_start_matches("the ").to_lowercase();
    let begins = |places: &[&str]| places.iter().any(|begin| place.starts_with(begin));
    let describes = name
        .split_whitespace()
        .any(|word| ["for", "on"].contains(&word));
    let of_a_term = opening.contains(" is ") && begins(&CLAUSES);
    describes && !of_a_term || begins(&SHOWN)
}
