//! The head of a cross-encoder: one linear layer that turns a pair's vector into a score. The head is trained together
//! with the encoder, and its tensors are stored beside those of the adapter.

use crate::architectures::dense::Dense;
use crate::tensors::NamedTensors;
use crate::{Error, Result};
use lexforge_domain::Code;
use tch::{Device, Kind, Tensor};

/// Name of its weight, `[1, hidden]`.
const WEIGHT: &str = "head.weight";
/// Name of its bias, `[1]`.
const BIAS: &str = "head.bias";
/// How widely the weights of a fresh head are spread, as that of a fresh classifier of BERT is.
const SPREAD: f64 = 0.02;

/// A head to be trained, for vectors of `hidden` numbers. Its weights are zero until [`begin`].
pub fn to_train(hidden: usize, device: Device) -> Result<Dense> {
    let zeros = |shape: &[i64]| -> Result<Tensor> {
        let zeros = Tensor::f_zeros(shape, (Kind::Float, device))?;
        Ok(zeros.f_set_requires_grad(true)?)
    };
    Ok(Dense::linear(zeros(&[1, hidden as i64])?, zeros(&[1])?))
}

/// A head with stored tensors, for vectors of `hidden` numbers.
///
/// # Errors
/// [`Code::ModelUnsupported`] if the head is made for vectors of another size.
pub fn stored(tensors: &NamedTensors, hidden: usize, device: Device) -> Result<Dense> {
    let head = to_train(hidden, device)?;
    match set(&head, tensors)? {
        true => Ok(head),
        false => Err(of_another_encoder()),
    }
}

/// A head whose tensors are not those that this encoder's has.
pub(crate) fn of_another_encoder() -> Error {
    Error::told(
        Code::ModelUnsupported,
        "The adapter's head was made for another encoder.",
        "Use the adapter with the base model that it was trained on.",
    )
}

/// Its tensors by their names.
pub fn tensors(head: &Dense) -> NamedTensors {
    let named = [WEIGHT, BIAS].into_iter().zip(head.tensors());
    named
        .map(|(name, tensor)| (name.to_owned(), tensor.shallow_clone()))
        .collect()
}

/// Gives the head random weights from libtorch's generator, in the state that the seed gave the generator.
pub fn begin(head: &Dense) -> Result<()> {
    let _no_grad = tch::no_grad_guard();
    if let Some(mut weight) = tensors(head).remove(WEIGHT) {
        let _ = weight.f_normal_(0.0, SPREAD)?;
    }
    Ok(())
}

/// Sets the head to stored tensors. If they are not exactly the head's tensors, nothing is changed and the result is
/// `false`.
pub fn set(head: &Dense, stored: &NamedTensors) -> Result<bool> {
    let own = tensors(head);
    let fits = |(name, tensor): (&String, &Tensor)| {
        let stored = stored.get(name);
        stored.is_some_and(|stored| stored.size() == tensor.size())
    };
    if own.len() != stored.len() || !own.iter().all(fits) {
        return Ok(false);
    }
    let _no_grad = tch::no_grad_guard();
    for (name, mut tensor) in own {
        tensor.f_copy_(&stored[&name])?;
    }
    Ok(true)
}

/// Takes a head's tensors out of those of an adapter.
pub fn taken_from(adapter: &mut NamedTensors) -> NamedTensors {
    let taken = [WEIGHT, BIAS].into_iter();
    taken
        .filter_map(|name| adapter.remove_entry(name))
        .collect()
}
