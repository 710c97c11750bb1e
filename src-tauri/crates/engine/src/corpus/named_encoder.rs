//! An encoder that a user names: a model on disk, or one with an adapter that was tuned here.

use super::Corpus;
use crate::models::{
    BaseModel, LAST_TOKEN, Models, for_languages, inspect, is_an_encoder, named_label,
    reading_of_last_token,
};
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Silent};
use lexforge_domain::api::EncoderChoice;
use lexforge_domain::text::Language;
use lexforge_domain::{Failure, Sha256};
use lexforge_graph::Matrix;
use std::path::PathBuf;

/// A model, or a model with an adapter, as it is run.
#[derive(Clone, Debug)]
pub(super) struct NamedEncoder {
    pub(super) base: BaseModel,
    /// The adapter's folder.
    pub(super) adapter: Option<PathBuf>,
    /// The hash of its weights.
    pub(super) sha256: Option<Sha256>,
    /// A decoder reads each text twice, and its last token counts.
    pub(super) echo: bool,
    /// A decoder reads each text once, as when it writes, and its last token counts.
    pub(super) last_token: bool,
    /// The languages that the graph uses it for, where another encoder reads the others; empty = all.
    pub(super) only_for: Vec<Language>,
}

impl Corpus<'_> {
    /// The encoder that is meant. An adapter goes with the base model that it was trained on, by content.
    pub(super) fn named_encoder(&self, choice: &EncoderChoice) -> Result<NamedEncoder> {
        let Some(run) = choice.run else {
            return Ok(NamedEncoder {
                base: self.base_of(choice)?,
                adapter: None,
                sha256: None,
                echo: choice.echo,
                last_token: false,
                only_for: Vec::new(),
            });
        };
        if choice.echo {
            return Err(Failure::invalid(
                "Texts are read twice by a decoder as it is, and not by one that was tuned here.",
                "Leave the run out, or have each text read once.",
            ));
        }
        let runs = Runs::of(self.workspace);
        // A run that has ended meanwhile is taken over first.
        runs.run(run)?;
        let (adapter, sha256) = match choice.percent {
            Some(percent) => runs.blended(run, percent)?,
            None => (
                runs.adapter_dir(run)?,
                runs.train_result(run)?.adapter_sha256,
            ),
        };
        Ok(NamedEncoder {
            base: self.base_of(choice)?,
            adapter: Some(adapter),
            sha256: Some(sha256),
            echo: false,
            last_token: false,
            only_for: Vec::new(),
        })
    }

    /// The base model of the encoder that is meant. That of a run has the content that the run was trained on.
    pub(super) fn base_of(&self, choice: &EncoderChoice) -> Result<BaseModel> {
        let models = Models::of(self.workspace);
        let Some(run) = choice.run else {
            return models.base(choice.model.as_deref());
        };
        let trained_on = train_job(&Runs::of(self.workspace).bundle(run)?)?.model;
        let base = models.base(Some(choice.model.as_deref().unwrap_or(&trained_on.name)))?;
        Ok(BaseModel {
            sha256: trained_on.sha256,
            ..base
        })
    }

    /// The base model and the adapter's folder of the encoder that is meant.
    pub(crate) fn model_of(&self, choice: &EncoderChoice) -> Result<(BaseModel, Option<PathBuf>)> {
        let encoder = self.named_encoder(choice)?;
        Ok((encoder.base, encoder.adapter))
    }

    /// The encoder that a choice means: its base model, the folder of its adapter, and the name under which the graph
    /// stores its vectors. The search stores vectors of the same encoder under another name.
    ///
    /// If no file of a decoder's folder says how it makes vectors, its last token counts, as published for the graph:
    /// the mean of its tokens is nothing that such a decoder was made for.
    pub(crate) fn encoder_of_graph(
        &self,
        choice: &EncoderChoice,
    ) -> Result<(BaseModel, Option<PathBuf>, String)> {
        let encoder = self.named_encoder(choice)?;
        let models = Models::of(self.workspace);
        let untuned = match encoder.adapter {
            None => Some(inspect(&encoder.base, None, &[])?),
            Some(_) => None,
        };
        let decoder = untuned.filter(|model| model.decoder);
        if encoder.echo && decoder.is_none() {
            return Err(is_an_encoder(&encoder.base));
        }
        let unsaid = decoder.is_some_and(|model| model.reading_assumed);
        let mut read = models.read_by(&encoder.base, encoder.adapter.as_deref())?;
        if encoder.echo || unsaid {
            read.reading = reading_of_last_token(&read.reading);
        }
        let kind = match (encoder.echo, unsaid) {
            (true, _) => "graph, echo",
            (false, true) => LAST_TOKEN,
            (false, false) => "graph",
        };
        let label = named_label(&encoder.base.name, encoder.sha256.as_ref(), &read);
        Ok((encoder.base, encoder.adapter, format!("{label} ({kind})")))
    }

    /// Whether vectors of this name were made by the encoder as it is now. A model can be exchanged, or be told to read
    /// texts otherwise, after a graph was built by it. This is not known of a decoder whose last token counts: nothing
    /// that its folder says of pooling is used for it.
    pub(super) fn still_reads_so(&self, encoder: &NamedEncoder, label: &str) -> Result<bool> {
        if encoder.echo || encoder.last_token {
            return Ok(true);
        }
        let adapter = encoder.adapter.as_deref();
        let read = Models::of(self.workspace)
            .read_by(&encoder.base, adapter)
            .map_err(|failure| for_languages(failure, &encoder.only_for))?;
        let now = named_label(&encoder.base.name, encoder.sha256.as_ref(), &read);
        // The graph's vectors have their kind behind it.
        Ok(label.starts_with(&now))
    }

    /// Vectors of questions by the encoder.
    pub(super) fn asked_by(&self, encoder: &NamedEncoder, questions: &[&str]) -> Result<Matrix> {
        let models = Models::of(self.workspace);
        let base = &encoder.base;
        let asked = match (encoder.echo, encoder.last_token) {
            (true, _) => models.embedded_twice(base, questions, &Silent),
            (false, true) => models.embedded_by_last_token(base, questions, &Silent),
            (false, false) => models.question_vectors(base, encoder.adapter.as_deref(), questions),
        };
        asked.map_err(|failure| for_languages(failure, &encoder.only_for))
    }
}
