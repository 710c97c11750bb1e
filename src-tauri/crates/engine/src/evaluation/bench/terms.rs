//! Systems on terms in contexts: of two contexts, which is the nearer one.

use super::asked::Questions;
use super::course::Course;
use super::lines::Answers;
use super::systems::{Prompt, each_alone};
use crate::evaluation::Evaluations;
use crate::evaluation::scorers::RESAMPLES;
use crate::models::BaseModel;
use crate::training::FrozenItem;
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::{TermsLine, TermsTable};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::exam::TermInContext;
use lexforge_domain::metrics::TermFigures;
use lexforge_domain::qca::{Qca, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::{Code, DatasetId, Failure, QcaId, SentenceId};
use lexforge_evaluate::terms_apart::{PairScore, figures};
use lexforge_text::fold::letters;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// The unit that is drawn as a whole for intervals.
const UNIT: &str = "term";
/// Terms below which a reader is told that they are few.
const FEW_TERMS: usize = 30;

/// Which systems are put side by side on which set.
#[derive(Clone, Debug, Default)]
pub struct TermsBenchRequest {
    /// The name of a set that was brought in; `None` = what the snapshot gives.
    pub set: Option<String>,
    /// The snapshot; the newest where none is named.
    pub dataset: Option<DatasetId>,
    /// The systems, as the bench names them. If none are named, all of them.
    pub systems: Vec<String>,
}

/// Terms in contexts, of a set that was brought in or of a snapshot.
struct ContextPairs {
    set: String,
    hash: String,
    dataset: Option<Dataset>,
    pairs: Vec<TermInContext>,
}

impl Evaluations<'_> {
    /// Measures how well every system tells terms apart in their contexts. A system that cannot be measured is named
    /// with the reason; the others stay in the table.
    ///
    /// # Errors
    /// When there is no such set or snapshot, no pair can be made from it, a name belongs to no system, or the caller
    /// cancelled.
    pub(crate) fn bench_terms(
        &self,
        request: &TermsBenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<TermsTable> {
        let ContextPairs {
            set,
            hash,
            dataset,
            pairs,
        } = self.context_pairs(request)?;
        let (systems, mut missing) = self.systems(dataset.as_ref(), &request.systems)?;
        each_alone(&systems)?;
        let items = items(&pairs);
        let corpus = self.bench_corpus()?;
        let corpus = if corpus.is_empty() {
            texts(&pairs)
        } else {
            corpus
        };
        let questions = Questions::ByVectors(&items);
        let measured =
            self.all_measured(&systems, questions, (&corpus, &[]), &mut missing, watcher)?;
        let rows: Vec<TermsLine> = measured
            .iter()
            .map(|(system, answers)| line(system, &scores(&items, answers), &pairs))
            .collect();
        let terms: HashSet<i64> = items.iter().map(|item| item.cluster).collect();
        Ok(TermsTable {
            set,
            hash,
            unit: UNIT.to_owned(),
            n: pairs.len(),
            clusters: terms.len(),
            notes: notes(&rows, (pairs.len(), terms.len()), dataset.is_some()),
            systems: rows,
            missing,
        })
    }

    /// The questions that a bench on terms asks, and the snapshot that they are made of.
    pub(super) fn term_questions(
        &self,
        request: &TermsBenchRequest,
    ) -> Result<(Option<Dataset>, Vec<FrozenItem>)> {
        let found = self.context_pairs(request)?;
        Ok((found.dataset, items(&found.pairs)))
    }

    fn context_pairs(&self, request: &TermsBenchRequest) -> Result<ContextPairs> {
        let (set, hash, dataset, pairs) = match &request.set {
            Some(name) => {
                let (row, pairs) = self.terms_apart(name)?;
                (row.name, row.hash, None, pairs)
            }
            None => {
                let (dataset, pairs) = self.made_terms_apart(request.dataset)?;
                let items = serde_json::json!(pairs).to_string();
                let hash = hex::encode(Sha256::digest(items));
                (
                    format!("snapshot {}", dataset.id),
                    hash,
                    Some(dataset),
                    pairs,
                )
            }
        };
        Ok(ContextPairs {
            set,
            hash,
            dataset,
            pairs,
        })
    }

    /// The figures of a base model and of the model tuned from it, on the pairs of a snapshot's test part. `None` if
    /// there is no pair, if the graph that divided the snapshot no longer exists, or if the model reads none of the
    /// pairs.
    pub(in crate::evaluation) fn terms_of_both(
        &self,
        dataset: &Dataset,
        base: &BaseModel,
        adapter: &Path,
        watcher: &dyn Watcher,
    ) -> Result<Option<[TermFigures; 2]>> {
        let absent = |failure: &Failure| {
            matches!(failure.code, Code::StepMissing | Code::LanguageUnsupported)
        };
        let pairs = match self.apart_of(dataset) {
            Err(failure) if absent(&failure) => return Ok(None),
            other => other?,
        };
        if pairs.is_empty() {
            return Ok(None);
        }
        let items = items(&pairs);
        let course = Course::of(watcher);
        let of = |adapter: Option<&Path>| -> Result<TermFigures> {
            let questions = Questions::ByVectors(&items);
            let answers = self.answers(questions, base, adapter, Prompt::None, &course)?;
            Ok(figures_of(&items, &answers))
        };
        match of(None) {
            Err(failure) if absent(&failure) => Ok(None),
            before => Ok(Some([before?, of(Some(adapter))?])),
        }
    }
}

/// The figures over all pairs that a system can read.
fn figures_of(items: &[FrozenItem], answers: &Answers) -> TermFigures {
    let scores = scores(items, answers);
    figures(
        scores.iter().map(|(_, score)| score),
        RESAMPLES,
        DEFAULT_SEED,
    )
}

/// Each pair that a system can read: its index, and the nearness of its contexts.
fn scores(items: &[FrozenItem], answers: &Answers) -> Vec<(usize, PairScore)> {
    let scored = answers.lines.iter().filter_map(|line| {
        let at = usize::try_from(line.id - 1).ok()?;
        let item = items.get(at)?;
        let label = item.question.draft.answer;
        let score = PairScore {
            cluster: item.cluster as usize,
            label,
            right: line.cosine.get(label).copied().unwrap_or(f64::NAN),
            wrong: line.cosine.get(1 - label).copied().unwrap_or(f64::NAN),
        };
        Some((at, score))
    });
    scored.collect()
}

fn line(system: &str, scores: &[(usize, PairScore)], pairs: &[TermInContext]) -> TermsLine {
    let acts: BTreeSet<&str> = pairs.iter().filter_map(|p| p.act.as_deref()).collect();
    let mut by_act: BTreeMap<String, TermFigures> = acts
        .into_iter()
        .map(|act| {
            let of = scores
                .iter()
                .filter(|(at, _)| pairs[*at].act.as_deref() == Some(act))
                .map(|(_, score)| score);
            (act.to_owned(), figures(of, RESAMPLES, DEFAULT_SEED))
        })
        .filter(|(_, figures)| figures.n > 0)
        .collect();
    let mut all = figures(scores.iter().map(|(_, s)| s), RESAMPLES, DEFAULT_SEED);
    if system == "bm25" {
        // The scores of this system are no cosines.
        without_gap(&mut all);
        by_act.values_mut().for_each(without_gap);
    }
    TermsLine {
        system: system.to_owned(),
        figures: all,
        by_act,
        unread: pairs.len() - scores.len(),
    }
}

fn without_gap(figures: &mut TermFigures) {
    (figures.mean_cosine_gap, figures.mean_cosine_gap_ci95) = (0.0, [0.0, 0.0]);
}

/// The pairs as the bench asks them, numbered from 1: the contexts at their places, those of one term in one cluster.
fn items(pairs: &[TermInContext]) -> Vec<FrozenItem> {
    let mut clusters: HashMap<String, i64> = HashMap::new();
    (1..)
        .zip(pairs)
        .map(|(id, pair)| {
            let next = clusters.len() as i64;
            let cluster = *clusters.entry(letters(&pair.term)).or_insert(next);
            let mut choices = vec![pair.context_pos.clone(), pair.context_neg.clone()];
            if pair.label == 1 {
                choices.reverse();
            }
            let draft = QcaDraft {
                question: pair.shown().to_owned(),
                choices,
                answer: pair.label.min(1),
                ..QcaDraft::new(
                    QcaLevel::Token,
                    QuestionType::Term,
                    SentenceId(id),
                    QuestionSource::Offline,
                )
            };
            FrozenItem {
                question: Qca::unreviewed(QcaId(id), draft, Split::Test),
                cluster,
                answer_group: id,
            }
        })
        .collect()
}

fn texts(pairs: &[TermInContext]) -> Vec<String> {
    let of = |p: &TermInContext| {
        [
            p.shown().to_owned(),
            p.context_pos.clone(),
            p.context_neg.clone(),
        ]
    };
    let all: BTreeSet<String> = pairs.iter().flat_map(of).collect();
    all.into_iter().collect()
}

fn notes(rows: &[TermsLine], (n, terms): (usize, usize), made: bool) -> Vec<String> {
    let mut notes = vec![
        "Intervals resample terms: all pairs of a term stand or fall together. Pairs of one act may be alike in ways that this \
         does not show."
            .to_owned(),
    ];
    if made {
        notes.push(
            "Made of the snapshot's test part: a use of a term, its meaning in that act, and another meaning. No text of a pair \
             was seen in training."
                .to_owned(),
        );
    }
    if terms < FEW_TERMS {
        notes.push(format!(
            "The pairs are of {terms} terms only: their figures say little."
        ));
    }
    for row in rows.iter().filter(|row| row.unread > 0) {
        notes.push(format!(
            "{} reads {} of {n} pairs.",
            row.system, row.figures.n
        ));
    }
    if rows.iter().any(|row| row.system == "bm25") {
        notes.push("bm25 has no gap: its scores are no cosines.".to_owned());
    }
    notes
}
