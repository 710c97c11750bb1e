//! Token vectors to one vector a text.

use crate::Result;
use crate::packing::Packed;
use lexforge_domain::protocol::Pooling;
use tch::{Kind, Tensor};

/// One vector a text from the packed token vectors `[tokens, hidden]`: `[texts, hidden]`, in the order
/// of packing. There is no padding in a packed batch, so none can be counted.
///
/// The first `skips` tokens of a text (those of an instruction) were read and are not pooled; no number
/// for a text = none are skipped. A text always keeps its last token.
///
/// # Errors
/// Where libtorch refuses.
pub fn pool_after(hidden: &Tensor, packed: &Packed, pooling: Pooling, skips: &[i64]) -> Result<Tensor> {
    if pooling == Pooling::Last || skips.iter().all(|&skip| skip <= 0) {
        return pool(hidden, packed, pooling);
    }
    let mut pooled = Vec::with_capacity(packed.groups.len());
    let mut text = 0;
    for group in &packed.groups {
        for number in 0..group.count {
            let skip = skips.get(text).copied().unwrap_or(0).clamp(0, group.length - 1);
            let start = group.start + number * group.length + skip;
            let kept = if pooling == Pooling::Cls { 1 } else { group.length - skip };
            pooled.push(hidden.f_narrow(0, start, kept)?.f_mean_dim([0i64].as_slice(), true, Kind::Float)?);
            text += 1;
        }
    }
    Ok(Tensor::f_cat(&pooled, 0)?)
}

/// The same of all tokens.
///
/// # Errors
/// Where libtorch refuses.
pub fn pool(hidden: &Tensor, packed: &Packed, pooling: Pooling) -> Result<Tensor> {
    let width = hidden.size()[1];
    let mut pooled = Vec::with_capacity(packed.groups.len());
    for group in &packed.groups {
        let texts = hidden.f_narrow(0, group.start, group.count * group.length)?;
        let texts = texts.f_view([group.count, group.length, width])?; // [texts, tokens, hidden]
        pooled.push(match pooling {
            Pooling::Mean => texts.f_mean_dim([1i64].as_slice(), false, Kind::Float)?,
            Pooling::Cls => texts.f_select(1, 0)?,
            Pooling::Last => texts.f_select(1, group.length - 1)?,
        });
    }
    Ok(Tensor::f_cat(&pooled, 0)?)
}

/// Rows scaled to unit length; a zero row stays zero.
///
/// # Errors
/// Where libtorch refuses.
pub fn unit_rows(rows: &Tensor) -> Result<Tensor> {
    let norms = rows.f_norm_scalaropt_dim(2, [1i64].as_slice(), true)?.f_clamp_min(1e-12)?;
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
            assert_eq!(Vec::<f32>::try_from(pooled.view([2])).unwrap(), expected);
        };
        check(Pooling::Mean, [2.0, 7.0]);
        check(Pooling::Cls, [1.0, 4.0]);
        check(Pooling::Last, [3.0, 9.0]);
    }

    #[test]
    fn an_instruction_is_left_out() {
        let texts: [&[u32]; 3] = [&[0, 0], &[0, 0], &[0, 0, 0]];
        let packed = Packed::of(&texts, Device::Cpu).unwrap();
        let hidden = Tensor::from_slice(&[1f32, 3.0, 5.0, 9.0, 4.0, 8.0, 10.0]).view([7, 1]);
        let check = |pooling, skips: &[i64], expected: [f32; 3]| {
            let pooled = pool_after(&hidden, &packed, pooling, skips).unwrap();
            assert_eq!(Vec::<f32>::try_from(pooled.view([3])).unwrap(), expected, "{pooling:?} {skips:?}");
        };
        check(Pooling::Mean, &[], [2.0, 7.0, 22.0 / 3.0]);
        check(Pooling::Mean, &[0, 1, 1], [2.0, 9.0, 9.0]);
        check(Pooling::Mean, &[7, 0, 2], [3.0, 7.0, 10.0]);
        check(Pooling::Cls, &[1, 0, 2], [3.0, 5.0, 10.0]);
        check(Pooling::Last, &[1, 1, 1], [3.0, 9.0, 10.0]);
    }

    #[test]
    fn rows_get_unit_length_and_zero_stays_zero() {
        let rows = unit_rows(&Tensor::from_slice(&[3f32, 4.0, 0.0, 0.0]).view([2, 2])).unwrap();
        let values = Vec::<f32>::try_from(rows.view([4])).unwrap();
        assert!((values[0] - 0.6).abs() < 1e-6 && (values[1] - 0.8).abs() < 1e-6);
        assert_eq!(values[2..], [0.0, 0.0]);
    }
}
