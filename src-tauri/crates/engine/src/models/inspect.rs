//! Describing a model, without loading its weights.

use super::base::BaseModel;
use super::worker::{run_job, wrong_result};
use crate::workspace::{Result, Scratch};
use lexforge_domain::protocol::{InspectJob, InspectResult, Job, JobResult, TrainSettings};
use lexforge_domain::text::Language;

/// Texts on which a tokenizer is tried.
const SAMPLE_FILE: &str = "inputs/sample.jsonl";

/// Describe a model by its name or the path of its folder.
///
/// # Errors
/// When the worker or the model is missing, or its architecture is not supported.
pub fn inspect_model(name_or_path: &str) -> Result<InspectResult> {
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
