//! AdamW (Loshchilov and Hutter 2019) with its state in plain tensors, so that it can be stored and restored exactly.

use crate::shim::{AdamWNumbers, AdamWTensors, adamw};
use crate::tensors::NamedTensors;
use crate::training::ranks::Ranks;
use crate::{Error, Result};
use lexforge_domain::Code;
use tch::Tensor;

/// AdamW over named parameters.
pub struct Optimizer {
    names: Vec<String>,
    parameters: Vec<Tensor>,
    averages: Vec<Tensor>,
    squares: Vec<Tensor>,
    steps: Vec<Tensor>,
    weight_decay: f64,
    /// Its state holds the parameters, too.
    keeps_parameters: bool,
}

impl Optimizer {
    /// A new optimizer; β and ε are PyTorch's defaults.
    pub fn new(parameters: NamedTensors, weight_decay: f64) -> Result<Self> {
        let _no_grad = tch::no_grad_guard();
        let (names, parameters): (Vec<String>, Vec<Tensor>) = parameters.into_iter().unzip();
        let zeros = |list: &[Tensor]| {
            list.iter()
                .map(|p| Ok(p.f_zeros_like()?))
                .collect::<Result<Vec<_>>>()
        };
        let averages = zeros(&parameters)?;
        let squares = zeros(&parameters)?;
        let steps = parameters
            .iter()
            .map(|p| Ok(Tensor::f_zeros([0i64; 0], (tch::Kind::Float, p.device()))?))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            names,
            parameters,
            averages,
            squares,
            steps,
            weight_decay,
            keeps_parameters: false,
        })
    }

    /// This optimizer, set to store the parameters in its state as well. It is for parameters that no other file stores
    /// to the last bit.
    #[must_use]
    pub(crate) fn keeping_parameters(self) -> Self {
        Self {
            keeps_parameters: true,
            ..self
        }
    }

    /// Numbers trained.
    pub fn parameter_count(&self) -> u64 {
        self.parameters.iter().map(|p| p.numel() as u64).sum()
    }

    /// Forgets the gradients.
    pub fn clear_gradients(&mut self) {
        for parameter in &mut self.parameters {
            parameter.zero_grad();
        }
    }

    /// Divides the gradients by `scale` (the loss was multiplied by it), scales them so that their joint norm is at
    /// most `largest`, and makes one step. Returns the norm before the second scaling. If this norm is not finite, no
    /// step is made.
    pub fn step(&mut self, learning_rate: f64, largest: f64, scale: f64) -> Result<f64> {
        self.step_of_all(learning_rate, largest, scale, &Ranks::alone())
    }

    /// Makes a step as [`Self::step`] does, with the sum of the gradients of all ranks. Each rank makes the same step.
    ///
    /// # Errors
    /// If libtorch fails, or a rank has ended.
    pub(crate) fn step_of_all(
        &mut self,
        learning_rate: f64,
        largest: f64,
        scale: f64,
        ranks: &Ranks,
    ) -> Result<f64> {
        let _no_grad = tch::no_grad_guard();
        let mut gradients = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let gradient = parameter.f_grad()?;
            gradients.push(if gradient.defined() {
                gradient
            } else {
                parameter.f_zeros_like()?
            });
        }
        ranks.sum_all(&mut gradients)?;
        if scale != 1.0 {
            for gradient in &mut gradients {
                let _ = gradient.f_div_scalar_(scale)?;
            }
        }
        let norms = gradients
            .iter()
            .map(|g| Ok(g.f_norm()?))
            .collect::<Result<Vec<_>>>()?;
        let norm = Tensor::f_stack(&norms, 0)?.f_norm()?.f_double_value(&[])?;
        if !norm.is_finite() {
            return Ok(norm);
        }
        if largest > 0.0 && norm > largest {
            // As PyTorch's clip_grad_norm_ does it.
            let factor = largest / (norm + 1e-6);
            for gradient in &mut gradients {
                let _ = gradient.f_mul_scalar_(factor)?;
            }
        }
        let tensors = AdamWTensors {
            parameters: &self.parameters,
            gradients: &gradients,
            averages: &self.averages,
            squares: &self.squares,
            steps: &self.steps,
        };
        let weight_decay = self.weight_decay;
        adamw(
            &tensors,
            AdamWNumbers {
                learning_rate,
                beta1: 0.9,
                beta2: 0.999,
                weight_decay,
                epsilon: 1e-8,
            },
        )?;
        Ok(norm)
    }

    /// Replaces parameters and state by the parameters and the state of rank 0.
    ///
    /// # Errors
    /// If a rank has ended.
    pub fn share(&mut self, ranks: &Ranks) -> Result<()> {
        let _no_grad = tch::no_grad_guard();
        let lists = [
            &mut self.parameters,
            &mut self.averages,
            &mut self.squares,
            &mut self.steps,
        ];
        lists
            .into_iter()
            .flatten()
            .try_for_each(|tensor| ranks.share(tensor))
    }

    /// The state, for a checkpoint.
    pub fn state(&self) -> NamedTensors {
        let mut lists = vec![
            ("average", &self.averages),
            ("square", &self.squares),
            ("steps", &self.steps),
        ];
        if self.keeps_parameters {
            lists.push(("weight", &self.parameters));
        }
        lists
            .iter()
            .flat_map(|(kind, list)| {
                self.names
                    .iter()
                    .zip(list.iter())
                    .map(move |(name, t)| (format!("{kind}.{name}"), t.shallow_clone()))
            })
            .collect()
    }

    /// Restores a stored state.
    ///
    /// # Errors
    /// [`Code::CheckpointInvalid`] if the state does not belong to these parameters.
    pub fn restore(&mut self, state: &NamedTensors) -> Result<()> {
        let _no_grad = tch::no_grad_guard();
        let mut lists = vec![
            ("average", &mut self.averages),
            ("square", &mut self.squares),
            ("steps", &mut self.steps),
        ];
        if self.keeps_parameters {
            lists.push(("weight", &mut self.parameters));
        }
        for (kind, list) in lists {
            for (name, tensor) in self.names.iter().zip(list.iter_mut()) {
                match state.get(&format!("{kind}.{name}")) {
                    Some(stored) if stored.size() == tensor.size() => tensor.f_copy_(stored)?,
                    _ => {
                        return Err(Error::told(
                            Code::CheckpointInvalid,
                            format!("The checkpoint's optimizer has no fitting {kind} of {name}."),
                            "Delete the checkpoint; the run then goes on from the one before.",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> NamedTensors {
        [(
            "w".to_owned(),
            Tensor::from_slice(&[1f32, -2.0]).set_requires_grad(true),
        )]
        .into()
    }

    fn train(optimizer: &mut Optimizer, steps: usize) {
        for _ in 0..steps {
            optimizer.clear_gradients();
            (&optimizer.parameters[0] * &optimizer.parameters[0])
                .sum(tch::Kind::Float)
                .backward();
            optimizer.step(0.1, 1.0, 1.0).unwrap();
        }
    }

    #[test]
    fn a_state_put_back_goes_on_as_if_never_stored() {
        let mut straight = Optimizer::new(parameters(), 0.01).unwrap();
        train(&mut straight, 3);
        let state: NamedTensors = straight
            .state()
            .into_iter()
            .map(|(n, t)| (n, t.copy()))
            .collect();
        let mut resumed = Optimizer::new(parameters(), 0.01).unwrap();
        resumed.restore(&state).unwrap();
        tch::no_grad(|| resumed.parameters[0].copy_(&straight.parameters[0]));
        train(&mut straight, 4);
        train(&mut resumed, 4);
        let bits = |o: &Optimizer| Vec::<f32>::try_from(&o.parameters[0].detach()).unwrap();
        assert_eq!(bits(&straight), bits(&resumed));
        assert!(resumed.restore(&NamedTensors::new()).is_err());
    }

    #[test]
    fn a_state_with_its_parameters_goes_on_by_itself() {
        let mut straight = Optimizer::new(parameters(), 0.01)
            .unwrap()
            .keeping_parameters();
        train(&mut straight, 3);
        let state: NamedTensors = straight
            .state()
            .into_iter()
            .map(|(n, t)| (n, t.detach().copy()))
            .collect();
        let mut resumed = Optimizer::new(parameters(), 0.01)
            .unwrap()
            .keeping_parameters();
        resumed.restore(&state).unwrap();
        train(&mut straight, 4);
        train(&mut resumed, 4);
        let bits = |o: &Optimizer| Vec::<f32>::try_from(&o.parameters[0].detach()).unwrap();
        assert_eq!(bits(&straight), bits(&resumed));
        // A state of other parameters says nothing of these.
        let mut without = state;
        without.remove("weight.w");
        assert!(resumed.restore(&without).is_err());
    }

    #[test]
    fn the_norm_is_that_of_all_gradients_before_scaling() {
        let mut optimizer = Optimizer::new(parameters(), 0.0).unwrap();
        (&optimizer.parameters[0] * &optimizer.parameters[0])
            .sum(tch::Kind::Float)
            .backward();
        let norm = optimizer.step(0.0, 1.0, 1.0).unwrap();
        assert!((norm - 20f64.sqrt()).abs() < 1e-5, "{norm}"); // gradients 2 and −4
        let scaled = optimizer.parameters[0].grad().norm().double_value(&[]);
        assert!((scaled - 1.0).abs() < 1e-5, "{scaled}");
    }
}
