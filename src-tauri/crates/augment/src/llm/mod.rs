//! The writer that uses a language model.
//!
//! Writing has two halves, so that any number of prompts can be sent at a time, and no answer is lost if the program is
//! interrupted. [`PromptWriter`] makes the prompts about an anchor. [`LlmWriter`] makes drafts from the answers. The
//! same anchor, model, wording and seed give the same prompts, so a stored answer is found again.
//!
//! If an answer cannot be read, or its draft is rejected, the model is asked again with the reason. Each repetition is
//! a separate prompt; all prompts for one question are a [`Chain`]. Document text is put between markers that it cannot
//! contain. The reply is read strictly and then checked like any other draft.

mod answer;
mod arriving;
pub mod exam;
mod judge;
mod meaning;
mod plan;
mod plans;
mod rewrites;
pub mod rubric;
mod sentence;
mod term;
mod triplet;
mod writer;

pub use answer::{
    AnswerPrompter, GivenClause, WrittenAnswer, WrittenCitation, WrittenStatement,
    read as read_answer,
};
pub use arriving::ArrivingAnswer;
pub use judge::{JudgePrompter, Judgement, Judging, read as read_judgement};
pub use plan::AnswerText;
pub use rewrites::{RewriteFault, read_paraphrase, read_queries, read_translation};
pub use triplet::{
    Meant, PROMPTS_A_SENTENCE, TripletPrompter, TripletStanding, WrittenTriplet, read_variants,
};
pub use writer::LlmWriter;

use crate::anchor::Anchor;
use crate::endpoint::object::Unparseable;
use crate::endpoint::{Prompt, PromptKey};
use crate::reasons::SkipReason;
use crate::validate;
use crate::wording::{Why, Wordings};
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Extent, Items, Per, RejectedDraft};
use lexforge_domain::qca::{QcaDraft, QcaLevel, QuestionSource};
use plan::Plan;
use plans::Plans;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Characters of an answer that could not be read that are kept to be looked at.
const SHOWN: usize = 2_000;

/// A prompt about an anchor.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The key under which its answer is kept.
    pub key: PromptKey,
    /// What is asked.
    pub prompt: Prompt,
    /// The sentences of the documents that are in it.
    pub sentences: Vec<SentenceId>,
}

/// A way to the answers that are there.
pub type Answers<'a> = &'a dyn Fn(&PromptKey) -> Option<AnswerText>;

/// Says what to ask about an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptWriter {
    /// Distinguishes models of the same name: the endpoint's address, or the weights' hash.
    pub identity: String,
    pub model: String,
    /// Seed of the order of choices and of the terms that are asked for.
    pub seed: u64,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// How often the model is asked again if its answer cannot be used.
    pub reasks: u32,
    /// The wordings in use.
    pub wordings: Arc<Wordings>,
    /// How many questions are to be written.
    pub extent: Extent,
    /// How many each anchor gets, where the extent has a cap in all: [`PromptWriter::shared_out`].
    pub shares: Option<Arc<HashMap<SentenceId, u64>>>,
}

/// A question that is planned about an anchor: the first prompt for it, and the repeated prompts if an answer could not
/// be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    pub level: QcaLevel,
    /// Keys of its prompts, in the order in which they were or are to be asked.
    pub keys: Vec<PromptKey>,
    /// The rejected drafts, in the order of the answers.
    pub turned_down: Vec<RejectedDraft>,
    /// The state of the question.
    pub standing: Standing,
}

/// The state of a planned question.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// It is written and passes the checks.
    Passed(Box<QcaDraft>),
    /// This prompt must be sent next.
    Open(Box<Planned>),
    /// No answer could be used, and the model is not asked again.
    GivenUp,
}

impl PromptWriter {
    /// The questions that are planned about an anchor, each with its state according to the answers that are there.
    pub fn chains(&self, anchor: &Anchor<'_>, answers: Answers<'_>) -> Vec<Chain> {
        let plans = self.plans(anchor).of;
        plans
            .iter()
            .map(|plan| self.chain(anchor, plan.as_ref(), answers))
            .collect()
    }

