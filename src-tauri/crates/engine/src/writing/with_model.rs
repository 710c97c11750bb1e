//! Writing questions with a language model behind an endpoint: listing the prompts, sending them, and making questions
//! from the answers.

use super::Writing;
use super::anchors::{Anchors, Place};
use super::drafting::{Drafted, drafts};
use super::judging::Judge;
use super::open::{Prompts, of_writer};
use crate::asking::{
    Agreed, AskRequest, Asking, Judged, StoredAnswers, Target, add, agreed, plan_of,
};
use crate::corpus::Corpus;
use crate::workspace::{Result, Watcher};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::{AnswerText, LlmWriter, PromptWriter, Rejection, Standing};
use lexforge_domain::AskingId;
use lexforge_domain::api::AugmentReport;
use lexforge_domain::endpoint::{AskCounts, AskPlan, Consent};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

impl Writing<'_> {
    /// The prompts that writing questions would send, and the host they would go to. This function itself sends
    /// nothing.
    ///
    /// # Errors
    /// When there is no such endpoint or model, or the graph was not built yet.
    pub fn plan_questions(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AskPlan> {
        let target = Asking::of(self.workspace).asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        self.with_writer(&writer, |writer, anchors| {
            Prompts::collect(self.workspace, writer, anchors, request.limit, watcher)?
                .plan(self.workspace, &target)
        })
    }

    /// Writes questions with the model behind an endpoint. If the request names a judge, it scores them. The new
    /// questions replace the earlier ones, unless no new question passes.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`](lexforge_domain::Code::ConsentMissing) where prompts would leave this machine and the
    /// request carries no consent to exactly these prompts; nothing was sent then. The endpoint's failure, or
    /// [`Code::Cancelled`](lexforge_domain::Code::Cancelled): every answer that had arrived is kept, and the same
    /// request continues from there.
    pub fn augment_with(
        &self,
        request: &AskRequest,
        watcher: &dyn Watcher,
    ) -> Result<AugmentReport> {
        let target = Asking::of(self.workspace).asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        let judge = request
            .judge
            .as_ref()
            .map(|judge| self.judge(judge, request.reasks))
            .transpose()?;
        self.with_writer(&writer, |writer, anchors| {
            let mut prompts =
                Prompts::collect(self.workspace, writer, anchors, request.limit, watcher)?;
            let plan = prompts.plan(self.workspace, &target)?;
            let consent = agreed(&plan, request.consent.as_ref())?;
            // A missing consent to the judge is reported before anything is paid for.
            let judge = judge
                .map(|judge| judge.agreed(self.workspace, writer, anchors, watcher))
                .transpose()?;
            let began = Instant::now();
            let (mut counts, known) = (AskCounts::default(), prompts.settled);
            let mut left = request.limit;
            let mut asked: HashSet<PromptKey> = HashSet::new();
            while !prompts.open.is_empty() {
                let plan = plan_of(self.workspace, &target, &prompts.open(), 0)?;
                let asking =
                    self.ask_open(&target, &prompts, &plan, &consent, anchors, writer, watcher)?;
                add(
                    &mut counts,
                    self.workspace.store.read(|r| r.asking_counts(asking))?,
                );
                asked.extend(prompts.open.iter().map(|(planned, _)| planned.key));
                left = left.map(|left| left.saturating_sub(prompts.open.len() as u64));
                let mut places: Vec<Place> = prompts.open.iter().map(|(_, place)| *place).collect();
                places.dedup();
                prompts = Prompts::anew(self.workspace, writer, anchors, &places, &asked, left)?;
            }
            counts.seconds = began.elapsed().as_secs_f64();
            self.write_from_answers(
                writer,
                anchors,
                counts,
                Some(known),
                judge.as_ref(),
                watcher,
            )
        })
    }

    /// Asks the open prompts about anchors.
    #[allow(clippy::too_many_arguments)] // Each is something else, and none of it outlives the call.
    pub(crate) fn ask_open(
        &self,
        target: &Target,
        prompts: &Prompts,
        plan: &AskPlan,
        consent: &Consent,
        anchors: &Anchors<'_>,
        writer: &PromptWriter,
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        let made = ("prompts", serde_json::json!(of_writer(writer)));
        let agreed = Agreed {
            purpose: "questions",
            plan,
            consent,
            made,
        };
        let open = prompts
            .open
            .iter()
            .map(|(p, _)| (p.key, p.prompt.clone()))
            .collect();
        let judged = |index: usize, answer: &AnswerText| {
            let place = prompts.open.get(index);
            place
                .map(|(planned, place)| self.outcome(writer, anchors, *place, &planned.key, answer))
                .unwrap_or_default()
        };
        Corpus::of(self.workspace).note_standing("questions")?;
        Asking::of(self.workspace).ask_agreed(target, &agreed, open, &judged, watcher)
    }

    /// The result of one answer: the question that passes, or the reason why there is none.
    fn outcome(
        &self,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        place: Place,
        key: &PromptKey,
        answer: &AnswerText,
    ) -> Judged {
        let Some((anchor, _)) = anchors.at(place) else {
            return Judged::default();
        };
        // This is shown while the model is asked, and nothing is made of it: what cannot be read is told afterwards.
        let answers = StoredAnswers::of(self.workspace);
        let known = |wanted: &PromptKey| {
            if wanted == key {
                Some(answer.clone())
            } else {
                answers.get(wanted)
            }
        };
        let Some(chain) = writer
            .chains(&anchor, &known)
            .into_iter()
            .find(|chain| chain.keys.contains(key))
        else {
            return Judged::default();
        };
        match (chain.standing, chain.turned_down.last()) {
            (Standing::Passed(_), _) => (1, BTreeMap::new()),
            (_, Some(last)) => (0, BTreeMap::from([(last.reason.clone(), 1)])),
            (_, None) => Judged::default(),
        }
    }

    /// Makes questions from the stored answers. `counts` holds the numbers of prompts, requests and answers of the
    /// asking, and its costs. `from_cache` is the number of prompts that already had an answer before the asking began.
    /// If it is `None`, the number is computed from `counts`.
    pub(crate) fn write_from_answers(
        &self,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        mut counts: AskCounts,
        from_cache: Option<u64>,
        judge: Option<&Judge>,
        watcher: &dyn Watcher,
    ) -> Result<AugmentReport> {
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        let mut llm = LlmWriter::new(writer.clone(), &answers);
        let mut drafted: Drafted = drafts(anchors, &mut llm, watcher)?;
        stored.all_read()?;
        (counts.prompts, counts.unanswered) = llm.wanted();
        let known = (counts.prompts - counts.unanswered).saturating_sub(counts.answered);
        counts.from_cache = from_cache.unwrap_or(known);
        counts.unparseable.clone_from(llm.unparseable());
        (drafted.report.reasked, drafted.report.recovered) = llm.reasked();
        drafted.report.asked = Some(counts);
        let mut items = llm.items().clone();
        for (reason, n) in &drafted.refused {
            items.leave_out(reason, *n);
        }
        if let Some(judge) = judge {
            self.have_judged(judge, &mut drafted, anchors, watcher)?;
        }
        if let Some(judged) = &drafted.report.judged {
            for (reason, n) in [
                (Rejection::JudgedBelow, judged.below),
                (Rejection::JudgeUnreadable, judged.unreadable),
                (Rejection::NotJudged, judged.unjudged),
            ] {
                items.leave_out(reason.tag(), n);
            }
        }
        items.made = drafted.accepted.len() as u64;
        drafted.report.items = Some(items);
        // If nothing of a model could be used, the existing questions stay.
        self.keep_drafted(drafted, true)
    }
}
