//! Before and after on the test questions, by the embedding scorer (METHODS §1.4).

use crate::report::LeftOut;
use crate::runs::train_job;
use crate::train::FrozenItem;
use crate::watcher::tell;
use crate::workspace::now;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_domain::api::{EvaluationView, Hashes, Stage};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::document::Sentence;
use lexforge_domain::metrics::{ChangedItem, CurvePoint, Evaluation, ShortcutRow};
use lexforge_domain::protocol::{Event, JobEvent};
use lexforge_domain::qca::{QcaLevel, Split};
use lexforge_domain::{Code, Failure, RunId, SentenceId};
use lexforge_evaluate::changed::{self, Change};
use lexforge_evaluate::overlap::CorpusIndex;
use lexforge_evaluate::shortcuts::{self, ControlItem};
use lexforge_evaluate::{ScoredItem, qca, significance, space};
use lexforge_graph::Matrix;
use lexforge_graph::tfidf::TfIdf;
use std::collections::{BTreeMap, HashMap};

/// Resamples of bootstrap and permutation.
const RESAMPLES: usize = 2_000;
/// Changed questions that the report shows, for better and for worse.
const CHANGED_SHOWN: usize = 20;

impl Engine {
    /// Evaluate a finished run against its base on the snapshot's test part, keep the figures, and write the report.
    ///
    /// # Errors
    /// When the run has not finished, the test part is empty, or the worker or model is missing.
    pub fn evaluate(&self, run: RunId, watcher: &dyn Watcher) -> Result<EvaluationView> {
        let row = self.run(run)?;
        let dataset = self.dataset(row.dataset)?;
        let bundle = self.bundle(run)?;
        let job = train_job(&bundle)?;
        let result = self.train_result(run)?;
        let adapter = self.adapter_dir(run)?;
        let base = self.base(Some(&row.base))?;
        let readable = self.readable(&dataset, &base)?;
        let items: Vec<FrozenItem> = readable.items.into_iter().filter(|i| i.question.split == Split::Test).collect();
        if items.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The snapshot has no test question for this model.",
                "Import more documents, then build graph, questions and snapshot again.",
            ));
        }
        let sentences = self.anchors(&items)?;
        let texts = Texts::of(&items, &sentences);
        let strs = texts.strs();
        let before = self.embed_texts(&base, None, &strs, Stage::Evaluate, watcher)?.0;
        let after = self.embed_texts(&base, Some(&adapter), &strs, Stage::Evaluate, watcher)?.0;
        tell(watcher, Stage::Evaluate, "statistics", 0, 1);

        let scored_before = texts.score(&items, &before);
        let scored_after = texts.score(&items, &after);
        let corpus: Vec<String> = self.sentences(None)?.into_iter().map(|s| s.text).collect();
        let unit = if dataset.split_unit == "document" { "anchor" } else { "article" };
        let changes = changed::changes(&scored_before, &scored_after)?;
        let place = |id| self.place(&sentences, id);
        let list = |changes: &[Change]| {
            changes.iter().take(CHANGED_SHOWN).filter_map(|c| shown(c, &items, &place)).collect::<Vec<_>>()
        };
        let curves = curves(&bundle.events(None)?);
        let evaluation = Evaluation {
            scorer: "embedding".to_owned(),
            base: row.base.clone(),
            before: qca::metrics(&scored_before, RESAMPLES, DEFAULT_SEED),
            after: qca::metrics(&scored_after, RESAMPLES, DEFAULT_SEED),
            comparisons: significance::compare(
                &scored_before,
                &scored_after,
                &format!("base {}", row.base),
                unit,
                RESAMPLES,
                DEFAULT_SEED,
            )?,
            scorers: Vec::new(),
            too_long: 0,
            shortcuts: controls(&items, &texts, &before, &corpus),
            tfidf: Some(qca::metrics(&tfidf_scores(&items, &corpus), RESAMPLES, DEFAULT_SEED)),
            train_curve: curves.0,
            dev_curve: curves.1,
            space_before: space::audit(&texts.anchor_rows(&before), before.dim),
            space_after: space::audit(&texts.anchor_rows(&after), after.dim),
            improved_total: changes.improved.len(),
            worsened_total: changes.worsened.len(),
            improved: list(&changes.improved),
            worsened: list(&changes.worsened),
            limits: limits(&dataset, &items),
        };
        let view = EvaluationView {
            run,
            created: now(),
            report: self.report_path(Some(run)).display().to_string(),
            hashes: Hashes {
                documents: self.documents()?.into_iter().map(|d| (d.file, d.sha256)).collect::<BTreeMap<_, _>>(),
                corpus: dataset.corpus_hash.clone(),
                dataset: dataset.hash.clone(),
                base: job.model.sha256,
                adapter: result.adapter_sha256,
                audit_head: self.store.read(|r| r.audit_head())?,
            },
            evaluation,
            dataset,
        };
        self.store.write(&self.actor, |w| w.put_evaluation(run, &view))?;
        tell(watcher, Stage::Evaluate, "statistics", 1, 1);
        let kept = self.evaluation(run)?.unwrap_or(view);
        self.write_report(Some(&self.run(run)?), Some(&kept), LeftOut::default(), watcher)?;
        Ok(kept)
    }

    /// The kept evaluation of a run.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn evaluation(&self, run: RunId) -> Result<Option<EvaluationView>> {
        Ok(self.store.read(|r| r.evaluation(run))?)
    }

    fn anchors(&self, items: &[FrozenItem]) -> Result<HashMap<SentenceId, Sentence>> {
        let mut ids: Vec<SentenceId> = items.iter().map(|i| i.question.draft.anchor_sentence).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(self.store.read(|r| r.sentences_by_ids(&ids))?.into_iter().map(|s| (s.id, s)).collect())
    }

    /// Where an anchor stands: `GDPR.pdf, page 33, Article 4`.
    fn place(&self, sentences: &HashMap<SentenceId, Sentence>, id: SentenceId) -> String {
        let Some(sentence) = sentences.get(&id) else { return String::new() };
        let file = self
            .documents()
            .ok()
            .and_then(|d| d.into_iter().find(|d| d.id == sentence.document))
            .map(|d| d.file)
            .unwrap_or_default();
        let mut place = format!("{file}, page {}", sentence.page);
        if !sentence.section.is_empty() {
            place.push_str(&format!(", {}", sentence.section));
        }
        place
    }
}

