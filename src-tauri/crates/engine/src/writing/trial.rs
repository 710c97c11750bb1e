//! The test bench of prompts. It shows one prompt about one sentence as it would be sent, and how the answer to it is
//! read. It makes no question or term from the answer. Request and answer are recorded in the ledger as usual.

mod subjects;

use super::Writing;
use super::triplets::shift_types;
use crate::asking::{Agreed, AskRequest, Asking, Judged, Target, agreed, parsed, plan_of};
use crate::terms::Terms;
use crate::workspace::{Result, Silent};
use lexforge_augment::endpoint::object::Unparseable;
use lexforge_augment::extract::TermPrompter;
use lexforge_augment::wording::{Wordings, own_language};
use lexforge_augment::{
    AnswerText, Meant, Planned, PromptWriter, RewriteFault, TripletPrompter, read_judgement,
    read_paraphrase, read_queries, read_translation, read_variants,
};
use lexforge_domain::api::{
    PromptKind, PromptTrial, TrialParsed, TrialPlan, TrialSubject, TripletFilter, TurnedDown,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use std::sync::Arc;
use std::time::Instant;

/// The parsed answer, and the reason why it would be rejected.
type Read = (Option<TrialParsed>, Option<TurnedDown>);
/// Reads an answer.
type Reader<'r> = &'r dyn Fn(&AnswerText) -> Read;

/// A prompt on the bench.
struct Trial<'t> {
    target: &'t Target,
    kind: PromptKind,
    language: Language,
    wordings: Arc<Wordings>,
}

impl Trial<'_> {
    fn wording(&self) -> String {
        self.wordings.get(self.kind, self.language).hash()
    }
}

