//! What one does on the Ask screen.

use super::in_view::keep_active_in_view;
use super::place::{Spot, Wish, first_cited, next, target, walked};
use crate::backend::{call, commands};
use crate::keys;
use crate::place::Place;
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{AnswerRow, AnswerVerdict, Inquiry};

/// The question's box.
pub const BOX: &str = "#question";
/// The kind of the job that measures.
pub const MEASURING: &str = "calibrate";
/// The kind of the job that answers a file of questions.
pub const BATCH: &str = "ask_batch";

/// Asks a question; an empty one is none.
pub fn ask(app: App, question: &str) {
    let question = question.trim();
    if !question.is_empty() {
        fetch(app, Wish::Ask(question.to_owned()));
    }
}

/// Shows what is wanted as soon as it is there; until then what is shown stays.
pub fn fetch(app: App, wish: Wish) {
    let place = app.ask;
    let turn = place.begin(wish.clone());
    spawn_local(async move {
        let answer = match &wish {
            Wish::Ask(question) => {
                let inquiry = Inquiry {
                    question: question.clone(),
                    ..Inquiry::default()
                };
                let answer = call(commands::Ask { inquiry }).await;
                reload_history(app);
                answer
            }
            Wish::Kept(id) => call(commands::KeptAnswer { id: *id }).await,
        };
        if !place.is_latest(turn) {
            return;
        }
        match answer {
            Ok(answer) => {
                // What was typed meanwhile is another question.
                if matches!(&wish, Wish::Ask(question) if place.typed.with_untracked(|typed| typed.trim() == question))
                {
                    place.typed.set(String::new());
                }
                let first = first_cited(&answer);
                place.spot.set(None);
                place.answer.set(Some(answer));
                if let Some(first) = first {
                    show(app, Spot::Citation(first));
                }
            }
            Err(failure) => place.failed.set(Some((wish, failure))),
        }
        place.under_way.set(None);
    });
}

/// Reads the history anew.
pub fn reload_history(app: App) {
    app.ask.history.refresh(call(commands::Answers {}));
}

/// Empties the screen for a new question.
pub fn begin_anew(app: App) {
    app.ask.clear();
    keys::focus(BOX);
}

/// Puts the question back into its box, to be worded otherwise. What was begun there is not lost: it stays.
pub fn reword(app: App, question: &str) {
    app.ask.typed.update(|typed| {
        if typed.trim().is_empty() {
            *typed = question.to_owned();
        }
    });
    keys::focus(BOX);
}

/// Shows the page of a spot, with its sentence marked.
pub fn show(app: App, spot: Spot) {
    let found = app
        .ask
        .answer
        .with_untracked(|answer| target(answer.as_ref()?, spot));
    let Some(found) = found else { return };
    app.ask.spot.set(Some(spot));
    app.place.set(Place {
        document: Some(found.document),
        page: found.page,
        sentence: Some(found.sentence),
    });
}

/// Shows the page of the spot that is active, or of the first one.
pub fn show_active(app: App) {
    match app.ask.spot.get_untracked() {
        Some(spot) => show(app, spot),
        None => walk(app, 1),
    }
}

/// Shows the citation so many places on.
pub fn walk(app: App, by: i64) {
    let spots = app
        .ask
        .answer
        .with_untracked(|answer| answer.as_ref().map(walked).unwrap_or_default());
    if let Some(spot) = next(&spots, app.ask.spot.get_untracked(), by) {
        show(app, spot);
        keep_active_in_view();
    }
}

/// Keeps what a person thinks of an answer.
pub fn judge(app: App, id: AnswerId, verdict: AnswerVerdict) {
    app.attempt(
        call(commands::JudgeAnswer { id, verdict }),
        move |row: AnswerRow| {
            app.ask.history.value.update(|rows| {
                for known in rows.iter_mut().flatten() {
                    if known.id == row.id {
                        *known = row.clone();
                    }
                }
            });
            reload_history(app);
        },
    );
}

/// Measures how often answers are wrong.
pub fn measure(app: App) {
    app.attempt(call(commands::Calibrate {}), |_| ());
}

/// Asks for a file of questions and for a place, and answers them all.
pub fn batch(app: App) {
    app.attempt(
        async {
            let csv = || "csv".to_owned();
            let extensions = vec![csv()];
            let Some(questions) = call(commands::PickOpen { extensions }).await? else {
                return Ok(0);
            };
            let name = answers_name(&questions);
            let extension = csv();
            match call(commands::PickSave { name, extension }).await? {
                Some(out) => call(commands::AskBatch { questions, out }).await,
                None => Ok(0),
            }
        },
        |_| (),
    );
}

/// What the file of answers is called unless somebody says otherwise.
fn answers_name(questions: &str) -> String {
    let file = questions.rsplit(['/', '\\']).next().unwrap_or(questions);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    format!("{stem}-answers.csv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_named_after_their_questions() {
        for (questions, answers) in [
            ("/in/audit 2026.csv", "audit 2026-answers.csv"),
            ("C:\\in\\audit.CSV", "audit-answers.csv"),
            ("questions", "questions-answers.csv"),
        ] {
            assert_eq!(answers_name(questions), answers);
        }
    }
}
