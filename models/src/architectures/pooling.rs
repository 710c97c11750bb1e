//! Token vectors to one vector a text.

use crate::Result;
use crate::architectures::packing::Packed;
use lexforge_domain::protocol::Pooling;
use std::ops::Range;
use tch::{Kind, Tensor};

/// One vector for each text, `[texts, hidden]`, from the packed token vectors `[tokens, hidden]`. The texts are in the
/// order of packing. A packed batch has no padding, so no padding is counted.
///
/// `ranges` are the tokens of each text that are pooled: all of them, those after an instruction, or those of a term.
/// At least one token of each text is pooled.
pub(crate) fn pool_ranges(
    hidden: &Tensor,
    packed: &Packed,
    pooling: Pooling,
    ranges: &[Range<usize>],
) -> Result<Tensor> {
    let lengths = packed
        .groups
        .iter()
        .flat_map(|group| (0..group.count).map(|_| group.length as usize));
    if lengths
        .zip(ranges)
        .all(|(length, range)| *range == (0..length))
    {
        return pool(hidden, packed, pooling);
    }
    let mut pooled = Vec::with_capacity(ranges.len());
    let mut ranges = ranges.iter();
    for group in &packed.groups {
        for number in 0..group.count {
            let whole = 0..group.length as usize;
            let range = ranges.next().unwrap_or(&whole);
            let first = (range.start as i64).min(group.length - 1);
            let past = (range.end as i64).clamp(first + 1, group.length);
            let start = group.start + number * group.length;
            let text = hidden.f_narrow(0, start + first, past - first)?;
            pooled.push(of_texts(&text.f_unsqueeze(0)?, first, pooling)?);
        }
    }
    Ok(Tensor::f_cat(&pooled, 0)?)
}

/// One vector for each text, as `pool_ranges` makes it, from all tokens of the text.
pub fn pool(hidden: &Tensor, packed: &Packed, pooling: Pooling) -> Result<Tensor> {
    let width = hidden.size()[1];
    let mut pooled = Vec::with_capacity(packed.groups.len());
    for group in &packed.groups {
        let texts = hidden.f_narrow(0, group.start, group.count * group.length)?;
        let texts = texts.f_view([group.count, group.length, width])?; // [texts, tokens, hidden]
        pooled.push(of_texts(&texts, 0, pooling)?);
    }
    Ok(Tensor::f_cat(&pooled, 0)?)
}

/// One vector each of texts `[texts, tokens, hidden]`, whose first token stands at this place of its text.
fn of_texts(texts: &Tensor, first: i64, pooling: Pooling) -> Result<Tensor> {
    let tokens = texts.size()[1];
    let over = [1i64];
    Ok(match pooling {
        Pooling::Mean => texts.f_mean_dim(over.as_slice(), false, Kind::Float)?,
        Pooling::Cls => texts.f_select(1, 0)?,
        Pooling::Last => texts.f_select(1, tokens - 1)?,
        Pooling::Max => texts.f_amax(over.as_slice(), false)?,
        Pooling::MeanSqrt => texts
            .f_sum_dim_intlist(over.as_slice(), false, Kind::Float)?
            .f_div_scalar((tokens as f64).sqrt())?,
        Pooling::WeightedMean => {
            let options = (Kind::Float, texts.device());
            let places = Tensor::f_arange_start(first + 1, first + tokens + 1, options)?;
            let shares = places.f_div(&places.f_sum(Kind::Float)?)?;
            texts
                .f_mul(&shares.f_view([1, tokens, 1])?)?
                .f_sum_dim_intlist(over.as_slice(), false, Kind::Float)?
        }
    })
}

/// Rows scaled to unit length; a zero row stays zero.
pub fn unit_rows(rows: &Tensor) -> Result<Tensor> {
    let norms = rows
        .f_norm_scalaropt_dim(2, [1i64].as_slice(), true)?
        .f_clamp_min(1e-12)?;
    Ok(rows.f_div(&norms)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tch::Device;

    #[test]
    fn each_pooling_sees_its_own_tokens_only() {
        let texts: [&[u32]; 2] = [&[0, 0], &[0, 0, 0]];
        let packed = Packed::of(&texts, Device::Cpu).unwrap();
        let hidden = Tensor::from_slice(&[1f32, 3.0, 4.0, 8.0, 9.0]).view([5, 1]);
        let check = |pooling, expected: [f32; 2]| {
            let pooled = pool(&hidden, &packed, pooling).unwrap();
            let found = Vec::<f32>::try_from(pooled.view([2])).unwrap();
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
            assert!(
                found.iter().zip(&expected).all(near),
                "{pooling:?}: {found:?}"
            );
        };
        check(Pooling::Mean, [2.0, 7.0]);
        check(Pooling::Cls, [1.0, 4.0]);
        check(Pooling::Last, [3.0, 9.0]);
        check(Pooling::Max, [3.0, 9.0]);
        check(Pooling::MeanSqrt, [4.0 / 2f32.sqrt(), 21.0 / 3f32.sqrt()]);
        check(Pooling::WeightedMean, [7.0 / 3.0, 47.0 / 6.0]);
    }

    #[test]
    fn only_the_tokens_asked_for_are_pooled() {
        let texts: [&[u32]; 3] = [&[0, 0], &[0, 0], &[0, 0, 0]];
        let packed = Packed::of(&texts, Device::Cpu).unwrap();
        let hidden = Tensor::from_slice(&[1f32, 3.0, 5.0, 9.0, 4.0, 8.0, 10.0]).view([7, 1]);
        let check = |pooling, ranges: [Range<usize>; 3], expected: [f32; 3]| {
            let pooled = pool_ranges(&hidden, &packed, pooling, &ranges).unwrap();
            assert_eq!(
                Vec::<f32>::try_from(pooled.view([3])).unwrap(),
                expected,
                "{pooling:?} {ranges:?}"
            );
        };
        check(Pooling::Mean, [0..2, 0..2, 0..3], [2.0, 7.0, 22.0 / 3.0]);
        check(Pooling::Mean, [0..2, 1..2, 1..3], [2.0, 9.0, 9.0]);
        check(Pooling::Mean, [7..9, 0..2, 2..3], [3.0, 7.0, 10.0]);
        check(Pooling::Mean, [0..1, 0..1, 1..2], [1.0, 5.0, 8.0]); // a term's tokens
        check(Pooling::Cls, [1..2, 0..2, 2..3], [3.0, 5.0, 10.0]);
        check(Pooling::Last, [1..2, 1..2, 1..3], [3.0, 9.0, 10.0]);
        check(Pooling::Last, [0..1, 0..2, 0..2], [1.0, 9.0, 8.0]);
        check(Pooling::Max, [0..1, 0..2, 0..2], [1.0, 9.0, 8.0]);
        // Tokens count by their places in the whole text.
        check(Pooling::WeightedMean, [0..1, 1..2, 1..3], [1.0, 9.0, 9.2]);
    }

    #[test]
    fn rows_get_unit_length_and_zero_stays_zero() {
        let rows = unit_rows(&Tensor::from_slice(&[3f32, 4.0, 0.0, 0.0]).view([2, 2])).unwrap();
        let values = Vec::<f32>::try_from(rows.view([4])).unwrap();
        assert!((values[0] - 0.6).abs() < 1e-6 && (values[1] - 0.8).abs() < 1e-6);
        assert_eq!(values[2..], [0.0, 0.0]);
    }
}
