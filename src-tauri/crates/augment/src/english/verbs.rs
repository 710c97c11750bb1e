//! What a rule has done: verbs, and others that could stand in their place and mean something else.

use super::edits::find_word;
use super::lexicon;
use crate::clause::{Clause, Duty};

type Verb = (Vec<&'static str>, Vec<&'static str>);

/// A verb by its plain form.
fn of(verb: &str) -> Option<&'static Verb> {
    lexicon::VERBS.iter().find(|v| v.0.first() == Some(&verb))
}

/// Whether a word is one of the verbs, in its plain form.
pub(super) fn is_known(word: &str) -> bool {
    of(word).is_some()
}

/// A change of what is done: the predicate with another verb, the verb that went and the one that came.
pub(super) struct Swapped {
    pub(super) predicate: String,
    pub(super) removed: String,
    pub(super) added: String,
}

/// The predicate with another verb in the place of its first one, active ("keep records") or passive ("be kept"). Two
/// verbs joined by "and" are also offered as alternatives where the rule requires both.
pub(super) fn swapped(clause: &Clause) -> Vec<Swapped> {
    let text = clause.predicate.as_str();
    let passive = text.strip_prefix("be ");
    let rest = passive.unwrap_or(text);
    let adverb = rest.split(' ').next().filter(|w| w.ends_with("ly") || *w == "also").map_or(0, |w| w.len() + 1);
    let Some(rest) = rest.get(adverb..) else { return Vec::new() };
    let at = text.len() - rest.len();
    let form = |v: &Verb| v.0.get(usize::from(passive.is_some())).copied().unwrap_or_default();
    let verb = lexicon::VERBS
        .iter()
        .filter(|v| rest.strip_prefix(form(v)).is_some_and(|after| after.is_empty() || after.starts_with([' ', ','])));
    let Some(verb) = verb.max_by_key(|v| form(v).len()) else { return Vec::new() };
    let after = &rest[form(verb).len()..];
    let next = after.trim_start().split([' ', ',']).next().unwrap_or("");
    let linked = after.starts_with(" and ") || after.starts_with(" or ") || after.starts_with(", ");
    let said = format!("{after} ");
    let mut complements = lexicon::COMPLEMENTS.iter().filter(|(v, _)| v.first() == verb.0.first());
    let complement = complements.any(|(_, more)| more.iter().any(|m| said.contains(&format!(" {m} "))));
    let mut found = Vec::new();
    // "keep and, where necessary, update" has its object far away.
    if passive.is_none() && (lexicon::NO_OBJECT.contains(&next) || next.is_empty() || after.starts_with(", ")) {
        return found;
    }
    if let Some(other) = after.strip_prefix(" and ").and_then(|a| a.split(' ').next())
        && lexicon::VERBS.iter().any(|v| form(v) == other)
        && matches!(clause.duty, Duty::Must | Duty::Should)
    {
        found.push(Swapped {
            predicate: format!("{} or {}", &text[..at + form(verb).len()], &after[5..]),
            removed: format!("{} and {other}", form(verb)),
            added: format!("{} or {other}", form(verb)),
        });
    }
    if complement || linked && verb.1.is_empty() {
        return found;
    }
    for other in verb.1.iter().filter_map(|o| of(o)) {
        let new = form(other);
        if other.0.iter().any(|f| find_word(text, f).is_some()) {
            continue;
        }
        found.push(Swapped {
            predicate: format!("{}{new}{after}", &text[..at]),
            removed: form(verb).to_owned(),
            added: new.to_owned(),
        });
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn another_verb_takes_the_place_of_the_first() {
        let check = |text: &str, expected: &[&str]| {
            let found = swapped(&parse::clause(text).unwrap());
            assert_eq!(found.iter().map(|s| s.predicate.as_str()).collect::<Vec<_>>(), expected, "{text}");
        };
        check(
            "The broker shall keep the policy documents for two years.",
            &["publish the policy documents for two years", "destroy the policy documents for two years"],
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
        check("The insurer shall inform the broker.", &["consult the broker"]);
        check(
            "The insurer must verify and record the claim.",
            &["verify or record the claim", "disclose and record the claim"],
        );
        check("The insurer must establish whether the claim is due.", &[]);
    }

    #[test]
    fn every_verb_that_stands_in_for_another_has_its_forms() {
        for (forms, others) in lexicon::VERBS.iter() {
            let verb = forms[0];
            assert_eq!(forms.len(), 2, "{verb}");
            assert!(others.iter().all(|o| of(o).is_some() && *o != verb), "{verb}");
            assert_eq!(lexicon::VERBS.iter().filter(|v| v.0[0] == verb).count(), 1, "{verb}");
        }
    }
}
