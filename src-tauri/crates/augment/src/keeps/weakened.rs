//! Whether a statement leaves to somebody's choice what a rule demands.

use super::aside::{governs_a_word_of, is_aside};
use super::binding::Binding;
use super::force::{Force, Held, Side, forces};
use super::lexicon::Mark;
use lexforge_domain::text::Language;

/// How the firm speaks of its own choice.
const OUR_CHOICE: [&str; 9] = [
    "we may",
    "we can",
    "company may",
    "firm may",
    "bank may",
    "我行可以",
    "本行可以",
    "我司可以",
    "公司可以",
];

/// Whether a force is the right of somebody: others have to grant it.
fn is_a_right((force, said): &(Force, String)) -> bool {
    let names = ["right", "entitled", "有权"];
    *force == Force::May && names.iter().any(|name| said.contains(name))
}

/// The forces of a text, in which a right is a demand.
fn granted_as_demanded(forces: Vec<(Force, String)>) -> Vec<(Force, String)> {
    let granted = forces.into_iter().map(|one| match is_a_right(&one) {
        true => (Force::Must, one.1),
        false => one,
    });
    granted.collect()
}

fn speaks_of_us(statement: &str) -> bool {
    let statement = statement.to_lowercase();
    OUR_CHOICE.iter().any(|said| statement.contains(said))
}

/// Whether "can" says what a rule demands: "shall be able to show" and "we can show".
fn is_ability(rule: &str, said: &str) -> bool {
    matches!(said, "can" | "could") && rule.to_lowercase().contains("able to")
}

/// Adds where a statement allows or advises what the rule demands, or demands what the rule advises.
pub(super) fn weigh_forces(rule: &str, statement: &str, language: Language, found: &mut Vec<Held>) {
    let demanded = granted_as_demanded(forces(rule, language));
    let said = granted_as_demanded(forces(statement, language));
    let has = |of: &[(Force, String)], force: Force| of.iter().any(|(f, _)| *f == force);
    let first = |of: &[(Force, String)], force: Force| {
        let one = of.iter().find(|(f, _)| *f == force);
        one.map_or_else(String::new, |(_, said)| said.clone())
    };
    // "Passengers may leave" grants the right that a rule demands. "We may let them leave" does not.
    let grants = forces(rule, language).iter().any(is_a_right);
    let has_choice = |weaker: Force| {
        weaker != Force::May
            || (!grants || speaks_of_us(statement)) && !is_ability(rule, &first(&said, weaker))
    };
    // An action that is left to somebody's choice may be another action than the one that is demanded.
    let weakens = |weaker: Force, demand: &[Mark]| {
        has(&said, weaker)
            && !has(&demanded, weaker)
            && has_choice(weaker)
            && (language == Language::Zh || !is_aside(rule, statement, demand, mark_of(weaker)))
    };
    let mut push = |demand: Force, answer: Force, side: Side| {
        let weaker = mark_of(answer);
        let is_same = || governs_a_word_of(rule, statement, weaker);
        found.push(Held {
            kind: Binding::Modal,
            rule: first(&demanded, demand),
            statement: first(&said, answer),
            side,
            same_action: language == Language::Zh || is_same(),
        });
    };
    // A statement of fact ("access is reviewed each month") binds as much as a duty. So only a statement with a weaker
    // or a contrary word is a difference.
    if has(&demanded, Force::Must) && !has(&said, Force::Must) && !has(&said, Force::MustNot) {
        for weaker in [Force::NeedNot, Force::May, Force::Should] {
            if weakens(weaker, &[Mark::Must]) {
                push(Force::Must, weaker, Side::Looser);
                break;
            }
        }
    }
    if has(&demanded, Force::MustNot) && !has(&said, Force::MustNot) {
        for weaker in [Force::May, Force::NeedNot, Force::Should] {
            if weakens(weaker, &[Mark::MustNot, Mark::ShouldNot]) {
                push(Force::MustNot, weaker, Side::Looser);
                break;
            }
        }
    }
    let advised = has(&demanded, Force::Should) && !has(&demanded, Force::Must);
    if advised && !has(&said, Force::Should) {
        if has(&said, Force::Must) {
            push(Force::Should, Force::Must, Side::Stricter);
        } else if has(&said, Force::NeedNot) {
            push(Force::Should, Force::NeedNot, Side::Looser);
        }
    }
}

fn mark_of(force: Force) -> Mark {
    match force {
        Force::Must => Mark::Must,
        Force::MustNot => Mark::MustNot,
        Force::Should => Mark::Should,
        Force::May => Mark::May,
        Force::NeedNot => Mark::NeedNot,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_ours_weakens_a_right_and_that_of_its_holder_grants_it() {
        let right = "The passenger shall have the right to leave the ship at any time.";
        let duty = "The passenger shall have the right to a refund and the line shall have the obligation to refund the fare where the ship is late.";
        for (rule, statement, weaker) in [
            (right, "Passengers may leave the ship at any time.", false),
            (right, "We may let a passenger leave the ship.", true),
            (right, "A passenger has the right to leave the ship.", false),
            (duty, "We may refund the fare where the ship is late.", true),
            (duty, "Passengers may obtain a refund.", false),
            (
                "The line shall be able to show its permits.",
                "We can show our permits.",
                false,
            ),
            (
                "The line shall show its permits.",
                "The line may show its permits.",
                true,
            ),
        ] {
            let mut found = Vec::new();
            weigh_forces(rule, statement, Language::En, &mut found);
            let looser = found.iter().any(|held| held.side == Side::Looser);
            assert_eq!(looser, weaker, "{rule} | {statement}");
        }
    }
}
