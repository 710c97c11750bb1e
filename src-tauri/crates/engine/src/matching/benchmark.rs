//! Methods of matching, measured on sets whose links people have made.

use super::linked;
use super::methods::{BM25, COMBINATION, FromFile, Method, methods};
use super::reading::{Set, folders};
use super::separated::{self, Outcomes};
use super::sides::Vectors;
use super::thresholds;
use crate::answering::{Measured, compared, figures};
use crate::models::{BaseModel, DEFAULT_ENCODER, base_models};
use crate::workspace::{Result, Watcher, cancelled, io_failure};
use lexforge_domain::api::{MatchMethodRow, RankingFigures};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::ranking::Outcome;
use lexforge_files::name_of;
use lexforge_graph::pairing;
use lexforge_text::language;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Controls of a ranking that are written down.
const DEPTH: usize = 100;
/// The least by which the scores that are written fall.
const LEAST: f64 = 1e-6;
/// The unit of inference.
const UNIT: &str = "section";

/// The sets to measure, and the encoders for it.
#[derive(Clone, Debug, Default)]
pub struct BenchmarkRequest {
    /// A folder with a set, or with folders that have one each.
    pub folder: PathBuf,
    /// Encoders besides those that are found, by the paths of their folders.
    pub encoders: Vec<String>,
    /// A file of word vectors in the text form of word2vec or GloVe.
    pub word_vectors: Option<PathBuf>,
}

