//! How well clauses are ranked, on questions whose right passages are known.

use super::Answering;
use super::clauses::Clauses;
use super::find::Search;
use super::ranking_figures::{Measured, compared, figures, nothing_relevant, relevant, run};
use crate::workspace::{Result, Silent};
use lexforge_domain::api::{EncoderChoice, RankingReport, SearchMode};
use lexforge_domain::{RunId, SentenceId};
use lexforge_evaluate::ranking::{Outcome, Relevant};
use lexforge_text::fold::letters;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// Passages of a ranking that are written down.
const DEPTH: usize = 100;

/// The least by which the scores that are written fall.
const LEAST: f64 = 2e-6;

/// A question of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankQuery {
    pub id: String,
    /// Its words.
    pub text: String,
    /// The kind of question, if its file states it.
    pub kind: Option<String>,
}

/// Questions with what is right.
#[derive(Clone, Debug, Default)]
pub struct RankRequest {
    pub questions: Vec<RankQuery>,
    /// Lines of TREC's form: question, 0, passage, relevance.
    pub qrels: String,
    /// How clauses are searched; none = by words, and by vectors where the workspace has them.
    pub mode: Option<SearchMode>,
    /// The encoder; `None` = the encoder of the graph.
    pub encoder: Option<EncoderChoice>,
    /// Words and vectors have equal weight, even if a ranker was fitted or a cross-encoder is on.
    pub half: bool,
    /// The run whose cross-encoder orders the first clauses. If it is `None`, the cross-encoder that is switched on is
    /// used. With `half`, no cross-encoder is used.
    pub rerank: Option<RunId>,
    /// The ranking to compare with.
    pub against: Option<Against>,
}

/// Another ranking of the same questions.
#[derive(Clone, Debug)]
pub enum Against {
    /// A run in TREC's form, with its name. A question without a line in it counts as 0.
    Run(String, String),
    /// The clauses searched in this way.
    Mode(SearchMode),
    /// Words and vectors with equal weight, in the same mode.
    Half,
    /// The ranking in the same mode, without a cross-encoder.
    FoundOrder,
}

/// Figures, and the ranking in TREC's form.
pub struct Ranked {
    /// The figures.
    pub report: RankingReport,
    /// A line a passage.
    pub run: String,
}

/// The unit of inference: the document of a question's first right passage.
const UNIT: &str = "document";

/// Passages with their scores, best first.
type Passages = Vec<(String, f64)>;

