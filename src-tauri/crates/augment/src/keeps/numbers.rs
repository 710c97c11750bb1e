//! Numbers as their values with what they count, in digits and in words.

use super::fact::{CALENDAR, Fact};
use super::lexicon::Mark;
use super::token::{Token, month};
use lexforge_text::calendar::WEEKDAYS;
use lexforge_text::numerals;

/// The number that begins at a digit, with the separators of thousands taken out, and the place behind it.
pub(super) fn digits(chars: &[char], from: usize) -> (String, usize) {
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let three = |at: usize| digit(at) && digit(at + 1) && digit(at + 2) && !digit(at + 3);
    let (mut value, mut at) = (String::new(), from);
    while let Some(c) = chars.get(at) {
        let short = !value.is_empty() && value.len() <= 12 && !value.contains(['.', '/']);
        if c.is_ascii_digit() {
            value.push(*c);
        } else if *c == ',' && short && three(at + 1)
            || matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
                && short
                && three(at + 1)
                && at - from <= 11
        {
            // "10,000" and "10 000" are one number each.
        } else if matches!(c, '.' | '/') && digit(at + 1) && !value.contains(['.', '/']) {
            value.push(*c);
        } else {
            break;
        }
        at += 1;
    }
    if value.contains('.') {
        let plain = value.trim_end_matches('0').trim_end_matches('.').to_owned();
        return (plain, at);
    }
    (value, at)
}

/// A product as the whole number that it is but for rounding: 4.1 million is 4,100,000 and not 4,099,999.9999999995.
pub(super) fn whole(product: f64) -> f64 {
    let nearest = product.round();
    let apart = (product - nearest).abs();
    if apart <= nearest.abs() * 1e-12 {
        nearest
    } else {
        product
    }
}

const TIMES: &[(&str, u64)] = &[
    ("hundred", 100),
    ("thousand", 1000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("trillion", 1_000_000_000_000),
];
const ORDINALS: &[(&str, u64)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
];
const PARTS: &[(&str, u64)] = &[
    ("half", 2),
    ("halves", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("tenth", 10),
];
/// Units that numbers count or name: each word, with the common name of all words for the same unit.
const UNITS: &[(&str, &str)] = &[
    ("day", "day"),
    ("week", "week"),
    ("month", "month"),
    ("year", "year"),
    ("hour", "hour"),
    ("minute", "minute"),
    ("quarter", "quarter"),
    ("%", "%"),
    ("percent", "%"),
    ("percentage", "%"),
    ("euro", "EUR"),
    ("eur", "EUR"),
    ("€", "EUR"),
    ("dollar", "USD"),
    ("usd", "USD"),
    ("$", "USD"),
    ("pound", "GBP"),
    ("gbp", "GBP"),
    ("£", "GBP"),
    ("yuan", "CNY"),
    ("rmb", "CNY"),
    ("cny", "CNY"),
    ("¥", "CNY"),
    ("yen", "JPY"),
    ("jpy", "JPY"),
    ("franc", "CHF"),
    ("chf", "CHF"),
    ("article", "article"),
    ("section", "section"),
    ("paragraph", "paragraph"),
    ("subparagraph", "subparagraph"),
    ("annex", "annex"),
    ("chapter", "chapter"),
    ("point", "point"),
    ("rule", "rule"),
    ("regulation", "regulation"),
    ("directive", "directive"),
    ("schedule", "schedule"),
    ("clause", "clause"),
    ("title", "title"),
    ("part", "part"),
    ("recital", "recital"),
    ("kilogram", "kg"),
    ("kg", "kg"),
    ("tonne", "t"),
    ("metre", "m"),
    ("kilometre", "km"),
];

fn of(table: &'static [(&str, u64)], word: &str) -> Option<u64> {
    table
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, value)| *value)
}

fn part(word: &str) -> Option<u64> {
    of(
        PARTS,
        word.strip_suffix('s')
            .filter(|_| word != "halves")
            .unwrap_or(word),
    )
}

fn unit(token: Option<&Token>) -> Option<&'static str> {
    let word = word(token)?;
    let known = |word: &str| {
        UNITS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, name)| *name)
    };
    known(word).or_else(|| known(word.strip_suffix('s')?))
}

fn is_label(unit: &str) -> bool {
    matches!(
        unit,
        "article"
            | "section"
            | "paragraph"
            | "annex"
            | "chapter"
            | "point"
            | "rule"
            | "regulation"
            | "directive"
            | "schedule"
            | "clause"
            | "title"
            | "part"
            | "recital"
    )
}

fn word(token: Option<&Token>) -> Option<&str> {
    match token {
        Some(Token::Word(word, _) | Token::Little(word)) => Some(word),
        _ => None,
    }
}

