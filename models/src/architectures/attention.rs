//! Attention of a packed batch: every text by itself, several texts of one length as a rectangle.

use crate::architectures::cache::Cache;
use crate::architectures::decoder::Attention;
use crate::architectures::packing::{Branch, Group, Packed};
use crate::shim::{self, StepCache};
use crate::{Error, Result};
use std::rc::Rc;
use tch::{Device, Kind, Tensor};

/// The part that one call of libtorch computes.
struct Block {
    /// First token in the packed row.
    start: i64,
    /// Texts.
    count: i64,
    /// Tokens of each.
    length: i64,
    /// Runs of tokens that come before it.
    before: Vec<(i64, i64)>,
    /// `[length, tokens before + length]`, true where a token is seen; `None` if a rule says it.
    mask: Option<Tensor>,
    /// Each token sees itself and those before it.
    causal: bool,
}

/// How the tokens of a batch see each other in layers of one window; made once a batch.
pub struct Plan(Vec<Block>);

impl Plan {
    /// The attention pattern of a packed batch.
    ///
    /// # Errors
    /// If the batch has branches and the attention is bidirectional. The tokens before a branch would have to see
    /// the branch, so they could not be shared between branches.
    pub fn of(
        packed: &Packed,
        attention: Attention,
        window: Option<i64>,
        device: Device,
    ) -> Result<Self> {
        if attention == Attention::Bidirectional && !packed.branches.is_empty() {
            return Err(Error::Shim(
                "a shared beginning cannot be computed with bidirectional attention".into(),
            ));
        }
        let mut blocks = Vec::with_capacity(packed.groups.len() + packed.branches.len());
        for group in &packed.groups {
            let narrow = window.filter(|&window| group.length > window);
            let mask = narrow
                .map(|window| mask(group.length, 0, Some(window), attention, device))
                .transpose()?;
            blocks.push(Block {
                start: group.start,
                count: group.count,
                length: group.length,
                before: Vec::new(),
                causal: mask.is_none() && attention == Attention::Causal,
                mask,
            });
        }
        for Branch {
            start,
            length,
            before,
        } in &packed.branches
        {
            let past = before.iter().map(|(_, length)| length).sum();
            blocks.push(Block {
                start: *start,
                count: 1,
                length: *length,
                before: before.clone(),
                mask: following(*length, past, window, device)?,
                causal: false,
            });
        }
        Ok(Self(blocks))
    }

    /// The output of attention over all tokens, `[tokens, heads × head size]`. It is computed from queries `[tokens,
    /// heads, head size]` and keys and values `[tokens, key heads, head size]`.
    pub fn attend(&self, query: &Tensor, key: &Tensor, value: &Tensor) -> Result<Tensor> {
        let mut parts = Vec::with_capacity(self.0.len());
        for block in &self.0 {
            let own = |x: &Tensor| x.f_narrow(0, block.start, block.count * block.length);
            let whole = |x: &Tensor| -> Result<Tensor> {
                if block.before.is_empty() {
                    return Ok(own(x)?);
                }
                let mut runs = Vec::with_capacity(block.before.len() + 1);
                for &(start, length) in &block.before {
                    runs.push(x.f_narrow(0, start, length)?);
                }
                runs.push(own(x)?);
                Ok(Tensor::f_cat(&runs, 0)?)
            };
            let mask = block.mask.as_ref();
            parts.push(mix(
                &own(query)?,
                &whole(key)?,
                &whole(value)?,
                block.count,
                mask,
                block.causal,
            )?);
        }
        match parts.as_slice() {
            [only] => Ok(only.shallow_clone()),
            _ => Ok(Tensor::f_cat(&parts, 0)?),
        }
    }
}

/// The texts of an encoder's batch, and what their scores are made with.
pub struct Groups {
    /// Texts of one length.
    pub groups: Vec<Group>,
    /// The biases that are added to the scores of each group: `[1, heads, length, length]`.
    pub biases: Option<Rc<[Tensor]>>,
    /// The factor of the scores; `None` = one divided by the root of the head size.
    pub scale: Option<f64>,
}

/// The output of attention over texts in which all tokens see each other, `[tokens, heads × head size]`. Queries, keys
/// and values have the same shape.
pub(crate) fn attend_within(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    heads: i64,
    groups: &Groups,
) -> Result<Tensor> {
    let width = query.size()[1];
    let mut parts = Vec::with_capacity(groups.groups.len());
    for (number, group) in groups.groups.iter().enumerate() {
        let tokens = group.count * group.length;
        // [texts, heads, tokens, head size]
        let split = |x: &Tensor| -> Result<Tensor> {
            let texts = x.f_narrow(0, group.start, tokens)?;
            Ok(texts
                .f_view([group.count, group.length, heads, width / heads])?
                .f_transpose(1, 2)?)
        };
        let mixed = Tensor::f_scaled_dot_product_attention(
            &split(query)?,
            &split(key)?,
            &split(value)?,
            groups.biases.as_ref().map(|biases| &biases[number]),
            0.0,
            false,
            groups.scale,
            false,
        )?;
        parts.push(mixed.f_transpose(1, 2)?.f_reshape([tokens, width])?);
    }
    match parts.as_slice() {
        [only] => Ok(only.shallow_clone()),
        _ => Ok(Tensor::f_cat(&parts, 0)?),
    }
}

/// The output of attention for new tokens, `[new, heads × head size]`. The keys and values `[all, key heads, head
/// size]` contain the earlier tokens first and then the new ones.
pub(crate) fn attend_after(
    query: &Tensor,
    keys: &Tensor,
    values: &Tensor,
    window: Option<i64>,
) -> Result<Tensor> {
    let (new, all) = (query.size()[0], keys.size()[0]);
    // Earlier tokens that no new token sees are left out beforehand.
    let first = window.map_or(0, |window| (all - new + 1 - window).max(0));
    let seen = all - first;
    let (keys, values) = (
        keys.f_narrow(0, first, seen)?,
        values.f_narrow(0, first, seen)?,
    );
    let mask = following(new, seen - new, window, query.device())?;
    mix(query, &keys, &values, 1, mask.as_ref(), false)
}

