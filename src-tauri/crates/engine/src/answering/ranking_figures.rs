//! Figures of rankings with how sure they are.

use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::api::RankingFigures;
use lexforge_domain::metrics::Comparison;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::ranking::{NAMES, Outcome, Relevant, Run, read_run};
use lexforge_evaluate::ranking_spread;
use std::collections::BTreeMap;

/// Resamples behind an interval, and swaps behind a p-value.
const RESAMPLES: usize = 2_000;

/// A question's ranking as it was measured.
#[derive(Clone)]
pub(crate) struct Measured {
    /// The cluster of the question: questions of one cluster are drawn together.
    pub cluster: String,
    /// Its kind, where it has one.
    pub kind: Option<String>,
    /// How well it was ranked.
    pub outcome: Outcome,
}

/// With clusters as numbers, in the order of their names.
fn clustered<'m>(measured: impl Iterator<Item = &'m Measured> + Clone) -> Vec<(usize, Outcome)> {
    let names: BTreeMap<&str, ()> = measured.clone().map(|m| (m.cluster.as_str(), ())).collect();
    let numbers: BTreeMap<&str, usize> = names.into_keys().zip(0..).collect();
    measured
        .map(|m| (numbers[m.cluster.as_str()], m.outcome))
        .collect()
}

/// The figures of all questions, and by kind.
pub(crate) fn figures(measured: &[Measured], unit: &str) -> RankingFigures {
    let mut all = figures_of(&clustered(measured.iter()), unit);
    let kinds: BTreeMap<&str, ()> = measured
        .iter()
        .filter_map(|m| Some((m.kind.as_deref()?, ())))
        .collect();
    all.by_kind = kinds
        .into_keys()
        .map(|kind| {
            let of = measured.iter().filter(|m| m.kind.as_deref() == Some(kind));
            (kind.to_owned(), figures_of(&clustered(of), unit))
        })
        .collect();
    all
}

fn figures_of(outcomes: &[(usize, Outcome)], unit: &str) -> RankingFigures {
    let found = ranking_spread::figures(outcomes, RESAMPLES, DEFAULT_SEED);
    let value = |place: usize| found[place].map_or(0.0, |figure| figure.value);
    let clusters: std::collections::HashSet<usize> = outcomes.iter().map(|o| o.0).collect();
    RankingFigures {
        n: outcomes.len(),
        recall_10: value(0),
        map_10: value(1),
        ndcg_10: value(2),
        mrr: value(3),
        both_10: found[4].map(|figure| figure.value),
        unit: unit.to_owned(),
        clusters: clusters.len(),
        intervals: NAMES
            .iter()
            .zip(found)
            .filter_map(|(name, figure)| {
                let figure = figure?;
                Some(((*name).to_owned(), [figure.low, figure.high]))
            })
            .collect(),
        ..RankingFigures::default()
    }
}

/// What differs between two rankings of the same questions, in the same order.
pub(crate) fn compared(
    before: &[Measured],
    after: &[Measured],
    unit: &str,
    against: &str,
) -> Vec<Comparison> {
    ranking_spread::compare(
        &clustered(before.iter()),
        &clustered(after.iter()),
        unit,
        against,
        RESAMPLES,
        DEFAULT_SEED,
    )
}

/// The relevant passages, read from lines in TREC's form.
pub(super) fn relevant(qrels: &str) -> Result<Relevant> {
    Relevant::read(qrels).map_err(|line| {
        Failure::new(
            Code::InvalidRequest,
            format!("Line {line} of the relevant passages cannot be read."),
            "Each line has four parts: the question's id, 0, the passage's id, and 1 where it is relevant.",
        )
    })
}

/// A run, read from lines in TREC's form.
pub(super) fn run(text: &str) -> Result<Run> {
    read_run(text).map_err(|line| {
        Failure::new(
            Code::InvalidRequest,
            format!("Line {line} of the run cannot be read."),
            "Each line has six parts: the question's id, Q0, the passage's id, its rank, its score (a number), and the run's name. No passage stands twice for a question.",
        )
    })
}

/// The failure where there is nothing to measure.
pub(super) fn nothing_relevant() -> Failure {
    Failure::new(
        Code::TooLittleData,
        "None of the questions has a relevant passage.",
        "Check that the ids of the questions are those of the relevant passages.",
    )
}

/// The figures of a stored ranking (a run file), computed as trec_eval does: over the questions that have both relevant
/// passages and a line in the file. Questions with the same first relevant passage form one cluster.
///
/// # Errors
/// When a line cannot be read, or no question has a relevant passage.
pub fn ranking_figures(
    qrels: &str,
    ranked: &str,
    against: Option<(&str, &str)>,
) -> Result<RankingFigures> {
    const UNIT: &str = "passage";
    let relevant = relevant(qrels)?;
    let (ranked, other) = (
        run(ranked)?,
        against.map(|(_, text)| run(text)).transpose()?,
    );
    let mut questions: Vec<&str> = relevant.questions().collect();
    questions.sort_unstable();
    let (there, missing): (Vec<&str>, Vec<&str>) = questions
        .into_iter()
        .partition(|question| ranked.contains_key(*question));
    let of = |run: &Run| -> Vec<Measured> {
        let judged = there.iter().filter_map(|q| Some((*q, relevant.of(q)?)));
        judged
            .map(|(question, judged)| Measured {
                cluster: judged.first.clone(),
                kind: None,
                outcome: Outcome::of(
                    run.get(question).map(Vec::as_slice).unwrap_or_default(),
                    &judged.gains,
                ),
            })
            .collect()
    };
    let measured = of(&ranked);
    if measured.is_empty() {
        return Err(nothing_relevant());
    }
    let mut all = figures(&measured, UNIT);
    all.missing = missing.len();
    if let (Some((name, _)), Some(other)) = (against, other) {
        all.against = compared(&of(&other), &measured, UNIT, name);
    }
    Ok(all)
}
