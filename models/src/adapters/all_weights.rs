//! All weights of an encoder, either to be trained or with the differences that a training made.
//!
//! An encoder asks a [`Source`] for its tensors by name. The sources here are put between the folder and the encoder.
//! So they reach every weight of every architecture: linear layers, norms, embeddings.

use crate::Result;
use crate::adapters::updates::fits_no_weight;
use crate::tensors::NamedTensors;
use crate::weights::{Source, Weights, other_shape};
use std::cell::RefCell;
use std::collections::BTreeSet;
use tch::{Kind, Tensor};

/// The weights of a folder with differences added.
pub struct Tuned<'a> {
    weights: &'a Weights,
    differences: &'a NamedTensors,
    added: RefCell<BTreeSet<String>>,
}

impl<'a> Tuned<'a> {
    /// The weights of a folder, with these differences by the folder's names.
    pub fn of(weights: &'a Weights, differences: &'a NamedTensors) -> Self {
        Self {
            weights,
            differences,
            added: RefCell::default(),
        }
    }

    /// Checks, after an encoder was loaded, that it asked for every weight that has a difference.
    ///
    /// # Errors
    /// [`ModelUnsupported`](lexforge_domain::Code::ModelUnsupported) if a difference belongs to none of its weights.
    pub(crate) fn check_all_added(&self) -> Result<()> {
        let added = self.added.borrow();
        match self.differences.keys().find(|name| !added.contains(*name)) {
            None => Ok(()),
            Some(name) => Err(fits_no_weight(name)),
        }
    }
}

impl Source for Tuned<'_> {
    fn has(&self, name: &str) -> bool {
        self.weights.has(name)
    }

    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        let own = self.weights.tensor_as(name, shape, wanted)?;
        let Some(difference) = self.differences.get(name) else {
            return Ok(own);
        };
        let tuned = with_difference(&own, difference, name)?;
        self.added.borrow_mut().insert(name.to_owned());
        Ok(tuned)
    }

    fn forget(&self, name: &str) {
        self.weights.forget(name);
    }
}

/// A weight with its difference added: a new tensor of the weight's type. The sum is made in fp32.
///
/// # Errors
/// [`ModelUnsupported`](lexforge_domain::Code::ModelUnsupported) if the difference has another shape.
pub(crate) fn with_difference(own: &Tensor, difference: &Tensor, name: &str) -> Result<Tensor> {
    if own.size() != difference.size() {
        return Err(fits_no_weight(name));
    }
    let _no_grad = tch::no_grad_guard();
    Ok(own
        .f_to_kind(Kind::Float)?
        .f_add(&difference.f_to_device(own.device())?)?
        .f_to_kind(own.f_kind()?)?)
}

/// Copies of weights, in fp32, that are trained. The weights themselves are a read-only map.
struct Copies<'a> {
    source: &'a dyn Source,
    made: RefCell<NamedTensors>,
}

impl Source for Copies<'_> {
    fn has(&self, name: &str) -> bool {
        self.source.has(name)
    }

    fn tensor_as(&self, name: &str, shape: &[i64], _wanted: Option<Kind>) -> Result<Tensor> {
        if let Some(made) = self.made.borrow().get(name) {
            return match made.size() == shape {
                true => Ok(made.shallow_clone()),
                false => Err(other_shape(name, &made.size(), shape)),
            };
        }
        let own = self.source.tensor_as(name, shape, Some(Kind::Float))?;
        let mut copy = own.f_zeros_like()?;
        copy.f_copy_(&own)?;
        let copy = copy.f_set_requires_grad(true)?;
        self.source.forget(name);
        self.made
            .borrow_mut()
            .insert(name.to_owned(), copy.shallow_clone());
        Ok(copy)
    }
}

/// The weights of an encoder that are trained, beside those of its folder.
pub struct AllWeights {
    base: Weights,
    tensors: NamedTensors,
}

impl AllWeights {
    /// Lets `load` make an encoder from copies of the weights. Each copy begins as the folder's weight plus its
    /// difference in `start`.
    ///
    /// # Errors
    /// As `load`; also if no weight fits a difference.
    pub fn of<T>(
        base: Weights,
        start: &NamedTensors,
        load: impl FnOnce(&dyn Source) -> Result<T>,
    ) -> Result<(T, Self)> {
        let (loaded, tensors) = {
            let tuned = Tuned::of(&base, start);
            let copies = Copies {
                source: &tuned,
                made: RefCell::default(),
            };
            let loaded = load(&copies)?;
            tuned.check_all_added()?;
            (loaded, copies.made.into_inner())
        };
        Ok((loaded, Self { base, tensors }))
    }

    /// The trained weights by the folder's names.
    pub fn tensors(&self) -> NamedTensors {
        let each = self.tensors.iter();
        each.map(|(name, tensor)| (name.clone(), tensor.shallow_clone()))
            .collect()
    }

