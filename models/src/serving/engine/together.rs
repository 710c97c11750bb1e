//! Questions that are read as one batch, and what the model says of the next token of each answer.

use crate::architectures::cache::Cache;
use crate::architectures::decoder::Decoder;
use crate::architectures::packing::Packed;
use crate::decoding::generate::likeliest_each;
use crate::serving::writing::{Next, Writing};
use crate::{Error, Result};
use tch::{Device, Kind, Tensor};

/// With fewer rows than this, libtorch's matrix products on the CPU sum in another order. So a question that is read
/// alone is padded to this number of rows, and gets the same vectors as in a batch.
const FEWEST_ROWS: usize = 16;

/// Reads questions, shortest first, and gives the vectors of their last tokens `[texts, hidden]`.
pub(super) fn read_together(decoder: &dyn Decoder, newcomers: &mut [Writing]) -> Result<Tensor> {
    let tokens: usize = newcomers.iter().map(|writing| writing.prompt.len()).sum();
    let filler = vec![0u32; FEWEST_ROWS.saturating_sub(tokens)];
    let mut unused = Cache::new();
    let mut texts: Vec<(&[u32], &mut Cache, bool)> = newcomers
        .iter_mut()
        .map(|writing| (writing.prompt.as_slice(), &mut writing.cache, true))
        .collect();
    if !filler.is_empty() {
        texts.push((&filler, &mut unused, false));
        texts.sort_by_key(|(ids, ..)| ids.len());
    }
    let ids: Vec<&[u32]> = texts.iter().map(|(ids, ..)| *ids).collect();
    let packed = Packed::of(&ids, decoder.device())?;
    let mut lasts = Vec::with_capacity(texts.len());
    for ((start, length), (.., wanted)) in packed.texts().zip(&texts) {
        if *wanted {
            lasts.push(start + length - 1);
        }
    }
    let mut caches: Vec<&mut Cache> = texts.into_iter().map(|(_, cache, _)| cache).collect();
    let hidden = decoder.read_each(&packed, &mut caches)?;
    let lasts = Tensor::f_from_slice(&lasts)?.f_to_device(decoder.device())?;
    Ok(hidden.f_index_select(0, &lasts)?)
}

/// The model's results for the next token of each text, from vectors `[texts, hidden]`.
pub(super) fn next_tokens(
    decoder: &dyn Decoder,
    hidden: &Tensor,
    writings: &[Writing],
) -> Result<Vec<Next>> {
    let logits = decoder.step_logits(hidden)?.f_to_kind(Kind::Float)?; // [texts, vocabulary]
    let likeliest = likeliest_each(&logits)?;
    let mut nexts = Vec::with_capacity(writings.len());
    for (row, (writing, token)) in writings.iter().zip(likeliest).enumerate() {
        nexts.push(if writing.needs_logits() {
            Next::Logits(Vec::<f32>::try_from(
                logits.f_select(0, row as i64)?.f_to_device(Device::Cpu)?,
            )?)
        } else {
            Next::Likeliest(
                u32::try_from(token).map_err(|_| Error::Shim(format!("{token} is no token")))?,
            )
        });
    }
    Ok(nexts)
}
