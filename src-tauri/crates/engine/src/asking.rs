//! Writing questions with a language model behind an endpoint.
//!
//! Three steps: what is to be asked ([`Engine::plan_questions`]; a person agrees to it), asking whatever has no answer
//! yet, and making questions of the answers that are there. Each request is committed before it leaves and each answer
//! before it is used, so that the second step can end at any moment, by a person or by a crash, and go on later. An answer
//! that cannot be used is asked for anew with the reason: the same sentences to the same host, so that the consent to the
//! first prompt holds for these too.

use crate::augment::{Anchors, Place};
use crate::drafting::{Drafted, drafts};
use crate::endpoints::{LocalModel, Target};
use crate::judging::{Judge, JudgeRequest};
use crate::ledger::{self, StoreLedger};
use crate::progress::Pace;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_augment::endpoint::{AskEvent, Prompt, PromptKey, ask_all};
use lexforge_augment::{AnswerText, LlmWriter, Planned, PromptWriter, Standing};
use lexforge_domain::api::{AugmentReport, DEFAULT_REASKS};
use lexforge_domain::endpoint::{AskCounts, AskPlan, AskingState, Consent};
use lexforge_domain::{AskingId, Code, Failure, Remedy, SentenceId};
use lexforge_store::NewAsking;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// Which endpoint is to write questions, and how many.
#[derive(Clone, Debug, Default)]
pub struct AskRequest {
    /// The endpoint's name, or `local`.
    pub endpoint: String,
    /// For `local`: the model.
    pub local: LocalModel,
    /// Most prompts that are sent to the writer, those for answers to be asked anew among them; none = all that have no
    /// answer.
    pub limit: Option<u64>,
    /// Most requests at a time; none = as the endpoint says.
    pub concurrency: Option<u32>,
    /// Most tokens of an answer; none = as the endpoint says.
    pub max_tokens: Option<u32>,
    /// How often an answer that cannot be used is asked for anew with the reason; none = twice.
    pub reasks: Option<u32>,
    /// Who is to judge the questions that pass the checks; none = nobody.
    pub judge: Option<JudgeRequest>,
    /// What a person agreed to.
    pub consent: Option<Consent>,
}

/// Most times that an answer is asked for anew, whatever a request says.
const MOST_REASKS: u32 = 10;

/// The questions that are wanted of a corpus, by one model.
pub(crate) struct Prompts {
    /// How many are wanted.
    pub wanted: u64,
    /// Of these, those that nothing is to be asked about any more: written, or given up.
    pub settled: u64,
    /// What is to be asked next, with the place of its anchor.
    pub open: Vec<(Planned, Place)>,
}

impl Prompts {
    /// What has become of the questions about all anchors; at most `limit` prompts are open.
    pub(crate) fn collect(
        engine: &Engine,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        limit: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let mut prompts = Self { wanted: 0, settled: 0, open: Vec::new() };
        let mut seen = HashSet::new();
        for (n, (place, anchor)) in anchors.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(crate::watcher::cancelled("Nothing was sent."));
            }
            let Some((anchor, _)) = anchor else { continue };
            for chain in writer.chains(&anchor, &|key| engine.answer(key)) {
                // Texts that are repeated word for word are asked about once.
                if !chain.keys.first().is_some_and(|key| seen.insert(*key)) {
                    continue;
                }
                prompts.wanted += 1;
                match chain.standing {
                    Standing::Open(planned) => prompts.open.push((*planned, place)),
                    Standing::Passed(_) | Standing::GivenUp => prompts.settled += 1,
                }
            }
        }
        prompts.keep_first(limit);
        Ok(prompts)
    }

    /// What is to be asked anew about anchors that were just asked about; what was asked and has no answer is for another
    /// time.
    fn anew(
        engine: &Engine,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        places: &[Place],
        asked: &HashSet<PromptKey>,
        limit: Option<u64>,
    ) -> Self {
        let mut prompts = Self { wanted: 0, settled: 0, open: Vec::new() };
        let mut seen = HashSet::new();
        for place in places {
            let Some((anchor, _)) = anchors.at(*place) else { continue };
            for chain in writer.chains(&anchor, &|key| engine.answer(key)) {
                let answered = chain.keys.iter().rev().nth(1).is_some_and(|before| asked.contains(before));
                if let Standing::Open(planned) = chain.standing
                    && answered
                    && seen.insert(planned.key)
                {
                    prompts.open.push((*planned, *place));
                }
            }
        }
        prompts.keep_first(limit);
        prompts
    }

    fn keep_first(&mut self, limit: Option<u64>) {
        self.open.truncate(limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)));
    }

    /// The open prompts.
    pub(crate) fn open(&self) -> Vec<&Planned> {
        self.open.iter().map(|(planned, _)| planned).collect()
    }

    /// What sending the open prompts would mean.
    pub(crate) fn plan(&self, engine: &Engine, target: &Target) -> Result<AskPlan> {
        plan_of(engine, target, &self.open(), self.wanted - self.open.len() as u64)
    }
}

