//! Changes to an English sentence: rewordings that keep the sense, edits that change it.
//!
//! One file because an edit must not undo a rewording of the same words, and the other way round.

use super::agreement::{self, Number};
use super::{kinds, lexicon, parse, terms, verbs};
use crate::clause::{Clause, Duty, Edit, Parsed, Variant};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use std::sync::LazyLock;

/// A length of time, an amount and a share, as parts of larger patterns.
pub(super) const FIGURE_SPAN: &str = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty|forty-five|sixty|ninety)(?: business| working| calendar| consecutive| full| financial)? (?:hour|day|week|month|year)s?\b";
pub(super) const FIGURE_AMOUNT: &str = r"(?:(?:USD|EUR|GBP|AED|CHF|US\$|\$|€|£) ?\d(?:[\d ,.]*\d)?(?: (?:million|billion))?|\d{1,3}(?:[ ,]\d{3})+ (?:USD|EUR|GBP|AED|euros?|dollars|employees))";
pub(super) const FIGURE_SHARE: &str = r"\d{1,3}(?:\.\d+)?(?: ?%| per cent\b| percent\b)";

/// A length of time: amount, filler, unit.
static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty|forty-five|sixty|ninety)( (?:business|working|calendar|consecutive|full|financial) | |-)(hour|day|week|month|year)(s?)\b").expect("a constant pattern")
});
/// What begins with a number.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\d|USD|EUR|GBP|AED|€|£|\$|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|once|twice|annually|quarterly|monthly|weekly|daily)\b)")
        .expect("a constant pattern")
});
/// A share in per cent.
static SHARE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(\d{1,3})((?:\.\d+)?)( ?%| per cent\b| percent\b)").expect("a constant pattern"));
/// An amount of money, or a count with a noun after it.
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:(?:USD|EUR|GBP|AED|CHF|US\$|\$|€|£) ?)(\d)[\d ,.]*\d|\b(\d)[\d]?(?:[ ,]\d{3})+ (?:USD|EUR|GBP|AED|euros?|dollars|employees)")
        .expect("a constant pattern")
});

const COUNTS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("fourteen", 14),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("forty-five", 45),
    ("sixty", 60),
    ("ninety", 90),
];

/// Amounts that rules use, by unit.
fn usual(unit: &str) -> &'static [u32] {
    match unit {
        "hour" => &[12, 24, 36, 48, 72, 96],
        "day" => &[1, 2, 3, 5, 7, 10, 14, 15, 20, 30, 45, 60, 90, 120, 180],
        "week" => &[1, 2, 3, 4, 6, 8, 12],
        "month" => &[1, 2, 3, 4, 6, 9, 12, 18, 24],
        "year" => &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15],
        _ => &[1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 100],
    }
}

/// Another modal of the same force that fits the subject.
pub(super) fn same_force(clause: &Clause, subject: &str) -> String {
    let plural = agreement::number(subject) == Number::Plural;
    let text = match (clause.modal.as_str(), clause.duty) {
        ("must", _) => "shall",
        ("shall not", _) => "must not",
        ("must not", _) => "shall not",
        ("should", _) => "ought to",
        ("should not", _) => "ought not to",
        (_, Duty::Must) => "must",
        (_, Duty::MustNot) => "must not",
        (_, Duty::Should) => "should",
        (_, Duty::May) if parse::is_passive(&clause.predicate) || can_only(&clause.predicate) => "can",
        (_, Duty::May) if plural => "are permitted to",
        (_, Duty::May) => "is permitted to",
    };
    text.to_owned()
}

/// Whether "is permitted to" does not read before the predicate ("also wish to", "at any time require").
fn can_only(predicate: &str) -> bool {
    let first = predicate.split([' ', ',']).next().unwrap_or("");
    ["", "also", "wish", "at", "in", "only", "therefore", "for", "by", "on", "where", "if", "not"].contains(&first)
}

