//! Computes the gradient of a model layer by layer. The values inside a layer are not kept. Instead each layer is
//! computed a second time for its gradient (activation recomputation, Chen et al. 2016).
//!
//! The second computation restores the state of the random generator, to repeat the dropout of the first. So loss and
//! gradient equal those of the ordinary computation.

use crate::device::cuda_index;
use crate::{Result, shim};
use tch::Tensor;

/// How a gradient is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Each layer again for its gradient.
    pub recompute: bool,
    /// A factor for the gradient: a piece's share of its batch, times the scale that keeps small fp16 gradients from
    /// becoming zero.
    pub scale: f64,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            recompute: false,
            scale: 1.0,
        }
    }
}

impl Way {
    /// This way for a piece of a batch: the gradient's factor is multiplied by the piece's `share`.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        Self {
            scale: self.scale * share,
            ..self
        }
    }
}

/// Token vectors to token vectors.
pub type Step<'a> = Box<dyn Fn(&Tensor) -> Result<Tensor> + 'a>;

/// A model on one batch, as the layers that its vectors go through.
pub struct Stack<'a> {
    /// The input of the first layer: `[tokens, hidden]`. It has a graph if embeddings are trained.
    pub input: Tensor,
    /// The layers in order.
    pub layers: Vec<Step<'a>>,
    /// The step after the last layer.
    pub last: Step<'a>,
    /// The first layer with something to train; those below it need no gradient.
    pub first_trained: usize,
}

impl Stack<'_> {
    /// The vectors after all layers: `[tokens, hidden]`.
    pub fn run(&self) -> Result<Tensor> {
        let mut x = self.input.shallow_clone();
        for layer in &self.layers {
            x = layer(&x)?;
        }
        (self.last)(&x)
    }

    /// The vectors after the first `layer` layers. The final step (such as the last norm) is applied only after the
    /// last layer.
    pub(crate) fn run_to(&self, layer: usize) -> Result<Tensor> {
        if layer >= self.layers.len() {
            return self.run();
        }
        let mut x = self.input.shallow_clone();
        for layer in &self.layers[..layer] {
            x = layer(&x)?;
        }
        Ok(x)
    }

    /// This stack without the layers after `layer`. A gradient then goes only through the layers that `Stack::run_to`
    /// computes.
    #[must_use]
    pub fn up_to(mut self, layer: usize) -> Self {
        if layer < self.layers.len() {
            self.layers.truncate(layer);
            self.last = Box::new(|x: &Tensor| Ok(x.shallow_clone()));
        }
        self
    }

    /// Adds the gradient of a loss to the trained parameters and gives the loss. `read` gets the vectors after all
    /// layers and returns the loss and its gradient with respect to them ([`gradient_of`]).
    pub fn backward(
        &self,
        recompute: bool,
        read: &mut dyn FnMut(&Tensor) -> Result<(f64, Tensor)>,
    ) -> Result<f64> {
        if recompute {
            return self.recomputed(read);
        }
        let hidden = self.run()?;
        let (loss, gradient) = read(&hidden.f_detach()?)?;
        shim::backward(&hidden, &gradient)?;
        Ok(loss)
    }

    fn recomputed(&self, read: &mut dyn FnMut(&Tensor) -> Result<(f64, Tensor)>) -> Result<f64> {
        let generator = cuda_index(self.input.device());
        let embeds = self.input.requires_grad();
        let first = if embeds { 0 } else { self.first_trained };
        // Whether the gradient is passed on from a layer to its input.
        let goes_on = |number: usize| embeds || number > first;
        let mut x = self.input.f_detach()?;
        let mut kept: Vec<(Tensor, Tensor)> = Vec::with_capacity(self.layers.len());
        {
            let _no_grad = tch::no_grad_guard();
            for (number, layer) in self.layers.iter().enumerate() {
                if number >= first {
                    kept.push((shim::generator_state(generator)?, x.shallow_clone()));
                }
                x = layer(&x)?;
            }
        }
        let after = shim::generator_state(generator)?;
        let leaf = x.f_set_requires_grad(true)?;
        let hidden = (self.last)(&leaf)?;
        let (loss, by_hidden) = read(&hidden.f_detach()?)?;
        shim::backward(&hidden, &by_hidden)?;
        let mut gradient = leaf.f_grad()?;
        drop((leaf, hidden, by_hidden));
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let Some((state, x)) = kept.pop() else { break };
            shim::set_generator_state(generator, &state)?;
            let leaf = x.f_set_requires_grad(goes_on(number))?;
            shim::backward(&layer(&leaf)?, &gradient)?;
            if goes_on(number) {
                gradient = leaf.f_grad()?;
            }
        }
        if embeds {
            shim::backward(&self.input, &gradient)?;
        }
        shim::set_generator_state(generator, &after)?;
        Ok(loss)
    }
}

/// A loss over vectors, and its gradient with respect to them times `scale`.
pub fn gradient_of(
    vectors: &Tensor,
    scale: f64,
    loss: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<(f64, Tensor)> {
    let leaf = vectors.f_detach()?.f_set_requires_grad(true)?;
    let loss = loss(&leaf)?;
    shim::backward(&loss, &loss.f_ones_like()?.f_mul_scalar(scale)?)?;
    Ok((loss.f_double_value(&[])?, leaf.f_grad()?))
}
