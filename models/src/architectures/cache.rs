//! Keys and values of tokens already read, so that the next token costs one token.

use crate::Result;
use tch::{Kind, Tensor};

/// The least number of tokens by which the reserved memory grows.
const ROOM: i64 = 64;

/// Keys and values of one text, by layer.
#[derive(Debug, Default)]
pub struct Cache {
    /// Keys and values `[reserved tokens, key heads, head size]`.
    layers: Vec<(Tensor, Tensor)>,
    length: i64,
}

impl Cache {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tokens in it.
    pub fn length(&self) -> i64 {
        self.length
    }

    /// Forgets all tokens from this one on.
    pub fn cut(&mut self, length: i64) {
        self.length = self.length.min(length.max(0));
    }

    /// Adds the keys and values `[new, key heads, head size]` of a layer and returns all keys and values that the layer
    /// now has. The cache's length grows only with [`Cache::advance`], after the last layer.
    pub(crate) fn extend(
        &mut self,
        layer: usize,
        keys: &Tensor,
        values: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        let new = keys.size()[0];
        let total = self.length + new;
        if self.layers.len() == layer {
            let room = |like: &Tensor| {
                like.f_new_empty(sizes(like, total + ROOM), (like.f_kind()?, like.device()))
            };
            self.layers.push((room(keys)?, room(values)?));
        }
        let (held_keys, held_values) = &mut self.layers[layer];
        for (held, added) in [(&mut *held_keys, keys), (&mut *held_values, values)] {
            grow(held, self.length, total)?;
            held.f_narrow(0, self.length, new)?.f_copy_(added)?;
        }
        Ok((
            held_keys.f_narrow(0, 0, total)?,
            held_values.f_narrow(0, 0, total)?,
        ))
    }

    /// Reserves memory for `more` tokens in every layer, so that they can be added without a check.
    pub(crate) fn reserve(&mut self, more: i64) -> Result<()> {
        let total = self.length + more;
        for (keys, values) in &mut self.layers {
            for held in [keys, values] {
                grow(held, self.length, total)?;
            }
        }
        Ok(())
    }

    /// Keys and values of a layer, `[reserved tokens, key heads, head size]`; the first [`Cache::length`] of them are
    /// used.
    pub(crate) fn layer(&self, layer: usize) -> Option<&(Tensor, Tensor)> {
        self.layers.get(layer)
    }

    /// Counts tokens that every layer has taken in.
    pub(crate) fn advance(&mut self, tokens: i64) {
        self.length += tokens;
    }
}

/// Enlarges a tensor to this many rows if it has fewer, and keeps the first `kept` rows.
fn grow(held: &mut Tensor, kept: i64, rows: i64) -> Result<()> {
    if held.size()[0] >= rows {
        return Ok(());
    }
    let kind: Kind = held.f_kind()?;
    let larger = held.f_new_empty(sizes(held, 2 * rows + ROOM), (kind, held.device()))?;
    larger
        .f_narrow(0, 0, kept)?
        .f_copy_(&held.f_narrow(0, 0, kept)?)?;
    *held = larger;
    Ok(())
}

fn sizes(like: &Tensor, rows: i64) -> Vec<i64> {
    let mut size = like.size();
    size[0] = rows;
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out_however_often_the_room_grows() {
        let mut cache = Cache::new();
        let rows: Vec<f32> = (0..300).map(|n| n as f32).collect();
        let all = Tensor::from_slice(&rows).view([300, 1, 1]);
        let mut start = 0;
        for count in [3, 1, 1, 90, 5, 200] {
            let part = all.narrow(0, start, count);
            for layer in 0..2 {
                let (keys, values) = cache.extend(layer, &part, &(&part * 2)).unwrap();
                assert_eq!(keys, all.narrow(0, 0, start + count));
                assert_eq!(values, all.narrow(0, 0, start + count) * 2);
            }
            cache.advance(count);
            start += count;
        }
        cache.cut(7);
        let (keys, _) = cache
            .extend(0, &all.narrow(0, 0, 1), &all.narrow(0, 0, 1))
            .unwrap();
        assert_eq!((keys.size()[0], cache.length()), (8, 7));
    }
}
