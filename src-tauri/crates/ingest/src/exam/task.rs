//! Pairs of texts and texts with a class, a JSON object a line.

use super::json::object;
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair};
use lexforge_text::fold::{letters, tidy};
use serde_json::{Map, Value};

/// Longest text, in characters.
const LONGEST: usize = 20_000;
/// Names of the two texts of a pair, and whether the first is a question.
const PAIRS: [(&str, &str, bool); 2] = [("question", "passage", true), ("a", "b", false)];

/// A line with one of these fields is a question with choices, whatever else it has.
const CHOICES: [&str; 5] = ["choices", "options", "option_list", "选项", "A"];

/// The kind of exam in a text. It is decided by the names in the first line that is a JSON object. If these names fit
/// no other kind, the text holds questions.
pub(super) fn kind_of(text: &str) -> ExamKind {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.map(object).find_map(Result::ok) else {
        return ExamKind::Questions;
    };
    let has = |name: &str| first.contains_key(name);
    if CHOICES.iter().any(|name| has(name)) {
        return ExamKind::Questions;
    }
    let two = PAIRS.iter().any(|(a, b, _)| has(a) && has(b));
    if has("text") && has("class") {
        ExamKind::Classes
    } else if two && has("score") {
        ExamKind::Similarity
    } else if two && has("label") {
        ExamKind::Pairs
    } else {
        ExamKind::Questions
    }
}

/// The pairs of a text, each with its line; `labelled` ones belong together or not, the others have a score.
pub(super) fn pairs(text: &str, labelled: bool) -> Vec<(u64, Result<ExamPair, String>)> {
    each(text, |object| pair(object, labelled))
}

/// The texts with their classes, each with its line.
pub(super) fn classed(text: &str) -> Vec<(u64, Result<ClassedText, String>)> {
    each(text, |object| {
        Ok(ClassedText {
            text: needed(object, "text")?,
            class: needed(object, "class")?,
        })
    })
}

fn each<T>(
    text: &str,
    read: impl Fn(&Map<String, Value>) -> Result<T, String>,
) -> Vec<(u64, Result<T, String>)> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, object(line).and_then(|object| read(&object))))
        .collect()
}

fn pair(object: &Map<String, Value>, labelled: bool) -> Result<ExamPair, String> {
    let (a, b, asks) = PAIRS
        .into_iter()
        .find(|(a, _, _)| object.contains_key(*a))
        .unwrap_or(PAIRS[1]);
    let (a, b) = (needed(object, a)?, needed(object, b)?);
    // Of scored pairs those that differ in a sign alone are the most alike, and people said how much.
    let same = a == b || labelled && letters(&a) == letters(&b);
    if same {
        return Err("Its two texts are the same.".to_owned());
    }
    let score = if labelled {
        label(object)?
    } else {
        match object.get("score").and_then(Value::as_f64) {
            Some(score) if score.is_finite() => score,
            _ => return Err("Its \"score\" is no number.".to_owned()),
        }
    };
    Ok(ExamPair { a, b, score, asks })
}

fn label(object: &Map<String, Value>) -> Result<f64, String> {
    match object.get("label") {
        Some(Value::Bool(held)) => Ok(f64::from(u8::from(*held))),
        Some(value) if value.as_f64() == Some(1.0) => Ok(1.0),
        Some(value) if value.as_f64() == Some(0.0) => Ok(0.0),
        _ => Err("Its \"label\" is neither 0 nor 1.".to_owned()),
    }
}

fn needed(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    let text = match object.get(name) {
        Some(Value::String(text)) => tidy(text),
        Some(Value::Number(number)) => number.to_string(),
        None | Some(Value::Null) => String::new(),
        Some(_) => return Err(format!("Its \"{name}\" is no text.")),
    };
    if text.is_empty() {
        return Err(format!("It has no \"{name}\", or an empty one."));
    }
    if text.chars().count() > LONGEST {
        return Err(format!("It is longer than {LONGEST} characters."));
    }
    Ok(text)
}
