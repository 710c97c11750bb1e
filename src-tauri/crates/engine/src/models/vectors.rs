//! Vectors of texts, made by the worker.

use super::Models;
use super::base::BaseModel;
use super::worker::{ADAPTER_DIR, copy_adapter, run_job, wrong_result};
use crate::workspace::{Result, Scratch, Watcher, file_failure, io_failure, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{
    EmbedJob, EmbedResult, Event, Job, JobEvent, JobResult, Pooling, TermReading, TextSide,
};
use lexforge_domain::{Code, Failure};
use lexforge_files::inside;
use lexforge_graph::Matrix;
use std::path::Path;

/// The file of a job's texts.
const INPUT: &str = "inputs/texts.jsonl";
/// Longest input of the default encoder in tokens.
pub(crate) const ENCODER_MAX_LENGTH: usize = 256;

/// The texts to embed, and how the progress is reported.
pub(crate) struct Embedding {
    pub(crate) stage: Stage,
    pub(crate) side: TextSide,
    /// A decoder reads the texts as when it writes. Its vector is that of the last token, from which it would write on.
    pub(crate) goes_on: bool,
    /// Where the texts are a part of more: how many were done before, and how many they are together.
    pub(crate) part: Option<(u64, u64)>,
}

impl Embedding {
    /// Texts that are read as they stand.
    pub(crate) fn of(stage: Stage) -> Self {
        Self {
            stage,
            side: TextSide::Plain,
            goes_on: false,
            part: None,
        }
    }
}

/// Embeds each `{"text"}` line of a JSONL file into a safetensors file: one F32 tensor `embeddings`, rows in input
/// order. If `adapter` names a folder with an adapter, the adapter is used. The texts get the prompt that the model's
/// folder sets for their kind.
///
/// # Errors
/// When a line is not valid, or the worker or model is missing.
pub fn embed_file(
    name_or_path: &str,
    adapter: Option<&Path>,
    side: TextSide,
    input: &Path,
    output: &Path,
    watcher: &dyn Watcher,
) -> Result<EmbedResult> {
    let base = BaseModel::named(Some(name_or_path));
    let text = std::fs::read_to_string(input).map_err(|e| io_failure(&e, input))?;
    let mut texts = Vec::new();
    for (i, line) in text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|e| bad_line(i + 1, &e.to_string()))?;
        let text = value
            .get("text")
            .and_then(|t| t.as_str())
            .ok_or_else(|| bad_line(i + 1, "it has no \"text\""))?;
        texts.push(text.to_owned());
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scratch = Scratch::new(&std::env::temp_dir(), "embed")?;
    let what = Embedding {
        side,
        ..Embedding::of(Stage::Embed)
    };
    let texts = read_as(what.side, &texts);
    let result = run_embedding(&scratch, &base, adapter, &texts, &what, watcher)?;
    let made = inside::place(scratch.path(), &result.output).map_err(file_failure)?;
    std::fs::copy(&made, output).map_err(|e| io_failure(&e, output))?;
    Ok(EmbedResult {
        output: output.display().to_string(),
        ..result
    })
}

fn bad_line(line: usize, why: &str) -> Failure {
    Failure::new(
        Code::CorpusLineInvalid,
        format!("Line {line} cannot be used: {why}."),
        "Each line must be a JSON object with a \"text\".",
    )
}

impl Models<'_> {
    /// Embed texts with a model and, where given, the adapter in a folder, in the way that they say.
    pub(crate) fn embed_texts(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        texts: &[&str],
        stage: Stage,
        watcher: &dyn Watcher,
    ) -> Result<(Matrix, EmbedResult)> {
        self.embed_as(base, adapter, texts, &Embedding::of(stage), watcher)
    }

    /// Vectors of texts that are questions, or passages.
    pub(crate) fn embed_as(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        texts: &[&str],
        what: &Embedding,
        watcher: &dyn Watcher,
    ) -> Result<(Matrix, EmbedResult)> {
        self.embed_sides(base, adapter, &read_as(what.side, texts), what, watcher)
    }

    /// Vectors of a mixture of questions and passages: the side given with each text replaces the side in `what`.
    pub(crate) fn embed_sides(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        texts: &[(TextSide, &str)],
        what: &Embedding,
        watcher: &dyn Watcher,
    ) -> Result<(Matrix, EmbedResult)> {
        embedded_in(
            &self.workspace.bundles_dir()?,
            base,
            adapter,
            texts,
            what,
            watcher,
        )
    }
}

/// Texts that all are the same.
fn read_as<'t>(side: TextSide, texts: &[&'t str]) -> Vec<(TextSide, &'t str)> {
    texts.iter().map(|text| (side, *text)).collect()
}

