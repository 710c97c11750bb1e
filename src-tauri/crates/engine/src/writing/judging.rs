//! A second check of the questions that passed the first checks: a judge gives each a score from 0 to 10, with a
//! reason.
//!
//! A judge is asked like a writer: only with consent, with a record in the ledger, and never twice for the same prompt.
//! Before the questions are written, nobody knows which of them the judge will see. So a person agrees to the largest
//! possible set: every question that could be asked about the corpus.

use super::Writing;
use super::anchors::Anchors;
use super::drafting::Drafted;
use crate::asking::{
    Agreed, AskRequest, Asking, JudgeRequest, StoredAnswers, Target, add, agreed, plan_of, reasks,
};
use crate::workspace::{OpenWorkspace, Result, Watcher, cancelled};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::endpoint::object::Unparseable;
use lexforge_augment::{
    AnswerText, JudgePrompter, Judging, Planned, PromptWriter, Rejection, read_judgement,
    turned_down,
};
use lexforge_domain::api::{JudgeReport, PromptKind};
use lexforge_domain::endpoint::{AskCounts, AskPlan, Consent};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// Characters of an answer that could not be read that are kept.
const SHOWN: usize = 2_000;

/// A judge that can be asked.
pub(crate) struct Judge {
    target: Target,
    prompter: JudgePrompter,
    threshold: f64,
    consent: Option<Consent>,
}

/// How a judge's prompts were made, as it is recorded with an asking.
#[derive(Serialize)]
struct Made<'a> {
    identity: &'a str,
    model: &'a str,
    max_tokens: u32,
    threshold: f64,
    wordings: Vec<String>,
}

impl Judge {
    /// With the consent to the judge's prompts.
    pub(crate) fn agreed(
        mut self,
        workspace: &OpenWorkspace,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let plan = self.plan(workspace, writer, anchors, watcher)?;
        self.consent = Some(agreed(&plan, self.consent.as_ref())?);
        Ok(self)
    }

    /// What asking the judge about every planned question would mean at most.
    fn plan(
        &self,
        workspace: &OpenWorkspace,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        watcher: &dyn Watcher,
    ) -> Result<AskPlan> {
        // Every planned question, by its first prompt: the same set, however many of them are written already.
        let first = PromptWriter {
            reasks: 0,
            ..writer.clone()
        };
        let mut wanted: Vec<Planned> = Vec::new();
        let mut seen = HashSet::new();
        for (n, (_, anchor)) in anchors.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(cancelled("Nothing was sent."));
            }
            let Some((anchor, _)) = anchor else { continue };
            wanted.extend(
                first
                    .prompts(&anchor)
                    .into_iter()
                    .filter(|p| seen.insert(p.key)),
            );
        }
        let mut plan = plan_of(
            workspace,
            &self.target,
            &wanted.iter().collect::<Vec<_>>(),
            0,
        )?;
        plan.at_most = true;
        // The judge's instructions are part of what the person agreed to.
        let mut scope = Sha256::new();
        let told = [Language::En, Language::Zh]
            .map(|l| self.prompter.wordings.get(PromptKind::Judge, l).hash());
        for part in [String::from("judge"), plan.scope].iter().chain(&told) {
            scope.update((part.len() as u64).to_le_bytes());
            scope.update(part);
        }
        plan.scope = hex::encode(scope.finalize());
        Ok(plan)
    }
}

