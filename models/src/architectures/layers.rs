//! The functions that every text encoder has: its layers on a packed batch.

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::packing::Packed;
use crate::architectures::recompute::Stack;
use tch::Tensor;

/// A text encoder.
pub trait Architecture {
    /// Its linear layers in the order of its modules; those that a LoRA target may name.
    fn linears(&mut self) -> Vec<&mut Linear>;

    /// The linear layers of [`Architecture::linears`], for reading only.
    fn linears_ref(&self) -> Vec<&Linear>;

    /// The table of the words' vectors `[vocabulary, hidden]`, which can also predict tokens. `None` if the model was
    /// not made to predict masked tokens.
    fn words(&self) -> Option<&Tensor> {
        None
    }

    /// The layers on a packed batch.
    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>>;

    /// Vectors of all tokens of a packed batch: `[tokens, hidden]`.
    fn forward(&self, packed: &Packed, pass: Pass) -> Result<Tensor> {
        self.stack(packed, pass)?.run()
    }
}

/// The first layer of a model with something to train. The number of layers if there is no such layer.
pub(crate) fn first_trained<'a, L: IntoIterator<Item = &'a Linear>>(
    layers: impl ExactSizeIterator<Item = L>,
) -> usize {
    let count = layers.len();
    let trained = |layer: L| layer.into_iter().any(Linear::is_trained);
    layers
        .map(trained)
        .position(|trained| trained)
        .unwrap_or(count)
}
