//! A small decoder of one's own from nothing: Qwen3's architecture, weights at random, full training on a
//! corpus. The demonstration model is made by it; tools/demo-model makes the corpus.
//!
//! What is written stands under another name until it is whole. A run that was broken off goes on from its
//! newest state when it is started again with the same settings.

use crate::adapters::lora::Pass;
use crate::architectures::architecture::Config;
use crate::architectures::decoder::{Attention, Decoder};
use crate::architectures::packing::Packed;
use crate::architectures::transformer::Transformer;
use crate::decoding::language::Language;
use crate::folder::{CONFIG_FILE, TOKENIZER_FILE};
use crate::pretraining::bpe;
use crate::pretraining::corpus::{self, Row, Source};
use crate::tensors::{self, NamedTensors};
use crate::texts::vocabulary::TOKENIZER_CONFIG_FILE;
use crate::training::optimizer::Optimizer;
use crate::training::schedule::Schedule;
use crate::weights::SINGLE_FILE;
use crate::{Error, Result, files};
use clap::Args;
use lexforge_domain::{Code, protocol::Decay};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tch::{Device, Kind, Reduction, Tensor};

/// Settings and figures of the training, kept beside the weights.
pub const RECORD_FILE: &str = "training.json";
/// Weights and the optimiser's state of a run that is under way.
const STATE_FILE: &str = "state.safetensors";
/// Steps between two lines of progress.
const TELL_EVERY: u64 = 20;
/// What cross-entropy passes over.
const NO_TARGET: i64 = -100;
/// Standard deviation of fresh weights.
const SPREAD: f64 = 0.02;

/// What is trained, and for how long.
#[derive(Args, Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Tokens to train on, windows counted as often as they are drawn
    #[arg(long, default_value_t = 3_000_000)]
    pub tokens: u64,
    /// Tokens a step
    #[arg(long, default_value_t = 2048)]
    pub batch_tokens: usize,
    /// Peak learning rate; it rises over a fiftieth of the steps and then falls to 0
    #[arg(long, default_value_t = 3e-3)]
    pub learning_rate: f64,
    /// Weight decay
    #[arg(long, default_value_t = 0.05)]
    pub weight_decay: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 42)]
    pub seed: u64,
    /// Entries of the vocabulary
    #[arg(long, default_value_t = 8192)]
    pub vocabulary: usize,
    /// Hidden size
    #[arg(long, default_value_t = 160)]
    pub hidden: i64,
    /// Inner size of the feed-forward part
    #[arg(long, default_value_t = 448)]
    pub inner: i64,
    /// Layers
    #[arg(long, default_value_t = 6)]
    pub layers: usize,
    /// Query heads
    #[arg(long, default_value_t = 4)]
    pub heads: i64,
    /// Key and value heads
    #[arg(long, default_value_t = 2)]
    pub key_heads: i64,
    /// Steps between two stored states, from which a broken-off training goes on
    #[arg(long, default_value_t = 200)]
    pub state_every: u64,
    /// Longest input in tokens; most windows have half of it
    #[arg(long, default_value_t = 1024)]
    pub positions: i64,
}

/// How well lines that were kept from training are foretold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// File of the corpus.
    pub source: String,
    /// Tokens.
    pub tokens: u64,
    /// Mean loss in nats a token.
    pub nats_per_token: f64,
    /// The same in bits a byte of text.
    pub bits_per_byte: f64,
}

impl Settings {
    /// Whether a model can have these sizes.
    fn check(&self) -> Result<()> {
        let refuse = |what: &str| {
            Err(Error::told(
                Code::InvalidRequest,
                format!("A model cannot have these sizes: {what}."),
                "Choose others.",
            ))
        };
        if self.hidden < 1
            || self.heads < 1
            || self.hidden % self.heads != 0
            || self.hidden / self.heads % 2 != 0
        {
            return refuse("the hidden size must be an even multiple of the heads");
        }
        if self.key_heads < 1 || self.heads % self.key_heads != 0 {
            return refuse("the heads must be a multiple of the key heads");
        }
        if self.inner < 1 || self.layers < 1 || self.positions < 4 {
            return refuse("each must be larger than 0, and the positions than 3");
        }
        // Every byte is a token.
        if self.vocabulary < 256 + bpe::SPECIALS.len() {
            return refuse("a vocabulary has at least 259 entries");
        }
        Ok(())
    }
}

/// What a training gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the model's folder.
    pub folder: PathBuf,
    /// Numbers trained.
    pub parameters: u64,
    /// Tokens of the corpus that were trained on, by file.
    pub corpus: Vec<(String, u64)>,
    /// SHA-256 over those of the corpus' files.
    pub corpus_sha256: String,
    /// Steps.
    pub steps: u64,
    /// Tokens that this process learnt from, repetitions counted; of a training that was broken off, its last part.
    pub tokens: u64,
    /// Mean loss of the first and of the last twentieth of the steps of this process, in nats a token.
    pub loss: (f64, f64),
    /// Loss of the stored weights on what was held out.
    pub held_out: Vec<HeldOut>,
    /// Seconds of this process.
    pub seconds: f64,
}

/// Makes a model folder `out` from a corpus, telling on standard error how far it is.
///
/// # Errors
/// Where `out` exists, the corpus has no text, sizes are impossible, or libtorch or the disk refuse.
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
    // What is measured is what was stored.
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

