//! The parts of a model that a training changes: a low-rank adapter beside it, or all weights of an encoder. For a
//! cross-encoder they include its head.

use crate::adapters::adapter::{self, Adapter, Sidecar, Task};
use crate::adapters::head;
use crate::adapters::lora;
use crate::tensors::NamedTensors;
use crate::training::lessons::Trainee;
use crate::training::optimizer::Optimizer;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{StageSpec, TrainSettings, Tune};
use std::collections::BTreeMap;
use std::path::Path;

/// The differences from the folder's weights with which a training of all weights begins.
///
/// # Errors
/// [`Code::InvalidRequest`] if the adapter to continue is a low-rank one.
pub(super) fn differences(start: Option<&Adapter>) -> Result<NamedTensors> {
    let Some(start) = start else {
        return Ok(NamedTensors::new());
    };
    let differences = start.differences().ok_or_else(|| {
        Error::told(
            Code::InvalidRequest,
            "All weights are to be tuned, and the adapter to go on from is a low-rank one.",
            "Go on from an adapter for which all weights were tuned, or begin with the base model.",
        )
    })?;
    let own = |(name, tensor): (&String, &tch::Tensor)| (name.clone(), tensor.shallow_clone());
    Ok(differences.iter().map(own).collect())
}

/// The adapter that the training continues: that of a cross-encoder if a cross-encoder is trained, and otherwise any
/// other.
pub(super) fn start(settings: &TrainSettings, folder: &Path) -> Result<Adapter> {
    match settings.reranks() {
        Some(_) => Adapter::read_of_pairs(folder),
        None => Adapter::read(folder),
    }
}

/// The tensors of a cross-encoder's head; empty where it has none.
fn head_of(trainee: &Trainee) -> NamedTensors {
    trainee.head().map(head::tensors).unwrap_or_default()
}

/// Sets the weights of a cross-encoder's head. If a low-rank adapter is trained, this function also puts an adapter
/// beside the model: a new one, or `start`.
pub(super) fn adapt(
    trainee: &mut Trainee,
    settings: &TrainSettings,
    start: Option<&Adapter>,
) -> Result<()> {
    if let Some(own) = trainee.head() {
        match start.and_then(Adapter::head) {
            None => head::begin(own)?,
            Some(stored) if head::set(own, stored)? => {}
            Some(_) => return Err(head::of_another_encoder()),
        }
    }
    if settings.tune == Tune::All {
        return Ok(());
    }
    lora::adapt(&mut trainee.linears(), &settings.lora)?;
    match start {
        Some(start) => start.go_on_in(&trainee.linears_ref()),
        None => Ok(()),
    }
}

/// A fresh optimiser of what is trained, and of what a stage trains beside it.
pub(super) fn optimizer(
    trainee: &Trainee,
    stage: &StageSpec,
    beside: NamedTensors,
) -> Result<Optimizer> {
    // Whether a checkpoint must store the trained parameters themselves. If other tensors are trained beside the
    // adapter, the adapter's file does not have them. If all weights are trained, the file has only their differences
    // from the base. The sum of base and difference may differ from the trained weight in the last bit.
    let keeps = trainee.all_weights().is_some() || !beside.is_empty();
    let mut trained = match trainee.all_weights() {
        Some(all) => all.tensors(),
        None => adapter::trained(&trainee.linears_ref()),
    };
    trained.extend(head_of(trainee));
    trained.extend(beside);
    let optimizer = Optimizer::new(trained, stage.weight_decay)?;
    Ok(match keeps {
        true => optimizer.keeping_parameters(),
        false => optimizer,
    })
}

/// The files of the adapter as it is now.
pub(super) fn contents(
    trainee: &Trainee,
    settings: &TrainSettings,
    sidecar: &Sidecar,
) -> Result<BTreeMap<&'static str, Vec<u8>>> {
    if let Some(all) = trainee.all_weights() {
        return adapter::contents_of_differences(all.differences()?, sidecar, head_of(trainee));
    }
    let task = match trainee {
        Trainee::Encoder(_) => Task::Embedding,
        Trainee::Decoder(_) => Task::Language,
    };
    adapter::file_contents(
        &trainee.linears_ref(),
        &settings.lora,
        sidecar,
        task,
        head_of(trainee),
    )
}

/// Restores an adapter's stored weights.
///
/// # Errors
/// [`Code::CheckpointInvalid`] if the stored weights do not belong to exactly this model.
pub(super) fn restore(trainee: &Trainee, mut stored: NamedTensors) -> Result<()> {
    if let Some(own) = trainee.head() {
        let of_head = head::taken_from(&mut stored);
        if !head::set(own, &of_head)? {
            return Err(adapter::of_another_model());
        }
    }
    let Some(all) = trainee.all_weights() else {
        return adapter::restore(&trainee.linears_ref(), &stored);
    };
    let differences = adapter::differences_of(&stored).unwrap_or_default();
    match all.set(&differences)? {
        true => Ok(()),
        false => Err(adapter::of_another_model()),
    }
}
