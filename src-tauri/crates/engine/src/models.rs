//! Base models: naming them, describing them, embedding with them.

pub(crate) use crate::artifacts::Scratch;
use crate::artifacts::file_failure;
use crate::bases::hindrances;
use crate::recipe::{ItemCounts, Recipe};
use crate::watcher::{cancelled, tell};
use crate::workspace::{io_failure, make_dir};
use crate::{Engine, Result, Watcher};
use lexforge_compute::{WorkerProgram, bundle, local};
use lexforge_domain::api::{Stage, TrainRequest};
use lexforge_domain::protocol::{
    EmbedJob, EmbedResult, Event, InspectJob, InspectResult, Job, JobEvent, JobResult, ModelRef, Pooling, TrainSettings,
};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_files::inside;
use lexforge_graph::Matrix;
use std::path::{Path, PathBuf};

/// The embedded default encoder.
pub(crate) const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// Longest input of the default encoder in tokens.
pub(crate) const ENCODER_MAX_LENGTH: usize = 256;

/// Folder of an adapter in a job's bundle.
pub(crate) const ADAPTER_DIR: &str = "adapter";
/// Texts on which a tokenizer is tried.
const SAMPLE_FILE: &str = "inputs/sample.jsonl";

/// A base model and where the worker may find it.
#[derive(Clone, Debug)]
pub(crate) struct BaseModel {
    pub(crate) name: String,
    pub(crate) folders: Vec<PathBuf>,
    /// Its content, where a job must have just that; else empty.
    pub(crate) sha256: String,
}

impl BaseModel {
    /// A model by its name, or by the path of its folder.
    pub(crate) fn named(name_or_path: Option<&str>) -> Self {
        let given = name_or_path.unwrap_or(DEFAULT_ENCODER);
        let path = Path::new(given);
        match (path.is_dir(), path.file_name()) {
            (true, Some(name)) => {
                let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf());
                Self { name: name.to_string_lossy().into_owned(), folders: vec![folder], sha256: String::new() }
            }
            _ => Self { name: given.to_owned(), folders: Vec::new(), sha256: String::new() },
        }
    }

    /// Its name in a progress report.
    pub(crate) fn title(&self, adapted: bool) -> String {
        if adapted { format!("{} with the adapter", self.name) } else { self.name.clone() }
    }

    pub(crate) fn reference(&self) -> ModelRef {
        ModelRef { name: self.name.clone(), sha256: self.sha256.clone() }
    }
}

/// Describe a model by its name or the path of its folder.
///
/// # Errors
/// When the worker or the model is missing, or its architecture is not supported.
pub fn inspect_model(name_or_path: &str) -> Result<InspectResult> {
    inspect(&BaseModel::named(Some(name_or_path)), None, &[])
}

/// Describe a model with the memory that a training by this request needs.
///
/// # Errors
/// As [`inspect_model`]; when the request makes no sense for this model.
pub fn inspect_for(request: &TrainRequest) -> Result<InspectResult> {
    let base = BaseModel::named(request.base.as_deref());
    let model = inspect(&base, None, &[])?;
    if !hindrances(&model).is_empty() {
        return Ok(model);
    }
    let recipe = Recipe::of(request, &model, ItemCounts::many())?;
    inspect(&base, Some(&recipe.settings), &[])
}

/// Describe a model; with the memory that a training needs, and with what its tokenizer makes of texts.
pub(crate) fn inspect(
    base: &BaseModel,
    plan: Option<&TrainSettings>,
    texts: &[(Language, &str)],
) -> Result<InspectResult> {
    let scratch = Scratch::new(&std::env::temp_dir(), "inspect")?;
    let job = Job::Inspect(InspectJob {
        model: base.reference(),
        plan: plan.cloned(),
        texts: (!texts.is_empty()).then(|| SAMPLE_FILE.to_owned()),
    });
    let lines =
        texts.iter().map(|(language, text)| serde_json::json!({ "text": text, "language": language })).collect();
    let inputs = [(SAMPLE_FILE, lines)];
    let inputs = if texts.is_empty() { &[][..] } else { &inputs[..] };
    match run_job(&scratch, &job, inputs, &base.folders, &mut |_| {}, &|| false)? {
        JobResult::Inspect(result) => Ok(result),
        _ => Err(wrong_result()),
    }
}

/// Embed each `{"text"}` line of a JSONL file into a safetensors file: one F32 tensor `embeddings`, rows in input order.
/// With the adapter in a folder, where one is named.
///
/// # Errors
/// When a line is not valid, or the worker or model is missing.
pub fn embed_file(
    name_or_path: &str,
    adapter: Option<&Path>,
    input: &Path,
    output: &Path,
    watcher: &dyn Watcher,
) -> Result<EmbedResult> {
    let base = BaseModel::named(Some(name_or_path));
    let text = std::fs::read_to_string(input).map_err(|e| io_failure(&e, input))?;
    let mut texts = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let value: serde_json::Value = serde_json::from_str(line).map_err(|e| bad_line(i + 1, &e.to_string()))?;
        let text = value.get("text").and_then(|t| t.as_str()).ok_or_else(|| bad_line(i + 1, "it has no \"text\""))?;
        texts.push(text.to_owned());
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scratch = Scratch::new(&std::env::temp_dir(), "embed")?;
    let result = run_embedding(&scratch, &base, adapter, &texts, Stage::Embed, watcher)?;
    let made = inside::place(scratch.path(), &result.output).map_err(file_failure)?;
    std::fs::copy(&made, output).map_err(|e| io_failure(&e, output))?;
    Ok(EmbedResult { output: output.display().to_string(), ..result })
}

