//! Writing questions with a language model behind an endpoint.
//!
//! Three steps: what is to be asked ([`Engine::plan_questions`]; a person agrees to it), asking whatever has no answer
//! yet, and making questions of the answers that are there. Each request is committed before it leaves and each answer
//! before it is used, so that the second step can end at any moment, by a person or by a crash, and go on later.

use crate::augment::{Anchors, count_questions, drafts};
use crate::endpoints::{LocalModel, Target};
use crate::ledger::{self, StoreLedger};
use crate::progress::Pace;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_augment::endpoint::{AskEvent, Prompt, PromptKey, ask_all};
use lexforge_augment::{AnswerText, LlmWriter, Planned, PromptWriter, QuestionWriter, validate};
use lexforge_domain::api::AugmentReport;
use lexforge_domain::endpoint::{AskCounts, AskPlan, AskingState, Consent};
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::{AskingId, Code, Failure, SentenceId};
use lexforge_store::NewAsking;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// Which endpoint is to write questions, and how many.
#[derive(Clone, Debug, Default)]
pub struct AskRequest {
    /// The endpoint's name, or `local`.
    pub endpoint: String,
    /// For `local`: the model.
    pub local: LocalModel,
    /// Most prompts that are sent; none = all that have no answer.
    pub limit: Option<u64>,
    /// Most requests at a time; none = as the endpoint says.
    pub concurrency: Option<u32>,
    /// Most tokens of an answer; none = as the endpoint says.
    pub max_tokens: Option<u32>,
    /// What a person agreed to.
    pub consent: Option<Consent>,
}

/// The prompts of a corpus for one model.
pub(crate) struct Prompts {
    /// All of them, in the order of the sentences, with the place of their anchor.
    pub all: Vec<(Planned, (usize, usize))>,
    /// Those that the workspace has no answer of.
    pub open: Vec<usize>,
}

impl Prompts {
    /// The prompts about all anchors; at most `limit` of those without an answer are open.
    pub(crate) fn collect(
        engine: &Engine,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        limit: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        for (n, (place, anchor)) in anchors.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(crate::watcher::cancelled("Nothing was sent."));
            }
            let Some((anchor, _)) = anchor else { continue };
            let planned = writer.prompts(&anchor).into_iter().filter(|p| seen.insert(p.key));
            all.extend(planned.map(|p| (p, place)));
        }
        let most = limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let open = engine.store.read(|r| {
            let mut open = Vec::new();
            for (index, (planned, _)) in all.iter().enumerate() {
                if r.answer(&planned.key)?.is_none() {
                    open.push(index);
                }
            }
            Ok(open)
        })?;
        Ok(Self { all, open: open.into_iter().take(most).collect() })
    }

    /// The open prompts.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Planned> {
        self.open.iter().filter_map(|index| self.all.get(*index)).map(|(planned, _)| planned)
    }

    /// What sending the open prompts would mean.
    pub(crate) fn plan(&self, engine: &Engine, target: &Target) -> Result<AskPlan> {
        let open: Vec<&Planned> = self.open().collect();
        plan_of(engine, target, &open, (self.all.len() - self.open.len()) as u64)
    }
}

/// What sending these prompts would mean; `answered` others have an answer already.
pub(crate) fn plan_of(engine: &Engine, target: &Target, open: &[&Planned], answered: u64) -> Result<AskPlan> {
    let sentences: HashSet<SentenceId> = open.iter().flat_map(|p| p.sentences.iter().copied()).collect();
    let documents: HashSet<_> = engine
        .store
        .read(|r| Ok(r.sentences(None)?.iter().filter(|s| sentences.contains(&s.id)).map(|s| s.document).collect()))?;
    let mut scope = Sha256::new();
    for text in [&target.host, &target.endpoint.model] {
        scope.update((text.len() as u64).to_le_bytes());
        scope.update(text);
    }
    open.iter().for_each(|p| scope.update(p.key));
    Ok(AskPlan {
        endpoint: target.endpoint.name.clone(),
        host: target.host.clone(),
        model: target.endpoint.model.clone(),
        local: target.local,
        prompts: open.len() as u64,
        answered,
        sentences: sentences.len() as u64,
        documents: documents.len() as u64,
        characters: open.iter().map(|p| p.prompt.characters()).sum(),
        unencrypted: target.unencrypted,
        at_most: false,
        scope: hex::encode(scope.finalize()),
    })
}

/// What is asked in one go, and on whose word.
pub(crate) struct Agreed<'a> {
    /// What for.
    pub purpose: &'a str,
    /// What was shown.
    pub plan: &'a AskPlan,
    /// Who agreed.
    pub consent: &'a Consent,
    /// How the prompts were made, under its name, as it is recorded.
    pub made: (&'a str, serde_json::Value),
}