/// A text in slightly other words, one rewording at a time.
pub(super) fn reworded(text: &str) -> Vec<String> {
    lexicon::SAME
        .iter()
        .filter(|(from, _)| keeps_sense(text, from))
        .filter_map(|(from, to)| swap(text, from, to))
        // A predicate begins in lower case.
        .map(|new| if text.starts_with(char::is_lowercase) { uncapital_first(&new) } else { new })
        .collect()
}

fn uncapital_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// Whether a rewording of `from` keeps the sense in this place.
fn keeps_sense(text: &str, from: &str) -> bool {
    let Some(at) = find_word(text, from) else { return false };
    let before = text[..at].trim_end();
    let after = &text[at + from.len()..];
    match from {
        "each" | "every" => !after.starts_with(" of") && !after.starts_with(" other") && !before.ends_with("at least"),
        "which is" | "which are" | "which has" | "which have" => {
            !before.ends_with(',')
                && ![" in", " of", " to", " on", " by", " with", " for", " under", " from", " and", " or"]
                    .iter()
                    .any(|p| before.ends_with(p))
        }
        // "shall apply to" but not "and apply to".
        "apply to" => {
            ["shall", "must", "should", "may", "will", "not"].iter().any(|m| before.ends_with(m)) || before.is_empty()
        }
        "regarding" | "concerning" | "relating to" => !before.ends_with(','),
        "such as" => !before.ends_with("be"),
        "with regard to" | "with respect to" | "in respect of" => !before.ends_with(" as"),
        "because" => !after.starts_with(" of"),
        _ => true,
    }
}

/// Sentences that differ by one change of sense.
pub(super) fn edits(sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
    let mut found = Vec::new();
    modals(sentence, &mut found);
    numbers(&sentence.text, rng, &mut found);
    opposites(&sentence.text, &mut found);
    if let Some(clause) = &sentence.clause {
        found.extend(case(&clause.lead).into_iter().map(|(lead, removed, added)| Variant {
            text: parse::render(&lead, &clause.subject, &clause.modal, &clause.predicate),
            edit: Edit::Negation,
            removed: removed.to_owned(),
            added: added.to_owned(),
        }));
        found.extend(verbs::swapped(clause).into_iter().map(|s| Variant {
            text: parse::render(&clause.lead, &clause.subject, &clause.modal, &s.predicate),
            edit: Edit::Action,
            removed: s.removed,
            added: s.added,
        }));
    }
    for (mention, similar) in terms {
        // Somebody who acts gives way to somebody who acts, a thing to a thing.
        let said = crate::words::content(&sentence.text);
        let new = |other: &str| crate::words::content(other).iter().any(|w| !said.contains(w));
        let fits = |o: &&String| {
            new(o)
                && kinds::is_noun(mention)
                && kinds::of_one_kind(mention, o)
                && (!parse::is_agent(mention) || kinds::could_act(mention, o))
        };
        let free = terms::mentions(&sentence.text, mention)
            .iter()
            .all(|m| terms::stands_free(&sentence.text, *m) && terms::begins(&sentence.text, *m))
            && !terms::mentions(&sentence.text, mention).iter().any(|m| in_a_row(&sentence.text, mention, *m))
            && !taken_up(&sentence.text, mention);
        for other in similar.iter().filter(|o| free && fits(o)) {
            if let Some(text) = terms::replace_all(&sentence.text, mention, other) {
                found.push(Variant { text, edit: Edit::Term, removed: mention.clone(), added: other.clone() });
            }
        }
    }
    found.retain(|v| v.text != sentence.text);
    found
}

/// Whether a mention stands in a row of names, or has more said of it: what is put in its place would have to fit there.
fn in_a_row(text: &str, mention: &str, at: (usize, usize)) -> bool {
    let (Some(before), Some(after)) = (text.get(..at.0), text.get(at.1..)) else { return true };
    // "assets and liabilities of the book": the second of two bare names.
    let paired = if parse::is_agent(mention) {
        terms::paired(text, at)
    } else {
        before.ends_with(" and ") || before.ends_with(" or ")
    };
    paired || before.ends_with(", ") && after.starts_with(", ") || terms::described(text, at)
}

