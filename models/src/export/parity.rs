//! Whether an export, read back from its files, gives the same answers as the base model and the adapter.
//!
//! Both sides compute in fp32. So the comparison is about the files, and not about the arithmetic of the program that
//! loads them. Only one layer of a decoder is in memory at a time.

use crate::adapters::lora::{Linear, Pass};
use crate::adapters::updates::Updates;
use crate::architectures::architecture::Config;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::layers::Architecture;
use crate::architectures::packing::{Packed, by_length, within_budget};
use crate::architectures::transformer::{Piece, logits_by_layers};
use crate::export::prompts::{self, Prompts};
use crate::weights::Source;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{ExportType, Parity, ParityFigure, ParityMeasure};
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// Tokens of a batch of prompts.
const BATCH_TOKENS: usize = 2048;
/// Logits that are held of each side.
const LARGEST_TABLE: i64 = 1 << 26;
/// Most positions of a prompt whose figures are compared: its last ones.
const MOST_POSITIONS: i64 = 256;
/// Rows whose divergence is computed at a time.
const ROWS: i64 = 64;

/// The bound of a figure, by the type of the export (docs/export.md says where the bounds come from).
pub fn bound(dtype: ExportType, measure: ParityMeasure) -> Option<f64> {
    let [mean, largest, agreement] = match dtype {
        ExportType::F32 => return (measure == ParityMeasure::LargestDifference).then_some(1e-4),
        ExportType::F16 => [0.001, 0.05, 0.98],
        ExportType::Bf16 => [0.005, 0.1, 0.95],
        ExportType::Q8_0 => [0.01, 0.2, 0.9],
    };
    match measure {
        ParityMeasure::MeanKl => Some(mean),
        ParityMeasure::LargestKl => Some(largest),
        ParityMeasure::Agreement => Some(agreement),
        ParityMeasure::LowestCosine => Some(0.999),
        ParityMeasure::LargestDifference | ParityMeasure::QuantizedBaseKl => None,
    }
}

/// Prompts in batches, and the places of each that are compared.
pub struct Batches {
    pieces: Vec<Piece>,
    /// Places in all.
    pub positions: i64,
    device: Device,
}

impl Batches {
    /// The places of prompts, for a model with this vocabulary.
    pub fn of(prompts: &Prompts, vocabulary: i64, device: Device) -> Result<Self> {
        let each = (LARGEST_TABLE / (prompts.texts.len().max(1) as i64 * vocabulary))
            .clamp(1, MOST_POSITIONS);
        let lengths: Vec<usize> = prompts.texts.iter().map(Vec::len).collect();
        let mut pieces = Vec::new();
        let mut positions = 0;
        for batch in within_budget(&by_length(&lengths), &lengths, BATCH_TOKENS) {
            let texts: Vec<&[u32]> = batch.iter().map(|&i| prompts.texts[i].as_slice()).collect();
            let mut rows = Vec::new();
            let mut start = 0i64;
            for text in &texts {
                let end = start + text.len() as i64;
                rows.extend((end - each).max(start)..end);
                start = end;
            }
            positions += rows.len() as i64;
            let rows = Tensor::f_from_slice(&rows)?.f_to_device(device)?;
            pieces.push(Piece {
                packed: Packed::of(&texts, device)?,
                rows,
            });
        }
        Ok(Self {
            pieces,
            positions,
            device,
        })
    }

