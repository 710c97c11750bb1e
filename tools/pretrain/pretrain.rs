//! Trains a small decoder from scratch: Qwen3's architecture, random weights, full training on a corpus. The
//! demonstration model is made in this way; tools/demo-model makes its corpus.
//!
//! The output has another name until it is complete. A run that was interrupted continues from its newest state when it
//! is started again with the same settings.

use super::corpus::{self, Row, Source};
use super::report::{HeldOut, Report};
use super::settings::Settings;
use super::start::{RECORD_FILE, begin, write_json};
use lexforge_domain::Code;
use lexforge_domain::protocol::Decay;
use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::packing::Packed;
use lexforge_models::architectures::transformer::Transformer;
use lexforge_models::decoding::language::Language;
use lexforge_models::tensors::{self, NamedTensors};
use lexforge_models::training::optimizer::Optimizer;
use lexforge_models::training::schedule::Schedule;
use lexforge_models::weights::SINGLE_FILE;
use lexforge_models::{Error, Result, files};
use serde_json::json;
use std::path::Path;
use std::time::Instant;
use tch::{Device, Kind, Reduction, Tensor};

/// Weights and the optimiser's state of a run that is under way.
const STATE_FILE: &str = "state.safetensors";
/// Steps between two lines of progress.
const TELL_EVERY: u64 = 20;
/// The target that cross-entropy ignores.
const NO_TARGET: i64 = -100;

/// Makes a model folder `out` from a corpus, reporting progress on standard error.
///
/// # Errors
/// If `out` exists, the corpus has no text, sizes are impossible, or libtorch or the disk fails.
pub fn pretrain(corpus: &Path, out: &Path, settings: &Settings, threads: usize) -> Result<Report> {
    let begun = Instant::now();
    if out.exists() {
        return Err(Error::told_of(
            out,
            Code::InvalidRequest,
            "The folder is there already.",
            "Name a folder that is not there yet.",
        ));
    }
    settings.check()?;
    if threads > 0 {
        tch::set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX));
    }
    let (sources, corpus_sha256) = corpus::read(corpus)?;
    let part = begin(out, settings, &corpus_sha256, &sources)?;
    let Config::Decoder(config) = Config::of_folder(&part)? else {
        return Err(Error::Shim("a new decoder is none".into()));
    };
    let language = Language::open(&part, settings.vocabulary)?;
    let rows = |of: fn(&Source) -> &[corpus::Line]| -> Result<Vec<Row>> {
        sources
            .iter()
            .map(|source| Row::of(of(source), &language, settings.seed))
            .collect()
    };
    let (train, held_out) = (
        rows(|source| &source.train)?,
        rows(|source| &source.held_out)?,
    );
    let counted: Vec<(String, u64)> = sources
        .iter()
        .zip(&train)
        .map(|(source, row)| (source.name.clone(), row.ids.len() as u64))
        .collect();
    for (name, tokens) in &counted {
        eprintln!("{name}: {tokens} tokens");
    }

    let mut model = Transformer::load(&config, &part, Some(Kind::Float), Device::Cpu)?;
    let parameters = own(&mut model)?;
    let mut optimizer = Optimizer::new(copy_handles(&parameters), settings.weight_decay)?;
    eprintln!("{} parameters", optimizer.parameter_count());
    let mut run = Run {
        settings,
        part: &part,
        begun,
        losses: Vec::new(),
        tokens: 0,
    };
    let steps = run.go(&model, &parameters, &mut optimizer, &train)?;

    let kept: NamedTensors = parameters
        .iter()
        .map(|(name, t)| Ok((name.clone(), t.f_detach()?.f_to_kind(Kind::BFloat16)?)))
        .collect::<Result<_>>()?;
    files::write_atomically(&part.join(SINGLE_FILE), &tensors::to_bytes(&kept)?)?;
    // Measure the weights as they were stored.
    let stored = Transformer::load(&config, &part, Some(Kind::Float), Device::Cpu)?;
    let mut measured = Vec::new();
    for (source, row) in sources.iter().zip(&held_out) {
        measured.extend(measure(
            &stored,
            &source.name,
            row,
            (settings.positions / 2) as usize,
        )?);
    }
    let edge = run.losses.len().div_ceil(20);
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let report = Report {
        folder: out.file_name().unwrap_or_default().into(),
        parameters: optimizer.parameter_count(),
        corpus: counted,
        corpus_sha256,
        steps,
        tokens: run.tokens,
        loss: (
            mean(&run.losses[..edge]),
            mean(&run.losses[run.losses.len() - edge..]),
        ),
        held_out: measured,
        seconds: begun.elapsed().as_secs_f64(),
    };
    finish(&part, out, settings, &report)?;
    Ok(report)
}

