//! Statements that share words with a rule and are about another matter.
//!
//! The rules under one heading share its words: all ten rules about suppliers have words about suppliers, and so has each
//! statement about them. What tells such a rule from its neighbours are its own words. A statement that has none of them
//! does not do what this rule demands. Measured on 225 pairs that a person read (docs/benchmarks/match.md, "Statements
//! about another matter").

use super::holding::{left_out, verb_and_object};
use super::of_documents::{demands_one, names_one};
use super::pick::Picked;
use super::says_nothing::titles;
use lexforge_domain::DocumentId;
use lexforge_store::words;
use lexforge_text::lists::Word;
use lexforge_text::{is_unspaced, word_lists};
use std::collections::{HashMap, HashSet};

word_lists! {
    /// Words of a text that speaks of a review or of an update.
    REVIEWS: Vec<Word> = "reviews.txt";
}

/// A word is a rule's own if at most one in this many of the other rules under its heading has it.
const FEW: usize = 4;
/// Verbs of a rule that demands a review.
const REVIEWED: &str = "review update";

/// Why a statement is about another matter than a rule whose words it shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// It has none of these words, which only this rule has under its heading.
    OwnWords(Vec<String>),
    /// Likewise, and all that it has of the rule stands in the heading. Then its vector is near for the heading alone.
    Heading(Vec<String>),
    /// The rule demands a review, and it speaks of none or of that of something else.
    Review,
}

impl Apart {
    /// Whether the statement may still say the same as the rule in other words if its vector is as near as that.
    pub fn may_be_the_same(&self) -> bool {
        !matches!(self, Self::Heading(_))
    }
}

/// Finds the own words of each rule that stands under a heading with others.
pub(super) fn mark_own_words(rules: &mut [Picked]) {
    let stems: Vec<HashSet<String>> = rules
        .iter()
        .map(|rule| words(&rule.shown.text).into_iter().collect())
        .collect();
    let mut places: HashMap<(DocumentId, Vec<&str>), Vec<usize>> = HashMap::new();
    for (place, rule) in rules.iter().enumerate() {
        if !rule.compared.title.trim().is_empty() {
            let heading = (rule.shown.document, titles(&rule.shown.section));
            places.entry(heading).or_default().push(place);
        }
    }
    let mut found = Vec::new();
    for of_heading in places.into_values() {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for stem in of_heading.iter().flat_map(|place| &stems[*place]) {
            *counts.entry(stem).or_default() += 1;
        }
        let others = of_heading.len() - 1;
        for place in of_heading {
            let above: HashSet<String> = words(&rules[place].compared.title).into_iter().collect();
            let is_own = |stem: &&String| {
                let having = counts.get(stem.as_str()).map_or(0, |n| n - 1);
                having * FEW <= others && !above.contains(*stem)
            };
            let own: HashSet<String> = stems[place].iter().filter(is_own).cloned().collect();
            found.push((place, own));
        }
    }
    for (place, own) in found {
        rules[place].own_words = own;
    }
}

/// Whether a statement in the rule's language is about another matter, and why. Rules that introduce a list have their
/// words in its items, and rules that demand a document are told by its name. In scripts without blanks it was not
/// measured, so no statement there is taken for one about another matter.
pub(super) fn apart(rule: &Picked, statement: &Picked) -> Option<Apart> {
    let text = &rule.shown.text;
    let introduces = text.trim_end().ends_with(':');
    if introduces || text.contains(is_unspaced) || demands_one(text) {
        return None;
    }
    let said = statement.compared.whole();
    let stems: HashSet<String> = words(&said).into_iter().collect();
    if !rule.own_words.is_empty() && rule.own_words.is_disjoint(&stems) {
        let is_own = |word: &String| {
            let stems = words(word);
            stems.iter().any(|stem| rule.own_words.contains(stem))
        };
        let own: Vec<String> = left_out(text, &said).into_iter().filter(is_own).collect();
        // What cannot be shown rejects nothing, such as the number of a point.
        if !own.is_empty() {
            let heading: HashSet<String> = words(&rule.compared.title).into_iter().collect();
            let rest = |stem: &String| stems.contains(stem) && !heading.contains(stem);
            return Some(match words(text).iter().any(rest) {
                true => Apart::OwnWords(own),
                false => Apart::Heading(own),
            });
        }
    }
    let (verb, object) = verb_and_object(text);
    let demands_review = verb.is_some_and(|verb| {
        let reviewed = words(REVIEWED);
        words(&verb).iter().any(|stem| reviewed.contains(stem))
    });
    let speaks_of_it = || {
        let mut known = REVIEWS.iter().flat_map(|word| words(word));
        known.any(|stem| stems.contains(&stem))
            && (points_back(text, &object) || is_about(&object, &rule.compared.title, &stems))
    };
    (demands_review && !speaks_of_it()).then_some(Apart::Review)
}