impl Writing<'_> {
    /// The prompt about a sentence as it would be sent, and the host it would go to. A request without an endpoint only
    /// shows the prompt. This function itself sends nothing.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where the wording cannot be used or this kind of prompt cannot be made for the
    /// sentence; when there is no such endpoint, model or sentence.
    pub fn plan_trial(&self, subject: &TrialSubject, request: &AskRequest) -> Result<TrialPlan> {
        let target = if request.endpoint.is_empty() {
            Target::nobody()
        } else {
            Asking::of(self.workspace).asked_target(request)?
        };
        self.on_the_bench(subject, &target, &mut |trial, planned, _| {
            Ok(TrialPlan {
                plan: self.trial_plan(trial.target, planned)?,
                system: planned.prompt.system.clone(),
                user: planned.prompt.user.clone(),
                wording: trial.wording(),
            })
        })
    }

    /// Tries a prompt on a sentence. Returns the prompt, the model's answer, and how the answer was read. If the
    /// workspace has the answer already, it is used and nothing is sent.
    ///
    /// # Errors
    /// As [`Writing::plan_trial`]; [`Code::ConsentMissing`] where the prompt would leave this machine and the request
    /// carries no consent to exactly this prompt; the endpoint's failure.
    pub fn try_prompt(&self, subject: &TrialSubject, request: &AskRequest) -> Result<PromptTrial> {
        let target = Asking::of(self.workspace).asked_target(request)?;
        self.on_the_bench(subject, &target, &mut |trial, planned, read| {
            self.tried(trial, planned, read, request)
        })
    }

    fn trial_plan(
        &self,
        target: &Target,
        planned: &Planned,
    ) -> Result<lexforge_domain::endpoint::AskPlan> {
        match Asking::of(self.workspace).answer(&planned.key)? {
            Some(_) => plan_of(self.workspace, target, &[], 1),
            None => plan_of(self.workspace, target, &[planned], 0),
        }
    }

    fn tried(
        &self,
        trial: &Trial<'_>,
        planned: &Planned,
        read: Reader<'_>,
        request: &AskRequest,
    ) -> Result<PromptTrial> {
        let known = Asking::of(self.workspace).answer(&planned.key)?.is_some();
        let mut milliseconds = None;
        if !known {
            let plan = self.trial_plan(trial.target, planned)?;
            let consent = agreed(&plan, request.consent.as_ref())?;
            let made = (
                "trial",
                serde_json::json!({ "prompt": trial.kind, "wording": trial.wording() }),
            );
            let agreed = Agreed {
                purpose: "prompt trial",
                plan: &plan,
                consent: &consent,
                made,
            };
            let began = Instant::now();
            let prompts = vec![(planned.key, planned.prompt.clone())];
            let asking = Asking::of(self.workspace).ask_agreed(
                trial.target,
                &agreed,
                prompts,
                &|_, _| Judged::default(),
                &Silent,
            )?;
            milliseconds = Some(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX));
            let failed = self
                .workspace
                .store
                .read(|r| r.asking_counts(asking))?
                .failed;
            if Asking::of(self.workspace).answer(&planned.key)?.is_none() {
                return Err(trial.target.answered_nothing(&failed));
            }
        }
        let stored = self.workspace.store.read(|r| r.answer(&planned.key))?;
        let (text, finish) = stored
            .as_ref()
            .map_or_else(Default::default, |a| (a.text.clone(), a.finish.clone()));
        let answer = AnswerText { text, finish };
        let (parsed, turned_down) = read(&answer);
        Ok(PromptTrial {
            kind: trial.kind,
            language: trial.language,
            wording: trial.wording(),
            host: trial.target.host.clone(),
            model: trial.target.endpoint.model.clone(),
            system: planned.prompt.system.clone(),
            user: planned.prompt.user.clone(),
            answer: answer.text,
            finish: answer.finish,
            parsed,
            turned_down,
            known,
            prompt_tokens: stored.as_ref().and_then(|a| a.prompt_tokens),
            completion_tokens: stored.as_ref().and_then(|a| a.completion_tokens),
            cost: stored.as_ref().and_then(|a| a.cost),
            milliseconds,
        })
    }

    /// Returns the prompt of a subject, and the reader of its answer.
    fn on_the_bench<T>(
        &self,
        subject: &TrialSubject,
        target: &Target,
        f: &mut dyn FnMut(&Trial<'_>, &Planned, Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        let sentence = self.sentence_of(subject)?;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let spoken = documents
            .iter()
            .find(|d| d.id == sentence.document)
            .map_or(Language::Other, |d| d.language);
        let language = own_language(spoken);
        let wordings = self.wordings_of(subject, language)?;
        let trial = Trial {
            target,
            kind: subject.kind,
            language,
            wordings: wordings.clone(),
        };
        let writer = PromptWriter {
            wordings: wordings.clone(),
            ..self.prompt_writer(target, &AskRequest::default())?
        };
        match subject.kind {
            PromptKind::EntityExtraction => {
                let prompter = TermPrompter {
                    wordings,
                    ..Terms::of(self.workspace).term_prompter(target)?
                };
                self.try_terms(&sentence, spoken, prompter, &mut |planned, read| {
                    f(&trial, planned, read)
                })
            }
            PromptKind::Paraphrase | PromptKind::Translation => {
                let (id, said) = (sentence.id, sentence.text.as_str());
                let translated = subject.kind == PromptKind::Translation;
                let planned = match translated {
                    true => writer.translation(id, said, spoken),
                    false => writer.paraphrase(id, said, spoken),
                };
                f(&trial, &planned, &|answer| {
                    let (text, fault) = match translated {
                        true => read_translation(answer, said, spoken),
                        false => read_paraphrase(answer, said, spoken),
                    };
                    let text = text.map(|text| TrialParsed::Paraphrase { text });
                    (text, not_taken(fault))
                })
            }
            PromptKind::QueryGeneration => {
                let planned = writer.queries(sentence.id, &sentence.text, spoken);
                f(&trial, &planned, &|answer| {
                    let (queries, fault) = read_queries(answer, &sentence.text, spoken);
                    let queries = queries.map(|queries| TrialParsed::Queries { queries });
                    (queries, not_taken(fault))
                })
            }
            PromptKind::Triplet => {
                let prompter = triplet_prompter(writer)?;
                let planned = prompter.variants(sentence.id, &sentence.text, spoken);
                f(&trial, &planned, &|answer| match read_variants(answer) {
                    Ok(variants) => {
                        let said = variants.iter().map(|(tag, text)| format!("{tag}: {text}"));
                        let statements = said.collect();
                        (Some(TrialParsed::Statements { statements }), None)
                    }
                    Err(why) => unread(why),
                })
            }
            PromptKind::TripletJudge => {
                let prompter = triplet_prompter(writer)?;
                let rows = self.triplets(&TripletFilter::default())?.rows;
                let own = rows
                    .into_iter()
                    .find(|row| row.triplet.sentence == Some(sentence.id));
                let own = own
                    .ok_or_else(|| no_prompt("no triplet was made of it"))?
                    .triplet;
                let about = (sentence.id, own.source.as_str(), own.negative.as_str());
                let planned = prompter.judgement(about, Meant::Variant, spoken);
                f(&trial, &planned, &|answer| match read_judgement(answer) {
                    Ok(judgement) => {
                        let (score, reason) = (judgement.score, judgement.reason);
                        (Some(TrialParsed::Judgement { score, reason }), None)
                    }
                    Err(why) => unread(why),
                })
            }
            PromptKind::SentenceQca
            | PromptKind::TokenQca
            | PromptKind::MeaningQca
            | PromptKind::Judge
            | PromptKind::AnswerMarks
            | PromptKind::AnswerPair
            | PromptKind::Answer => {
                self.try_question(subject.kind, sentence.id, &writer, &mut |planned, read| {
                    f(&trial, planned, read)
                })
            }
        }
    }

    /// The sentence that a prompt is tried on.
    fn sentence_of(&self, subject: &TrialSubject) -> Result<Sentence> {
        let sentences = self.workspace.store.read(|r| r.sentences(None))?;
        let sentence = sentences.into_iter().find(|s| s.id == subject.sentence);
        sentence.ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("There is no sentence {}.", subject.sentence),
                Remedy::ListSentences,
            )
        })
    }

    /// The wordings in use, with the one that is tried.
    fn wordings_of(&self, subject: &TrialSubject, language: Language) -> Result<Arc<Wordings>> {
        let wordings = Asking::of(self.workspace).wordings()?;
        let Some(text) = &subject.text else {
            return Ok(wordings);
        };
        let own = parsed(subject.kind, language, text)?;
        let shipped = lexforge_augment::wording::shipped(subject.kind, language);
        let own = if own.text() == shipped.text() {
            shipped.clone()
        } else {
            own
        };
        Ok(Arc::new(Wordings::clone(&wordings).with(own)))
    }
}

fn triplet_prompter(writer: PromptWriter) -> Result<TripletPrompter> {
    let shifts = shift_types(None)?;
    Ok(TripletPrompter {
        writer,
        shifts,
        translated: false,
    })
}

fn not_taken(fault: Option<RewriteFault>) -> Option<TurnedDown> {
    fault.map(|f| TurnedDown {
        reason: f.tag().to_owned(),
        message: f.to_string(),
    })
}

fn unread(why: Unparseable) -> Read {
    (None, not_taken(Some(why.into())))
}

fn no_prompt(why: &str) -> Failure {
    Failure::invalid(
        format!("This sentence gives no such prompt: {why}."),
        "Choose another sentence, for example the anchor of a question.",
    )
}
