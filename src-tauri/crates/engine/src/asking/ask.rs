//! Asking a language model behind an endpoint.
//!
//! Every purpose takes the same three steps. First the prompts are listed ([`plan_of`]), and a person agrees to them.
//! Then all prompts that have no answer yet are sent. Then the answers are used. Each request is stored before it is
//! sent, and each answer is stored before it is used. So the second step may be stopped at any moment, by a person or
//! by a crash, and can be continued later. If an answer cannot be used, the model is asked again and told the reason.
//! This sends the same sentences to the same host, so no new consent is needed.

use super::Asking;
use super::ledger::{self, StoreLedger};
use super::pace::Pace;
use super::request::AskRequest;
use super::target::Target;
use crate::workspace::{OpenWorkspace, Result, Watcher};
use lexforge_augment::endpoint::{AskEvent, Prompt, PromptKey, ask_all, ask_streamed};
use lexforge_augment::{AnswerText, Planned};
use lexforge_domain::api::DEFAULT_REASKS;
use lexforge_domain::endpoint::{AskCounts, AskPlan, AskingState, Consent};
use lexforge_domain::{AskingId, Code, Failure, Remedy, SentenceId};
use lexforge_store::NewAsking;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

/// An answer is asked for again at most this often, whatever a request says.
const MOST_REASKS: u32 = 10;

