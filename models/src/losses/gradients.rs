//! One batch forward and backward, in pieces that fit into memory.
//!
//! If the batch is larger than the memory budget, the gradient is computed as in GradCache (Gao et al. 2021). First all
//! texts are encoded without a graph. The loss then gives the gradient of every vector. Last, each piece is encoded
//! once more with its graph, to pass that gradient back. The second encoding restores the state of the random
//! generator, to repeat the dropout of the first. So loss and gradient are computed over the whole batch and not over
//! its pieces.

use crate::adapters::lora::Pass;
use crate::architectures::encoder::{Text, Vectors};
use crate::architectures::packing::{self, by_length, within_budget};
use crate::architectures::pooling::unit_rows;
use crate::architectures::recompute::Way;
use crate::architectures::sizes::Sizes;
use crate::device::cuda_index;
use crate::losses::loss::VectorLoss;
use crate::training::ranks::Ranks;
use crate::{Result, shim};
use tch::{Device, Kind, Tensor};

/// Bytes that the graph of one piece may take on the CPU.
const CPU_GRAPH_BYTES: usize = 1 << 30;
/// Bytes that the graph of one piece may take on a GPU.
const GPU_GRAPH_BYTES: usize = 8 << 30;

/// The number of tokens that a piece may have. Until its gradient is computed, a layer keeps these values for each
/// token: about 14 vectors of hidden size, 3 vectors of inner size, and masks of a quarter of their size. (The 14 are
/// queries, keys and values, their inputs after dropout, and the sums before norms.) Each number takes 4 bytes.
/// `beside` is how many numbers a token keeps outside the layers.
pub fn token_budget(sizes: Sizes, device: Device, beside: usize) -> usize {
    let numbers = sizes.layers * (16 * sizes.hidden + 13 * sizes.intermediate / 4) + beside;
    let bytes = if device == Device::Cpu {
        CPU_GRAPH_BYTES
    } else {
        GPU_GRAPH_BYTES
    };
    (bytes / (4 * numbers).max(1)).max(1)
}

/// The settings for computing a batch.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// Most tokens of a piece.
    pub budget: usize,
    /// How the gradient is computed.
    pub way: Way,
    /// Among whom the texts are shared out.
    pub ranks: &'a Ranks,
}

