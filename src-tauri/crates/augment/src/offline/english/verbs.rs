//! What an English rule has done: verbs, and others that could stand in their place and mean something else.

use super::edits::find_word;
use crate::clause::Clause;
use crate::english::lexicon;
use lexforge_text::lists::{Swap, Word};

/// Predicates whose first verb is replaced by another verb, in the active ("keep records") or the passive ("be kept").
/// Each result is (predicate, old verb, new verb).
pub(super) fn swapped(clause: &Clause) -> Vec<(String, Word, Word)> {
    let text = clause.predicate.as_str();
    let passive = text.starts_with("be ");
    let mut rest = text.strip_prefix("be ").unwrap_or(text);
    if let Some((adverb, behind)) = rest.split_once(' ')
        && (adverb.ends_with("ly") || adverb == "also")
    {
        rest = behind;
    }
    let form = |v: &Swap| v.0.get(usize::from(passive)).copied().unwrap_or_default();
    let behind = |v: &Swap| {
        rest.strip_prefix(form(v))
            .filter(|after| after.is_empty() || after.starts_with([' ', ',']))
    };
    let found = lexicon::VERBS
        .iter()
        .filter_map(|v| Some((v, behind(v)?)))
        .max_by_key(|(v, _)| form(v).len());
    let Some((verb, after)) = found else {
        return Vec::new();
    };
    let next = after.trim_start().split([' ', ',']).next().unwrap_or("");
    // "keep and, where necessary, update" has its object far away.
    let no_object =
        lexicon::NO_OBJECT.contains(&next) || next.is_empty() || after.starts_with(", ");
    let mut complements = lexicon::COMPLEMENTS
        .iter()
        .filter(|(v, _)| v.first() == verb.0.first());
    let said = format!("{after} ");
    if !passive && no_object
        || complements.any(|(_, more)| more.iter().any(|m| said.contains(&format!(" {m} "))))
    {
        return Vec::new();
    }
    let head = text.strip_suffix(rest).unwrap_or_default();
    let others = lexicon::VERBS
        .iter()
        .filter(|v| v.0.first().is_some_and(|plain| verb.1.contains(plain)));
    let new = others.filter(|other| other.0.iter().all(|form| find_word(text, form).is_none()));
    new.map(|other| {
        (
            format!("{head}{}{after}", form(other)),
            form(verb),
            form(other),
        )
    })
    .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::english::parse;

    #[test]
    fn another_verb_takes_the_place_of_the_first() {
        let check = |text: &str, expected: &[&str]| {
            let mut found: Vec<String> = swapped(&parse::clause(text).unwrap())
                .into_iter()
                .map(|(predicate, _, _)| predicate)
                .collect();
            found.sort();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "The broker shall keep the policy documents for two years.",
            &[
                "destroy the policy documents for two years",
                "publish the policy documents for two years",
            ],
        );
        check(
            "Each claim must be promptly assessed by the insurer.",
            &[
                "be promptly disclosed by the insurer",
                "be promptly limited by the insurer",
                "be promptly recorded by the insurer",
            ],
        );
        check("The insurer shall inform the broker of the claim.", &[]);
        check(
            "The insurer shall inform the broker.",
            &["consult the broker"],
        );
        check("The insurer must establish whether the claim is due.", &[]);
    }

    #[test]
    fn every_verb_that_stands_in_for_another_has_its_forms() {
        for (forms, others) in lexicon::VERBS.iter() {
            assert_eq!(forms.len(), 2, "{forms:?}");
            let known = |other: &&str| {
                lexicon::VERBS
                    .iter()
                    .filter(|v| v.0.first() == Some(other))
                    .count()
                    == 1
            };
            assert!(
                others.iter().all(known) && !others.contains(&forms[0]),
                "{forms:?}"
            );
        }
    }
}
