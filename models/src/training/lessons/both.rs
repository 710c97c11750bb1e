//! Writing and comparing in one pass, as in GritLM (Muennighoff et al., 2024). Two things are learnt from each batch.
//! The answers are learnt after their questions; there each token sees the tokens before it. The vectors of questions
//! and choices are compared; there each token sees all tokens. Both losses have the same weight, as in the
//! publication's own code.

use super::answers::{self, Answers};
use super::comparisons::{self, Comparisons};
use super::lesson::{Batch, Holding, Learnt, Lesson, Material, TOO_LONG, Trainee, count};
use super::parts::Parts;
use super::token_lesson::TokenLesson;
use crate::Result;
use crate::decoding::language::Language;
use crate::losses::sft::{self, Form, Sft};
use lexforge_domain::protocol::{QuestionForm, SentenceObjective, TrainItem};
use lexforge_domain::qca::QcaLevel;
use std::collections::BTreeMap;

/// Both lessons over the same items.
pub(super) struct Both {
    writes: TokenLesson<Sft, Answers>,
    compares: Comparisons,
    holding: Holding,
}

/// The stage. What is too long to be written is not compared either, so that both see the same items.
pub(super) fn both(
    trainee: &Trainee,
    material: &Material,
    objective: &SentenceObjective,
    batch_size: usize,
) -> Result<Both> {
    let language = &trainee.decoder()?.language;
    let wanted = |item: &&TrainItem| objective.all_levels || item.level == QcaLevel::Sentence;
    let mut left_out = BTreeMap::new();
    let fitting = Parts::of(material, &mut left_out, |items, left_out| {
        let mut fit = Vec::with_capacity(items.len());
        for item in items.iter().filter(wanted) {
            if fits(language, item, material.longest)? {
                fit.push(item.clone());
            } else {
                count(left_out, TOO_LONG, 1);
            }
        }
        Ok(fit)
    })?;
    let material = Material {
        train: fitting.train,
        dev: fitting.dev,
        replay: Vec::new(),
        meanings: Vec::new(),
        retrieval: None,
        triplets: None,
        rerank: None,
        longest: material.longest,
        seed: material.seed,
    };
    let form = QuestionForm::Both;
    let writes = answers::answers(language, &material, form, 0.0)?;
    let compares = comparisons::sentences(trainee, &material, objective, batch_size)?;
    let holding = Holding {
        items: writes.items(),
        held_out: writes.held_out(),
        cut: compares.cut(),
        left_out,
    };
    Ok(Both {
        writes,
        compares,
        holding,
    })
}

/// Whether a question with its answer can be read whole; its choices are listed only where they fit too.
fn fits(language: &Language, item: &TrainItem, longest: usize) -> Result<bool> {
    let exchange = sft::exchange(language, &item.question, &[], &item.answer, Form::Open)?;
    Ok(exchange.ids.len() <= longest)
}

impl Lesson for Both {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let mut learnt = self.writes.learn(trainee, batch)?;
        learnt += self.compares.learn(trainee, batch)?;
        Ok(learnt)
    }

    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let Some(written) = self.writes.held_out_loss(trainee, budget, go_on)? else {
            return Ok(None);
        };
        let compared = self.compares.held_out_loss(trainee, budget, go_on)?;
        Ok(compared.map(|compared| written + compared))
    }
}
