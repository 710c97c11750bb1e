//! `ask --compare` and `ask --prefer`: two answers to one question, and which of them is better.

use crate::answer_text::describe;
use crate::answering_args::{Between, Pair, Preference};
use crate::asked::asked;
use crate::output::{Outcome, Output, done};
use lexforge_domain::api::{Answer, AnswerNote, AnswerWay, Inquiry};
use lexforge_engine::Engine;
use std::hash::{BuildHasher, RandomState};

/// Answers a question in two ways. With `blind` the answers are shown in random order, and without their writers.
pub fn compare(
    engine: &Engine,
    inquiry: &Inquiry,
    pair: &Pair,
    blind: bool,
    yes: bool,
    out: &Output,
) -> Outcome {
    let mut ways = [pair.0.clone(), pair.1.clone()];
    // The answers get their numbers in the order in which they are shown, so that a number gives nothing away.
    if blind && chance() {
        ways.reverse();
    }
    let mut answers = Vec::with_capacity(ways.len());
    for way in &ways {
        let inquiry = Inquiry {
            way: way.clone(),
            ..inquiry.clone()
        };
        answers.push(asked(engine, inquiry, yes)?);
    }
    if blind {
        answers = answers.into_iter().map(unnamed).collect();
    }
    out.document(&serde_json::json!({ "blind": blind, "answers": answers }), || {
        let shown = answers.iter().zip(&ways).zip(["A", "B"]);
        let mut parts: Vec<String> = shown
            .map(|((answer, way), letter)| {
                let who = if blind { String::new() } else { format!(": {}", named(way)) };
                format!("== {letter}{who}{}\n{}", number(answer), describe(answer))
            })
            .collect();
        if let [Some(first), Some(second)] = [answers[0].id, answers[1].id] {
            let blind = if blind { " --blind" } else { "" };
            parts.push(format!(
                "Which is better? Keep it with --prefer first|second|equal|neither --between {first},{second}{blind}"
            ));
        }
        parts.join("\n\n")
    });
    done()
}

/// Keeps which of two answers is better, and says who wrote which.
pub fn prefer(
    engine: &Engine,
    preferred: Preference,
    between: &Between,
    blind: bool,
    out: &Output,
) -> Outcome {
    let answering = engine.answering();
    let kept = answering.prefer_answer(between.0, between.1, preferred.into(), blind)?;
    let models = [
        answering.kept_answer(kept.first)?.model,
        answering.kept_answer(kept.second)?.model,
    ];
    let [first, second] = &models;
    let report = serde_json::json!({ "preference": kept, "models": models });
    out.document(&report, || {
        format!(
            "Kept: {}. Answer {} is by {first}, answer {} by {second}.",
            kept.preferred.tag(),
            kept.first,
            kept.second
        )
    });
    done()
}

/// An answer that does not say who wrote it.
fn unnamed(answer: Answer) -> Answer {
    let tells = |note: &AnswerNote| {
        matches!(
            note,
            AnswerNote::ClausesInstead { .. } | AnswerNote::StatementsUnreadable { .. }
        )
    };
    let notes = answer
        .notes
        .into_iter()
        .filter(|note| !tells(note))
        .collect();
    Answer {
        model: String::new(),
        adapter: None,
        written: None,
        notes,
        ..answer
    }
}

fn number(answer: &Answer) -> String {
    answer
        .id
        .map(|id| format!(" (answer {id})"))
        .unwrap_or_default()
}

fn named(way: &AnswerWay) -> String {
    match way {
        AnswerWay::Extractive => "the clauses themselves".to_owned(),
        AnswerWay::Adapter { run: Some(run) } => format!("the adapter of run {run}"),
        AnswerWay::Adapter { run: None } => "the newest adapter".to_owned(),
        AnswerWay::Base { model } => {
            let model = model.as_deref().unwrap_or("the decoder of the product");
            format!("{model}, not tuned")
        }
        AnswerWay::Endpoint { name } => {
            format!("the endpoint {}", name.as_deref().unwrap_or_default())
        }
    }
}

/// Heads or tails.
fn chance() -> bool {
    RandomState::new().hash_one(0_u8).is_multiple_of(2)
}