/// What became of an answer: what passes, and what does not by its reason.
pub(crate) type Judged = (u64, BTreeMap<String, u64>);

impl Engine {
    /// What writing questions with an endpoint would send to whom. Nothing is sent.
    ///
    /// # Errors
    /// When there is no such endpoint or model, or the graph was not built yet.
    pub fn plan_questions(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AskPlan> {
        let target = self.asked_target(request)?;
        let writer = prompt_writer(&target);
        self.with_anchors(|anchors| {
            Prompts::collect(self, &writer, anchors, request.limit, watcher)?.plan(self, &target)
        })
    }

    /// Write questions with the model behind an endpoint. They take the place of the questions that were there, unless
    /// none passes the checks.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`] where prompts would leave this machine and the request carries no consent to just
    /// these; nothing was sent then. The endpoint's failure, or [`Code::Cancelled`]: every answer that had arrived is
    /// kept, and the same request goes on from there.
    pub fn augment_with(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AugmentReport> {
        let target = self.asked_target(request)?;
        let writer = prompt_writer(&target);
        self.with_anchors(|anchors| {
            let prompts = Prompts::collect(self, &writer, anchors, request.limit, watcher)?;
            let plan = prompts.plan(self, &target)?;
            let consent = agreed(&plan, request.consent.as_ref())?;
            let began = Instant::now();
            let asking = match plan.prompts {
                0 => None,
                _ => Some(self.ask_open(&target, &prompts, &plan, &consent, anchors, &writer, watcher)?),
            };
            self.write_from_answers(&writer, anchors, &prompts, asking, began.elapsed().as_secs_f64(), watcher)
        })
    }

    pub(crate) fn asked_target(&self, request: &AskRequest) -> Result<Target> {
        let mut target = self.target(&request.endpoint, &request.local)?;
        let settings = &mut target.endpoint.settings;
        settings.concurrency = request.concurrency.unwrap_or(settings.concurrency).clamp(1, 256);
        settings.max_tokens = request.max_tokens.unwrap_or(settings.max_tokens).max(1);
        Ok(target)
    }

    /// Asks the open prompts about anchors.
    #[allow(clippy::too_many_arguments)] // Each is something else, and none of it outlives the call.
    fn ask_open(
        &self,
        target: &Target,
        prompts: &Prompts,
        plan: &AskPlan,
        consent: &Consent,
        anchors: &Anchors<'_>,
        writer: &PromptWriter,
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        let made = ("prompts", serde_json::json!(ledger::of_writer(writer)));
        let agreed = Agreed { purpose: "questions", plan, consent, made };
        let open = prompts.open().map(|p| (p.key, p.prompt.clone())).collect();
        let judged = |index: usize, answer: &AnswerText| {
            let place = prompts.open.get(index).and_then(|i| prompts.all.get(*i));
            place.map(|(planned, place)| judge(writer, anchors, *place, &planned.key, answer)).unwrap_or_default()
        };
        self.ask_agreed(target, &agreed, open, &judged, watcher)
    }

    /// Asks what was agreed to; every answer is in the workspace when this returns, however it returns. `judged` tells
    /// what became of the answer to the prompt of an index, to be shown as it goes.
    pub(crate) fn ask_agreed(
        &self,
        target: &Target,
        agreed: &Agreed<'_>,
        open: Vec<(PromptKey, Prompt)>,
        judged: &dyn Fn(usize, &AnswerText) -> Judged,
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        let _alone = ledger::lock(&self.store.artifacts_dir()?)?;
        let (name, made) = &agreed.made;
        let record = serde_json::json!({ "plan": agreed.plan, "consent": agreed.consent, *name: made });
        let asking = self.store.write(&self.actor, |w| {
            w.end_interrupted_askings()?;
            w.because(format!("{} · agreed by {}", agreed.plan.line(), agreed.consent.given));
            w.begin_asking(&NewAsking {
                purpose: agreed.purpose.to_owned(),
                endpoint: target.endpoint.name.clone(),
                host: target.host.clone(),
                model: target.endpoint.model.clone(),
                consent: record.to_string(),
            })
        })?;
        // A wish to end holds from the moment at which it was seen.
        let ended = Cell::new(false);
        let cancelled = || {
            ended.set(ended.get() || watcher.cancelled());
            ended.get()
        };
        let mut pace = Pace::new(&target.host, open.len() as u64);
        watcher.asking(pace.progress());
        let outcome = self.connect(target, &cancelled).and_then(|connection| {
            let mut ledger = StoreLedger::new(self, asking, &target.endpoint.settings);
            let mut on_event = |event: AskEvent<'_>| {
                match event {
                    AskEvent::Answered(index, answer) => {
                        let answer = AnswerText { text: answer.text.clone(), finish: answer.finish.clone() };
                        pace.answered(judged(index, &answer));
                    }
                    AskEvent::Failed { last, failure, .. } => pace.failed(failure.fault.is_uncertain(), last),
                }
                if let Some(progress) = pace.due() {
                    watcher.asking(progress);
                }
            };
            ask_all(&connection.client, open, &mut ledger, &mut on_event, &cancelled)
        });
        watcher.asking(pace.progress());
        let state = match &outcome {
            Ok(()) => AskingState::Finished,
            Err(failure) if failure.code == Code::Cancelled => AskingState::Cancelled,
            Err(_) => AskingState::Failed,
        };
        self.store.write(&self.actor, |w| w.end_asking(asking, state))?;
        outcome.map(|()| asking)
    }

    /// Makes questions of the answers that are there.
    pub(crate) fn write_from_answers(
        &self,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        prompts: &Prompts,
        asking: Option<AskingId>,
        seconds: f64,
        watcher: &dyn Watcher,
    ) -> Result<AugmentReport> {
        let answers: HashMap<PromptKey, AnswerText> = self.store.read(|r| {
            let mut found = HashMap::new();
            for (planned, _) in &prompts.all {
                if let Some(a) = r.answer(&planned.key)? {
                    found.insert(planned.key, AnswerText { text: a.text, finish: a.finish });
                }
            }
            Ok(found)
        })?;
        let mut counts = match asking {
            Some(id) => self.store.read(|r| r.asking_counts(id))?,
            None => AskCounts::default(),
        };
        counts.prompts = prompts.all.len() as u64;
        counts.unanswered = (prompts.all.len() - answers.len()) as u64;
        counts.from_cache = (answers.len() as u64).saturating_sub(counts.answered);
        counts.seconds = seconds;
        let answer = |key: &PromptKey| answers.get(key).cloned();
        let mut writer = LlmWriter::new(writer.clone(), &answer);
        let (accepted, mut report) = drafts(anchors, &mut writer, watcher)?;
        counts.unparseable.clone_from(writer.unparseable());
        report.asked = Some(counts);
        count_questions(&accepted, &mut report);
        // A model of which nothing could be used takes nobody's questions away.
        if !accepted.is_empty() {
            self.store.write(&self.actor, |w| w.replace_questions(&accepted, &report))?;
        }
        Ok(report)
    }
}

/// What asks about anchors for a model.
pub(crate) fn prompt_writer(target: &Target) -> PromptWriter {
    PromptWriter {
        identity: target.identity.clone(),
        model: target.endpoint.model.clone(),
        seed: DEFAULT_SEED,
        max_tokens: target.endpoint.settings.max_tokens,
    }
}

/// The consent under which the plan is carried out.
pub(crate) fn agreed(plan: &AskPlan, consent: Option<&Consent>) -> Result<Consent> {
    match consent {
        Some(consent) if consent.scope == plan.scope => Ok(consent.clone()),
        _ if plan.local || plan.prompts == 0 => {
            Ok(Consent { scope: plan.scope.clone(), given: "nobody: it stays on this machine".to_owned() })
        }
        Some(_) => Err(Failure::new(
            Code::ConsentMissing,
            format!("What would be sent is not what was agreed to any more. {}", plan.line()),
            "Look at it again and agree to it. Nothing was sent.",
        )),
        None => Err(Failure::new(
            Code::ConsentMissing,
            format!("Nothing was sent, since nobody agreed to it. {}", plan.line()),
            "Run it on a terminal and answer yes, or agree with --yes.",
        )),
    }
}

/// What becomes of one answer: questions that pass, and what does not by its reason.
fn judge(
    writer: &PromptWriter,
    anchors: &Anchors<'_>,
    place: (usize, usize),
    key: &PromptKey,
    answer: &AnswerText,
) -> Judged {
    let only = |wanted: &PromptKey| (wanted == key).then(|| answer.clone());
    let mut writer = LlmWriter::new(writer.clone(), &only);
    let Some((anchor, _)) = anchors.at(place) else { return Default::default() };
    let drafts = [QcaLevel::Sentence, QcaLevel::Token].into_iter().flat_map(|level| {
        let drafted = match level {
            QcaLevel::Sentence => writer.sentence_questions(&anchor),
            QcaLevel::Token => writer.token_questions(&anchor),
        };
        drafted.unwrap_or_default()
    });
    let (mut accepted, mut rejected) = (0, BTreeMap::new());
    for draft in drafts {
        match validate(&draft, &anchor) {
            Ok(()) => accepted += 1,
            Err(why) => *rejected.entry(why.tag().to_owned()).or_default() += 1,
        }
    }
    for (reason, n) in writer.unparseable() {
        *rejected.entry(reason.clone()).or_default() += n;
    }
    (accepted, rejected)
}