    /// Adds to the items what an anchor gives, and what of it is left out before anything is asked.
    pub fn count_items(&self, anchor: &Anchor<'_>, items: &mut Items) {
        count(&self.plans(anchor), items);
    }

    /// This writer, with the limit for all questions divided among the anchors.
    #[must_use]
    pub fn shared_out<'a>(&self, anchors: impl Iterator<Item = Anchor<'a>>) -> Self {
        let Some(most) = self.extent.most_in_all else {
            return self.clone();
        };
        let uncapped = Self {
            shares: None,
            ..self.clone()
        };
        let wanted: Vec<(SentenceId, u64)> = anchors
            .map(|anchor| (anchor.id, uncapped.plans(&anchor).of.len() as u64))
            .collect();
        Self {
            shares: Some(Arc::new(plans::share_out(&wanted, most, self.seed))),
            ..uncapped
        }
    }

    fn plans(&self, anchor: &Anchor<'_>) -> Plans {
        let share = self
            .shares
            .as_ref()
            .map(|shares| shares.get(&anchor.id).copied().unwrap_or(0));
        plans::plans(anchor, self.seed, &self.extent, share)
    }

    /// The anchor with only the texts that a draft may use. If the choices are sentences, only those definitions of
    /// other acts remain that the model was shown. If the question is about a pair of the anchor and one neighbour,
    /// only this neighbour remains.
    fn given<'b, 'a>(&self, anchor: &'b Anchor<'a>, plan: &dyn Plan) -> Cow<'b, Anchor<'a>> {
        let pairs = self.extent.per == Per::Pair;
        if plan.level() == QcaLevel::Token || (!pairs && anchor.elsewhere.is_empty()) {
            return Cow::Borrowed(anchor);
        }
        let (shown, mut pair) = (plan.sentences(), anchor.clone());
        if pairs {
            pair.neighbours.retain(|n| shown.contains(&n.id));
        }
        pair.elsewhere.retain(|(id, _)| shown.contains(id));
        Cow::Owned(pair)
    }

    /// The first prompts about an anchor. Empty if the anchor gives no question.
    pub fn prompts(&self, anchor: &Anchor<'_>) -> Vec<Planned> {
        let open = |chain: Chain| match chain.standing {
            Standing::Open(planned) => Some(*planned),
            Standing::Passed(_) | Standing::GivenUp => None,
        };
        self.chains(anchor, &|_| None)
            .into_iter()
            .filter_map(open)
            .collect()
    }

    /// The first prompt of a level about an anchor, and how its answer is read.
    ///
    /// # Errors
    /// The reason why the anchor gives no question of this level.
    pub fn first<'s>(
        &'s self,
        anchor: &Anchor<'_>,
        level: QcaLevel,
    ) -> Result<(Planned, Reading<'s>), SkipReason> {
        match level {
            QcaLevel::Sentence => {
                let plan = sentence::plan(anchor, self.seed)?;
                let planned = self.ask(&plan, anchor, None);
                let reading: Reading<'s> = Box::new(move |answer: &AnswerText| plan.read(answer));
                Ok((planned, reading))
            }
            QcaLevel::Token => {
                let plan = term::plans(anchor, self.seed)?
                    .into_iter()
                    .next()
                    .ok_or(SkipReason::NoTerm)?;
                let planned = self.ask(&plan, anchor, None);
                let reading: Reading<'s> = Box::new(move |answer: &AnswerText| plan.read(answer));
                Ok((planned, reading))
            }
        }
    }

    /// The prompt about what a term means in its act, and how its answer is read. `None` if the anchor defines no term
    /// that another act defines differently, or if its act has no name that a question could use.
    ///
    /// # Errors
    /// The reason why the question cannot be asked.
    pub fn first_meaning<'s>(
        &'s self,
        anchor: &Anchor<'_>,
    ) -> Option<Result<(Planned, Reading<'s>), SkipReason>> {
        let plan = match meaning::plan(anchor, self.seed)? {
            Ok(plan) => plan,
            Err(reason) => return Some(Err(reason)),
        };
        let planned = self.ask(&plan, anchor, None);
        let reading: Reading<'s> = Box::new(move |answer: &AnswerText| plan.read(answer));
        Some(Ok((planned, reading)))
    }

    fn chain(&self, anchor: &Anchor<'_>, plan: &dyn Plan, answers: Answers<'_>) -> Chain {
        let mut chain = Chain {
            level: plan.level(),
            keys: Vec::new(),
            turned_down: Vec::new(),
            standing: Standing::GivenUp,
        };
        let (mut why, given) = (None, self.given(anchor, plan));
        for attempt in 0..=self.reasks {
            let planned = self.ask(plan, anchor, why.map(|why| (attempt as usize, why)));
            chain.keys.push(planned.key);
            let Some(answer) = answers(&planned.key) else {
                chain.standing = Standing::Open(Box::new(planned));
                return chain;
            };
            let reason = match plan.read(&answer) {
                Ok(draft) => match validate(&draft, &given) {
                    Ok(()) => {
                        chain.standing = Standing::Passed(Box::new(draft));
                        return chain;
                    }
                    Err(rejection) => {
                        chain
                            .turned_down
                            .push(turned_down(&draft, rejection.tag(), attempt));
                        Why::Rejected(rejection)
                    }
                },
                Err(unparseable) => {
                    chain.turned_down.push(unread(
                        plan.level(),
                        anchor.id,
                        &answer,
                        unparseable,
                        attempt,
                    ));
                    Why::Unparseable(unparseable)
                }
            };
            if !reason.can_be_mended() {
                return chain;
            }
            why = Some(reason);
        }
        chain
    }

    fn ask(&self, plan: &dyn Plan, anchor: &Anchor<'_>, again: Option<(usize, Why)>) -> Planned {
        let words = self.wordings.get(plan.kind(), anchor.language);
        self.planned(plan.prompt(words, self.max_tokens, again), plan.sentences())
    }

    fn planned(&self, prompt: Prompt, sentences: Vec<SentenceId>) -> Planned {
        Planned {
            key: prompt.key(&self.identity, &self.model),
            prompt,
            sentences,
        }
    }
}

