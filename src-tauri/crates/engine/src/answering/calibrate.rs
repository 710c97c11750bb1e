//! From when on answers are given, and how often they are wrong: measured on labelled questions.

use super::Answering;
use super::ask::whole;
use super::certified::{ALPHA, CONFIDENCE, Kept, MeasuredLabel};
use super::clauses::Clauses;
use super::find::{Found, LOOKED_AT, Search, language_of};
use super::force::InForce;
use super::measured::{Measured, report};
use super::model_writer::Planner;
use super::pairs::distinct;
use super::statements::Said;
use super::unseen::Unseen;
use super::writer::{Brief, Writer};
use crate::workspace::{Result, Silent, Watcher, cancelled, tell, today};
use lexforge_domain::api::{
    AnswerNote, AnswerWay, CalibrationReport, EncoderChoice, Inquiry, ModelGap, Pair, SearchMode,
    Stage,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure};
use std::collections::{BTreeMap, HashSet};

/// A request to measure: the questions to use, and the promise that the certificate should make.
#[derive(Clone, Debug)]
pub struct CalibrateRequest {
    /// How clauses are searched; none = by words, and by vectors where the workspace has them.
    pub mode: Option<SearchMode>,
    /// The encoder; `None` = the encoder of the graph.
    pub encoder: Option<EncoderChoice>,
    /// Share of wrong answers among those given that is not to be exceeded.
    pub alpha: f64,
    /// How sure that is to be.
    pub confidence: f64,
    /// The way in which the answers are made.
    pub way: AnswerWay,
    /// The person's consent, if something is sent.
    pub consent: Option<Consent>,
}

impl Default for CalibrateRequest {
    fn default() -> Self {
        Self {
            mode: None,
            encoder: None,
            alpha: ALPHA,
            confidence: CONFIDENCE,
            way: AnswerWay::Extractive,
            consent: None,
        }
    }
}

impl CalibrateRequest {
    fn inquiry(&self) -> Inquiry {
        Inquiry {
            mode: self.mode,
            encoder: self.encoder.clone(),
            way: self.way.clone(),
            consent: self.consent.clone(),
            ..Inquiry::default()
        }
    }
}

/// The labelled questions of a language, ready to be measured.
struct Group {
    language: Language,
    pairs: Vec<Pair>,
    /// Each question as Ask searches it.
    searched: Vec<String>,
    search: Search,
    in_force: InForce,
}

impl Group {
    /// The labels as they are measured.
    fn labels(&self) -> Vec<MeasuredLabel> {
        let clauses = &self.search.clauses;
        let pairs = self.pairs.iter();
        pairs
            .map(|pair| MeasuredLabel::of(pair, clauses.answering(pair)))
            .collect()
    }
}

