//! Estimates how much memory a training takes, before it begins. The tensors that a layer keeps are counted one by one.
//! The memory that the allocator wastes is a measured factor.
//!
//! The texts of the data are not known when a training is planned, so they are assumed to have the longest allowed
//! length.

mod layer;

use crate::adapters::lora::names_module;
use crate::adapters::nf4;
use crate::architectures::architecture::Config;
use crate::architectures::sizes::Sizes;
use crate::losses::{gradients, loss};
use crate::platform::available_mb;
use crate::weights::Headers;
use crate::{Result, device};
use layer::{Kept, Shape};
use lexforge_domain::protocol::{
    LoraSpec, MemoryAdvice, MemoryEstimate, Objective, Precision, StageSpec, TokenLossKind,
    TrainSettings, Tune,
};
use std::path::Path;
use tch::{Device, Kind};

const MIB: f64 = (1 << 20) as f64;

/// Wrong choices of an item.
const WRONG: usize = 3;
/// Texts of a triplet.
const TRIPLET: usize = 3;

/// The number of bytes that the CPU's allocator takes for each byte that a layer works with. It is above 1 because
/// freed tensors leave gaps that later tensors do not fill. Measured on models of 27 and 40 million parameters with
/// 256 to 2,048 tokens a step.
const CPU_GAPS: f64 = 2.4;
/// The number of bytes that the CPU's allocator takes for each byte in stages that read no logits. It is smaller,
/// because no large table is made and freed beside the layers. Measured on 1,280 tokens a step: what is taken differs by
/// 5 % between runs.
const CPU_GAPS_WITHOUT_LOGITS: f64 = 1.6;
/// The number of bytes that a GPU's caching allocator takes for each byte. It was not measured separately. An earlier
/// estimate was 26 % above the memory that one card took at 2,048 tokens. That estimate counted some tensors of the
/// norms several times, which has been corrected.
const GPU_GAPS: f64 = 1.2;

/// The number of bytes that writing a checkpoint of all weights takes for each weight: the weight's difference, the
/// weight itself and its two moments.
const STORED: f64 = 16.0;

/// MiB of code and buffers that libtorch touches once it computes, and of the tokenizer.
const LIBRARY_MB: f64 = 30.0;

/// Estimates a training of a model folder on the device that jobs use.
///
/// # Errors
/// If the folder has no readable configuration or weights.
pub fn estimate(folder: &Path, settings: &TrainSettings) -> Result<MemoryEstimate> {
    let config = Config::of_folder(folder)?;
    let headers = Headers::of_folder(folder)?;
    let device = device::device();
    let model = Model {
        shape: Shape::of(&config),
        stored: Stored::of(&config, &headers),
        device,
    };
    let available = available_mb(device);
    Ok(model.estimate(settings, available))
}

/// Advice for a training that ran out of memory: how much it was expected to need, and the first change of settings
/// that lowers this by a quarter. If no change does, the change that saves most.
///
/// # Errors
/// As [`estimate`].
pub fn smaller(folder: &Path, settings: &TrainSettings) -> Result<Option<(f64, MemoryAdvice)>> {
    let (config, headers) = (Config::of_folder(folder)?, Headers::of_folder(folder)?);
    let model = Model {
        shape: Shape::of(&config),
        stored: Stored::of(&config, &headers),
        device: device::device(),
    };
    let needed = model.plain(settings).total_mb;
    Ok(model
        .advice(settings, 0.75 * needed)
        .map(|advice| (needed, advice)))
}

/// The numbers and types in the weights' files.
struct Stored {
    bytes: u64,
    numbers: u64,
    /// Bytes of a number.
    width: usize,
    /// Outputs and inputs of each matrix, by name.
    matrices: Vec<(String, usize, usize)>,
}

impl Stored {
    fn of(config: &Config, headers: &Headers) -> Self {
        let read = || {
            let all = headers.tensors.iter();
            all.filter(|(name, _)| !config.leaves_out(name))
        };
        let numbers: u64 = read()
            .map(|(_, e)| e.shape.iter().product::<usize>() as u64)
            .sum();
        let bytes = read()
            .map(|(_, e)| (e.range.end - e.range.start) as u64)
            .sum::<u64>();
        let matrices = read()
            .filter(|(_, entry)| entry.shape.len() == 2)
            .filter_map(|(name, entry)| {
                Some((
                    name.strip_suffix(".weight")?.to_owned(),
                    entry.shape[0],
                    entry.shape[1],
                ))
            });
        Self {
            bytes,
            numbers,
            width: (bytes / numbers.max(1)).max(1) as usize,
            matrices: matrices.collect(),
        }
    }

    /// The matrices of linear layers that fill whole blocks of four-bit numbers.
    fn linears(&self) -> impl Iterator<Item = usize> {
        let linear = self
            .matrices
            .iter()
            .filter(|(name, _, _)| name.ends_with("_proj"));
        linear
            .map(|(_, outputs, inputs)| outputs * inputs)
            .filter(|numbers| numbers.is_multiple_of(nf4::BLOCK as usize))
    }

