//! The embed job: texts in, one safetensors file of vectors out, rows in input order.
//!
//! Texts are read in blocks, so that memory does not grow with the input; within a block they are
//! sorted by length and run in batches of about equal numbers of tokens.

use crate::adapter;
use crate::architecture::Config;
use crate::attempt::Outcome;
use crate::bundle::HeldBundle;
use crate::control::{ControlFile, Wish};
use crate::data::{Records, TextLine};
use crate::device;
use crate::encoder::Encoder;
use crate::error::all_finite;
use crate::events::EventLog;
use crate::files::flush_folder;
use crate::folder::ModelFolders;
use crate::language::LanguageModel;
use crate::lora::{Linear, Pass};
use crate::packing::{by_length, within_budget};
use crate::platform::{peak_resident_mb, resident_mb};
use crate::vectors::TextVectors;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{EmbedJob, EmbedResult, Event, JobResult, Precision};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use tch::{Device, Kind};

/// Texts of a block: enough that sorting by length leaves batches of nearly equal lengths.
const BLOCK: usize = 8192;
/// Tokens of a batch: large enough for full matrix products, small enough for the caches.
const BATCH_TOKENS: usize = 2048;
/// Tokens of a batch on a GPU.
const GPU_BATCH_TOKENS: usize = 32_768;

/// Runs an embed job.
///
/// # Errors
/// Where the model or an input is not valid, or the output cannot be written.
pub fn embed(
    bundle: &HeldBundle,
    job: &EmbedJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let device = device::device();
    let input = bundle.path(&job.input)?;
    let rows =
        Records::<TextLine>::open(&input)?.try_fold(0u64, |n, record| record.map(|_| n + 1))?;
    let folder = folders.find(&job.model)?;
    let mut reader = Reader::open(&folder, job, device)?;
    if reader.longest() < job.max_length {
        let message = format!(
            "max_length {} is beyond the model's {}, which is used.",
            job.max_length,
            reader.longest()
        );
        events.warn("max_length_lowered", message)?;
    }
    if let Some(name) = &job.adapter {
        let adapter = adapter::Adapter::read(&bundle.path(name)?)?;
        adapter.check_base(&job.model.name, &folder)?;
        if let Some(warning) = adapter.disagreement(job) {
            events.warn("adapter_settings", warning)?;
        }
        adapter.merge_into(&mut reader.linears())?;
    }
    let dim = reader.dim();
    let output = bundle.path(&job.output)?;
    let mut writer = RowWriter::create(&output, rows, dim)?;
    let mut run = Run {
        reader: &reader,
        job,
        events,
        control,
        began,
        reported: None,
        rows,
        done: 0,
        tokens: 0,
    };
    let mut counts = Counts::default();
    let mut records = Records::<TextLine>::open(&input)?;
    loop {
        let block: Vec<String> = records
            .by_ref()
            .take(BLOCK)
            .map(|r| r.map(|line| line.text))
            .collect::<Result<_>>()?;
        if block.is_empty() {
            break;
        }
        match run.block(&block, &mut counts)? {
            Some(vectors) => writer.append(&vectors)?,
            None => return Ok(Outcome::Stopped { step: run.done }),
        }
    }
    writer.finish()?;
    Ok(Outcome::Finished(JobResult::Embed(EmbedResult {
        output: job.output.clone(),
        rows,
        dim: dim as u64,
        truncated: counts.truncated,
        unknown_rate: counts.unknown as f64 / counts.own.max(1) as f64,
        peak_memory_mb: peak_resident_mb(),
        seconds: began.elapsed().as_secs_f64(),
    })))
}

/// The model: an encoder, or a decoder whose tokens see each other in both directions.
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Reader {
    Encoder(Encoder),
    Decoder {
        model: LanguageModel,
        longest: usize,
    },
}

