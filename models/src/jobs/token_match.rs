//! The token-match job: BERTScore (Zhang et al., 2020) of written answers.
//!
//! Each token of a text is matched with the token of the other text whose vector is nearest by cosine. As in the
//! authors' program bert-score 0.3.13, special tokens have no weight, but other tokens may be matched with them. If a
//! question has several right answers, the best one counts, separately for each figure. An empty answer gets 0.

use crate::architectures::architecture::Config;
use crate::architectures::encoder::Encoder;
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::pooling::unit_rows;
use crate::data::{Records, write_lines};
use crate::error::finite;
use crate::folder::{self, ModelFolders};
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::platform::peak_resident_mb;
use crate::texts::reading;
use crate::texts::tokenizer::TokenizedText;
use crate::{Error, Result, device};
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    JobResult, TextReading, TokenMatchItem, TokenMatchJob, TokenMatchLine, TokenMatchResult,
};
use std::collections::{HashMap, HashSet};
use std::time::Instant;
use tch::{Device, Tensor};

/// Answers whose token vectors are held at a time.
const BLOCK: usize = 64;
/// Tokens of a batch.
const BATCH_TOKENS: usize = 2048;
/// Tokens of a batch on a GPU.
const GPU_BATCH_TOKENS: usize = 32_768;

/// A text as it is matched.
struct Text {
    tokens: TokenizedText,
    /// A unit vector a token.
    vectors: Tensor,
    /// The weight of each token.
    weights: Vec<f64>,
}

/// Runs a token-match job.
///
/// # Errors
/// If the model, its layer or an input is not valid, or the output cannot be written.
pub fn token_match(
    bundle: &HeldBundle,
    job: &TokenMatchJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let input = bundle.path(&job.input)?;
    let items: Vec<TokenMatchItem> =
        Records::<TokenMatchItem>::open(&input)?.collect::<Result<_>>()?;
    let folder = folders.find(&job.model)?;
    let config = Config::of_folder(&folder)?;
    let layers = config.sizes().layers;
    let layer = job.layer.unwrap_or(layers);
    if layer == 0 || layer > layers {
        return Err(Error::told(
            Code::InvalidRequest,
            format!("The encoder has {layers} layers, and {layer} is none of them."),
            "Name a layer from 1 to the number of its layers, or none for the last.",
        ));
    }
    // Tokens are compared one by one, so nothing is pooled. A decoder reads the texts as when it writes.
    let reading = TextReading {
        max_length: usize::MAX,
        dense: Vec::new(),
        causal: matches!(config, Config::Decoder(_)),
        ..reading::of_folder(&folder)?
    };
    let encoder = Encoder::open_to_read(&folder, &reading, device::device())?;
    let weighing = match job.idf {
        true => Some(Idf::of(&encoder, &items)?),
        false => None,
    };
    let mut lines = Vec::with_capacity(items.len());
    let (mut unknown, mut own) = (0usize, 0usize);
    let mut told = Progress::new(events, began);
    for block in items.chunks(BLOCK) {
        if control.wish(events, lines.len() as u64)? == Wish::Stop {
            return Ok(Outcome::Stopped {
                step: lines.len() as u64,
            });
        }
        let known = texts(&encoder, block, layer, weighing.as_ref())?;
        for text in known.values() {
            unknown += text.tokens.unknown_tokens;
            own += text.tokens.own_tokens;
        }
        for item in block {
            lines.push(line(item, &known)?);
        }
        let (done, of) = (lines.len() as u64, items.len() as u64);
        told.tell("token_match", done, of, None)?;
    }
    write_lines(&bundle.path(&job.output)?, &lines)?;
    Ok(Outcome::Finished(JobResult::TokenMatch(TokenMatchResult {
        output: job.output.clone(),
        rows: lines.len() as u64,
        content: folder::print(&folder)?.to_string(),
        layer,
        layers,
        max_length: encoder.max_length,
        unknown_rate: unknown as f64 / own.max(1) as f64,
        peak_memory_mb: peak_resident_mb(),
        seconds: began.elapsed().as_secs_f64(),
    })))
}

/// How rare each token is among the right answers.
struct Idf {
    texts: f64,
    held_by: HashMap<u32, f64>,
}

impl Idf {
    fn of(encoder: &Encoder, items: &[TokenMatchItem]) -> Result<Self> {
        let mut idf = Self {
            texts: 0.0,
            held_by: HashMap::new(),
        };
        for block in items.chunks(BLOCK) {
            let texts: Vec<&str> = block
                .iter()
                .flat_map(|item| item.references.iter().map(|text| text.trim()))
                .collect();
            for text in encoder.tokenizer.tokenize(&texts)? {
                idf.texts += 1.0;
                for id in text.ids.into_iter().collect::<HashSet<u32>>() {
                    *idf.held_by.entry(id).or_default() += 1.0;
                }
            }
        }
        Ok(idf)
    }

