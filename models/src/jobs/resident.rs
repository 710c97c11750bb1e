//! `lexforge-worker resident`: a process that keeps a model loaded to make vectors of questions, or to score a
//! question's passages. Each request is one line.
//!
//! The program that started this process writes to its standard input, reads from its standard output, and ends it by
//! closing its standard input. The process uses neither ports nor files for this.

use crate::adapters::adapter::Adapter;
use crate::architectures::reader::{Counts, Reader};
use crate::folder::{self, ModelFolders};
use crate::jobs::rerank;
use crate::texts::reading;
use crate::{Error, Result, device};
use clap::Args;
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    ModelRef, PROTOCOL_VERSION, RerankRequest, ResidentReady, ResidentReply, ResidentRequest,
    vector_to_hex,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// What stays.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The base model by its name.
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// The hash that the model's content must have, as `inspect` shows it.
    #[arg(long, value_name = "SHA256", default_value = "")]
    pub content: String,
    /// The folder of an adapter to it.
    #[arg(long, value_name = "DIR")]
    pub adapter: Option<PathBuf>,
    /// Score pairs of a question and a passage; the adapter is a cross-encoder's.
    #[arg(long, requires = "adapter")]
    pub pairs: bool,
    /// A folder that holds model folders; searched before the usual ones. May be repeated.
    #[arg(long = "models", value_name = "DIR")]
    pub models: Vec<PathBuf>,
    /// Threads; 0 = all.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

/// Answers until the standard input ends.
///
/// # Errors
/// If the model or the adapter cannot be opened, or the standard output was closed.
pub fn stay(settings: &Settings) -> Result<()> {
    // A question is short; the GPU is left to those who need it.
    device::leave_gpu();
    device::set_threads(settings.threads);
    let wanted = ModelRef {
        name: settings.model.clone(),
        sha256: settings.content.clone(),
    };
    let folders = ModelFolders::usual(&settings.models);
    if let (true, Some(adapter)) = (settings.pairs, &settings.adapter) {
        return score_pairs(&wanted, adapter, &folders);
    }
    let folder = folders.find(&wanted)?;
    let adapter = settings.adapter.as_deref().map(Adapter::read).transpose()?;
    let mut read_as = reading::of_folder(&folder)?;
    if let Some(adapter) = &adapter {
        adapter.check_base(&settings.model, &folder)?;
        read_as = reading::with_adapter(read_as, Some(adapter));
    }
    let content = folder::print_with(&folder, settings.adapter.as_deref())?;
    let reader = Reader::open(&folder, &read_as, adapter.as_ref(), device::device())?;
    say(&ResidentReady {
        protocol_version: PROTOCOL_VERSION,
        dim: reader.dim(),
        reading: reader.reading().clone(),
        content: content.to_string(),
    })?;
    answer_each(|line| Ok(ResidentReply::Vectors(vectors(&reader, line)?)))
}

/// Answers lines with the scores of a cross-encoder.
fn score_pairs(model: &ModelRef, adapter: &Path, folders: &ModelFolders) -> Result<()> {
    let (scorer, content) = rerank::open(model, adapter, folders)?;
    say(&ResidentReady {
        protocol_version: PROTOCOL_VERSION,
        dim: 1,
        reading: scorer.reading().clone(),
        content,
    })?;
    answer_each(|line| {
        let request: RerankRequest = read(line)?;
        let after = &mut |_, _| Ok(true);
        let scores = scorer.scores(std::slice::from_ref(&request), after)?;
        let scores = scores.into_iter().flatten().next();
        Ok(ResidentReply::Scores(scores.unwrap_or_default()))
    })
}

/// Answers each line of the standard input.
fn answer_each(answer: impl Fn(&str) -> Result<ResidentReply>) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| Error::Shim(format!("a request cannot be read: {e}")))?;
        say(&answer(&line).unwrap_or_else(|error| ResidentReply::Failed(error.into_failure())))?;
    }
    Ok(())
}

fn read<T: DeserializeOwned>(line: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|e| {
        Error::told(
            Code::InvalidRequest,
            format!("The request cannot be read: {e}."),
            "Send one JSON object a line.",
        )
    })
}

fn vectors(reader: &Reader, line: &str) -> Result<Vec<String>> {
    let request: ResidentRequest = read(line)?;
    let after = &mut |_, _| Ok(true);
    let mut counts = Counts::default();
    let vectors = reader.vectors(request.side, &request.texts, &mut counts, after)?;
    Ok(vectors
        .unwrap_or_default()
        .chunks(reader.dim().max(1))
        .map(vector_to_hex)
        .collect())
}

fn say(what: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(what).map_err(|e| Error::Shim(e.to_string()))?;
    text.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Error::Shim(format!("the answer cannot be written: {e}")))
}
