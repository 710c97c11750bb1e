//! One batch forward and backward, in pieces that fit into memory.
//!
//! Where the batch is larger than the budget the gradient is computed as in GradCache (Gao et al.
//! 2021): all texts are encoded without a graph, the loss gives the gradient of every vector, and each
//! piece is encoded once more with its graph to carry that gradient on. The second encoding replays
//! the first one's dropout by its generator state, so that loss and gradient are those of the whole
//! batch, not of its pieces.

use crate::architecture::Sizes;
use crate::device::cuda_index;
use crate::encoder::{Text, Vectors};
use crate::lora::Pass;
use crate::loss::VectorLoss;
use crate::packing::{by_length, within_budget};
use crate::pooling::unit_rows;
use crate::recompute::Way;
use crate::{Result, shim};
use tch::{Device, Kind, Tensor};

/// Bytes that the graph of one piece may take on the CPU.
const CPU_GRAPH_BYTES: usize = 1 << 30;
/// The same on a GPU.
const GPU_GRAPH_BYTES: usize = 8 << 30;

/// How many tokens a piece may have. A token of a layer keeps about 14 hidden vectors (the queries,
/// keys and values, their dropped-out inputs, sums before norms), 3 inner ones and a quarter of that
/// in masks, 4 bytes a number; `beside` are numbers that a token keeps outside the layers.
pub fn token_budget(sizes: Sizes, device: Device, beside: usize) -> usize {
    let numbers = sizes.layers * (16 * sizes.hidden + 13 * sizes.intermediate / 4) + beside;
    let bytes = if device == Device::Cpu { CPU_GRAPH_BYTES } else { GPU_GRAPH_BYTES };
    (bytes / (4 * numbers).max(1)).max(1)
}

/// Adds the gradient of the batch's mean loss to the trained parameters and gives the loss.
/// `texts` are those whose vectors the loss reads, in its order.
///
/// # Errors
/// Where libtorch refuses.
pub fn accumulate(
    encoder: &dyn Vectors,
    texts: &[Text<'_>],
    loss: &dyn VectorLoss,
    budget: usize,
    way: Way,
) -> Result<f64> {
    let ready =
        |vectors: &Tensor| if loss.reads_unit_vectors() { unit_rows(vectors) } else { Ok(vectors.shallow_clone()) };
    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
    let pieces = within_budget(&by_length(&lengths), &lengths, budget);
    if pieces.len() == 1 {
        return encoder.backward(texts, Pass::Train, way, &mut |vectors| loss.loss(&ready(vectors)?));
    }
    let generator = cuda_index(encoder.device());
    let of = |piece: &[usize]| piece.iter().map(|&i| texts[i].clone()).collect::<Vec<_>>();

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

    // The vectors stand in the order of the pieces; the comparison asks for that of the texts.
    let mut place = vec![0i64; texts.len()];
    for (row, &index) in pieces.iter().flatten().enumerate() {
        place[index] = row as i64;
    }
    let place = Tensor::f_from_slice(&place)?.f_to_device(encoder.device())?;
    let vectors = Tensor::f_cat(&parts, 0)?.f_set_requires_grad(true)?;
    let loss = loss.loss(&vectors.f_index_select(0, &place)?)?;
    loss.f_backward()?;
    let gradient = vectors.f_grad()?; // [texts, hidden], in the order of the pieces

    let mut row = 0;
    for (piece, state) in pieces.iter().zip(&states) {
        shim::set_generator_state(generator, state)?;
        let count = piece.len() as i64;
        // The gradient of this sum with respect to the vectors is exactly the cached one.
        encoder.backward(&of(piece), Pass::Train, way, &mut |vectors| {
            Ok(ready(vectors)?.f_mul(&gradient.f_narrow(0, row, count)?)?.f_sum(Kind::Float)?)
        })?;
        row += count;
    }
    shim::set_generator_state(generator, &after)?;
    Ok(loss.f_double_value(&[])?)
}

/// Unit vectors of texts without a graph or dropout, in pieces that fit into memory: `[texts, hidden]`.
/// `None` as soon as `go_on` says no between two pieces.
///
/// # Errors
/// Where libtorch refuses.
pub fn vectors(
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
        parts.push(unit_rows(&encoder.encode_texts(&texts, Pass::Infer)?)?);
    }
    let place = Tensor::f_from_slice(&place)?.f_to_device(encoder.device())?;
    Ok(Some(Tensor::f_cat(&parts, 0)?.f_index_select(0, &place)?))
}