/// The output of attention for one new token of each text, `[texts, heads × head size]`. It is computed from queries
/// `[texts, heads, head size]` and keys and values `[texts, all, key heads, head size]`. The mask `[texts, 1, 1, all]`
/// says which tokens each new token sees.
pub(crate) fn attend_each(
    query: &Tensor,
    keys: &Tensor,
    values: &Tensor,
    mask: Option<&Tensor>,
) -> Result<Tensor> {
    let size = query.size();
    let grouped = size[1] != keys.size()[2];
    let mixed = Tensor::f_scaled_dot_product_attention(
        &query.f_unsqueeze(2)?, // [texts, heads, 1, head size]
        &keys.f_transpose(1, 2)?,
        &values.f_transpose(1, 2)?,
        mask,
        0.0,
        false,
        None,
        grouped,
    )?;
    Ok(mixed.f_reshape([size[0], size[1] * size[2]])?)
}

/// The output of attention for one new token of each text over the cache of that text, `[texts, heads × head size]`.
/// The token's key and value `[texts, key heads, head size]` are added to the cache, which must have space for them
/// (`Cache::reserve`).
pub(crate) fn attend_own(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    layer: usize,
    caches: &mut [&mut Cache],
    window: Option<i64>,
) -> Result<Tensor> {
    if query.device() == Device::Cpu && query.f_kind()? == Kind::Float {
        let mut all = Vec::with_capacity(caches.len());
        for cache in caches.iter() {
            let held = cache
                .layer(layer)
                .ok_or_else(|| Error::Shim("a text's cache is empty".into()))?;
            let length = cache.length();
            let first = window.map_or(0, |window| (length + 1 - window).max(0));
            all.push(StepCache {
                keys: &held.0,
                values: &held.1,
                first,
                length,
            });
        }
        return shim::attend_step(query, key, value, &all);
    }
    let mut mixed = Vec::with_capacity(caches.len());
    for (text, cache) in caches.iter_mut().enumerate() {
        let own = |x: &Tensor| x.f_narrow(0, text as i64, 1);
        let (keys, values) = cache.extend(layer, &own(key)?, &own(value)?)?;
        mixed.push(attend_after(&own(query)?, &keys, &values, window)?);
    }
    Ok(Tensor::f_cat(&mixed, 0)?)
}

/// The mask of tokens that follow others; `None` if they see everything.
fn following(
    length: i64,
    past: i64,
    window: Option<i64>,
    device: Device,
) -> Result<Option<Tensor>> {
    let narrow = window.is_some_and(|window| past + length > window);
    if length == 1 && !narrow {
        return Ok(None);
    }
    mask(length, past, window, Attention::Causal, device).map(Some)
}

/// Which keys `[past + length]` each of the last `length` tokens sees.
fn mask(
    length: i64,
    past: i64,
    window: Option<i64>,
    attention: Attention,
    device: Device,
) -> Result<Tensor> {
    let whole = (Kind::Int64, device);
    let queries = Tensor::f_arange_start(past, past + length, whole)?.f_unsqueeze(1)?;
    let keys = Tensor::f_arange(past + length, whole)?.f_unsqueeze(0)?;
    let distance = queries.f_sub(&keys)?; // [length, past + length], positive to the left
    let window = window.unwrap_or(i64::MAX);
    Ok(match attention {
        Attention::Causal => distance.f_ge(0)?.f_logical_and(&distance.f_lt(window)?)?,
        Attention::Bidirectional => distance.f_abs()?.f_lt(window)?,
    })
}

fn mix(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    count: i64,
    mask: Option<&Tensor>,
    causal: bool,
) -> Result<Tensor> {
    // [texts, heads, tokens, head size]
    let heads = |x: &Tensor| -> Result<Tensor> {
        let size = x.size();
        Ok(x.f_reshape([count, size[0] / count, size[1], size[2]])?
            .f_transpose(1, 2)?)
    };
    let size = query.size();
    let grouped = size[1] != key.size()[1];
    let mixed = Tensor::f_scaled_dot_product_attention(
        &heads(query)?,
        &heads(key)?,
        &heads(value)?,
        mask,
        0.0,
        causal,
        None,
        grouped,
    )?;
    Ok(mixed
        .f_transpose(1, 2)?
        .f_reshape([size[0], size[1] * size[2]])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_show_what_each_token_sees() {
        let check = |length, past, window, attention, expected: &[&str]| {
            let mask = mask(length, past, window, attention, Device::Cpu).unwrap();
            let rows: Vec<Vec<bool>> = Vec::try_from(mask).unwrap();
            let drawn: Vec<String> = rows
                .iter()
                .map(|row| {
                    row.iter()
                        .map(|&seen| if seen { 'x' } else { '.' })
                        .collect()
                })
                .collect();
            assert_eq!(drawn, expected);
        };
        check(3, 0, None, Attention::Causal, &["x..", "xx.", "xxx"]);
        check(
            4,
            0,
            Some(2),
            Attention::Causal,
            &["x...", "xx..", ".xx.", "..xx"],
        );
        check(2, 2, None, Attention::Causal, &["xxx.", "xxxx"]);
        check(2, 2, Some(3), Attention::Causal, &["xxx.", ".xxx"]);
        check(
            4,
            0,
            Some(2),
            Attention::Bidirectional,
            &["xx..", "xxx.", ".xxx", "..xx"],
        );
    }
}
