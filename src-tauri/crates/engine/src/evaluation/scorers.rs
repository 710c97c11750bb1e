//! A decoder's answers to the test questions under every scorer (docs/methods.md, "Evaluation").

use super::Evaluations;
use super::outcomes::outcomes;
use super::texts::with_scores;
use crate::models::{ADAPTER_DIR, BaseModel, copy_adapter, result_lines, run_job, wrong_result};
use crate::training::FrozenItem;
use crate::workspace::{DEFAULT_SEED, Result, Scratch, Watcher, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::gate::ItemOutcome;
use lexforge_domain::metrics::{Comparison, QcaMetrics, ScorerRow};
use lexforge_domain::protocol::{
    Event, Job, JobEvent, JobResult, Precision, ScoreItem, ScoreJob, ScoreLine,
};
use lexforge_evaluate::{ScoredItem, qca, significance};
use std::path::Path;

/// Most tokens of a written answer; one that names a choice is about as long as the choice.
const MOST_WRITTEN: usize = 128;
/// Resamples of bootstrap and permutation.
pub(crate) const RESAMPLES: usize = 2_000;
const INPUT: &str = "inputs/questions.jsonl";
const OUTPUT: &str = "scores.jsonl";

/// The scorer by which decoders are compared.
pub(crate) const PRIMARY: &str = "likelihood";
/// The scorer whose gap is a difference of cosines.
pub(crate) const EMBEDDING: &str = "embedding";

/// The scorer by which a system's words are read.
pub(crate) const GENERATION: &str = "generation";

/// The scorers by which decoders stand in a table of systems, the primary one first.
pub(crate) const OF_DECODERS: [&str; 3] = [PRIMARY, GENERATION, EMBEDDING];

/// How a scorer reads a line.
type Read = fn(&ScoreLine, choices: usize) -> Vec<f64>;

/// All scorers, the primary one first.
const SCORERS: [(&str, Read); 5] = [
    (PRIMARY, |line, _| line.likelihood.clone()),
    ("per_byte", |line, _| line.per_byte.clone()),
    ("pmi", |line, _| line.pmi.clone()),
    (GENERATION, |line, choices| named(line, choices)),
    (EMBEDDING, |line, _| line.cosine.clone()),
];

/// A written answer as scores: 1 for the choice that it names; NaN for all choices if it names none.
fn named(line: &ScoreLine, choices: usize) -> Vec<f64> {
    match line.written.as_ref().and_then(|written| written.choice) {
        Some(choice) => (0..choices)
            .map(|i| f64::from(u8::from(i == choice)))
            .collect(),
        None => Vec::new(),
    }
}

/// How a decoder is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scoring {
    pub(crate) precision: Precision,
    /// The decoder also answers each question without its choices.
    pub(crate) open: bool,
}

impl From<Precision> for Scoring {
    fn from(precision: Precision) -> Self {
        Self {
            precision,
            ..Self::default()
        }
    }
}

/// The scores of a decoder for each question.
pub(crate) struct Scores<'a> {
    items: &'a [FrozenItem],
    lines: Vec<ScoreLine>,
}

impl Evaluations<'_> {
    /// Scores of the choices of questions under a decoder and, where given, the adapter in a folder.
    pub(crate) fn score_choices<'a>(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        how: impl Into<Scoring>,
        items: &'a [FrozenItem],
        watcher: &dyn Watcher,
    ) -> Result<Scores<'a>> {
        let Scoring { precision, open } = how.into();
        let scratch = Scratch::new(&self.workspace.bundles_dir()?, "score")?;
        if let Some(adapter) = adapter {
            copy_adapter(adapter, &scratch.path().join(ADAPTER_DIR))?;
        }
        let job = Job::Score(ScoreJob {
            model: base.reference(),
            adapter: adapter.map(|_| ADAPTER_DIR.to_owned()),
            input: INPUT.to_owned(),
            output: OUTPUT.to_owned(),
            generate: true,
            open,
            embed: true,
            max_new_tokens: MOST_WRITTEN,
            precision,
            threads: 0,
        });
        let question = |item: &FrozenItem| {
            let draft = &item.question.draft;
            let (question, choices) = (draft.question.clone(), draft.choices.clone());
            serde_json::json!(ScoreItem {
                id: item.question.id.0,
                question,
                choices
            })
        };
        let title = base.title(adapter.is_some());
        let mut on_event = |event: &JobEvent| {
            if let Event::Progress { step, of, .. } = &event.event {
                tell(watcher, Stage::Evaluate, &title, *step, *of);
            }
        };
        let inputs = [(INPUT, items.iter().map(question).collect())];
        let result = run_job(
            &scratch,
            &job,
            &inputs,
            &base.folders,
            &mut on_event,
            &|| watcher.cancelled(),
        )?;
        let JobResult::Score(result) = result else {
            return Err(wrong_result());
        };
        let lines: Vec<ScoreLine> = result_lines(&scratch, &result.output)?;
        let paired = lines.len() == items.len()
            && lines
                .iter()
                .zip(items)
                .all(|(l, i)| l.id == i.question.id.0);
        if paired {
            Ok(Scores { items, lines })
        } else {
            Err(wrong_result())
        }
    }
}

impl<'a> Scores<'a> {
    /// The scores of these questions, one line for each, in their order.
    pub(super) fn of(items: &'a [FrozenItem], lines: Vec<ScoreLine>) -> Self {
        Self { items, lines }
    }

