//! Finding terms with a language model behind an endpoint, by a schema.
//!
//! The three steps are the same as for questions: the prompts are listed, those without an answer are sent, and terms
//! are made from the answers. If an answer cannot be read, the model is asked again and told the reason. Asking again
//! sends the same sentences to the same host, so the consent to the first prompt covers it.

mod prompts;

use super::Terms;
use crate::asking::{
    Agreed, AskRequest, Asking, BATCH, Batch, BatchOut, Target, add, agreed, no_model, plan_of,
    unreadable_record,
};
use crate::workspace::{Result, Watcher};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::extract::TermPrompter;
use lexforge_augment::{AnswerText, Planned};
use lexforge_domain::api::TermsReport;
use lexforge_domain::endpoint::{AnswerForm, AskCounts, AskPlan, BatchReport, EndpointSettings};
use lexforge_domain::extract::RejectedTerm;
use lexforge_domain::{AskingId, Code, Failure, Remedy};
use prompts::{Answered, Made, TermPrompts};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// The purpose of a batch file with these prompts.
const PURPOSE: &str = "terms batch";
/// Rounds of asking: the first, and the retries of what cannot be read.
const ROUNDS: usize = 6;

/// Which endpoint is to find terms, and by which schemas.
#[derive(Clone, Debug, Default)]
pub struct TermRequest {
    /// The endpoint, and what was agreed to.
    pub ask: AskRequest,
    /// Names of the schemas; none = general law.
    pub schemas: Vec<String>,
}

/// What reading a batch file in did, and the terms that its answers make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermsBatchIn {
    /// The lines.
    pub batch: BatchReport,
    /// The terms; `None` where the file matches nothing of this workspace.
    pub terms: Option<TermsReport>,
}