/// The folder under way: made anew with tokenizer, configuration and weights at random, or found as it was
/// left by a run with the same settings on the same corpus.
fn begin(
    out: &Path,
    settings: &Settings,
    corpus_sha256: &str,
    sources: &[Source],
) -> Result<PathBuf> {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = out.with_file_name(name);
    let record = json!({"settings": settings, "corpus_sha256": corpus_sha256});
    let path = part.join(RECORD_FILE);
    if path.is_file() {
        let found: Value = crate::texts::vocabulary::read_json(&path)?;
        if found == record {
            return Ok(part);
        }
        return Err(Error::told_of(
            &part,
            Code::InvalidRequest,
            "Another training, with other settings or another corpus, was broken off here.",
            "Delete the folder, or name another one.",
        ));
    }
    std::fs::create_dir_all(&part).map_err(Error::io(&part))?;
    eprintln!("learning a vocabulary");
    // Every language counts about alike, however much of it there is.
    let sizes: Vec<usize> = sources
        .iter()
        .map(|source| source.texts().map(str::len).sum())
        .collect();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let texts = sources.iter().zip(&sizes).flat_map(|(source, &size)| {
        let times = (largest as f64 / size.max(1) as f64)
            .round()
            .clamp(1.0, 8.0) as usize;
        std::iter::repeat_n(source, times).flat_map(Source::texts)
    });
    let tokenizer = bpe::train(texts, settings.vocabulary)?;
    tokenizer
        .save(part.join(TOKENIZER_FILE), false)
        .map_err(|e| Error::Shim(e.to_string()))?;
    let (end, between) = (
        bpe::special(&tokenizer, bpe::END)?,
        bpe::special(&tokenizer, bpe::BETWEEN)?,
    );
    let config = json!({
        "_name_or_path": out.file_name().unwrap_or_default().to_string_lossy(),
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": settings.vocabulary,
        "hidden_size": settings.hidden,
        "intermediate_size": settings.inner,
        "num_hidden_layers": settings.layers,
        "num_attention_heads": settings.heads,
        "num_key_value_heads": settings.key_heads,
        "head_dim": settings.hidden / settings.heads,
        "max_position_embeddings": settings.positions,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "rope_theta": 10_000.0,
        "attention_bias": false,
        "tie_word_embeddings": true,
        "use_sliding_window": false,
        "torch_dtype": "bfloat16",
        "eos_token_id": end,
        "pad_token_id": between,
    });
    write_json(&part.join(CONFIG_FILE), &config)?;
    write_json(
        &part.join(TOKENIZER_CONFIG_FILE),
        &bpe::configuration(&tokenizer, settings.positions)?,
    )?;
    let generation =
        json!({"do_sample": false, "eos_token_id": [end, between], "pad_token_id": between});
    write_json(&part.join("generation_config.json"), &generation)?;
    files::write_atomically(
        &part.join(SINGLE_FILE),
        &tensors::to_bytes(&random_weights(settings)?)?,
    )?;
    write_json(&path, &record)?; // last: with it the folder is one to go on from
    Ok(part)
}

/// Weights as GPT-2's began: normal around zero, layers that add to the stream made smaller by their number.
fn random_weights(settings: &Settings) -> Result<NamedTensors> {
    tch::manual_seed(i64::try_from(settings.seed % (1 << 62)).unwrap_or_default());
    let head = settings.hidden / settings.heads.max(1);
    let (queries, keys) = (settings.heads * head, settings.key_heads * head);
    let (hidden, inner) = (settings.hidden, settings.inner);
    let mut all = NamedTensors::new();
    let mut add = |name: String, shape: &[i64], spread: f64| -> Result<()> {
        let mut tensor = Tensor::f_ones(shape, (Kind::Float, Device::Cpu))?;
        if spread > 0.0 {
            let _ = tensor.f_normal_(0.0, spread)?;
        }
        all.insert(name, tensor);
        Ok(())
    };
    add(
        "model.embed_tokens.weight".into(),
        &[settings.vocabulary as i64, hidden],
        SPREAD,
    )?;
    let adding = SPREAD / (2.0 * settings.layers as f64).sqrt();
    for layer in 0..settings.layers {
        let parts: [(&str, Vec<i64>, f64); 11] = [
            ("input_layernorm", vec![hidden], 0.0),
            ("self_attn.q_proj", vec![queries, hidden], SPREAD),
            ("self_attn.k_proj", vec![keys, hidden], SPREAD),
            ("self_attn.v_proj", vec![keys, hidden], SPREAD),
            ("self_attn.o_proj", vec![hidden, queries], adding),
            ("self_attn.q_norm", vec![head], 0.0),
            ("self_attn.k_norm", vec![head], 0.0),
            ("post_attention_layernorm", vec![hidden], 0.0),
            ("mlp.gate_proj", vec![inner, hidden], SPREAD),
            ("mlp.up_proj", vec![inner, hidden], SPREAD),
            ("mlp.down_proj", vec![hidden, inner], adding),
        ];
        for (name, shape, spread) in parts {
            add(
                format!("model.layers.{layer}.{name}.weight"),
                &shape,
                spread,
            )?;
        }
    }
    add("model.norm.weight".into(), &[hidden], 0.0)?;
    Ok(all)
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

/// Loss on a row that was held out; `None` where it is empty.
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

fn write_json(path: &Path, value: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::Shim(e.to_string()))?;
    files::write_atomically(path, format!("{text}\n").as_bytes())
}