    /// The lines, one for each question.
    pub(super) fn into_lines(self) -> Vec<ScoreLine> {
        self.lines
    }

    /// The questions as a scorer answers them; `None` where there is no scorer of this name.
    pub(super) fn named(&self, scorer: &str) -> Option<Vec<ScoredItem>> {
        let found = SCORERS.iter().find(|(name, _)| *name == scorer);
        found.map(|(_, read)| self.under(*read))
    }

    /// The questions as the primary scorer answers them.
    pub(crate) fn primary(&self) -> Vec<ScoredItem> {
        self.under(SCORERS[0].1)
    }

    /// The outcomes as they are kept: the choice of the primary scorer, with the gap of the embedding scorer.
    pub(crate) fn outcomes(&self) -> Vec<ItemOutcome> {
        let mut outcomes = outcomes(&self.primary());
        let vectors = SCORERS.iter().find(|(name, _)| *name == EMBEDDING);
        for (outcome, item) in outcomes.iter_mut().zip(
            vectors
                .map(|(_, read)| self.under(*read))
                .unwrap_or_default(),
        ) {
            outcome.gap = item.gap();
        }
        outcomes
    }

    fn under(&self, read: Read) -> Vec<ScoredItem> {
        self.items
            .iter()
            .zip(&self.lines)
            .map(|(item, line)| {
                let choices = item.question.draft.choices.len();
                let mut scores = read(line, choices);
                // A choice without a score is never chosen, and counts as wrong.
                scores.resize(choices, f64::NAN);
                with_scores(item, scores)
            })
            .collect()
    }

    /// Scores of the choices without the question; `None` of a question that is too long.
    pub(crate) fn choices_only(&self) -> impl Iterator<Item = Option<&[f64]>> {
        self.lines
            .iter()
            .map(|line| (!line.too_long).then_some(line.choices_only.as_slice()))
    }

    pub(crate) fn too_long(&self) -> usize {
        self.lines.iter().filter(|line| line.too_long).count()
    }

    fn unparseable(&self) -> usize {
        self.lines
            .iter()
            .filter(|l| l.written.as_ref().is_some_and(|w| w.choice.is_none()))
            .count()
    }
}

/// The figures of two systems under every scorer.
pub(crate) struct Compared {
    pub(crate) before: QcaMetrics,
    pub(crate) after: QcaMetrics,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) scorers: Vec<ScorerRow>,
}

/// Compares a decoder before and after its tuning. The cosine gap always comes from the embedding scorer, because the
/// other scorers give log-likelihoods, and a difference of these is not a cosine.
pub(crate) fn compare(
    before: &Scores,
    after: &Scores,
    against: &str,
    unit: &str,
) -> Result<Compared> {
    let mut rows = Vec::new();
    let mut primary: Option<(QcaMetrics, QcaMetrics, Vec<Comparison>)> = None;
    let mut gaps = None;
    for (name, read) in SCORERS {
        let (old, new) = (before.under(read), after.under(read));
        let comparisons =
            significance::compare(&old, &new, against, unit, RESAMPLES, DEFAULT_SEED)?;
        let mut figures = [&old, &new].map(|items| qca::metrics(items, RESAMPLES, DEFAULT_SEED));
        if name == EMBEDDING {
            gaps = Some((
                figures.clone(),
                comparisons
                    .iter()
                    .find(|c| c.measure == "choice_cosine_gap")
                    .cloned(),
            ));
        } else {
            figures.iter_mut().for_each(without_gap);
        }
        let [old, new] = figures;
        if name == PRIMARY {
            primary = Some((old, new, comparisons));
            continue;
        }
        let Some(comparison) = comparisons.into_iter().find(|c| c.measure == "accuracy") else {
            continue;
        };
        let generation = name == "generation";
        rows.push(ScorerRow {
            scorer: name.to_owned(),
            before: old,
            after: new,
            comparison,
            unparseable_before: if generation { before.unparseable() } else { 0 },
            unparseable_after: if generation { after.unparseable() } else { 0 },
        });
    }
    let (mut old, mut new, mut comparisons) = primary.ok_or_else(wrong_result)?;
    comparisons.retain(|c| c.measure != "choice_cosine_gap");
    if let Some(([old_gap, new_gap], comparison)) = gaps {
        take_gap(&mut old, &old_gap);
        take_gap(&mut new, &new_gap);
        comparisons.extend(comparison);
    }
    Ok(Compared {
        before: old,
        after: new,
        comparisons,
        scorers: rows,
    })
}

/// Takes a gap away that is no difference of cosines.
pub(super) fn without_gap(figures: &mut QcaMetrics) {
    (figures.choice_cosine_gap, figures.gap_ci95) = (0.0, [0.0, 0.0]);
    let groups = figures
        .by_level
        .values_mut()
        .chain(figures.by_type.values_mut());
    groups.for_each(|group| group.choice_cosine_gap = 0.0);
}

fn take_gap(figures: &mut QcaMetrics, of: &QcaMetrics) {
    (figures.choice_cosine_gap, figures.gap_ci95) = (of.choice_cosine_gap, of.gap_ci95);
    for (to, from) in [
        (&mut figures.by_level, &of.by_level),
        (&mut figures.by_type, &of.by_type),
    ] {
        for (name, group) in to {
            group.choice_cosine_gap = from.get(name).map_or(0.0, |g| g.choice_cosine_gap);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
