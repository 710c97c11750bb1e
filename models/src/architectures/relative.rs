//! Positions as distances between two tokens, and the attention biases that depend on them.
//!
//! Distances are put into buckets with the same operations as in Transformers, in fp32. So a distance on the border
//! between two buckets falls into the same bucket as in Transformers.

use crate::Result;
use crate::architectures::attention::Groups;
use crate::architectures::packing::Group;
use std::rc::Rc;
use tch::{Device, Kind, Tensor};

/// How far to the right of each query each key is: `[length, length]`, queries in rows.
pub fn distances(length: i64, device: Device) -> Result<Tensor> {
    let places = Tensor::f_arange(length, (Kind::Int64, device))?;
    Ok(places.f_unsqueeze(0)?.f_sub(&places.f_unsqueeze(1)?)?)
}

/// T5's buckets (Raffel et al. 2020): half of them for each direction. The first buckets hold one distance each. Later
/// buckets hold wider and wider ranges up to `farthest`.
pub(crate) fn widening(distances: &Tensor, buckets: i64, farthest: i64) -> Result<Tensor> {
    let half = buckets / 2;
    let single = half / 2;
    let right = distances.f_gt(0)?.f_to_kind(Kind::Int64)?;
    let far = distances.f_abs()?;
    let scale = (farthest as f64 / single as f64).ln();
    let wide = far
        .f_to_kind(Kind::Float)?
        .f_div_scalar(single)?
        .f_log()?
        .f_div_scalar(scale)?
        .f_mul_scalar(half - single)?
        .f_to_kind(Kind::Int64)?
        .f_add_scalar(single)?
        .f_clamp_max(half - 1)?;
    let own = far.f_where_self(&far.f_lt(single)?, &wide)?;
    Ok(own.f_add(&right.f_mul_scalar(half)?)?)
}

/// DeBERTa's buckets (He et al. 2021): distances up to half of `buckets` have a bucket each; larger ones are grouped by
/// their logarithm up to `farthest`. With 0 buckets distances are unchanged.
pub(crate) fn logarithmic(distances: &Tensor, buckets: i64, farthest: i64) -> Result<Tensor> {
    if buckets <= 0 || farthest <= 0 {
        return Ok(distances.shallow_clone());
    }
    let middle = buckets / 2;
    let far = distances.f_abs()?;
    // For near distances a harmless number is computed, which is not used.
    let near = far.f_lt(middle)?;
    let far_enough = far.f_masked_fill(&near, middle - 1)?;
    let device = distances.device();
    let whole = Tensor::f_from_slice(&[((farthest - 1) as f64 / middle as f64) as f32])?
        .f_to_device(device)?
        .f_log()?;
    let logarithm = far_enough
        .f_to_kind(Kind::Float)?
        .f_div_scalar(middle)?
        .f_log()?
        .f_div(&whole)?
        .f_mul_scalar(middle - 1)?
        .f_ceil()?
        .f_add_scalar(middle)?
        .f_mul(&distances.f_sign()?)?;
    let kept = distances.f_to_kind(Kind::Float)?;
    Ok(kept
        .f_where_self(&far.f_le(middle)?, &logarithm)?
        .f_to_kind(Kind::Int64)?)
}

/// Biases by distance that all layers of a model share (T5, MPNet).
pub struct SharedBias {
    /// `[buckets, heads]`.
    pub table: Tensor,
    /// Buckets that distances are put into.
    pub buckets: i64,
    /// Distance from which on all are alike.
    pub farthest: i64,
}

impl SharedBias {
    /// The biases that are added to the attention scores of each group's texts: `[1, heads, length, length]`.
    pub(crate) fn of_groups(&self, groups: &[Group]) -> Result<Rc<[Tensor]>> {
        let of = |group: &Group| -> Result<Tensor> {
            let distances = distances(group.length, self.table.device())?;
            let buckets = widening(&distances, self.buckets, self.farthest)?;
            let biases = Tensor::f_embedding(&self.table, &buckets, -1, false, false)?;
            Ok(biases
                .f_permute([2, 0, 1])?
                .f_unsqueeze(0)?
                .f_contiguous()?)
        };
        groups.iter().map(of).collect()
    }
}

/// The groups of texts, with the biases by distance for one layer. If the biases are trained, they are computed again
/// for each layer, so that the layer's gradient can be computed separately.
pub(crate) fn for_layer(biases: Option<&SharedBias>, groups: &Rc<Groups>) -> Result<Rc<Groups>> {
    match biases.filter(|biases| biases.table.requires_grad()) {
        None => Ok(Rc::clone(groups)),
        Some(biases) => Ok(Rc::new(Groups {
            groups: groups.groups.clone(),
            biases: Some(biases.of_groups(&groups.groups)?),
            scale: groups.scale,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(buckets: &Tensor) -> Vec<i64> {
        Vec::try_from(buckets.f_contiguous().unwrap()).unwrap()
    }

    #[test]
    fn near_distances_have_buckets_of_their_own_and_far_ones_share() {
        let at = Tensor::from_slice(&[0i64, 1, -1, 7, 8, 15, 16, -16, 100, 127, 128, -5000]);
        assert_eq!(
            row(&widening(&at, 32, 128).unwrap()),
            [0, 17, 1, 23, 24, 25, 26, 10, 31, 31, 31, 15]
        );
    }

    #[test]
    fn distances_are_kept_up_to_half_of_the_buckets() {
        let at = Tensor::from_slice(&[0i64, 3, -3, 4, 5, -5, 15, 30, -200]);
        assert_eq!(row(&logarithmic(&at, 0, 16).unwrap()), row(&at));
        let found = row(&logarithmic(&at, 8, 16).unwrap());
        assert_eq!(found[..4], [0, 3, -3, 4]);
        assert_eq!((found[4], found[5], found[6]), (5, -5, 7));
    }

    #[test]
    fn distances_are_those_of_keys_from_queries() {
        let found = distances(3, Device::Cpu).unwrap();
        assert_eq!(row(&found.view([9])), [0, 1, 2, -1, 0, 1, -2, -1, 0]);
    }
}