/// The tokens with words for numbers as figures, and every figure with its unit and its side.
pub(super) fn english(tokens: Vec<Token>) -> Vec<Token> {
    let mut tokens = counted(tokens);
    let places: Vec<usize> = (0..tokens.len())
        .filter(|at| matches!(&tokens[*at], Token::Fact(fact) if fact.unit.is_empty()))
        .collect();
    for at in places {
        let (name, bound) = (unit_of(&tokens, at), bound_of(&tokens, at));
        if let Token::Fact(fact) = &mut tokens[at] {
            let said = format!("{} {name}", fact.said).trim().to_owned();
            *fact = Fact {
                said,
                bound,
                ..Fact::new(fact.value.clone(), &name)
            };
        }
    }
    tokens
}

/// Words for numbers as figures.
fn counted(tokens: Vec<Token>) -> Vec<Token> {
    let mut found = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some((value, next)) = spelled(&tokens, at) {
            found.push(Token::Fact(Fact::bare(value)));
            at = next;
            continue;
        }
        if let Token::Word(word, _) = &tokens[at] {
            let name = month(word).or_else(|| WEEKDAYS.iter().find(|day| *day == word).copied());
            if let Some(name) = name {
                found.push(Token::Fact(Fact::new(name.to_owned(), CALENDAR)));
                at += 1;
                continue;
            }
        }
        // "(a)": the letter of an item.
        if let [Token::Break('('), Token::Little(letter), Token::Break(')')] =
            &tokens[at..tokens.len().min(at + 3)]
            && letter.len() == 1
        {
            found.push(Token::Fact(Fact::new(letter.clone(), "point")));
            at += 3;
            continue;
        }
        found.push(tokens[at].clone());
        at += 1;
    }
    found
}

/// The number in words or with a word behind it that begins at a place: its value, and the place behind it.
fn spelled(tokens: &[Token], from: usize) -> Option<(String, usize)> {
    let mut at = from;
    let (mut total, mut now, mut digits) = (0.0_f64, None::<f64>, None::<String>);
    if let Some(Token::Fact(fact)) = tokens.get(at) {
        digits = Some(fact.value.clone());
        now = fact.value.parse().ok();
        at += 1;
    }
    while let Some(said) = word(tokens.get(at)) {
        if let Some(n) = numerals::english(said).filter(|_| digits.is_none()) {
            // "Twenty-one" is one number, "two three" are two.
            let joins = now.is_none_or(|now: f64| {
                now % 100.0 == 0.0 || now >= 20.0 && now % 10.0 == 0.0 && n < 10
            });
            if !joins {
                break;
            }
            now = Some(now.unwrap_or(0.0) + f64::from(n));
        } else if let Some(n) = of(TIMES, said) {
            let value = whole(now.take().unwrap_or(1.0) * n as f64);
            if n == 100 {
                now = Some(value);
            } else {
                total += value;
            }
            digits = None;
        } else if let Some(n) = part(said)
            .filter(|_| now.is_some_and(|now| (1.0..10.0).contains(&now)) && digits.is_none())
        {
            return Some((format!("{}/{n}", now.unwrap_or(1.0)), at + 1));
        } else {
            break;
        }
        at += 1;
        // "One hundred and fifty".
        if matches!(tokens.get(at), Some(Token::Mark(Mark::And, _)))
            && word(tokens.get(at + 1)).is_some_and(|w| numerals::english(w).is_some())
            && now.is_some_and(|now| now >= 100.0 && now % 100.0 == 0.0)
        {
            at += 1;
        }
    }
    if at == from {
        return ordinal(tokens, from);
    }
    if let Some(digits) = digits {
        // The digits stand as they are.
        return Some((digits, at));
    }
    let value = total + now.unwrap_or(0.0);
    // "One" is more often a pronoun.
    let qualified =
        word(tokens.get(at)).is_some_and(|w| WORKING.contains(&w) || PLAIN.contains(&w));
    if value == 1.0 && unit(tokens.get(at + usize::from(qualified))).is_none() {
        return None;
    }
    Some((value.to_string(), at))
}

/// "The third month", "half", "a quarter of": only where something to count follows.
fn ordinal(tokens: &[Token], at: usize) -> Option<(String, usize)> {
    let said = word(tokens.get(at))?;
    if said == "half" {
        return Some(("1/2".to_owned(), at + 1));
    }
    if matches!(said, "third" | "quarter") && word(tokens.get(at + 1)) == Some("of") {
        return Some((format!("1/{}", part(said)?), at + 1));
    }
    let n = of(ORDINALS, said)?;
    unit(tokens.get(at + 1))?;
    Some((n.to_string(), at + 1))
}

/// Words before a day that make it one of work.
const WORKING: [&str; 4] = ["working", "business", "banking", "trading"];
/// Words before a unit that leave it as it is.
const PLAIN: [&str; 5] = ["calendar", "consecutive", "full", "clear", "successive"];