/// Reads an answer as the draft that it makes.
pub type Reading<'a> = Box<dyn Fn(&AnswerText) -> Result<QcaDraft, Unparseable> + 'a>;

/// A draft that was rejected, as it is kept to be looked at.
pub fn turned_down(draft: &QcaDraft, reason: &str, attempt: u32) -> RejectedDraft {
    RejectedDraft {
        reason: reason.to_owned(),
        note: String::new(),
        score: None,
        level: draft.level,
        source: draft.source,
        attempt,
        question: draft.question.clone(),
        choices: draft.choices.clone(),
        answer: draft.answer,
        rephrased: draft.rephrased.clone(),
        anchor_sentence: draft.anchor_sentence,
    }
}

fn unread(
    level: QcaLevel,
    anchor: SentenceId,
    answer: &AnswerText,
    why: Unparseable,
    attempt: u32,
) -> RejectedDraft {
    RejectedDraft {
        reason: why.tag().to_owned(),
        note: answer.text.chars().take(SHOWN).collect(),
        score: None,
        level,
        source: QuestionSource::Llm,
        attempt,
        question: String::new(),
        choices: Vec::new(),
        answer: 0,
        rephrased: None,
        anchor_sentence: anchor,
    }
}

fn count(plans: &Plans, items: &mut Items) {
    items.anchors += u64::from(!plans.of.is_empty());
    items.possible += plans.possible;
    items.asked += plans.of.len() as u64;
    for (reason, n) in &plans.left_out {
        items.leave_out(reason.tag(), *n);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
