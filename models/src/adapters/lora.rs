//! Linear layers and their low-rank adaptation, computed as in PEFT: `y = W x + b + (α / r) · B A dropout(x)`. At the
//! beginning A has Kaiming-uniform random values and B is zero.

use crate::adapters::nf4::Nf4;
use crate::shim::{self, LowRankTensors, low_rank_linear};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::LoraSpec;
use tch::{Device, Kind, Tensor};

/// Whether dropout acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Training: dropout draws from libtorch's generator.
    Train,
    /// Inference.
    Infer,
    /// Inference of one token of each of several texts: every row is computed as if it were alone.
    Step,
}

/// The low-rank part of a layer.
pub struct LowRank {
    /// Down projection `[r, inputs]`.
    pub a: Tensor,
    /// Up projection `[outputs, r]`.
    pub b: Tensor,
    /// α / r.
    pub scale: f64,
    /// Probability of dropping an input.
    pub dropout: f64,
}

/// A frozen linear layer, adapted or not.
pub struct Linear {
    /// Name of the module in its model, for example `encoder.layer.0.attention.self.query`.
    pub path: String,
    /// Empty where the weights are kept in four bits.
    weight: Tensor,
    four_bits: Option<Nf4>,
    bias: Option<Tensor>,
    low_rank: Option<LowRank>,
}

impl Linear {
    /// A layer with frozen weights `[outputs, inputs]` and bias `[outputs]`.
    pub fn new(path: String, weight: Tensor, bias: Option<Tensor>) -> Self {
        Self {
            path,
            weight,
            four_bits: None,
            bias,
            low_rank: None,
        }
    }

    /// Converts the weights to four bits if they fill whole blocks, and returns whether they do.
    pub fn pack(&mut self) -> Result<bool> {
        if let Some(packed) = Nf4::of(&self.weight)? {
            self.weight = Tensor::f_empty([0], (self.weight.f_kind()?, self.weight.device()))?;
            self.four_bits = Some(packed);
        }
        Ok(self.four_bits.is_some())
    }

    /// Its frozen weight and bias by their names in a folder, to be looked at or replaced.
    pub fn weights_mut(&mut self) -> Vec<(String, &mut Tensor)> {
        let mut all = vec![(format!("{}.weight", self.path), &mut self.weight)];
        all.extend(
            self.bias
                .as_mut()
                .map(|bias| (format!("{}.bias", self.path), bias)),
        );
        all
    }

    /// Outputs and inputs.
    pub fn shape(&self) -> (i64, i64) {
        if let Some(packed) = &self.four_bits {
            return (packed.outputs, packed.inputs);
        }
        let size = self.weight.size();
        (size[0], size[1])
    }

    /// The frozen weights `[outputs, inputs]`; empty where they are kept in four bits.
    pub fn weight(&self) -> &Tensor {
        &self.weight
    }

    /// Whether it learns: by its low-rank part, or as all weights do.
    pub(crate) fn is_trained(&self) -> bool {
        self.low_rank.is_some() || self.weight.requires_grad()
    }

    /// The low-rank part.
    pub fn low_rank(&self) -> Option<&LowRank> {
        self.low_rank.as_ref()
    }

    /// Adds a new low-rank part that changes nothing yet (B = 0) and is trained.
    ///
    /// A gets random values from libtorch's generator in the way of PEFT: Kaiming-uniform with a = √5, which is uniform
    /// within ±1/√inputs.
    pub fn adapt(&mut self, spec: &LoraSpec) -> Result<()> {
        let (outputs, inputs) = self.shape();
        let options = (Kind::Float, self.weight.device());
        let bound = 1.0 / (inputs as f64).sqrt();
        let mut a = Tensor::f_zeros([spec.r as i64, inputs], options)?;
        let _ = a.f_uniform_(-bound, bound)?;
        let b = Tensor::f_zeros([outputs, spec.r as i64], options)?;
        self.low_rank = Some(LowRank {
            a: a.f_set_requires_grad(true)?,
            b: b.f_set_requires_grad(true)?,
            scale: spec.alpha / spec.r as f64,
            dropout: spec.dropout,
        });
        Ok(())
    }

    /// Puts a low-rank part with given weights beside the layer, so that it can be trained further.
    pub fn attach(&mut self, a: &Tensor, b: &Tensor, scale: f64, dropout: f64) -> Result<()> {
        let own = |x: &Tensor| -> Result<Tensor> {
            let mut own = x.f_zeros_like()?;
            own.f_copy_(&x.f_detach()?)?;
            Ok(own.f_set_requires_grad(true)?)
        };
        self.low_rank = Some(LowRank {
            a: own(a)?,
            b: own(b)?,
            scale,
            dropout,
        });
        Ok(())
    }

    /// Exchanges the low-rank part with another one, or with none.
    pub fn exchange(&mut self, other: &mut Option<LowRank>) {
        std::mem::swap(&mut self.low_rank, other);
    }

    /// The device of its tensors.
    pub fn device(&self) -> Device {
        self.weight.device()
    }

    /// Adds the low-rank update to the weight itself. For inference this is exact and as fast as the base. If the
    /// layer's weights are in four bits, the update is kept beside them instead.
    ///
    /// # Errors
    /// If libtorch fails or the shapes do not fit.
    pub fn merge(&mut self, a: &Tensor, b: &Tensor, scale: f64) -> Result<()> {
        if self.four_bits.is_some() {
            return self.attach(a, b, scale, 0.0);
        }
        let update = b.f_matmul(a)?.f_mul_scalar(scale)?;
        // A new tensor: the old weight may be a read-only map. The sum is made in fp32.
        let kind = self.weight.f_kind()?;
        self.weight = self
            .weight
            .f_to_kind(Kind::Float)?
            .f_add(&update)?
            .f_to_kind(kind)?;
        Ok(())
    }

