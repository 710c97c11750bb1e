//! Answers as a capable model would write them, made by rule: for tests of what becomes of good answers.

use serde_json::{Value, json};

/// The answer to a prompt of the question writer.
pub fn answer(body: &Value) -> String {
    let user = body["messages"]
        .as_array()
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str())
        .unwrap_or_default();
    let Some(rule) = fenced(user, "A") else {
        return json!({"answer": "ready"}).to_string();
    };
    // The heading is before the text, in brackets on a line of its own.
    let rule = match rule.split_once("]\n") {
        Some((heading, text)) if heading.starts_with('[') => text,
        _ => rule,
    };
    if let Some(term) = fenced(user, "T") {
        // All words of the rule but the term, in an order of their own: the question is no copy of the rule.
        let rest = rule.replacen(term, " ", 1);
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        words.sort_unstable();
        let question = format!(
            "What belongs to these words of a rule: {}",
            words.join(" ").trim_end_matches('.')
        );
        return json!({"question": format!("{question}?"), "rephrased": rule}).to_string();
    }
    let other = fenced(user, "B").unwrap_or_default();
    // All but its last quarter: as unlike other questions as the rule is unlike other rules, and no copy of it.
    let words: Vec<&str> = rule.split_whitespace().collect();
    let about = &words[..words.len() - (words.len() / 4).max(4).min(words.len())];
    let object = json!({
        "type": "obligation",
        "question": format!("What is required where it says “{} …”?", about.join(" ")),
        "right": rule,
        "neighbour": other,
        "hard_1": rule.replacen(" shall ", " need not ", 1),
        "hard_2": rule.replacen(" shall ", " may, if it so wishes, ", 1),
    });
    format!("Here is the question.\n```json\n{object}\n```")
}

/// The text between the markers of a label.
pub fn fenced<'a>(prompt: &'a str, label: &str) -> Option<&'a str> {
    let from = prompt.find(&format!("<<<{label} "))?;
    let (opening, rest) = prompt[from..].split_once('\n')?;
    let mark = opening.rsplit(' ').next()?;
    let end = rest.find(&format!("\n{mark} {label}>>>"))?;
    Some(&rest[..end])
}
