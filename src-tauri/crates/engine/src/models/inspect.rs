//! Describing a model, without loading its weights.

use super::base::BaseModel;
use super::worker::{run_job, wrong_result};
use crate::workspace::{Result, Scratch, file_failure, io_failure};
use lexforge_domain::protocol::{
    InspectJob, InspectResult, Job, JobResult, TokensWanted, TrainSettings,
};
use lexforge_domain::text::Language;
use lexforge_files::inside;

/// Texts on which a tokenizer is tried.
const SAMPLE_FILE: &str = "inputs/sample.jsonl";

/// Describe a model by its name or the path of its folder.
///
/// # Errors
/// When the worker or the model is missing, or its architecture is not supported.
pub(super) fn inspect_model(name_or_path: &str) -> Result<InspectResult> {
    inspect(&BaseModel::named(Some(name_or_path)), None, &[])
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
        tokens: None,
    });
    let lines = texts
        .iter()
        .map(|(language, text)| serde_json::json!({ "text": text, "language": language }))
        .collect();
    let inputs = [(SAMPLE_FILE, lines)];
    let inputs = if texts.is_empty() {
        &[][..]
    } else {
        &inputs[..]
    };
    match run_job(&scratch, &job, inputs, &base.folders, &mut |_| {}, &|| {
        false
    })? {
        JobResult::Inspect(result) => Ok(result),
        _ => Err(wrong_result()),
    }
}

/// Texts that are cut into tokens.
const TEXTS_FILE: &str = "inputs/texts.jsonl";
const TOKENS_FILE: &str = "tokens.txt";

/// The tokens that a model's tokenizer makes of each text, as numbers with blanks between. No weights are loaded.
///
/// # Errors
/// When the worker, the model or its tokenizer is missing, or the caller cancels.
pub(crate) fn tokens(
    base: &BaseModel,
    texts: &[&str],
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<String>> {
    let scratch = Scratch::new(&std::env::temp_dir(), "tokens")?;
    let job = Job::Inspect(InspectJob {
        tokens: Some(TokensWanted {
            texts: TEXTS_FILE.to_owned(),
            output: TOKENS_FILE.to_owned(),
        }),
        ..InspectJob::of(base.reference())
    });
    let lines = texts
        .iter()
        .map(|text| serde_json::json!({ "text": text }))
        .collect();
    let inputs = [(TEXTS_FILE, lines)];
    run_job(
        &scratch,
        &job,
        &inputs,
        &base.folders,
        &mut |_| {},
        is_cancelled,
    )?;
    let path = inside::place(scratch.path(), TOKENS_FILE).map_err(file_failure)?;
    let written = std::fs::read_to_string(&path).map_err(|e| io_failure(&e, &path))?;
    let lines: Vec<String> = written.lines().map(str::to_owned).collect();
    match lines.len() == texts.len() {
        true => Ok(lines),
        false => Err(wrong_result()),
    }
}
