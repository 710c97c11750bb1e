//! Measures what a tuning on triplets gained and what it cost. One figure is how often the positive text is nearer than
//! the negative one. The other is how well cosines agree with people's scores of sentence pairs, in the domain and in
//! general language.

use super::Evaluations;
use super::alike::{RESAMPLES, Set};
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::{
    Bounded, OwnPairs, ScoredPair, Stage, TripletFigures, TripletFilter, TripletPoint, TripletRow,
    TripletsMeasured,
};
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_evaluate::drawn::interval;
use lexforge_graph::Matrix;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The texts of triplets and sets, each once, and where each stands.
struct Texts<'t> {
    all: Vec<&'t str>,
    triplets: Vec<[usize; 3]>,
    sets: Vec<Vec<[usize; 2]>>,
}

impl<'t> Texts<'t> {
    fn of(rows: &'t [TripletRow], sets: &'t [Set]) -> Self {
        let mut all: Vec<&str> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut place = |text: &'t str| {
            *places.entry(text).or_insert_with(|| {
                all.push(text);
                all.len() - 1
            })
        };
        let of_row = |row: &'t TripletRow| {
            let t = &row.triplet;
            [&t.source, &t.positive, &t.negative].map(String::as_str)
        };
        let triplets = rows.iter().map(|row| of_row(row).map(&mut place)).collect();
        let pairs = sets.iter().map(|set| {
            let pair = |p: &'t ScoredPair| [p.a.as_str(), p.b.as_str()];
            set.pairs.iter().map(|p| pair(p).map(&mut place)).collect()
        });
        let sets = pairs.collect();
        Self {
            all,
            triplets,
            sets,
        }
    }
}

impl Evaluations<'_> {
    /// Measures an encoder on the workspace's triplets and on pairs that people scored: before its tuning, after it,
    /// and for mixtures of the two.
    ///
    /// # Errors
    /// When there is neither a triplet nor a pair, too few pairs are scored, the run has no adapter of an encoder, or
    /// the worker or the model is missing.
    pub fn measure_triplets(
        &self,
        wanted: &TripletsMeasured,
        watcher: &dyn Watcher,
    ) -> Result<TripletFigures> {
        let (sets, remarks) = self.sets(wanted)?;
        let own = sets.len() > wanted.sets.len();
        let mut rows = match wanted.split {
            None => Vec::new(),
            split => {
                let filter = TripletFilter {
                    split,
                    ..TripletFilter::default()
                };
                self.workspace.store.read(|r| r.triplets(&filter))?.rows
            }
        };
        rows.retain(TripletRow::is_used);
        if rows.is_empty() && sets.is_empty() {
            let split = wanted.split.unwrap_or(Split::Test);
            return Err(Failure::new(
                Code::StepMissing,
                format!(
                    "There are no triplets in the part {} and no pairs.",
                    split.tag()
                ),
                Remedy::MakeTriplets,
            ));
        }
        let base = self.base_of(wanted)?;
        let texts = Texts::of(&rows, &sets);
        let mut percents: BTreeSet<u8> = match wanted.run {
            Some(_) => wanted.percents.iter().copied().collect(),
            None => BTreeSet::new(),
        };
        percents.insert(0);
        let (mut points, mut before): (Vec<TripletPoint>, Option<Vec<Vec<f64>>>) =
            (Vec::new(), None);
        for percent in percents {
            let adapter = match (wanted.run, percent) {
                (Some(run), 1..) => Some(Runs::of(self.workspace).blended(run, percent)?.0),
                _ => None,
            };
            let vectors = self.vectors(&base, adapter.as_deref(), &texts.all, watcher)?;
            let (point, cosines) =
                point(percent, &vectors, &texts, &rows, &sets, before.as_deref());
            points.push(point);
            before.get_or_insert(cosines);
        }
        let clusters: BTreeSet<i64> = rows.iter().map(|row| row.triplet.cluster).collect();
        let size = |set: &Set| (set.name.clone(), set.pairs.len() as u64);
        Ok(TripletFigures {
            run: wanted.run,
            base: base.name,
            split: wanted.split.unwrap_or(Split::Test),
            triplets: rows.len() as u64,
            clusters: clusters.len() as u64,
            sets: sets.iter().map(size).collect(),
            own,
            points,
            remarks,
        })
    }

    /// The sets of pairs, those of the workspace first, and what a reader should know of these.
    fn sets(&self, wanted: &TripletsMeasured) -> Result<(Vec<Set>, Vec<String>)> {
        if wanted.own == OwnPairs::LeftOut {
            return Ok((files(wanted).collect(), Vec::new()));
        }
        let must = wanted.own == OwnPairs::Wanted;
        let own = match Set::of_workspace(self.workspace) {
            Ok(own) => own,
            Err(failure) if must => return Err(failure),
            // If triplets are measured, too few pairs are reported, but they do not stop the measuring.
            Err(failure) => {
                let sets = files(wanted).collect();
                return Ok((sets, vec![failure.message]));
            }
        };
        let (own, remarks) = own.map_or((None, Vec::new()), |(set, said)| (Some(set), said));
        if own.is_none() && must {
            return Err(Failure::new(
                Code::StepMissing,
                "No pairs of sentences were drawn in this workspace.",
                "Draw pairs and let experts score them first.",
            ));
        }
        Ok((own.into_iter().chain(files(wanted)).collect(), remarks))
    }

    fn base_of(&self, wanted: &TripletsMeasured) -> Result<BaseModel> {
        let Some(run) = wanted.run else {
            return Models::of(self.workspace).base(wanted.base.as_deref());
        };
        let row = Runs::of(self.workspace).run(run)?;
        if !row.is_of_encoder() {
            return Err(Failure::invalid(
                format!("Run {run} tuned a decoder, which compares no sentences."),
                "Name a run of the recipe nmixx, retrieval or encoder.",
            ));
        }
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        Ok(BaseModel {
            sha256: job.model.sha256,
            ..Models::of(self.workspace).base(Some(&row.base))?
        })
    }

    fn vectors(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        let models = Models::of(self.workspace);
        let made = models.embed_texts(base, adapter, texts, Stage::Evaluate, watcher)?;
        Ok(made.0)
    }
}