/// The plan of sending these prompts. `answered` is the number of others that have an answer already.
pub(crate) fn plan_of(
    workspace: &OpenWorkspace,
    target: &Target,
    open: &[&Planned],
    answered: u64,
) -> Result<AskPlan> {
    let sentences: HashSet<SentenceId> = open
        .iter()
        .flat_map(|p| p.sentences.iter().copied())
        .collect();
    let ids: Vec<SentenceId> = sentences.iter().copied().collect();
    let documents: HashSet<_> = workspace.store.read(|r| {
        let found = r.sentences_by_ids(&ids)?;
        Ok(found.iter().map(|s| s.document).collect())
    })?;
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

/// Prompts that are sent together, and the consent to them.
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

/// What is heard of an answer while a model writes it.
pub(crate) enum Heard<'a> {
    /// More of its text.
    Text(&'a str),
    /// The text so far is part of no answer: the request failed, for example.
    Nothing,
}

/// The result of an answer: the number of drafts that pass, and those that fail by reason.
pub(crate) type Judged = (u64, BTreeMap<String, u64>);

impl Asking<'_> {
    pub(crate) fn asked_target(&self, request: &AskRequest) -> Result<Target> {
        let mut target = self.target(&request.endpoint, &request.local)?;
        let settings = &mut target.endpoint.settings;
        settings.concurrency = request
            .concurrency
            .unwrap_or(settings.concurrency)
            .clamp(1, 256);
        settings.max_tokens = request.max_tokens.unwrap_or(settings.max_tokens).max(1);
        Ok(target)
    }

    /// The answer to a prompt; `None` if the workspace has none.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub(crate) fn answer(&self, key: &PromptKey) -> Result<Option<AnswerText>> {
        let stored = self.workspace.store.read(|r| r.answer(key))?;
        Ok(stored.map(|answer| AnswerText {
            text: answer.text,
            finish: answer.finish,
        }))
    }

    /// Sends the prompts that were agreed to. Every answer is in the workspace when this returns, even if it returns an
    /// error. `judged` tells whether the answer to the prompt with this index can be used; this is shown as progress.
    pub(crate) fn ask_agreed(
        &self,
        target: &Target,
        agreed: &Agreed<'_>,
        open: Vec<(PromptKey, Prompt)>,
        judged: &dyn Fn(usize, &AnswerText) -> Judged,
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        self.put(target, agreed, open, judged, None, watcher)
    }

    /// As [`Asking::ask_agreed`], for a single prompt. `heard` is told of the answer's text as it arrives.
    pub(crate) fn ask_heard(
        &self,
        target: &Target,
        agreed: &Agreed<'_>,
        open: Vec<(PromptKey, Prompt)>,
        judged: &dyn Fn(usize, &AnswerText) -> Judged,
        heard: &dyn Fn(Heard<'_>),
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        self.put(target, agreed, open, judged, Some(heard), watcher)
    }

    fn put(
        &self,
        target: &Target,
        agreed: &Agreed<'_>,
        open: Vec<(PromptKey, Prompt)>,
        judged: &dyn Fn(usize, &AnswerText) -> Judged,
        heard: Option<&dyn Fn(Heard<'_>)>,
        watcher: &dyn Watcher,
    ) -> Result<AskingId> {
        let _alone = ledger::lock(&self.workspace.store.artifacts_dir()?)?;
        let (name, made) = &agreed.made;
        let record =
            serde_json::json!({ "plan": agreed.plan, "consent": agreed.consent, *name: made });
        let asking = self.workspace.store.write(&self.workspace.actor, |w| {
            w.end_interrupted_askings()?;
            w.because(format!(
                "{} · agreed by {}",
                agreed.plan.line(),
                agreed.consent.given
            ));
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
        tracing::info!(count = open.len(), "prompts are put");
        let mut pace = Pace::new(&target.host, open.len() as u64);
        watcher.asking(pace.progress());
        let outcome = self.connect(target, &cancelled).and_then(|connection| {
            let mut ledger = StoreLedger::new(self.workspace, asking, &target.endpoint.settings);
            let mut on_event = |event: AskEvent<'_>| {
                match event {
                    AskEvent::Answered(index, answer) => {
                        let answer = AnswerText {
                            text: answer.text.clone(),
                            finish: answer.finish.clone(),
                        };
                        pace.answered(judged(index, &answer));
                    }
                    AskEvent::Failed { last, failure, .. } => {
                        pace.failed(failure.fault.is_uncertain(), last);
                        if let Some(heard) = heard {
                            heard(Heard::Nothing);
                        }
                    }
                    AskEvent::Text(_, text) => {
                        if let Some(heard) = heard {
                            heard(Heard::Text(text));
                        }
                        return;
                    }
                }
                if let Some(progress) = pace.due() {
                    watcher.asking(progress);
                }
            };
            let ask = if heard.is_some() {
                ask_streamed
            } else {
                ask_all
            };
            let client = &connection.client;
            ask(client, open, &mut ledger, &mut on_event, &cancelled)
        });
        watcher.asking(pace.progress());
        let state = match &outcome {
            Ok(()) => AskingState::Finished,
            Err(failure) if failure.code == Code::Cancelled => AskingState::Cancelled,
            Err(_) => AskingState::Failed,
        };
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.end_asking(asking, state))?;
        outcome.map(|()| asking)
    }
}

/// How often an answer is asked for again.
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
    let given = |how: &str| {
        Ok(Consent {
            scope: plan.scope.clone(),
            given: how.to_owned(),
        })
    };
    match consent {
        Some(consent) if consent.scope == plan.scope => Ok(consent.clone()),
        _ if plan.local => given("nobody: it stays on this machine"),
        _ if plan.prompts == 0 => given("nobody: nothing is sent"),
        Some(_) => Err(Failure::new(
            Code::ConsentMissing,
            format!(
                "What would be sent is not what was agreed to any more. {}",
                plan.line()
            ),
            "Look at it again and agree to it. Nothing was sent.",
        )),
        None => Err(Failure::new(
            Code::ConsentMissing,
            format!(
                "Nothing was sent, since nobody agreed to it. {}",
                plan.line()
            ),
            Remedy::AgreeToSending,
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
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
            AskPlan {
                prompts: 1,
                ..plan_of(engine.workspace(), &target, &[], 0).unwrap()
            }
        };
        let given = |plan: &AskPlan| Consent {
            scope: plan.scope.clone(),
            given: "--yes".into(),
        };
        let (one, other) = (
            through(Some("http://one:3128")),
            through(Some("http://other:3128")),
        );
        assert!(agreed(&one, Some(&given(&one))).is_ok());
        for (plan, consent) in [
            (&other, Some(given(&one))),
            (&one, Some(given(&through(None)))),
            (&one, None),
        ] {
            let failure = agreed(plan, consent.as_ref()).unwrap_err();
            assert_eq!(failure.code, Code::ConsentMissing);
            assert!(
                failure.message.contains("through the proxy"),
                "{}",
                failure.message
            );
        }
        assert!(
            agreed(&through(None), None)
                .unwrap()
                .given
                .contains("stays on this machine")
        );
        // Nothing to send is no reason to say where it stays.
        assert!(
            !agreed(&AskPlan { prompts: 0, ..one }, None)
                .unwrap()
                .given
                .contains("machine")
        );
    }
}