impl Terms<'_> {
    /// The prompts that finding terms with an endpoint would send, and the host they would go to. This function itself
    /// sends nothing.
    ///
    /// # Errors
    /// When there is no such endpoint, model or schema, or nothing was imported yet.
    pub fn plan_terms(&self, request: &TermRequest) -> Result<AskPlan> {
        let target = Asking::of(self.workspace).asked_target(&request.ask)?;
        let prompts = TermPrompts::new(
            self.workspace,
            self.term_prompter(&target)?,
            &request.schemas,
        )?;
        let (open, known) = prompts.open()?;
        plan_of(
            self.workspace,
            &target,
            &first(&open, request.ask.limit),
            known,
        )
    }

    /// Finds terms with the model behind an endpoint, and adds the terms that the documents define. The results replace
    /// the earlier terms; reviewers' decisions stay.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`] where prompts would leave this machine and the request carries no consent to exactly
    /// these prompts. The endpoint's failure, or [`Code::Cancelled`]: every answer that had arrived is kept, and the
    /// same request continues from there. [`Code::EndpointAnswer`] where no answer holds a usable term: then the terms
    /// are unchanged.
    pub fn extract_terms_with(
        &self,
        request: &TermRequest,
        watcher: &dyn Watcher,
    ) -> Result<TermsReport> {
        let target = Asking::of(self.workspace).asked_target(&request.ask)?;
        let prompts = TermPrompts::new(
            self.workspace,
            self.term_prompter(&target)?,
            &request.schemas,
        )?;
        let began = Instant::now();
        let mut counts = AskCounts::default();
        let (mut asked, mut batches): (HashSet<PromptKey>, HashSet<_>) = Default::default();
        let mut consent = None;
        for round in 0..ROUNDS {
            let (open, known) = prompts.open()?;
            let now: Vec<&Planned> = if round == 0 {
                counts.from_cache = known;
                first(&open, request.ask.limit)
            } else {
                // Only prompts whose answer could not be read. Prompts that failed are left for another time.
                open.iter()
                    .filter(|p| batches.contains(&p.sentences) && !asked.contains(&p.key))
                    .collect()
            };
            let plan = plan_of(self.workspace, &target, &now, known)?;
            let given = match consent {
                None => agreed(&plan, request.ask.consent.as_ref())?,
                Some(given) => given,
            };
            if !now.is_empty() {
                asked.extend(now.iter().map(|p| p.key));
                batches.extend(now.iter().map(|p| p.sentences.clone()));
                let agreed = Agreed {
                    purpose: "terms",
                    plan: &plan,
                    consent: &given,
                    made: prompts.made(),
                };
                let open = now.iter().map(|p| (p.key, p.prompt.clone())).collect();
                let sizes: Vec<usize> = now.iter().map(|p| p.sentences.len()).collect();
                let judged = |index: usize, answer: &AnswerText| match prompts
                    .prompter
                    .proposed(answer, sizes.get(index).copied().unwrap_or(1))
                {
                    Ok(proposed) => (proposed, BTreeMap::new()),
                    Err(why) => (0, BTreeMap::from([(why.tag().to_owned(), 1)])),
                };
                let asking = Asking::of(self.workspace)
                    .ask_agreed(&target, &agreed, open, &judged, watcher)?;
                add(
                    &mut counts,
                    self.workspace.store.read(|r| r.asking_counts(asking))?,
                );
            }
            consent = Some(given);
            if now.is_empty() {
                break;
            }
        }
        counts.seconds = began.elapsed().as_secs_f64();
        self.terms_from_answers(&prompts, counts, watcher)
    }

    /// Makes terms of the answers that are there.
    fn terms_from_answers(
        &self,
        prompts: &TermPrompts<'_>,
        mut counts: AskCounts,
        watcher: &dyn Watcher,
    ) -> Result<TermsReport> {
        let (open, known) = prompts.open()?;
        counts.prompts = open.len() as u64 + known;
        counts.unanswered = open.len() as u64;
        let (found, unparseable) = prompts.extracted()?;
        counts.unparseable = unparseable;
        if found.values().all(|extraction| extraction.terms.is_empty()) {
            let count: u64 = found.values().flat_map(|e| e.reasons.values()).sum();
            let rejected: Vec<RejectedTerm> =
                found.into_values().flat_map(|e| e.rejected).collect();
            self.keep_rejected(rejected)?;
            return Err(Failure::new(
                Code::EndpointAnswer,
                format!(
                    "No answer of the model holds a term that can be used: {} answers could not be read, {count} proposed \
                     terms were turned down.",
                    counts.unparseable.values().sum::<u64>()
                ),
                Remedy::SeeRejected,
            ));
        }
        let describe = format!(
            "language model {}, schema {}",
            prompts.prompter.model,
            prompts.names.join(" + ")
        );
        self.extract_terms_by(&mut Answered { found, describe }, Some(counts), watcher)
    }

    /// Writes the prompts without an answer into a file of OpenAI's batch form, and sends nothing. `model` names the
    /// model if the batch will run outside of this workspace's endpoints.
    ///
    /// # Errors
    /// When the file exists already or cannot be written, or nothing was imported yet.
    pub fn terms_batch_out(
        &self,
        request: &TermRequest,
        model: Option<&str>,
        path: &std::path::Path,
    ) -> Result<BatchOut> {
        let ask = &request.ask;
        let (prompter, form) = match (ask.endpoint.as_str(), model) {
            ("", Some(model)) => {
                let max_tokens = ask
                    .max_tokens
                    .unwrap_or(EndpointSettings::default().max_tokens);
                let (identity, model, wordings) = (
                    BATCH.to_owned(),
                    model.to_owned(),
                    Asking::of(self.workspace).wordings()?,
                );
                (
                    TermPrompter {
                        identity,
                        model,
                        max_tokens,
                        wordings,
                    },
                    AnswerForm::Schema,
                )
            }
            ("", None) => return Err(no_model()),
            _ => {
                let target = Asking::of(self.workspace).asked_target(ask)?;
                (self.term_prompter(&target)?, target.endpoint.settings.form)
            }
        };
        let prompts = TermPrompts::new(self.workspace, prompter, &request.schemas)?;
        let (open, known) = prompts.open()?;
        let (model, made) = (prompts.prompter.model.as_str(), prompts.made());
        let batch = Batch {
            purpose: PURPOSE,
            endpoint: &ask.endpoint,
            model,
            form,
            made,
        };
        Asking::of(self.workspace).write_batch(&batch, &first(&open, ask.limit), known, path)
    }

    /// Reads the answers of a batch file, and makes terms from all answers that are stored by then. The same file may
    /// be read any number of times. Prompts whose answers cannot be read go into the next batch file.
    ///
    /// # Errors
    /// When the file cannot be read, no prompts about terms were ever written out, or no answer can be used.
    pub fn terms_batch_in(
        &self,
        path: &std::path::Path,
        watcher: &dyn Watcher,
    ) -> Result<TermsBatchIn> {
        let (batch, asking, newest) =
            Asking::of(self.workspace).take_batch(PURPOSE, "terms extract", path, watcher)?;
        let terms = match newest {
            None => None,
            Some(newest) => {
                let made = self.made_of(newest)?;
                let Made {
                    identity,
                    model,
                    max_tokens,
                    schemas,
                    wordings,
                } = made;
                let wordings = Asking::of(self.workspace).wordings_of(&wordings)?;
                let prompts = TermPrompts::new(
                    self.workspace,
                    TermPrompter {
                        identity,
                        model,
                        max_tokens,
                        wordings,
                    },
                    &schemas,
                )?;
                let counts = self.workspace.store.read(|r| r.asking_counts(asking))?;
                Some(self.terms_from_answers(&prompts, counts, watcher)?)
            }
        };
        Ok(TermsBatchIn { batch, terms })
    }

    /// Makes the prompts about terms for a model.
    pub(crate) fn term_prompter(&self, target: &Target) -> Result<TermPrompter> {
        Ok(TermPrompter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            max_tokens: target.endpoint.settings.max_tokens,
            wordings: Asking::of(self.workspace).wordings()?,
        })
    }

    fn made_of(&self, asking: AskingId) -> Result<Made> {
        let record = self.workspace.store.read(|r| r.asking(asking))?.consent;
        let value: serde_json::Value = serde_json::from_str(&record).unwrap_or_default();
        let made: Option<Made> = value
            .get("terms")
            .and_then(|v| serde_json::from_value(v.clone()).ok());
        made.ok_or_else(|| unreadable_record(asking))
    }
}

/// The first of some prompts.
fn first(open: &[Planned], limit: Option<u64>) -> Vec<&Planned> {
    open.iter()
        .take(limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)))
        .collect()
}
