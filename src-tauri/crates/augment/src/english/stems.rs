//! English statements with one place open: who acts, in which case, with which force.

use super::agreement::{self, Number, capital};
use super::questions::{condition, inverted, negation, short, whole};
use super::{edits, parse};
use crate::clause::{Clause, Duty};

/// Openings of a condition that reads as well behind its rule.
const CASES: &[&str] = &[
    "where ",
    "if ",
    "when ",
    "in the case of ",
    "in case of ",
    "in the event of ",
    "in the event that ",
    "upon ",
    "after ",
    "before ",
    "once ",
    "following ",
    "during ",
    "in cases where ",
];
/// Most words of somebody who acts, with the article.
const LONGEST_ACTOR: usize = 4;

/// "It is the controller that must notify the authority."
pub(super) fn actor(clause: &Clause, subject: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    // A longer name is by itself a run of words that only its own document has.
    if subject.split_whitespace().count() > LONGEST_ACTOR {
        return None;
    }
    Some(format!("It is {subject} that {}{} {does}.", inverted(clause.duty), negation(clause)))
}

/// Whether two subjects have the same number and could do the same.
pub(super) fn interchangeable(a: &str, b: &str) -> bool {
    agreement::number(a) == agreement::number(b) && super::kinds::could_act(a, b)
}

/// The subject with another term in the place of `mention`, where it is a determiner and the mention only.
pub(super) fn with_actor(subject: &str, mention: &str, other: &str) -> Option<String> {
    let (determiner, name) = ["the ", "a ", "an ", "each ", "every ", "any ", ""]
        .iter()
        .find_map(|d| subject.strip_prefix(d).map(|rest| (*d, rest)))?;
    if !name.eq_ignore_ascii_case(mention) && agreement::singular(name) != agreement::singular(mention) {
        return None;
    }
    let plural = agreement::number(subject) == Number::Plural;
    if plural && agreement::is_uncounted(other.rsplit(' ').next().unwrap_or("")) {
        return None;
    }
    let other = if plural { agreement::plural(other) } else { agreement::singular(other) };
    let determiner = match determiner {
        "a " | "an " => format!("{} ", agreement::article(&other)),
        kept => kept.to_owned(),
    };
    Some(format!("{determiner}{other}"))
}

/// A condition as it stands behind its rule.
pub(super) fn case(lead: &str) -> Option<String> {
    let said = condition(lead)?;
    let fits = CASES.iter().any(|c| said.starts_with(c)) && said.split_whitespace().count() > 3 && !pronoun(&said);
    fits.then_some(said)
}

/// A rule without its case, and the case as it stands behind it, wherever the rule has it.
pub(super) fn cased(clause: &Clause) -> Option<(Clause, String)> {
    if !clause.lead.is_empty() {
        return Some((Clause { lead: String::new(), ..clause.clone() }, case(&clause.lead)?));
    }
    let at = [" where ", " if ", " when ", " in the event of ", " in the event that "]
        .iter()
        .filter_map(|opening| clause.predicate.find(opening))
        .min()?;
    let (does, said) = (clause.predicate.get(..at)?, clause.predicate.get(at + 1..)?);
    let plain = !does.ends_with([',', ';'])
        && ![" only", " except", " even", " unless", " as", " and", " or"].iter().any(|w| does.ends_with(w))
        && !does.contains(" that ")
        && !does.contains(" whether ")
        && !said.contains([';', ':', '('])
        && said.matches(", ").count() < 2;
    let short =
        ["where appropriate", "where applicable", "where necessary", "where relevant", "if any", "if applicable"];
    let told = said.split_whitespace().count() > 4
        && said.len() < 200
        && !short.iter().any(|s| said.starts_with(s))
        && !pronoun(said);
    (plain && told).then(|| (Clause { predicate: does.to_owned(), ..clause.clone() }, said.to_owned()))
}

/// Whether a phrase has a pronoun whose noun stands elsewhere.
fn pronoun(phrase: &str) -> bool {
    phrase
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| ["it", "they", "them", "he", "she", "him", "this", "those", "these", "such"].contains(&w))
}

/// "The authority may revoke the licence where the bank fails to pay."
pub(super) fn conditional(clause: &Clause, case: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    Some(capital(&format!("{} {}{} {does} {case}.", clause.subject, inverted(clause.duty), negation(clause))))
}

/// "In which case must X do Y?"
pub(super) fn in_which_case(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    Some(format!("In which case {} {}{} {does}?", inverted(clause.duty), clause.subject, negation(clause)))
}

/// "Is X obligated, advised, free or forbidden to do Y?" and what can be answered.
pub(super) fn statuses(clause: &Clause) -> Option<(String, Vec<(Duty, String)>)> {
    let does = whole(&clause.predicate)?;
    if !infinitive(&does) {
        return None;
    }
    let be = if agreement::number(&clause.subject) == Number::Plural { "are" } else { "is" };
    let subject = &clause.subject;
    let case = match condition(&clause.lead) {
        Some(case) => format!("{}, ", capital(&case)),
        None if clause.lead.is_empty() => String::new(),
        None => return None,
    };
    let question = capital(&format!("{case}{be} {subject} obligated, advised, free or forbidden to {does}?"));
    let said = [
        (Duty::Must, "obligated to"),
        (Duty::Should, "advised to"),
        (Duty::May, "free to"),
        (Duty::MustNot, "forbidden to"),
    ];
    let said = said.map(|(duty, word)| (duty, capital(&format!("{subject} {be} {word} {does}."))));
    Some((question, said.to_vec()))
}

