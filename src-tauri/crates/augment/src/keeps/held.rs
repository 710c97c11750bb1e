//! Whether a statement is stricter or weaker than a rule, in what it demands and in its figures.
//!
//! The statement is from somebody's own text (a policy, a procedure, a contract) and need not use the rule's words.
//! [`super::differences`] asks whether a text may replace the rule. This module asks whether somebody who follows the
//! statement also follows the rule.

use super::binding::Binding;
use super::chinese;
use super::english;
use super::fact::{CALENDAR, Fact};
use super::force::{Held, Side};
use super::lexicon::Mark;
use super::role::{self, Role, TIMES, Timed};
use super::weakened::weigh_forces;
use lexforge_domain::text::Language;

/// Compares a statement with a rule about the same matter, and lists where the statement is stricter or weaker than the
/// rule. A demand of the rule that the statement does not mention is not listed.
pub fn held(rule: &str, statement: &str, language: Language) -> Vec<Held> {
    let mut found = Vec::new();
    weigh_forces(rule, statement, language, &mut found);
    weigh_figures(rule, statement, language, &mut found);
    found
}

/// The unit of a figure, and its value: durations in hours, all others in their own unit or by what they count.
fn measured(fact: &Fact, role: &Role) -> Option<(String, f64)> {
    // How many times a year is weighed as a period.
    let timed = fact.unit == TIMES && role.often;
    if fact.unit == CALENDAR || fact.is_date() || timed {
        return None;
    }
    let value = match fact.value.split_once('/') {
        Some((part, whole)) => part.parse::<f64>().ok()? / whole.parse::<f64>().ok()?,
        None => fact.value.parse::<f64>().ok()?,
    };
    if !value.is_finite() {
        return None;
    }
    let hours = match fact.unit.as_str() {
        "minute" => 1.0 / 60.0,
        "hour" => 1.0,
        "day" => 24.0,
        // Five of seven days.
        "working day" | "business day" => 24.0 * 7.0 / 5.0,
        "month" => 24.0 * 30.437,
        "quarter" => 24.0 * 91.31,
        "" if role.counts.is_some() => return Some((role.counts.clone()?, value)),
        "" | "article" | "section" | "paragraph" | "chapter" | "annex" | "条" | "款" | "项"
        | "章" | "节" | "号" => return None,
        unit => return Some((unit.to_owned(), value)),
    };
    Some(("time".to_owned(), value * hours))
}

/// Beside these words a duration is a minimum ("keep for five years"), and not a deadline.
const KEEPING: [&str; 13] = [
    "retain",
    "retention",
    "keep",
    "kept",
    "preserv",
    "stored",
    "archiv",
    "保存",
    "留存",
    "保管",
    "保留",
    "存档",
    "notice period",
];

/// Whether a text says how long something is kept.
pub fn tells_how_long(text: &str) -> bool {
    let text = text.to_lowercase();
    KEEPING.iter().any(|word| text.contains(word))
}

fn weigh_figures(rule: &str, statement: &str, language: Language, found: &mut Vec<Held>) {
    let facts = |text: &str| -> (Vec<Fact>, Vec<Role>, Vec<Timed>) {
        if language == Language::Zh {
            let text = chinese::Text::read(text);
            (
                text.facts(),
                role::chinese(&text),
                role::chinese_marks(&text),
            )
        } else {
            let text = english::Text::read(text);
            (
                text.facts(),
                role::english(&text),
                role::english_marks(&text),
            )
        }
    };
    let (demanded, roles, rule_marks) = facts(rule);
    let (said, said_roles, marks) = facts(statement);
    for (fact, role) in demanded.iter().zip(&roles) {
        let Some((unit, value)) = measured(fact, role) else {
            continue;
        };
        let others = said.iter().zip(&said_roles).filter_map(|(other, role)| {
            let (of, value) = measured(other, role)?;
            (of == unit).then_some((other, role, value))
        });
        let others: Vec<(&Fact, &Role, f64)> = others.collect();
        let equal = |a: f64, b: f64| (a - b).abs() <= 0.02 * a.abs().max(b.abs());
        if others.iter().any(|(_, _, other)| equal(value, *other)) {
            continue;
        }
        // The one nearest in size is taken to speak of the same.
        let near = |other: f64| (other.max(1e-9) / value.max(1e-9)).ln().abs();
        let nearest = others.iter().min_by(|a, b| near(a.2).total_cmp(&near(b.2)));
        let Some((other, other_role, amount)) = nearest else {
            continue;
        };
        // A number that counts something says little without a bound.
        if role.counts.is_some() && role.bound.or(other_role.bound).is_none() {
            continue;
        }
        found.push(Held {
            kind: Binding::Number,
            rule: fact.said.clone(),
            statement: other.said.clone(),
            side: match more_is_stricter(rule, role, other_role, unit == "time") {
                Some(true) if *amount < value => Side::Looser,
                Some(false) if *amount > value => Side::Looser,
                Some(_) => Side::Stricter,
                None => Side::Other,
            },
            same_action: true,
        });
    }
    weigh_periods(
        &demanded,
        &rule_marks,
        &said,
        &marks,
        rule,
        statement,
        found,
    );
}

