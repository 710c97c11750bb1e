//! English rules that have somebody told or given something: "whom must X inform?", "to whom must X report?".

use super::agreement::capital;
use super::parse;
use super::questions::{condition, inverted, short};
use crate::clause::{Clause, Duty, Receipt};
use regex::Regex;
use std::sync::LazyLock;

/// Most words of a receiver with its article: a longer name is a run of words that only its own document has.
const LONGEST: usize = 5;
/// Fewest words of a predicate without its receiver.
const FEWEST: usize = 4;

/// "inform the authority of …": who is told stands right behind the verb.
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^((?:[a-z]+ly |also |first )?(?:inform|notify|consult|advise|alert)) ((?:the|an?|each|every|its|their) [A-Za-z][A-Za-z’ -]*?)((?: (?:of|about|that|on|without|within|before|after|prior|as|whether|at|no|not|in writing)\b.*|,.*)?)$")
        .expect("a constant pattern")
});
/// "submit a report to the board": who is given something stands behind "to".
static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^((?:[a-z]+ly |also )?(?:submit|report|provide|communicate|transmit|send|disclose|deliver|furnish|forward|supply|notify|present|pay|issue|refer)(?: [^,;:]*?)?) to ((?:the|an?|each|every|its|their) [A-Za-z][A-Za-z’ -]*?)((?: (?:of|about|without|within|before|after|prior|as|at|no|not|in writing|for|on|in)\b.*|,.*)?)$")
        .expect("a constant pattern")
});

/// "be approved by the board": who does it stands behind "by".
static DONE_BY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(be (?:[a-z]+ly )?(?:[a-z]+ed|made|given|kept|drawn up|taken|set|chosen)(?: (?:and|or) [a-z]+ed)?(?: in writing)?) by ((?:the|an?|each|every|its|their) [A-Za-z][A-Za-z’' -]*?)((?: (?:of|about|that|on|without|within|before|after|prior|as|at|for|in|to|under)\b.*|,.*)?)$")
        .expect("a constant pattern")
});

/// Who is told or given something, or who does what is done.
pub(super) fn receipt(clause: &Clause) -> Option<Receipt> {
    if clause.duty == Duty::MustNot {
        return None;
    }
    let (found, to) = match DONE_BY.captures(&clause.predicate) {
        Some(found) => (found, "by "),
        None if !parse::is_actor(clause) => return None,
        None => match TOLD.captures(&clause.predicate) {
            Some(found) => (found, ""),
            None => (GIVEN.captures(&clause.predicate)?, "to "),
        },
    };
    let (verb, name, rest) = (&found[1], &found[2], &found[3]);
    // "its board": whose that is stands in the subject.
    let pair = [" and ", " or "].iter().any(|w| name.contains(w));
    if !parse::is_agent(name) || pair || name.split_whitespace().count() > LONGEST || verb.contains(" to ") {
        return None;
    }
    let whole = format!("{verb}{rest}");
    let does = if whole.split_whitespace().count() < FEWEST { whole } else { short(&whole)? };
    let case = match condition(&clause.lead) {
        Some(case) => format!("{case}, "),
        None if clause.lead.is_empty() => String::new(),
        None => return None,
    };
    let modal = inverted(clause.duty);
    let subject = &clause.subject;
    Some(Receipt {
        question: capital(&format!("{case}{to}whom {modal} {subject} {does}?")),
        before: format!("It is {to}"),
        name: name.to_owned(),
        after: format!(" that {subject} {modal} {does}."),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn who_is_told_is_asked_for() {
        let of = |text: &str| receipt(&parse::clause(text).unwrap());
        let told =
            of("Where a pallet is lost, the keeper shall inform the depositor of the loss without delay.").unwrap();
        assert_eq!(told.question, "Where a pallet is lost, whom must the keeper inform of the loss without delay?");
        assert_eq!(
            told.statement(&told.name),
            "It is the depositor that the keeper must inform of the loss without delay."
        );
        let given =
            of("The auditor must submit a report on the stock to the supervisory board within two weeks.").unwrap();
        assert_eq!(given.question, "To whom must the auditor submit a report on the stock within two weeks?");
        assert_eq!(
            given.statement("the keeper"),
            "It is to the keeper that the auditor must submit a report on the stock within two weeks."
        );
        let done = of("The price list must be approved by the supervisory board before the end of the year.").unwrap();
        assert_eq!(done.question, "By whom must the price list be approved before the end of the year?");
        assert_eq!(
            done.statement("the auditor"),
            "It is by the auditor that the price list must be approved before the end of the year."
        );
        assert_eq!(of("The keeper shall inform the depositor and the insurer of the loss."), None);
        assert_eq!(of("The keeper shall provide access to the warehouse at any time."), None);
        assert_eq!(of("The keeper shall not inform the depositor of the price."), None);
    }
}
