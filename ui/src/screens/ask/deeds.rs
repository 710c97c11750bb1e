//! The actions of the Ask screen.

use super::in_view::{bring_page_into_view, keep_active_in_view};
use super::place::{Spot, Wish, first_cited, next, target, walked};
use crate::backend::{call, commands};
use crate::i18n::t;
use crate::keys;
use crate::place::Place;
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{
    AnswerBatch, AnswerRow, AnswerVerdict, AnswerWay, EncoderChoice, Inquiry, Task,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::{AnswerId, Failure};

/// The question's box.
pub const BOX: &str = "#question";
/// The kind of the job that measures.
pub const MEASURING: &str = "calibrate";
/// The kind of the job that answers a file of questions.
pub const BATCH: &str = "ask_batch";
/// The job that learns the order of the clauses.
pub const RANKING: &str = "train_ranker";
/// The job that measures how much of a tuning pays.
pub const CURVE: &str = "measure_curve";
/// The job that measures whether a cross-encoder ranks better.
pub const RERANKING: &str = "measure_rerank";
/// The model of an answer that no model wrote.
pub const EXTRACTIVE: &str = "extractive";

/// The kind of the job that makes the vectors of another encoder.
pub const SEARCHING: &str = "search_with";
/// The kind of the job that makes the vectors which the search lacks.
pub const VECTORS: &str = "vectors";

/// Asks a question. An empty text is not asked.
pub fn ask(app: App, question: &str) {
    let question = question.trim();
    if !question.is_empty() {
        fetch(app, Wish::Ask(question.to_owned()));
    }
}

/// Shows what was asked for as soon as it is there; until then the earlier content stays.
pub fn fetch(app: App, wish: Wish) {
    let place = app.ask;
    let turn = place.begin(wish.clone());
    spawn_local(async move {
        let answer = match &wish {
            Wish::Ask(question) => {
                let inquiry = Inquiry {
                    question: question.clone(),
                    as_of: place.day(),
                    way: place.way.get_untracked(),
                    // The question may go on from what is shown.
                    after: place
                        .answer
                        .with_untracked(|shown| shown.as_ref().and_then(|shown| shown.id)),
                    ..Inquiry::default()
                };
                if inquiry.way != AnswerWay::Extractive {
                    by_model(app, turn, wish.clone(), inquiry).await;
                    return;
                }
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
                if let Wish::Ask(question) = &wish {
                    taken(app, question);
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

/// A question is answered: it is taken out of its box, unless another one was typed meanwhile.
fn taken(app: App, question: &str) {
    let typed = app.ask.typed;
    if typed.with_untracked(|typed| typed.trim() == question) {
        typed.set(String::new());
    }
}

/// Lets a model answer, in the background. If something would be sent, it waits for consent.
async fn by_model(app: App, turn: u64, wish: Wish, inquiry: Inquiry) {
    let place = app.ask;
    let planned = call(commands::PlanAnswer {
        inquiry: inquiry.clone(),
    });
    let began = match planned.await {
        Ok(Some(plan)) if !plan.local && plan.prompts > 0 => {
            if place.is_latest(turn) {
                place.under_way.set(None);
                place.consent.set(Some((inquiry, plan)));
            }
            return;
        }
        Ok(_) => call(commands::AskAside { inquiry }).await,
        Err(failure) => Err(failure),
    };
    if place.is_latest(turn) {
        asked(app, wish, began);
    }
}

/// A model was asked: its job is followed, or the failure is shown.
fn asked(app: App, wish: Wish, began: Result<u64, Failure>) {
    let place = app.ask;
    match began {
        Ok(task) => place.task.set(Some(task)),
        Err(failure) => {
            place.under_way.set(None);
            place.failed.set(Some((wish, failure)));
        }
    }
}

/// Somebody agreed to what a question sends.
pub fn agree(app: App, inquiry: Inquiry, plan: &AskPlan) {
    let place = app.ask;
    place.consent.set(None);
    let wish = Wish::Ask(inquiry.question.clone());
    let turn = place.begin(wish.clone());
    let inquiry = Inquiry {
        consent: Some(agreed(plan)),
        ..inquiry
    };
    spawn_local(async move {
        let began = call(commands::AskAside { inquiry }).await;
        if place.is_latest(turn) {
            asked(app, wish, began);
        }
    });
}

/// The consent that somebody gave in the window.
pub fn agreed(plan: &AskPlan) -> Consent {
    plan.agreed("window")
}

/// The job that answers has ended: its answer is shown, or why there is none.
pub fn ended(app: App, task: &Task) {
    let place = app.ask;
    place.task.set(None);
    let wish = place.under_way.get_untracked();
    reload_history(app);
    match (task.answer, &task.failure, wish) {
        (Some(id), _, wish) => {
            if let Some(Wish::Ask(question)) = &wish {
                taken(app, question);
            }
            fetch(app, Wish::Kept(id));
        }
        (None, Some(failure), Some(wish)) => {
            place.under_way.set(None);
            place.failed.set(Some((wish, failure.clone())));
        }
        (None, _, _) => place.under_way.set(None),
    }
}

/// Gives up the answer that is on its way.
pub fn give_up(app: App, task: u64) {
    app.attempt(call(commands::CancelTask { id: task }), |()| ());
}

/// The answers that wait for a verdict, the oldest first.
pub fn unjudged(rows: &[AnswerRow]) -> Vec<AnswerId> {
    let waiting = rows.iter().rev().filter(|row| row.verdict.is_none());
    waiting.map(|row| row.id).collect()
}

/// Shows the answers without a verdict one after the other, from the oldest on.
pub fn begin_queue(app: App) {
    app.ask.queue.set(true);
    show_unjudged(app, None);
}

/// The next answer without a verdict after the one that is shown.
fn next_unjudged(app: App) {
    show_unjudged(app, app.ask.open_answer_untracked());
}

fn show_unjudged(app: App, shown: Option<AnswerId>) {
    let waiting = app
        .ask
        .history
        .value
        .with_untracked(|rows| unjudged(rows.as_deref().unwrap_or_default()));
    // The one after the answer that is shown; from the end it goes on at the beginning.
    let next = waiting
        .iter()
        .find(|id| shown.is_none_or(|shown| id.0 > shown.0))
        .or(waiting.first());
    match next {
        Some(id) => fetch(app, Wish::Kept(*id)),
        None => app.ask.queue.set(false),
    }
}

/// Reads the history again.
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

/// Shows the page of a spot that was pressed, also where the page stands beneath the answer.
pub fn turn_to(app: App, spot: Spot) {
    show(app, spot);
    bring_page_into_view();
}

/// Shows the page of the spot that is active, or of the first one.
pub fn show_active(app: App) {
    match app.ask.spot.get_untracked() {
        Some(spot) => turn_to(app, spot),
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
                        known.verdict = row.verdict;
                    }
                }
            });
            reload_history(app);
            if app.ask.queue.get_untracked() {
                next_unjudged(app);
            }
        },
    );
}

/// The way of the answer that is shown; without one, the way that is chosen.
pub fn certified_way(app: App) -> AnswerWay {
    app.ask.answer.with(|answer| match answer {
        // Where the clauses are in the place of a model's words, they are what was certified.
        Some(answer) => {
            let written = answer
                .written
                .as_ref()
                .filter(|_| answer.model != EXTRACTIVE);
            written
                .map(|written| written.way.clone())
                .unwrap_or_default()
        }
        None => app.ask.way.get(),
    })
}

/// Measures how often answers of a way of answering are wrong; if something would be sent, only after somebody agreed.
pub fn measure(app: App, way: AnswerWay) {
    let planned = async move {
        let plan = match way {
            AnswerWay::Extractive => None,
            _ => call(commands::PlanCalibration { way: way.clone() }).await?,
        };
        Ok((way, plan.filter(|plan| !plan.local && plan.prompts > 0)))
    };
    app.attempt_once(t("wait.plan"), planned, move |(way, plan)| match plan {
        Some(plan) => app.ask.measuring.set(Some((way, plan))),
        None => begin_measuring(app, way, None),
    });
}

/// Measures; whoever calls this has agreed to what is sent.
pub fn begin_measuring(app: App, way: AnswerWay, consent: Option<Consent>) {
    app.ask.measuring.set(None);
    app.attempt(call(commands::Calibrate { way, consent }), |_| ());
}

/// Searches with another encoder from now on.
pub fn search_with(app: App, choice: Option<EncoderChoice>) {
    app.attempt(call(commands::SearchWith { choice }), |_| ());
}

/// Makes the vectors that the search lacks.
pub fn make_vectors(app: App) {
    app.attempt(call(commands::MakeVectors {}), |_| ());
}

/// Asks for a file of questions and for a place for the answers. `None` if a dialog was closed.
pub async fn pick_batch(
    way: AnswerWay,
    as_of: Option<String>,
    extension: String,
) -> Result<Option<AnswerBatch>, Failure> {
    let extensions = ["xlsx", "ods", "csv"].map(str::to_owned).to_vec();
    let Some(questions) = call(commands::PickOpen { extensions }).await? else {
        return Ok(None);
    };
    let name = answers_name(&questions, &extension);
    let out = call(commands::PickSave { name, extension }).await?;
    Ok(out.map(|out| AnswerBatch {
        questions,
        out,
        as_of,
        way,
        ..AnswerBatch::default()
    }))
}

/// The suggested name of the file of answers.
fn answers_name(questions: &str, extension: &str) -> String {
    let file = questions.rsplit(['/', '\\']).next().unwrap_or(questions);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    format!("{stem}-answers.{extension}")
}

#[cfg(test)]
mod tests;