impl Writing<'_> {
    /// The prompts that a judge could get at most, and the host they would go to. This function itself sends nothing.
    ///
    /// # Errors
    /// When the request names no judge, there is no such endpoint or model, or the graph was not built yet.
    pub fn plan_judging(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AskPlan> {
        let Some(judge) = &request.judge else {
            return Err(Failure::invalid(
                "No judge is named.",
                "Name the endpoint that is to judge.",
            ));
        };
        let judge = self.judge(judge, request.reasks)?;
        let target = Asking::of(self.workspace).asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        self.with_writer(&writer, |writer, anchors| {
            judge.plan(self.workspace, writer, anchors, watcher)
        })
    }

    /// The judge of a request.
    pub(crate) fn judge(&self, request: &JudgeRequest, asked: Option<u32>) -> Result<Judge> {
        if !(0.0..=10.0).contains(&request.threshold) {
            return Err(Failure::invalid(
                format!(
                    "The threshold {} is no score from 0 to 10.",
                    request.threshold
                ),
                "Choose one from 0 to 10; 8 is usual.",
            ));
        }
        let target = Asking::of(self.workspace).target(&request.endpoint, &request.local)?;
        let prompter = JudgePrompter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            max_tokens: target.endpoint.settings.max_tokens,
            reasks: reasks(asked),
            wordings: Asking::of(self.workspace).wordings()?,
        };
        Ok(Judge {
            target,
            prompter,
            threshold: request.threshold,
            consent: request.consent.clone(),
        })
    }

    /// Lets a judge score the drafts that passed the checks, and keeps those that score at least the threshold. The
    /// others are rejected with the judge's reason.
    pub(crate) fn have_judged(
        &self,
        judge: &Judge,
        drafted: &mut Drafted,
        anchors: &Anchors<'_>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let mut report = JudgeReport {
            model: judge.target.endpoint.model.clone(),
            host: judge.target.host.clone(),
            threshold: judge.threshold,
            scores: vec![0; 11],
            ..JudgeReport::default()
        };
        let began = Instant::now();
        let mut asked: HashSet<PromptKey> = HashSet::new();
        let mut known = None;
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        loop {
            let mut open: Vec<Planned> = Vec::new();
            for one in &drafted.accepted {
                let Some((anchor, _)) = anchors.at(one.place) else {
                    continue;
                };
                if let Judging::Open(planned) =
                    judge
                        .prompter
                        .judging(&anchor, &one.draft, &answers, &mut |_| ())
                {
                    // A prompt that was sent and got no answer is left for another time.
                    if asked.insert(planned.key) {
                        open.push(*planned);
                    }
                }
            }
            stored.all_read()?;
            known.get_or_insert(drafted.accepted.len() as u64 - open.len() as u64);
            if open.is_empty() {
                break;
            }
            add(&mut report.asked, self.ask_judge(judge, &open, watcher)?);
        }
        report.asked.seconds = began.elapsed().as_secs_f64();
        report.asked.prompts = drafted.accepted.len() as u64;
        report.asked.from_cache = known.unwrap_or(0);
        self.take_judgements(judge, drafted, anchors, &mut report)?;
        drafted.report.judged = Some(report);
        Ok(())
    }

    fn ask_judge(
        &self,
        judge: &Judge,
        open: &[Planned],
        watcher: &dyn Watcher,
    ) -> Result<AskCounts> {
        let plan = plan_of(
            self.workspace,
            &judge.target,
            &open.iter().collect::<Vec<_>>(),
            0,
        )?;
        let Some(consent) = &judge.consent else {
            return Err(no_consent(&plan));
        };
        let made = Made {
            identity: &judge.prompter.identity,
            model: &judge.prompter.model,
            max_tokens: judge.prompter.max_tokens,
            threshold: judge.threshold,
            wordings: judge.prompter.wordings.own_hashes(),
        };
        let agreed = Agreed {
            purpose: "judge",
            plan: &plan,
            consent,
            made: ("judge", serde_json::json!(made)),
        };
        let judged = |_: usize, answer: &AnswerText| match read_judgement(answer) {
            Ok(judgement) if judgement.score >= judge.threshold => (1, BTreeMap::new()),
            Ok(_) => (
                0,
                BTreeMap::from([(Rejection::JudgedBelow.tag().to_owned(), 1)]),
            ),
            Err(why) => (0, BTreeMap::from([(why.tag().to_owned(), 1)])),
        };
        let prompts = open.iter().map(|p| (p.key, p.prompt.clone())).collect();
        let asking = Asking::of(self.workspace).ask_agreed(
            &judge.target,
            &agreed,
            prompts,
            &judged,
            watcher,
        )?;
        Ok(self.workspace.store.read(|r| r.asking_counts(asking))?)
    }

    /// Sorts the drafts by what the judge said.
    fn take_judgements(
        &self,
        judge: &Judge,
        drafted: &mut Drafted,
        anchors: &Anchors<'_>,
        report: &mut JudgeReport,
    ) -> Result<()> {
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        for one in std::mem::take(&mut drafted.accepted) {
            let Some((anchor, _)) = anchors.at(one.place) else {
                continue;
            };
            let unparseable = &mut report.asked.unparseable;
            let mut count = |why: Unparseable| {
                *unparseable.entry(why.tag().to_owned()).or_default() += 1;
            };
            let (rejection, note, score) = match judge
                .prompter
                .judging(&anchor, &one.draft, &answers, &mut count)
            {
                Judging::Scored(judgement) => {
                    report.judged += 1;
                    if let Some(n) = report.scores.get_mut(judgement.score.floor() as usize) {
                        *n += 1;
                    }
                    if judgement.score >= judge.threshold {
                        report.kept += 1;
                        drafted.accepted.push(one);
                        continue;
                    }
                    report.below += 1;
                    (
                        Rejection::JudgedBelow,
                        judgement.reason,
                        Some(judgement.score),
                    )
                }
                Judging::GivenUp(text, _) => {
                    report.unreadable += 1;
                    (
                        Rejection::JudgeUnreadable,
                        text.chars().take(SHOWN).collect(),
                        None,
                    )
                }
                Judging::Open(_) => {
                    report.unjudged += 1;
                    (Rejection::NotJudged, String::new(), None)
                }
            };
            *drafted
                .report
                .rejected
                .entry(rejection.tag().to_owned())
                .or_default() += 1;
            let mut rejected = turned_down(&one.draft, rejection.tag(), 0);
            (rejected.note, rejected.score) = (note, score);
            drafted.rejected.push(rejected);
        }
        report.asked.unanswered = report.unjudged;
        stored.all_read()
    }
}

fn no_consent(plan: &AskPlan) -> Failure {
    Failure::new(
        Code::ConsentMissing,
        format!(
            "The judge was not asked, since nobody agreed to it. {}",
            plan.line()
        ),
        Remedy::AgreeToSending,
    )
}
