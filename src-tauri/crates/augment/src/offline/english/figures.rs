//! Questions for the time limits of English rules.

use super::edits::{figures, span};
use super::questions::{case, inverted};
use crate::clause::{Clause, Duty, Parsed};
use crate::english::agreement::capital;
use crate::english::lexicon;
use crate::offline::patterns::FigureStem;
use crate::words::is_stop;
use lexforge_domain::qca::QuestionType;
use regex::Regex;
use std::sync::LazyLock;

/// A time limit in a predicate: what comes before, how it is bound, the figure, what comes after.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^(.*?)(?:^|,? )(within|(?:by )?no later than|(?:by )?not later than|for at least|for not less than|for no less than|for a minimum of|for up to|for not more than|for no more than|for a maximum of|for a period of at least|for a period of up to|for a period of not more than|for a period of|for|at least once every|at least every|once every|every|at least|not less than|no less than)(?: an?(?: (?:maximum|minimum|further))? (?:period|time limit) of| a maximum of)? ({})(.*)$",
        span()
    ))
    .expect("a constant pattern")
});
/// The end of the part that a question repeats.
static END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[,;:] | (?:unless|where|if|and shall|and must|and may|except|provided|whichever|in order to|in accordance with) ").expect("a constant pattern")
});
/// Words before a time limit that belong to it.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?: (?:and|or|but))?(?: in any (?:event|case)| at the latest)?,?$")
        .expect("a constant pattern")
});

/// "Within what period of the request must X notify the bank?"
pub(super) fn stems(sentence: &Parsed) -> Vec<FigureStem> {
    let clause = sentence
        .clause
        .as_ref()
        .filter(|clause| clause.duty != Duty::MustNot);
    clause.and_then(time).into_iter().collect()
}

/// The text up to the first word at which a question stops.
fn until_end(text: &str) -> &str {
    END.find(text)
        .map_or(text, |end| &text[..end.start()])
        .trim_end()
}

/// Whether a text begins with words that belong to the time limit before it.
fn begins_since(rest: &str) -> bool {
    lexicon::SINCE
        .iter()
        .any(|s| rest.starts_with(&format!(" {s} ")))
}

/// "… shall notify the bank within N days of the request."
fn time(clause: &Clause) -> Option<FigureStem> {
    let case = case(clause)?;
    let predicate = clause
        .predicate
        .strip_prefix("also ")
        .unwrap_or(&clause.predicate);
    let found = TIME.captures(predicate)?;
    let bound = found.get(2)?.as_str().to_lowercase();
    let span = found.get(3)?;
    let between = predicate.get(found.get(2)?.end()..span.start())?;
    let bound = match (between.contains("maximum"), between.contains("minimum")) {
        (true, _) if bound == "for" => "for up to".to_owned(),
        (_, true) if bound == "for" => "for at least".to_owned(),
        _ => bound,
    };
    let rest = &predicate[span.end()..];
    // "within three months' notice", "a 30-day period"
    if rest.starts_with(['’', '\'', '-']) || rest.starts_with(" notice") {
        return None;
    }
    let head = LINK.replace(found.get(1)?.as_str().trim(), "").into_owned();
    let tail = until_end(rest);
    let (does, since) = match (begins_since(rest), head.is_empty()) {
        (true, true) => return None,
        (true, false) => (head, tail),
        (false, _) => (
            format!(
                "{head}{}",
                if head.is_empty() {
                    tail.trim_start()
                } else {
                    tail
                }
            ),
            "",
        ),
    };
    let first = does.split([' ', ',']).next().unwrap_or("");
    let last = does.rsplit(' ').next().unwrap_or("");
    let unfit = lexicon::ADVERBIAL.contains(&first)
        || first.ends_with("ly")
        || is_stop(last)
        || !(3..=30).contains(&does.split_whitespace().count())
        || does.contains([':', '(', ')'])
        || rest.starts_with(" and ") && does.contains(" within ")
        // "establish and maintain, for six years, records of …": what is kept stands behind the figure.
        || rest.starts_with(',') && since.is_empty() && found[1].ends_with(',');
    if unfit {
        return None;
    }
    let (asks, opens, closes) = match bound.as_str() {
        b if b == "within" || b.ends_with("later than") => {
            ("within what period", "within ", " at most")
        }
        "for" | "for a period of" => ("for how long", "for a term of ", ""),
        "every" | "once every" => ("how often", "at intervals of ", ""),
        "at least every" | "at least once every" => {
            ("how often, as a minimum,", "at intervals of ", " or less")
        }
        "at least" | "not less than" | "no less than" => {
            let early = since.starts_with(" before") || since.starts_with(" prior");
            early.then_some(("how long", "with a lead time of ", " or more"))?
        }
        b if b.contains("up to") || b.contains("more") || b.contains("maximum") => {
            ("for how long at most", "for a term of ", " or less")
        }
        _ => ("for how long at least", "for a term of ", " or more"),
    };
    let (subject, modal) = (&clause.subject, inverted(clause.duty));
    let figure = figures(span.as_str()).into_iter().next()?;
    Some(FigureStem {
        question: capital(&format!("{case}{asks}{since} {modal} {subject} {does}?")),
        before: capital(opens),
        after: format!("{closes}, {subject} {modal} {does}."),
        figure: span.as_str().to_owned(),
        below: figure.below,
        above: figure.above,
        question_type: QuestionType::Deadline,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::parse;
    use lexforge_domain::SentenceId;

    #[test]
    fn figures_are_asked_for() {
        let check = |text: &str, question: &str, statement: &str| {
            let parsed = Parsed {
                id: SentenceId(1),
                text: text.to_owned(),
                clause: parse::clause(text),
                definition: None,
            };
            let found = stems(&parsed);
            let shown: Vec<(&str, String)> = found
                .iter()
                .map(|s| (s.question.as_str(), s.statement(&s.figure)))
                .collect();
            assert_eq!(shown, [(question, statement.to_owned())], "{text}");
            assert!(
                found.iter().all(|s| s.below.len() + s.above.len() >= 3),
                "{found:?}"
            );
        };
        check(
            "The broker shall answer a complaint within 15 business days of its receipt.",
            "Within what period of its receipt must the broker answer a complaint?",
            "Within 15 business days at most, the broker must answer a complaint.",
        );
        check(
            "The broker shall provide a reply to the claimant without undue delay and in any event within one month of the claim.",
            "Within what period of the claim must the broker provide a reply to the claimant without undue delay?",
            "Within one month at most, the broker must provide a reply to the claimant without undue delay.",
        );
        check(
            "An insurer must keep the records of each policy for at least six years after its end.",
            "For how long at least after its end must an insurer keep the records of each policy?",
            "For a term of six years or more, an insurer must keep the records of each policy.",
        );
    }
}
