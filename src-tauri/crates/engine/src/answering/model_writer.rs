//! An answer that a model writes from the clauses that were found, and which of its statements can be trusted.
//!
//! The model is asked as for any other purpose (see `asking`): with consent and through the ledger, and never twice
//! for an answer that the workspace already has. A statement of the model counts only as far as the clauses say it.

use super::Answering;
use super::statements::{Quote, Said};
use super::while_written::WhileWritten;
use super::writer::{Brief, Draft, Writer, identity};
use crate::asking::{Agreed, Asking, Heard, Judged, Target, agreed, plan_of};
use crate::workspace::{Result, Watcher};
use lexforge_augment::wording::Wordings;
use lexforge_augment::{
    AnswerPrompter, AnswerText, GivenClause, Planned, WrittenStatement, read_answer,
};
use lexforge_domain::api::{
    AnswerNote, AnswerWay, AnswerWriting, CertifiedWriter, Citation, ModelGap, Statement,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_text::is_unspaced;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Clauses that a model is given at most.
const MOST_CLAUSES: usize = 6;
/// Letters of these clauses at most; a character of a script without blanks counts for [`UNSPACED`].
const MOST_LETTERS: u64 = 6_000;
/// Letters to a token, as a fraction: what small vocabularies make of regulations.
const LETTERS: (u64, u64) = (5, 2);
/// Letters that take as many tokens as a character of a script without blanks.
const UNSPACED: u64 = 3;
/// If the length of the model's context is known, the answer may take one part in this many of it.
const ANSWER_SHARE: u64 = 4;

/// A model that writes.
pub(super) struct ModelWriter<'w> {
    /// The workspace's answers.
    pub answering: Answering<'w>,
    /// The wordings in use.
    pub wordings: Arc<Wordings>,
    /// A hash of the defined terms by which statements are kept or struck.
    pub terms: String,
    /// Whom to ask.
    pub target: Target,
    /// The way that was chosen, with what was left open filled in.
    pub way: AnswerWay,
    /// SHA-256 of the adapter.
    pub adapter: Option<String>,
    /// The person's consent.
    pub consent: Option<Consent>,
    /// Whether prompts without a stored answer are sent.
    pub asks: bool,
}

/// The clauses that a model gets, and the prompt with them.
struct Given {
    quotes: Vec<Quote>,
    language: Language,
    planned: Planned,
}

/// Collects the prompts for a model instead of sending them.
pub(super) struct Planner<'w> {
    model: Option<ModelWriter<'w>>,
    gathered: RefCell<Vec<Planned>>,
}

impl<'w> Planner<'w> {
    pub(super) fn of(model: Option<ModelWriter<'w>>) -> Self {
        Self {
            model,
            gathered: RefCell::default(),
        }
    }

    /// The plan of what would be sent; `None` if nothing would be asked.
    pub(super) fn plan(&self) -> Result<Option<AskPlan>> {
        let gathered = self.gathered.borrow();
        match &self.model {
            Some(model) if !gathered.is_empty() => Ok(Some(model.plan(&gathered)?)),
            _ => Ok(None),
        }
    }