/// Gives the model weights of its own, which can be trained, in the place of those that borrow a file.
fn own(model: &mut Transformer) -> Result<NamedTensors> {
    let mut parameters = NamedTensors::new();
    for (name, weight) in model.weights_mut() {
        let mut own = weight.f_zeros_like()?;
        own.f_copy_(weight)?;
        *weight = own.f_set_requires_grad(true)?;
        parameters.insert(name, weight.shallow_clone());
    }
    Ok(parameters)
}

fn copy_handles(tensors: &NamedTensors) -> NamedTensors {
    tensors
        .iter()
        .map(|(name, tensor)| (name.clone(), tensor.shallow_clone()))
        .collect()
}

/// A training under way.
struct Run<'a> {
    settings: &'a Settings,
    part: &'a Path,
    begun: Instant,
    losses: Vec<f64>,
    tokens: u64,
}

impl Run<'_> {
    /// Makes all steps that are left; gives their number, earlier ones counted.
    fn go(
        &mut self,
        model: &Transformer,
        parameters: &NamedTensors,
        optimizer: &mut Optimizer,
        rows: &[Row],
    ) -> Result<u64> {
        let settings = self.settings;
        let steps = settings
            .tokens
            .div_ceil(settings.batch_tokens.max(1) as u64)
            .max(1);
        let schedule = Schedule::new(settings.learning_rate, steps / 50, steps, Decay::Linear);
        let first = self.resume(parameters, optimizer)?;
        for step in first..steps {
            // Every fourth step reads windows of the whole length, so that late positions are learnt too.
            let length = settings.positions as usize / if step % 4 == 3 { 1 } else { 2 };
            let count = (settings.batch_tokens / length).max(1);
            let windows = corpus::windows(rows, settings.seed, step, count, length);
            optimizer.clear_gradients();
            let (loss, tokens) = loss(model, &windows, Pass::Train)?;
            loss.f_backward()?;
            let _ = optimizer.step(schedule.rate(step), 1.0, 1.0)?;
            self.losses.push(loss.f_double_value(&[])?);
            self.tokens += tokens;
            let done = step + 1;
            if done % TELL_EVERY == 0 || done == steps {
                let recent = &self.losses[self.losses.len().saturating_sub(TELL_EVERY as usize)..];
                let seconds = self.begun.elapsed().as_secs_f64();
                eprintln!(
                    "step {done} of {steps}: loss {:.4}, {:.0} tokens a second, {:.1} minutes left",
                    recent.iter().sum::<f64>() / recent.len() as f64,
                    self.tokens as f64 / seconds,
                    seconds / 60.0 * (steps - done) as f64 / (done - first) as f64,
                );
            }
            if done % settings.state_every.max(1) == 0 && done < steps {
                self.store(done, parameters, optimizer)?;
            }
        }
        Ok(steps)
    }

    fn store(&self, done: u64, parameters: &NamedTensors, optimizer: &Optimizer) -> Result<()> {
        let mut state = copy_handles(parameters);
        state.extend(optimizer.state());
        state.insert("done".into(), Tensor::f_from_slice(&done.to_le_bytes())?);
        files::write_atomically(&self.part.join(STATE_FILE), &tensors::to_bytes(&state)?)
    }

    /// Puts the newest state back, if there is one; gives the steps that were made.
    fn resume(&self, parameters: &NamedTensors, optimizer: &mut Optimizer) -> Result<u64> {
        let path = self.part.join(STATE_FILE);
        if !path.is_file() {
            return Ok(0);
        }
        let invalid = |reason: String| {
            Error::told_of(
                &path,
                Code::CheckpointInvalid,
                format!("The state of the training is damaged: {reason}."),
                "Delete the file; the training then begins anew.",
            )
        };
        let state = tensors::read(&path, invalid)?;
        let done = state
            .get("done")
            .and_then(|t| Vec::<u8>::try_from(t).ok())
            .and_then(|b| <[u8; 8]>::try_from(b).ok());
        let done = done
            .map(u64::from_le_bytes)
            .ok_or_else(|| invalid("it does not tell its step".into()))?;
        {
            let _no_grad = tch::no_grad_guard();
            for (name, parameter) in parameters {
                let stored = state
                    .get(name)
                    .filter(|stored| stored.size() == parameter.size());
                let stored = stored.ok_or_else(|| invalid(format!("{name} is missing")))?;
                parameter.shallow_clone().f_copy_(stored)?;
            }
        }
        optimizer.restore(&state)?;
        eprintln!("going on after step {done}");
        Ok(done)
    }
}