impl Answering<'_> {
    /// Ranks the clauses for each question and compares the ranking with the relevant passages.
    ///
    /// # Errors
    /// When a line of the relevant passages cannot be read, or no question has a relevant passage.
    pub fn rank(&self, request: &RankRequest) -> Result<Ranked> {
        let relevant = relevant(&request.qrels)?;
        let search = self.search_measured(request.mode, request, request.half)?;
        let search = match request.rerank {
            // A user who names it gets the reason why it cannot be used.
            Some(run) => {
                self.cross_encoder_answers(&self.cross_encoder(run)?)?;
                self.put_in_order(search, Some(run))?
            }
            None if request.half => search,
            None => self.put_in_order(search, None)?,
        };
        let questions: Vec<&str> = request.questions.iter().map(|q| q.text.as_str()).collect();
        let search = match request.half && request.rerank.is_none() {
            true => search,
            false => self.held_out(search, &questions)?,
        };
        let ranked = self.rankings(&search, request)?;
        let mut lines = String::new();
        for (query, passages) in request.questions.iter().zip(&ranked) {
            let mut last = f64::INFINITY;
            for (i, (passage, score)) in passages.iter().enumerate() {
                // Equal scores would be put in another order by those that read the scores alone.
                last = score.min(last - LEAST);
                let (id, rank) = (&query.id, i + 1);
                let _ = writeln!(lines, "{id} Q0 {passage} {rank} {last:.6} lexforge");
            }
        }
        let measured = measured(&search, request, &relevant, &ranked);
        if measured.is_empty() {
            return Err(nothing_relevant());
        }
        let mut found = figures(&measured, UNIT);
        if let Some(against) = &request.against {
            let (name, other) = self.other(against, request, &search.index.mode)?;
            let other = self::measured(&search, request, &relevant, &other);
            found.against = compared(&other, &measured, UNIT, &name);
        }
        let index = search.index;
        let learned = match &index.rerank {
            Some(rerank) => {
                let learned = self.learned(rerank.run)?;
                let known = |query: &&RankQuery| learned.contains(&letters(&query.text));
                request.questions.iter().filter(known).count() as u64
            }
            None => 0,
        };
        Ok(Ranked {
            report: RankingReport {
                mode: mode_name(index.mode).to_owned(),
                tokeniser: index.tokeniser,
                encoder: Some(index.encoder).filter(|e| !e.is_empty()),
                adapter: None,
                ranker: index.ranker,
                rerank: index.rerank,
                learned,
                figures: found,
            },
            run: lines,
        })
    }

    /// Ready to search for these questions; none is ranked with weights that were fitted on it.
    fn search_measured(
        &self,
        mode: Option<SearchMode>,
        request: &RankRequest,
        half: bool,
    ) -> Result<Search> {
        let questions: Vec<&str> = request.questions.iter().map(|q| q.text.as_str()).collect();
        self.completed_search(mode, request.encoder.as_ref(), &Silent)?;
        let search = self.search(mode, request.encoder.as_ref(), &questions)?;
        if half {
            Ok(search.half_and_half())
        } else {
            self.held_out(search, &questions)
        }
    }

    /// Each question's passages, best first.
    fn rankings(&self, search: &Search, request: &RankRequest) -> Result<Vec<Passages>> {
        let clauses = &search.clauses;
        let names = names(clauses);
        let nothing = HashSet::new();
        let mut all = Vec::with_capacity(request.questions.len());
        for (row, query) in request.questions.iter().enumerate() {
            let found = self.find(search, row, &query.text, &nothing, DEPTH)?;
            let named = found
                .hits
                .iter()
                .filter_map(|(clause, score)| Some((name_of(*clause, clauses, &names)?, *score)));
            all.push(named.collect());
        }
        Ok(all)
    }

    /// The name and the rankings of what is compared with.
    fn other(
        &self,
        against: &Against,
        request: &RankRequest,
        mode: &SearchMode,
    ) -> Result<(String, Vec<Passages>)> {
        match against {
            Against::Run(name, text) => {
                let mut run = run(text)?;
                let of = |id: &String| run.remove(id).unwrap_or_default();
                let ranked = request.questions.iter().map(|query| &query.id).map(of);
                let scored = |names: Vec<String>| names.into_iter().map(|n| (n, 0.0)).collect();
                Ok((name.clone(), ranked.map(scored).collect()))
            }
            Against::Mode(mode) => {
                let search = self.search_measured(Some(*mode), request, request.half)?;
                let ranked = self.rankings(&search, request)?;
                Ok((mode_name(*mode).to_owned(), ranked))
            }
            Against::FoundOrder => {
                let search = self.search_measured(request.mode, request, request.half)?;
                let ranked = self.rankings(&search, request)?;
                Ok(("without the cross-encoder".to_owned(), ranked))
            }
            Against::Half => {
                let search = self.search_measured(Some(*mode), request, true)?;
                let ranked = self.rankings(&search, request)?;
                Ok(("half and half".to_owned(), ranked))
            }
        }
    }
}

fn mode_name(mode: SearchMode) -> &'static str {
    match mode {
        SearchMode::Lexical => "lexical",
        SearchMode::Dense => "dense",
        SearchMode::Hybrid => "hybrid",
    }
}

/// The names that a corpus file gave its passages.
fn names(clauses: &Clauses) -> HashMap<SentenceId, &str> {
    let known = clauses.by_external_id.iter();
    known
        .filter_map(|(name, id)| Some(((*id)?, name.as_str())))
        .collect()
}

