//! The export job: a base model and an adapter become something that other programs load, proved to answer the same.
//!
//! What is made stands under another name until it is whole, was read back from its files and compared ([`parity`]);
//! then it gets its own. Weights are merged in fp32 and cast one tensor at a time ([`merge`]), so that a model is never
//! held in memory.

pub mod card;
pub mod merge;
pub mod output;
pub mod parity;
pub mod prompts;
pub mod quantized;
pub mod vectors;

use crate::adapters::adapter::{self, Adapter};
use crate::adapters::updates::Updates;
use crate::architectures::architecture::Config;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::sizes::unsupported;
use crate::data::Records;
use crate::decoding::language::Language;
use crate::device;
use crate::export::merge::{Merged, pretty};
use crate::export::parity::Batches;
use crate::export::prompts::{AsWritten, Prompts};
use crate::export::quantized::Quantized;
use crate::folder::ModelFolders;
use crate::gguf::decoder::GgufDecoder;
use crate::gguf::read::GgufFile;
use crate::gguf::words::GgufWords;
use crate::gguf::write::Planned;
use crate::gguf::{self, Stored};
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::platform::{peak_resident_mb, resident_mb};
use crate::texts::tokenizer::TextTokenizer;
use crate::weights::{Source, Weights};
use crate::{Error, Result, files};
use lexforge_domain::protocol::{
    EXPORT_FILE, Event, ExportFormat, ExportJob, ExportResult, ExportType, ExportedFile, JobResult,
    Parity, ParityFigure, ParityMeasure, ScoreItem,
};
use lexforge_domain::{Code, Remedy};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tch::{Device, Tensor};

/// Runs an export job.
///
/// # Errors
/// Where base or adapter do not fit or cannot be written in the form that was asked for; [`Code::ExportDiffers`] where
/// what was written does not answer the same; [`Code::DiskFull`]. In each case nothing is left.
pub fn export(
    bundle: &HeldBundle,
    job: &ExportJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let output = bundle.path(&job.output)?;
    if output.exists() {
        return Err(Error::told_of(
            &output,
            Code::InvalidRequest,
            "Something stands already where the export is to be made.",
            "Choose another folder.",
        ));
    }
    let base = folders.find(&job.model)?;
    let adapter = Adapter::read(&bundle.path(&job.adapter)?)?;
    adapter.check_base(&job.model.name, &base)?;
    let given = match &job.prompts {
        Some(prompts) => {
            Records::<ScoreItem>::open(&bundle.path(prompts)?)?.collect::<Result<Vec<_>>>()?
        }
        None => Vec::new(),
    };
    let unfinished = Unfinished::at(&output)?;
    let mut steps = Steps {
        events,
        control,
        began,
        reported: None,
        stage: "export",
        done: 0,
        of: 0,
    };
    let making = Making {
        job,
        base: &base,
        adapter: &adapter,
        from: &bundle.path(&job.adapter)?,
        device: device::device(),
    };
    let made = making.all(&unfinished.0, given, &mut steps, began);
    match made {
        Ok(result) => {
            unfinished.keep(&output)?;
            Ok(Outcome::Finished(JobResult::Export(result)))
        }
        Err(Ended::Wish) => Ok(Outcome::Stopped { step: steps.done }),
        Err(Ended::Failure(error)) => Err(without_room(error, &output)),
    }
}

/// A full disk in the words of an export: there is no run to go on with.
fn without_room(error: Error, output: &Path) -> Error {
    let failure = error.into_failure();
    if failure.code != Code::DiskFull {
        return failure.into();
    }
    let folder = output.parent().unwrap_or(output);
    Error::told_of(
        folder,
        Code::DiskFull,
        "The disk is full; the export was not finished, and nothing of it was left there.",
        "Free some space, or choose a folder on another disk, and export again.",
    )
}

/// Why the making of an export ended early.
enum Ended {
    /// The user stopped it.
    Wish,
    Failure(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        // A step that may go on no longer says so in the only way that it has.
        match error {
            Error::Told(failure) if failure.code == Code::Cancelled => Self::Wish,
            error => Self::Failure(error),
        }
    }
}

/// The folder under its other name; it goes unless it is kept.
struct Unfinished(PathBuf);

impl Unfinished {
    fn at(output: &Path) -> Result<Self> {
        let mut name = output.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        let path = output.with_file_name(name);
        if path.exists() {
            // Of an attempt that was killed.
            std::fs::remove_dir_all(&path).map_err(Error::io(&path))?;
        }
        std::fs::create_dir_all(&path).map_err(Error::io(&path))?;
        Ok(Self(path))
    }

