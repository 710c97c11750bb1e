//! Adapters of two kinds. A low-rank adapter is in PEFT's format (`adapter_config.json`, `adapter_model.safetensors`),
//! with an additional description that only this program writes (`lexforge.json`). An adapter of the other kind holds
//! the differences that a training added to all weights of an encoder. It has only the additional description and the
//! weights, so that PEFT does not mistake it for one of its own adapters.

use crate::adapters::head;
use crate::adapters::lora::{LARGEST_RANK, Linear};
use crate::adapters::peft::PeftConfig;
use crate::adapters::updates::{Update, Updates};
use crate::architectures::sizes::LARGEST_CONFIG;
use crate::files;
use crate::folder::content_hash;
use crate::tensors::{self, NamedTensors};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{EmbedJob, Tune};
use std::collections::BTreeMap;
use std::path::Path;
use stored::{PEFT_PREFIX, POOLER};
use tch::{Kind, Tensor};

pub use crate::adapters::sidecar::Sidecar;
pub use crate::adapters::updates::bare;
pub use stored::{
    CONFIG_FILE, DIFFERENCE, Task, WEIGHTS_FILE, contents_of_differences, file_contents, restore,
    trained, write,
};
pub(crate) use stored::{SIDECAR_FILE, differences_of, of_another_model};

/// An adapter that was read from a folder.
pub struct Adapter {
    sidecar: Option<Sidecar>,
    weights: Kept,
    /// Tensors of a cross-encoder's head; none in another's adapter.
    head: Option<NamedTensors>,
    folder: String,
}

/// The weights of an adapter, by its kind.
enum Kept {
    LowRank {
        config: Box<PeftConfig>,
        tensors: NamedTensors,
    },
    /// The number that is added to each weight of the base, by the weight's name in its folder.
    Differences(NamedTensors),
}

impl Adapter {
    /// Reads the folder of an adapter of any kind.
    fn read_any(folder: &Path) -> Result<Self> {
        let name = folder.display().to_string();
        let invalid = |what: String| {
            Error::told(
                Code::BundleInvalid,
                format!("The adapter {what}."),
                "Export the adapter again.",
            )
        };
        let text = |file: &str| {
            let read = files::read_whole(&folder.join(file), LARGEST_CONFIG);
            let bytes = read.map_err(|e| invalid(format!("has no readable {file}: {e}")))?;
            String::from_utf8(bytes).map_err(|e| invalid(format!("has no readable {file}: {e}")))
        };
        let sidecar: Option<Sidecar> =
            match text(SIDECAR_FILE) {
                Ok(text) => Some(serde_json::from_str(&text).map_err(|e| {
                    invalid(format!("has a {SIDECAR_FILE} that cannot be read: {e}"))
                })?),
                Err(_) => None, // an adapter of PEFT's own
            };
        let tune = sidecar.as_ref().map_or(Tune::Lora, |sidecar| sidecar.tune);
        let config = match tune {
            Tune::All => None,
            Tune::Lora => {
                let config: PeftConfig =
                    serde_json::from_str(&text(CONFIG_FILE)?).map_err(|e| {
                        invalid(format!("has a {CONFIG_FILE} that cannot be read: {e}"))
                    })?;
                config.check()?;
                Some(Box::new(config))
            }
        };
        let mut tensors = tensors::read(&folder.join(WEIGHTS_FILE), |e| {
            invalid(format!("has damaged weights: {e}"))
        })?;
        let reads_pairs = sidecar.as_ref().is_some_and(|own| own.pairs.is_some());
        let head = reads_pairs.then(|| head::taken_from(&mut tensors));
        let weights = match config {
            Some(config) => Kept::LowRank { config, tensors },
            None => match differences_of(&tensors) {
                Ok(differences) if !differences.is_empty() => Kept::Differences(differences),
                Ok(_) => return Err(misfit_in(&name, WEIGHTS_FILE)),
                Err(other) => return Err(misfit_in(&name, other)),
            },
        };
        Ok(Self {
            sidecar,
            weights,
            head,
            folder: name,
        })
    }

    /// The differences that are added to the weights of the base model. Each has the name of its weight in the model's
    /// folder. `None` if the adapter is a low-rank one.
    pub fn differences(&self) -> Option<&NamedTensors> {
        match &self.weights {
            Kept::Differences(differences) => Some(differences),
            Kept::LowRank { .. } => None,
        }
    }

    /// The tensors of a cross-encoder's head.
    pub fn head(&self) -> Option<&NamedTensors> {
        self.head.as_ref()
    }