    fn linear_numbers(&self) -> usize {
        self.linears().sum()
    }

    fn largest_linear(&self) -> usize {
        self.linears().max().unwrap_or(0)
    }

    /// Parameters of an adapter.
    fn adapter(&self, lora: &LoraSpec) -> usize {
        self.adapted(lora)
            .map(|(outputs, inputs)| lora.r * (outputs + inputs))
            .sum()
    }

    /// Outputs and inputs of the matrices that an adapter stands beside.
    fn adapted(&self, lora: &LoraSpec) -> impl Iterator<Item = (usize, usize)> {
        let all = lora
            .targets
            .iter()
            .any(|target| target == crate::adapters::lora::ALL_LINEAR);
        let adapted = self.matrices.iter().filter(move |(name, _, _)| {
            let linear = name.contains("layer") && !name.contains("embed");
            linear && (all || lora.targets.iter().any(|target| names_module(target, name)))
        });
        adapted.map(|(_, outputs, inputs)| (*outputs, *inputs))
    }
}

struct Model {
    shape: Shape,
    stored: Stored,
    device: Device,
}

impl Model {
    fn kind(&self, settings: &TrainSettings) -> Kind {
        if self.shape.decoder {
            device::kind(settings.precision, self.device)
        } else {
            Kind::Float
        }
    }

    /// In which form a step keeps the data that its gradient needs. Dropout keeps one byte for each input of a low-rank
    /// part. On the CPU it keeps nothing, because the same random inputs can be chosen again.
    fn how(&self, settings: &TrainSettings, width: usize) -> Kept {
        let on_cpu = self.device == Device::Cpu;
        let masks = !on_cpu && settings.tune == Tune::Lora && settings.lora.dropout > 0.0;
        let inputs: usize = match masks {
            true => self.stored.adapted(&settings.lora).map(|(_, i)| i).sum(),
            false => 0,
        };
        Kept {
            width,
            on_cpu,
            dropped: inputs as f64 / self.shape.sizes.layers.max(1) as f64,
        }
    }

    /// Everything but the advice.
    fn plain(&self, settings: &TrainSettings) -> MemoryEstimate {
        let width = self.kind(settings).elt_size_in_bytes();
        let on_cpu = self.device == Device::Cpu;
        // Only the linear layers are kept in four bits. The memory of the weights that they were made from is freed.
        let packed = if self.four_bits(settings) {
            self.stored.linear_numbers()
        } else {
            0
        } as f64;
        let plain = self.stored.numbers as f64 - packed;
        let frozen = plain * width as f64 + packed * nf4::WIDTH;
        // Weights of another type are copied, and the map that they were read from stays.
        let kept = plain / (self.stored.numbers as f64).max(1.0);
        let mapped = if on_cpu && width != self.stored.width {
            self.stored.bytes as f64 * kept
        } else {
            0.0
        };
        // The numbers of the largest layer, made again for a product.
        let dense = if packed > 0.0 {
            (self.stored.largest_linear() * width) as f64
        } else {
            0.0
        };
        // Weights, gradient and two moments, fp32; where all weights are trained, they are counted already.
        let numbers = self.stored.numbers as f64;
        let adapter = match settings.tune {
            Tune::Lora => 16.0 * self.stored.adapter(&settings.lora) as f64,
            Tune::All => 12.0 * numbers,
        };
        let mut largest = (0.0, String::new());
        for stage in &settings.stages {
            let bytes = self.step(settings, stage, width);
            if bytes > largest.0 {
                largest = (bytes, stage.objective.stage().to_owned());
            }
        }
        // A checkpoint is put together in memory, at a time when no step is made.
        let stored = match settings.tune {
            Tune::Lora => 0.0,
            Tune::All => STORED * numbers,
        };
        let activations_mb =
            (largest.0 + dense).max(stored) / MIB + if on_cpu { LIBRARY_MB } else { 0.0 };
        let (weights_mb, adapter_mb) = ((frozen + mapped) / MIB, adapter / MIB);
        MemoryEstimate {
            device: device::name(self.device),
            weights_mb,
            adapter_mb,
            activations_mb,
            total_mb: weights_mb + adapter_mb + activations_mb,
            stage: largest.1,
            available_mb: None,
            fits: true,
            advice: None,
        }
    }

    fn four_bits(&self, settings: &TrainSettings) -> bool {
        self.shape.decoder && settings.precision == Precision::Nf4
    }

