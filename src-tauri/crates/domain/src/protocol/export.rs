//! An export job: what it gets and what it makes. It makes a model that other programs can load. It also shows that
//! this model gives the same answers as the adapter.

use super::model::ModelRef;
use super::training::Lineage;
use crate::Sha256;
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(ExportFormat, ExportType, ParityMeasure);

/// Name of the machine-readable description that lies in every export's folder.
pub const EXPORT_FILE: &str = "export.json";
/// Bytes of a file of weights where nobody asks for another size.
pub const USUAL_SHARD: u64 = 5_000_000_000;
/// Prompts on which an export is compared with the model that it was made from.
pub const PARITY_PROMPTS: usize = 50;

/// In which form a model leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ExportFormat {
    /// A Hugging Face folder: the adapter's update is added to the weights (sharded safetensors).
    Merged,
    /// One GGUF file, for llama.cpp and programs based on it.
    Gguf,
    /// The adapter alone, in PEFT's format.
    Peft,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Merged, Self::Gguf, Self::Peft];

    /// The types that weights of this form can have, the usual one first. None: they are copied as they are.
    pub fn types(self) -> &'static [ExportType] {
        match self {
            Self::Merged => &[ExportType::Bf16, ExportType::F32, ExportType::F16],
            Self::Gguf => &[ExportType::Q8_0, ExportType::F16],
            Self::Peft => &[],
        }
    }
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ExportType {
    /// 32 bits.
    #[serde(rename = "f32")]
    F32,
    /// 16 bits with the range of f32.
    #[serde(rename = "bf16")]
    Bf16,
    /// 16 bits with more digits and less range.
    #[serde(rename = "f16")]
    F16,
    /// 8 bits and a scale for each 32 numbers (GGML's `Q8_0`).
    #[serde(rename = "q8_0")]
    Q8_0,
}

impl ExportType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::F32, Self::Bf16, Self::F16, Self::Q8_0];
}

/// Make of a base model and an adapter something that other programs load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportJob {
    /// The base model.
    pub model: ModelRef,
    /// Folder of the adapter in the bundle.
    pub adapter: String,
    /// The form.
    pub format: ExportFormat,
    /// How its numbers are stored; PEFT keeps the adapter's own type.
    pub dtype: ExportType,
    /// Largest file of weights in bytes ([`ExportFormat::Merged`]); a larger tensor has a file of its own.
    pub shard_bytes: u64,
    /// JSONL of [`super::ScoreItem`] in the bundle: the questions on which the export is compared. If there are fewer
    /// than [`PARITY_PROMPTS`], the product's own prompts are added.
    #[serde(default)]
    pub prompts: Option<String>,
    /// Name of the export: the title of its card, and the stem of a GGUF file.
    pub name: String,
    /// Folder to make in the bundle.
    pub output: String,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// The result of an export job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportResult {
    /// The folder in the bundle.
    pub output: String,
    /// Name of the export.
    pub name: String,
    /// The form.
    pub format: ExportFormat,
    /// How its numbers are stored.
    pub dtype: ExportType,
    /// The base model.
    pub base: ModelRef,
    /// SHA-256 of the adapter's weights.
    #[serde(deserialize_with = "super::model::adapter_sha256")]
    pub adapter_sha256: Sha256,
    /// The source of the adapter's data.
    pub lineage: Lineage,
    /// The files of the export, by name.
    pub files: Vec<ExportedFile>,
    /// How near the export is to what it was made from; `None` for a copy.
    pub parity: Option<Parity>,
    /// Notes about this export for the user.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Peak memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds.
    pub seconds: f64,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedFile {
    /// Its name in the export's folder.
    pub name: String,
    /// Bytes.
    pub bytes: u64,
    /// SHA-256.
    #[serde(deserialize_with = "file_sha256")]
    pub sha256: Sha256,
}

fn file_sha256<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Sha256, D::Error> {
    Sha256::field(deserializer, "sha256")
}

/// How near an export, read back from its files, is to base model and adapter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parity {
    /// Prompts that were compared.
    pub prompts: u64,
    /// How many of them are the product's own, for want of questions.
    pub own_prompts: u64,
    /// Prompts whose tokens are the same through the exported tokenizer: all of them, or the export fails.
    pub same_tokens: u64,
    /// Positions in the prompts whose figures were compared.
    pub positions: u64,
    /// The figures.
    pub figures: Vec<ParityFigure>,
}

/// The quantity that a figure of [`Parity`] measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ParityMeasure {
    /// Largest difference of a logit (of a token vector's number, where the model is an encoder).
    LargestDifference,
    /// Mean of `KL(p ‖ q)` in nats over the positions, p of base and adapter, q of the export.
    MeanKl,
    /// The largest of them.
    LargestKl,
    /// Share of positions at which both find the same token likeliest.
    Agreement,
    /// Lowest cosine of a token's vectors (encoders).
    LowestCosine,
    /// Mean KL between the full-precision base with the adapter and the quantized base that it was trained on.
    QuantizedBaseKl,
}

impl ParityMeasure {
    /// Whether more is better.
    pub fn higher_is_better(self) -> bool {
        matches!(self, Self::Agreement | Self::LowestCosine)
    }
}

/// A figure with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParityFigure {
    /// What it measures.
    pub measure: ParityMeasure,
    /// Its value.
    pub value: f64,
    /// The bound that it must not be worse than; `None` = the figure is shown and not judged.
    pub bound: Option<f64>,
}

impl ParityFigure {
    /// Whether it keeps its bound. A value that is no number keeps none.
    pub fn holds(&self) -> bool {
        match self.bound {
            None => true,
            Some(bound) if self.measure.higher_is_better() => self.value >= bound,
            Some(bound) => self.value <= bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_holds_on_its_own_side_of_the_bound_and_no_number_never() {
        let check = |measure, value, bound, expected| {
            assert_eq!(
                ParityFigure {
                    measure,
                    value,
                    bound
                }
                .holds(),
                expected,
                "{measure:?} {value}"
            );
        };
        check(ParityMeasure::LargestDifference, 1e-4, Some(1e-4), true);
        check(ParityMeasure::LargestDifference, 2e-4, Some(1e-4), false);
        check(ParityMeasure::Agreement, 0.98, Some(0.95), true);
        check(ParityMeasure::Agreement, 0.94, Some(0.95), false);
        check(ParityMeasure::MeanKl, f64::NAN, Some(1.0), false);
        check(ParityMeasure::LowestCosine, f64::NAN, Some(0.0), false);
        check(ParityMeasure::QuantizedBaseKl, 3.0, None, true);
    }
}
