//! One question and its answer.

use super::Answering;
use super::certified::{Calibrated, Holds, not_here};
use super::find::{Found, LOOKED_AT, NEAREST, Search, is_gone, language_of};
use super::force::{InForce, cited_out_of_force};
use super::parts::{keep_near, several, with_what_is_wanted};
use super::parts_repealed::merged_with_repealed;
use super::premise::{assumption, contradicted};
use super::question::{AsSearched, only_orders, refuse_orders};
use super::statements::Said;
use super::writer::{Brief, Draft, EXTRACTIVE, Writer};
use crate::corpus::day_of;
use crate::workspace::{Result, Silent, Watcher, now, today};
use lexforge_domain::api::{Answer, AnswerNote, AnswerWay, CertificateGap, Inquiry, SearchMode};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_store::Scope;
use lexforge_text::parts::{self, Part};

/// Words of a question that are searched; no question of a person has more.
const MOST_WORDS: usize = 400;

impl Answering<'_> {
    /// Answers a question from the documents, and keeps the answer if the workspace can be written.
    ///
    /// # Errors
    /// When the question is empty or only gives orders, the given day is not a date, there are no documents, or the request asks for vectors
    /// and there are no vectors.
    pub fn ask(&self, inquiry: &Inquiry) -> Result<Answer> {
        self.ask_watched(inquiry, &Silent)
    }

    /// Answers as [`Answering::ask`] does. `watcher` gets each statement of a model as soon as it has passed the check,
    /// and can cancel the answer.
    ///
    /// # Errors
    /// As [`Answering::ask`]. Also [`Code::ConsentMissing`] where something would be sent without consent, and
    /// [`Code::Cancelled`]. If a model gives no answer, this is not an error: the clauses are quoted as the answer, and
    /// the answer says so.
    pub fn ask_watched(&self, inquiry: &Inquiry, watcher: &dyn Watcher) -> Result<Answer> {
        refuse_orders(&inquiry.question)?;
        let writer = self.writer(inquiry)?;
        self.kept(self.answer(inquiry, writer.as_ref(), watcher)?)
    }

    /// The answer with its number, kept where the workspace can be written.
    pub(super) fn kept(&self, answer: Answer) -> Result<Answer> {
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

    /// The prompts that this question would send, and the model that would get them; nothing is sent here. `None` if
    /// clauses are quoted without a model, or if the documents hold no answer.
    ///
    /// # Errors
    /// As [`Answering::ask`].
    pub fn plan_answer(&self, inquiry: &Inquiry) -> Result<Option<AskPlan>> {
        refuse_orders(&inquiry.question)?;
        let planner = self.planner(inquiry)?;
        self.answer(inquiry, &planner, &Silent)?;
        planner.plan()
    }

    /// Returns the answer without storing it. If no document in force answers, the answer may come from a document
    /// that a person set out of force. Its first note then says so.
    pub(super) fn answer(
        &self,
        inquiry: &Inquiry,
        writer: &dyn Writer,
        watcher: &dyn Watcher,
    ) -> Result<Answer> {
        let in_force = self.answer_of(inquiry, writer, watcher, false)?;
        let left_out = |note: &AnswerNote| matches!(note, AnswerNote::OutOfForceLeftOut { .. });
        if in_force.found || !in_force.notes.iter().any(left_out) {
            return Ok(in_force);
        }
        let mut of_all = self.answer_of(inquiry, writer, watcher, true)?;
        let first = of_all.citations.first();
        if !of_all.found || first.is_none_or(|c| c.out_of_force.is_none()) {
            return Ok(in_force);
        }
        let documents = cited_out_of_force(&of_all.citations).len();
        of_all
            .notes
            .insert(0, AnswerNote::OnlyOutOfForce { documents });
        // What was measured was measured on answers of documents in force.
        of_all.certificate = not_here(of_all.certificate, CertificateGap::CorpusChanged);
        Ok(of_all)
    }

    /// The answer from the documents in force, or from all documents, including those that a person set out of force.
    fn answer_of(
        &self,
        inquiry: &Inquiry,
        writer: &dyn Writer,
        watcher: &dyn Watcher,
        out_of_force_too: bool,
    ) -> Result<Answer> {
        let (asked_for, left_out) = whole(&inquiry.question)?;
        let clauses = self.clauses()?;
        let AsSearched {
            question,
            language,
            read,
        } = self.as_searched(&asked_for, &clauses)?;
        let on = match self.said_before(inquiry)? {
            Some(before) if language == Language::En => {
                parts::continued(&before, &question).map(|part| (before, part))
            }
            _ => None,
        };
        // A model is asked everything in one request.
        let parts = match (&inquiry.way, &on) {
            (AnswerWay::Extractive, None) if !only_orders(&question) => {
                several(&question, language)
            }
            _ => Vec::new(),
        };
        // Last of all the question as a whole.
        let whole = match &on {
            Some((_, part)) => part.clone(),
            None => Part::whole(&question),
        };
        // Also the assumption of the question, if it makes one.
        let assumed = assumption(&whole.asked, language);
        let rows: Vec<&Part> = parts.iter().chain([&whole]).chain(&assumed).collect();
        let looked_for: Vec<&str> = rows.iter().map(|part| part.asked.as_str()).collect();
        let search = self.search_in_order(
            inquiry.mode,
            inquiry.encoder.as_ref(),
            inquiry.rerank,
            &looked_for,
        )?;
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
            None => today(),
        };
        let mut in_force = InForce::on(&day, inquiry.as_of.is_some(), &search.clauses.documents);
        if out_of_force_too {
            in_force = in_force.with_out_of_force();
        }
        let (search, mut all_found) = self.found_for_each(&rows, search, &read, &in_force)?;
        let of_assumed = assumed.as_ref().and_then(|_| all_found.pop());
        if let Some((whole, of_parts)) = all_found.split_last_mut() {
            for (found, part) in of_parts.iter_mut().zip(&parts) {
                if !part.by_itself {
                    keep_near(found, whole);
                }
            }
        }
        let written_by = writer.certified();
        let searched = in_force.searched(&search.clauses.corpus);
        let holds = Holds {
            writer: written_by.as_ref(),
            ..Holds::on_clauses(&search, &searched, &question)
        };
        let calibrated = self.calibrated(&holds)?;
        let put = |part: &Part, found: &Found| -> Result<Answer> {
            let brief = Brief {
                question: &part.asked,
                hits: &found.hits,
                clauses: &search.clauses,
                in_force: &in_force,
            };
            self.put_together(&brief, &search, found, &calibrated, writer, watcher)
        };
        let answers: Vec<Answer> = parts
            .iter()
            .zip(&all_found)
            .map(|(part, found)| put(part, found))
            .collect::<Result<_>>()?;
        let of_whole = put(&whole, &all_found[parts.len()])?;
        let mut answer = match parts.is_empty() {
            true => with_what_is_wanted(&whole, of_whole),
            false => {
                let all = in_force.clone().with_out_of_force();
                let of_all = |row: usize| -> Result<Answer> {
                    let part = &parts[row];
                    let mut found = self.found_for((row, part), &search, &read, &all)?;
                    if !part.by_itself {
                        let beside = (parts.len(), &whole);
                        keep_near(&mut found, &self.found_for(beside, &search, &read, &all)?);
                    }
                    let brief = Brief {
                        question: &part.asked,
                        hits: &found.hits,
                        clauses: &search.clauses,
                        in_force: &all,
                    };
                    self.put_together(&brief, &search, &found, &calibrated, writer, watcher)
                };
                merged_with_repealed(&question, &parts, (answers, of_whole), of_all)?
            }
        };
        // No words of the model are in it: the certificate of the clauses applies, unless this way has its own.
        if written_by.is_some() && answer.model == EXTRACTIVE && !answer.certificate.valid {
            let clear = Holds {
                writer: None,
                ..holds
            };
            answer.certificate = self.calibrated(&clear)?.certificate;
        }
        if let Some(assumed) = assumed.as_ref().zip(of_assumed.as_ref())
            && answer.premise.is_none()
        {
            let on = (&search, &calibrated, &in_force);
            self.correct_what_is_assumed(&whole.asked, assumed, on, &mut answer)?;
        }
        // Labels belong to questions that can be understood alone.
        if on.is_some() {
            answer.certificate = not_here(answer.certificate, CertificateGap::GoesOn);
        }
        answer.refers = self.referred(&answer, &search.clauses, &in_force)?;
        answer.asked = asked;
        answer.question = asked_for;
        let read_with = on.map(|(before, _)| AnswerNote::ReadWith { question: before });
        let first = read_with.into_iter().chain(read);
        let first = first.chain(self.passed_over(&search, &in_force));
        answer.notes.splice(0..0, first);
        answer.notes.extend(self.deployment_notes(&inquiry.way)?);
        self.note_what_was_not_searched(&question, left_out, &search.clauses, &mut answer)?;
        self.link_terms(&mut answer, &in_force)?;
        if !answer.found {
            let passages = &mut answer.passages;
            self.tell_what_is_lacking(&whole.asked, &search.clauses, passages)?;
        }
        Ok(answer)
    }

    /// Finds the clauses for each part of the question. Also returns the search that found them. If the process of the
    /// cross-encoder ends meanwhile, the remaining parts are searched without it, and the answer says so.
    fn found_for_each(
        &self,
        rows: &[&Part],
        mut search: Search,
        read: &[AnswerNote],
        in_force: &InForce,
    ) -> Result<(Search, Vec<Found>)> {
        let mut all_found = Vec::with_capacity(rows.len());
        for (row, part) in rows.iter().enumerate() {
            let found = match self.found_for((row, part), &search, read, in_force) {
                Err(failure) if search.is_reranked() && is_gone(failure.code) => {
                    search = search.without_what_is_gone();
                    self.found_for((row, part), &search, read, in_force)?
                }
                found => found?,
            };
            all_found.push(found);
        }
        Ok((search, all_found))
    }

    /// Says what contradicts the assumption of a question, if what was found for it is likely enough to do so.
    fn correct_what_is_assumed(
        &self,
        question: &str,
        (part, found): (&Part, &Found),
        (search, calibrated, in_force): (&Search, &Calibrated, &InForce),
        answer: &mut Answer,
    ) -> Result<()> {
        let likely = probability(found, search, calibrated);
        if likely < calibrated.threshold {
            return Ok(());
        }
        let was_found = answer.found;
        let clauses = (&*search.clauses, in_force);
        if self.contradicted_elsewhere(question, (part, found), clauses, answer)? && !was_found {
            answer.probability = likely;
        }
        Ok(())
    }

    /// The clauses that are found for a row of what is looked for, among the documents that count.
    fn found_for(
        &self,
        (row, part): (usize, &Part),
        search: &Search,
        read: &[AnswerNote],
        in_force: &InForce,
    ) -> Result<Found> {
        let mut found = self.find(search, row, &part.asked, &in_force.left_out, LOOKED_AT)?;
        self.doubt_what_was_swapped(&part.asked, read, &search.clauses, &mut found)?;
        self.narrow(part, &search.clauses, &mut found)?;
        Ok(found)
    }

    /// The answer as it was put together.
    fn put_together(
        &self,
        brief: &Brief<'_>,
        search: &Search,
        found: &Found,
        calibrated: &Calibrated,
        writer: &dyn Writer,
        watcher: &dyn Watcher,
    ) -> Result<Answer> {
        let (question, in_force) = (brief.question, brief.in_force);
        let clauses = &search.clauses;
        let mut notes = self.notes(question, search)?;
        let foreign = |note: &AnswerNote| matches!(note, AnswerNote::OtherLanguage { .. });
        // Words of another language that stand in the documents by chance answer nothing, nor does a bare number. Orders
        // alone are refused where one question is asked; in a table of questions, they are answered by nothing.
        let asks_nothing = !question.chars().any(char::is_alphabetic) || only_orders(question);
        let probability = if asks_nothing || notes.iter().any(foreign) {
            0.0
        } else {
            probability(found, search, calibrated)
        };
        let clear = self.said(question, &found.hits, clauses, in_force)?;
        let is_found = probability >= calibrated.threshold && !clear.statements.is_empty();
        // No model is asked about what the documents do not say.
        let draft = if is_found {
            writer.write(brief, clear, watcher)?
        } else {
            Draft::default()
        };
        let Said {
            statements,
            citations,
        } = draft.said;
        let nearest = &found.hits[..found.hits.len().min(NEAREST)];
        notes.extend(in_force.notes.iter().cloned());
        notes.extend(draft.notes);
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
            terms: self.defined(question, &citations, in_force)?,
            refers: Vec::new(),
            statements,
            citations,
            passages: self.shown(question, nearest, clauses, in_force)?,
            parts: Vec::new(),
            notes,
            probability,
            threshold: calibrated.threshold,
            certificate: calibrated.certificate.clone(),
            model: draft.model.unwrap_or_else(|| EXTRACTIVE.to_owned()),
            adapter: draft.adapter,
            written: draft.written,
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
        let asked = language_of(question, &search.clauses.documents);
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
        if let Some((run, gap)) = search.not_reranked {
            notes.push(AnswerNote::NotReranked { run, gap });
        }
        Ok(notes)
    }
}

/// The probability that the best clause answers.
pub(super) fn probability(found: &Found, search: &Search, calibrated: &Calibrated) -> f64 {
    found
        .features
        .probability(calibrated.weights.as_ref(), search.shipped())
}

/// The question as it is searched, and how many of its words are not.
pub(super) fn whole(question: &str) -> Result<(String, usize)> {
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