/// Whether a predicate reads behind "to": it begins with its verb.
fn infinitive(does: &str) -> bool {
    let first = does.split([' ', ',']).next().unwrap_or("");
    !first.is_empty()
        && !first.ends_with("ly")
        && !["also", "at", "in", "only", "where", "without", "as", "by", "on", "upon", "for", "not", "be", "wish"]
            .contains(&first)
}

/// The modal of a duty as the rule has it, and the other one of the same force.
pub(super) fn modals(clause: &Clause, duty: Duty, brief: bool) -> Option<[String; 2]> {
    let usual = if duty == clause.duty {
        clause.modal.clone()
    } else {
        let must = clause.modal.starts_with("must") || clause.modal.contains("require");
        match duty {
            Duty::Must if must => "must",
            Duty::Must => "shall",
            Duty::Should => "should",
            Duty::May => "may",
            Duty::MustNot if must => "must not",
            Duty::MustNot if clause.duty == Duty::Should => "should not",
            Duty::MustNot => "shall not",
        }
        .to_owned()
    };
    let so = Clause { modal: usual.clone(), duty, ..clause.clone() };
    // Beside "ought to", "are permitted to" and "can" make now the one choice the odd one, now the other.
    let other = match (clause.duty, duty) {
        (Duty::Should, Duty::May) if brief => "can".to_owned(),
        _ => edits::same_force(&so, &clause.subject),
    };
    if other.ends_with(" to") && !other.starts_with("ought") && !infinitive(&clause.predicate) {
        return None;
    }
    (usual != other).then_some([usual, other])
}

/// The forces that a rule could have instead of its own, where its predicate reads with them.
pub(super) fn other_duties(clause: &Clause) -> Vec<Duty> {
    let first = clause.predicate.split([' ', ',']).next().unwrap_or("");
    let done = clause.predicate.strip_prefix("be ").is_some_and(|rest| {
        let verb = rest.split([' ', ',']).find(|w| !w.ends_with("ly")).unwrap_or("");
        verb.ends_with("ed")
            || verb.ends_with("en")
            || ["made", "kept", "sent", "held", "paid", "put", "set"].contains(&verb)
    });
    let agent = parse::is_agent(&clause.subject);
    let acts = parse::is_actor(clause) && (infinitive(&clause.predicate) || first == "not") || agent && first == "be";
    // What a "that" clause denies does not turn round with the force of the rule.
    let main = clause.predicate.split(" that ").next().unwrap_or("");
    let unclear = [" only ", " not ", "at least", " nor ", "as a minimum", " shall ", " must ", " should "]
        .iter()
        .any(|w| main.contains(w));
    // "can be able to", "may be encouraged to": the force of such a rule lies in its verb.
    let forced =
        ["be able to", "be encouraged", "be permitted", "be allowed", "be entitled", "be required", "be obliged"]
            .iter()
            .any(|v| clause.predicate.starts_with(v));
    if !(acts || done) || unclear || forced || clause.predicate.starts_with("have the right") {
        return Vec::new();
    }
    match clause.duty {
        // "The bank shall not keep records" is nothing that a rule would say.
        Duty::Must | Duty::Should => vec![Duty::May],
        Duty::MustNot => vec![Duty::May],
        Duty::May => vec![Duty::Must, Duty::MustNot],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn rule() -> Clause {
        parse::clause("Where the insurer rejects a claim, the broker shall inform the policyholder of the reasons.")
            .unwrap()
    }

    #[test]
    fn one_place_is_left_open() {
        let clause = rule();
        assert_eq!(
            actor(&clause, "the guarantor").unwrap(),
            "It is the guarantor that must inform the policyholder of the reasons."
        );
        assert_eq!(
            conditional(&clause, "if the premium changes").unwrap(),
            "The broker must inform the policyholder of the reasons if the premium changes."
        );
        assert_eq!(
            in_which_case(&clause).unwrap(),
            "In which case must the broker inform the policyholder of the reasons?"
        );
    }

    #[test]
    fn the_force_of_a_rule_has_four_values() {
        let clause = parse::clause("Brokers may disclose their commission to the policyholder.").unwrap();
        let (question, said) = statuses(&clause).unwrap();
        assert_eq!(
            question,
            "Are brokers obligated, advised, free or forbidden to disclose their commission to the policyholder?"
        );
        assert_eq!(said.len(), 4);
        assert!(said.iter().all(|(_, text)| text.starts_with("Brokers are ")));
        // An exception that the question leaves out would make its answer wrong.
        let clause = parse::clause("A broker shall not disclose a claim unless the policyholder agrees.").unwrap();
        assert_eq!(statuses(&clause), None);
    }

    #[test]
    fn another_actor_takes_the_form_of_the_first() {
        let check = |subject, mention, other, expected: Option<&str>| {
            assert_eq!(with_actor(subject, mention, other).as_deref(), expected);
        };
        check("a broker", "broker", "insurer", Some("an insurer"));
        check("insurers", "insurer", "brokers", Some("brokers"));
        check("the board of the broker", "broker", "insurer", None);
    }

    #[test]
    fn a_condition_that_points_elsewhere_is_none() {
        let check = |lead, expected: Option<&str>| assert_eq!(case(lead).as_deref(), expected);
        check("Where the insurer rejects a claim,", Some("where the insurer rejects a claim"));
        check("Where it rejects a claim,", None);
        check("For the purposes of this Chapter,", None);
        check("In such a case,", None);
    }
}
