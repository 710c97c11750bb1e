//! Measures a model before and after its training, on the test questions (docs/methods.md, "Evaluation"). An encoder
//! is measured by the embedding scorer, a decoder by every scorer.

use super::Evaluations;
use super::documents::documents_of;
use super::limits::limits;
use super::outcomes::{both, outcomes};
use super::report::{LeftOut, Shown};
use super::scorers::{Compared, EMBEDDING, PRIMARY, RESAMPLES, compare};
use super::term_seen::TermSeen;
use super::texts::{Texts, dot, scored};
use crate::corpus::Corpus;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::training::{FrozenItem, Training, stage_curves};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, now, tell};
use lexforge_domain::api::{EvaluationView, Hashes, Stage};
use lexforge_domain::document::Sentence;
use lexforge_domain::gate::ItemOutcome;
use lexforge_domain::metrics::{
    ChangedItem, Evaluation, ShortcutRow, SpaceAudit, StageCurve, TermFigures,
};
use lexforge_domain::protocol::TrainJob;
use lexforge_domain::qca::Split;
use lexforge_domain::{RunId, SentenceId};
use lexforge_evaluate::changed::{self, Change};
use lexforge_evaluate::overlap::CorpusIndex;
use lexforge_evaluate::shortcuts::{self, ControlItem};
use lexforge_evaluate::{ScoredItem, qca, significance, space, statistics};
use lexforge_graph::Matrix;
use lexforge_graph::tfidf::TfIdf;
use std::collections::HashMap;
use std::path::Path;

/// Changed questions that the report shows, for better and for worse.
const CHANGED_SHOWN: usize = 20;

/// The questions on which a run is measured.
struct Test<'a> {
    items: &'a [FrozenItem],
    sentences: &'a HashMap<SentenceId, Sentence>,
    corpus: Vec<String>,
    /// Unit of inference.
    unit: &'static str,
    against: String,
}

/// The measurements before and after the tuning.
struct Measured {
    scorer: &'static str,
    figures: Compared,
    too_long: usize,
    shortcuts: Vec<ShortcutRow>,
    space: [SpaceAudit; 2],
    /// The questions as the primary scorer answers them.
    answers: [Vec<ScoredItem>; 2],
    /// The answers in the form in which they are kept.
    outcomes: [Vec<ItemOutcome>; 2],
}

/// What is told of a run beside what was measured.
struct Beside {
    base: String,
    stages: Vec<StageCurve>,
    terms: Option<[TermFigures; 2]>,
    limits: Vec<String>,
}

