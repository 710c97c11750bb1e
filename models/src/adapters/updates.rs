//! The updates of an adapter to single modules or weights, for code that handles one at a time.

use crate::adapters::lora::Linear;
use crate::tensors::NamedTensors;
use crate::{Error, Result};
use lexforge_domain::Code;
use std::collections::BTreeMap;
use tch::Tensor;

/// The updates that an adapter makes to a model.
#[derive(Default)]
pub struct Updates {
    /// Low-rank updates, by the module that each belongs to.
    low_rank: BTreeMap<String, Update>,
    /// Differences of whole weights, by their names in the base model's folder.
    differences: NamedTensors,
}

/// The update of one module.
pub struct Update {
    /// Down projection `[r, inputs]`, fp32.
    pub a: Tensor,
    /// Up projection `[outputs, r]`, fp32.
    pub b: Tensor,
    /// The factor by which their product is multiplied.
    pub scale: f64,
}

impl Updates {
    /// Updates of modules, by their paths in a model without a head.
    pub(crate) fn of_modules(updates: BTreeMap<String, Update>) -> Self {
        Self {
            low_rank: updates,
            ..Self::default()
        }
    }

    /// Updates of all weights, by their names in the base model's folder.
    pub(crate) fn of_weights(differences: NamedTensors) -> Self {
        Self {
            differences,
            ..Self::default()
        }
    }

    /// The differences of whole weights; none in a low-rank adapter.
    pub fn differences(&self) -> &NamedTensors {
        &self.differences
    }

    /// The update of a module, by its path in a model with a head or without.
    pub fn of(&self, path: &str) -> Option<&Update> {
        self.low_rank.get(bare(path))
    }

    /// How many modules or weights are updated.
    pub fn len(&self) -> usize {
        self.low_rank.len() + self.differences.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts the low-rank updates beside the weights of those layers that have one.
    pub fn attach_to(&self, layers: &mut [&mut Linear]) -> Result<()> {
        for layer in layers {
            if let Some(Update { a, b, scale }) = self.of(&layer.path) {
                let device = layer.device();
                layer.attach(
                    &a.f_to_device(device)?,
                    &b.f_to_device(device)?,
                    *scale,
                    0.0,
                )?;
            }
        }
        Ok(())
    }
}

/// The texts that a model with a head puts before the paths of the model without one.
const HEADED: [&str; 6] = [
    "bert.",
    "roberta.",
    "distilbert.",
    "mpnet.",
    "deberta.",
    "model.",
];

/// A module's path without what a model with a head puts before it.
pub fn bare(path: &str) -> &str {
    HEADED
        .iter()
        .find_map(|prefix| path.strip_prefix(prefix))
        .unwrap_or(path)
}

/// An update that belongs to another model.
pub(crate) fn fits_no_weight(what: &str) -> Error {
    Error::told(
        Code::ModelUnsupported,
        format!("The adapter's update fits no weight of this model ({what})."),
        "Use the adapter with the base model that it was trained on.",
    )
}
