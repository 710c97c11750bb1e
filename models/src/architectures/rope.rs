//! Rotary position embeddings (Su et al. 2021) with the scalings for long contexts.
//!
//! Frequencies are computed in fp32 with the same operations as in Transformers. So angles also agree at large
//! positions, where the last bit of a frequency matters.

use crate::architectures::sizes::{damaged, unsupported};
use crate::{Result, shim};
use serde_json::Value;
use std::f64::consts::PI;
use tch::{Device, Kind, Tensor};

/// How frequencies are scaled for longer contexts than the model was first trained with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// Not at all.
    None,
    /// All divided by a factor (position interpolation).
    Linear {
        /// The factor.
        factor: f64,
    },
    /// The base of the frequencies grows with the length of the input, but only beyond `max_position_embeddings`. Up
    /// to that length there is no scaling. Longer inputs are refused, because every token's vector would depend on the
    /// length of the whole batch.
    Dynamic,
    /// Low frequencies divided by a factor, high ones kept, a smooth passage between (LLaMA 3.1).
    Llama3 {
        /// The factor.
        factor: f64,
        /// Wavelengths above `original / low` are divided.
        low: f64,
        /// Wavelengths below `original / high` are kept.
        high: f64,
        /// Context of the first training.
        original: f64,
    },
    /// YaRN (Peng et al. 2023): interpolation and extrapolation mixed by frequency, attention tempered.
    Yarn {
        /// The factor.
        factor: f64,
        /// Context of the first training.
        original: f64,
        /// Rotations above which a dimension is extrapolated.
        beta_fast: f64,
        /// Rotations below which a dimension is interpolated.
        beta_slow: f64,
        /// The factor of cosine and sine.
        attention: f64,
        /// Whether the passage's ends are whole dimensions.
        truncate: bool,
    },
}

/// Rotary embeddings as a configuration describes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeConfig {
    /// Base of the frequencies.
    pub theta: f64,
    /// Scaling.
    pub scaling: Scaling,
}

impl RopeConfig {
    /// Reads `rope_parameters` (Transformers 5), or `rope_theta` and `rope_scaling` (Transformers 4).
    ///
    /// # Errors
    /// [`lexforge_domain::Code::ModelUnsupported`] for a kind that is not supported, by its name;
    /// [`lexforge_domain::Code::ModelMissing`] if a number of the scaling is missing or impossible.
    pub(crate) fn of_value(config: &Value, positions: i64) -> Result<Self> {
        let set = |name: &str| config.get(name).filter(|v| !v.is_null());
        let parameters = set("rope_parameters").or_else(|| set("rope_scaling"));
        if parameters.is_some_and(|p| {
            p.get("full_attention").is_some() || p.get("sliding_attention").is_some()
        }) {
            return Err(unsupported(
                "rotary embeddings that differ by layer (rope_parameters)",
            ));
        }
        let number = |name: &str| parameters.and_then(|p| p.get(name)).and_then(Value::as_f64);
        let theta = number("rope_theta")
            .or_else(|| set("rope_theta").and_then(Value::as_f64))
            .unwrap_or(10_000.0);
        let partial = number("partial_rotary_factor")
            .or_else(|| set("partial_rotary_factor").and_then(Value::as_f64));
        if let Some(part) = partial.filter(|&part| part != 1.0) {
            return Err(unsupported(&format!(
                "rotary embeddings on a part of each head (partial_rotary_factor {part})"
            )));
        }
        let kind = ["rope_type", "type"]
            .iter()
            .find_map(|name| parameters?.get(*name)?.as_str())
            .unwrap_or("default");
        let needed = |name: &str| {
            number(name)
                .ok_or_else(|| damaged(&format!("has {kind:?} rotary scaling without {name}")))
        };
        let factor = || match needed("factor")? {
            factor if factor.is_finite() && factor >= 1.0 => Ok(factor),
            other => Err(damaged(&format!("has the rotary factor {other}"))),
        };
        let scaling = match kind {
            "default" => Scaling::None,
            "linear" => Scaling::Linear { factor: factor()? },
            "dynamic" => Scaling::Dynamic,
            "llama3" => Scaling::Llama3 {
                factor: factor()?,
                low: needed("low_freq_factor")?,
                high: needed("high_freq_factor")?,
                original: needed("original_max_position_embeddings")?,
            },
            "yarn" => {
                let factor = factor()?;
                let attention = match (
                    number("attention_factor"),
                    number("mscale"),
                    number("mscale_all_dim"),
                ) {
                    (Some(given), ..) => given,
                    (None, Some(one), Some(all)) if one != 0.0 && all != 0.0 => {
                        attention_factor(factor, one) / attention_factor(factor, all)
                    }
                    _ => attention_factor(factor, 1.0),
                };
                Scaling::Yarn {
                    factor,
                    original: number("original_max_position_embeddings")
                        .unwrap_or(positions as f64),
                    beta_fast: number("beta_fast").unwrap_or(32.0),
                    beta_slow: number("beta_slow").unwrap_or(1.0),
                    attention,
                    truncate: parameters
                        .and_then(|p| p.get("truncate"))
                        .and_then(Value::as_bool)
                        .unwrap_or(true),
                }
            }
            other => {
                return Err(unsupported(&format!(
                    "rotary scaling of the kind {other:?}"
                )));
            }
        };
        if !(theta.is_finite() && theta > 1.0) {
            return Err(damaged(&format!("has the rotary base {theta}")));
        }
        Ok(Self { theta, scaling })
    }
}