/// Mean loss over the tokens of windows that others foretell, and their number.
fn loss(model: &Transformer, windows: &[&[u32]], pass: Pass) -> Result<(Tensor, u64)> {
    let packed = Packed::of(windows, model.device())?;
    let targets: Vec<i64> = windows
        .iter()
        .flat_map(|window| {
            window[1..]
                .iter()
                .map(|&id| i64::from(id))
                .chain(std::iter::once(NO_TARGET))
        })
        .collect();
    let counted = targets.len() - windows.len();
    let targets = Tensor::f_from_slice(&targets)?.f_to_device(model.device())?;
    let logits = model.logits(&model.hidden(&packed, Attention::Causal, pass)?)?;
    let loss =
        logits.f_cross_entropy_loss(&targets, None::<Tensor>, Reduction::Mean, NO_TARGET, 0.0)?;
    Ok((loss, counted as u64))
}

/// Loss on a row that was held out; `None` if it is empty.
fn measure(model: &Transformer, name: &str, row: &Row, length: usize) -> Result<Option<HeldOut>> {
    let _no_grad = tch::no_grad_guard();
    let (mut sum, mut tokens) = (0.0, 0);
    for window in row
        .ids
        .chunks(length.max(2))
        .filter(|window| window.len() > 1)
    {
        let (mean, counted) = loss(model, &[window], Pass::Infer)?;
        sum += mean.f_double_value(&[])? * counted as f64;
        tokens += counted;
    }
    if tokens == 0 {
        return Ok(None);
    }
    let nats_per_token = sum / tokens as f64;
    let tokens_per_byte = row.ids.len() as f64 / row.bytes.max(1) as f64;
    Ok(Some(HeldOut {
        source: name.to_owned(),
        tokens,
        nats_per_token,
        bits_per_byte: nats_per_token / std::f64::consts::LN_2 * tokens_per_byte,
    }))
}

/// Leaves the record, takes the state away and gives the folder its name.
fn finish(part: &Path, out: &Path, settings: &Settings, report: &Report) -> Result<()> {
    write_json(
        &part.join(RECORD_FILE),
        &json!({"settings": settings, "report": report}),
    )?;
    let state = part.join(STATE_FILE);
    if state.is_file() {
        std::fs::remove_file(&state).map_err(Error::io(&state))?;
    }
    std::fs::rename(part, out).map_err(Error::io(out))
}
