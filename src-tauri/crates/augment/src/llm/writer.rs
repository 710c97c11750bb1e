//! Makes drafts from the answers of a model.

use super::plan::Plan;
use super::plans::Plans;
use super::{Answers, PromptWriter, Standing, count};
use crate::anchor::Anchor;
use crate::endpoint::PromptKey;
use crate::reasons::{Skip, SkipReason};
use crate::writer::QuestionWriter;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Items, RejectedDraft};
use lexforge_domain::qca::{QcaDraft, QcaLevel, QuestionSource};
use std::collections::{BTreeMap, HashSet};

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