impl Reader {
    fn open(folder: &Path, job: &EmbedJob, device: Device) -> Result<Self> {
        match Config::of_folder(folder)? {
            Config::Bert(_) => Ok(Self::Encoder(Encoder::open(
                folder,
                job.pooling,
                job.max_length,
                device,
            )?)),
            Config::Decoder(config) => {
                let kind = device::kind(Precision::Auto, device);
                let model = LanguageModel::open(folder, Some(kind), device)?;
                Ok(Self::Decoder {
                    model,
                    longest: job.max_length.min(config.positions as usize),
                })
            }
        }
    }

    fn longest(&self) -> usize {
        match self {
            Self::Encoder(encoder) => encoder.max_length,
            Self::Decoder { longest, .. } => *longest,
        }
    }

    fn dim(&self) -> usize {
        match self {
            Self::Encoder(encoder) => encoder.sizes.hidden,
            Self::Decoder { model, .. } => model.decoder.config().hidden as usize,
        }
    }

    fn linears(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears(),
            Self::Decoder { model, .. } => model.decoder.linears(),
        }
    }
}

#[derive(Default)]
struct Counts {
    truncated: u64,
    unknown: u64,
    own: u64,
}

struct Run<'a> {
    reader: &'a Reader,
    job: &'a EmbedJob,
    events: &'a EventLog,
    control: &'a ControlFile,
    began: Instant,
    reported: Option<Instant>,
    rows: u64,
    done: u64,
    tokens: u64,
}

impl Run<'_> {
    /// Vectors of a block of texts, row-major; `None` where the user stopped the job.
    fn block(&mut self, texts: &[String], counts: &mut Counts) -> Result<Option<Vec<f32>>> {
        match self.reader {
            Reader::Encoder(encoder) => self.encoded(encoder, texts, counts),
            Reader::Decoder { model, longest } => self.decoded(model, *longest, texts, counts),
        }
    }

    /// The same of a decoder. It has no unknown token: its vocabulary falls back on bytes.
    fn decoded(
        &mut self,
        model: &LanguageModel,
        longest: usize,
        texts: &[String],
        counts: &mut Counts,
    ) -> Result<Option<Vec<f32>>> {
        let mut vectors =
            TextVectors::new(model, self.job.pooling, "", longest, self.job.normalize);
        let numbers = texts
            .iter()
            .map(|text| vectors.add(false, text))
            .collect::<Result<Vec<usize>>>()?;
        for &number in &numbers {
            let text = vectors.text(number);
            counts.truncated += u64::from(text.cut);
            counts.own += text.ids.len() as u64 - 1;
        }
        let budget = if model.decoder.device() == Device::Cpu {
            BATCH_TOKENS
        } else {
            GPU_BATCH_TOKENS
        };
        let before = self.done;
        for batch in vectors.batches(budget) {
            if self.control.wish(self.events, self.done)? == Wish::Stop {
                return Ok(None);
            }
            self.tokens += vectors.compute(&batch)?;
            self.done += batch.len() as u64;
            self.report()?;
        }
        // Texts that stand twice were computed once.
        self.done = before + texts.len() as u64;
        self.report()?;
        Ok(Some(
            numbers
                .iter()
                .flat_map(|&number| vectors.vector(number).iter().copied())
                .collect(),
        ))
    }

    fn encoded(
        &mut self,
        encoder: &Encoder,
        texts: &[String],
        counts: &mut Counts,
    ) -> Result<Option<Vec<f32>>> {
        let _no_grad = tch::no_grad_guard();
        let references: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tokenized = encoder.tokenizer.tokenize(&references)?;
        for text in &tokenized {
            counts.truncated += u64::from(text.truncated);
            counts.unknown += text.unknown_tokens as u64;
            counts.own += text.own_tokens as u64;
        }
        let dim = encoder.sizes.hidden;
        let lengths: Vec<usize> = tokenized.iter().map(|t| t.ids.len()).collect();
        let budget = if encoder.device() == Device::Cpu {
            BATCH_TOKENS
        } else {
            GPU_BATCH_TOKENS
        };
        let mut vectors = vec![0f32; texts.len() * dim];
        for batch in within_budget(&by_length(&lengths), &lengths, budget) {
            if self.control.wish(self.events, self.done)? == Wish::Stop {
                return Ok(None);
            }
            let ids: Vec<&[u32]> = batch.iter().map(|&i| tokenized[i].ids.as_slice()).collect();
            let rows = if self.job.normalize {
                encoder.encode_unit(&ids, Pass::Infer)?
            } else {
                encoder.encode(&ids, Pass::Infer)?
            };
            let rows = rows
                .f_to_device(Device::Cpu)?
                .f_to_kind(Kind::Float)?
                .f_contiguous()?;
            let mut values = vec![0f32; batch.len() * dim];
            rows.f_copy_data(&mut values, batch.len() * dim)?;
            all_finite(&values)?;
            for (row, &index) in values.chunks_exact(dim).zip(&batch) {
                vectors[index * dim..(index + 1) * dim].copy_from_slice(row);
            }
            self.done += batch.len() as u64;
            self.tokens += batch.iter().map(|&i| lengths[i] as u64).sum::<u64>();
            self.report()?;
        }
        Ok(Some(vectors))
    }

    fn report(&mut self) -> Result<()> {
        let due = self
            .reported
            .is_none_or(|at| at.elapsed() >= Duration::from_millis(300));
        if !due && self.done < self.rows {
            return Ok(());
        }
        self.reported = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64();
        self.events.write(Event::Progress {
            stage: "embed".into(),
            step: self.done,
            of: self.rows,
            loss: None,
            lr: None,
            tokens_per_s: Some(self.tokens as f64 / seconds),
            memory_mb: resident_mb(),
            eta_s: Some(seconds / self.done.max(1) as f64 * (self.rows - self.done) as f64),
        })
    }
}

