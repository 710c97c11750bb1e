//! The encoder for questions if none is named: that of the graph, or one that was tuned here.

use super::Answering;
use super::find::Search;
use super::force::InForce;
use crate::corpus::Corpus;
use crate::models::Shipped;
use crate::runs::Runs;
use crate::workspace::{Result, Watcher};
use lexforge_compute::WorkerProgram;
use lexforge_domain::api::{
    AnswerNote, EncoderChoice, EncoderVectors, Preset, RunState, SearchEncoderRow, VectorStep,
};
use lexforge_domain::{Code, Failure};

/// The setting; empty = that of the graph.
const SETTING: &str = "answering.encoder";

impl Answering<'_> {
    /// The encoders with which questions can be searched: first that of the graph, then the tuned ones, newest first.
    pub fn search_encoders(&self) -> Result<Vec<SearchEncoderRow>> {
        let chosen = self.chosen_encoder()?;
        let of_graph = Corpus::of(self.workspace).vectors_of(None)?;
        let names: Vec<&str> = of_graph.iter().map(|part| part.encoder.as_str()).collect();
        let mut rows = vec![SearchEncoderRow {
            choice: None,
            model: names.join(", "),
            chosen: chosen.is_none(),
        }];
        let tuned = Runs::of(self.workspace).runs()?.into_iter().filter(|run| {
            // A cross-encoder makes no vectors.
            run.state == RunState::Finished
                && run.adapter.is_some()
                && run.is_of_encoder()
                && run.preset() != Some(Preset::Rerank)
        });
        rows.extend(tuned.map(|run| {
            let whole = EncoderChoice {
                run: Some(run.id),
                ..EncoderChoice::default()
            };
            // If a blend of the run with its base was chosen, the row shows the blend and not the run.
            let chosen = chosen.clone().filter(|choice| choice.run == whole.run);
            SearchEncoderRow {
                chosen: chosen.is_some(),
                choice: Some(chosen.unwrap_or(whole)),
                model: run.base,
            }
        }));
        let named = chosen.filter(|choice| choice.run.is_none());
        rows.extend(named.map(|choice| SearchEncoderRow {
            model: choice.model.clone().unwrap_or_default(),
            choice: Some(choice),
            chosen: true,
        }));
        Ok(rows)
    }

    /// From now on questions are searched with this encoder; first it makes a vector for every sentence. `None` is the
    /// encoder of the graph. A certificate that was made with another encoder becomes void.
    ///
    /// # Errors
    /// As [`Corpus::prepare_encoder`]; nothing is changed then.
    pub fn search_with(&self, choice: Option<&EncoderChoice>, watcher: &dyn Watcher) -> Result<()> {
        if let Some(choice) = choice {
            self.prepare_encoder(choice, watcher)?;
        }
        let kept = choice
            .map(serde_json::to_string)
            .transpose()
            .map_err(|error| {
                Failure::new(Code::Internal, error.to_string(), "Report this message.")
            })?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_setting(SETTING, &kept.unwrap_or_default())
        })?;
        Ok(())
    }

    /// The number of sentences that only a search by words can find, because they lack a vector that
    /// [`Answering::make_vectors`] could make. It is 0 if the user chose an encoder, because the vectors of that
    /// encoder are made when a question is asked. It is also 0 if there is no worker.
    pub fn missing_vectors(&self) -> Result<u64> {
        if self.chosen_encoder()?.is_some() || WorkerProgram::locate().is_err() {
            return Ok(0);
        }
        Corpus::of(self.workspace).lacking()
    }

    /// The note on the sentences that this search by vectors passes over, if there are any.
    pub(super) fn passed_over(&self, search: &Search, in_force: &InForce) -> Option<AnswerNote> {
        let sentences = search.without_vectors(&in_force.left_out);
        if sentences == 0 {
            return None;
        }
        // Where it cannot be read what is missing, there still is an answer; an update of the graph makes all vectors.
        let made_by = match self.missing_vectors() {
            Ok(missing) if missing > 0 => VectorStep::Vectors,
            _ => VectorStep::Graph,
        };
        Some(AnswerNote::WithoutVectors { sentences, made_by })
    }

    /// Whether the missing vectors may be made without asking a person. A person must decide in two cases: a
    /// certificate that was made without these vectors is in use, or a ranker for a search by words alone is in use.
    /// New vectors would make either of them void.
    pub fn awaits_vectors(&self) -> Result<bool> {
        let lacks = self.missing_vectors()? > 0
            || (self.chosen_encoder()?.is_none() && self.lacks_clause_vectors()?);
        Ok(lacks && !self.is_certified_without_them()? && !self.is_ranked_by_words()?)
    }

    /// Whether questions are searched by vectors of an encoder of the product, and every sentence has its vector. If an
    /// import then adds sentences without vectors, all questions are searched by words alone again.
    pub fn has_all_vectors(&self) -> Result<bool> {
        if self.chosen_encoder()?.is_some() || self.missing_vectors()? > 0 {
            return Ok(false);
        }
        let searched = Corpus::of(self.workspace).encoders_searched()?;
        Ok(searched
            .iter()
            .any(|u| Shipped::of_label(&u.encoder).is_some()))
    }

    /// Makes the vectors that the search lacks, batch by batch. It uses the encoder chosen for all questions, or else
    /// the encoders that come with the product. A later build of the graph reuses these vectors.
    ///
    /// # Errors
    /// As [`Corpus::prepare_encoder`]; vectors that were made before the failure are kept.
    pub fn make_vectors(&self, watcher: &dyn Watcher) -> Result<EncoderVectors> {
        if let Some(choice) = self.chosen_encoder()? {
            return self.prepare_encoder(&choice, watcher);
        }
        let made = Corpus::of(self.workspace).make_ahead(watcher)?;
        let (clauses, encoders) = self.make_clause_vectors(None, watcher)?;
        Ok(EncoderVectors {
            clauses,
            encoder: match made.encoder.is_empty() {
                true => encoders.join(", "),
                false => made.encoder,
            },
            ..made
        })
    }

    /// The encoder that is named, else the one that was chosen for all questions; none = that of the graph.
    pub(super) fn meant_encoder(
        &self,
        named: Option<&EncoderChoice>,
    ) -> Result<Option<EncoderChoice>> {
        match named {
            Some(named) => Ok(Some(named.clone())),
            None => self.chosen_encoder(),
        }
    }

    /// The encoder that was chosen for all questions. `None` if none was chosen, or if a later version wrote the
    /// setting in a form that cannot be read.
    fn chosen_encoder(&self) -> Result<Option<EncoderChoice>> {
        let kept = self.workspace.store.read(|r| r.setting(SETTING))?;
        Ok(kept.and_then(|kept| serde_json::from_str(&kept).ok()))
    }
}
