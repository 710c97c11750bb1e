//! Rules in a language that no policy has.

use lexforge_domain::text::Language;
use std::collections::BTreeMap;

/// What is said of rules whose language no policy has, one warning a language.
pub(super) fn warnings(
    rules: impl Iterator<Item = Language>,
    policies: impl Iterator<Item = Language>,
) -> Vec<String> {
    let mut alone: BTreeMap<Language, usize> = BTreeMap::new();
    for language in rules.filter(|language| *language != Language::Other) {
        *alone.entry(language).or_default() += 1;
    }
    for language in policies {
        // A text in an unknown language is read like English.
        let read_as = match language {
            Language::Other => Language::En,
            known => known,
        };
        alone.remove(&read_as);
    }
    alone
        .into_iter()
        .map(|(language, n)| {
            format!(
                "No policy is in the language {}, in which rules are ({n}): what was found for them says nothing. Name an encoder that reads both languages, or match them with policies in their language.",
                language.tag()
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_without_a_policy_in_their_language_are_told() {
        use Language::{En, Other, Zh};
        let told = |rules: &[Language], policies: &[Language]| {
            warnings(rules.iter().copied(), policies.iter().copied())
        };
        assert!(told(&[En, Zh, Other], &[Zh, En]).is_empty());
        assert!(told(&[En], &[Other]).is_empty());
        let warned = told(&[En, Zh, Zh, Other], &[En, En]);
        assert_eq!(warned.len(), 1, "{warned:?}");
        assert!(
            warned[0].starts_with("No policy is in the language zh, in which rules are (2)"),
            "{warned:?}"
        );
    }
}