impl Answering<'_> {
    /// The prompts that the measurement would send, and the model that would get them. `None` where nothing would be
    /// sent. This function itself sends nothing.
    ///
    /// # Errors
    /// As [`Answering::calibrate`].
    pub fn plan_calibration(&self, request: &CalibrateRequest) -> Result<Option<AskPlan>> {
        if request.way == AnswerWay::Extractive {
            return Ok(None);
        }
        let (groups, _) = self.groups(request)?;
        self.gathered_for(request, &groups, &Silent)?.plan()
    }

    /// Measures on the labelled questions how well the search can say whether the documents answer a question. Then
    /// sets the threshold and certifies how often an answer is wrong, separately for each language of the questions.
    ///
    /// # Errors
    /// When there are no labelled questions, the request makes no sense, or a model gives no answer to a question that
    /// it must answer. [`Code::ConsentMissing`] where something would be sent without consent.
    pub fn calibrate(
        &self,
        request: &CalibrateRequest,
        watcher: &dyn Watcher,
    ) -> Result<CalibrationReport> {
        let inside = |x: f64| x > 0.0 && x < 1.0;
        if !inside(request.alpha) || !inside(request.confidence) {
            return Err(Failure::new(
                Code::InvalidRequest,
                "A share of wrong answers and a confidence lie between 0 and 1.",
                "Give for example 0.05 and 0.95.",
            ));
        }
        if !self.pairs()?.is_empty() {
            self.completed_search(request.mode, request.encoder.as_ref(), watcher)?;
        }
        let (groups, learned) = self.groups(request)?;
        if request.way != AnswerWay::Extractive {
            self.gathered_for(request, &groups, watcher)?
                .ask_all(watcher)?;
        }
        let writer = self.reader(&request.inquiry())?;
        let of: usize = groups.iter().map(|group| group.pairs.len()).sum();
        let (mut done, mut failed) = (0, 0);
        let mut reports = Vec::new();
        let mut bodies = Vec::new();
        for group in &groups {
            let mut measured = Vec::with_capacity(group.pairs.len());
            for row in 0..group.pairs.len() {
                if watcher.cancelled() {
                    return Err(cancelled("Nothing was changed."));
                }
                measured.push(self.measure(group, row, writer.as_ref(), &mut failed)?);
                if done % 50 == 0 {
                    tell(watcher, Stage::Evaluate, "", done, of as u64);
                }
                done += 1;
            }
            let (mut report, weights) = report(
                &measured,
                &group.search,
                group.language,
                [request.alpha, request.confidence],
            );
            report.learned = learned;
            report.certificate.writer = writer.certified();
            bodies.push(Kept {
                index: group.search.index.clone(),
                corpus: group.in_force.searched(&group.search.clauses.corpus),
                vectors: Some(group.search.vectors_searched()),
                threshold: report.threshold,
                weights: weights.map(|w| (w.weights, w.constant)),
                certificate: report.certificate.clone(),
                language: Some(group.language),
                labels: Some(group.labels()),
            });
            reports.push(report);
        }
        if failed > 0 {
            return Err(Failure::new(
                Code::StepMissing,
                format!(
                    "The model gave no answer to {failed} of the labelled questions: nothing was measured."
                ),
                "See that the model answers, and measure again: what it answered is kept and not asked anew.",
            ));
        }
        self.keep(&bodies)?;
        let mut reports = reports.into_iter();
        let mut report = reports.next().ok_or_else(no_labels)?;
        report.others = reports.collect();
        Ok(report)
    }

    /// The labelled questions that can be used for measuring, grouped by language, the largest group first. The second
    /// value is the number of questions that were left out because the encoder was tuned on them.
    fn groups(&self, request: &CalibrateRequest) -> Result<(Vec<Group>, u64)> {
        let (mode, encoder) = (request.mode, request.encoder.as_ref());
        let unseen = self.unseen(encoder, distinct(self.pairs()?))?;
        let Unseen { pairs, learned } = self.unseen_by_rerank(unseen)?;
        if pairs.is_empty() && learned > 0 {
            return Err(Failure::new(
                Code::TooLittleData,
                format!(
                    "The encoder was tuned on all {learned} labelled questions: it finds their passages too well to say how \
                     often its answers are wrong."
                ),
                "Judge answers as right or wrong, or bring in questions that it was not tuned on.",
            ));
        }
        let clauses = self.clauses()?;
        let today = today();
        let in_force = InForce::on(&today, false, &clauses.documents);
        let counts = |clause: &u32| {
            let document = clauses.document_of(*clause);
            document.is_some_and(|document| !in_force.left_out.contains(&document.id))
        };
        let mut by_language: BTreeMap<Language, (Vec<Pair>, Vec<String>)> = BTreeMap::new();
        for pair in pairs {
            if is_of_today(&pair, &clauses.answering(&pair), counts) {
                let (asked_for, _) = whole(&pair.question)?;
                let searched = self.as_searched(&asked_for, &clauses)?.question;
                // As a certificate is chosen for a question.
                let language = language_of(&searched, &clauses.documents);
                let of = by_language.entry(language).or_default();
                of.0.push(pair);
                of.1.push(searched);
            }
        }
        let mut groups = Vec::new();
        for (language, (pairs, searched)) in by_language {
            let looked_for: Vec<&str> = searched.iter().map(String::as_str).collect();
            let search = self.search_in_order(mode, encoder, None, &looked_for)?;
            // What learned from a question knows it as it was labelled.
            let labelled: Vec<&str> = pairs.iter().map(|p| p.question.as_str()).collect();
            let search = self.held_out(search, &labelled)?;
            let in_force = InForce::on(&today, false, &search.clauses.documents);
            groups.push(Group {
                language,
                pairs,
                searched,
                search,
                in_force,
            });
        }
        if groups.is_empty() {
            return Err(no_labels());
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.pairs.len()));
        Ok((groups, learned))
    }

    /// Collects the prompts for those labelled questions that the documents answer. The other questions need no prompt,
    /// because any answer to them counts as wrong.
    fn gathered_for(
        &self,
        request: &CalibrateRequest,
        groups: &[Group],
        watcher: &dyn Watcher,
    ) -> Result<Planner<'_>> {
        let planner = self.planner(&request.inquiry())?;
        for group in groups {
            for row in 0..group.pairs.len() {
                if watcher.cancelled() {
                    return Err(cancelled("Nothing was changed."));
                }
                self.measure(group, row, &planner, &mut 0)?;
            }
        }
        Ok(planner)
    }

    fn keep(&self, measured: &[Kept]) -> Result<()> {
        let mut bodies = Vec::new();
        for kept in measured {
            let body = serde_json::to_string(kept).map_err(|error| {
                Failure::new(Code::Internal, error.to_string(), "Report this message.")
            })?;
            bodies.push((kept.certificate.made.clone().unwrap_or_default(), body));
        }
        self.workspace.store.write(&self.workspace.actor, |w| {
            for (made, body) in &bodies {
                w.put_certificate(made, body)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// A labelled question with the clauses found and the answer. `failed` counts questions that a model left without
    /// an answer.
    fn measure(
        &self,
        group: &Group,
        row: usize,
        writer: &dyn Writer,
        failed: &mut u64,
    ) -> Result<Measured> {
        let (pair, search) = (&group.pairs[row], &group.search);
        let question = group.searched[row].as_str();
        let clauses = &search.clauses;
        let gold = clauses.answering(pair);
        let documents: HashSet<DocumentId> = gold
            .iter()
            .filter_map(|clause| Some(clauses.document_of(*clause)?.id))
            .collect();
        let first = gold.first().copied();
        let find = |left_out: &HashSet<DocumentId>| -> Result<Found> {
            self.find(search, row, question, left_out, LOOKED_AT)
        };
        let not_in_force = &group.in_force.left_out;
        let found = find(not_in_force)?;
        // What is measured is what Ask says: not only the clauses that were found.
        let said = match writer.certified().is_some() && !gold.is_empty() {
            true => self.written(group, question, &found, writer, failed)?,
            false => self.said(question, &found.hits, clauses, &group.in_force)?,
        };
        let cites = cited_by(&said, clauses);
        let gold: HashSet<u32> = gold.into_iter().collect();
        let cited = [cites.len(), gold.len(), cites.intersection(&gold).count()];
        let without: HashSet<DocumentId> = documents.union(not_in_force).copied().collect();
        let others_are_there = without.len() < clauses.documents.len();
        let left_out = if gold.is_empty() || !others_are_there {
            None
        } else {
            Some(find(&without)?.features)
        };
        Ok(Measured {
            document: first.and_then(|clause| Some(clauses.document_of(clause)?.id)),
            features: found.features,
            cited,
            left_out,
        })
    }

    /// What a model wrote, each statement with whether it holds.
    fn written(
        &self,
        group: &Group,
        question: &str,
        found: &Found,
        writer: &dyn Writer,
        failed: &mut u64,
    ) -> Result<Said> {
        let clauses = &group.search.clauses;
        let brief = Brief {
            question,
            hits: &found.hits,
            clauses,
            in_force: &group.in_force,
        };
        let clear = self.said(question, &found.hits, clauses, &group.in_force)?;
        let draft = writer.write(&brief, clear, &Silent)?;
        let is_failed = |note: &AnswerNote| {
            let AnswerNote::ClausesInstead { gap } = note else {
                return false;
            };
            matches!(gap, ModelGap::Failed { .. })
        };
        *failed += u64::from(draft.notes.iter().any(is_failed));
        Ok(draft.said)
    }
}

/// The clauses that the statements cite which hold.
fn cited_by(said: &Said, clauses: &Clauses) -> HashSet<u32> {
    let kept = said.statements.iter().filter(|s| s.kept);
    let places = kept.flat_map(|statement| &statement.citations);
    places
        .filter_map(|place| said.citations.get(*place))
        .filter_map(|citation| clauses.map.clause(citation.sentence))
        .collect()
}

/// Whether a label can be used with the documents of today. `right` holds the clauses of the label's passages, and
/// `counts` says whether a clause is in a document in force. A label can be used if one of its clauses counts, or if
/// it says that no clause answers. A label whose passages are no longer found cannot be used; it must not be taken to
/// say that no clause answers.
fn is_of_today(pair: &Pair, right: &[u32], counts: impl Fn(&u32) -> bool) -> bool {
    pair.passage_ids.is_empty() || right.iter().any(counts)
}

fn no_labels() -> Failure {
    Failure::new(
        Code::TooLittleData,
        "There are no labelled questions to measure on.",
        "Judge answers as right or wrong, or bring in a file of questions with the passages that answer them.",
    )
}

#[cfg(test)]
mod tests;