/// Whether a greater figure than that of the rule is the stricter one, as far as this can be told.
fn more_is_stricter(rule: &str, role: &Role, other: &Role, is_time: bool) -> Option<bool> {
    let least = match role.bound.or(other.bound) {
        // "At least every two years".
        _ if is_time && (role.often || other.often) => return Some(false),
        _ if is_time && role.ahead && other.ahead => return Some(true),
        Some(Mark::AtLeast | Mark::More) => Some(true),
        Some(Mark::AtMost | Mark::Less | Mark::Before) => Some(false),
        // A time before something and a time within which it is done have no common measure.
        _ if is_time && role.ahead != other.ahead => None,
        _ if is_time && tells_how_long(rule) => Some(true),
        _ if is_time && (every(rule) || has_limit(rule)) => Some(false),
        _ => None,
    };
    let told = role.turned || !role.unclear;
    least.filter(|_| told).map(|least| least != role.turned)
}

/// A figure that says how often: "every 12 months".
fn every(text: &str) -> bool {
    let text = text.to_lowercase();
    ["every ", "each ", "每"]
        .iter()
        .any(|word| text.contains(word))
}

/// A figure that says by when.
fn has_limit(text: &str) -> bool {
    let text = text.to_lowercase();
    let limits = ["within ", "no later than", "not later than", "以内", "之内"];
    // 三日内, and not 国内 or 年内部.
    let in_chinese = text.match_indices('内').any(|(at, inside)| {
        let (before, after) = (&text[..at], &text[at + inside.len()..]);
        before.ends_with(['日', '天', '月', '年', '时', '周', '钟', '限'])
            && !after.starts_with(['部', '控', '容', '审', '设'])
    });
    in_chinese || limits.iter().any(|word| text.contains(word))
}

/// The number of hours between two times, if something is done this often.
fn period(mark: Mark) -> Option<f64> {
    Some(match mark {
        Mark::Hour => 1.0,
        Mark::Day => 24.0,
        Mark::Week => 168.0,
        Mark::Month => 24.0 * 30.437,
        Mark::Quarter => 24.0 * 91.31,
        Mark::HalfYear => 24.0 * 182.6,
        Mark::Year => 24.0 * 365.25,
        _ => return None,
    })
}

/// How often, said in words: "annually" against "quarterly", or against "every two years".
fn weigh_periods(
    demanded: &[Fact],
    rule_marks: &[Timed],
    said: &[Fact],
    marks: &[Timed],
    rule: &str,
    statement: &str,
    found: &mut Vec<Held>,
) {
    let in_words = |marks: &[Timed]| -> Vec<(f64, String)> {
        let hours = |(mark, said, times): &Timed| Some((period(*mark)? / times, said.clone()));
        marks.iter().filter_map(hours).collect()
    };
    let in_figures = |facts: &[Fact], text: &str| -> Vec<(f64, String)> {
        let hours = |fact: &Fact| {
            let (unit, value) = measured(fact, &Role::default())?;
            (unit == "time").then(|| (value, fact.said.clone()))
        };
        if every(text) {
            facts.iter().filter_map(hours).collect()
        } else {
            Vec::new()
        }
    };
    let words = in_words(rule_marks);
    let other_words = in_words(marks);
    // Two figures were weighed before.
    let pairs = if words.is_empty() {
        (in_figures(demanded, rule), other_words)
    } else {
        let mut others = other_words;
        others.extend(in_figures(said, statement));
        (words, others)
    };
    for (hours, text) in &pairs.0 {
        let equal = |other: f64| (other / hours).ln().abs() < 0.05;
        if pairs.1.is_empty() || pairs.1.iter().any(|(other, _)| equal(*other)) {
            continue;
        }
        let near = |other: f64| (other / hours).ln().abs();
        let nearest = pairs
            .1
            .iter()
            .min_by(|a, b| near(a.0).total_cmp(&near(b.0)));
        if let Some((other, said)) = nearest {
            found.push(Held {
                kind: Binding::Number,
                rule: text.clone(),
                statement: said.clone(),
                side: if other > hours {
                    Side::Looser
                } else {
                    Side::Stricter
                },
                same_action: true,
            });
        }
    }
}

#[cfg(test)]
mod tests;
