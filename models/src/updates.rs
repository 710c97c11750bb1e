//! What an adapter adds to single modules, for work on one layer at a time.

use crate::Result;
use crate::lora::Linear;
use std::collections::BTreeMap;
use tch::Tensor;

/// The low-rank updates of an adapter, by the module that each belongs to.
pub struct Updates(BTreeMap<String, Update>);

/// The update of one module.
pub struct Update {
    /// Down projection `[r, inputs]`, fp32.
    pub a: Tensor,
    /// Up projection `[outputs, r]`, fp32.
    pub b: Tensor,
    /// What their product is multiplied by.
    pub scale: f64,
}

impl Updates {
    /// Those of modules, by their paths in a model without a head.
    pub fn of_modules(updates: BTreeMap<String, Update>) -> Self {
        Self(updates)
    }

    /// The update of a module, by its path in a model with a head or without.
    pub fn of(&self, path: &str) -> Option<&Update> {
        self.0.get(bare(path))
    }

    /// How many modules are updated.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the updates beside the weights of those layers that have one.
    ///
    /// # Errors
    /// Where libtorch refuses.
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

/// What a model with a head puts before the paths of the model without one.
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