    /// Sends all prompts in one run. Prompts without an answer are skipped here; the code that uses the answers reports
    /// them.
    pub(super) fn ask_all(&self, watcher: &dyn Watcher) -> Result<()> {
        let gathered = self.gathered.borrow();
        match &self.model {
            Some(model) if !gathered.is_empty() => match model.ask(&gathered, None, watcher) {
                Err(failure) if !is_the_models(failure.code) => Err(failure),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl Writer for Planner<'_> {
    fn certified(&self) -> Option<CertifiedWriter> {
        self.model.as_ref().and_then(Writer::certified)
    }

    fn write(&self, brief: &Brief<'_>, clear: Said, _: &dyn Watcher) -> Result<Draft> {
        if let Some(model) = &self.model {
            let planned = model.given(brief)?.planned;
            let mut gathered = self.gathered.borrow_mut();
            if gathered.iter().all(|known| known.key != planned.key) {
                gathered.push(planned);
            }
        }
        Ok(Draft {
            said: clear,
            ..Draft::default()
        })
    }
}

impl Writer for ModelWriter<'_> {
    fn certified(&self) -> Option<CertifiedWriter> {
        Some(CertifiedWriter {
            way: self.way.clone(),
            model: self.target.endpoint.model.clone(),
            identity: identity(&self.target, &self.words(), &self.terms),
        })
    }

    fn write(&self, brief: &Brief<'_>, clear: Said, watcher: &dyn Watcher) -> Result<Draft> {
        let given = self.given(brief)?;
        let mut writing = AnswerWriting {
            way: self.way.clone(),
            endpoint: self.target.endpoint.name.clone(),
            model: self.target.endpoint.model.clone(),
            host: self.target.host.clone(),
            prompt: hex::encode(given.planned.key),
            clauses: u32::try_from(given.quotes.len()).unwrap_or(u32::MAX),
            statements: 0,
            struck: 0,
            unreadable: 0,
        };
        let check =
            |written: &WrittenStatement, citations: &mut Vec<Citation>| -> Result<Statement> {
                let told = (given.quotes.as_slice(), given.language);
                self.answering.checked(brief, told, written, citations)
            };
        let follows = WhileWritten::new(&check, watcher);
        let answer = match self.answered(&given, &follows, watcher) {
            Ok(answer) => answer,
            Err(failure) if is_the_models(failure.code) => {
                return Ok(instead(clear, writing, ModelGap::Failed { failure }));
            }
            Err(failure) => return Err(failure),
        };
        let read = match read_answer(&answer) {
            Ok(read) => read,
            Err(why) => {
                follows.heard(Heard::Nothing);
                let reason = why.tag().to_owned();
                return Ok(instead(clear, writing, ModelGap::Unreadable { reason }));
            }
        };
        writing.unreadable = read.unreadable;
        if read.statements.is_empty() {
            follows.heard(Heard::Nothing);
            return Ok(instead(clear, writing, ModelGap::Silent));
        }
        let mut said = Said::default();
        for written in &read.statements {
            let statement = check(written, &mut said.citations)?;
            writing.statements += 1;
            writing.struck += u32::from(!statement.kept);
            said.statements.push(statement);
        }
        follows.is_whole(&said, read.unreadable);
        if said.statements.iter().all(|statement| !statement.kept) {
            let mut draft = instead(clear, writing, ModelGap::NothingHolds);
            draft.said = joined(said, draft.said);
            return Ok(draft);
        }
        let unreadable = (read.unreadable > 0).then_some(AnswerNote::StatementsUnreadable {
            statements: read.unreadable,
        });
        Ok(Draft {
            said,
            model: Some(writing.model.clone()),
            adapter: self.adapter.clone(),
            written: Some(writing),
            notes: unreadable.into_iter().collect(),
        })
    }
}

impl ModelWriter<'_> {
    fn prompter(&self) -> AnswerPrompter {
        let most = self.target.endpoint.settings.max_tokens;
        let context = self.target.context;
        let share = context.and_then(|tokens| u32::try_from(tokens / ANSWER_SHARE).ok());
        AnswerPrompter {
            identity: self.target.identity.clone(),
            model: self.target.endpoint.model.clone(),
            max_tokens: most.min(share.unwrap_or(most)).max(1),
            wordings: Arc::clone(&self.wordings),
        }
    }

    /// The hashes of the wordings, also of those that a later version of the product ships.
    fn words(&self) -> Vec<String> {
        let prompter = self.prompter();
        let prompt = |language| hex::encode(prompter.planned("", &[], language).key);
        let mut words = self.wordings.own_hashes();
        words.extend([Language::En, Language::Zh].map(prompt));
        words
    }

    /// The clauses that the model is given, as many as it can read, and the prompt about them.
    fn given(&self, brief: &Brief<'_>) -> Result<Given> {
        let context = self.target.context;
        let best = brief.hits.first();
        let language = best
            .and_then(|(clause, _)| brief.clauses.document_of(*clause))
            .map_or(Language::En, |document| document.language);
        let prompter = self.prompter();
        // The room that the prompt and the answer leave in the model's context.
        let empty = prompter.planned(brief.question, &[], language).prompt;
        let taken = letters(&empty.system) + letters(&empty.user);
        let mut left = context.map_or(MOST_LETTERS, |tokens| {
            let read = (tokens - tokens / ANSWER_SHARE) * LETTERS.0 / LETTERS.1;
            read.saturating_sub(taken).min(MOST_LETTERS)
        });
        let (mut quotes, mut clauses) = (Vec::new(), Vec::new());
        let first: Vec<u32> = brief
            .hits
            .iter()
            .map(|hit| hit.0)
            .take(MOST_CLAUSES)
            .collect();
        let both = (Vec::new(), first.as_slice());
        // The clause with the sanction that is asked for may not be among the first ones.
        let mut told = self.answering.that_state_the_sanction(
            brief.question,
            both,
            brief.hits,
            brief.clauses,
        )?;
        let rest = first
            .iter()
            .filter(|clause| !told.contains(clause))
            .copied();
        let rest: Vec<u32> = rest.collect();
        told.extend(rest);
        for clause in self.answering.with_exception(told, brief.clauses)? {
            let quote = self
                .answering
                .quote_in_context(brief.question, clause, brief.clauses)?;
            let Some((quote, document)) = quote.zip(brief.clauses.document_of(clause)) else {
                continue;
            };
            let text = quote.text();
            let length = letters(&text);
            if length > left && !quotes.is_empty() {
                break;
            }
            left = left.saturating_sub(length);
            // The place of the clause, not of its introduction.
            let own = quote.sentences.get(quote.own);
            let section = own.map_or("", |s| s.section.as_str());
            let place: Vec<&str> = [document.title.as_str(), section]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            clauses.push(GivenClause {
                place: place.join(" › "),
                text,
                sentences: quote.sentences.iter().map(|s| s.id).collect(),
            });
            quotes.push(quote);
        }
        Ok(Given {
            planned: prompter.planned(brief.question, &clauses, language),
            quotes,
            language,
        })
    }

    /// The prompts that have no answer, and how many have one.
    fn open<'p>(&self, planned: &'p [Planned]) -> Result<(Vec<&'p Planned>, u64)> {
        let asking = Asking::of(self.answering.workspace);
        let mut open: Vec<&Planned> = Vec::new();
        for one in planned {
            if asking.answer(&one.key)?.is_none() {
                open.push(one);
            }
        }
        let known = (planned.len() - open.len()) as u64;
        Ok((open, known))
    }

