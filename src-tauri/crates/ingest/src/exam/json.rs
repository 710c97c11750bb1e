//! Lines of JSON: JEC-QA's, and a plain form with a list of choices.

use super::draft::{Draft, Given, MOST_CHOICES, letter};
use serde_json::{Map, Value};

const QUESTION: &[&str] = &["question", "statement", "stem", "题目", "题干", "问题"];
const CHOICES: &[&str] = &["choices", "options", "option_list", "选项"];
const ANSWER: &[&str] = &["answer", "answers", "答案"];
const SUBJECT: &[&str] = &["subject", "科目"];
const KIND: &[&str] = &["kind", "type", "题型"];
/// What JEC-QA's numbers of kinds stand for.
const JEC_QA: [(&str, &str); 2] = [("0", "knowledge"), ("1", "case analysis")];

/// The questions of a file, each with its line.
pub(super) fn drafts(text: &str) -> Vec<(u64, Result<Draft, String>)> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, draft(line)))
        .collect()
}

/// The JSON object of a line.
pub(super) fn object(line: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("The line is no JSON object.".to_owned()),
        Err(error) => Err(format!("The line is no JSON object: {error}.")),
    }
}

fn draft(line: &str) -> Result<Draft, String> {
    let object = object(line)?;
    let named = |names: &[&str]| {
        let found = names.iter().find_map(|name| object.get(*name));
        found.filter(|value| !value.is_null())
    };
    let text = |names: &[&str]| match named(names) {
        None => Ok(String::new()),
        Some(value) => scalar(value).ok_or_else(|| format!("Its \"{}\" is no text.", names[0])),
    };
    let (choices, lettered) = match named(CHOICES) {
        Some(Value::Array(list)) => (texts(list)?, false),
        Some(Value::Object(list)) => (by_letter(list)?, true),
        Some(_) => return Err("Its choices are no list.".to_owned()),
        None => (by_letter(&object)?, true),
    };
    let mut kind = text(KIND)?;
    if object.contains_key("option_list")
        && let Some((_, words)) = JEC_QA.iter().find(|(number, _)| *number == kind)
    {
        (*words).clone_into(&mut kind);
    }
    Ok(Draft {
        question: text(QUESTION)?,
        choices,
        lettered,
        answer: named(ANSWER).map_or(Given::Nothing, given),
        subject: text(SUBJECT)?,
        kind,
    })
}

fn texts(list: &[Value]) -> Result<Vec<String>, String> {
    let all = list.iter().enumerate().map(|(place, value)| {
        scalar(value).ok_or_else(|| format!("Choice {} is no text.", letter(place)))
    });
    all.collect()
}

/// The texts under the keys `A`, `B` and so on. A letter with an empty text is not a choice. If a letter is missing but
/// a later one is there, this is an error, because the later choice would be lost.
fn by_letter(object: &Map<String, Value>) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut missing = None;
    for place in 0..MOST_CHOICES {
        let value = object.get(&letter(place).to_string());
        match (value.filter(|value| !value.is_null()), missing) {
            (None, _) => missing = missing.or(Some(place)),
            (Some(_), Some(before)) => {
                return Err(format!(
                    "It has a choice {} and no choice {}.",
                    letter(place),
                    letter(before)
                ));
            }
            (Some(value), None) => found.push(
                scalar(value).ok_or_else(|| format!("Choice {} is no text.", letter(place)))?,
            ),
        }
    }
    Ok(found)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(held) => Some(held.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn given(value: &Value) -> Given {
    match value {
        Value::Null => Given::Nothing,
        Value::String(text) if text.trim().is_empty() => Given::Nothing,
        Value::String(text) => Given::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Given::Number(number),
            None => Given::Text(number.to_string()),
        },
        Value::Bool(held) => Given::Text(held.to_string()),
        Value::Array(list) => Given::Many(list.iter().map(given).collect()),
        Value::Object(_) => Given::Other("an object".to_owned()),
    }
}
