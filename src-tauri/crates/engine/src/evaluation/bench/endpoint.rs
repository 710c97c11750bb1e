//! A model behind an endpoint as a system of the bench. It chooses an answer for each question, and it also writes an
//! answer to each test question without seeing the choices. It is asked like every model, with consent and through the
//! ledger. Its answers are stored by prompt. So nothing is asked twice, and an interrupted bench can continue.

use super::asked::{Questions, language_of};
use super::course::{Course, Open as Ahead, Stand};
use super::lines::{Answers, By};
use super::systems::System;
use crate::asking::{Agreed, AskRequest, Asking, Judged, Target, agreed, plan_of};
use crate::evaluation::Evaluations;
use crate::training::FrozenItem;
use crate::workspace::{Result, Watcher, cancelled};
use lexforge_augment::endpoint::{Prompt, PromptKey};
use lexforge_augment::exam::{ExamAsked, ExamPrompter, read_choices, read_words};
use lexforge_augment::{AnswerText, Planned};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::protocol::{ScoreLine, WrittenAnswer};
use lexforge_domain::{Code, Failure, SentenceId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};

/// An endpoint that can be asked.
struct Examinee {
    target: Target,
    prompter: ExamPrompter,
}

/// The prompts about one question.
struct Asked<'i> {
    item: &'i FrozenItem,
    choosing: Planned,
    /// `None` if answers without choices are not used.
    writing: Option<Planned>,
}

/// A prompt without an answer.
struct Open<'a> {
    planned: &'a Planned,
    /// How many choices it lists; `None` = it lists no choice.
    choices: Option<usize>,
}