    fn plan(&self, planned: &[Planned]) -> Result<AskPlan> {
        let (open, known) = self.open(planned)?;
        plan_of(self.answering.workspace, &self.target, &open, known)
    }

    /// Sends the prompts that have no answer. Returns the reason if some of them got no answer. If there is only one
    /// prompt, its answer can be followed while it is written.
    fn ask(
        &self,
        planned: &[Planned],
        follows: Option<&WhileWritten<'_>>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let workspace = self.answering.workspace;
        let (open, known) = self.open(planned)?;
        if open.is_empty() {
            return Ok(());
        }
        let plan = plan_of(workspace, &self.target, &open, known)?;
        let consent = agreed(&plan, self.consent.as_ref())?;
        let made = serde_json::json!({
            "model": self.target.endpoint.model,
            "identity": self.target.identity,
            "wordings": self.wordings.own_hashes(),
        });
        let agreed = Agreed {
            purpose: "answer",
            plan: &plan,
            consent: &consent,
            made: ("answer", made),
        };
        let judged = |_: usize, answer: &AnswerText| -> Judged {
            match read_answer(answer) {
                Ok(read) => (read.statements.len() as u64, BTreeMap::new()),
                Err(why) => (0, BTreeMap::from([(why.tag().to_owned(), 1)])),
            }
        };
        let prompts = open.iter().map(|p| (p.key, p.prompt.clone())).collect();
        let asking = Asking::of(workspace);
        let target = &self.target;
        let asked = match follows {
            Some(follows) => {
                let heard = |heard: Heard<'_>| follows.heard(heard);
                asking.ask_heard(target, &agreed, prompts, &judged, &heard, watcher)
            }
            None => asking.ask_agreed(target, &agreed, prompts, &judged, watcher),
        };
        let id = asked.map_err(|failure| match (failure.code, follows) {
            (Code::Cancelled, Some(_)) => called_off(),
            _ => failure,
        })?;
        if self.open(planned)?.0.is_empty() {
            return Ok(());
        }
        let failed = workspace.store.read(|r| r.asking_counts(id))?.failed;
        Err(self.target.answered_nothing(&failed))
    }

    /// The model's answer: the one that the workspace has, or a new one.
    fn answered(
        &self,
        given: &Given,
        follows: &WhileWritten<'_>,
        watcher: &dyn Watcher,
    ) -> Result<AnswerText> {
        let asking = Asking::of(self.answering.workspace);
        let key = &given.planned.key;
        if self.asks {
            let planned = std::slice::from_ref(&given.planned);
            self.ask(planned, Some(follows), watcher)?;
        }
        asking
            .answer(key)?
            .ok_or_else(|| self.target.gave_no_answer("it was asked with the others"))
    }
}

/// The clauses themselves, where a model was to write.
fn instead(clear: Said, writing: AnswerWriting, gap: ModelGap) -> Draft {
    Draft {
        said: clear,
        written: Some(writing),
        notes: vec![AnswerNote::ClausesInstead { gap }],
        ..Draft::default()
    }
}

/// The statements of a model, followed by those of the clauses themselves.
fn joined(mut first: Said, then: Said) -> Said {
    let before = first.citations.len();
    first.citations.extend(then.citations);
    first
        .statements
        .extend(then.statements.into_iter().map(|s| Statement {
            citations: s.citations.iter().map(|place| place + before).collect(),
            ..s
        }));
    first
}

/// Somebody called an answer off that a model was writing.
fn called_off() -> Failure {
    Failure::new(
        Code::Cancelled,
        "Cancelled.",
        "The model had not finished, so no answer is kept. Ask again to have one.",
    )
}

/// The model or the way to it is at fault, and the clauses are still there.
fn is_the_models(code: Code) -> bool {
    matches!(
        code,
        Code::WorkerDied
            | Code::OutOfMemory
            | Code::TimedOut
            | Code::EndpointUnreachable
            | Code::EndpointTls
            | Code::EndpointKey
            | Code::EndpointModel
            | Code::EndpointBusy
            | Code::EndpointAnswer
    )
}

/// The length of a text, by what it costs in tokens.
fn letters(text: &str) -> u64 {
    text.chars()
        .map(|c| if is_unspaced(c) { UNSPACED } else { 1 })
        .sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
