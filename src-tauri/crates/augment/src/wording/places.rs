//! What stands in curly brackets in a prompt and is filled in.

use lexforge_domain::api::{Placeholder, PromptKind};

/// The placeholders of the part `again`.
pub(super) const REASON: &str = "reason";
pub(super) const ATTEMPT: &str = "attempt";

/// A name, and the value that replaces it.
pub(crate) type Filled<'a> = (&'static str, &'a str);

/// The names that must be in a prompt of a kind: each of them once, `attempt` at most once.
pub fn placeholders(kind: PromptKind) -> Vec<Placeholder> {
    let all: &[(&str, &str, &str)] = match kind {
        PromptKind::EntityExtraction => &[
            (
                "classes",
                "system",
                "the classes of the schema, a line each",
            ),
            (
                "sentences",
                "user",
                "the numbered sentences between their markers",
            ),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::SentenceQca => &[
            (
                "anchor",
                "user",
                "the rule, with its heading in square brackets, between markers",
            ),
            ("neighbour", "user", "the other rule between markers"),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::TokenQca => &[
            ("anchor", "user", "the rule between markers"),
            (
                "term",
                "user",
                "the term that is asked for, between markers",
            ),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::MeaningQca => &[
            ("term", "user", "the term between markers"),
            ("act", "user", "the name of its act between markers"),
            ("own", "user", "what it means there, between markers"),
            ("others", "user", "what it means in other acts, numbered"),
            ("hard", "user", "how many further wrong answers are wanted"),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::Judge => &[
            ("anchor", "user", "the rule between markers"),
            ("question", "user", "the question between markers"),
            ("choices", "user", "its numbered choices between markers"),
            (
                "answer",
                "user",
                "the choice that is taken for right, between markers",
            ),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::Paraphrase | PromptKind::Translation | PromptKind::QueryGeneration => {
            &[("anchor", "user", "the rule between markers")]
        }
        PromptKind::Triplet => &[
            (
                "shifts",
                "system",
                "the ways in which a meaning can shift, a line each",
            ),
            ("anchor", "user", "the sentence between markers"),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::TripletJudge => &[
            ("anchor", "user", "the sentence between markers"),
            ("other", "user", "the text that is judged, between markers"),
            (
                "meant",
                "user",
                "what that text is meant to be: a variant or a rewording",
            ),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::AnswerMarks => &[
            ("anchor", "user", "the rule between markers"),
            ("question", "user", "the question between markers"),
            ("answer", "user", "the answer between markers"),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::AnswerPair => &[
            ("anchor", "user", "the rule between markers"),
            ("question", "user", "the question between markers"),
            ("first", "user", "one answer between markers"),
            ("second", "user", "the other answer between markers"),
            (REASON, "again", "why the answer before could not be used"),
            (ATTEMPT, "again", "which answer that was (may be left out)"),
        ],
        PromptKind::Answer => &[
            ("question", "user", "the question between markers"),
            (
                "clauses",
                "user",
                "the numbered clauses between their markers, each with its place in square brackets",
            ),
        ],
    };
    let owned = |(name, part, meaning): &(&str, &str, &str)| Placeholder {
        name: (*name).to_owned(),
        part: (*part).to_owned(),
        meaning: (*meaning).to_owned(),
    };
    all.iter().map(owned).collect()
}

/// Returns the names in braces, in order. A name has only lower-case letters, so that JSON in an example is not taken
/// for a name.
pub(super) fn names(text: &str) -> Vec<&str> {
    text.match_indices('{')
        .filter_map(|(at, _)| name(&text[at..]))
        .collect()
}

fn name(from: &str) -> Option<&str> {
    let (name, _) = from.strip_prefix('{')?.split_once('}')?;
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')).then_some(name)
}

/// Puts values in the places of their names, in one pass: what was filled in is not looked at again.
pub(super) fn fill(text: &str, filled: &[Filled<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let value = name(from).and_then(|name| filled.iter().find(|(known, _)| *known == name));
        match value {
            Some((known, value)) => {
                out.push_str(value);
                rest = &from[known.len() + 2..];
            }
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out + rest
}