    /// Bytes of a stage's largest step.
    fn step(&self, settings: &TrainSettings, stage: &StageSpec, width: usize) -> f64 {
        let longest = settings.max_length.min(self.shape.sizes.positions);
        let reads_logits = !matches!(
            stage.objective,
            Objective::Sentence(_)
                | Objective::Joint { .. }
                | Objective::Retrieval(_)
                | Objective::Triplets(_)
                | Objective::Rerank(_)
        );
        // Tokens of an item, and how finely a batch can be cut.
        let (item, text) = match &stage.objective {
            Objective::Sentence(_) | Objective::Joint { .. } | Objective::Gritlm(_) => {
                ((WRONG + 2) * longest, longest)
            }
            Objective::Retrieval(retrieval) => {
                let listed = retrieval.distillation.map_or(0, |d| d.list);
                ((retrieval.negatives + 2 + listed) * longest, longest)
            }
            Objective::Triplets(_) => (TRIPLET * longest, longest),
            // A question's passages are computed together.
            Objective::Rerank(rerank) => ((rerank.negatives + 1) * longest, longest),
            // `paper` reads wrong sentences to their end, taken to part from the right one at its last quarter.
            Objective::Token {
                loss: TokenLossKind::Paper,
            } => (longest + WRONG * longest / 4, longest + WRONG * longest / 4),
            _ => (longest, longest),
        };
        let budget = budget(self.shape.sizes, self.device, self.shape.decoder);
        let items = stage
            .micro_batch
            .unwrap_or(stage.batch_size)
            .min(stage.batch_size)
            .max(1);
        let whole = items * item;
        // A piece has as many whole texts as the budget allows, at least one.
        let tokens = if whole <= budget {
            whole
        } else {
            (budget / text).max(1) * text
        };
        let gaps = match (self.device, reads_logits) {
            (Device::Cpu, true) => CPU_GAPS,
            (Device::Cpu, false) => CPU_GAPS_WITHOUT_LOGITS,
            _ => GPU_GAPS,
        };
        let how = self.how(settings, width);
        let layers = self.shape.kept(settings, how) + gaps * self.shape.working(settings, how);
        let table = if reads_logits {
            let rows = loss::rows_of(self.shape.sizes.vocabulary).min(tokens);
            2.0 * 4.0 * (rows * self.shape.sizes.vocabulary) as f64
        } else {
            0.0
        };
        tokens as f64 * layers + table
    }

    fn estimate(&self, settings: &TrainSettings, available: Option<f64>) -> MemoryEstimate {
        let mut estimate = self.plain(settings);
        estimate.available_mb = available;
        estimate.fits = available.is_none_or(|free| estimate.total_mb <= free);
        if !estimate.fits {
            estimate.advice = self.advice(settings, available.unwrap_or(f64::INFINITY));
        }
        estimate
    }

    /// The first change of settings that makes the training fit in memory. Changes are tried in the order of what they
    /// cost the user. If no change is enough, the one that saves most is returned.
    fn advice(&self, settings: &TrainSettings, free: f64) -> Option<MemoryAdvice> {
        let mut changes: Vec<(&str, String, TrainSettings)> = Vec::new();
        let with = |change: &dyn Fn(&mut TrainSettings)| {
            let mut changed = settings.clone();
            change(&mut changed);
            changed
        };
        // These two changes do not affect the result of the training.
        let batch = settings
            .stages
            .iter()
            .map(|s| s.micro_batch.unwrap_or(s.batch_size))
            .max()
            .unwrap_or(1);
        let halves = std::iter::successors(Some(batch / 2), |n| Some(n / 2)).take_while(|&n| n > 0);
        for most in halves {
            let smaller = |s: &mut TrainSettings| {
                s.stages.iter_mut().for_each(|stage| {
                    stage.micro_batch =
                        Some(stage.micro_batch.unwrap_or(stage.batch_size).min(most));
                });
            };
            changes.push(("micro_batch", most.to_string(), with(&smaller)));
        }
        if !settings.activation_checkpointing {
            changes.push((
                "activation_checkpointing",
                "true".into(),
                with(&|s| s.activation_checkpointing = true),
            ));
        }
        if self.shape.decoder && self.kind(settings) == Kind::Float {
            changes.push((
                "precision",
                "bf16".into(),
                with(&|s| s.precision = Precision::Bf16),
            ));
        }
        if self.shape.decoder && !self.four_bits(settings) {
            changes.push((
                "precision",
                "nf4".into(),
                with(&|s| s.precision = Precision::Nf4),
            ));
        }
        let shorter = std::iter::successors(Some(settings.max_length / 2), |n| Some(n / 2))
            .take_while(|&n| n >= 64);
        for length in shorter {
            changes.push((
                "max_length",
                length.to_string(),
                with(&|s| s.max_length = length),
            ));
        }
        let priced = changes
            .into_iter()
            .map(|(setting, value, changed)| MemoryAdvice {
                setting: setting.to_owned(),
                value,
                total_mb: self.plain(&changed).total_mb,
            });
        let priced: Vec<MemoryAdvice> = priced.collect();
        let fitting = priced.iter().find(|advice| advice.total_mb <= free);
        fitting
            .or_else(|| {
                priced
                    .iter()
                    .min_by(|a, b| a.total_mb.total_cmp(&b.total_mb))
            })
            .cloned()
    }
}

/// How many tokens a piece of a batch may have, as the trainer cuts it.
fn budget(sizes: Sizes, device: Device, decoder: bool) -> usize {
    gradients::token_budget(
        sizes,
        device,
        if decoder { 3 * sizes.vocabulary } else { 0 },
    )
}

#[cfg(test)]
mod tests;
