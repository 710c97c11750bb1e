//! Questions for the time limits and amounts of English rules.

use super::agreement::capital;
use super::edits::{FIGURE_AMOUNT, FIGURE_SHARE, FIGURE_SPAN, alternatives};
use super::questions::{condition, inverted, negation};
use crate::clause::{Clause, Duty, FigureKind, FigureStem, Parsed};
use crate::words::is_stop;
use regex::Regex;
use std::sync::LazyLock;

/// A time limit in a predicate: what comes before, how it is bound, the figure, what comes after.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^(.*?)(?:^|,? )(within|(?:by )?no later than|(?:by )?not later than|for at least|for not less than|for no less than|for a minimum of|for up to|for not more than|for no more than|for a maximum of|for a period of at least|for a period of up to|for a period of not more than|for a period of|for|at least once every|at least every|once every|every|at least|not less than|no less than)(?: an?(?: (?:maximum|minimum|further))? (?:period|time limit) of| a maximum of)? ({FIGURE_SPAN})(.*)$"
    ))
    .expect("a constant pattern")
});

/// A bounded amount or share.
static BOUND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^(.*?)\b(not less than|no less than|at least|a minimum of|not more than|no more than|at most|up to|a maximum of|not exceeding) ({FIGURE_AMOUNT}|{FIGURE_SHARE})(.*)$"
    ))
    .expect("a constant pattern")
});

/// "exceed N": what the subject of a prohibition must not do.
static EXCEED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?i)^exceed ({FIGURE_SPAN}|{FIGURE_AMOUNT}|{FIGURE_SHARE})(.*)$"))
        .expect("a constant pattern")
});

/// What follows a time limit and belongs to it.
const SINCE: &[&str] = &[" of ", " after ", " from ", " following ", " before ", " prior to ", " starting ", " as of "];
/// Where the part that a question repeats ends.
const ENDS: &[&str] = &[
    ", ",
    "; ",
    ": ",
    " unless ",
    " where ",
    " if ",
    " and shall ",
    " and must ",
    " and may ",
    " except ",
    " provided ",
    " whichever ",
    " in order to ",
    " in accordance with ",
];
/// Words before a time limit that belong to it.
const LINKS: &[&str] = &[
    " and in any event",
    " and in any case",
    " and at the latest",
    " but in any event",
    " in any event",
    " in any case",
    " at the latest",
    " and",
    " or",
    " but",
    ",",
];
/// Words with which no predicate begins that a question can repeat.
const ADVERBIAL: &[&str] = &[
    "without", "in", "at", "where", "as", "by", "on", "upon", "before", "after", "to", "if", "only", "for", "with",
    "also", "not", "within", "unless", "under",
];

/// All figures of the sentence that can be asked for.
pub(super) fn stems(sentence: &Parsed) -> Vec<FigureStem> {
    let Some(clause) = &sentence.clause else { return Vec::new() };
    let Some(case) = opening(clause) else { return Vec::new() };
    let found = [exceeding(clause, &case), time(clause, &case), bounded(clause, &case)];
    found.into_iter().flatten().take(1).collect()
}

/// "Where X, " or nothing; none where the condition cannot be repeated.
fn opening(clause: &Clause) -> Option<String> {
    if clause.lead.is_empty() {
        return Some(String::new());
    }
    condition(&clause.lead).map(|case| format!("{case}, "))
}

/// The text up to the first word at which a question stops.
fn until_end(text: &str) -> &str {
    let cut = ENDS.iter().filter_map(|e| text.find(e)).min().unwrap_or(text.len());
    text[..cut].trim_end()
}

fn stem(question: &str, before: &str, figure: &str, after: &str, kind: FigureKind) -> Option<FigureStem> {
    let (below, above) = alternatives(figure);
    let balanced = |t: &str| t.matches('(').count() == t.matches(')').count();
    let fits = balanced(question) && balanced(after) && balanced(before) && !figure.is_empty();
    fits.then(|| FigureStem {
        question: capital(question),
        before: capital(before),
        after: format!("{after}."),
        figure: figure.to_owned(),
        below,
        above,
        kind,
    })
}

/// "… shall not exceed N of Y."
fn exceeding(clause: &Clause, case: &str) -> Option<FigureStem> {
    if clause.duty != Duty::MustNot {
        return None;
    }
    let found = EXCEED.captures(&clause.predicate)?;
    let figure = found.get(1)?.as_str();
    let tail = until_end(&clause.predicate[found.get(1)?.end()..]);
    let time = SPAN.is_match(figure);
    let what = if time { "length of time" } else { "figure" };
    let question = format!("{case}what {what}{tail} must {} not exceed?", clause.subject);
    let before = format!("the most that {} may reach is ", clause.subject);
    stem(&question, &before, figure, tail, if time { FigureKind::Time } else { FigureKind::Amount })
}

static SPAN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("(?i)^{FIGURE_SPAN}$")).expect("a constant pattern"));