fn bad_line(line: usize, why: &str) -> Failure {
    Failure::new(
        Code::CorpusLineInvalid,
        format!("Line {line} cannot be used: {why}."),
        "Each line must be a JSON object with a \"text\".",
    )
}

impl Engine {
    /// Embed texts with a model and, where given, the adapter in a folder. Rows have unit length.
    pub(crate) fn embed_texts(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        texts: &[&str],
        stage: Stage,
        watcher: &dyn Watcher,
    ) -> Result<(Matrix, EmbedResult)> {
        let scratch = Scratch::new(&self.bundles_dir()?, "embed")?;
        let result = run_embedding(&scratch, base, adapter, texts, stage, watcher)?;
        let matrix = read_matrix(&inside::place(scratch.path(), &result.output).map_err(file_failure)?)?;
        if matrix.rows != texts.len() {
            return Err(wrong_result());
        }
        Ok((matrix, result))
    }
}

fn run_embedding(
    scratch: &Scratch,
    base: &BaseModel,
    adapter: Option<&Path>,
    texts: &[&str],
    stage: Stage,
    watcher: &dyn Watcher,
) -> Result<EmbedResult> {
    if let Some(adapter) = adapter {
        copy_adapter(adapter, &scratch.path().join(ADAPTER_DIR))?;
    }
    let job = Job::Embed(EmbedJob {
        model: base.reference(),
        adapter: adapter.map(|_| ADAPTER_DIR.to_owned()),
        input: "inputs/texts.jsonl".to_owned(),
        output: "embeddings.safetensors".to_owned(),
        // As the adapter was trained; a base model by the mean.
        pooling: adapter.and_then(trained_pooling).unwrap_or(Pooling::Mean),
        normalize: true,
        max_length: ENCODER_MAX_LENGTH,
        threads: 0,
    });
    let lines: Vec<serde_json::Value> = texts.iter().map(|t| serde_json::json!({ "text": t })).collect();
    let item = base.title(adapter.is_some());
    let mut on_event = |event: &JobEvent| {
        if let Event::Progress { step, of, .. } = &event.event {
            tell(watcher, stage, &item, *step, *of);
        }
    };
    let inputs = [("inputs/texts.jsonl", lines)];
    match run_job(scratch, &job, &inputs, &base.folders, &mut on_event, &|| watcher.cancelled())? {
        JobResult::Embed(result) => Ok(result),
        _ => Err(wrong_result()),
    }
}

/// How the texts of an adapter's training became vectors; none for an adapter of PEFT's own.
fn trained_pooling(adapter: &Path) -> Option<Pooling> {
    let text = std::fs::read_to_string(adapter.join("lexforge.json")).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    serde_json::from_value(value.get("pooling")?.clone()).ok()
}

/// Run a job in a bundle of its own and wait for its result.
pub(crate) fn run_job(
    scratch: &Scratch,
    job: &Job,
    inputs: &[(&str, Vec<serde_json::Value>)],
    models: &[PathBuf],
    on_event: &mut dyn FnMut(&JobEvent),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<JobResult> {
    let program = WorkerProgram::locate()?;
    let bundle = bundle::create(scratch.path(), job)?;
    for (name, lines) in inputs {
        bundle.write_jsonl(name, lines)?;
    }
    let result = local::run_to_end(&program, &bundle, models, on_event, is_cancelled)?;
    if is_cancelled() {
        return Err(cancelled("Nothing was changed."));
    }
    Ok(result)
}

/// The rows of a safetensors file with one F32 tensor `embeddings`.
pub(crate) fn read_matrix(path: &Path) -> Result<Matrix> {
    let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
    let tensors = safetensors::SafeTensors::deserialize(&bytes).map_err(|_| wrong_result())?;
    let view = tensors.tensor("embeddings").map_err(|_| wrong_result())?;
    let [rows, dim] = *view.shape() else { return Err(wrong_result()) };
    let data = view.data().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<f32>>();
    if view.dtype() != safetensors::Dtype::F32 || data.len() != rows * dim {
        return Err(wrong_result());
    }
    Ok(Matrix { rows, dim, data })
}

/// Copy an adapter's files (PEFT's two and ours). The folder is one that the user named, in which links to files are usual
/// (Hugging Face keeps a model's files so), or one of ours that was looked through.
pub(crate) fn copy_adapter(from: &Path, to: &Path) -> Result<()> {
    make_dir(to)?;
    for entry in std::fs::read_dir(from).map_err(|e| io_failure(&e, from))? {
        let entry = entry.map_err(|e| io_failure(&e, from))?;
        if entry.path().is_file() {
            let target = to.join(entry.file_name());
            std::fs::copy(entry.path(), &target).map_err(|e| io_failure(&e, &target))?;
        }
    }
    Ok(())
}

pub(crate) fn wrong_result() -> Failure {
    Failure::new(
        Code::WorkerIncompatible,
        "The worker's result is not of the form that was asked for.",
        Remedy::InstallSameVersion,
    )
}
