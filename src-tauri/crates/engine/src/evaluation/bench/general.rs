//! Whether systems still understand general language: how well their cosines agree with people's scores of sentence
//! pairs. The result is added to their figures in the domain.

use super::systems::{Prompt, System};
use crate::evaluation::Evaluations;
use crate::evaluation::alike::{Figures, Set};
use crate::evaluation::scorers::EMBEDDING;
use crate::evaluation::texts::dot;
use crate::models::{Embedding, Models};
use crate::workspace::{Result, Watcher, tell};
use lexforge_domain::api::{BenchMissing, BenchTable, GeneralFigures, ScoredPair, Stage};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::statistics::holm;
use std::collections::HashMap;

/// Pairs below which nothing is measured.
const FEWEST: usize = 20;

/// Refuses pairs with which systems cannot be compared.
pub(in crate::evaluation) fn check(pairs: &[ScoredPair]) -> Result<()> {
    let alike = pairs.windows(2).all(|two| two[0].score == two[1].score);
    let empty = |pair: &ScoredPair| pair.a.trim().is_empty() || pair.b.trim().is_empty();
    let why = if pairs.len() < FEWEST {
        format!(
            "there are {} of them, and {FEWEST} are the least",
            pairs.len()
        )
    } else if pairs.iter().any(|pair| !pair.score.is_finite()) {
        "one has a score that is no number".to_owned()
    } else if pairs.iter().any(empty) {
        "one has an empty text".to_owned()
    } else if alike {
        "all have the same score".to_owned()
    } else {
        return Ok(());
    };
    Err(Failure::invalid(
        format!("The pairs of general language measure nothing: {why}."),
        "Give a file of a test of sentence similarity, with the scores that people gave.",
    ))
}

impl Evaluations<'_> {
    /// Adds figures of general language to each system that has vectors: how well its cosines agree with people's
    /// scores, and the difference from the baseline. A system that cannot be measured is listed as missing, with the
    /// reason.
    pub(super) fn add_general(
        &self,
        table: &mut BenchTable,
        pairs: &[ScoredPair],
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut texts: Vec<&str> = Vec::new();
        let mut place = |text| {
            *numbers.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            })
        };
        let places: Vec<[usize; 2]> = pairs
            .iter()
            .map(|pair| [place(pair.a.as_str()), place(pair.b.as_str())])
            .collect();
        let with_vectors = table.systems.iter().filter(|row| row.scorer == EMBEDDING);
        let names: Vec<String> = with_vectors.map(|row| row.system.clone()).collect();
        let mut cosines: Vec<(String, Vec<f64>)> = Vec::new();
        for name in names {
            tell(watcher, Stage::Evaluate, &name, 0, 0);
            match self.cosines_of_pairs(&name, &texts, &places, watcher) {
                Ok(Some(found)) => cosines.push((name, found)),
                // Systems that count words, and several runs as one system, have no such figures.
                Ok(None) => {}
                Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                Err(failure) => table.missing.push(BenchMissing {
                    system: name,
                    failure,
                }),
            }
        }
        let set = Set::of_file("general language".to_owned(), pairs.to_vec());
        let base = cosines
            .iter()
            .find(|(name, _)| Some(name) == table.baseline.as_ref());
        let mut found: Vec<(&str, GeneralFigures)> = Vec::new();
        for (name, of) in &cosines {
            let before = base.filter(|(base, _)| base != name);
            let figures = set.figures(of, before.map(|(_, of)| of.as_slice()), &places);
            found.push((name.as_str(), of_figures(&figures, pairs.len())));
        }
        let p_values: Vec<f64> = found.iter().filter_map(|(_, one)| one.p_holm).collect();
        let mut corrected = holm(&p_values).into_iter();
        for (name, mut figures) in found {
            figures.p_holm = figures.p_holm.and_then(|_| corrected.next());
            let mut rows = table.systems.iter_mut();
            if let Some(row) = rows.find(|row| row.system == name && row.scorer == EMBEDDING) {
                row.general = Some(figures);
            }
        }
        table.notes.push(
            "General language: the rank correlation of cosines with people's scores; of systems that count words, and of several runs as one, it is not taken."
                .to_owned(),
        );
        Ok(())
    }

    /// The cosine of each pair by the vectors of a system; `None` if no model makes its vectors.
    fn cosines_of_pairs(
        &self,
        name: &str,
        texts: &[&str],
        places: &[[usize; 2]],
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<f64>>> {
        let (base, adapter, prompt) = match System::of_name(name) {
            Some(System::Model { base, prompt }) => (self.model(&base)?, None, prompt),
            Some(System::Run(run)) => {
                let (base, adapter) = self.tuned(run)?;
                (base, Some(adapter), Prompt::None)
            }
            Some(System::Checkpoint(run, checkpoint)) => {
                let (base, adapter) = self.tuned_until(run, &checkpoint)?;
                (base, Some(adapter), Prompt::None)
            }
            _ => return Ok(None),
        };
        let put: Vec<String> = texts.iter().map(|text| prompt.around(text)).collect();
        let put: Vec<&str> = put.iter().map(String::as_str).collect();
        let what = Embedding {
            goes_on: prompt != Prompt::None,
            ..Embedding::of(Stage::Evaluate)
        };
        let models = Models::of(self.workspace);
        let (vectors, _) = models.embed_as(&base, adapter.as_deref(), &put, &what, watcher)?;
        let cosine = |[a, b]: &[usize; 2]| dot(vectors.row(*a), vectors.row(*b));
        let cosines: Vec<f64> = places.iter().map(cosine).collect();
        let alike = cosines.windows(2).all(|two| two[0] == two[1]);
        if alike || cosines.iter().any(|cosine| !cosine.is_finite()) {
            return Err(Failure::new(
                Code::TooLittleData,
                format!(
                    "{name} finds all pairs of general language equally alike, so that they have no order."
                ),
                "Leave it out, or give other pairs.",
            ));
        }
        Ok(Some(cosines))
    }
}

/// `p_holm` is not corrected yet.
fn of_figures(figures: &Figures, n: usize) -> GeneralFigures {
    let gained = figures.gained.as_ref();
    GeneralFigures {
        n,
        spearman: figures.spearman,
        gained: gained.map(|(gain, _)| *gain),
        p_holm: gained.and_then(|(_, p)| *p),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_measure_nothing_are_refused_in_words() {
        let pairs = |n: usize, score: fn(usize) -> f64| -> Vec<ScoredPair> {
            let pair = |i: usize| ScoredPair {
                a: format!("a {i}"),
                b: format!("b {i}"),
                score: score(i),
            };
            (0..n).map(pair).collect()
        };
        assert!(check(&pairs(FEWEST, |i| i as f64)).is_ok());
        let told = |pairs: &[ScoredPair]| check(pairs).unwrap_err().message;
        assert!(told(&pairs(19, |i| i as f64)).contains("there are 19"));
        assert!(told(&pairs(30, |_| 3.0)).contains("the same score"));
        assert!(
            told(&pairs(30, |i| if i == 7 { f64::NAN } else { i as f64 })).contains("no number")
        );
        let mut empty = pairs(30, |i| i as f64);
        empty[4].b = " ".to_owned();
        assert!(told(&empty).contains("an empty text"));
    }
}