/// Whether a sentence takes up one of the words of a mention ("for such marketing"): with another word in its place
/// nobody could tell which is meant.
fn taken_up(text: &str, mention: &str) -> bool {
    let said = crate::words::content(mention);
    let all = crate::words::words(text);
    all.windows(2).any(|pair| {
        matches!(pair, [points, noun] if ["such", "that", "those", "these", "this"].contains(&points.as_str())
            && said.contains(&crate::words::singular(noun)))
    })
}

/// The opposite of a condition: (lead, what went, what came).
fn case(lead: &str) -> Option<(String, &'static str, &'static str)> {
    if lead.contains(" not ") || lead.contains(" no ") || lead.contains("nless ") {
        return None;
    }
    let doing = lead.split(' ').nth(1).is_some_and(|w| w.ends_with("ing"));
    let (from, to) = match lead.split(' ').next()? {
        "Where" => ("Where", "Except where"),
        "When" if doing => ("When", "After"),
        "Before" if doing => ("Before", "After"),
        _ => return None,
    };
    Some((format!("{to}{}", lead.strip_prefix(from)?), from, to))
}

fn modals(sentence: &Parsed, found: &mut Vec<Variant>) {
    let Some(clause) = &sentence.clause else { return };
    let plural = agreement::number(&clause.subject) == Number::Plural;
    let not = if clause.modal == "must" || clause.modal == "must not" { "must not" } else { "shall not" };
    let must = if clause.modal.starts_with("must") { "must" } else { "shall" };
    let optional = if plural { "are not required to" } else { "is not required to" };
    let obliged = if plural { "are obliged to" } else { "is obliged to" };
    let others: &[&str] = match clause.duty {
        Duty::Must => &["may", "need not", not, optional],
        Duty::Should => &["need not", "may", "should not", optional],
        Duty::MustNot => &["may", "need not", "may nevertheless", must],
        Duty::May => &[must, not, "may not", obliged],
    };
    for other in others.iter().filter(|o| **o != clause.modal) {
        // "must, without delay, notify" keeps its sense as a question of duty, but "may at least" does not read.
        let first = clause.predicate.split([' ', ',']).next().unwrap_or("");
        let adverbial =
            ["", "without", "in", "at", "where", "as", "by", "on", "upon", "promptly", "before", "after", "to"];
        let not_also = first == "also" && (other.contains("not") || other.contains(" to"));
        let long = other.contains("need") || other.contains(" to") || other.contains("nevertheless");
        if *other == "may" && clause.predicate.starts_with("at least")
            || not_also
            || first == "wish"
            || long && (adverbial.contains(&first) || first == "have" && *other == "need not")
        {
            continue;
        }
        found.push(Variant {
            text: parse::render(&clause.lead, &clause.subject, other, &clause.predicate),
            edit: Edit::Modal,
            removed: clause.modal.clone(),
            added: (*other).to_owned(),
        });
    }
}

