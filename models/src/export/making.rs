//! Makes the files of an export, reads them back and compares what they answer with what base and adapter answer.

use super::gguf_file::write_gguf;
use super::merge::Merged;
use super::parity::Batches;
use super::prompts::{AsWritten, Prompts};
use super::quantized::Quantized;
use super::steps::{Ended, Steps};
use super::{card, merge, output, parity, prompts, vectors};
use crate::adapters::adapter::{self, Adapter};
use crate::adapters::updates::Updates;
use crate::architectures::architecture::Config;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::sizes::unsupported;
use crate::decoding::language::Language;
use crate::gguf::decoder::GgufDecoder;
use crate::gguf::read::GgufFile;
use crate::gguf::words::GgufWords;
use crate::gguf::{self, Stored};
use crate::platform::peak_resident_mb;
use crate::texts::tokenizer::TextTokenizer;
use crate::weights::{Source, Weights};
use crate::{Error, Result, files};
use lexforge_domain::protocol::{
    EXPORT_FILE, ExportFormat, ExportJob, ExportResult, ExportType, ExportedFile, Parity,
    ParityFigure, ParityMeasure, ScoreItem,
};
use lexforge_domain::{Code, Remedy};
use std::path::Path;
use std::time::Instant;
use tch::{Device, Tensor};

pub(super) struct Making<'a> {
    pub(super) job: &'a ExportJob,
    /// Folder of the base model.
    pub(super) base: &'a Path,
    pub(super) adapter: &'a Adapter,
    /// Folder of the adapter.
    pub(super) from: &'a Path,
    pub(super) device: Device,
}

/// The written files, the figures of the comparison, and notes.
type Made = (Vec<ExportedFile>, Option<Parity>, Vec<String>);