/// The sets of files.
fn files(wanted: &TripletsMeasured) -> impl Iterator<Item = Set> {
    let sets = wanted.sets.iter();
    sets.map(|(name, pairs)| Set::of_file(name.clone(), pairs.clone()))
}

/// The figures of one encoder, and the cosines of its sets.
fn point(
    percent: u8,
    vectors: &Matrix,
    texts: &Texts<'_>,
    rows: &[TripletRow],
    sets: &[Set],
    before: Option<&[Vec<f64>]>,
) -> (TripletPoint, Vec<Vec<f64>>) {
    let cosine = |a: usize, b: usize| -> f64 {
        let (a, b) = (vectors.row(a), vectors.row(b));
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            let products = a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y));
            products.sum()
        };
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt().max(f64::MIN_POSITIVE)
    };
    let right: Vec<f64> = texts
        .triplets
        .iter()
        .map(|[s, p, n]| f64::from(u8::from(cosine(*s, *p) > cosine(*s, *n))))
        .collect();
    let mut by_shift: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for (row, right) in rows.iter().zip(&right) {
        let of_shift = by_shift.entry(row.triplet.shift.clone()).or_default();
        (of_shift.0, of_shift.1) = (of_shift.0 + right, of_shift.1 + 1);
    }
    for (sum, n) in by_shift.values_mut() {
        *sum /= *n as f64;
    }
    let clusters: Vec<i64> = rows.iter().map(|row| row.triplet.cluster).collect();
    let share = |drawn: &[usize]| mean(drawn.iter().filter_map(|&i| right.get(i).copied()));
    let whole: Vec<usize> = (0..right.len()).collect();
    let accuracy = share(&whole).map(|value| Bounded {
        value,
        interval: interval(&clusters, RESAMPLES, DEFAULT_SEED, share),
    });
    let mut cosines: Vec<Vec<f64>> = Vec::new();
    let mut all = Vec::with_capacity(sets.len());
    for (number, (set, places)) in sets.iter().zip(&texts.sets).enumerate() {
        let own: Vec<f64> = places.iter().map(|[a, b]| cosine(*a, *b)).collect();
        let before = before.and_then(|before| before.get(number));
        all.push(set.figures(&own, before.map(Vec::as_slice), places));
        cosines.push(own);
    }
    let gains = all.iter().filter_map(|of| of.gained);
    let (gained, gained_p) = gains.unzip();
    let point = TripletPoint {
        percent,
        accuracy,
        by_shift,
        similarity: all.iter().map(|of| of.spearman).collect(),
        pearson: all.iter().map(|of| of.pearson).collect(),
        gained,
        gained_p,
    };
    (point, cosines)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0u64), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_the_figures_of_each_set_beside_those_before_it() {
        let pair = |score| ScoredPair {
            a: "a".to_owned(),
            b: format!("b {score}"),
            score,
        };
        let pairs = vec![pair(1.0), pair(2.0), pair(3.0)];
        let sets = vec![Set::of_file("own".to_owned(), pairs)];
        let texts = Texts::of(&[], &sets);
        assert_eq!(texts.all.len(), 4);
        // The nearer, the more alike people find them.
        let rows = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]];
        let vectors = Matrix {
            rows: 4,
            dim: 2,
            data: rows.concat(),
        };
        let (found, cosines) = point(0, &vectors, &texts, &[], &sets, None);
        assert_eq!(found.accuracy, None);
        assert!((found.similarity[0].value - 1.0).abs() < 1e-9);
        assert!(found.gained.is_empty() && found.pearson.len() == 1);
        let turned: Vec<Vec<f64>> = vec![cosines[0].iter().map(|c| -c).collect()];
        let (found, _) = point(100, &vectors, &texts, &[], &sets, Some(&turned));
        assert!((found.gained[0].value - 2.0).abs() < 1e-9);
        // The three share a sentence: they are one unit, so nothing can be resampled.
        assert_eq!((found.gained[0].interval, found.gained_p[0]), (None, None));
    }
}