/// Texts as vectors, with the job in a folder of its own below `folder`: without a workspace, too.
pub(crate) fn embedded_in(
    folder: &Path,
    base: &BaseModel,
    adapter: Option<&Path>,
    texts: &[(TextSide, &str)],
    what: &Embedding,
    watcher: &dyn Watcher,
) -> Result<(Matrix, EmbedResult)> {
    let scratch = Scratch::new(folder, "embed")?;
    let result = run_embedding(&scratch, base, adapter, texts, what, watcher)?;
    let matrix = vectors_of(&scratch, &result, texts.len())?;
    Ok((matrix, result))
}

fn run_embedding(
    scratch: &Scratch,
    base: &BaseModel,
    adapter: Option<&Path>,
    texts: &[(TextSide, &str)],
    what: &Embedding,
    watcher: &dyn Watcher,
) -> Result<EmbedResult> {
    let lines = texts
        .iter()
        .map(|(side, text)| serde_json::json!({ "text": text, "side": side }))
        .collect();
    let how = ReadAs {
        // A decoder that reads texts as when it writes has no settings of its own for this.
        pooling: what.goes_on.then_some(Pooling::Last),
        causal: what.goes_on.then_some(true),
        side: what.side,
        terms: None,
    };
    let item = base.title(adapter.is_some());
    let progress = |step: u64, of: u64| {
        let of = what.part.map_or(of, |(_, all)| all);
        let done = step + what.part.map_or(0, |(before, _)| before);
        tell(watcher, what.stage, &item, done, of);
    };
    embed_lines(scratch, (base, adapter), lines, how, &progress, watcher)
}

/// How a job reads its texts. `None` takes the settings of the adapter's training, or of the base model's folder.
pub(super) struct ReadAs {
    pub(super) pooling: Option<Pooling>,
    pub(super) causal: Option<bool>,
    pub(super) side: TextSide,
    /// Vectors of terms in the texts instead of vectors of the texts.
    pub(super) terms: Option<TermReading>,
}

/// Runs a job that embeds these lines, in the folder of `scratch`. `progress` gets the number of steps that are done,
/// and of all steps.
pub(super) fn embed_lines(
    scratch: &Scratch,
    (base, adapter): (&BaseModel, Option<&Path>),
    lines: Vec<serde_json::Value>,
    how: ReadAs,
    progress: &dyn Fn(u64, u64),
    watcher: &dyn Watcher,
) -> Result<EmbedResult> {
    if let Some(adapter) = adapter {
        copy_adapter(adapter, &scratch.path().join(ADAPTER_DIR))?;
    }
    let job = Job::Embed(EmbedJob {
        model: base.reference(),
        adapter: adapter.map(|_| ADAPTER_DIR.to_owned()),
        input: INPUT.to_owned(),
        output: "embeddings.safetensors".to_owned(),
        pooling: how.pooling,
        causal: how.causal,
        normalize: None,
        max_length: None,
        side: how.side,
        terms: how.terms,
        threads: 0,
    });
    let mut on_event = |event: &JobEvent| {
        if let Event::Progress { step, of, .. } = &event.event {
            progress(*step, *of);
        }
    };
    let inputs = [(INPUT, lines)];
    match run_job(
        scratch,
        &job,
        &inputs,
        &base.folders,
        &mut on_event,
        &|| watcher.cancelled(),
    )? {
        JobResult::Embed(result) => Ok(result),
        _ => Err(wrong_result()),
    }
}

/// The vectors that such a job wrote: one row for each of its texts.
pub(super) fn vectors_of(scratch: &Scratch, result: &EmbedResult, texts: usize) -> Result<Matrix> {
    let matrix =
        read_matrix(&inside::place(scratch.path(), &result.output).map_err(file_failure)?)?;
    if matrix.rows == texts {
        Ok(matrix)
    } else {
        Err(wrong_result())
    }
}

/// The rows of a safetensors file with one F32 tensor `embeddings`.
pub(crate) fn read_matrix(path: &Path) -> Result<Matrix> {
    let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
    let tensors = safetensors::SafeTensors::deserialize(&bytes).map_err(|_| wrong_result())?;
    let view = tensors.tensor("embeddings").map_err(|_| wrong_result())?;
    let [rows, dim] = *view.shape() else {
        return Err(wrong_result());
    };
    let data = view
        .data()
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect::<Vec<f32>>();
    if view.dtype() != safetensors::Dtype::F32 || data.len() != rows * dim {
        return Err(wrong_result());
    }
    Ok(Matrix { rows, dim, data })
}