/// "… shall notify the bank within N days of the request."
fn time(clause: &Clause, case: &str) -> Option<FigureStem> {
    let predicate = clause.predicate.strip_prefix("also ").unwrap_or(&clause.predicate);
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
    let mut head = found.get(1)?.as_str().trim();
    while let Some(shorter) = LINKS.iter().find_map(|l| head.strip_suffix(l)) {
        head = shorter.trim_end();
    }
    let since = SINCE.iter().any(|s| rest.starts_with(s));
    let tail = until_end(rest);
    let (does, since) = match (since, head.is_empty()) {
        (true, true) => return None,
        (true, false) => (head.to_owned(), tail),
        (false, _) => (format!("{head}{}", if head.is_empty() { tail.trim_start() } else { tail }), ""),
    };
    let first = does.split([' ', ',']).next().unwrap_or("");
    let last = does.rsplit(' ').next().unwrap_or("");
    let words = does.split_whitespace().count();
    let unfit = ADVERBIAL.contains(&first)
        || first.ends_with("ly")
        || is_stop(last)
        || !(2..=30).contains(&words)
        || does.contains(": ")
        || rest.starts_with(" and ") && does.contains(" within ");
    if unfit {
        return None;
    }
    let (asks, opens, closes) = match bound.as_str() {
        "within" | "no later than" | "not later than" | "by no later than" | "by not later than" => {
            ("within what period", "within ", " at most")
        }
        "for" | "for a period of" => ("for how long", "for a term of ", ""),
        "every" | "once every" => ("how often", "at intervals of ", ""),
        "at least every" | "at least once every" => ("how often, as a minimum,", "at intervals of ", " or less"),
        "at least" | "not less than" | "no less than"
            if since.starts_with(" before") || since.starts_with(" prior") =>
        {
            ("how long", "with a lead time of ", " or more")
        }
        "at least" | "not less than" | "no less than" => return None,
        b if b.contains("up to") || b.contains("more") || b.contains("maximum") => {
            ("for how long at most", "for a term of ", " or less")
        }
        _ => ("for how long at least", "for a term of ", " or more"),
    };
    let (subject, modal, not) = (&clause.subject, inverted(clause.duty), negation(clause));
    if clause.duty == Duty::MustNot {
        return None;
    }
    let question = format!("{case}{asks}{since} {modal} {subject}{not} {does}?");
    let figure = span.as_str();
    stem(&question, opens, figure, &format!("{closes}, {subject} {modal}{not} {does}"), FigureKind::Time)
}

/// "… shall hold own funds of not less than N of Y."
fn bounded(clause: &Clause, case: &str) -> Option<FigureStem> {
    let predicate = clause.predicate.as_str();
    let found = BOUND.captures(predicate)?;
    let bound = found.get(2)?.as_str().to_lowercase();
    let figure = found.get(3)?;
    let head = found.get(1)?.as_str().trim_end();
    let tail = until_end(&predicate[figure.end()..]);
    let first = head.split([' ', ',']).next().unwrap_or("");
    if ADVERBIAL.contains(&first) || head.contains(": ") || head.split_whitespace().count() > 30 || head.is_empty() {
        return None;
    }
    let least = ["less", "least", "minimum"].iter().any(|w| bound.contains(w));
    let share = figure.as_str().contains('%') || figure.as_str().contains("cent");
    let what = if share { "percentage" } else { "amount" };
    let link = if ["of", "to", "by", "with", "is", "be", "pay", "hold", "maintain", "have", "own", "at"]
        .contains(&head.rsplit(' ').next().unwrap_or(""))
    {
        ""
    } else {
        " of"
    };
    let (subject, modal, not) = (&clause.subject, inverted(clause.duty), negation(clause));
    let bound = if least { "at least" } else { "at most" };
    let question = format!("{case}{subject} {modal}{not} {head}{link} {bound} what {what}{tail}?");
    let closes = if least { " or more" } else { " or less" };
    let before = format!("{subject} {modal}{not} {head}{link} ");
    stem(&question, &before, figure.as_str(), &format!("{closes}{tail}"), FigureKind::Amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::parse;
    use lexforge_domain::SentenceId;

    #[test]
    fn figures_are_asked_for() {
        let check = |text: &str, question: &str, statement: &str| {
            let parsed =
                Parsed { id: SentenceId(1), text: text.to_owned(), clause: parse::clause(text), definition: None };
            let found = stems(&parsed);
            let shown: Vec<(&str, String)> =
                found.iter().map(|s| (s.question.as_str(), s.statement(&s.figure))).collect();
            assert_eq!(shown, [(question, statement.to_owned())], "{text}");
            assert!(found.iter().all(|s| s.below.len() + s.above.len() >= 3), "{found:?}");
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
        check(
            "An insurer shall hold own funds of not less than 12 % of its premiums.",
            "An insurer must hold own funds of at least what percentage of its premiums?",
            "An insurer must hold own funds of 12 % or more of its premiums.",
        );
        check(
            "The suspension shall not exceed six months.",
            "What length of time must the suspension not exceed?",
            "The most that the suspension may reach is six months.",
        );
    }
}