fn numbers(text: &str, rng: &mut ChaCha8Rng, found: &mut Vec<Variant>) {
    for hit in SPAN.captures_iter(text) {
        let (Some(whole), Some(amount), Some(fill), Some(unit)) = (hit.get(0), hit.get(1), hit.get(2), hit.get(3))
        else {
            continue;
        };
        let hyphen = fill.as_str() == "-";
        let Some(value) = count(amount.as_str()) else { continue };
        for other in near(value, usual(&unit.as_str().to_lowercase()), rng) {
            let Some(number) = written_like(other, amount.as_str()) else { continue };
            let ending = if other == 1 || hyphen { "" } else { "s" };
            let apostrophe = text[whole.end()..].starts_with(['’', '\'']);
            if apostrophe && (other == 1) != (value == 1) {
                continue;
            }
            let new = format!("{number}{}{}{ending}", fill.as_str(), unit.as_str());
            found.push(replaced(text, whole.start(), whole.end(), &new, Edit::Time));
        }
    }
    for hit in SHARE.captures_iter(text) {
        let (Some(number), Some(decimals), Some(whole)) = (hit.get(1), hit.get(2), hit.get(0)) else { continue };
        let Ok(value) = number.as_str().parse() else { continue };
        for other in near(value, usual("%"), rng) {
            let new = format!("{other}{}{}", decimals.as_str(), &hit[3]);
            if other < 100 || decimals.is_empty() {
                found.push(replaced(text, whole.start(), whole.end(), &new, Edit::Number));
            }
        }
    }
    for hit in AMOUNT.captures_iter(text) {
        let Some(digit) = hit.get(1).or_else(|| hit.get(2)) else { continue };
        let Some(whole) = hit.get(0) else { continue };
        let value: u32 = digit.as_str().parse().unwrap_or(1);
        for other in near(value, &[1, 2, 3, 4, 5, 6, 8, 9], rng) {
            let at = digit.start() - whole.start();
            let new = format!("{}{other}{}", &whole.as_str()[..at], &whole.as_str()[at + 1..]);
            found.push(replaced(text, whole.start(), whole.end(), &new, Edit::Number));
        }
    }
}

fn replaced(text: &str, start: usize, end: usize, new: &str, edit: Edit) -> Variant {
    Variant {
        text: format!("{}{new}{}", &text[..start], &text[end..]),
        edit,
        removed: text[start..end].to_owned(),
        added: new.to_owned(),
    }
}

/// Smaller and larger figures of the kind of `figure` that rules use, written like it.
pub(super) fn alternatives(figure: &str) -> (Vec<String>, Vec<String>) {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let mut put = |smaller: bool, text: String| if smaller { below.push(text) } else { above.push(text) };
    if let Some(hit) = SPAN.captures(figure) {
        let Some(value) = count(&hit[1]) else { return (below, above) };
        for other in
            usual(&hit[3].to_lowercase()).iter().copied().filter(|u| *u != value && u * 6 >= value && *u <= value * 6)
        {
            let ending = if other == 1 { "" } else { "s" };
            if let Some(number) = written_like(other, &hit[1]) {
                put(other < value, format!("{number}{}{}{ending}", &hit[2], &hit[3]));
            }
        }
    } else if let Some(hit) = SHARE.captures(figure) {
        let Ok(value) = hit[1].parse::<u32>() else { return (below, above) };
        for other in usual("%").iter().copied().filter(|u| *u != value && u * 5 >= value && *u <= value * 5) {
            put(other < value, format!("{other}{}{}", &hit[2], &hit[3]));
        }
    } else if let Some(at) = figure.find(|c: char| c.is_ascii_digit()) {
        let digits = figure[at..].chars().take_while(char::is_ascii_digit).count();
        let Ok(value) = figure[at..at + digits].parse::<u32>() else { return (below, above) };
        for other in [1, 2, 3, 4, 5, 8, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750] {
            if other != value && other * 5 >= value && other <= value * 5 {
                put(other < value, format!("{}{other}{}", &figure[..at], &figure[at + digits..]));
            }
        }
    }
    (below, above)
}

/// One smaller and one larger amount that rules use, within a factor of three.
fn near(value: u32, usual: &[u32], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let below: Vec<u32> = usual.iter().copied().filter(|u| *u < value && u * 3 >= value).collect();
    let above: Vec<u32> = usual.iter().copied().filter(|u| *u > value && *u <= value.max(1) * 3).collect();
    below.choose(rng).into_iter().chain(above.choose(rng)).copied().collect()
}

fn count(written: &str) -> Option<u32> {
    let lower = written.to_lowercase();
    written.parse().ok().or_else(|| COUNTS.iter().find(|c| c.0 == lower).map(|c| c.1))
}

/// A number in figures or in a word, as the other one is written.
fn written_like(value: u32, model: &str) -> Option<String> {
    if model.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(value.to_string());
    }
    let word = COUNTS.iter().find(|c| c.1 == value)?.0;
    Some(if model.starts_with(char::is_uppercase) { agreement::capital(word) } else { word.to_owned() })
}

