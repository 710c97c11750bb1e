//! Turns a sentence into the form in which a choice shows it.

mod pointing;

pub(crate) use pointing::points_back;

use super::agreement::{capital, uncapital};
use super::{lexicon, parse};
use crate::reasons::SkipReason;
use crate::words::length;
use lexforge_text::fold::tidy;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use std::sync::LazyLock;

/// Longest sentence that is shown whole, in scalar values; an edit may add a few more.
pub(crate) const SHOWN: usize = 380;
/// Longest sentence that is asked about, in scalar values. Of a long one only its first part is shown.
const LONGEST: usize = 700;
/// Fewest words of a choice.
const FEWEST_WORDS: usize = 6;

/// Numbering and bullets at the start of a paragraph or of a list item.
pub(crate) static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]{1,2}|[ivx]{1,5}|[A-Z])[.)]\)?\s+)|(?:\d{1,3}(?:\.\d{1,3})+(?:\.?\(\w{1,4}\))*\.?\s+)|(?:\(\w{1,4}\)\s+)|(?:[•●○▪■◦‣·–—*-]\s+))+",
    )
    .expect("a constant pattern")
});

/// "Chapter 9 sets out where …" says where a rule is, and not what the rule says.
static SIGNPOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(?:This |The )?(?:Chapter|Part|Section|Annex|Appendix|Title|Schedule)s? (?:[0-9IVX]+[0-9.A-Za-z]*(?: and [0-9IVX]+)? )?|[A-Z]{2,6} \d[\d.]*(?: and [A-Z]{2,6} \d[\d.]*)? |These (?:[A-Z]\w+ ){0,3}(?:Rules|Guidelines) )(?:sets? out|explains?|specif(?:y|ies)|provides? an overview|deals? with|describes?|contains?|outlines?|summarises?|presents?) ")
        .expect("a constant pattern")
});

/// "Sanctions. The firm must …": a heading on the line of its rule.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[A-Z][a-z]{2,}(?: [A-Z]?[a-z]{2,}){0,3}\. ([A-Z])").expect("a constant pattern")
});

/// Items of a list that stands inside a sentence.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\s\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s+").expect("a constant pattern")
});

/// "… shall include the following information": what goes on in an item once "the following …" is left out.
static FOLLOWING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(.*\b(?:includes?|contains?|comprises?|provide|specify|state|submit|cover|describe|address|consider|report|record|perform|have|fulfil|meet)(?: at least| all of| each of)?) the following(?: [a-z]+){0,2}$")
        .expect("a constant pattern")
});

/// "referred to in paragraph 1 of this Article": names a place that a sentence by itself does not have.
pub(crate) static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"(?:\(?\d{1,2}\)?(?:\([a-z0-9]{1,4}\))*|\([a-z]{1,4}\))";
    let part = r"(?:points?|paragraphs?|subparagraphs?)";
    let within = format!(
        r"(?: of (?:this|that|the (?:first|second|third)) (?:Article|paragraph|subparagraph|Section)| of {part} {label}| of Article \d+(?:\(\w{{1,4}}\))*| thereof| of (?:Regulation|Directive|Decision) (?:\((?:EU|EC|EEC)\) )?(?:No )?\d{{1,4}}/\d{{1,4}}(?:/\w{{2,3}})?)"
    );
    let link = r"(?: as)? (?:(?:referred to|provided for|mentioned|laid down|set out|specified|described|listed|defined|established|indicated|contained|given) (?:in|by|under|pursuant to)|in accordance with|in compliance with|pursuant to|under|by virtue of|within the meaning of|on the basis of|subject to|without prejudice to|by (?:way of )?derogation from|for the purposes? of)";
    let place = format!(
        "(?:the (?:first|second|third|fourth|preceding|previous) (?:sub)?paragraph|{part} {label}(?:(?:, and |, or |, | and | or | to )(?:{part} )?{label})*){within}*(?: of this Article)?"
    );
    Regex::new(&format!("(?i)(?:,{link} {place},|,?{link} {place})")).expect("a constant pattern")
});
/// The rest of a reference that could not be left out.
pub(crate) static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:sub)?paragraphs?\b|\bpoints? \(|\b(?:in|under|to|with|of|by|and|or) \((?:\d{1,2}|[a-z]|[ivx]{1,4})\)")
        .expect("a constant pattern")
});

/// "point (a) of Article 6(1)": names its place in full.
pub(crate) static FULL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bpoints? \([a-z]{1,4}\)(?:(?:,| and| or) (?:points? )?\([a-z]{1,4}\))* of Article \d+|\bparagraphs? \d+(?:\(\w{1,4}\))*(?: (?:and|or|to) \d+)? of (?:Schedule|Annex|Appendix) \w+")
        .expect("a constant pattern")
});

