//! The figure of a finished run on the dev part, by which a sweep chooses. The test part is not read.

use super::Evaluations;
use super::texts::Texts;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::training::{FrozenItem, Training, bundle_items};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, io_failure};
use lexforge_domain::api::{
    DevFigure, DevMeasure, OwnPairs, Preset, RunRow, Stage, TripletsMeasured,
};
use lexforge_domain::protocol::TripletItem;
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::ScoredItem;
use lexforge_evaluate::drawn::interval;

/// Resamples of an interval.
const RESAMPLES: usize = 2000;

impl Evaluations<'_> {
    /// The figure of a finished run on its dev part. The kind of recipe decides which measure it is.
    ///
    /// # Errors
    /// When the run has not finished, the dev part is empty, or the worker or model is missing.
    pub(crate) fn on_dev(&self, run: &RunRow, watcher: &dyn Watcher) -> Result<DevFigure> {
        let figure = match run.preset() {
            Some(Preset::Retrieval) => self.found_on_dev(run, DevMeasure::Map10)?,
            Some(Preset::Rerank) => self.found_on_dev(run, DevMeasure::Mrr10)?,
            Some(Preset::Nmixx) => self.told_apart_on_dev(run, watcher)?,
            Some(Preset::RulesAndPolicies) => self.matched_on_dev(run, watcher)?,
            _ => self.answered_on_dev(run, watcher)?,
        };
        figure
            .filter(|f| f.value.is_finite() && f.items > 0)
            .ok_or_else(|| {
                Failure::new(
                    Code::TooLittleData,
                    format!(
                        "Run {} has nothing in the dev part to be measured on.",
                        run.id
                    ),
                    "Import more documents, then build graph, questions and snapshot again.",
                )
            })
    }

    /// For these recipes, the figure is 1 minus the worker's held-out loss.
    fn found_on_dev(&self, run: &RunRow, measure: DevMeasure) -> Result<Option<DevFigure>> {
        let runs = Runs::of(self.workspace);
        let bundle = runs.bundle(run.id)?;
        let path = bundle.path(&train_job(&bundle)?.dev)?;
        let held_out = std::fs::read_to_string(&path).map_err(|e| io_failure(&e, &path))?;
        let items = held_out.lines().count() as u64;
        let result = runs.train_result(run.id)?;
        let loss = result.stages.last().and_then(|stage| stage.dev_loss_best);
        Ok(loss.map(|loss| DevFigure {
            measure,
            value: 1.0 - loss,
            items,
            // The worker reports only the mean.
            interval: None,
        }))
    }

    fn told_apart_on_dev(&self, run: &RunRow, watcher: &dyn Watcher) -> Result<Option<DevFigure>> {
        let wanted = TripletsMeasured {
            run: Some(run.id),
            base: None,
            percents: vec![100],
            split: Some(Split::Dev),
            own: OwnPairs::LeftOut,
            sets: Vec::new(),
        };
        let figures = self.measure_triplets(&wanted, watcher)?;
        let tuned = figures.points.iter().find(|point| point.percent == 100);
        Ok(tuned
            .and_then(|point| point.accuracy.as_ref())
            .map(|accuracy| DevFigure {
                measure: DevMeasure::TripletAccuracy,
                value: accuracy.value,
                items: figures.triplets,
                interval: accuracy.interval,
            }))
    }

    /// The share of the held-out triplets of matches whose positive is nearer than their negative.
    fn matched_on_dev(&self, run: &RunRow, watcher: &dyn Watcher) -> Result<Option<DevFigure>> {
        let runs = Runs::of(self.workspace);
        let bundle = runs.bundle(run.id)?;
        let job = train_job(&bundle)?;
        let items: Vec<TripletItem> = bundle_items(&bundle, &job.dev)?;
        let models = Models::of(self.workspace);
        let base = BaseModel {
            sha256: job.model.sha256,
            ..models.base(Some(&run.base))?
        };
        let texts: Vec<&str> = items
            .iter()
            .flat_map(|item| [&item.source, &item.positive, &item.negative])
            .map(String::as_str)
            .collect();
        if texts.is_empty() {
            return Ok(None);
        }
        let adapter = runs.adapter_dir(run.id)?;
        let made = models.embed_texts(&base, Some(&adapter), &texts, Stage::Evaluate, watcher)?;
        let vectors = made.0.normalized();
        let cosine = |a: usize, b: usize| -> f32 {
            let pairs = vectors.row(a).iter().zip(vectors.row(b));
            pairs.map(|(x, y)| x * y).sum()
        };
        let nearer = |at: &usize| cosine(3 * at, 3 * at + 1) > cosine(3 * at, 3 * at + 2);
        let right = (0..items.len()).filter(nearer).count();
        Ok(Some(DevFigure {
            measure: DevMeasure::TripletAccuracy,
            value: right as f64 / items.len() as f64,
            items: items.len() as u64,
            // A few sections are held out: too few to draw from.
            interval: None,
        }))
    }

    /// Uses the scorer that an evaluation puts first: the likelihood for a decoder, the cosine for an encoder.
    fn answered_on_dev(&self, run: &RunRow, watcher: &dyn Watcher) -> Result<Option<DevFigure>> {
        let runs = Runs::of(self.workspace);
        let dataset = Training::of(self.workspace).dataset(run.snapshot()?)?;
        let job = train_job(&runs.bundle(run.id)?)?;
        let adapter = runs.adapter_dir(run.id)?;
        let models = Models::of(self.workspace);
        // The very model that was trained on.
        let base = BaseModel {
            sha256: job.model.sha256.clone(),
            ..models.base(Some(&run.base))?
        };
        let readable = Training::of(self.workspace).readable(&dataset, &base)?;
        let mut items: Vec<FrozenItem> = readable.items;
        items.retain(|item| item.question.split == Split::Dev);
        if items.is_empty() {
            return Ok(None);
        }
        let scored = if readable.model.decoder {
            let precision = job.settings.precision;
            self.score_choices(&base, Some(&adapter), precision, &items, watcher)?
                .primary()
        } else {
            let texts = Texts::of_questions_and_choices(&items);
            let strs = texts.strs();
            let made =
                models.embed_texts(&base, Some(&adapter), &strs, Stage::Evaluate, watcher)?;
            texts.score(&items, &made.0)
        };
        let right: Vec<bool> = scored.iter().map(ScoredItem::is_right).collect();
        let clusters: Vec<i64> = scored.iter().map(|item| item.cluster).collect();
        let share = |drawn: &[usize]| {
            let n = drawn
                .iter()
                .filter(|&&i| right.get(i) == Some(&true))
                .count();
            (!drawn.is_empty()).then(|| n as f64 / drawn.len() as f64)
        };
        let all: Vec<usize> = (0..right.len()).collect();
        Ok(share(&all).map(|value| DevFigure {
            measure: DevMeasure::Accuracy,
            value,
            items: right.len() as u64,
            interval: interval(&clusters, RESAMPLES, DEFAULT_SEED, share),
        }))
    }
}