/// The unit that a figure counts or numbers.
fn unit_of(tokens: &[Token], at: usize) -> String {
    let mut next = at + 1;
    // "30 (thirty) days", "two or three months".
    while matches!(
        tokens.get(next),
        Some(Token::Fact(_) | Token::Break('(' | ')') | Token::Mark(Mark::Or, _))
    ) || word(tokens.get(next)).is_some_and(|w| w == "to")
        && matches!(tokens.get(next + 1), Some(Token::Fact(_)))
    {
        if let Some(Token::Fact(fact)) = tokens.get(next)
            && (fact.unit == CALENDAR || fact.unit == "point")
        {
            break;
        }
        next += 1;
    }
    if let Some(Token::Fact(fact)) = tokens.get(at + 1)
        && fact.unit == CALENDAR
    {
        return format!("of {}", fact.value);
    }
    let behind = word(tokens.get(next));
    let kind = unit(tokens.get(next + 1)).filter(|u| *u == "day" || *u == "month" || *u == "year");
    match (behind, kind) {
        (Some(kind), Some("day")) if WORKING.contains(&kind) => return "working day".to_owned(),
        (Some(kind), Some(unit)) if PLAIN.contains(&kind) => return unit.to_owned(),
        (Some("per"), _) if word(tokens.get(next + 1)) == Some("cent") => return "%".to_owned(),
        _ => {}
    }
    if let Some(unit) = unit(tokens.get(next)).filter(|u| !is_label(u) || of_order(tokens, at)) {
        return unit.to_owned();
    }
    if is_an_age(tokens, at) {
        return "year".to_owned();
    }
    let mut before = at;
    // "Articles 5, 6 and 7", "Article 5(1)".
    while let Some(token) = before.checked_sub(1).and_then(|i| tokens.get(i)) {
        match token {
            Token::Break('(') => return "paragraph".to_owned(),
            Token::Fact(fact) if fact.unit != CALENDAR => before -= 1,
            Token::Break(',') | Token::Mark(Mark::And | Mark::Or, _) => {
                if !matches!(
                    before.checked_sub(2).and_then(|i| tokens.get(i)),
                    Some(Token::Fact(_))
                ) {
                    break;
                }
                before -= 1;
            }
            Token::Fact(fact) if at == before => {
                let day = matches!(&tokens[at], Token::Fact(own) if own.value.len() < 3);
                return if day {
                    format!("of {}", fact.value)
                } else {
                    String::new()
                };
            }
            _ => {
                return unit(Some(token))
                    .filter(|u| is_label(u) || u.len() == 3)
                    .unwrap_or_default()
                    .to_owned();
            }
        }
    }
    String::new()
}

/// "From the age of 16", "aged 16".
fn is_an_age(tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| word(at.checked_sub(back).and_then(|i| tokens.get(i)));
    before(1) == Some("aged") || before(1) == Some("of") && before(2) == Some("age")
}

/// Whether a figure is an ordinal before a label: "the second paragraph".
fn of_order(tokens: &[Token], at: usize) -> bool {
    word(at.checked_sub(1).and_then(|i| tokens.get(i))).is_some_and(|w| w == "the")
}

/// On which side of a figure one must stay, by the words near it.
fn bound_of(tokens: &[Token], at: usize) -> Option<Mark> {
    let day = matches!(tokens.get(at + 1), Some(Token::Fact(fact)) if fact.unit == CALENDAR);
    // "Or more" stands behind the unit.
    for token in tokens.get(at + 1..).unwrap_or_default().iter().take(3) {
        match token {
            Token::Mark(mark, said)
                if mark.is_bound()
                    && (said.starts_with("or ")
                        || said.starts_with("and ")
                        || said == "at the latest") =>
            {
                return Some(*mark);
            }
            Token::Word(..) | Token::Little(_) => {}
            Token::Fact(fact) if fact.unit == CALENDAR => {}
            _ => break,
        }
    }
    let mut words = 0;
    for token in tokens.get(..at).unwrap_or_default().iter().rev().take(5) {
        match token {
            Token::Mark(mark, _) if mark.is_bound() => return Some(*mark),
            Token::Mark(mark @ (Mark::Before | Mark::After), _) if day => return Some(*mark),
            Token::Little(said) if said == "by" && day => return Some(Mark::AtMost),
            Token::Mark(Mark::Each, _) | Token::Little(_) => {}
            Token::Break('(' | ')') => {}
            // "EUR 500", "a minimum period of five years".
            Token::Word(..) if words < 2 => words += 1,
            Token::Fact(_) if matches!(tokens.get(at.wrapping_sub(1)), Some(Token::Break('('))) => {
            }
            _ => break,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_word_behind_it_has_the_value_of_its_digits() {
        for (number, times, value) in [
            (4.1, 1e6, "4100000"),
            (16.1, 1e9, "16100000000"),
            (2.01, 1e3, "2010"),
            (2.5, 1e2, "250"),
            (0.0005, 1e3, "0.5"),
        ] {
            assert_eq!(whole(number * times).to_string(), value);
        }
        assert!(whole(4.099_999 * 1e6) < 4_100_000.0);
    }
}
