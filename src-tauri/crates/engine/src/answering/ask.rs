//! One question and its answer.

use super::Answering;
use super::calibrate::Calibrated;
use super::find::{Found, LOOKED_AT, NEAREST, Search, language_of};
use super::force::InForce;
use super::premise::contradicted;
use crate::models::minilm_label;
use crate::workspace::{Result, now};
use lexforge_domain::api::{Answer, AnswerNote, Inquiry, SearchMode};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_store::Scope;

/// Words of a question that are searched; no question of a person has more.
const MOST_WORDS: usize = 400;

impl Answering<'_> {
    /// Answers a question from the documents, and keeps the answer where the workspace can be written.
    ///
    /// # Errors
    /// When the question is empty or no day is what was given for one; when there are no documents; when vectors were asked
    /// for and there are none.
    pub fn ask(&self, inquiry: &Inquiry) -> Result<Answer> {
        let answer = self.answer(inquiry)?;
        if self.workspace.store.read_only().is_some() {
            return Ok(answer);
        }
        let (id, entry) = self.workspace.store.write(&self.workspace.actor, |w| {
            let id = w.put_reply(&answer)?;
            Ok((id, w.newest_row_of(&Scope::Reply(id))?))
        })?;
        Ok(Answer {
            id: Some(id),
            audit_entry: u64::try_from(entry).ok(),
            ..answer
        })
    }

    /// The answer, kept nowhere.
    pub(super) fn answer(&self, inquiry: &Inquiry) -> Result<Answer> {
        let (question, left_out) = whole(&inquiry.question)?;
        let search = self.search(inquiry.mode, inquiry.encoder.as_ref(), &[&question])?;
        if search.clauses.documents.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There are no documents to answer from.",
                Remedy::ImportDocument,
            ));
        }
        let asked = now();
        let day = match &inquiry.as_of {
            Some(day) => day_of(day)?,
            None => asked.get(..10).unwrap_or_default().to_owned(),
        };
        let in_force = InForce::on(&day, inquiry.as_of.is_some(), &search.clauses);
        let found = self.find(&search, 0, &question, &in_force.left_out, LOOKED_AT)?;
        let calibrated = self.calibrated(&search.index, &search.clauses.corpus)?;
        let mut answer = self.put_together(&question, &search, &found, &in_force, &calibrated)?;
        answer.asked = asked;
        if left_out > 0 {
            answer
                .notes
                .push(AnswerNote::QuestionCut { words: left_out });
        }
        Ok(answer)
    }

    /// What was found as an answer.
    pub(super) fn put_together(
        &self,
        question: &str,
        search: &Search,
        found: &Found,
        in_force: &InForce,
        calibrated: &Calibrated,
    ) -> Result<Answer> {
        let clauses = &search.clauses;
        let mut notes = self.notes(question, search)?;
        let foreign = |note: &AnswerNote| matches!(note, AnswerNote::OtherLanguage { .. });
        // Words of another language that stand in the documents by chance answer nothing, nor does a bare number.
        let no_words = !question.chars().any(char::is_alphabetic);
        let probability = if no_words || notes.iter().any(foreign) {
            0.0
        } else {
            probability(found, search, calibrated)
        };
        let said = self.said(question, &found.hits, clauses, in_force)?;
        let is_found = probability >= calibrated.threshold && !said.statements.is_empty();
        let (statements, citations) = if is_found {
            (said.statements, said.citations)
        } else {
            (Vec::new(), Vec::new())
        };
        let nearest = &found.hits[..found.hits.len().min(NEAREST)];
        notes.extend(in_force.notes.iter().cloned());
        let kept: Vec<&str> = statements
            .iter()
            .filter(|s| s.kept)
            .map(|s| s.text.as_str())
            .collect();
        Ok(Answer {
            id: None,
            asked: String::new(),
            question: question.to_owned(),
            found: is_found,
            answer: kept.join("\n"),
            premise: contradicted(question, &citations),
            terms: self.defined(question, &citations)?,
            statements,
            citations,
            passages: self.shown(question, nearest, clauses, in_force)?,
            notes,
            probability,
            threshold: calibrated.threshold,
            certificate: calibrated.certificate.clone(),
            model: "extractive".to_owned(),
            adapter: None,
            index: search.index.clone(),
            corpus_hash: clauses.corpus.clone(),
            documents: clauses.documents.len() as u64,
            as_of: in_force.day.clone(),
            audit_entry: None,
        })
    }

    fn notes(&self, question: &str, search: &Search) -> Result<Vec<AnswerNote>> {
        let mut notes = Vec::new();
        let mut sentences: Vec<(u64, Language)> = Vec::new();
        for document in &search.clauses.documents {
            let n = u64::from(document.sentences);
            match sentences.iter_mut().find(|(_, l)| *l == document.language) {
                Some((all, _)) => *all += n,
                None => sentences.push((n, document.language)),
            }
        }
        let asked = language_of(question);
        let covered = sentences.iter().any(|(_, language)| *language == asked);
        let most = sentences.iter().max_by_key(|(n, _)| *n);
        if let Some((_, documents)) = most.filter(|_| !covered) {
            notes.push(AnswerNote::OtherLanguage {
                question: asked,
                documents: *documents,
            });
        }
        if search.index.mode == SearchMode::Lexical {
            notes.push(AnswerNote::WordsOnly);
        }
        Ok(notes)
    }
}

/// The probability that the best clause answers.
pub(super) fn probability(found: &Found, search: &Search, calibrated: &Calibrated) -> f64 {
    let known = search.index.encoder == minilm_label();
    found
        .features
        .probability(calibrated.weights.as_ref(), known)
}

/// The question as it is searched, and how many of its words are not.
fn whole(question: &str) -> Result<(String, usize)> {
    let question = lexforge_text::fold::spaced(question);
    if question.is_empty() {
        return Err(Failure::new(
            Code::InvalidRequest,
            "There is nothing to answer: the question is empty.",
            "Write the question that the documents are to answer.",
        ));
    }
    let words: Vec<&str> = question.split(' ').collect();
    // Texts without blanks are counted by their characters, two to a word.
    let characters = question.chars().count();
    if words.len() <= MOST_WORDS && characters <= 10 * MOST_WORDS {
        return Ok((question, 0));
    }
    if words.len() > MOST_WORDS {
        let left_out = words.len() - MOST_WORDS;
        return Ok((words[..MOST_WORDS].join(" "), left_out));
    }
    let cut: String = question.chars().take(10 * MOST_WORDS).collect();
    Ok((cut, (characters - 10 * MOST_WORDS).div_ceil(2)))
}

/// A day, `YYYY-MM-DD`.
fn day_of(text: &str) -> Result<String> {
    let form = time::macros::format_description!("[year]-[month]-[day]");
    time::Date::parse(text.trim(), form)
        .map(|_| text.trim().to_owned())
        .map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("\u{201c}{text}\u{201d} is no day."),
                "Write it as year, month and day: 2026-03-31.",
            )
        })
}