    /// The two parts of a low-rank adapter.
    fn low_rank(&self) -> Result<(&PeftConfig, &NamedTensors)> {
        match &self.weights {
            Kept::LowRank { config, tensors } => Ok((config.as_ref(), tensors)),
            Kept::Differences(_) => Err(Error::told_of(
                Path::new(&self.folder),
                Code::ModelUnsupported,
                "The adapter is what a training added to all weights, and a low-rank one is asked for here.",
                "Use an adapter that was trained as a low-rank one.",
            )),
        }
    }

    /// How the job's settings differ from those that the adapter was trained with.
    pub(crate) fn disagreement(&self, job: &EmbedJob) -> Option<String> {
        let sidecar = self.sidecar.as_ref()?;
        if sidecar.base.name != job.model.name {
            return Some(format!(
                "The adapter was trained on {}, not on {}.",
                sidecar.base.name, job.model.name
            ));
        }
        let asked = job.pooling.filter(|pooling| *pooling != sidecar.pooling)?;
        Some(format!(
            "The adapter was trained with {:?} pooling, the job asks for {asked:?}.",
            sidecar.pooling
        ))
    }

    /// The description beside the weights. An adapter that PEFT wrote has none.
    pub fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }

    /// The class of the base model in which PEFT trained the adapter, where PEFT recorded it.
    pub(crate) fn class_of_base(&self) -> Option<&str> {
        match &self.weights {
            Kept::LowRank { config, .. } => config.class_of_base(),
            Kept::Differences(_) => None,
        }
    }

    /// Checks that the adapter was trained on this base model. The hash of the model's content is compared if the
    /// adapter records it, otherwise the model's name. Adapters that PEFT itself wrote do not record the hash.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if the adapter was trained on another model.
    pub(crate) fn check_base(&self, name: &str, folder: &Path) -> Result<()> {
        let Some(base) = self.sidecar.as_ref().map(|sidecar| &sidecar.base) else {
            return Ok(());
        };
        let same = match base.sha256.as_str() {
            "" => base.name == name,
            recorded => content_hash(folder)? == recorded,
        };
        if same {
            return Ok(());
        }
        let other = if base.name == name {
            "another version of it"
        } else {
            &base.name
        };
        Err(Error::told_of(
            Path::new(&self.folder),
            Code::ModelUnsupported,
            format!(
                "The adapter belongs to another base model: it was trained on {other}, not on this {name}."
            ),
            "Use the adapter with the base model that it was trained on.",
        ))
    }

    /// Adds the adapter to the weights of a model's layers, for inference.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if a tensor belongs to no layer of this model.
    pub fn merge_into(&self, layers: &mut [&mut Linear]) -> Result<()> {
        let _no_grad = tch::no_grad_guard();
        self.for_each(layers, |layer, a, b, scale| layer.merge(a, b, scale))
    }

    /// Puts the adapter beside the weights of a model's layers, so that it can be trained further.
    ///
    /// # Errors
    /// As [`Adapter::merge_into`].
    pub fn attach_to(&self, layers: &mut [&mut Linear]) -> Result<()> {
        let dropout = self.low_rank()?.0.lora_dropout;
        self.for_each(layers, |layer, a, b, scale| {
            layer.attach(a, b, scale, dropout)
        })
    }

    /// Copies the adapter's weights into layers that already have a low-rank part, to continue the training.
    ///
    /// # Errors
    /// As [`Adapter::merge_into`]; also if the adapter has another rank or adapts other layers.
    pub(crate) fn go_on_in(&self, layers: &[&Linear]) -> Result<()> {
        let bare_name = |name: &str| module_of(name).map(|(path, side)| (path.to_owned(), side));
        let (config, tensors) = self.low_rank()?;
        let mut own: BTreeMap<(String, usize), &Tensor> = BTreeMap::new();
        for (name, tensor) in tensors {
            own.insert(bare_name(name).ok_or_else(|| self.misfit(name))?, tensor);
        }
        for layer in layers {
            let Some(low) = layer.low_rank() else {
                continue;
            };
            let scale = config.scale(&layer.path, low.a.size()[0]);
            if (scale - low.scale).abs() > 1e-9 * scale.abs() {
                return Err(Error::told_of(
                    Path::new(&self.folder),
                    Code::InvalidRequest,
                    format!(
                        "The adapter was trained with α / r = {scale} in {:?}, the job has {}.",
                        layer.path, low.scale
                    ),
                    "Give the job the adapter's own r and α.",
                ));
            }
        }
        let _no_grad = tch::no_grad_guard();
        for (name, mut tensor) in trained(layers) {
            let stored = bare_name(&name).and_then(|place| own.remove(&place));
            match stored {
                Some(stored) if stored.size() == tensor.size() => tensor.f_copy_(stored)?,
                _ => return Err(self.misfit(&name)),
            }
        }
        match own.into_keys().find(|(path, _)| path != POOLER) {
            Some((path, _)) => Err(self.misfit(&path)),
            None => Ok(()),
        }
    }

    /// The changes that the adapter makes to the base model, in a form from which each can be applied alone: by layer
    /// for a low-rank adapter, by weight for one that holds differences.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if a tensor does not belong to a low-rank layer.
    pub fn updates(&self) -> Result<Updates> {
        if let Some(differences) = self.differences() {
            let own = |(name, tensor): (&String, &Tensor)| (name.clone(), tensor.shallow_clone());
            return Ok(Updates::of_weights(differences.iter().map(own).collect()));
        }
        let config = self.low_rank()?.0;
        let mut updates = BTreeMap::new();
        for (path, pair) in self.pairs()? {
            let [Some(a), Some(b)] = pair else {
                return Err(self.misfit(path));
            };
            let rank = a.size()[0];
            let fits = a.size().len() == 2
                && rank <= LARGEST_RANK as i64
                && b.size().len() == 2
                && b.size()[1] == rank
                && rank > 0;
            if !fits {
                return Err(self.misfit(path));
            }
            let scale = config.scale(path, rank);
            updates.insert(path.to_owned(), Update { a, b, scale });
        }
        match updates.is_empty() {
            true => Err(self.misfit(WEIGHTS_FILE)),
            false => Ok(Updates::of_modules(updates)),
        }
    }

    /// A and B of each module, in fp32.
    fn pairs(&self) -> Result<BTreeMap<&str, [Option<Tensor>; 2]>> {
        let mut pairs: BTreeMap<&str, [Option<Tensor>; 2]> = BTreeMap::new();
        for (name, tensor) in self.low_rank()?.1 {
            let (path, side) = module_of(name).ok_or_else(|| self.misfit(name))?;
            pairs.entry(path).or_default()[side] = Some(tensor.f_to_kind(Kind::Float)?);
        }
        pairs.remove(POOLER);
        Ok(pairs)
    }

    /// Calls `f` for each adapted layer with the layer's A and B and the scale of their product. If any layer does not
    /// fit, no layer is changed.
    fn for_each(
        &self,
        layers: &mut [&mut Linear],
        mut act: impl FnMut(&mut Linear, &Tensor, &Tensor, f64) -> Result<()>,
    ) -> Result<()> {
        let (config, pairs) = (self.low_rank()?.0, self.pairs()?);
        let mut fitting = Vec::with_capacity(pairs.len());
        for (path, pair) in pairs {
            let [Some(a), Some(b)] = pair else {
                return Err(self.misfit(path));
            };
            let place = layers.iter().position(|layer| bare(&layer.path) == path);
            let place = place.ok_or_else(|| self.misfit(path))?;
            let (outputs, inputs) = layers[place].shape();
            let rank = a.size()[0];
            if rank > LARGEST_RANK as i64
                || a.size() != [rank, inputs]
                || b.size() != [outputs, rank]
                || rank == 0
            {
                return Err(self.misfit(path));
            }
            fitting.push((place, a, b));
        }
        if fitting.is_empty() {
            return Err(self.misfit(WEIGHTS_FILE));
        }
        for (place, a, b) in fitting {
            let layer = &mut *layers[place];
            let device = layer.device();
            let scale = config.scale(&layer.path, a.size()[0]);
            act(
                layer,
                &a.f_to_device(device)?,
                &b.f_to_device(device)?,
                scale,
            )?;
        }
        Ok(())
    }

    fn misfit(&self, what: &str) -> Error {
        misfit_in(&self.folder, what)
    }
}

fn misfit_in(folder: &str, what: &str) -> Error {
    Error::told_of(
        Path::new(folder),
        Code::ModelUnsupported,
        format!("The adapter's {what:?} fits no layer of this model."),
        "Use the adapter with the base model that it was trained on.",
    )
}

/// The module of a PEFT tensor name and which projection it is (0 = A, 1 = B).
fn module_of(name: &str) -> Option<(&str, usize)> {
    let inner = bare(name.strip_prefix(PEFT_PREFIX)?);
    [".lora_A.weight", ".lora_B.weight"]
        .iter()
        .position(|end| inner.ends_with(end))
        .map(|side| (&inner[..inner.len() - ".lora_A.weight".len()], side))
}

mod kinds;
mod stored;
#[cfg(test)]
mod tests;