/// Whether what a rule has reviewed was named before it: "Those measures shall be reviewed", "They shall be updated".
fn points_back(rule: &str, object: &[String]) -> bool {
    let rule = rule.to_lowercase();
    object.first().is_none_or(|named| {
        let pointed = |pointer: &str| rule.contains(&format!("{pointer} {named}"));
        ["this", "that", "these", "those", "such"]
            .into_iter()
            .any(pointed)
    })
}

/// Whether a statement with these stems is about what a rule has reviewed: its `object`, or what the heading names if
/// the object is only "the policy" or the like.
fn is_about(object: &[String], heading: &str, stems: &HashSet<String>) -> bool {
    let reviewed = words(REVIEWED);
    let telling = |named: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        let telling = named.filter(|word| !names_one(&word.to_lowercase()));
        let stems = telling.flat_map(words);
        stems.filter(|stem| !reviewed.contains(stem)).collect()
    };
    let mut about = telling(&mut object.iter().map(String::as_str));
    if about.is_empty() {
        about = telling(&mut heading.split(|c: char| !c.is_alphanumeric()));
    }
    about.is_empty() || about.iter().any(|stem| stems.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::super::pick::picked;
    use super::*;

    /// Rules under one heading, as a matching has them.
    fn rules(heading: &str, texts: &[&str]) -> Vec<Picked> {
        let mut rules: Vec<Picked> = texts.iter().map(|text| picked(text)).collect();
        for rule in &mut rules {
            rule.shown.section = format!("Annex › {heading}");
            rule.compared.title = heading.to_owned();
        }
        mark_own_words(&mut rules);
        rules
    }

    const TOOLS: [&str; 5] = [
        "The harbour shall lock lent tools at night.",
        "The harbour shall count lent tools every week.",
        "The harbour shall review who may borrow lent tools.",
        "The harbour shall establish a procedure for lent tools.",
        "For lent tools the harbour shall name:",
    ];

    #[test]
    fn a_statement_with_the_words_of_the_heading_alone_is_about_another_rule() {
        let rules = rules("Lent tools", &TOOLS);
        let of = |rule: usize, statement: &str| apart(&rules[rule], &picked(statement));
        let own = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| (*word).to_owned()).collect()
        };
        let known = "The harbour keeps a list of lent tools.";
        let night = own(&["lock", "night"]);
        let week = own(&["count", "every", "week"]);
        assert_eq!(of(0, known), Some(Apart::OwnWords(night.clone())));
        assert_eq!(of(1, known), Some(Apart::OwnWords(week)));
        let listed = "A list of lent tools is kept.";
        assert_eq!(of(0, listed), Some(Apart::Heading(night)));
        assert_eq!(of(0, "Lent tools are locked away."), None);
        // The heading above a statement is a part of it.
        let mut below = picked(known);
        below.compared.title = "Locking".to_owned();
        assert_eq!(apart(&rules[0], &below), None);
        // A document, and the items of a list, are told in other ways.
        assert_eq!(of(3, known), None);
        assert_eq!(of(4, known), None);
        // Without a heading there are no neighbours.
        let alone = [picked(TOOLS[0])];
        assert_eq!(apart(&alone[0], &picked(known)), None);
    }

    #[test]
    fn a_rule_that_demands_a_review_needs_a_statement_about_one() {
        let rules = rules("Lent tools", &TOOLS);
        let of = |rule: &Picked, statement: &str| apart(rule, &picked(statement));
        let asks = "Who may borrow tools asks the master.";
        assert_eq!(of(&rules[2], asks), Some(Apart::Review));
        for statement in [
            "Each year the master checks who may borrow tools.",
            "The list of those who may borrow tools is updated each year.",
        ] {
            assert_eq!(of(&rules[2], statement), None, "{statement}");
        }
        // Of something else than what stands in the heading, where the rule says "the policy" alone.
        let mut policy = picked("The harbour shall review and, where needed, update the policy.");
        policy.compared.title = "Policy on lent tools".to_owned();
        let other = "Routes are reviewed each year.";
        assert_eq!(of(&policy, other), Some(Apart::Review));
        assert_eq!(
            of(&policy, "How tools are lent is reviewed each year."),
            None
        );
        policy.compared.title = String::new();
        assert_eq!(of(&policy, other), None);
        let measures = picked("Those measures shall be reviewed where necessary.");
        assert_eq!(of(&measures, other), None);
        let passive = picked("The list of tools shall be reviewed each year.");
        assert_eq!(of(&passive, other), Some(Apart::Review));
        let kept = "The list of tools is kept in the office.";
        assert_eq!(of(&passive, kept), Some(Apart::Review));
        assert_eq!(of(&picked("The list of tools shall be kept."), kept), None);
    }

    #[test]
    fn words_without_blanks_between_them_are_not_told_apart() {
        let texts = [
            "港务局应当夜间锁好借出的工具。",
            "港务局应当每周清点借出的工具。",
        ];
        let rules = rules("借出的工具", &texts);
        assert_eq!(apart(&rules[0], &picked("港务局登记借出的工具。")), None);
    }
}