/// Adds this rank's part of the gradient of the batch's mean loss to the trained parameters. `texts` are the texts
/// whose vectors the loss reads, in the order in which the loss reads them. Returns the loss, and the number of tokens
/// that this rank encoded. Only the leading rank returns the loss of the batch; the other ranks return 0.
///
/// Where there are several ranks, each of them encodes some of the texts. All vectors are gathered, so that every rank
/// computes the loss over all texts. A rank passes back only the gradient of its own texts. The sum over the ranks is
/// the whole gradient.
///
/// # Errors
/// If libtorch fails, or a rank has ended.
pub fn accumulate(
    encoder: &dyn Vectors,
    texts: &[Text<'_>],
    loss: &dyn VectorLoss,
    part: Part<'_>,
) -> Result<(f64, usize)> {
    let Part { budget, way, ranks } = part;
    let ready = |vectors: &Tensor| {
        if loss.reads_unit_vectors() {
            unit_rows(vectors)
        } else {
            Ok(vectors.shallow_clone())
        }
    };
    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
    let pieces_of = |portion: &[usize]| packing::pieces(&lengths, portion, budget);
    let portions = ranks.portions(&lengths);
    let own = ranks.own_portion(&lengths);
    let tokens = own.iter().map(|&i| lengths[i]).sum();
    let of = |piece: &[usize]| piece.iter().map(|&i| texts[i].clone()).collect::<Vec<_>>();
    // Every rank finds the same loss; it counts once.
    let counted = |loss: f64| if ranks.leads() { loss } else { 0.0 };
    if portions.iter().all(|portion| pieces_of(portion).len() <= 1) {
        let device = encoder.device();
        let whole = |own_vectors: Option<&Tensor>| -> Result<Tensor> {
            let own_vectors = own_vectors.map(&ready).transpose()?;
            loss.loss(&gathered(
                own_vectors.as_ref(),
                &own,
                texts.len(),
                encoder.dim(),
                device,
                ranks,
            )?)
        };
        let value = match own.is_empty() {
            true => whole(None)?.f_double_value(&[])?,
            false => encoder.backward(&of(&own), Pass::Train, way, &mut |vectors| {
                whole(Some(vectors))
            })?,
        };
        return Ok((counted(value), tokens));
    }
    let generator = cuda_index(encoder.device());
    let pieces = pieces_of(&own);

    let mut states = Vec::with_capacity(pieces.len());
    let mut parts = Vec::with_capacity(pieces.len());
    {
        let _no_grad = tch::no_grad_guard();
        for piece in &pieces {
            states.push(shim::generator_state(generator)?);
            parts.push(ready(&encoder.encode_texts(&of(piece), Pass::Train)?)?);
        }
    }
    let after = shim::generator_state(generator)?;

    let order: Vec<usize> = pieces.iter().flatten().copied().collect();
    let vectors = {
        let _no_grad = tch::no_grad_guard();
        let own_vectors = (!parts.is_empty())
            .then(|| Tensor::f_cat(&parts, 0))
            .transpose()?;
        gathered(
            own_vectors.as_ref(),
            &order,
            texts.len(),
            encoder.dim(),
            encoder.device(),
            ranks,
        )?
    };
    let vectors = vectors.f_set_requires_grad(true)?;
    let loss = loss.loss(&vectors)?;
    loss.f_backward()?;
    let gradient = vectors.f_grad()?; // [texts, hidden], in the order of the texts

    for (piece, state) in pieces.iter().zip(&states) {
        shim::set_generator_state(generator, state)?;
        let own = gradient.f_index_select(0, &rows(piece, encoder.device())?)?;
        // The gradient of this sum with respect to the vectors is exactly the cached one.
        encoder.backward(&of(piece), Pass::Train, way, &mut |vectors| {
            Ok(ready(vectors)?.f_mul(&own)?.f_sum(Kind::Float)?)
        })?;
    }
    shim::set_generator_state(generator, &after)?;
    Ok((counted(loss.f_double_value(&[])?), tokens))
}

fn rows(texts: &[usize], device: Device) -> Result<Tensor> {
    let rows: Vec<i64> = texts.iter().map(|&text| text as i64).collect();
    Ok(Tensor::f_from_slice(&rows)?.f_to_device(device)?)
}

/// The vectors of all texts, `[texts, hidden]` in fp32: the vectors of this rank (in the order of `own`) and of the
/// other ranks. A gradient is computed only for the vectors of this rank.
fn gathered(
    vectors: Option<&Tensor>,
    own: &[usize],
    texts: usize,
    hidden: usize,
    device: Device,
    ranks: &Ranks,
) -> Result<Tensor> {
    let place = rows(own, device)?;
    let empty = || Tensor::f_zeros([texts as i64, hidden as i64], (Kind::Float, device));
    let others = match ranks.several() {
        false => None,
        true => {
            let _no_grad = tch::no_grad_guard();
            let mut all = empty()?;
            if let Some(vectors) = vectors {
                all = all.f_index_copy(0, &place, &vectors.f_detach()?)?;
            }
            ranks.sum(&mut all)?;
            Some(all)
        }
    };
    let Some(vectors) = vectors else {
        return others.map_or_else(|| Ok(empty()?), Ok);
    };
    match others {
        Some(others) => Ok(others.f_index_copy(0, &place, vectors)?),
        None if own.is_sorted() => Ok(vectors.shallow_clone()),
        None => Ok(empty()?.f_index_copy(0, &place, vectors)?),
    }
}

/// Unit vectors of texts, computed without a gradient graph or dropout, in pieces that fit into memory: `[texts,
/// hidden]`. `go_on` is asked between two pieces; as soon as it returns false, the result is `None`.
pub fn vectors(
    encoder: &dyn Vectors,
    texts: &[Text<'_>],
    budget: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Tensor>> {
    let found = pooled_vectors(encoder, texts, budget, go_on)?;
    found.map(|vectors| unit_rows(&vectors)).transpose()
}

/// As [`vectors`], but not scaled to unit length.
pub(crate) fn pooled_vectors(
    encoder: &dyn Vectors,
    texts: &[Text<'_>],
    budget: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Tensor>> {
    let _no_grad = tch::no_grad_guard();
    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
    let pieces = within_budget(&by_length(&lengths), &lengths, budget);
    let mut place = vec![0i64; texts.len()];
    let mut parts = Vec::with_capacity(pieces.len());
    let mut row = 0;
    for piece in &pieces {
        if !go_on() {
            return Ok(None);
        }
        for &index in piece {
            place[index] = row;
            row += 1;
        }
        let texts: Vec<Text<'_>> = piece.iter().map(|&i| texts[i].clone()).collect();
        parts.push(encoder.encode_texts(&texts, Pass::Infer)?);
    }
    let place = Tensor::f_from_slice(&place)?.f_to_device(encoder.device())?;
    Ok(Some(Tensor::f_cat(&parts, 0)?.f_index_select(0, &place)?))
}