/// A clause is called by its first sentence.
fn name_of(clause: u32, clauses: &Clauses, names: &HashMap<SentenceId, &str>) -> Option<String> {
    let (first, _) = clauses.map.sentences(clause)?;
    let name = names.get(&first);
    Some(name.map_or_else(|| first.to_string(), |name| (*name).to_owned()))
}

/// The outcome of a ranking. Clauses are ranked, but people judged sentences. So a relevant sentence counts as found at
/// the place of its clause. If a clause has several relevant sentences, the greatest of their gains counts. `clause`
/// returns the name of the clause that contains a passage; `None` if no clause of this workspace contains it.
fn outcome(
    ranked: &[(String, f64)],
    gains: &HashMap<String, u32>,
    clause: impl Fn(&str) -> Option<String>,
) -> Outcome {
    let called = |name: &str| clause(name).unwrap_or_else(|| name.to_owned());
    let mut seen = HashSet::new();
    let names: Vec<String> = ranked
        .iter()
        .map(|(name, _)| called(name))
        .filter(|name| seen.insert(name.clone()))
        .collect();
    let mut relevant: HashMap<String, u32> = HashMap::new();
    for (name, gain) in gains {
        let of = relevant.entry(called(name)).or_default();
        *of = (*of).max(*gain);
    }
    Outcome::of(&names, &relevant)
}

/// The outcome of each question to which something is relevant.
fn measured(
    search: &Search,
    request: &RankRequest,
    relevant: &Relevant,
    ranked: &[Passages],
) -> Vec<Measured> {
    let clauses = &search.clauses;
    let names = names(clauses);
    let clause = |name: &str| clauses.map.clause(clauses.sentence_of(name)?);
    let judged = request.questions.iter().zip(ranked);
    judged
        .filter_map(|(query, passages)| {
            let judged = relevant.of(&query.id)?;
            let document = clause(&judged.first).and_then(|clause| clauses.document_of(clause));
            Some(Measured {
                // A passage that is in no document here is a cluster of its own.
                cluster: document.map_or_else(|| judged.first.clone(), |d| d.id.to_string()),
                kind: query.kind.clone(),
                outcome: outcome(passages, &judged.gains, |name| {
                    name_of(clause(name)?, clauses, &names)
                }),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relevant_sentence_is_found_where_its_clause_is() {
        // Sentences 1 to 3 are one clause, 4 and 5 another one; 9 stands nowhere here.
        let clause = |name: &str| match name {
            "1" | "2" | "3" => Some("1".to_owned()),
            "4" | "5" => Some("4".to_owned()),
            _ => None,
        };
        for (ranked, relevant, recall, reciprocal) in [
            (&["4", "1"][..], &["1"][..], 1.0, 0.5),
            (&["4", "1"], &["3"], 1.0, 0.5),
            // Two sentences of one clause are found together, and count once.
            (&["4", "1"], &["2", "3"], 1.0, 0.5),
            (&["1", "4"], &["2", "5"], 1.0, 1.0),
            (&["1"], &["2", "9"], 0.5, 1.0),
            (&["9", "1"], &["9"], 1.0, 1.0),
            // A run of others names sentences, too.
            (&["2", "3", "5"], &["4"], 1.0, 0.5),
            (&["4"], &["3"], 0.0, 0.0),
        ] {
            let ranked: Vec<(String, f64)> = ranked
                .iter()
                .map(|name| ((*name).to_owned(), 0.0))
                .collect();
            let gains: HashMap<String, u32> = relevant
                .iter()
                .map(|name| ((*name).to_owned(), 1))
                .collect();
            let found = outcome(&ranked, &gains, clause);
            assert!(
                (found.recall - recall).abs() < 1e-12,
                "{ranked:?} {gains:?}"
            );
            assert!(
                (found.reciprocal - reciprocal).abs() < 1e-12,
                "{ranked:?} {gains:?}"
            );
        }
    }
}