    fn weight(&self, id: u32) -> f64 {
        let held_by = self.held_by.get(&id).copied().unwrap_or_default();
        ((self.texts + 1.0) / (held_by + 1.0)).ln()
    }
}

/// The different texts of a block, each read once.
fn texts<'t>(
    encoder: &Encoder,
    block: &'t [TokenMatchItem],
    layer: usize,
    idf: Option<&Idf>,
) -> Result<HashMap<&'t str, Text>> {
    let _no_grad = tch::no_grad_guard();
    let mut seen = HashSet::new();
    let list: Vec<&str> = block
        .iter()
        .flat_map(|item| std::iter::once(&item.prediction).chain(&item.references))
        .map(|text| text.trim())
        .filter(|text| seen.insert(*text))
        .collect();
    let mut tokenized = encoder.tokenizer.tokenize(&list)?;
    let lengths: Vec<usize> = tokenized.iter().map(|text| text.ids.len()).collect();
    let budget = match encoder.device() {
        Device::Cpu => BATCH_TOKENS,
        _ => GPU_BATCH_TOKENS,
    };
    let mut known = HashMap::new();
    for batch in within_budget(&by_length(&lengths), &lengths, budget) {
        // A tokenizer without special tokens makes nothing of an empty text.
        let batch: Vec<usize> = batch.into_iter().filter(|&i| lengths[i] > 0).collect();
        if batch.is_empty() {
            continue;
        }
        let ids: Vec<&[u32]> = batch.iter().map(|&i| tokenized[i].ids.as_slice()).collect();
        let rows = encoder.token_vectors(&ids, layer)?;
        for (i, rows) in batch.into_iter().zip(rows) {
            let tokens = std::mem::take(&mut tokenized[i]);
            let weigh = |(id, special): (&u32, &bool)| match (special, idf) {
                (true, _) => 0.0,
                (false, Some(idf)) => idf.weight(*id),
                (false, None) => 1.0,
            };
            let text = Text {
                weights: tokens.ids.iter().zip(&tokens.special).map(weigh).collect(),
                vectors: unit_rows(&rows)?.f_to_device(Device::Cpu)?,
                tokens,
            };
            known.insert(list[i], text);
        }
    }
    Ok(known)
}

/// The figures of one answer: the best over its right ones.
fn line(item: &TokenMatchItem, known: &HashMap<&str, Text>) -> Result<TokenMatchLine> {
    let answer = known.get(item.prediction.trim());
    let mut line = TokenMatchLine {
        empty: answer.is_none_or(|text| text.tokens.own_tokens == 0),
        cut: answer.is_some_and(|text| text.tokens.truncated),
        ..TokenMatchLine::default()
    };
    let mut weighs = false;
    for right in item
        .references
        .iter()
        .filter_map(|text| known.get(text.trim()))
    {
        line.cut |= right.tokens.truncated;
        let Some(answer) = answer.filter(|_| !line.empty && right.tokens.own_tokens > 0) else {
            continue;
        };
        let (precision, recall) = matched(answer, right)?;
        let (Some(precision), Some(recall)) = (precision, recall) else {
            continue;
        };
        weighs = true;
        let sum = precision + recall;
        let f1 = if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        };
        line.precision = line.precision.max(precision);
        line.recall = line.recall.max(recall);
        line.f1 = line.f1.max(f1);
    }
    line.weightless = !line.empty && !weighs;
    Ok(line)
}

/// Precision and recall of one answer against one right one; `None` of a side whose tokens weigh nothing.
fn matched(answer: &Text, right: &Text) -> Result<(Option<f64>, Option<f64>)> {
    let cosines = answer.vectors.f_matmul(&right.vectors.f_transpose(0, 1)?)?; // [answer's, right one's]
    let best = |over: i64| -> Result<Vec<f32>> {
        Ok(Vec::<f32>::try_from(
            cosines.f_amax([over].as_slice(), false)?.f_contiguous()?,
        )?)
    };
    Ok((
        weighed(&best(1)?, &answer.weights)?,
        weighed(&best(0)?, &right.weights)?,
    ))
}

fn weighed(best: &[f32], weights: &[f64]) -> Result<Option<f64>> {
    let all: f64 = weights.iter().sum();
    let sum = best.iter().zip(weights).map(|(b, w)| f64::from(*b) * w);
    let sum = finite(sum.sum())?;
    Ok((all > 0.0).then_some(sum / all))
}