impl Evaluations<'_> {
    /// The prompts that would be sent to the endpoints among these systems: one plan for each endpoint. An endpoint
    /// that cannot be asked has no plan; the bench lists it as missing, with the reason.
    pub(super) fn asking_plans(
        &self,
        systems: &[System],
        questions: Questions<'_>,
    ) -> Result<Vec<AskPlan>> {
        let names = systems.iter().filter_map(|system| match system {
            System::Endpoint(name) => Some(name.as_str()),
            _ => None,
        });
        let asking = Asking::of(self.workspace);
        let mut plans = Vec::new();
        for name in names {
            if let Ok(examinee) = self.examinee(name) {
                let asked = examinee.asked(questions);
                plans.push(self.plan_of_open(&examinee, &asked, &open(&asked, &asking)?)?);
            }
        }
        Ok(plans)
    }

    /// An endpoint's answers to the questions: the stored ones, and the others, which are asked now if somebody agreed
    /// to it. Questions that stay without an answer are left out, with the reason.
    pub(super) fn of_endpoint(
        &self,
        endpoint: &str,
        questions: Questions<'_>,
        agreed: &[Consent],
        course: &Course<'_>,
    ) -> Result<(Answers, Option<Failure>)> {
        in_words(questions)?;
        let examinee = self.examinee(endpoint)?;
        let asked = examinee.asked(questions);
        let left = self.left(&examinee, &asked)?;
        let ask = |watcher: &dyn Watcher| self.ask_open(&examinee, &asked, agreed, watcher);
        let mut failure = match course.part(&left.pace, left.n, ask) {
            Err(failure) if failure.code == Code::Cancelled => return Err(failure),
            asked => asked.err(),
        };
        let asking = Asking::of(self.workspace);
        let (mut items, mut lines): (Vec<FrozenItem>, Vec<ScoreLine>) = Default::default();
        for one in &asked {
            if let Some(line) = line(one, &asking)? {
                items.push(one.item.clone());
                lines.push(line);
            }
        }
        let left = asked.len() - items.len();
        if left > 0 && failure.is_none() {
            failure = Some(Failure::new(
                Code::EndpointAnswer,
                format!(
                    "{left} of {} questions have no answer: the endpoint failed on them each time.",
                    asked.len()
                ),
                "Measure again: what has no answer yet is asked, and nothing is asked twice.",
            ));
        }
        let answers = Answers {
            items,
            lines,
            by: By::Words,
            runs: 1,
        };
        Ok((answers, failure))
    }

    /// What an endpoint has to answer, and how many questions it has answered.
    pub(super) fn stand_of_endpoint(
        &self,
        endpoint: &str,
        questions: Questions<'_>,
    ) -> Result<Stand> {
        in_words(questions)?;
        let examinee = self.examinee(endpoint)?;
        let asked = examinee.asked(questions);
        let left = self.left(&examinee, &asked)?;
        let kept = asked.len() - left.n as usize;
        Ok(Stand::of(left, kept))
    }

    /// The questions that lack an answer of an endpoint.
    fn left(&self, examinee: &Examinee, asked: &[Asked<'_>]) -> Result<Ahead> {
        let asking = Asking::of(self.workspace);
        let open: HashSet<PromptKey> = open(asked, &asking)?
            .iter()
            .map(|one| one.planned.key)
            .collect();
        let lacks = |one: &&Asked<'_>| {
            let mut prompts = one.prompts();
            prompts.any(|(planned, _)| open.contains(&planned.key))
        };
        let prompter = &examinee.prompter;
        let pace = format!("endpoint {} {}", prompter.identity, prompter.model);
        // An endpoint's address may be a firm's secret, and the file of paces is not the workspace.
        let pace = hex::encode(Sha256::digest(pace));
        Ok(Ahead::at_once(pace, asked.iter().filter(lacks).count()))
    }

    fn examinee(&self, endpoint: &str) -> Result<Examinee> {
        let request = AskRequest {
            endpoint: endpoint.to_owned(),
            ..AskRequest::default()
        };
        let target = Asking::of(self.workspace).asked_target(&request)?;
        let prompter = ExamPrompter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            max_tokens: target.endpoint.settings.max_tokens,
        };
        Ok(Examinee { target, prompter })
    }

    fn plan_of_open(
        &self,
        examinee: &Examinee,
        asked: &[Asked<'_>],
        open: &[Open<'_>],
    ) -> Result<AskPlan> {
        let all = asked.iter().flat_map(Asked::prompts);
        let all: HashSet<PromptKey> = all.map(|(planned, _)| planned.key).collect();
        let planned: Vec<&Planned> = open.iter().map(|one| one.planned).collect();
        let answered = (all.len() - planned.len()) as u64;
        plan_of(self.workspace, &examinee.target, &planned, answered)
    }

    /// Asks what has no answer yet, if somebody agreed to it.
    fn ask_open(
        &self,
        examinee: &Examinee,
        asked: &[Asked<'_>],
        given: &[Consent],
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let asking = Asking::of(self.workspace);
        let open = open(asked, &asking)?;
        if open.is_empty() {
            return Ok(());
        }
        let plan = self.plan_of_open(examinee, asked, &open)?;
        let consent = agreed(&plan, given.iter().find(|one| one.scope == plan.scope))?;
        if watcher.cancelled() {
            return Err(cancelled("What was asked so far is kept."));
        }
        let made = serde_json::json!({
            "identity": examinee.prompter.identity,
            "model": examinee.prompter.model,
        });
        let agreed = Agreed {
            purpose: "bench",
            plan: &plan,
            consent: &consent,
            made: ("bench", made),
        };
        let judged = |index: usize, answer: &AnswerText| -> Judged {
            let of = open.get(index).and_then(|one| one.choices);
            match of.map(|of| read_choices(answer, of)) {
                Some(Err(why)) => (0, BTreeMap::from([(why.tag().to_owned(), 1)])),
                _ => (1, BTreeMap::new()),
            }
        };
        let prompts: Vec<(PromptKey, Prompt)> = open
            .iter()
            .map(|one| (one.planned.key, one.planned.prompt.clone()))
            .collect();
        asking
            .ask_agreed(&examinee.target, &agreed, prompts, &judged, watcher)
            .map(|_| ())
    }
}

/// Refuses questions that are answered by vectors alone.
fn in_words(questions: Questions<'_>) -> Result<()> {
    match questions {
        Questions::ByVectors(_) => Err(Failure::invalid(
            "An endpoint answers in words and gives no vectors, by which terms in contexts are told apart.",
            "Name systems that run on this machine.",
        )),
        _ => Ok(()),
    }
}

impl Examinee {
    fn asked<'i>(&self, questions: Questions<'i>) -> Vec<Asked<'i>> {
        // The sentences of an exam are nobody's document.
        let own = !matches!(questions, Questions::Others(_));
        let writes = matches!(questions, Questions::OfSnapshot(..));
        let languages = match questions {
            Questions::InLanguages(_, languages) => Some(languages),
            _ => None,
        };
        let of = |(place, item): (usize, &'i FrozenItem)| {
            let draft = &item.question.draft;
            let language = languages.and_then(|all| all.get(place).copied());
            let anchor = [draft.anchor_sentence];
            let sentences: &[SentenceId] = if own { &anchor } else { &[] };
            let asked = ExamAsked {
                sentences,
                language: language.unwrap_or_else(|| language_of(item)),
                question: &draft.question,
                choices: &draft.choices,
            };
            Asked {
                item,
                choosing: self.prompter.choosing(asked),
                writing: writes.then(|| self.prompter.writing(asked)),
            }
        };
        questions.items().iter().enumerate().map(of).collect()
    }
}