fn opposites(text: &str, found: &mut Vec<Variant>) {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let both = lexicon::OPPOSITES.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let mut all: Vec<(&str, &str)> = lexicon::NEGATED.iter().copied().chain(both).collect();
    all.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    for (from, to) in all {
        let Some(at) = find_word(text, from) else { continue };
        let end = at + from.len();
        if taken.iter().any(|t| at < t.1 && t.0 < end) && !taken.contains(&(at, end)) {
            continue;
        }
        taken.push((at, end));
        let before = text[..at].trim_end();
        let after = &text[end..];
        // "shall have the right": "do not" does not stand behind a modal.
        let ordered = ["shall", "must", "should", "may", "will", "to", "not", "can"]
            .iter()
            .any(|m| before.strip_suffix(m).is_some_and(|b| b.is_empty() || b.ends_with(' ')));
        let to = if from == "have the right" && ordered { "have no right" } else { to };
        // "over the short-term and long-term": nothing is changed where both are said.
        if find_word(text, to).is_some() {
            continue;
        }
        let unfit = match from {
            "unless" | "if" if text.contains(" not ") || text.contains(" no ") || text.contains("at the latest") => {
                true
            }
            "if" => {
                ["only", "even", "as", "what", "except"].iter().any(|w| before.ends_with(w))
                    || [" necessary", " applicable", " appropriate", " relevant", " possible", " feasible"]
                        .iter()
                        .any(|w| after.starts_with(w))
            }
            // "aware at most of the identity": only a figure has a least and a most.
            "at least" | "at most" => !FIGURE.is_match(after.trim_start()),
            "more than" | "less than" => after.starts_with(" one "),
            "do not apply" | "apply" => ordered,
            "immediately" | "promptly" | "without delay" | "without undue delay" => {
                text.contains("within ") || text.contains("at the latest") || text.contains("not later than")
            }
            // "shall be in writing" is no "shall be orally".
            "in writing" => before.ends_with(" be") || before.ends_with(" is"),
            "including" => after.starts_with(" but not") || after.starts_with(", but not") || before.ends_with("not"),
            "in addition to" | "as well as" | "in conjunction with" => at == 0,
            "first" | "last" => {
                after.starts_with(" subparagraph") || after.starts_with(" place") || before.ends_with(" at")
            }
            // "proceedings before the courts": a place and no time.
            "before" | "after"
                if ["court", "tribunal", "judge", "authorit"]
                    .iter()
                    .any(|w| after.split_whitespace().take(3).any(|said| said.starts_with(w))) =>
            {
                true
            }
            "before" | "after" => before.ends_with("and") || before.ends_with("or"),
            "end" | "beginning" => before.ends_with("to") || after.starts_with(" user"),
            "high" | "low" => after.starts_with(" standard") || after.starts_with('-'),
            "daily" | "weekly" | "monthly" | "quarterly" | "annual" => {
                after.starts_with(" report") && before.ends_with("the")
            }
            "lender" | "borrower" | "buyer" | "seller" => text.contains(to),
            "is not" | "are not" => after.starts_with(" limited"),
            "maximum" | "minimum" => before.to_lowercase().ends_with("as a"),
            "requires" | "provides" | "contains" | "covers" | "affects" => {
                before.ends_with("not") || before.ends_with("ly") || before.ends_with(',')
            }
            _ => false,
        };
        // "no assessment is not required": a second negation turns the first one round.
        let twice = to.contains("not") && [" no ", " not ", " neither "].iter().any(|n| before.contains(n))
            || to.contains("not") && before.starts_with("No ")
            || after.starts_with(", but");
        if unfit || twice || text.to_lowercase().contains(&format!("{from} or {to}")) {
            continue;
        }
        if let Some(text) = swap(text, from, to) {
            found.push(Variant { text, edit: Edit::Negation, removed: from.to_owned(), added: to.to_owned() });
        }
    }
}