    /// The logits of a decoder at the places that are compared, with the adapter applied at run time if there is one.
    ///
    /// # Errors
    /// If a tensor is missing or libtorch fails; the error of `done`, which is called before each layer.
    pub fn logits(
        &self,
        config: &DecoderConfig,
        source: &dyn Source,
        updates: Option<&Updates>,
        done: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Tensor> {
        let mut prepare = |linears: &mut [&mut Linear]| -> Result<()> {
            done()?;
            match updates {
                Some(updates) => updates.attach_to(linears),
                None => Ok(()),
            }
        };
        let logits = logits_by_layers(config, source, &self.pieces, self.device, &mut prepare)?;
        Ok(logits.f_to_device(Device::Cpu)?)
    }

    /// Token vectors of an encoder.
    pub fn vectors(&self, encoder: &dyn Architecture) -> Result<Tensor> {
        let _no_grad = tch::no_grad_guard();
        let vectors = self.pieces.iter().map(|piece| {
            Ok(encoder
                .forward(&piece.packed, Pass::Infer)?
                .f_index_select(0, &piece.rows)?
                .f_to_device(Device::Cpu)?)
        });
        Ok(Tensor::f_cat(&vectors.collect::<Result<Vec<_>>>()?, 0)?)
    }
}

/// The encoder of a folder, with the adapter applied at run time if there is one.
///
/// # Errors
/// If the encoder or the adapter cannot be loaded.
pub fn encoder(
    folder: &Path,
    updates: Option<&Updates>,
    device: Device,
) -> Result<Box<dyn Architecture>> {
    let config = Config::of_folder(folder)?;
    let Some(updates) = updates else {
        return config.load(folder, device);
    };
    let mut encoder = config.load_with(folder, updates.differences(), device)?;
    updates.attach_to(&mut encoder.linears())?;
    Ok(encoder)
}

/// The figures that compare two tables of logits `[places, vocabulary]`. The first table is from the base with its
/// adapter, the second from the export.
///
/// # Errors
/// If the tables have different shapes.
pub fn of_logits(
    reference: &Tensor,
    export: &Tensor,
    dtype: ExportType,
) -> Result<Vec<ParityFigure>> {
    check_shapes(reference, export)?;
    let rows = reference.size()[0];
    let (mut largest, mut sum, mut worst, mut same) = (0f64, 0f64, 0f64, 0f64);
    let mut start = 0;
    while start < rows {
        let part = |table: &Tensor| -> Result<Tensor> {
            Ok(table
                .f_narrow(0, start, ROWS.min(rows - start))?
                .f_to_kind(Kind::Double)?)
        };
        let (p, q) = (part(reference)?, part(export)?);
        let divergence = divergence(&p, &q)?;
        // `f64::max` would pass over what is no number.
        let keep = |so_far: f64, now: f64| {
            if now > so_far || now.is_nan() {
                now
            } else {
                so_far
            }
        };
        largest = keep(largest, p.f_sub(&q)?.f_abs()?.f_max()?.f_double_value(&[])?);
        worst = keep(worst, divergence.f_max()?.f_double_value(&[])?);
        sum += divergence.f_sum(Kind::Double)?.f_double_value(&[])?;
        same += p
            .f_argmax(-1, false)?
            .f_eq_tensor(&q.f_argmax(-1, false)?)?
            .f_sum(Kind::Double)?
            .f_double_value(&[])?;
        start += ROWS;
    }
    let figure = |measure, value| ParityFigure {
        measure,
        value,
        bound: bound(dtype, measure),
    };
    Ok(vec![
        figure(ParityMeasure::LargestDifference, largest),
        figure(ParityMeasure::MeanKl, sum / rows as f64),
        figure(ParityMeasure::LargestKl, worst),
        figure(ParityMeasure::Agreement, same / rows as f64),
    ])
}

/// `KL(p ‖ q)` of each row, in nats.
fn divergence(p: &Tensor, q: &Tensor) -> Result<Tensor> {
    let (p, q) = (
        p.f_log_softmax(-1, Kind::Double)?,
        q.f_log_softmax(-1, Kind::Double)?,
    );
    Ok(p.f_exp()?.f_mul(&p.f_sub(&q)?)?.f_sum_dim_intlist(
        [-1i64].as_slice(),
        false,
        Kind::Double,
    )?)
}

/// Mean `KL(p ‖ q)` over the rows of two tables of logits, in nats.
///
/// # Errors
/// If the two tables have different shapes.
pub(crate) fn mean_divergence(p: &Tensor, q: &Tensor) -> Result<f64> {
    check_shapes(p, q)?;
    Ok(
        divergence(&p.f_to_kind(Kind::Double)?, &q.f_to_kind(Kind::Double)?)?
            .f_mean(Kind::Double)?
            .f_double_value(&[])?,
    )
}

/// The figures that compare two tables of token vectors.
///
/// # Errors
/// If the two tables have different shapes.
pub(crate) fn of_vectors(
    reference: &Tensor,
    export: &Tensor,
    dtype: ExportType,
) -> Result<Vec<ParityFigure>> {
    check_shapes(reference, export)?;
    let (p, q) = (
        reference.f_to_kind(Kind::Double)?,
        export.f_to_kind(Kind::Double)?,
    );
    let largest = p.f_sub(&q)?.f_abs()?.f_max()?.f_double_value(&[])?;
    let cosine = Tensor::f_cosine_similarity(&p, &q, -1, 1e-12)?
        .f_min()?
        .f_double_value(&[])?;
    let figure = |measure, value| ParityFigure {
        measure,
        value,
        bound: bound(dtype, measure),
    };
    Ok(vec![
        figure(ParityMeasure::LargestDifference, largest),
        figure(ParityMeasure::LowestCosine, cosine),
    ])
}

fn check_shapes(reference: &Tensor, export: &Tensor) -> Result<()> {
    if reference.size() == export.size() && reference.numel() > 0 {
        return Ok(());
    }
    Err(Error::told(
        Code::ExportDiffers,
        format!(
            "The export gives {:?} numbers where base and adapter give {:?}.",
            export.size(),
            reference.size()
        ),
        "Nothing was written. Report this with the model's config.json.",
    ))
}

/// Decides whether the export may be used: every prompt must become the same tokens, and every figure must be within
/// its bound.
///
/// # Errors
/// [`Code::ExportDiffers`] if the export may not be used.
pub fn judged(
    prompts: &Prompts,
    same_tokens: usize,
    positions: i64,
    figures: Vec<ParityFigure>,
) -> Result<Parity> {
    let count = prompts.texts.len();
    if same_tokens < count {
        return Err(Error::told(
            Code::ExportDiffers,
            format!(
                "{} of {count} prompts become other tokens through the exported tokenizer.",
                count - same_tokens
            ),
            "Nothing was written. Export in another format, or as a PEFT adapter beside the base model's own tokenizer.",
        ));
    }
    let broken: Vec<String> = figures
        .iter()
        .filter(|figure| !figure.holds())
        .map(prompts::worded)
        .collect();
    if !broken.is_empty() {
        return Err(Error::told(
            Code::ExportDiffers,
            format!(
                "The export, read back, answers differently from base and adapter: {}.",
                broken.join("; ")
            ),
            "Nothing was written. Export in a finer type (f32 is the finest), or as a PEFT adapter.",
        ));
    }
    Ok(Parity {
        prompts: count as u64,
        own_prompts: prompts.own as u64,
        same_tokens: same_tokens as u64,
        positions: positions as u64,
        figures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(figures: &[ParityFigure], measure: ParityMeasure) -> f64 {
        figures
            .iter()
            .find(|figure| figure.measure == measure)
            .unwrap()
            .value
    }

    #[test]
    fn figures_are_those_of_their_formulas() {
        let p = Tensor::from_slice(&[0f32, 0.0, 3f32.ln(), 0.0]).view([2, 2]);
        let q = Tensor::from_slice(&[0f32, 0.0, 0.0, 3f32.ln()]).view([2, 2]);
        let figures = of_logits(&p, &q, ExportType::Bf16).unwrap();
        // The second row: p = (3/4, 1/4), q = (1/4, 3/4), KL = 1/2 · ln 3.
        let expected = 0.5 * 3f64.ln();
        assert!((value(&figures, ParityMeasure::LargestKl) - expected).abs() < 1e-6);
        assert!((value(&figures, ParityMeasure::MeanKl) - expected / 2.0).abs() < 1e-6);
        assert!((value(&figures, ParityMeasure::LargestDifference) - 3f64.ln()).abs() < 1e-6);
        assert_eq!(value(&figures, ParityMeasure::Agreement), 0.5);
        assert!((mean_divergence(&p, &q).unwrap() - expected / 2.0).abs() < 1e-6);
        let itself = of_logits(&p, &p, ExportType::F32).unwrap();
        assert!(
            itself.iter().all(ParityFigure::holds)
                && value(&itself, ParityMeasure::Agreement) == 1.0
        );
        assert!(of_logits(&p, &q.narrow(0, 0, 1), ExportType::F32).is_err());
    }

    #[test]
    fn what_is_no_number_never_passes() {
        let p = Tensor::from_slice(&[0f32, 1.0, 2.0, 3.0]).view([2, 2]);
        let q = Tensor::from_slice(&[f32::NAN, 1.0, 2.0, 3.0]).view([2, 2]);
        for dtype in ExportType::ALL {
            let figures = of_logits(&p, &q, dtype).unwrap();
            assert!(figures.iter().any(|figure| !figure.holds()), "{dtype:?}");
            assert!(
                of_vectors(&p, &q, dtype)
                    .unwrap()
                    .iter()
                    .any(|figure| !figure.holds()),
                "{dtype:?}"
            );
        }
    }
}
