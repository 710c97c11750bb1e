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

use crate::anchor::Anchor;
use crate::endpoint::object::Unparseable;
use crate::endpoint::{Prompt, PromptKey};
use crate::reasons::{Skip, SkipReason};
use crate::validate;
use crate::wording::{Why, Wordings};
use crate::writer::QuestionWriter;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Extent, Items, Per, RejectedDraft};
use lexforge_domain::qca::{QcaDraft, QcaLevel, QuestionSource};
use plan::Plan;
use plans::Plans;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
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

    /// The texts that a draft may use. For a pair these are only the neighbour that the model was shown, and those
    /// definitions of other acts that it was shown.
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

    /// The prompt about what a term means in its act, and how its answer is read.
    ///
    /// # Errors
    /// The reason why there is no such question, although another act defines the term differently. `None` if no act
    /// does.
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

/// A draft that was turned down, as it is kept to be looked at.
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

/// Makes drafts of the answers that are there.
pub struct LlmWriter<'a> {
    prompts: PromptWriter,
    answers: Answers<'a>,
    unparseable: BTreeMap<String, u64>,
    turned_down: Vec<RejectedDraft>,
    reasked: u64,
    recovered: u64,
    wanted: HashSet<PromptKey>,
    unanswered: u64,
    items: Items,
    /// The plans of the anchor whose questions are being written now.
    current: Option<(SentenceId, Plans)>,
}

impl<'a> LlmWriter<'a> {
    /// A writer whose answers are looked up by `answers`.
    pub fn new(prompts: PromptWriter, answers: Answers<'a>) -> Self {
        Self {
            prompts,
            answers,
            unparseable: BTreeMap::new(),
            turned_down: Vec::new(),
            reasked: 0,
            recovered: 0,
            wanted: HashSet::new(),
            unanswered: 0,
            items: Items::default(),
            current: None,
        }
    }

    /// Answers that could not be read, by reason.
    pub fn unparseable(&self) -> &BTreeMap<String, u64> {
        &self.unparseable
    }

    /// The number of prompts that were asked again, and how many of them then gave a question that passed the checks.
    pub fn reasked(&self) -> (u64, u64) {
        (self.reasked, self.recovered)
    }

    /// The number of planned questions (equal texts count once), and how many of them still need an answer.
    pub fn wanted(&self) -> (u64, u64) {
        (self.wanted.len() as u64, self.unanswered)
    }

    /// All that could be asked for, and what gave no draft, by reason.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The drafts of a level about an anchor or, if there are none, the reason.
    fn drafts(&mut self, anchor: &Anchor<'_>, level: QcaLevel) -> Result<Vec<QcaDraft>, Skip> {
        let plans = match self.current.take() {
            Some((id, plans)) if id == anchor.id => plans,
            _ => {
                let plans = self.prompts.plans(anchor);
                count(&plans, &mut self.items);
                plans
            }
        };
        let (mut drafts, mut reason) = (Vec::new(), plans.why_none(level));
        for plan in plans.of.iter().filter(|plan| plan.level() == level) {
            match self.draft(anchor, plan.as_ref()) {
                Ok(draft) => drafts.push(draft),
                Err(why) => reason = Some(why),
            }
        }
        self.current = Some((anchor.id, plans));
        if drafts.is_empty() {
            Err(reason.unwrap_or(SkipReason::NotAnswered).into())
        } else {
            Ok(drafts)
        }
    }

    fn draft(&mut self, anchor: &Anchor<'_>, plan: &dyn Plan) -> Result<QcaDraft, SkipReason> {
        let chain = self.prompts.chain(anchor, plan, self.answers);
        let open = matches!(chain.standing, Standing::Open(_));
        if let Some(first) = chain.keys.first()
            && self.wanted.insert(*first)
        {
            self.unanswered += u64::from(open);
        }
        let again = (chain.keys.len() - usize::from(open)).saturating_sub(1) as u64;
        self.reasked += again;
        let read = chain.turned_down.iter().any(|r| !r.question.is_empty());
        let why = match (&chain.standing, chain.turned_down.last()) {
            (Standing::Passed(_), _) => None,
            (Standing::GivenUp, Some(last)) => Some(last.reason.clone()),
            _ => Some(SkipReason::NotAnswered.tag().to_owned()),
        };
        if let Some(why) = why {
            self.items.leave_out(&why, 1);
        }
        for rejected in chain.turned_down {
            if rejected.question.is_empty() {
                *self.unparseable.entry(rejected.reason.clone()).or_default() += 1;
            }
            self.turned_down.push(rejected);
        }
        match chain.standing {
            Standing::Passed(draft) => {
                self.recovered += u64::from(again > 0);
                Ok(*draft)
            }
            Standing::Open(_) => Err(SkipReason::NotAnswered),
            Standing::GivenUp if read => Err(SkipReason::NothingPassed),
            Standing::GivenUp => Err(SkipReason::WriterFailed),
        }
    }
}

impl QuestionWriter for LlmWriter<'_> {
    fn source(&self) -> QuestionSource {
        QuestionSource::Llm
    }

    fn describe(&self) -> String {
        format!("language model {}", self.prompts.model)
    }

    fn sentence_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        self.drafts(anchor, QcaLevel::Sentence)
    }

    fn token_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        self.drafts(anchor, QcaLevel::Token)
    }

    fn turned_down(&mut self) -> Vec<RejectedDraft> {
        std::mem::take(&mut self.turned_down)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
