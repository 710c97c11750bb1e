//! Items of English lists.

use crate::english::agreement::{capital, uncapital};
use crate::english::clean::{
    FULL, MARKER, POINTER, REFERENCE, VERB, balanced, end, points_back, starts_well, without_link,
};
use crate::english::parse;
use crate::offline::patterns::Item;
use crate::words::{content, length};
use lexforge_text::fold::tidy;

/// Longest item of a list that is a choice, longest opening that a question repeats, in scalar values.
const LONGEST_ITEM: usize = 260;
const LONGEST_OPENING: usize = 240;
/// Fewest content words of an opening with which its list can be recognised.
const OPENING_WORDS: usize = 4;

/// An item of a list, with the opening of the list.
pub(super) fn item(lead_in: &str, text: &str) -> Option<Item> {
    let opening = tidy(lead_in);
    let opening = MARKER.replace(&opening, "");
    let opening = without_link(opening.trim_end_matches([':', '-', '–', '—', ' ', ',']));
    let lead = REFERENCE
        .replace_all(&format!(" {opening}"), "")
        .trim_start_matches([' ', ','])
        .to_owned();
    let lead = capital(&lead);
    let tidied = tidy(text);
    let body = end(&MARKER.replace(&tidied, ""));
    let body = REFERENCE
        .replace_all(&format!(" {body}"), "")
        .trim_start_matches([' ', ','])
        .to_owned();
    let of_its_own = |text: &str| {
        balanced(text)
            && !POINTER.is_match(&FULL.replace_all(text, ""))
            && !text.contains([':', '?'])
            && !points_back(text)
    };
    let pronoun = |text: &str| {
        let words = lexforge_text::words(text);
        words.iter().any(|w| {
            [
                "they", "them", "he", "she", "this", "those", "these", "such",
            ]
            .contains(&w.as_str())
        })
    };
    // "… that", "… where": what follows is a clause.
    let open_end = [" that", " if", " where", " when", " whether"]
        .iter()
        .any(|w| lead.ends_with(w));
    let fits = (20..=LONGEST_ITEM).contains(&length(&body))
        && body.split_whitespace().count() >= 3
        && !parse::is_complete(&body)
        && (open_end || parse::clause(&format!("{}.", capital(&body))).is_none())
        && of_its_own(&body)
        && !pronoun(&body);
    if !fits {
        return None;
    }
    let shown = [" below", " above", " follows"]
        .iter()
        .any(|w| lead.ends_with(w));
    let told = !shown
        && length(&lead) <= LONGEST_OPENING
        && content(&lead).len() >= OPENING_WORDS
        && starts_well(&lead)
        && of_its_own(&lead);
    let last = lead.rsplit(' ').next().unwrap_or("").to_lowercase();
    let first = body.split([' ', ',']).next().unwrap_or("").to_lowercase();
    let names = [
        "the", "a", "an", "any", "all", "each", "every", "its", "their", "his", "no",
    ]
    .contains(&first.as_str());
    let form = match () {
        () if ["must", "shall", "should", "may", "to", "not", "will"].contains(&last.as_str())
            && names =>
        {
            return None;
        }
        () if ["must", "shall", "should", "may", "to", "not", "will"].contains(&last.as_str()) => {
            "does"
        }
        () if names => "name",
        () if parse::is_verb(&first) => "does",
        () if first.ends_with("ing") => "doing",
        () if [
            "whether", "where", "if", "when", "that", "how", "in", "for", "by", "on", "is", "are",
            "has", "have", "was", "were", "can", "does",
        ]
        .contains(&first.as_str()) =>
        {
            return Some(listed(lead, &body, &first, told));
        }
        () if VERB.is_match(&body) => "clause",
        () => "other",
    };
    Some(listed(lead, &body, form, told))
}

fn listed(lead: String, body: &str, form: &str, told: bool) -> Item {
    let said = format!("{lead} {}.", uncapital(body));
    let duty = parse::clause(&said).map(|c| c.duty);
    Item {
        lead,
        text: format!("{}.", capital(body)),
        form: form.to_owned(),
        duty,
        told,
    }
}