    /// What the training has added to each weight so far.
    pub fn differences(&self) -> Result<NamedTensors> {
        let _no_grad = tch::no_grad_guard();
        let each = self.tensors.iter().map(|(name, tuned)| {
            let base = self.base.tensor(name, &tuned.size())?;
            let difference = tuned.f_sub(&base)?;
            self.base.forget(name);
            Ok((name.clone(), difference))
        });
        each.collect()
    }

    /// Sets each weight to the folder's weight plus its difference. If `differences` has missing or extra weights,
    /// nothing is changed and the result is `false`.
    pub fn set(&self, differences: &NamedTensors) -> Result<bool> {
        let fits = |(name, tensor): (&String, &Tensor)| {
            let stored = differences.get(name);
            stored.is_some_and(|stored| stored.size() == tensor.size())
        };
        if self.tensors.len() != differences.len() || !self.tensors.iter().all(fits) {
            return Ok(false);
        }
        let _no_grad = tch::no_grad_guard();
        for (name, tensor) in &self.tensors {
            let base = self.base.tensor(name, &tensor.size())?;
            let tuned = with_difference(&base, &differences[name], name)?;
            tensor.shallow_clone().f_copy_(&tuned)?;
            self.base.forget(name);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensors::to_bytes;
    use crate::weights::SINGLE_FILE;
    use lexforge_domain::Code;
    use tch::Device;

    fn base(folder: &std::path::Path) -> Weights {
        let tensors: NamedTensors = [
            ("w".to_owned(), Tensor::from_slice(&[1f32, -2.5, 3.0])),
            ("b".to_owned(), Tensor::from_slice(&[0.5f32])),
        ]
        .into();
        let file = folder.join(SINGLE_FILE);
        if !file.exists() {
            std::fs::write(file, to_bytes(&tensors).unwrap()).unwrap();
        }
        Weights::open(folder, Device::Cpu).unwrap()
    }

    fn values(tensor: &Tensor) -> Vec<f32> {
        Vec::try_from(tensor.detach()).unwrap()
    }

    fn differences(name: &str, values: &[f32]) -> NamedTensors {
        [(name.to_owned(), Tensor::from_slice(values))].into()
    }

    #[test]
    fn what_is_trained_is_a_copy_and_its_difference_leads_back_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let load = |source: &dyn Source| -> Result<[Tensor; 3]> {
            Ok([
                source.tensor_as("w", &[3], None)?,
                source.tensor_as("b", &[1], None)?,
                source.tensor_as("w", &[3], None)?,
            ])
        };
        let (loaded, all) =
            AllWeights::of(base(folder.path()), &NamedTensors::new(), load).unwrap();
        assert!(loaded.iter().all(Tensor::requires_grad));
        // A fresh adapter has no differences.
        for difference in all.differences().unwrap().values() {
            assert_eq!(difference.abs().max().double_value(&[]), 0.0);
        }
        tch::no_grad(|| {
            loaded[0]
                .shallow_clone()
                .copy_(&Tensor::from_slice(&[1.25f32, -2.5, 8.0]))
        });
        assert_eq!(
            values(&loaded[2]),
            [1.25, -2.5, 8.0],
            "one weight, asked for twice"
        );
        let made = all.differences().unwrap();
        assert_eq!(values(&made["w"]), [0.25, 0.0, 5.0]);

        // The folder is what it was; with the differences it is what was trained.
        let again = base(folder.path());
        assert_eq!(values(&again.tensor("w", &[3]).unwrap()), [1.0, -2.5, 3.0]);
        let tuned = Tuned::of(&again, &made);
        assert_eq!(
            values(&tuned.tensor_as("w", &[3], None).unwrap()),
            [1.25, -2.5, 8.0]
        );
        assert!(tuned.check_all_added().is_err(), "b was not asked for");
        assert_eq!(values(&tuned.tensor_as("b", &[1], None).unwrap()), [0.5]);
        tuned.check_all_added().unwrap();

        // Put back into other weights, and only where all of them fit.
        assert!(all.set(&made).unwrap());
        assert_eq!(values(&loaded[0]), [1.25, -2.5, 8.0]);
        assert!(!all.set(&differences("w", &[0.0; 3])).unwrap());
        let mut foreign = made;
        foreign.insert("b".to_owned(), Tensor::from_slice(&[0f32; 2]));
        assert!(!all.set(&foreign).unwrap());
        assert_eq!(values(&loaded[0]), [1.25, -2.5, 8.0]);
    }

    #[test]
    fn a_difference_of_another_model_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let weights = base(folder.path());
        let check = |differences: &NamedTensors, named: &str| {
            let tuned = Tuned::of(&weights, differences);
            let read = tuned.tensor_as("w", &[3], None);
            let error = read.and_then(|_| tuned.check_all_added()).unwrap_err();
            let failure = error.into_failure();
            assert_eq!(failure.code, Code::ModelUnsupported);
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        check(&differences("v", &[1.0]), "v");
        check(&differences("w", &[1.0, 2.0]), "w");
    }
}
