//! Keys and values of several texts that are continued together.
//!
//! All texts end at the same place. A shorter text begins later, and a mask hides the empty places before it. All texts
//! get their next token in one computation; this is why they are padded to one length. [`Caches`] is used only for
//! writing answers.

use crate::Result;
use crate::architectures::packing::Packed;
use tch::{Device, Kind, Tensor};

/// Keys and values of texts, by layer.
#[derive(Debug)]
pub struct Caches {
    /// Keys and values `[texts, reserved tokens, key heads, head size]`.
    layers: Vec<(Tensor, Tensor)>,
    /// First place of each text.
    starts: Vec<i64>,
    /// Places in use.
    length: i64,
    room: i64,
}

impl Caches {
    /// Caches with memory for texts of these lengths and for this many more tokens.
    pub fn of(lengths: &[usize], more: usize) -> Self {
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let starts = lengths
            .iter()
            .map(|&length| (longest - length) as i64)
            .collect();
        Self {
            layers: Vec::new(),
            starts,
            length: longest as i64,
            room: (longest + more) as i64,
        }
    }

    /// Position of the next token of each text.
    pub fn positions(&self) -> Vec<i64> {
        self.starts
            .iter()
            .map(|start| self.length - start)
            .collect()
    }

    /// Texts in it.
    pub fn texts(&self) -> usize {
        self.starts.len()
    }

    /// Stores the keys and values `[tokens, key heads, head size]` of a layer for a packed batch of the texts.
    pub(crate) fn fill(&mut self, packed: &Packed, keys: &Tensor, values: &Tensor) -> Result<()> {
        let store = |from: &Tensor| -> Result<Tensor> {
            let (heads, size) = (from.size()[1], from.size()[2]);
            // Zeros, since what a mask hides is still multiplied (by nothing).
            let held = from.f_new_zeros(
                [self.texts() as i64, self.room, heads, size],
                (from.f_kind()?, from.device()),
            )?;
            let mut text = 0;
            for group in &packed.groups {
                let own = from.f_narrow(0, group.start, group.count * group.length)?;
                let own = own.f_view([group.count, group.length, heads, size])?;
                let place = held.f_narrow(0, text, group.count)?;
                place
                    .f_narrow(1, self.length - group.length, group.length)?
                    .f_copy_(&own)?;
                text += group.count;
            }
            Ok(held)
        };
        let layer = (store(keys)?, store(values)?);
        self.layers.push(layer);
        Ok(())
    }

    /// Adds one token for each text, `[texts, key heads, head size]`, to a layer, and returns the keys and values at
    /// all places in use, including the new ones. The length grows only with [`Caches::advance`].
    pub(crate) fn extend(
        &mut self,
        layer: usize,
        keys: &Tensor,
        values: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        let (held_keys, held_values) = &self.layers[layer];
        for (held, new) in [(held_keys, keys), (held_values, values)] {
            held.f_select(1, self.length)?.f_copy_(new)?;
        }
        let used = self.length + 1;
        Ok((
            held_keys.f_narrow(1, 0, used)?,
            held_values.f_narrow(1, 0, used)?,
        ))
    }

    /// A mask of the places that the new token of each text sees: `[texts, 1, 1, places]`. `None` = it sees all places.
    pub(crate) fn mask(&self, window: Option<i64>, device: Device) -> Result<Option<Tensor>> {
        let nearest = window.map_or(0, |window| (self.length + 1 - window).max(0));
        if nearest == 0 && self.starts.iter().all(|&start| start == 0) {
            return Ok(None);
        }
        let first: Vec<i64> = self
            .starts
            .iter()
            .map(|&start| start.max(nearest))
            .collect();
        let first = Tensor::f_from_slice(&first)?
            .f_to_device(device)?
            .f_view([-1, 1])?;
        let places = Tensor::f_arange(self.length + 1, (Kind::Int64, device))?.f_unsqueeze(0)?;
        Ok(Some(
            places.f_ge_tensor(&first)?.f_unsqueeze(1)?.f_unsqueeze(1)?,
        ))
    }

    /// Counts the token that every layer has taken in.
    pub(crate) fn advance(&mut self) {
        self.length += 1;
    }

    /// Keeps these texts, in this order, and drops the others.
    pub fn keep(&mut self, texts: &[usize]) -> Result<()> {
        let rows: Vec<i64> = texts.iter().map(|&text| text as i64).collect();
        let rows = Tensor::f_from_slice(&rows)?;
        for (keys, values) in &mut self.layers {
            let rows = rows.f_to_device(keys.device())?;
            (*keys, *values) = (
                keys.f_index_select(0, &rows)?,
                values.f_index_select(0, &rows)?,
            );
        }
        self.starts = texts.iter().map(|&text| self.starts[text]).collect();
        Ok(())
    }
}