/// Byte offset of a word or phrase in the text, whatever the case of its first letter, at word boundaries.
pub(super) fn find_word(text: &str, phrase: &str) -> Option<usize> {
    let bound = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    let capital = agreement::capital(phrase);
    let mut from = 0;
    while from < text.len() {
        let rest = &text[from..];
        let at = match (rest.find(phrase), rest.find(&capital)) {
            (Some(a), Some(b)) => a.min(b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => return None,
        } + from;
        let end = at + phrase.len();
        // A capital inside the sentence belongs to a name.
        let named = at > 0 && text[at..].starts_with(&capital) && capital != phrase;
        if bound(text[..at].chars().next_back()) && bound(text[end..].chars().next()) && !named {
            return Some(at);
        }
        from = end;
    }
    None
}

/// The first occurrence of a phrase replaced, capital and "a/an" before it repaired.
fn swap(text: &str, from: &str, to: &str) -> Option<String> {
    let at = find_word(text, from)?;
    let new = if at == 0 { agreement::capital(to) } else { to.to_owned() };
    let mut head = text[..at].to_owned();
    for (article, other) in [(" a ", " an "), (" an ", " a "), ("A ", "An "), ("An ", "A ")] {
        if head.ends_with(article)
            && article.trim().to_lowercase() != agreement::article(to)
            && (at > 3 || head == article)
        {
            head.truncate(head.len() - article.len());
            head.push_str(other);
            break;
        }
    }
    Some(format!("{head}{new}{}", &text[at + from.len()..]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::seed;
    use lexforge_domain::SentenceId;

    fn parsed(text: &str) -> Parsed {
        Parsed { id: SentenceId(1), text: text.to_owned(), clause: parse::clause(text), definition: None }
    }

    #[test]
    fn numbers_stay_in_their_form() {
        let all = edits(
            &parsed("The bank shall reply within thirty days and pay 25 % of USD 10,000."),
            &[],
            &mut seed::stream(3, 1, 0),
        );
        let added: Vec<&str> =
            all.iter().filter(|v| matches!(v.edit, Edit::Time | Edit::Number)).map(|v| v.added.as_str()).collect();
        assert_eq!(added.len(), 5, "{added:?}");
        assert!(added.iter().filter(|a| a.ends_with(" days")).count() == 2);
        assert!(added.iter().filter(|a| a.ends_with(" %")).count() == 2);
        assert!(added.iter().any(|a| a.starts_with("USD ") && a.ends_with("0,000") && *a != "USD 10,000"));
    }

    #[test]
    fn one_day_has_no_plural() {
        let all = edits(&parsed("The bank shall reply within 2 days of the request."), &[], &mut seed::stream(3, 1, 0));
        assert!(all.iter().filter(|v| v.edit == Edit::Time).all(|v| v.added == "1 day" || v.added.ends_with(" days")));
    }

    #[test]
    fn articles_follow_the_new_word() {
        assert_eq!(
            swap("It has an appropriate policy.", "appropriate", "suitable").unwrap(),
            "It has a suitable policy."
        );
        assert_eq!(swap("It is a direct loss.", "direct", "indirect").unwrap(), "It is an indirect loss.");
    }

    #[test]
    fn names_are_no_words() {
        assert_eq!(find_word("The bank of May may pay.", "may"), Some(16));
        assert_eq!(find_word("An All Share fund.", "all"), None);
        assert_eq!(find_word("the short-term rate", "term"), None);
    }

    #[test]
    fn modals_keep_the_sentence() {
        let all = edits(
            &parsed("Member States shall notify the Commission of the penalties."),
            &[],
            &mut seed::stream(3, 1, 0),
        );
        let texts: Vec<&str> = all.iter().filter(|v| v.edit == Edit::Modal).map(|v| v.text.as_str()).collect();
        assert!(texts.contains(&"Member States are not required to notify the Commission of the penalties."));
        assert!(texts.contains(&"Member States may notify the Commission of the penalties."));
    }
}
