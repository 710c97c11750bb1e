//! From documents to a snapshot in one go: terms, graph, questions, freeze.

use crate::engine::Engine;
use crate::graph::{Encoder, GraphRequest};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{AugmentReport, TermsReport};
use lexforge_domain::dataset::{Dataset, ReviewPolicy};
use lexforge_domain::graph::GraphStats;

/// What [`Engine::prepare`] made.
pub struct Prepared {
    pub terms: TermsReport,
    pub graph: GraphStats,
    pub questions: AugmentReport,
    /// Snapshot, or why none could be frozen.
    pub dataset: Result<Dataset>,
}

impl Engine {
    /// Finds terms, builds the graph, writes questions offline and freezes a snapshot.
    ///
    /// # Errors
    /// When a step fails; the steps before it are kept. If there are too few questions for a snapshot, the result says
    /// so.
    pub fn prepare(&self, request: &GraphRequest, watcher: &dyn Watcher) -> Result<Prepared> {
        let terms = self.terms().extract_terms(watcher)?;
        let graph = self.graph().build_graph(request, watcher)?;
        let questions = self.writing().augment_offline(watcher)?;
        let dataset = self
            .training()
            .freeze(ReviewPolicy::UnreviewedAutomatic, watcher);
        Ok(Prepared {
            terms,
            graph,
            questions,
            dataset,
        })
    }

    /// What an earlier [`Engine::prepare`] made, if corpus and settings are still those.
    pub(crate) fn prepared_before(&self, request: &GraphRequest) -> Result<Option<Prepared>> {
        let (corpus, graph, questions, dataset) = self.workspace().store.read(|r| {
            Ok((
                r.corpus_hash()?,
                r.latest_graph()?,
                r.augment_report()?,
                r.datasets()?.into_iter().next(),
            ))
        })?;
        let (Some(graph), Some(questions), Some(dataset)) = (graph, questions, dataset) else {
            return Ok(None);
        };
        // Decisions made since then change terms and questions.
        let reviewed = self
            .workspace()
            .store
            .read(|r| r.last_act_time())?
            .is_some_and(|made| made > dataset.created);
        let same = !reviewed
            && dataset.policy == ReviewPolicy::UnreviewedAutomatic
            && graph.corpus_hash == corpus
            && dataset.corpus_hash == corpus
            && graph.settings == request.settings;
        if !same || request.encoder != Encoder::Auto {
            return Ok(None);
        }
        Ok(Some(Prepared {
            terms: self.terms().terms_report()?,
            graph: graph.stats,
            questions,
            dataset: Ok(dataset),
        }))
    }
}
