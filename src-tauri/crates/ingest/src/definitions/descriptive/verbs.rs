//! "A merger occurs when …", "the term X refers to …": a name and a verb that explains it.

use super::clause::{Subject, beginnings, end_of_clause, has_capital, subject, word};
use super::lists::ADVERB;
use super::reading::Reading;
use super::tokens::Token;

pub(super) fn find(tokens: &[Token<'_>]) -> Vec<Reading> {
    beginnings(tokens)
        .into_iter()
        .filter_map(|(at, _)| {
            let subject = subject(tokens, at)?;
            let mut verb = subject.next;
            while ADVERB.contains(word(tokens, verb)) {
                verb += 1;
            }
            let (form, from) = form(tokens, verb)?;
            // What often is so defines nothing.
            let often = (subject.next..verb).any(|k| {
                matches!(
                    word(tokens, k),
                    "often" | "sometimes" | "usually" | "typically"
                )
            });
            (!often || !matches!(form, Form::Consists | Form::Involves | Form::Characterized))
                .then_some(())?;
            let end = end_of_clause(tokens, from);
            (end > from + 3 && !is_of_people(word(tokens, subject.name.start))).then_some(())?;
            explains(tokens, form, &subject, from..end).then_some(Reading {
                term: subject.name,
                wording: from..end,
                plain: matches!(form, Form::Refers | Form::Defined),
            })
        })
        .collect()
}

/// A form of words that may explain a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Refers,
    Defined,
    Describes,
    Consists,
    Involves,
    Occurs,
    IsWhen,
    IsUsedTo,
    States,
    Studies,
    Characterized,
}

/// The form of definition whose verb is at `at`, and where the defining words begin.
fn form(tokens: &[Token<'_>], at: usize) -> Option<(Form, usize)> {
    let (first, second, third) = (word(tokens, at), word(tokens, at + 1), word(tokens, at + 2));
    let found = match (first, second, third) {
        ("refers" | "refer", "to", _) => (Form::Refers, 2),
        ("is" | "are", "defined" | "understood", "as" | "to" | "by" | "when") => (Form::Defined, 3),
        ("is" | "are", _, "defined") if matches!(word(tokens, at + 3), "as" | "by" | "when") => {
            (Form::Defined, 4)
        }
        ("is" | "are", "when" | "where" | "how" | "what", _) => (Form::IsWhen, 2),
        ("is" | "are", "used", "to") => (Form::IsUsedTo, 3),
        ("is" | "are", "characterized" | "characterised" | "measured", "by")
        | ("is" | "are", "composed", "of")
        | ("is" | "are", "made", "up")
        | ("is" | "are", "formed", "by" | "when") => (Form::Characterized, 2),
        ("denotes" | "denote" | "describes" | "describe", ..) => (Form::Describes, 1),
        ("consists" | "consist", "of", _) => (Form::Consists, 2),
        ("involves" | "involve", ..) => (Form::Involves, 1),
        (
            "occurs" | "occur" | "happens" | "happen" | "exists" | "exist" | "arises",
            "when" | "where" | "if",
            _,
        ) => (Form::Occurs, 2),
        (
            "states" | "holds" | "says" | "argues" | "suggests" | "proposes" | "assumes"
            | "predicts" | "asserts",
            "that",
            _,
        ) => (Form::States, 2),
        ("studies" | "examines" | "explores", ..) => (Form::Studies, 1),
        _ => return None,
    };
    Some((found.0, at + found.1))
}

fn explains(
    tokens: &[Token<'_>],
    form: Form,
    subject: &Subject,
    said: std::ops::Range<usize>,
) -> bool {
    let name = subject.name.clone();
    let last = word(tokens, name.end - 1);
    let capital = has_capital(tokens, name.start + 1..name.end);
    let long = said.len();
    let general = subject.article != "the" && subject.article != "term";
    match form {
        // "They refer to it as …" names something else.
        Form::Refers => {
            let plural = word(tokens, said.start - 2) == "refer";
            let as_something = said.clone().take(12).any(|k| word(tokens, k) == "as");
            long >= 5 && !(plural && as_something)
        }
        Form::Defined => true,
        Form::Describes => !capital && long >= 6 && subject.article != "the",
        Form::Consists => general && !capital && long >= 5,
        Form::Involves => {
            let listed = said.clone().take(6).any(|k| word(tokens, k) == ":");
            general && !capital && long >= 5 && name.len() <= 3 && !listed
        }
        Form::Occurs => long >= 6,
        Form::IsWhen => !capital,
        Form::IsUsedTo => subject.article == "term",
        Form::States => matches!(
            last,
            "theory"
                | "hypothesis"
                | "principle"
                | "law"
                | "model"
                | "doctrine"
                | "argument"
                | "view"
                | "approach"
                | "rule"
                | "perspective"
        ),
        Form::Studies => [
            "logy", "ics", "graphy", "nomy", "story", "science", "sciences",
        ]
        .iter()
        .any(|end| last.ends_with(end)),
        Form::Characterized => general && !capital && long >= 6,
    }
}

/// "Economists refer to …": those who say something are not what is explained.
fn is_of_people(word: &str) -> bool {
    ["ists", "ians", "ers", "ors"]
        .iter()
        .any(|end| word.ends_with(end))
        && !matches!(
            word,
            "numbers" | "orders" | "papers" | "powers" | "factors" | "sectors"
        )
        || matches!(word, "people" | "critics")
}
