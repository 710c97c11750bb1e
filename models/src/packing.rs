//! Batches without padding.
//!
//! The tokens of all texts of a batch stand in one long row, sorted by length, so that every layer
//! that treats tokens one by one (all the large matrix products) does no work for padding. Only
//! attention needs to know the texts: texts of equal length lie together as one group and are a
//! plain `[count, length]` rectangle, exact and without a mask.

use crate::Result;
use tch::{Device, Tensor};

/// Texts of one length that lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// First token in the packed row.
    pub start: i64,
    /// Texts.
    pub count: i64,
    /// Tokens of each.
    pub length: i64,
}

/// A packed batch.
pub struct Packed {
    /// Token numbers of all texts, one after another: `[tokens]`.
    pub ids: Tensor,
    /// Position of each token within its text: `[tokens]`.
    pub positions: Tensor,
    /// Groups in order; they cover the row.
    pub groups: Vec<Group>,
}

impl Packed {
    /// Packs texts whose lengths do not fall (as [`by_length`] orders them).
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn of(texts: &[&[u32]], device: Device) -> Result<Self> {
        debug_assert!(texts.is_sorted_by_key(|text| text.len()));
        let ids: Vec<i64> = texts.iter().flat_map(|text| text.iter().map(|&id| i64::from(id))).collect();
        let positions: Vec<i64> = texts.iter().flat_map(|text| 0..text.len() as i64).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut start = 0;
        for text in texts {
            let length = text.len() as i64;
            match groups.last_mut() {
                Some(group) if group.length == length => group.count += 1,
                _ => groups.push(Group { start, count: 1, length }),
            }
            start += length;
        }
        Ok(Self {
            ids: Tensor::f_from_slice(&ids)?.f_to_device(device)?,
            positions: Tensor::f_from_slice(&positions)?.f_to_device(device)?,
            groups,
        })
    }
}

/// Indices of texts in the order of their lengths, equal ones in their own order.
pub fn by_length(lengths: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| lengths[i]);
    order
}

/// Cuts an order into runs of at most `budget` tokens each (a single longer text is a run of its own).
pub fn within_budget(order: &[usize], lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut tokens = 0;
    for &index in order {
        match runs.last_mut() {
            Some(run) if tokens + lengths[index] <= budget => {
                tokens += lengths[index];
                run.push(index);
            }
            _ => {
                tokens = lengths[index];
                runs.push(vec![index]);
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lengths_are_one_group() {
        let texts: [&[u32]; 4] = [&[1, 2], &[3, 4], &[5, 6, 7], &[8, 9, 10, 11]];
        let packed = Packed::of(&texts, Device::Cpu).unwrap();
        let group = |start, count, length| Group { start, count, length };
        assert_eq!(packed.groups, [group(0, 2, 2), group(4, 1, 3), group(7, 1, 4)]);
        assert_eq!(Vec::<i64>::try_from(&packed.positions).unwrap(), [0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 3]);
        assert_eq!(Vec::<i64>::try_from(&packed.ids).unwrap(), (1..12).collect::<Vec<i64>>());
    }

    #[test]
    fn runs_keep_to_the_budget_and_lose_nothing() {
        let lengths = [5, 1, 9, 3, 3];
        let order = by_length(&lengths);
        assert_eq!(order, [1, 3, 4, 0, 2]);
        assert_eq!(within_budget(&order, &lengths, 7), [vec![1, 3, 4], vec![0], vec![2]]);
        assert_eq!(within_budget(&order, &lengths, 100), std::slice::from_ref(&order));
        assert!(within_budget(&[], &[], 7).is_empty());
    }
}