impl Making<'_> {
    pub(super) fn all(
        &self,
        folder: &Path,
        given: Vec<ScoreItem>,
        steps: &mut Steps<'_>,
        began: Instant,
    ) -> std::result::Result<ExportResult, Ended> {
        let config = Config::of_folder(self.base)?;
        let (files, parity, notes) = match (self.job.format, &config) {
            (ExportFormat::Peft, _) => self.copied(folder, steps)?,
            (ExportFormat::Merged, _) => self.merged(folder, &config, given, steps)?,
            (ExportFormat::Gguf, Config::Decoder(decoder)) => {
                self.gguf(folder, decoder, given, steps)?
            }
            (ExportFormat::Gguf, Config::Encoder(_)) => {
                let what = format!("the architecture {} in the GGUF format", config.name());
                return Err(unsupported(&what).into());
            }
        };
        let sidecar = self.adapter.sidecar();
        let mut notes = notes;
        if self.quantized() {
            notes.push(
                "The adapter was trained beside a base model in four bits (nf4). This export has the base in full precision, \
                 and is compared with that; figures that were measured in four bits hold for it only as far as the two agree."
                    .into(),
            );
        }
        let mut result = ExportResult {
            output: self.job.output.clone(),
            name: self.job.name.clone(),
            format: self.job.format,
            dtype: self.job.dtype,
            base: self.job.model.clone(),
            adapter_sha256: files::sha256_of(&self.from.join(adapter::WEIGHTS_FILE))?,
            lineage: sidecar
                .map(|sidecar| sidecar.lineage.clone())
                .unwrap_or_default(),
            files,
            parity,
            notes,
            peak_memory_mb: peak_resident_mb(),
            seconds: began.elapsed().as_secs_f64(),
        };
        if result.base.sha256.is_empty() {
            result.base.sha256 = crate::folder::content_hash(self.base)?;
        }
        let decoder = matches!(config, Config::Decoder(_));
        let text = card::card(&result, sidecar, decoder);
        result.files.push(output::whole(
            &folder.join(card::CARD_FILE),
            text.as_bytes(),
        )?);
        result.files.push(output::whole(
            &folder.join(EXPORT_FILE),
            &files::pretty(&result)?,
        )?);
        Ok(result)
    }

    /// Whether the adapter was trained on a base in four bits.
    fn quantized(&self) -> bool {
        self.adapter
            .sidecar()
            .is_some_and(|sidecar| sidecar.base_quantization.is_some())
    }

    /// The adapter's files as they are.
    fn copied(&self, folder: &Path, steps: &mut Steps<'_>) -> Result<Made> {
        merge::check_of_peft(self.adapter)?;
        let names = [
            adapter::CONFIG_FILE,
            adapter::WEIGHTS_FILE,
            adapter::SIDECAR_FILE,
        ];
        steps.begin("export", names.len());
        // Whether base and adapter fit is checked as for a merge.
        let (weights, updates) = (
            Weights::open(self.base, Device::Cpu)?,
            self.adapter.updates()?,
        );
        Merged::of(&weights, &updates)?;
        let mut copies = Vec::new();
        for name in names {
            steps.step()?;
            let from = self.from.join(name);
            if from.is_file() {
                let bytes = std::fs::read(&from).map_err(Error::io(&from))?;
                copies.push(output::whole(&folder.join(name), &bytes)?);
            }
        }
        Ok((copies, None, Vec::new()))
    }

    fn merged(
        &self,
        folder: &Path,
        config: &Config,
        given: Vec<ScoreItem>,
        steps: &mut Steps<'_>,
    ) -> Result<Made> {
        let (weights, updates) = (
            Weights::open(self.base, Device::Cpu)?,
            self.adapter.updates()?,
        );
        let merged = Merged::of(&weights, &updates)?;
        let notes = left_out(&merged);
        steps.begin("export", merged.tensors().count());
        let mut written = merge::write_weights(
            &merged,
            folder,
            self.job.dtype,
            self.job.shard_bytes,
            &mut || steps.step(),
        )?;
        written.extend(merge::write_companions(
            self.base,
            folder,
            self.job.dtype,
            &self.job.name,
        )?);
        let parity = match config {
            Config::Decoder(decoder) => {
                let asked = self.asked(decoder, &updates, given, steps)?;
                let read = Config::of_folder(folder)?;
                let Config::Decoder(read) = read else {
                    return Err(unsupported("another architecture"));
                };
                let source = Weights::open(folder, self.device)?;
                let language = Language::open(folder, decoder.vocabulary as usize)?;
                let same = asked.prompts.same_through(&language)?;
                self.compared(&asked, same, &read, &source, steps)?
            }
            Config::Encoder(_) => {
                vectors::write_reading(
                    self.base,
                    self.adapter,
                    config.sizes().hidden,
                    folder,
                    &mut written,
                )?;
                self.encoder(folder, config, &updates, given, steps)?
            }
        };
        Ok((written, Some(parity), notes))
    }

    fn gguf(
        &self,
        folder: &Path,
        decoder: &DecoderConfig,
        given: Vec<ScoreItem>,
        steps: &mut Steps<'_>,
    ) -> Result<Made> {
        let stored = match self.job.dtype {
            ExportType::F16 => Stored::F16,
            ExportType::Q8_0 => Stored::Q8_0,
            other => {
                return Err(Error::told(
                    Code::InvalidRequest,
                    format!(
                        "GGUF files are written in f16 and q8_0, not in {}.",
                        other.tag()
                    ),
                    Remedy::ExportMerged,
                ));
            }
        };
        let mut notes = gguf::decoder::check(decoder)?;
        let language = Language::open(self.base, decoder.vocabulary as usize)?;
        let (words, more) =
            gguf::words::settings(self.base, decoder.vocabulary as usize, language.end())?;
        notes.extend(more);
        let (weights, updates) = (
            Weights::open(self.base, Device::Cpu)?,
            self.adapter.updates()?,
        );
        let merged = Merged::of(&weights, &updates)?;
        notes.extend(left_out(&merged));
        let path = folder.join(format!(
            "{}-{}.gguf",
            output::file_stem(&self.job.name),
            self.job.dtype.tag()
        ));
        let file = write_gguf(
            &path,
            &self.job.name,
            decoder,
            &merged,
            stored,
            words,
            &mut notes,
            steps,
        )?;
        let asked = self.asked(decoder, &updates, given, steps)?;
        let read = GgufDecoder::of(GgufFile::open(&path)?, self.device)?;
        let words = GgufWords::of(read.file())?;
        let same = asked.prompts.same_through(&AsWritten {
            words: &words,
            language: &language,
        })?;
        let parity = self.compared(&asked, same, &read.config.clone(), &read, steps)?;
        Ok((vec![file], Some(parity), notes))
    }

    /// The questions, and the answers of the base with its adapter.
    fn asked(
        &self,
        decoder: &DecoderConfig,
        updates: &Updates,
        given: Vec<ScoreItem>,
        steps: &mut Steps<'_>,
    ) -> Result<Asked> {
        let language = Language::open(self.base, decoder.vocabulary as usize)?;
        let prompts = Prompts::of(given, &language, decoder.positions as usize)?;
        let batches = Batches::of(&prompts, decoder.vocabulary, self.device)?;
        steps.begin(
            "compare",
            (2 + usize::from(self.quantized())) * decoder.layers,
        );
        let source = Weights::open(self.base, self.device)?;
        let logits = batches.logits(decoder, &source, Some(updates), &mut || steps.step())?;
        let quantized = match self.quantized() {
            false => None,
            true => {
                let packed = Quantized(&source);
                let answers =
                    batches.logits(decoder, &packed, Some(updates), &mut || steps.step())?;
                Some(parity::mean_divergence(&logits, &answers)?)
            }
        };
        Ok(Asked {
            prompts,
            batches,
            logits,
            quantized,
        })
    }

    /// The verdict on what was read back.
    fn compared(
        &self,
        asked: &Asked,
        same: usize,
        read: &DecoderConfig,
        source: &dyn Source,
        steps: &mut Steps<'_>,
    ) -> Result<Parity> {
        let logits = asked
            .batches
            .logits(read, source, None, &mut || steps.step())?;
        let mut figures = parity::of_logits(&asked.logits, &logits, self.job.dtype)?;
        figures.extend(asked.quantized.map(|value| ParityFigure {
            measure: ParityMeasure::QuantizedBaseKl,
            value,
            bound: None,
        }));
        parity::judged(&asked.prompts, same, asked.batches.positions, figures)
    }

    fn encoder(
        &self,
        folder: &Path,
        config: &Config,
        updates: &Updates,
        given: Vec<ScoreItem>,
        steps: &mut Steps<'_>,
    ) -> Result<Parity> {
        steps.begin("compare", 2);
        let longest = config.sizes().positions.min(prompts::LONGEST);
        let prompts = Prompts::of(given, &TextTokenizer::open(self.base, longest)?, longest)?;
        let batches = Batches::of(&prompts, config.sizes().hidden as i64, self.device)?;
        let reference =
            batches.vectors(parity::encoder(self.base, Some(updates), self.device)?.as_ref())?;
        steps.step()?;
        let read = batches.vectors(parity::encoder(folder, None, self.device)?.as_ref())?;
        steps.step()?;
        let same = prompts.same_through(&TextTokenizer::open(folder, longest)?)?;
        let figures = parity::of_vectors(&reference, &read, self.job.dtype)?;
        parity::judged(&prompts, same, batches.positions, figures)
    }
}

/// The prompts, and what base and adapter answer to them.
struct Asked {
    prompts: Prompts,
    batches: Batches,
    logits: Tensor,
    /// How far the quantized base of the training is from the one that is exported.
    quantized: Option<f64>,
}

fn left_out(merged: &Merged<'_>) -> Vec<String> {
    let names: Vec<String> = merged
        .left_out()
        .map(|(name, dtype)| format!("{name} ({dtype:?})"))
        .collect();
    match names.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "Left out, since they are no weights: {}.",
            names.join(", ")
        )],
    }
}