/// The different texts of a set of items, each embedded once.
struct Texts {
    list: Vec<String>,
    at: HashMap<String, usize>,
    anchors: Vec<usize>,
}

impl Texts {
    fn of(items: &[FrozenItem], sentences: &HashMap<SentenceId, Sentence>) -> Self {
        // The empty text stands for the question that the choices-only control leaves out.
        let mut texts = Self { list: Vec::new(), at: HashMap::new(), anchors: Vec::new() };
        texts.add("");
        for item in items {
            texts.add(&item.question.draft.question);
            item.question.draft.choices.iter().for_each(|c| {
                texts.add(c);
            });
        }
        let mut anchors: Vec<&Sentence> = sentences.values().collect();
        anchors.sort_unstable_by_key(|s| s.id);
        texts.anchors = anchors.into_iter().map(|s| texts.add(&s.text)).collect();
        texts
    }

    fn add(&mut self, text: &str) -> usize {
        if let Some(at) = self.at.get(text) {
            return *at;
        }
        let at = self.list.len();
        self.list.push(text.to_owned());
        self.at.insert(text.to_owned(), at);
        at
    }

    fn strs(&self) -> Vec<&str> {
        self.list.iter().map(String::as_str).collect()
    }

    fn row<'a>(&self, vectors: &'a Matrix, text: &str) -> &'a [f32] {
        self.at.get(text).map_or(&[], |at| vectors.row(*at))
    }

    /// cos(question, choice) for every choice of every item.
    fn score(&self, items: &[FrozenItem], vectors: &Matrix) -> Vec<ScoredItem> {
        items
            .iter()
            .map(|i| scored(i, |c| dot(self.row(vectors, &i.question.draft.question), self.row(vectors, c))))
            .collect()
    }

    fn anchor_rows(&self, vectors: &Matrix) -> Vec<f32> {
        self.anchors.iter().flat_map(|at| vectors.row(*at).iter().copied()).collect()
    }
}

fn scored(item: &FrozenItem, score: impl Fn(&str) -> f64) -> ScoredItem {
    let draft = &item.question.draft;
    ScoredItem {
        id: item.question.id,
        cluster: item.cluster,
        level: draft.level,
        question_type: draft.question_type,
        answer: draft.answer,
        scores: draft.choices.iter().map(|c| score(c)).collect(),
    }
}

/// The cosine of unit vectors.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

