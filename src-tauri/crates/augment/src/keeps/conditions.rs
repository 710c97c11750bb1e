//! Conditions and exceptions: one that is dropped, added or turned makes another rule.

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::lexicon::Mark;
use super::token::Token;

/// Share of the words of a condition that must be there for it to be kept.
const KEPT: f64 = 0.5;

/// A condition or an exception, with the stems of its words.
struct Condition<'a> {
    mark: Mark,
    said: &'a str,
    stems: Vec<&'a str>,
    at: usize,
}

fn conditions(text: &Text) -> Vec<Condition<'_>> {
    let forbids = text.has(Mark::MustNot);
    let opens = |mark: Mark| {
        matches!(mark, Mark::Except | Mark::If | Mark::When | Mark::Inclusive)
            || mark == Mark::Without && forbids
    };
    text.marks()
        .filter(|(_, mark, _)| opens(*mark))
        .map(|(at, mark, said)| {
            let stems = text.tokens[text.clause(at)]
                .iter()
                .filter_map(Token::stem)
                .collect();
            Condition {
                mark,
                said,
                stems,
                at,
            }
        })
        .collect()
}

fn share(stems: &[&str], texts: &[&Text]) -> f64 {
    if stems.is_empty() {
        return 1.0;
    }
    stems
        .iter()
        .filter(|stem| texts.iter().any(|text| text.has_stem(stem)))
        .count() as f64
        / stems.len() as f64
}

/// Adds what is not the same.
pub(super) fn compare(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (conditions(&texts.anchor), conditions(&texts.answer));
    let excepted = |of: &[Condition<'_>]| {
        of.iter()
            .any(|c| matches!(c.mark, Mark::Except | Mark::Without))
    };
    for condition in &known {
        let kept = share(&condition.stems, &[&texts.answer, &texts.asked]) >= KEPT;
        let in_answer = share(&condition.stems, &[&texts.answer]) >= KEPT;
        let excepts = matches!(condition.mark, Mark::Except | Mark::Without);
        // An exception whose case is named, but no more as one.
        let turned = excepts
            && in_answer
            && !condition.stems.is_empty()
            && !excepted(&said)
            && !texts.answer.has(Mark::Only)
            && !said
                .iter()
                .any(|c| matches!(c.mark, Mark::If | Mark::When) && denied(&texts.answer, c))
            && !texts.answer.has(Mark::Not)
            && rules(texts, &known);
        if turned || !kept && condition.mark != Mark::Inclusive && rules(texts, &known) {
            let whole = written(&texts.anchor, condition);
            found.push(Difference::new(Binding::Condition, whole, ""));
        }
    }
    for condition in &said {
        if known
            .iter()
            .any(|c| c.mark == condition.mark && c.stems == condition.stems)
        {
            continue;
        }
        let foreign = share(
            &condition.stems,
            &[&texts.anchor, &texts.asked, &texts.place],
        ) < KEPT;
        let added = match condition.mark {
            Mark::Except => !excepted(&known) && !known.iter().any(|c| denied(&texts.anchor, c)),
            Mark::Inclusive => {
                known.iter().any(|c| c.mark != Mark::Inclusive)
                    && !texts.anchor.has(Mark::Inclusive)
            }
            Mark::If => foreign || known.is_empty() && !loose(&texts.anchor),
            Mark::When => foreign,
            _ => false,
        };
        let turned = matches!(condition.mark, Mark::If | Mark::When)
            && !denied(&texts.answer, condition)
            && !texts.answer.has(Mark::Only)
            && known.iter().any(|c| {
                c.mark == Mark::Except
                    && !c.stems.is_empty()
                    && share(&c.stems, &[&texts.answer]) >= KEPT
                    && c.stems
                        .iter()
                        .filter(|s| condition.stems.contains(s))
                        .count()
                        * 2
                        >= c.stems.len()
            });
        if added || turned || condition.mark == Mark::Except && foreign {
            let whole = written(&texts.answer, condition);
            let known = known.first().map_or("", |c| c.said);
            found.push(Difference::new(Binding::Condition, known, whole));
        }
    }
}

/// The words of a condition as they stand in its text, so that who reads them finds them there.
fn written(text: &Text, condition: &Condition<'_>) -> String {
    let words = text.tokens[text.clause(condition.at)]
        .iter()
        .filter_map(Token::written);
    let all: Vec<&str> = std::iter::once(condition.said).chain(words).collect();
    all.join(" ")
}

/// Whether there is a negation inside a condition.
fn denied(text: &Text, condition: &Condition<'_>) -> bool {
    text.tokens[text.clause(condition.at)]
        .iter()
        .filter_map(Token::mark)
        .any(Mark::denies)
}

/// Whether the rule has a case without the words for conditions: "a carrier that cancels", "after receipt".
fn loose(text: &Text) -> bool {
    const OPEN: &[&str] = &[
        "who", "which", "that", "whose", "upon", "on", "having", "being",
    ];
    text.has(Mark::After)
        || text.has(Mark::Before)
        || text.has(Mark::Only)
        || text.tokens.iter().any(
            |t| matches!(t, Token::Little(w) | Token::Word(w, _) if OPEN.contains(&w.as_str())),
        )
}

/// Whether the answer states the rule itself, and not a part of it only: its verb, or most of its other words.
fn rules(texts: &Texts, known: &[Condition<'_>]) -> bool {
    let governed = texts
        .anchor
        .marks()
        .filter(|(_, m, _)| m.is_force())
        .filter_map(|(at, _, _)| texts.anchor.governed(at));
    let aside: Vec<&str> = known.iter().flat_map(|c| c.stems.iter().copied()).collect();
    if governed
        .into_iter()
        .any(|word| !aside.contains(&word) && texts.answer.has_stem(word))
    {
        return true;
    }
    let rest: Vec<&str> = texts
        .anchor
        .stems()
        .filter(|stem| !aside.contains(stem))
        .collect();
    !rest.is_empty() && share(&rest, &[&texts.answer]) >= KEPT
}

#[cfg(test)]
mod tests {
    use crate::keeps::{Binding, differences};
    use lexforge_domain::text::Language;

    #[test]
    fn a_condition_is_told_in_the_words_of_its_text() {
        let rule = "The plan shall be reviewed and updated where necessary.";
        let answer = "The firm must review the plan every month and update it.";
        let found = differences(rule, answer, Language::En, &[]);
        let told: Vec<&str> = found
            .iter()
            .filter(|d| d.kind == Binding::Condition)
            .map(|d| d.anchor.as_str())
            .collect();
        assert_eq!(told, ["where necessary"]);
    }
}