/// A finite verb, without which a line is no sentence.
pub(crate) static VERB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:shall|must|may|should|will|can|cannot|is|are|was|were|has|have|had|does|do|means|includes|include|applies|apply|requires|require|provides|provide|contains|contain|covers|cover|refers|refer|constitutes|constitute|protects|lays|sets|set|comprises|depends|depend|considers|consider|expects|expect|remains|remain|needs|need|involves|involve|affects|affect|helps|help|lies|becomes|become|recommends|recommend|allows|allow|establishes|establish|ensures|determines|defines|relates|concerns|describes|indicates|reflects|consists|results|result|makes|make|takes|take|denotes)\b",
    )
    .expect("a constant pattern")
});

/// The sentence without list marker and linking word, with the opening of its list, a capital and a stop.
pub(crate) fn sentence(
    text: &str,
    lead_in: Option<&str>,
    rng: &mut ChaCha8Rng,
) -> Result<String, SkipReason> {
    let tidied = unglued(&tidy(text));
    let body = MARKER.replace(&tidied, "").into_owned();
    let body = match lead_in.map(tidy).filter(|l| !l.is_empty()) {
        Some(opening) => join(MARKER.replace(&opening, "").trim(), &body),
        None => body,
    };
    let body = one_item(&body, rng);
    let body = HEADING.replace(&body, "$1").into_owned();
    let body = without_link(&body);
    let body = end(&body);
    if body.is_empty() || body.ends_with(':') {
        return Err(SkipReason::Fragment);
    }
    if body.split_whitespace().count() < FEWEST_WORDS {
        return Err(SkipReason::TooShort);
    }
    if SIGNPOST.is_match(&body) {
        return Err(SkipReason::NotARule);
    }
    if !starts_well(&body) || !balanced(&body) || !VERB.is_match(&body) || body.contains('?') {
        return Err(SkipReason::Fragment);
    }
    let spaced = format!(" {body}");
    // Some references are needed, because the rule would mean something else without them: "pursuant to paragraph 3 and
    // decisions adopted on its basis", "on the basis of point (e) of paragraph 1".
    let needed = REFERENCE.find_iter(&spaced).any(|found| {
        let rest = spaced.get(found.end()..).unwrap_or("");
        // "the information provided pursuant to paragraph 2": not all that is provided.
        let before = spaced
            .get(..found.start())
            .unwrap_or("")
            .rsplit(' ')
            .next()
            .unwrap_or("");
        let limits = [
            " pursuant to",
            " under",
            " in accordance with",
            " by virtue of",
        ]
        .iter()
        .any(|l| found.as_str().starts_with(l))
            && [
                "provided",
                "collected",
                "given",
                "obtained",
                "adopted",
                "received",
                "communicated",
                "submitted",
                "made",
            ]
            .contains(&before);
        // "within the period referred to in paragraph 3": which period is not told.
        let vague = ["period", "periods", "deadline"].contains(&before);
        if limits || vague && found.as_str().contains("referred to") {
            return true;
        }
        rest.starts_with(" and ")
            || rest.starts_with(" or ")
            || found.as_str().contains(" basis of point")
    });
    if needed {
        return Err(SkipReason::UnclearSubject);
    }
    let body = REFERENCE.replace_all(&spaced, "");
    let body = capital(body.trim_start_matches([' ', ',']));
    // "In the cases referred to in paragraph 2, …"
    let no_case = [
        "n the case",
        "n the cases",
        "n the situation",
        "n the situations",
        "n the circumstances",
    ];
    if no_case
        .iter()
        .any(|c| body.contains(&format!("{c}, ")) || body.ends_with(c))
    {
        return Err(SkipReason::UnclearSubject);
    }
    if points_back(&body) || POINTER.is_match(&FULL.replace_all(&body, "")) {
        return Err(SkipReason::UnclearSubject);
    }
    let body = if length(&body) > SHOWN {
        parse::without_empty_lead(&body)
    } else {
        body
    };
    if length(&body) > LONGEST {
        return Err(SkipReason::TooLong);
    }
    Ok(format!("{}.", capital(&body)))
}

/// "10.Institutions should": some files have no space behind the number of a paragraph.
fn unglued(text: &str) -> String {
    match text.split_once('.') {
        Some((number, rest))
            if number.len() < 4
                && number.parse::<u16>().is_ok()
                && rest.starts_with(char::is_uppercase) =>
        {
            format!("{number}. {rest}")
        }
        _ => text.to_owned(),
    }
}

