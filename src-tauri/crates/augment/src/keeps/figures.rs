//! Figures: every one of the answer is in the rule, with its unit and on its side.

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::fact::{CALENDAR, Fact, Figures};
use super::lexicon::Mark;

/// Adds what is not the same.
pub(super) fn compare(figures: &Figures, found: &mut Vec<Difference>) {
    for said in &figures.answer {
        let same = |known: &&Fact| known.value == said.value && known.unit == said.unit;
        let known: Vec<&Fact> = figures
            .anchor
            .iter()
            .chain(&figures.place)
            .filter(same)
            .collect();
        if known.is_empty() {
            if one_of_a_period(said, &figures.periods) {
                continue;
            }
            let kind = if said.is_date() {
                Binding::Date
            } else {
                Binding::Number
            };
            let nearest = figures
                .anchor
                .iter()
                .find(|k| k.unit == said.unit || k.value == said.value);
            found.push(Difference::new(
                kind,
                nearest.map_or("", |k| k.said.as_str()),
                said.said.as_str(),
            ));
        } else if let Some(bound) = said.bound
            && !known.iter().any(|known| known.bound == Some(bound))
        {
            found.push(Difference::new(
                Binding::Direction,
                known[0].said.as_str(),
                format!("{bound:?} {}", said.said),
            ));
        }
    }
}

fn one_of_a_period(fact: &Fact, periods: &[Mark]) -> bool {
    let period = match (fact.value.as_str(), fact.unit.as_str()) {
        ("12", "month") => Mark::Year,
        ("6", "month") => Mark::HalfYear,
        ("3", "month") | ("1", "quarter") => Mark::Quarter,
        ("1", "month") => Mark::Month,
        ("7", "day") => Mark::Week,
        ("1", "day") => Mark::Day,
        ("1", "hour") => Mark::Hour,
        _ => return false,
    };
    periods.contains(&period)
}

/// Words that say a direction only beside a figure: "under this Section" is none.
const BESIDE: &[&str] = &[
    "within",
    "over",
    "under",
    "above",
    "below",
    "up to",
    "later",
    "earlier",
    "over a period of",
    "BE over",
    "BE under",
];

/// Adds directions that stand by themselves and are turned round.
pub(super) fn directions(texts: &Texts, found: &mut Vec<Difference>) {
    let beside = |said: &str| BESIDE.contains(&said);
    for (at, mark, said) in texts.answer.marks() {
        let near_a_figure = texts
            .answer
            .facts()
            .iter()
            .any(|fact| fact.bound == Some(mark));
        let turned = match mark {
            Mark::More | Mark::Less | Mark::AtLeast | Mark::AtMost
                if beside(said) || near_a_figure =>
            {
                continue;
            }
            Mark::More => !texts.anchor.has(Mark::More) && !texts.anchor.has(Mark::AtLeast),
            Mark::Less => !texts.anchor.has(Mark::Less) && !texts.anchor.has(Mark::AtMost),
            Mark::AtLeast => {
                !texts.anchor.has(Mark::AtLeast) && !has_bound(&texts.anchor, Mark::AtLeast)
            }
            Mark::AtMost => {
                !texts.anchor.has(Mark::AtMost) && !has_bound(&texts.anchor, Mark::AtMost)
            }
            Mark::Before => !texts.anchor.has(Mark::Before) && !texts.asked.has(Mark::Before),
            Mark::After => {
                !texts.anchor.has(Mark::After)
                    && (texts.anchor.has(Mark::Before)
                        || texts.anchor.facts().iter().any(|f| f.unit == CALENDAR))
            }
            _ => continue,
        };
        if turned || governs_the_other(texts, at, mark) {
            let known = texts
                .anchor
                .marks()
                .find(|(_, m, _)| Some(*m) == other(mark))
                .map_or("", |(_, _, said)| said);
            found.push(Difference::new(Binding::Direction, known, said));
        }
    }
}

fn has_bound(text: &Text, bound: Mark) -> bool {
    text.facts().iter().any(|fact| fact.bound == Some(bound))
}

fn other(mark: Mark) -> Option<Mark> {
    Some(match mark {
        Mark::More => Mark::Less,
        Mark::Less => Mark::More,
        Mark::AtLeast => Mark::AtMost,
        Mark::AtMost => Mark::AtLeast,
        Mark::Before => Mark::After,
        Mark::After => Mark::Before,
        _ => return None,
    })
}

/// Whether the rule has the other direction before the same word, and not this one.
fn governs_the_other(texts: &Texts, at: usize, mark: Mark) -> bool {
    let Some(word) = texts.answer.governed(at) else {
        return false;
    };
    let before = |mark| {
        texts
            .anchor
            .marks()
            .any(|(at, m, _)| m == mark && texts.anchor.governed(at) == Some(word))
    };
    other(mark).is_some_and(before) && !before(mark)
}