impl Asked<'_> {
    /// Its prompts, each with the number of choices that it lists.
    fn prompts(&self) -> impl Iterator<Item = (&Planned, Option<usize>)> {
        let choices = self.item.question.draft.choices.len();
        let writing = self.writing.iter().map(|planned| (planned, None));
        std::iter::once((&self.choosing, Some(choices))).chain(writing)
    }
}

/// The prompts that have no answer yet, each once; those of a question one after the other.
fn open<'a>(asked: &'a [Asked<'_>], asking: &Asking<'_>) -> Result<Vec<Open<'a>>> {
    let (mut seen, mut open) = (HashSet::new(), Vec::new());
    for (planned, choices) in asked.iter().flat_map(Asked::prompts) {
        if seen.insert(planned.key) && asking.answer(&planned.key)?.is_none() {
            open.push(Open { planned, choices });
        }
    }
    Ok(open)
}

/// The answer to a question; `None` while an answer is still missing.
fn line(asked: &Asked<'_>, asking: &Asking<'_>) -> Result<Option<ScoreLine>> {
    let Some(named) = asking.answer(&asked.choosing.key)? else {
        return Ok(None);
    };
    let open = match &asked.writing {
        Some(planned) => match asking.answer(&planned.key)? {
            None => return Ok(None),
            written => written,
        },
        None => None,
    };
    Ok(Some(ScoreLine {
        id: asked.item.question.id.0,
        written: Some(chosen(&named, &asked.item.question.draft.choices)),
        open: open.map(|answer| WrittenAnswer {
            text: read_words(&answer),
            choice: None,
            ended: answer.finish != "length",
        }),
        ..ScoreLine::default()
    }))
}

/// The choice that an answer names, in the choice's own words. One that cannot be read names none, and counts as wrong.
fn chosen(answer: &AnswerText, choices: &[String]) -> WrittenAnswer {
    let ended = answer.finish != "length";
    match read_choices(answer, choices.len()) {
        Ok(named) => {
            let words: Vec<&str> = named.iter().map(|&i| choices[i].as_str()).collect();
            WrittenAnswer {
                text: words.join("\n"),
                choice: (named.len() == 1).then(|| named[0]),
                ended,
            }
        }
        Err(_) => WrittenAnswer {
            text: String::new(),
            choice: None,
            ended,
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::evaluation::bench::BenchRequest;
    use crate::workspace::Silent;

    fn said(text: &str) -> AnswerText {
        AnswerText {
            text: text.to_owned(),
            finish: "stop".to_owned(),
        }
    }

    #[test]
    fn a_choice_is_named_by_its_number_and_anything_else_is_wrong() {
        let choices = ["the board", "the auditor", "the clerk"].map(str::to_owned);
        let one = chosen(&said("{\"choices\": [2]}"), &choices);
        assert_eq!((one.choice, one.text.as_str()), (Some(1), "the auditor"));
        // Several are said, and are no answer where one is right.
        let two = chosen(&said("{\"choices\": [3, 1]}"), &choices);
        assert_eq!(
            (two.choice, two.text.as_str()),
            (None, "the board\nthe clerk")
        );
        for wrong in ["the auditor", "{\"choices\": [4]}", ""] {
            let none = chosen(&said(wrong), &choices);
            assert_eq!((none.choice, none.text.as_str()), (None, ""), "{wrong}");
        }
    }

    #[test]
    fn what_no_endpoint_can_give_and_what_nobody_has_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let evaluation = engine.evaluation();
        let of = |questions| {
            let asked = evaluation.of_endpoint("firm", questions, &[], &Course::of(&Silent));
            asked.err().map(|failure| failure.code)
        };
        assert_eq!(of(Questions::ByVectors(&[])), Some(Code::InvalidRequest));
        assert_eq!(of(Questions::Others(&[])), Some(Code::NotFound));
        // Without an endpoint no consent is needed, and no snapshot is looked for.
        let request = BenchRequest {
            systems: vec!["tfidf".to_owned()],
            ..BenchRequest::default()
        };
        assert!(evaluation.plan_bench_asking(&request).unwrap().is_empty());
    }
}