/// What sending these prompts would mean; `answered` others have an answer already.
pub(crate) fn plan_of(engine: &Engine, target: &Target, open: &[&Planned], answered: u64) -> Result<AskPlan> {
    let sentences: HashSet<SentenceId> = open.iter().flat_map(|p| p.sentences.iter().copied()).collect();
    let documents: HashSet<_> = engine
        .store
        .read(|r| Ok(r.sentences(None)?.iter().filter(|s| sentences.contains(&s.id)).map(|s| s.document).collect()))?;
    let mut scope = Sha256::new();
    let proxy = target.proxy.as_ref().map_or("", |proxy| proxy.as_str());
    for text in [&target.host, proxy, &target.endpoint.model] {
        scope.update((text.len() as u64).to_le_bytes());
        scope.update(text);
    }
    open.iter().for_each(|p| scope.update(p.key));
    Ok(AskPlan {
        endpoint: target.endpoint.name.clone(),
        host: target.host.clone(),
        via: target.via(),
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
        let writer = self.prompt_writer(&target, request)?;
        self.with_anchors(|anchors| {
            Prompts::collect(self, &writer, anchors, request.limit, watcher)?.plan(self, &target)
        })
    }

    /// Write questions with the model behind an endpoint, and have them judged where the request names a judge. They take
    /// the place of the questions that were there, unless none passes.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`] where prompts would leave this machine and the request carries no consent to just
    /// these; nothing was sent then. The endpoint's failure, or [`Code::Cancelled`]: every answer that had arrived is
    /// kept, and the same request goes on from there.
    pub fn augment_with(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AugmentReport> {
        let target = self.asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        let judge = request.judge.as_ref().map(|judge| self.judge(judge, request.reasks)).transpose()?;
        self.with_anchors(|anchors| {
            let mut prompts = Prompts::collect(self, &writer, anchors, request.limit, watcher)?;
            let plan = prompts.plan(self, &target)?;
            let consent = agreed(&plan, request.consent.as_ref())?;
            // Whoever did not agree to the judge learns it before anything is paid for.
            let judge = judge.map(|judge| judge.agreed(self, &writer, anchors, watcher)).transpose()?;
            let began = Instant::now();
            let (mut counts, known) = (AskCounts::default(), prompts.settled);
            let mut left = request.limit;
            let mut asked: HashSet<PromptKey> = HashSet::new();
            while !prompts.open.is_empty() {
                let plan = plan_of(self, &target, &prompts.open(), 0)?;
                let asking = self.ask_open(&target, &prompts, &plan, &consent, anchors, &writer, watcher)?;
                add(&mut counts, self.store.read(|r| r.asking_counts(asking))?);
                asked.extend(prompts.open.iter().map(|(planned, _)| planned.key));
                left = left.map(|left| left.saturating_sub(prompts.open.len() as u64));
                let mut places: Vec<Place> = prompts.open.iter().map(|(_, place)| *place).collect();
                places.dedup();
                prompts = Prompts::anew(self, &writer, anchors, &places, &asked, left);
            }
            counts.seconds = began.elapsed().as_secs_f64();
            self.write_from_answers(&writer, anchors, counts, Some(known), judge.as_ref(), watcher)
        })
    }

    pub(crate) fn asked_target(&self, request: &AskRequest) -> Result<Target> {
        let mut target = self.target(&request.endpoint, &request.local)?;
        let settings = &mut target.endpoint.settings;
        settings.concurrency = request.concurrency.unwrap_or(settings.concurrency).clamp(1, 256);
        settings.max_tokens = request.max_tokens.unwrap_or(settings.max_tokens).max(1);
        Ok(target)
    }

    /// What asks about anchors for a model.
    pub(crate) fn prompt_writer(&self, target: &Target, request: &AskRequest) -> Result<PromptWriter> {
        Ok(PromptWriter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            seed: DEFAULT_SEED,
            max_tokens: target.endpoint.settings.max_tokens,
            reasks: reasks(request.reasks),
            wordings: self.wordings()?,
        })
    }

    /// The answer to a prompt, where the workspace has one.
    pub(crate) fn answer(&self, key: &PromptKey) -> Option<AnswerText> {
        let answer = self.store.read(|r| r.answer(key)).ok().flatten()?;
        Some(AnswerText { text: answer.text, finish: answer.finish })
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
        let made = ("prompts", serde_json::json!(ledger::of_writer(writer)));
        let agreed = Agreed { purpose: "questions", plan, consent, made };
        let open = prompts.open.iter().map(|(p, _)| (p.key, p.prompt.clone())).collect();
        let judged = |index: usize, answer: &AnswerText| {
            let place = prompts.open.get(index);
            place
                .map(|(planned, place)| self.outcome(writer, anchors, *place, &planned.key, answer))
                .unwrap_or_default()
        };
        self.ask_agreed(target, &agreed, open, &judged, watcher)
    }

    /// What becomes of one answer: the question that passes, or why there is none.
    fn outcome(
        &self,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        place: Place,
        key: &PromptKey,
        answer: &AnswerText,
    ) -> Judged {
        let Some((anchor, _)) = anchors.at(place) else { return Judged::default() };
        let known = |wanted: &PromptKey| if wanted == key { Some(answer.clone()) } else { self.answer(wanted) };
        let Some(chain) = writer.chains(&anchor, &known).into_iter().find(|chain| chain.keys.contains(key)) else {
            return Judged::default();
        };
        match (chain.standing, chain.turned_down.last()) {
            (Standing::Passed(_), _) => (1, BTreeMap::new()),
            (_, Some(last)) => (0, BTreeMap::from([(last.reason.clone(), 1)])),
            (_, None) => Judged::default(),
        }
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

    /// Makes questions of the answers that are there; `counts` = what asking for them came to, `from_cache` = how many of
    /// them needed none, where the caller knows.
    pub(crate) fn write_from_answers(
        &self,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        mut counts: AskCounts,
        from_cache: Option<u64>,
        judge: Option<&Judge>,
        watcher: &dyn Watcher,
    ) -> Result<AugmentReport> {
        let answers = |key: &PromptKey| self.answer(key);
        let mut llm = LlmWriter::new(writer.clone(), &answers);
        let mut drafted: Drafted = drafts(anchors, &mut llm, watcher)?;
        (counts.prompts, counts.unanswered) = llm.wanted();
        let known = (counts.prompts - counts.unanswered).saturating_sub(counts.answered);
        counts.from_cache = from_cache.unwrap_or(known);
        counts.unparseable.clone_from(llm.unparseable());
        (drafted.report.reasked, drafted.report.recovered) = llm.reasked();
        drafted.report.asked = Some(counts);
        if let Some(judge) = judge {
            self.have_judged(judge, &mut drafted, anchors, watcher)?;
        }
        // A model of which nothing could be used takes nobody's questions away.
        self.keep_drafted(drafted, true)
    }
}

/// How often an answer is asked for anew.
pub(crate) fn reasks(asked: Option<u32>) -> u32 {
    asked.unwrap_or(DEFAULT_REASKS).min(MOST_REASKS)
}

/// Adds what was counted about one asking.
pub(crate) fn add(sum: &mut AskCounts, one: AskCounts) {
    sum.asking = one.asking;
    sum.calls += one.calls;
    sum.answered += one.answered;
    sum.retried += one.retried;
    sum.uncertain += one.uncertain;
    sum.possibly_billed_twice += one.possibly_billed_twice;
    sum.prompt_tokens += one.prompt_tokens;
    sum.completion_tokens += one.completion_tokens;
    sum.uncounted += one.uncounted;
    sum.cost = match (sum.cost, one.cost) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
    };
    for (reason, n) in one.failed {
        *sum.failed.entry(reason).or_default() += n;
    }
}

/// The consent under which the plan is carried out.
pub(crate) fn agreed(plan: &AskPlan, consent: Option<&Consent>) -> Result<Consent> {
    let given = |how: &str| Ok(Consent { scope: plan.scope.clone(), given: how.to_owned() });
    match consent {
        Some(consent) if consent.scope == plan.scope => Ok(consent.clone()),
        _ if plan.local => given("nobody: it stays on this machine"),
        _ if plan.prompts == 0 => given("nobody: nothing is sent"),
        Some(_) => Err(Failure::new(
            Code::ConsentMissing,
            format!("What would be sent is not what was agreed to any more. {}", plan.line()),
            "Look at it again and agree to it. Nothing was sent.",
        )),
        None => Err(Failure::new(
            Code::ConsentMissing,
            format!("Nothing was sent, since nobody agreed to it. {}", plan.line()),
            Remedy::AgreeToSending,
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_augment::endpoint::ProxyServer;

    #[test]
    fn consent_is_to_the_proxy_in_between_as_well() {
        let home = tempfile::tempdir().unwrap();
        let engine = Engine::create(&home.path().join("a.lexforge")).unwrap();
        let through = |proxy: Option<&str>| {
            let proxy = proxy.map(|p| ProxyServer::parse(p).unwrap());
            let mut target = Target::nobody();
            (target.local, target.proxy) = (proxy.is_none(), proxy);
            // As if there were something to send.
            AskPlan { prompts: 1, ..plan_of(&engine, &target, &[], 0).unwrap() }
        };
        let given = |plan: &AskPlan| Consent { scope: plan.scope.clone(), given: "--yes".into() };
        let (one, other) = (through(Some("http://one:3128")), through(Some("http://other:3128")));
        assert!(agreed(&one, Some(&given(&one))).is_ok());
        for (plan, consent) in [(&other, Some(given(&one))), (&one, Some(given(&through(None)))), (&one, None)] {
            let failure = agreed(plan, consent.as_ref()).unwrap_err();
            assert_eq!(failure.code, Code::ConsentMissing);
            assert!(failure.message.contains("through the proxy"), "{}", failure.message);
        }
        assert!(agreed(&through(None), None).unwrap().given.contains("stays on this machine"));
        // Nothing to send is no reason to say where it stays.
        assert!(!agreed(&AskPlan { prompts: 0, ..one }, None).unwrap().given.contains("machine"));
    }
}