/// Writes a safetensors file with one F32 tensor `embeddings` row by row, under a temporary name
/// until it is whole.
struct RowWriter<'a> {
    path: &'a Path,
    part: std::path::PathBuf,
    file: BufWriter<File>,
}

impl<'a> RowWriter<'a> {
    fn create(path: &'a Path, rows: u64, dim: usize) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        let part = path.with_extension("part");
        let mut file = BufWriter::new(File::create(&part).map_err(Error::io(&part))?);
        let bytes = rows.checked_mul(dim as u64 * 4).ok_or_else(|| {
            Error::told(
                Code::InvalidRequest,
                "There are too many rows for one file.",
                "Embed them in parts.",
            )
        })?;
        let mut header = format!(
            r#"{{"embeddings":{{"dtype":"F32","shape":[{rows},{dim}],"data_offsets":[0,{bytes}]}}}}"#
        );
        while header.len() % 8 != 0 {
            header.push(' '); // the format's own padding, so that the numbers are aligned
        }
        file.write_all(&(header.len() as u64).to_le_bytes())
            .map_err(Error::io(&part))?;
        file.write_all(header.as_bytes())
            .map_err(Error::io(&part))?;
        Ok(Self { path, part, file })
    }

    fn append(&mut self, values: &[f32]) -> Result<()> {
        for value in values {
            self.file
                .write_all(&value.to_le_bytes())
                .map_err(Error::io(&self.part))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let file = self.file.into_inner().map_err(|e| Error::Io {
            path: self.part.clone(),
            source: e.into_error(),
        })?;
        file.sync_all().map_err(Error::io(&self.part))?;
        std::fs::rename(&self.part, self.path).map_err(Error::io(self.path))?;
        match self.path.parent() {
            Some(folder) => flush_folder(folder),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::SafeTensors;

    #[test]
    fn rows_are_written_as_one_tensor() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out").join("e.safetensors");
        let mut writer = RowWriter::create(&path, 3, 2).unwrap();
        writer.append(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        writer.append(&[5.0, 6.0]).unwrap();
        assert!(!path.exists());
        writer.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let tensor = file.tensor("embeddings").unwrap();
        assert_eq!(tensor.shape(), [3, 2]);
        assert_eq!(tensor.data()[20..], 6f32.to_le_bytes());
    }
}
