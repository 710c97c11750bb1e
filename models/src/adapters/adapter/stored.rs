//! The files of an adapter: their names, their contents, and how stored weights are put back into the layers that are
//! trained.

use crate::adapters::lora::{self, Linear, names_module};
use crate::adapters::peft::{Patterns, PeftConfig};
use crate::adapters::sidecar::Sidecar;
use crate::files;
use crate::tensors::{self, NamedTensors};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::LoraSpec;
use std::collections::BTreeMap;
use std::path::Path;
use tch::Tensor;

/// Name of PEFT's description.
pub const CONFIG_FILE: &str = "adapter_config.json";
/// Name of the weights.
pub const WEIGHTS_FILE: &str = "adapter_model.safetensors";
/// Name of our description.
pub(crate) const SIDECAR_FILE: &str = "lexforge.json";

/// The beginning of the name under which the difference of a weight from the base model's is stored.
pub const DIFFERENCE: &str = "difference.";
/// The text that PEFT puts before the path of every module.
pub(super) const PEFT_PREFIX: &str = "base_model.model.";
/// The end of the name of a linear layer that must not be adapted. Hugging Face's BERT has this layer for its pooled
/// output, and a target `dense` would match its name. This product pools the token vectors before this layer, so the
/// layer could never be trained.
pub(super) const POOLER: &str = "pooler.dense";

/// The trained tensors of a model's layers under PEFT's names.
pub fn trained(layers: &[&Linear]) -> NamedTensors {
    let mut tensors = NamedTensors::new();
    for layer in layers {
        if let Some(low) = layer.low_rank() {
            tensors.insert(
                format!("{PEFT_PREFIX}{}.lora_A.weight", layer.path),
                low.a.shallow_clone(),
            );
            tensors.insert(
                format!("{PEFT_PREFIX}{}.lora_B.weight", layer.path),
                low.b.shallow_clone(),
            );
        }
    }
    tensors
}

/// The task of the adapted model, in PEFT's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Vectors of texts.
    Embedding,
    /// Continuing texts.
    Language,
}

/// The files of an adapter, by name; for a cross-encoder they include the tensors of the head.
///
/// # Errors
/// If a tensor cannot be read.
pub fn file_contents(
    layers: &[&Linear],
    spec: &LoraSpec,
    sidecar: &Sidecar,
    task: Task,
    head: NamedTensors,
) -> Result<BTreeMap<&'static str, Vec<u8>>> {
    let mut stored = trained(layers);
    stored.extend(head);
    let targets = lora::expanded(spec, layers);
    let reaches_pooler =
        task == Task::Embedding && targets.iter().any(|target| names_module(target, POOLER));
    let config = PeftConfig {
        peft_type: "LORA".into(),
        task_type: Some(
            if task == Task::Language {
                "CAUSAL_LM"
            } else {
                "FEATURE_EXTRACTION"
            }
            .into(),
        ),
        base_model_name_or_path: Some(sidecar.base.name.clone()),
        r: spec.r,
        lora_alpha: spec.alpha,
        lora_dropout: spec.dropout,
        target_modules: targets.into(),
        exclude_modules: reaches_pooler.then(|| vec![POOLER.into()]),
        inference_mode: true,
        bias: Some("none".into()),
        fan_in_fan_out: false,
        use_rslora: false,
        use_dora: false,
        modules_to_save: None,
        rank_pattern: Patterns::default(),
        alpha_pattern: Patterns::default(),
        rest: BTreeMap::new(),
    };
    Ok(BTreeMap::from([
        (CONFIG_FILE, files::pretty(&config)?),
        (SIDECAR_FILE, files::pretty(sidecar)?),
        (WEIGHTS_FILE, tensors::to_bytes(&stored)?),
    ]))
}

/// The files of an adapter folder that stores the differences of all weights from those of the base model. Each tensor
/// has the name that it has in the base model's folder.
///
/// # Errors
/// If a tensor cannot be read.
pub fn contents_of_differences(
    differences: NamedTensors,
    sidecar: &Sidecar,
    head: NamedTensors,
) -> Result<BTreeMap<&'static str, Vec<u8>>> {
    let named = |(name, tensor): (String, Tensor)| (format!("{DIFFERENCE}{name}"), tensor);
    let stored: NamedTensors = differences.into_iter().map(named).chain(head).collect();
    Ok(BTreeMap::from([
        (SIDECAR_FILE, files::pretty(sidecar)?),
        (WEIGHTS_FILE, tensors::to_bytes(&stored)?),
    ]))
}

/// Gives each stored difference the name of its weight, which is the stored name without [`DIFFERENCE`].
///
/// # Errors
/// The name of a tensor that is not a difference.
pub(crate) fn differences_of(stored: &NamedTensors) -> std::result::Result<NamedTensors, &str> {
    let weight = |(name, tensor): (&'_ String, &Tensor)| {
        let name = name.strip_prefix(DIFFERENCE)?;
        Some((name.to_owned(), tensor.shallow_clone()))
    };
    let all = stored.iter();
    all.map(|each| weight(each).ok_or(each.0.as_str()))
        .collect()
}

/// Copies stored weights into the trained tensors of a model's layers, in place.
///
/// # Errors
/// [`Code::CheckpointInvalid`] if the stored weights do not belong to exactly these layers.
pub fn restore(layers: &[&Linear], stored: &NamedTensors) -> Result<()> {
    let trained = trained(layers);
    let fits = trained.len() == stored.len()
        && trained
            .iter()
            .all(|(name, tensor)| stored.get(name).is_some_and(|s| s.size() == tensor.size()));
    if !fits {
        return Err(of_another_model());
    }
    let _no_grad = tch::no_grad_guard();
    for (name, mut tensor) in trained {
        tensor.f_copy_(&stored[&name])?;
    }
    Ok(())
}

/// A checkpoint whose adapter has other weights than the job's.
pub(crate) fn of_another_model() -> Error {
    Error::told(
        Code::CheckpointInvalid,
        "The checkpoint's adapter is not one of this job's model.",
        "Delete the checkpoint; the run then goes on from the one before.",
    )
}

/// Writes an adapter's files into a folder, each flushed.
///
/// # Errors
/// If a system call fails.
pub fn write(folder: &Path, contents: &BTreeMap<&'static str, Vec<u8>>) -> Result<()> {
    for (name, bytes) in contents {
        files::write_flushed(&folder.join(name), bytes)?;
    }
    Ok(())
}