    fn keep(self, output: &Path) -> Result<()> {
        files::flush_folder(&self.0)?;
        std::fs::rename(&self.0, output).map_err(Error::io(output))?;
        match output.parent() {
            Some(parent) => files::flush_folder(parent),
            None => Ok(()),
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After `keep` there is nothing of this name.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How far an export is.
struct Steps<'a> {
    events: &'a EventLog,
    control: &'a ControlFile,
    began: Instant,
    reported: Option<Instant>,
    stage: &'static str,
    done: u64,
    of: u64,
}

impl Steps<'_> {
    fn begin(&mut self, stage: &'static str, of: usize) {
        (self.stage, self.done, self.of, self.reported) = (stage, 0, of as u64, None);
    }

    /// One step more, if the user lets it.
    fn step(&mut self) -> Result<()> {
        if self.control.wish(self.events, self.done)? == Wish::Stop {
            return Err(Error::told(Code::Cancelled, "Stopped.", ""));
        }
        self.done += 1;
        let due = self
            .reported
            .is_none_or(|at| at.elapsed() >= Duration::from_millis(300));
        if !due && self.done < self.of {
            return Ok(());
        }
        self.reported = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64();
        self.events.write(Event::Progress {
            stage: self.stage.into(),
            step: self.done.min(self.of),
            of: self.of,
            loss: None,
            lr: None,
            tokens_per_s: None,
            memory_mb: resident_mb(),
            eta_s: Some(seconds / self.done as f64 * self.of.saturating_sub(self.done) as f64),
        })
    }
}

struct Making<'a> {
    job: &'a ExportJob,
    /// Folder of the base model.
    base: &'a Path,
    adapter: &'a Adapter,
    /// Folder of the adapter.
    from: &'a Path,
    device: Device,
}

/// What was written, and how it compares.
type Made = (Vec<ExportedFile>, Option<Parity>, Vec<String>);

impl Making<'_> {
    fn all(
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
        result
            .files
            .push(output::whole(&folder.join(EXPORT_FILE), &pretty(&result)?)?);
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
        // That it fits is checked as for a merge.
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
                    self.adapter.sidecar(),
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

    /// What base and adapter answer.
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

#[allow(clippy::too_many_arguments, reason = "each is a part of the file")]
fn write_gguf(
    path: &Path,
    name: &str,
    decoder: &DecoderConfig,
    merged: &Merged<'_>,
    stored: Stored,
    words: Vec<(String, gguf::Value)>,
    notes: &mut Vec<String>,
    steps: &mut Steps<'_>,
) -> Result<ExportedFile> {
    let mut settings = gguf::decoder::settings(decoder, name, stored)?;
    settings.extend(words);
    let mut planned = Vec::new();
    let mut names = Vec::new();
    let (mut unknown, mut coarse) = (Vec::new(), 0);
    let divisors = gguf::decoder::rotary_divisors(decoder);
    if let Some(divisors) = &divisors {
        let name = gguf::decoder::ROTARY_DIVISORS.to_owned();
        planned.push(Planned {
            name,
            shape: vec![divisors.len() as i64],
            stored: Stored::F32,
        });
        names.push(None);
    }
    for (own, shape) in merged.tensors() {
        let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
        // The output layer of a model that shares it with its embeddings says nothing new.
        let shared = decoder.tied && own == "lm_head.weight";
        match gguf::decoder::name_of(own).filter(|_| !shared) {
            Some(name) => {
                let as_stored = gguf::decoder::stored_as(&shape, stored);
                coarse += usize::from(as_stored != stored && shape.len() > 1);
                planned.push(Planned {
                    name,
                    shape,
                    stored: as_stored,
                });
                names.push(Some(own.to_owned()));
            }
            None if shared || own.ends_with("rotary_emb.inv_freq") => {}
            None => unknown.push(own.to_owned()),
        }
    }
    if !unknown.is_empty() {
        return Err(unsupported(&format!(
            "tensors that GGUF has no name for ({})",
            unknown.join(", ")
        )));
    }
    if coarse > 0 {
        notes.push(format!(
            "{coarse} matrices have rows that are no multiple of 32 and are stored in f16; the others in {}.",
            if stored == Stored::Q8_0 { "q8_0" } else { "f16" }
        ));
    }
    steps.begin("export", planned.len());
    let mut next = names.into_iter();
    gguf::write::write(path, &settings, &planned, &mut |_| {
        steps.step()?;
        match next.next().flatten() {
            Some(own) => gguf::decoder::turned(decoder, &own, &merged.tensor(&own)?),
            None => Ok(Tensor::f_from_slice(
                divisors.as_deref().unwrap_or_default(),
            )?),
        }
    })
}