/// The figures, and the ranking of the method that the product uses in TREC's form.
pub struct Benchmarked {
    /// One row for each method and set.
    pub rows: Vec<MatchMethodRow>,
    /// A line a control.
    pub run: String,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// An encoder that is a method of its own.
pub(super) struct MeasuredEncoder {
    pub name: String,
    pub base: BaseModel,
    /// The folder of its adapter; `None` = untuned.
    pub adapter: Option<PathBuf>,
}

/// Measures every method on a set. The result does not change which method the product uses.
///
/// # Errors
/// When a folder holds no set, or a file cannot be read.
pub fn benchmark(request: &BenchmarkRequest, watcher: &dyn Watcher) -> Result<Benchmarked> {
    measured_by(request, Vec::new(), watcher)
}

/// Measures every method, and these tuned encoders beside those that are found.
pub(super) fn measured_by(
    request: &BenchmarkRequest,
    tuned: Vec<MeasuredEncoder>,
    watcher: &dyn Watcher,
) -> Result<Benchmarked> {
    let mut done = Benchmarked {
        rows: Vec::new(),
        run: String::new(),
        warnings: Vec::new(),
    };
    let mut encoders = encoders(request, &mut done.warnings);
    encoders.extend(tuned);
    let file = match &request.word_vectors {
        Some(path) => Some((
            name_of(path),
            std::fs::read_to_string(path).map_err(|e| io_failure(&e, path))?,
        )),
        None => None,
    };
    let file = file.as_ref().map(|(name, text)| FromFile {
        name: name.clone(),
        text,
    });
    // Methods over all sets, each with the number of sets, and the encoders that they were compared with.
    let (mut pooled, mut together): (Vec<(usize, Outcomes)>, Vec<String>) = Default::default();
    for folder in folders(&request.folder)? {
        if watcher.cancelled() {
            return Err(cancelled("Nothing was kept."));
        }
        let set = Set::read(&folder)?;
        let vectors = vectors(&set, &encoders, &mut done.warnings, watcher)?;
        // Untuned encoders come first. If none could be run, nothing is compared with a tuned one in its place.
        let first = vectors.first().map(|v| v.encoder.as_str());
        let first = encoders.iter().find(|one| Some(one.name.as_str()) == first);
        let untuned = first.filter(|one| one.adapter.is_none());
        let base = untuned.map(|one| &one.base);
        let untuned = untuned.map(|one| one.name.clone());
        let folder = std::env::temp_dir();
        let usual = untuned.is_some();
        let ways = linked::ways(
            &set,
            vectors.first().filter(|_| usual),
            base,
            language_of(&set),
            &folder,
            watcher,
        )?;
        let all = methods(&set, (vectors, usual), file.as_ref(), ways).map_err(|line| {
            Failure::invalid(
                format!("Line {line} of the word vectors cannot be read."),
                "Each line has a word and its values, as word2vec and GloVe write them.",
            )
        })?;
        let clusters = set.clusters();
        let candidates = set.texts.texts.len();
        for part in set.parts() {
            let part = part.as_deref();
            let name =
                part.map_or_else(|| set.name.clone(), |part| format!("{}: {part}", set.name));
            let outcomes: Vec<Outcomes> = all
                .iter()
                .map(|m| Outcomes {
                    method: m.name.clone(),
                    measured: measured(&set, m, part, &clusters),
                    apart: separated::of_part(&set, m, part),
                    cosines: m.cosines,
                    above: thresholds::of_part(&set, m, part),
                })
                .collect();
            done.rows
                .extend(rows(&name, candidates, &outcomes, untuned.as_deref()));
            pool(&mut pooled, &name, &outcomes);
        }
        together.extend(untuned);
        if let Some(chosen) = all.iter().find(|m| m.name == COMBINATION) {
            written(&set, chosen, &mut done.run);
        }
    }
    if pooled.first().is_some_and(|(sets, _)| *sets > 1) {
        let untuned = together.first().map(String::as_str);
        let outcomes: Vec<Outcomes> = pooled.into_iter().map(|(_, outcomes)| outcomes).collect();
        done.rows.extend(rows("all sets", 0, &outcomes, untuned));
    }
    Ok(done)
}

/// The encoders on disk, the one that comes with the product first.
fn encoders(request: &BenchmarkRequest, warnings: &mut Vec<String>) -> Vec<MeasuredEncoder> {
    let mut found: Vec<BaseModel> = Vec::new();
    match base_models() {
        Ok(rows) => {
            let usable = rows
                .into_iter()
                .filter(|row| !row.decoder && row.problem.is_none());
            for row in usable {
                let given = row.path.as_deref().unwrap_or(&row.name).to_owned();
                found.push(BaseModel::named(Some(&given)));
            }
        }
        Err(failure) => warnings.push(format!("No encoder was run: {}", failure.message)),
    }
    let named = request
        .encoders
        .iter()
        .map(|name| BaseModel::named(Some(name)));
    found.extend(named);
    found.sort_by_key(|base| base.name != DEFAULT_ENCODER);
    found.dedup_by(|a, b| a.name == b.name && a.folders == b.folders);
    let untuned = |base: BaseModel| MeasuredEncoder {
        name: base.title(false),
        base,
        adapter: None,
    };
    found.into_iter().map(untuned).collect()
}

fn vectors(
    set: &Set,
    encoders: &[MeasuredEncoder],
    warnings: &mut Vec<String>,
    watcher: &dyn Watcher,
) -> Result<Vec<Vectors>> {
    let sides = [set.asked.texts.as_slice(), set.texts.texts.as_slice()];
    let language = language_of(set);
    let folder = std::env::temp_dir();
    let mut all = Vec::new();
    for one in encoders {
        let by = (&one.base, one.adapter.as_deref());
        match Vectors::encoded(&folder, by, sides, language, watcher) {
            Ok(vectors) => all.push(Vectors {
                encoder: one.name.clone(),
                ..vectors
            }),
            Err(failure) if failure.code == Code::Cancelled => return Err(failure),
            Err(failure) => warnings.push(format!("{} was not run: {}", one.name, failure.message)),
        }
    }
    Ok(all)
}

/// The language of a set, by its first controls.
fn language_of(set: &Set) -> Language {
    let sample: String = set
        .texts
        .texts
        .iter()
        .take(20)
        .map(|t| t.whole() + "\n")
        .collect();
    match language::detect(&sample) {
        Language::Other => Language::En,
        known => known,
    }
}

/// The outcome of each requirement of a part, by one method.
fn measured(set: &Set, method: &Method, part: Option<&str>, clusters: &[String]) -> Vec<Measured> {
    let mut all = Vec::new();
    for (at, linked) in set.links.iter().enumerate() {
        if part.is_some() && set.asked.standards[at].as_deref() != part {
            continue;
        }
        let ranking: Vec<usize> = pairing::greatest(&method.rows[at], usize::MAX)
            .into_iter()
            .map(|b| b.0)
            .collect();
        let gains: HashMap<usize, u32> = linked.iter().map(|place| (*place, 1)).collect();
        all.push(Measured {
            cluster: clusters[at].clone(),
            kind: None,
            outcome: Outcome::of(&ranking, &gains),
        });
    }
    all
}

/// Adds the outcomes of a set to those of the sets before it. Sections of different sets are different ones.
fn pool(pooled: &mut Vec<(usize, Outcomes)>, set: &str, outcomes: &[Outcomes]) {
    for of_set in outcomes {
        let renamed = of_set.measured.iter().map(|m| Measured {
            cluster: format!("{set}: {}", m.cluster),
            ..m.clone()
        });
        let known = pooled
            .iter_mut()
            .find(|(_, known)| known.method == of_set.method);
        match known {
            Some((sets, all)) => {
                *sets += 1;
                all.measured.extend(renamed);
                all.apart.extend(&of_set.apart);
                thresholds::add(&mut all.above, &of_set.above);
            }
            None => pooled.push((
                1,
                Outcomes {
                    measured: renamed.collect(),
                    ..of_set.clone()
                },
            )),
        }
    }
}

fn rows(
    set: &str,
    candidates: usize,
    outcomes: &[Outcomes],
    untuned: Option<&str>,
) -> Vec<MatchMethodRow> {
    let of = |name: &str| outcomes.iter().find(|known| known.method == name);
    let untuned = untuned.and_then(of);
    let baselines: Vec<&Outcomes> = [of(BM25), untuned].into_iter().flatten().collect();
    outcomes
        .iter()
        .map(|outcome| {
            // A method that was not run on every set cannot be compared over all of them.
            let comparable = |of: &&&Outcomes| {
                of.method != outcome.method && of.measured.len() == outcome.measured.len()
            };
            let against = baselines
                .iter()
                .filter(comparable)
                .flat_map(|of| compared(&of.measured, &outcome.measured, UNIT, &of.method))
                .collect();
            let figures = RankingFigures {
                against,
                ..figures(&outcome.measured, UNIT)
            };
            MatchMethodRow {
                set: set.to_owned(),
                method: outcome.method.clone(),
                chosen: outcome.method == COMBINATION,
                candidates,
                figures,
                s1: separated::mean(outcome, "s1"),
                s2: separated::mean(outcome, "s2"),
                thresholds: thresholds::shares(&outcome.above),
                gains: untuned
                    .as_ref()
                    .filter(comparable)
                    .map(|of| separated::gains(outcome, of, UNIT))
                    .unwrap_or_default(),
            }
        })
        .collect()
}

/// The ranking in TREC's form. Blanks in ids would part the columns.
fn written(set: &Set, method: &Method, run: &mut String) {
    let plain = |id: &str| id.split_whitespace().collect::<Vec<_>>().join("_");
    for (at, row) in method.rows.iter().enumerate() {
        let mut last = f64::INFINITY;
        for (rank, (place, score)) in pairing::greatest(row, DEPTH).into_iter().enumerate() {
            // Equal scores would be put in another order by those that read the scores alone.
            last = f64::from(score).min(last - LEAST);
            let (asked, control) = (plain(&set.asked.ids[at]), plain(&set.texts.ids[place]));
            let _ = writeln!(run, "{asked} Q0 {control} {} {last:.6} lexforge", rank + 1);
        }
    }
}