fn tfidf_scores(items: &[FrozenItem], corpus: &[String]) -> Vec<ScoredItem> {
    let texts: Vec<&str> = corpus.iter().map(String::as_str).collect();
    let model = TfIdf::fit(&texts);
    items
        .iter()
        .map(|i| {
            let question = model.vector(&i.question.draft.question);
            scored(i, |c| f64::from(question.cosine(&model.vector(c))))
        })
        .collect()
}

/// The losses that a worker reported: of training, and held out.
fn curves(events: &[JobEvent]) -> (Vec<CurvePoint>, Vec<CurvePoint>) {
    let mut train: BTreeMap<u64, f64> = BTreeMap::new();
    let mut dev: BTreeMap<u64, f64> = BTreeMap::new();
    for event in events {
        match &event.event {
            // A resumed run makes the steps since its checkpoint again: the later line counts.
            Event::Progress { step, loss: Some(loss), .. } => drop(train.insert(*step, *loss)),
            Event::Metric { name, value, step } if name == "dev_loss" => drop(dev.insert(*step, *value)),
            _ => {}
        }
    }
    let points = |map: BTreeMap<u64, f64>| map.into_iter().map(|(step, loss)| CurvePoint { step, loss }).collect();
    (points(train), points(dev))
}

/// A change as the report shows it.
fn shown(change: &Change, items: &[FrozenItem], place: &dyn Fn(SentenceId) -> String) -> Option<ChangedItem> {
    let question = &items.get(change.index)?.question;
    let draft = &question.draft;
    Some(ChangedItem {
        id: question.id,
        level: draft.level,
        question_type: draft.question_type,
        question: draft.question.clone(),
        choices: draft.choices.clone(),
        answer: draft.answer,
        before: change.before,
        after: change.after,
        margin_before: change.margin_before,
        margin_after: change.margin_after,
        place: place(draft.anchor_sentence),
    })
}

/// What these figures cannot show.
fn limits(dataset: &Dataset, items: &[FrozenItem]) -> Vec<String> {
    let mut limits = vec![
        format!(
            "Terms and questions entered under the policy “{}”: no expert has looked at them, so a right answer here \
             means agreement with the extractor and the generator, not with an expert.",
            dataset.policy.label()
        ),
        "The questions were written by the offline generator from patterns and minimal edits of the corpus itself. They \
         show whether the encoder tells these sentences and terms apart. They do not show whether it answers questions \
         that people ask."
            .to_owned(),
        "The encoder is small and English only; the run shows the process on your documents and is not for real advice."
            .to_owned(),
    ];
    if dataset.split_unit != "document" {
        limits.push(
            "There was one document, so training and test come from different articles of the same text. Figures on \
             another document can differ."
                .to_owned(),
        );
    }
    if !items.iter().any(|i| i.question.draft.level == QcaLevel::Token) {
        limits.push("There is no token-level question in the test part: near-miss terms were not measured.".to_owned());
    }
    limits
}

fn controls(items: &[FrozenItem], texts: &Texts, vectors: &Matrix, corpus: &[String]) -> Vec<ShortcutRow> {
    let blank = texts.row(vectors, "");
    let without_question: Vec<ScoredItem> =
        items.iter().map(|i| scored(i, |c| dot(blank, texts.row(vectors, c)))).collect();
    let of_choices: Vec<Vec<&[f32]>> =
        items.iter().map(|i| i.question.draft.choices.iter().map(|c| texts.row(vectors, c)).collect()).collect();
    let control_items: Vec<ControlItem> = items
        .iter()
        .zip(&without_question)
        .zip(&of_choices)
        .map(|((item, scored), rows)| ControlItem {
            choices: &item.question.draft.choices,
            answer: item.question.draft.answer,
            choices_only: Some(&scored.scores),
            vectors: Some(rows),
        })
        .collect();
    let index = CorpusIndex::new(corpus.iter().map(String::as_str));
    shortcuts::controls(&control_items, &index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_attempt_of_a_step_counts() {
        let line = |seq, step, loss| JobEvent {
            attempt: 1,
            seq,
            time: 0.0,
            event: Event::Progress {
                stage: "sentence".to_owned(),
                step,
                of: 3,
                loss: Some(loss),
                lr: None,
                tokens_per_s: None,
                memory_mb: None,
                eta_s: None,
            },
        };
        let (train, dev) = curves(&[line(0, 1, 2.0), line(1, 2, 1.5), line(2, 2, 1.25)]);
        let losses: Vec<f64> = train.iter().map(|p| p.loss).collect();
        assert_eq!(losses, [2.0, 1.25]);
        assert!(dev.is_empty());
    }
}