/// YaRN's tempering of attention, `0.1 m ln s + 1`.
fn attention_factor(factor: f64, scale: f64) -> f64 {
    if factor <= 1.0 {
        1.0
    } else {
        0.1 * scale * factor.ln() + 1.0
    }
}

/// Ready-made frequencies on a device.
pub struct Rotary {
    /// `[head size / 2]`, fp32.
    inverse: Tensor,
    attention: f64,
}

impl Rotary {
    /// The frequencies for heads of this size.
    pub fn new(config: &RopeConfig, head: i64, device: Device) -> Result<Self> {
        let cpu = (Kind::Float, Device::Cpu);
        let exponents = Tensor::f_arange_start_step(0, head, 2, cpu)?.f_div_scalar(head)?;
        let powers = Tensor::f_pow_scalar(config.theta, &exponents)?;
        let plain = Vec::<f32>::try_from(powers.f_reciprocal()?)?;
        let powers = Vec::<f32>::try_from(powers)?;
        let mut attention_of = 1.0;
        let scaled: Vec<f32> = match config.scaling {
            Scaling::None | Scaling::Dynamic => plain,
            Scaling::Linear { factor } => plain.iter().map(|f| f / factor as f32).collect(),
            Scaling::Llama3 {
                factor,
                low,
                high,
                original,
            } => plain
                .iter()
                .map(|&f| llama3(f64::from(f), factor, low, high, original) as f32)
                .collect(),
            Scaling::Yarn {
                factor,
                original,
                beta_fast,
                beta_slow,
                attention,
                truncate,
            } => {
                attention_of = attention;
                let dimension = |rotations: f64| {
                    head as f64 * (original / (rotations * 2.0 * PI)).ln()
                        / (2.0 * config.theta.ln())
                };
                let (mut from, mut to) = (dimension(beta_fast), dimension(beta_slow));
                if truncate {
                    (from, to) = (from.floor(), to.ceil());
                }
                (from, to) = (from.max(0.0), to.min(head as f64 - 1.0));
                if from == to {
                    to += 0.001;
                }
                let mix = |(i, &power): (usize, &f32)| {
                    let kept = 1.0 - ((i as f64 - from) / (to - from)).clamp(0.0, 1.0) as f32;
                    1.0 / (factor as f32 * power) * (1.0 - kept) + 1.0 / power * kept
                };
                powers.iter().enumerate().map(mix).collect()
            }
        };
        Ok(Self {
            inverse: Tensor::f_from_slice(&scaled)?.f_to_device(device)?,
            attention: attention_of,
        })
    }

    /// Divides each frequency by its own divisor.
    ///
    /// # Errors
    /// If there are not as many divisors as frequencies.
    pub fn divide(&mut self, divisors: &[f32]) -> Result<()> {
        if divisors.len() as i64 != self.inverse.size()[0] {
            return Err(damaged("has rotary factors for heads of another size"));
        }
        let divisors = Tensor::f_from_slice(divisors)?.f_to_device(self.inverse.device())?;
        self.inverse = self.inverse.f_div(&divisors)?;
        Ok(())
    }

    /// Cosines and sines of positions `[tokens]`, each `[tokens, 1, head size]`.
    pub fn tables(&self, positions: &Tensor, kind: Kind) -> Result<(Tensor, Tensor)> {
        let angles = positions.f_to_kind(Kind::Float)?.f_outer(&self.inverse)?; // [tokens, head / 2]
        let angles = Tensor::f_cat(&[&angles, &angles], 1)?.f_unsqueeze(1)?;
        let tempered = |table: Tensor| -> Result<Tensor> {
            let table = if self.attention == 1.0 {
                table
            } else {
                table.f_mul_scalar(self.attention)?
            };
            Ok(table.f_to_kind(kind)?)
        };
        Ok((tempered(angles.f_cos()?)?, tempered(angles.f_sin()?)?))
    }
}

/// Rotates vectors `[tokens, heads, head size]` by the angles of their positions; dimensions i and i + half a head are
/// a pair.
pub fn turn(x: &Tensor, (cosines, sines): &(Tensor, Tensor)) -> Result<Tensor> {
    if x.device() == Device::Cpu && x.f_kind()? == Kind::Float {
        return shim::turn(x, cosines, sines);
    }
    let halves = x.f_chunk(2, -1)?;
    let crossed = Tensor::f_cat(&[&halves[1].f_neg()?, &halves[0]], -1)?;
    Ok(x.f_mul(cosines)?.f_add(&crossed.f_mul(sines)?)?)
}

/// Queries and keys `[tokens, heads, head size]`, rotated by the angles of their positions. Both are rotated together,
/// because this starts half as many kernels on a GPU.
pub(crate) fn turn_both(
    query: &Tensor,
    key: &Tensor,
    tables: &(Tensor, Tensor),
) -> Result<(Tensor, Tensor)> {
    if query.device() == Device::Cpu {
        return Ok((turn(query, tables)?, turn(key, tables)?));
    }
    let (queries, keys) = (query.size()[1], key.size()[1]);
    let both = turn(&Tensor::f_cat(&[query, key], 1)?, tables)?;
    Ok((
        both.f_narrow(1, 0, queries)?,
        both.f_narrow(1, queries, keys)?,
    ))
}

/// LLaMA 3.1's scaling of one frequency.
pub fn llama3(frequency: f64, factor: f64, low: f64, high: f64, original: f64) -> f64 {
    let wavelength = 2.0 * PI / frequency;
    if wavelength < original / high {
        frequency
    } else if wavelength > original / low {
        frequency / factor
    } else {
        let smooth = (original / wavelength - low) / (high - low);
        (1.0 - smooth) * frequency / factor + smooth * frequency
    }
}

#[cfg(test)]
mod tests;
