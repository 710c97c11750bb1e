//! Questions to the corpus: finding the clauses that answer, checking which statements these clauses support,
//! estimating the probability that they answer, and measuring how often answers are wrong.

mod around;
mod ask;
mod batch;
mod beside;
mod calibrate;
mod candidates;
mod certified;
mod checked;
mod clause_texts;
mod clauses;
mod curve;
mod defining;
pub(crate) mod docx;
mod duties;
mod examples;
mod excepted;
mod excepted_han;
mod find;
mod fitting;
mod force;
mod further;
mod han_names;
mod history;
mod holding;
mod labels;
mod lacking;
mod lacks;
mod linked_terms;
mod listed;
mod located;
mod long_names;
#[cfg(test)]
mod made;
mod margins;
mod measure_rerank;
mod measured;
mod model_writer;
mod naming;
mod near;
mod nowhere;
mod other_words;
mod outright;
mod own_words;
mod pairs;
mod parts;
mod parts_repealed;
mod preferences;
mod premise;
mod probability;
mod question;
mod quoting;
mod rank;
mod ranker;
mod ranking_figures;
mod read_as;
mod read_as_han;
mod referred;
mod rerank_items;
mod reranked;
mod rerankers;
mod sanctions;
mod searched_by;
mod share;
mod short_names;
mod since;
mod statements;
mod support;
mod swapped_han;
mod table;
mod taught;
mod term_rows;
mod terms;
mod to_learn;
mod topic;
mod train_ranker;
mod tune;
mod unseen;
mod verdicts;
mod ways;
mod while_written;
mod writer;

use crate::workspace::OpenWorkspace;

pub use calibrate::CalibrateRequest;
pub use certified::{ALPHA, CONFIDENCE};
pub(crate) use clauses::beside_the_rules;
pub use curve::{AlikePair, alike_pairs, scored_sets};
pub(crate) use force::told as why_out_of_force;
pub use rank::{Against, RankQuery, RankRequest, Ranked};
pub use ranking_figures::ranking_figures;
pub(crate) use ranking_figures::{Measured, compared, figures};

/// Questions to the documents of an open workspace.
#[derive(Clone, Copy)]
pub struct Answering<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Answering<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