impl Evaluations<'_> {
    /// Evaluate a finished run against its base on the snapshot's test part, keep the figures, and write the report.
    ///
    /// # Errors
    /// When the run has not finished, the test part is empty, or the worker or model is missing.
    pub fn evaluate(&self, run: RunId, watcher: &dyn Watcher) -> Result<EvaluationView> {
        let row = Runs::of(self.workspace).run(run)?;
        let dataset = Training::of(self.workspace).dataset(row.snapshot()?)?;
        let bundle = Runs::of(self.workspace).bundle(run)?;
        let job = train_job(&bundle)?;
        let result = Runs::of(self.workspace).train_result(run)?;
        let adapter = Runs::of(self.workspace).adapter_dir(run)?;
        // The very model that was trained on.
        let base = BaseModel {
            sha256: job.model.sha256.clone(),
            ..Models::of(self.workspace).base(Some(&row.base))?
        };
        let readable = Training::of(self.workspace).readable(&dataset, &base)?;
        if !readable.has_test_item() {
            return Err(readable.nothing_to_test());
        }
        let term_seen = TermSeen::of(&readable.items);
        let items: Vec<FrozenItem> = readable
            .items
            .into_iter()
            .filter(|i| i.question.split == Split::Test)
            .collect();
        let sentences = self.anchors(&items)?;
        let test = Test {
            items: &items,
            sentences: &sentences,
            corpus: Corpus::of(self.workspace)
                .sentences(None)?
                .into_iter()
                .map(|s| s.text)
                .collect(),
            unit: dataset.clusters_by().tag(),
            against: format!("base {}", row.base),
        };
        let mut measured = if readable.model.decoder {
            self.measure_decoder(&test, &base, &job, &adapter, watcher)?
        } else {
            self.measure_encoder(&test, &base, &adapter, watcher)?
        };
        let terms = self.terms_of_both(&dataset, &base, &adapter, watcher)?;
        tell(watcher, Stage::Evaluate, "statistics", 0, 1);
        let names: Vec<&str> = job
            .settings
            .stages
            .iter()
            .map(|s| s.objective.stage())
            .collect();
        let stages = stage_curves(&names, &bundle.events(None)?);
        let limits = limits(
            &dataset,
            &items,
            &readable.model,
            measured.too_long,
            measured.figures.after.clusters,
        );
        let (scorer, outcomes) = (measured.scorer, std::mem::take(&mut measured.outcomes));
        let beside = Beside {
            base: row.base.clone(),
            stages,
            terms,
            limits,
        };
        let evaluation = self.told(measured, &test, &term_seen, beside)?;
        let view = EvaluationView {
            run,
            created: now(),
            report: self.report_path(Some(run)).display().to_string(),
            hashes: Hashes {
                documents: documents_of(
                    &Corpus::of(self.workspace).documents()?,
                    Some(&dataset.corpus_hash),
                ),
                corpus: dataset.corpus_hash.clone(),
                dataset: dataset.hash.clone(),
                base: job.model.sha256,
                adapter: result.adapter_sha256.to_string(),
                audit_head: self.workspace.store.read(|r| r.audit_head())?,
            },
            evaluation,
            dataset,
        };
        let snapshot = view.dataset.id;
        let kept = both(scorer, &view.hashes, outcomes);
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.put_evaluation(run, &view)?;
            kept.iter().try_for_each(|o| w.put_outcomes(snapshot, o))
        })?;
        tell(watcher, Stage::Evaluate, "statistics", 1, 1);
        let kept = self.evaluation(run)?.unwrap_or(view);
        let model = Shown {
            run: &Runs::of(self.workspace).run(run)?,
            evaluation: Some(&kept),
        };
        self.write_report(&[model], LeftOut::default(), watcher)?;
        Ok(kept)
    }

    /// What was measured, with the comparisons corrected for their number, and the questions that changed.
    fn told(
        &self,
        measured: Measured,
        test: &Test,
        term_seen: &TermSeen,
        beside: Beside,
    ) -> Result<Evaluation> {
        let Beside {
            base,
            stages,
            terms,
            limits,
        } = beside;
        let changes = changed::changes(&measured.answers[0], &measured.answers[1])?;
        let place = |id| self.place(test.sentences, id);
        let list = |changes: &[Change]| {
            changes
                .iter()
                .take(CHANGED_SHOWN)
                .filter_map(|c| shown(c, test.items, &place))
                .collect::<Vec<_>>()
        };
        let Compared {
            mut before,
            mut after,
            mut comparisons,
            scorers,
        } = measured.figures;
        statistics::correct(&mut comparisons);
        for (figures, answers) in [&mut before, &mut after].into_iter().zip(&measured.answers) {
            figures.by_term_seen = term_seen.groups(answers);
        }
        let [space_before, space_after] = measured.space;
        Ok(Evaluation {
            scorer: measured.scorer.to_owned(),
            base,
            before,
            after,
            comparisons,
            scorers,
            too_long: measured.too_long,
            shortcuts: measured.shortcuts,
            tfidf: Some(qca::metrics(
                &tfidf_scores(test.items, &test.corpus),
                RESAMPLES,
                DEFAULT_SEED,
            )),
            space_before,
            space_after,
            improved_total: changes.improved.len(),
            worsened_total: changes.worsened.len(),
            improved: list(&changes.improved),
            worsened: list(&changes.worsened),
            train_curve: stages
                .iter()
                .flat_map(|s| s.train.iter().copied())
                .collect(),
            dev_curve: stages.iter().flat_map(|s| s.dev.iter().copied()).collect(),
            stages,
            terms,
            limits,
        })
    }

    /// An encoder, by the cosine of question and choice.
    fn measure_encoder(
        &self,
        test: &Test,
        base: &BaseModel,
        adapter: &Path,
        watcher: &dyn Watcher,
    ) -> Result<Measured> {
        let texts = Texts::of(test.items, test.sentences);
        let strs = texts.strs();
        let before = Models::of(self.workspace)
            .embed_texts(base, None, &strs, Stage::Evaluate, watcher)?
            .0;
        let after = Models::of(self.workspace)
            .embed_texts(base, Some(adapter), &strs, Stage::Evaluate, watcher)?
            .0;
        let answers = [
            texts.score(test.items, &before),
            texts.score(test.items, &after),
        ];
        let [old, new] = &answers;
        Ok(Measured {
            scorer: EMBEDDING,
            figures: Compared {
                before: qca::metrics(old, RESAMPLES, DEFAULT_SEED),
                after: qca::metrics(new, RESAMPLES, DEFAULT_SEED),
                comparisons: significance::compare(
                    old,
                    new,
                    &test.against,
                    test.unit,
                    RESAMPLES,
                    DEFAULT_SEED,
                )?,
                scorers: Vec::new(),
            },
            too_long: 0,
            shortcuts: controls(test.items, &texts, &before, &test.corpus),
            space: [
                texts.space(test.items, &before),
                texts.space(test.items, &after),
            ],
            outcomes: [outcomes(old), outcomes(new)],
            answers,
        })
    }

    /// A decoder, by every scorer; its space by the vectors of the embedding scorer.
    fn measure_decoder(
        &self,
        test: &Test,
        base: &BaseModel,
        job: &TrainJob,
        adapter: &Path,
        watcher: &dyn Watcher,
    ) -> Result<Measured> {
        let precision = job.settings.precision;
        let before = self.score_choices(base, None, precision, test.items, watcher)?;
        let after = self.score_choices(base, Some(adapter), precision, test.items, watcher)?;
        tell(watcher, Stage::Evaluate, "statistics", 0, 1);
        let texts = Texts::of_anchors(test.sentences);
        let space = |adapter| -> Result<SpaceAudit> {
            let vectors = Models::of(self.workspace)
                .embed_texts(base, adapter, &texts.strs(), Stage::Evaluate, watcher)?
                .0;
            Ok(space::audit(&texts.anchor_rows(&vectors), vectors.dim))
        };
        let index = CorpusIndex::new(test.corpus.iter().map(String::as_str));
        let control = |(item, choices_only)| control_item(item, choices_only, None);
        let tuned: Vec<ControlItem> = test
            .items
            .iter()
            .zip(after.choices_only())
            .map(control)
            .collect();
        let mut shortcuts = shortcuts::controls(&tuned, &index);
        // The base model's score without seeing the question shows how much the choices alone reveal. The tuned model's
        // score without the question shows how much of this it has learnt.
        let base_alone = test.items.iter().zip(before.choices_only());
        let base_alone =
            base_alone.filter_map(|(i, scores)| Some((scores?.to_vec(), i.question.draft.answer)));
        shortcuts.insert(
            shortcuts.len().min(1),
            shortcuts::row("choices_only_base", base_alone),
        );
        shortcuts.retain(|row| row.n > 0);
        Ok(Measured {
            scorer: PRIMARY,
            figures: compare(&before, &after, &test.against, test.unit)?,
            too_long: before.too_long().max(after.too_long()),
            shortcuts,
            space: [space(None)?, space(Some(adapter))?],
            answers: [before.primary(), after.primary()],
            outcomes: [before.outcomes(), after.outcomes()],
        })
    }

    /// The stored evaluation of a run.
    pub fn evaluation(&self, run: RunId) -> Result<Option<EvaluationView>> {
        Ok(self.workspace.store.read(|r| r.evaluation(run))?)
    }

    fn anchors(&self, items: &[FrozenItem]) -> Result<HashMap<SentenceId, Sentence>> {
        let mut ids: Vec<SentenceId> = items
            .iter()
            .map(|i| i.question.draft.anchor_sentence)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&ids))?
            .into_iter()
            .map(|s| (s.id, s))
            .collect())
    }

    /// The place of an anchor: `GDPR.pdf, page 33, Article 4`.
    fn place(&self, sentences: &HashMap<SentenceId, Sentence>, id: SentenceId) -> String {
        let Some(sentence) = sentences.get(&id) else {
            return String::new();
        };
        let file = Corpus::of(self.workspace)
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

/// A change as the report shows it.
fn shown(
    change: &Change,
    items: &[FrozenItem],
    place: &dyn Fn(SentenceId) -> String,
) -> Option<ChangedItem> {
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

fn control_item<'a>(
    item: &'a FrozenItem,
    choices_only: Option<&'a [f64]>,
    vectors: Option<&'a [&'a [f32]]>,
) -> ControlItem<'a> {
    let draft = &item.question.draft;
    ControlItem {
        choices: &draft.choices,
        answer: draft.answer,
        choices_only,
        vectors,
    }
}

fn controls(
    items: &[FrozenItem],
    texts: &Texts,
    vectors: &Matrix,
    corpus: &[String],
) -> Vec<ShortcutRow> {
    let blank = texts.row(vectors, "");
    let without_question: Vec<ScoredItem> = items
        .iter()
        .map(|i| scored(i, |c| dot(blank, texts.row(vectors, c))))
        .collect();
    let of_choices: Vec<Vec<&[f32]>> = items
        .iter()
        .map(|i| {
            i.question
                .draft
                .choices
                .iter()
                .map(|c| texts.row(vectors, c))
                .collect()
        })
        .collect();
    let control_items: Vec<ControlItem> = items
        .iter()
        .zip(&without_question)
        .zip(&of_choices)
        .map(|((item, scored), rows)| control_item(item, Some(&scored.scores), Some(rows)))
        .collect();
    let index = CorpusIndex::new(corpus.iter().map(String::as_str));
    shortcuts::controls(&control_items, &index)
}