/// Joins "The controller shall:" and "notify the bank;" into one sentence. If the opening counts its items ("at least
/// one of the following applies:"), it cannot be joined with a single item. Then the item alone is returned, and later
/// checks reject it because it is not a sentence.
fn join(opening: &str, item: &str) -> String {
    let opening = opening.trim_end_matches([':', '-', '–', '—', ' ', ',']);
    let item = item.trim();
    // "is allowed to either:": one item is one of the two.
    let opening = opening.strip_suffix(" either").unwrap_or(opening);
    let open_end = [" that", " if", " where", " when"]
        .iter()
        .any(|w| opening.ends_with(w));
    if parse::is_complete(item) && !open_end {
        return item.to_owned();
    }
    // "must its products": the items of an inner list go on in another opening.
    let orders = [
        " must", " shall", " should", " may", " will", " it", " they", " who",
    ]
    .iter()
    .any(|m| opening.ends_with(m));
    let first = item.split([' ', ',']).next().unwrap_or("").to_lowercase();
    let first = first.as_str();
    let second = item.split([' ', ',']).nth(1).unwrap_or("");
    let done = first.ends_with("ed") && first != "need" && first != "proceed" && first != "exceed"
        || first.ends_with("ly") && second.ends_with("ed");
    let many =
        first.ends_with('s') && !first.ends_with("ss") && !["focus", "canvas"].contains(&first);
    // "take into account: perform …": the two do not fit together.
    let unlike = [" account", " consider", " include", " including"]
        .iter()
        .any(|w| opening.ends_with(w));
    if unlike && (parse::is_verb(first) || lexicon::ITEM_VERBS.contains(&first)) {
        return item.to_owned();
    }
    let modal = orders
        && ![" it", " they", " who"]
            .iter()
            .any(|m| opening.ends_with(m));
    if modal && (done || many)
        || orders && first.ends_with("ing")
        || orders && ["the", "a", "an", "any", "all", "each", "its", "their", "no"].contains(&first)
    {
        return item.to_owned();
    }
    match FOLLOWING.captures(opening) {
        // "shall have all of the following powers: (a) to order …"
        Some(found) if item.starts_with("to ") && opening.ends_with(" powers") => {
            let head = found[1]
                .trim_end_matches(" all of")
                .trim_end_matches(" each of");
            format!("{head} the power {item}")
        }
        Some(found) if item.starts_with("to ") && opening.ends_with(" tasks") => {
            format!(
                "{} the task {item}",
                found[1]
                    .trim_end_matches(" all of")
                    .trim_end_matches(" at least")
            )
        }
        Some(found) => {
            let head = found[1]
                .trim_end_matches(" all of")
                .trim_end_matches(" each of");
            format!("{head} {}", uncapital(item))
        }
        None if opening.contains("following") => item.to_owned(),
        None => format!("{opening} {}", uncapital(item)),
    }
}

/// Of a sentence with a list inside ("… shall: (a) …; (b) …") the opening with one of the items.
fn one_item(text: &str, rng: &mut ChaCha8Rng) -> String {
    let Some(colon) = text.find(": (").or_else(|| text.find(":(")) else {
        return text.to_owned();
    };
    let list = format!(" {}", text[colon + 1..].trim_start());
    let mut starts: Vec<(usize, usize)> = ITEM
        .find_iter(&list)
        .map(|m| (m.start(), m.end()))
        .collect();
    if starts.first().is_none_or(|s| s.0 != 0) || starts.len() < 2 {
        return text.to_owned();
    }
    starts.push((list.len(), list.len()));
    let items: Vec<&str> = starts
        .windows(2)
        .map(|w| list[w[0].1..w[1].0].trim())
        .collect();
    items
        .get(rng.random_range(0..items.len()))
        .map_or_else(|| text.to_owned(), |item| join(&text[..colon], item))
}

/// Without "However," and its kind, which points to the sentence before.
pub(crate) fn without_link(text: &str) -> String {
    let lower = text.to_lowercase();
    for link in lexicon::LINKS.iter() {
        if let Some(rest) = lower.strip_prefix(link)
            && rest.starts_with(", ")
        {
            return capital(text[text.len() - rest.len() + 2..].trim_start());
        }
    }
    text.to_owned()
}

/// Without the final stop, semicolon or "; and".
pub(crate) fn end(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let before = text;
        text = text.trim_end_matches(['.', ';', ',', ' ']);
        for link in ["; and", "; or", ", and", ", or"] {
            text = text.strip_suffix(link).unwrap_or(text);
        }
        if text == before {
            return text.to_owned();
        }
    }
}

/// Whether the text begins like a sentence: a capital, a quotation mark or a digit's word.
pub(crate) fn starts_well(text: &str) -> bool {
    let mut chars = text.chars();
    // A row of a table of definitions: "Means the return that …".
    if ["Means ", "Includes ", "Has the ", "Including "]
        .iter()
        .any(|s| text.starts_with(s))
    {
        return false;
    }
    // "Ensuring that it is kept": an item whose opening is missing.
    let mut words = text.split(' ');
    if words.next().is_some_and(|w| w.ends_with("ing"))
        && words.next().is_some_and(|w| w == "that" || w == "whether")
    {
        return false;
    }
    match chars.next() {
        Some('“' | '‘' | '"' | '\'') => chars.next().is_some_and(char::is_alphabetic),
        Some(c) => c.is_uppercase(),
        None => false,
    }
}

/// Whether brackets and quotation marks come in pairs.
pub(crate) fn balanced(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    let mut open = 0i32;
    for c in text.chars() {
        open += match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        if open < 0 {
            return false;
        }
    }
    open == 0 && count('“') == count('”') && count('"') % 2 == 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
