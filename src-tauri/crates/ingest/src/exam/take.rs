//! What makes a question of a file one that can be asked.

use super::answer::{Numbers, places};
use super::draft::{Draft, MOST_CHOICES, alike, letter};
use lexforge_domain::exam::ExamQuestion;
use lexforge_text::fold::tidy;

/// Longest question and choice, in characters.
const LONGEST: usize = 20_000;

/// What programs write in a table for a cell that has no value or whose formula failed.
const LOST: [&str; 10] = [
    "NaN", "nan", "<NA>", "#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!",
];

fn is_lost(text: &str) -> bool {
    LOST.contains(&text)
}

/// The question, or why it cannot be asked.
pub(super) fn taken(draft: Draft, numbers: Numbers, subject: &str) -> Result<ExamQuestion, String> {
    let question = tidy(&draft.question);
    if question.is_empty() {
        return Err("The question is empty.".to_owned());
    }
    if is_lost(&question) {
        return Err(format!(
            "The question is “{question}”, which stands for a lost cell."
        ));
    }
    let mut choices: Vec<String> = draft.choices.iter().map(|choice| tidy(choice)).collect();
    while choices.last().is_some_and(String::is_empty) {
        choices.pop();
    }
    if let Some(empty) = choices.iter().position(String::is_empty) {
        return Err(format!("Choice {} is empty.", letter(empty)));
    }
    if let Some(lost) = choices.iter().position(|choice| is_lost(choice)) {
        return Err(format!(
            "Choice {} is “{}”, which stands for a lost cell.",
            letter(lost),
            choices[lost]
        ));
    }
    match choices.len() {
        0 => return Err("It has no choices.".to_owned()),
        1 => return Err("It has one choice alone.".to_owned()),
        many if many > MOST_CHOICES => {
            return Err(format!(
                "It has {many} choices; up to {MOST_CHOICES} are read."
            ));
        }
        _ => {}
    }
    let compared: Vec<String> = choices.iter().map(|choice| alike(choice)).collect();
    for (second, text) in compared.iter().enumerate() {
        if let Some(first) = compared[..second].iter().position(|other| other == text) {
            return Err(format!(
                "Choices {} and {} are the same.",
                letter(first),
                letter(second)
            ));
        }
    }
    let long = |text: &String| text.chars().count() > LONGEST;
    if long(&question) || choices.iter().any(long) {
        return Err(format!("It is longer than {LONGEST} characters."));
    }
    let answers = places(&draft.answer, &compared, draft.lettered, numbers)?;
    let own = tidy(&draft.subject);
    Ok(ExamQuestion {
        question,
        choices,
        answers,
        subject: if own.is_empty() {
            subject.to_owned()
        } else {
            own
        },
        kind: tidy(&draft.kind),
    })
}
