//! Writing an answer, token by token.

use crate::architectures::cache::Cache;
use crate::architectures::caches::Caches;
use crate::architectures::decoder::Decoder;
use crate::architectures::packing::{Packed, by_length};
use crate::decoding::chat::Message;
use crate::decoding::language::LanguageModel;
use crate::error::all_finite;
use crate::{Error, Result};
use lexforge_domain::Code;
use tch::{Kind, Tensor};

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Tokens, without the one that ended the answer.
    pub ids: Vec<u32>,
    /// Whether the model ended the answer itself; otherwise the limit did.
    pub ended: bool,
}

/// Greedy decoding: always takes the likeliest next token, until one of `ends`, and at most `most` tokens.
///
/// # Errors
/// If the prompt is empty, no token can follow within the model's positions, or libtorch fails.
pub fn greedy(decoder: &dyn Decoder, prompt: &[u32], ends: &[u32], most: usize) -> Result<Written> {
    let _no_grad = tch::no_grad_guard();
    let most = room(decoder, prompt, most)?;
    let mut cache = Cache::new();
    let mut written = Written::default();
    let mut next = prompt.to_vec();
    while written.ids.len() < most {
        let hidden = decoder.follow(&next, &mut cache)?;
        let token = likeliest(decoder, &hidden)?;
        if ends.contains(&token) {
            written.ended = true;
            break;
        }
        written.ids.push(token);
        next = vec![token];
    }
    Ok(written)
}

/// As [`greedy`] for several prompts at once, each with its own limit; the answers in the order of the prompts.
///
/// # Errors
/// As [`greedy`].
pub fn greedy_each(
    decoder: &dyn Decoder,
    prompts: &[(&[u32], usize)],
    ends: &[u32],
) -> Result<Vec<Written>> {
    let _no_grad = tch::no_grad_guard();
    let mut written = vec![Written::default(); prompts.len()];
    let limits = prompts
        .iter()
        .map(|(prompt, most)| room(decoder, prompt, *most))
        .collect::<Result<Vec<_>>>()?;
    let lengths: Vec<usize> = prompts.iter().map(|(prompt, _)| prompt.len()).collect();
    // The texts under way, in the order of their rows.
    let mut alive = by_length(&lengths);
    let texts: Vec<&[u32]> = alive.iter().map(|&i| prompts[i].0).collect();
    let ordered: Vec<usize> = alive.iter().map(|&i| lengths[i]).collect();
    let Some(most) = limits.iter().max().filter(|&&most| most > 0) else {
        return Ok(written);
    };
    let mut caches = Caches::of(&ordered, *most);
    let packed = Packed::of(&texts, decoder.device())?;
    let hidden = decoder.read_into(&packed, &mut caches)?;
    let mut end = 0;
    let lasts: Vec<i64> = ordered
        .iter()
        .map(|&length| (end += length, end as i64 - 1).1)
        .collect();
    let mut last = hidden.f_index_select(
        0,
        &Tensor::f_from_slice(&lasts)?.f_to_device(decoder.device())?,
    )?;
    loop {
        let tokens = likeliest_each(&decoder.logits(&last)?)?;
        let mut going = Vec::with_capacity(alive.len());
        let mut next = Vec::with_capacity(alive.len());
        for (row, token) in tokens.into_iter().enumerate() {
            let token =
                u32::try_from(token).map_err(|_| Error::Shim(format!("{token} is no token")))?;
            let text = alive[row];
            if written[text].ids.len() >= limits[text] {
                continue;
            }
            if ends.contains(&token) {
                written[text].ended = true;
                continue;
            }
            written[text].ids.push(token);
            if written[text].ids.len() < limits[text] {
                going.push(row);
                next.push(token);
            }
        }
        if going.is_empty() {
            return Ok(written);
        }
        if going.len() < alive.len() {
            caches.keep(&going)?;
            alive = going.iter().map(|&row| alive[row]).collect();
        }
        last = decoder.follow_each(&next, &mut caches)?;
    }
}

/// How many tokens may follow the prompt.
fn room(decoder: &dyn Decoder, prompt: &[u32], most: usize) -> Result<usize> {
    let positions = decoder.config().positions as usize;
    if prompt.is_empty() || prompt.len() >= positions {
        return Err(Error::told(
            Code::InvalidRequest,
            format!(
                "The question has {} tokens; the model takes from 1 to {}.",
                prompt.len(),
                positions - 1
            ),
            "Ask a shorter question, or give fewer passages.",
        ));
    }
    // The last token written need not be read again.
    Ok(most.min(positions - prompt.len() + 1))
}

fn likeliest(decoder: &dyn Decoder, hidden: &Tensor) -> Result<u32> {
    let last = hidden.f_narrow(0, hidden.size()[0] - 1, 1)?;
    let token = likeliest_each(&decoder.logits(&last)?)?
        .first()
        .copied()
        .unwrap_or(-1);
    u32::try_from(token).map_err(|_| Error::Shim(format!("{token} is no token")))
}

/// The token with the largest logit of each row of `[texts, vocabulary]`.
///
/// # Errors
/// [`Code::ModelUnsupported`] if a row's largest logit is NaN; errors of libtorch.
pub(crate) fn likeliest_each(logits: &Tensor) -> Result<Vec<i64>> {
    // A logit that is no number is the largest of its row.
    let (largest, tokens) = logits.f_to_kind(Kind::Float)?.f_max_dim(1, false)?;
    all_finite(&Vec::<f32>::try_from(largest)?)?;
    Ok(Vec::<i64>::try_from(tokens)?)
}

impl LanguageModel {
    /// The answer to a conversation, by greedy decoding: its text, and whether the model itself ended it.
    ///
    /// # Errors
    /// As [`greedy`] and [`crate::decoding::language::Language::prompt`].
    pub fn answer(&self, messages: &[Message], most: usize) -> Result<(String, bool)> {
        let prompt = self.language.encode(&self.language.prompt(messages)?)?;
        let written = greedy(
            self.decoder.as_ref(),
            &prompt.ids,
            self.language.ends(),
            most,
        )?;
        Ok((self.language.decode(&written.ids)?, written.ended))
    }
}
