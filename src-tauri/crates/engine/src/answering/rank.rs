//! How well clauses are ranked, on questions whose right passages are known.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::api::{EncoderChoice, RankingReport, SearchMode};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::ranking::{Relevant, figures};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Passages of a ranking that are written down.
const DEPTH: usize = 100;

/// Questions with what is right.
#[derive(Clone, Debug, Default)]
pub struct RankRequest {
    /// Id and words of each question.
    pub questions: Vec<(String, String)>,
    /// Lines of TREC's form: question, 0, passage, relevance.
    pub qrels: String,
    /// How clauses are searched; none = by words, and by vectors where the workspace has them.
    pub mode: Option<SearchMode>,
    /// What makes the vectors; none = what made those of the graph.
    pub encoder: Option<EncoderChoice>,
}

/// Figures, and the ranking in TREC's form.
pub struct Ranked {
    /// The figures.
    pub report: RankingReport,
    /// A line a passage.
    pub run: String,
}

impl Answering<'_> {
    /// Ranks the clauses for each question and compares with what is right.
    ///
    /// # Errors
    /// When a line of the relevant passages cannot be read, or there is no question that has one.
    pub fn rank(&self, request: &RankRequest) -> Result<Ranked> {
        let relevant = Relevant::read(&request.qrels).map_err(|line| {
            Failure::new(
                Code::InvalidRequest,
                format!("Line {line} of the relevant passages cannot be read."),
                "Each line has four parts: the question's id, 0, the passage's id, and 1 where it is relevant.",
            )
        })?;
        let questions: Vec<&str> = request.questions.iter().map(|q| q.1.as_str()).collect();
        let search = self.search(request.mode, request.encoder.as_ref(), &questions)?;
        let nothing = HashSet::new();
        let mut run = String::new();
        let mut rankings = Vec::with_capacity(questions.len());
        for (row, (id, question)) in request.questions.iter().enumerate() {
            let found = self.find(&search, row, question, &nothing, DEPTH)?;
            let mut ranking = Vec::with_capacity(found.hits.len());
            for (rank, (clause, score)) in found.hits.iter().enumerate() {
                let Some((first, _)) = search.clauses.map.sentences(*clause) else {
                    continue;
                };
                let sentence = self.workspace.store.read(|r| r.sentence(first))?;
                let passage = sentence.external_id.unwrap_or_else(|| first.to_string());
                let _ = writeln!(run, "{id} Q0 {passage} {} {score:.6} lexforge", rank + 1);
                ranking.push(passage);
            }
            rankings.push((id.clone(), ranking));
        }
        let figures = figures(&rankings, &relevant).ok_or_else(|| {
            Failure::new(
                Code::TooLittleData,
                "None of the questions has a relevant passage.",
                "Check that the ids of the questions are those of the relevant passages.",
            )
        })?;
        let mode = match search.index.mode {
            SearchMode::Lexical => "lexical",
            SearchMode::Dense => "dense",
            SearchMode::Hybrid => "hybrid",
        };
        Ok(Ranked {
            report: RankingReport {
                n: figures.n,
                mode: mode.to_owned(),
                tokeniser: search.index.tokeniser.clone(),
                encoder: Some(search.index.encoder.clone()).filter(|e| !e.is_empty()),
                adapter: None,
                recall_10: figures.recall,
                map_10: figures.map,
                ndcg_10: figures.ndcg,
                mrr: figures.mrr,
                both_10: figures.both,
            },
            run,
        })
    }
}
