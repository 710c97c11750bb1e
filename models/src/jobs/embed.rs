//! The embed job: reads texts and writes one safetensors file of vectors, in the order of the texts.
//!
//! Texts are read in blocks, so that memory does not grow with the input. Within a block they are sorted by length and
//! run in batches with about equal numbers of tokens.

use crate::adapters::adapter::Adapter;
use crate::architectures::reader::{AfterBatch, Counts, Reader};
use crate::data::{Records, TextLine};
use crate::device;
use crate::files::flush_folder;
use crate::folder::ModelFolders;
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::platform::peak_resident_mb;
use crate::texts::reading;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{EmbedJob, EmbedResult, JobResult, TermReading, TextSide};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

/// Texts of a block: enough that sorting by length leaves batches of nearly equal lengths.
const BLOCK: usize = 8192;
/// Runs an embed job.
///
/// # Errors
/// If the model or an input is not valid, or the output cannot be written.
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
    let adapter = match &job.adapter {
        Some(name) => Some(Adapter::read(&bundle.path(name)?)?),
        None => None,
    };
    let mut reading = reading::of_folder(&folder)?;
    if let Some(adapter) = &adapter {
        adapter.check_base(&job.model.name, &folder)?;
        if let Some(warning) = adapter.disagreement(job) {
            events.warn("adapter_settings", warning)?;
        }
        reading = reading::with_adapter(reading, Some(adapter));
    }
    reading.pooling = job.pooling.unwrap_or(reading.pooling);
    reading.causal = job.causal.unwrap_or(reading.causal);
    reading.normalize = job.normalize.unwrap_or(reading.normalize);
    reading.max_length = job.max_length.unwrap_or(reading.max_length);
    let reader = Reader::open(&folder, &reading, adapter.as_ref(), device)?;
    if reader.reading().max_length < reading.max_length {
        let message = format!(
            "max_length {} is beyond the model's {}, which is used.",
            reading.max_length,
            reader.reading().max_length
        );
        events.warn("max_length_lowered", message)?;
    }
    let dim = match job.terms {
        Some(terms) => {
            let (layers, hidden) = reader.layers();
            check_layer(terms, layers)?;
            hidden
        }
        None => reader.dim(),
    };
    let output = bundle.path(&job.output)?;
    let mut writer = RowWriter::create(&output, rows, dim)?;
    let mut run = Run {
        events,
        control,
        progress: Progress::new(events, began),
        rows,
        done: 0,
        tokens: 0,
    };
    let mut counts = Counts::default();
    let mut records = Records::<TextLine>::open(&input)?;
    loop {
        let block: Vec<TextLine> = records.by_ref().take(BLOCK).collect::<Result<_>>()?;
        if block.is_empty() {
            break;
        }
        if control.wish(events, run.done)? == Wish::Stop {
            return Ok(Outcome::Stopped { step: run.done });
        }
        let before = run.done;
        let after = &mut |texts, tokens| run.after(texts, tokens);
        let vectors = match job.terms {
            Some(terms) => of_terms(&reader, terms, &block, after)?,
            None => by_side(&reader, job.side, &block, &mut counts, after)?,
        };
        match vectors {
            Some(vectors) => writer.append(&vectors)?,
            None => return Ok(Outcome::Stopped { step: run.done }),
        }
        // Texts that stand twice may have been computed once.
        if run.done < before + block.len() as u64 {
            run.done = before + block.len() as u64;
            run.report()?;
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
        reading: reader.reading().clone(),
        layers: job.terms.map(|_| reader.layers().0),
    })))
}

/// Refuses a layer that the model does not have.
fn check_layer(terms: TermReading, layers: usize) -> Result<()> {
    match terms.layer {
        Some(layer) if layer > layers => Err(Error::told(
            Code::InvalidRequest,
            format!("The model has {layers} layers, and {layer} is none of them."),
            "Name a layer from 0, which is what enters the first one, to the number of its layers, or none for the last.",
        )),
        _ => Ok(()),
    }
}

/// Vectors of the terms that the lines name in their texts; `None` if the work was ended.
fn of_terms(
    reader: &Reader,
    reading: TermReading,
    block: &[TextLine],
    after: AfterBatch<'_>,
) -> Result<Option<Vec<f32>>> {
    let terms: Vec<(String, Range<usize>)> = block
        .iter()
        .map(|line| {
            let [from, to] = line.part.unwrap_or([0, line.text.len()]);
            (line.text.clone(), from..to)
        })
        .collect();
    reader.terms(&terms, reading.layer, after)
}

/// Vectors of texts in their order, each read as what it is; `None` if the work was ended.
fn by_side(
    reader: &Reader,
    usual: TextSide,
    block: &[TextLine],
    counts: &mut Counts,
    after: AfterBatch<'_>,
) -> Result<Option<Vec<f32>>> {
    let dim = reader.dim();
    let mut all = vec![0f32; block.len() * dim];
    for side in [TextSide::Plain, TextSide::Question, TextSide::Passage] {
        let of_side = |line: &TextLine| line.side.unwrap_or(usual) == side;
        let rows: Vec<usize> = (0..block.len()).filter(|&i| of_side(&block[i])).collect();
        if rows.is_empty() {
            continue;
        }
        let texts: Vec<String> = rows.iter().map(|&i| block[i].text.clone()).collect();
        let Some(vectors) = reader.vectors(side, &texts, counts, after)? else {
            return Ok(None);
        };
        for (&row, vector) in rows.iter().zip(vectors.chunks_exact(dim)) {
            all[row * dim..(row + 1) * dim].copy_from_slice(vector);
        }
    }
    Ok(Some(all))
}

struct Run<'a> {
    events: &'a EventLog,
    control: &'a ControlFile,
    progress: Progress<'a>,
    rows: u64,
    done: u64,
    tokens: u64,
}

impl Run<'_> {
    /// A batch is done; whether to go on.
    fn after(&mut self, texts: usize, tokens: u64) -> Result<bool> {
        self.tokens += tokens;
        self.done += texts as u64;
        self.report()?;
        Ok(self.done >= self.rows || self.control.wish(self.events, self.done)? != Wish::Stop)
    }

    fn report(&mut self) -> Result<()> {
        let tokens = Some(self.tokens);
        self.progress.tell("embed", self.done, self.rows, tokens)
    }
}

/// Writes a safetensors file with one F32 tensor `embeddings` row by row. The file has a temporary name until it is
/// complete.
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