    /// Token vectors `[tokens, inputs]` to `[tokens, outputs]`.
    pub fn forward(&self, x: &Tensor, pass: Pass) -> Result<Tensor> {
        if pass == Pass::Step {
            return self.step(x);
        }
        let Some(low) = &self.low_rank else {
            return match &self.four_bits {
                Some(packed) => packed.linear(x, self.bias.as_ref()),
                None => Ok(x.f_linear(&self.weight, self.bias.as_ref())?),
            };
        };
        let dropout = if pass == Pass::Train {
            low.dropout
        } else {
            0.0
        };
        // The low-rank part is fp32 whatever the type of the base is, as in PEFT. In bf16 the small steps of the
        // training would be lost.
        let (weight, largest) = match &self.four_bits {
            Some(packed) => (&packed.codes, Some(&packed.largest)),
            None => (&self.weight, None),
        };
        let tensors = LowRankTensors {
            weight,
            largest,
            bias: self.bias.as_ref(),
            a: &low.a,
            b: &low.b,
        };
        low_rank_linear(x, &tensors, low.scale, dropout)
    }

    /// As [`Linear::forward`] of rows that each are the next token of a text.
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        let y = match &self.four_bits {
            Some(packed) => rows_linear(
                x,
                &packed.dense()?.f_to_kind(x.f_kind()?)?,
                self.bias.as_ref(),
            )?,
            None => rows_linear(x, &self.weight, self.bias.as_ref())?,
        };
        let Some(low) = &self.low_rank else {
            return Ok(y);
        };
        let narrow =
            rows_linear(&x.f_to_kind(Kind::Float)?, &low.a, None)?.f_mul_scalar(low.scale)?; // [texts, r]
        let update = rows_linear(&narrow, &low.b, None)?;
        let kind = y.f_kind()?;
        Ok(y.f_to_kind(Kind::Float)?.f_add(&update)?.f_to_kind(kind)?)
    }
}

/// `W x + b` of token vectors `[tokens, inputs]`, each row computed independently of the others.
pub(crate) fn rows_linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    if x.device() == Device::Cpu && x.f_kind()? == Kind::Float && weight.f_kind()? == Kind::Float {
        return shim::rows_linear(x, weight, bias);
    }
    Ok(x.f_linear(weight, bias)?)
}

/// Whether PEFT's `target_modules` entry names this module: the whole path or its last parts.
pub(crate) fn names_module(target: &str, path: &str) -> bool {
    path == target
        || path
            .strip_suffix(target)
            .is_some_and(|head| head.ends_with('.'))
}

/// The target name that means every linear layer, as in PEFT. (The output layer over the vocabulary is not included;
/// PEFT leaves it out too.)
pub const ALL_LINEAR: &str = "all-linear";

/// The targets by name: [`ALL_LINEAR`] becomes the last parts of all layers' paths.
pub fn expanded(spec: &LoraSpec, layers: &[&Linear]) -> Vec<String> {
    let ends = || {
        layers
            .iter()
            .filter_map(|layer| layer.path.rsplit('.').next())
            .map(str::to_owned)
    };
    let mut targets: Vec<String> = spec
        .targets
        .iter()
        .filter(|target| *target != ALL_LINEAR)
        .cloned()
        .collect();
    if spec.targets.len() > targets.len() {
        let mut ends: Vec<String> = ends().filter(|end| !targets.contains(end)).collect();
        ends.sort_unstable();
        ends.dedup();
        targets.extend(ends);
    }
    targets
}

/// The largest rank that is taken: a layer cannot use more than its smaller side, which is rarely more.
pub(crate) const LARGEST_RANK: usize = 8_192;

/// Adapts every layer that a target names, in the order of the model's modules.
///
/// # Errors
/// [`Code::InvalidRequest`] if the rank is 0, a number makes no sense, or a target names no layer.
pub fn adapt(layers: &mut [&mut Linear], spec: &LoraSpec) -> Result<()> {
    let invalid = |message: String, hint: &str| Error::told(Code::InvalidRequest, message, hint);
    if spec.r > LARGEST_RANK {
        return Err(invalid(
            format!(
                "LoRA with r = {} is more than any layer can use; the most is {LARGEST_RANK}.",
                spec.r
            ),
            "Use a rank of 8 to 64; published adapters rarely go beyond 256.",
        ));
    }
    if spec.r == 0 || !(0.0..1.0).contains(&spec.dropout) || !spec.alpha.is_finite() {
        return Err(invalid(
            format!(
                "LoRA with r = {}, alpha = {}, dropout = {} makes no sense.",
                spec.r, spec.alpha, spec.dropout
            ),
            "Use a rank of 1 or more, a finite alpha and a dropout of at least 0 and below 1.",
        ));
    }
    let targets = expanded(
        spec,
        &layers.iter().map(|layer| &**layer).collect::<Vec<_>>(),
    );
    for target in &targets {
        if !layers.iter().any(|layer| names_module(target, &layer.path)) {
            let mut ends: Vec<&str> = layers
                .iter()
                .filter_map(|l| l.path.rsplit('.').next())
                .collect();
            ends.sort_unstable();
            ends.dedup();
            return Err(invalid(
                format!("The model has no linear layer named {target:?}."),
                &format!("Choose among: {}.", ends.join(", ")),
            ));
        }
    }
    let mut adapted = 0;
    for layer in layers.iter_mut() {
        if targets
            .iter()
            .any(|target| names_module(target, &layer.path))
        {
            layer.adapt(spec)?;
            adapted += 1;
        }
    }
    if adapted == 0 {
        return Err(invalid(
            "No layer is adapted.".into(),
            "Name at least one target, for example query and value.",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
