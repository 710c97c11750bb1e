//! Batches without padding.
//!
//! The tokens of all texts of a batch form one long row, sorted by the texts' length. So every layer that treats tokens
//! one by one (all the large matrix products) does no work for padding. Only attention needs to know where texts begin.
//! Texts of equal length are next to each other as one group, which is a plain `[count, length]` rectangle. So
//! attention is exact and needs no mask.

use crate::{Error, Result};
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

/// A text that continues after the end of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// First token in the packed row.
    pub start: i64,
    /// Tokens.
    pub length: i64,
    /// Runs of tokens (start, length) that come before it, in order.
    pub before: Vec<(i64, i64)>,
}

/// A packed batch.
pub struct Packed {
    /// Token numbers of all texts, one after another: `[tokens]`.
    pub ids: Tensor,
    /// Position of each token within its text: `[tokens]`.
    pub positions: Tensor,
    /// Which part of a pair each token belongs to (0 or 1): `[tokens]`; `None` = all to the first.
    pub types: Option<Tensor>,
    /// Groups in order; with the branches they cover the row.
    pub groups: Vec<Group>,
    /// Texts that follow others, after the groups. Only causal attention can compute them.
    pub branches: Vec<Branch>,
}

/// A text of a batch in which several texts may begin alike: the shared beginning is computed once.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Its own tokens; not empty.
    pub ids: &'a [u32],
    /// The node that it follows, an earlier one of the batch.
    pub after: Option<usize>,
}

impl Packed {
    /// Packs texts that are sorted by length, shortest first (as [`by_length`] does).
    pub fn of(texts: &[&[u32]], device: Device) -> Result<Self> {
        debug_assert!(texts.is_sorted_by_key(|text| text.len()));
        let ids: Vec<i64> = texts
            .iter()
            .flat_map(|text| text.iter().map(|&id| i64::from(id)))
            .collect();
        let positions: Vec<i64> = texts.iter().flat_map(|text| 0..text.len() as i64).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut start = 0;
        for text in texts {
            let length = text.len() as i64;
            match groups.last_mut() {
                Some(group) if group.length == length => group.count += 1,
                _ => groups.push(Group {
                    start,
                    count: 1,
                    length,
                }),
            }
            start += length;
        }
        Ok(Self {
            ids: Tensor::f_from_slice(&ids)?.f_to_device(device)?,
            positions: Tensor::f_from_slice(&positions)?.f_to_device(device)?,
            types: None,
            groups,
            branches: Vec::new(),
        })
    }

    /// Packs texts in any order; each text is a node, and a node may continue another one. Also returns where in the
    /// row each node begins. A node that names a later node as its predecessor is treated as having no predecessor.
    pub fn tree(nodes: &[Node<'_>], device: Device) -> Result<(Self, Vec<i64>)> {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        // Roots first, by length, so that they make groups; the order of the branches is their own.
        let key = |&i: &usize| match nodes[i].after {
            Some(before) if before < i => (true, 0),
            _ => (false, nodes[i].ids.len()),
        };
        order.sort_by_key(key);
        let roots = order.iter().take_while(|i| !key(i).0).count();
        let texts: Vec<&[u32]> = order[..roots].iter().map(|&i| nodes[i].ids).collect();
        let root = Self::of(&texts, device)?;

        let mut starts = vec![0i64; nodes.len()];
        let mut chains: Vec<Vec<(i64, i64)>> = vec![Vec::new(); nodes.len()];
        let mut branches = Vec::with_capacity(nodes.len() - roots);
        let (mut ids, mut positions): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (place, &i) in order.iter().enumerate() {
            let length = nodes[i].ids.len() as i64;
            starts[i] = start;
            if place >= roots {
                let before = nodes[i]
                    .after
                    .map(|b| chains[b].clone())
                    .unwrap_or_default();
                let first: i64 = before.iter().map(|(_, length)| length).sum();
                ids.extend(nodes[i].ids.iter().map(|&id| i64::from(id)));
                positions.extend(first..first + length);
                chains[i].clone_from(&before);
                branches.push(Branch {
                    start,
                    length,
                    before,
                });
            }
            chains[i].push((start, length));
            start += length;
        }
        if branches.is_empty() {
            return Ok((root, starts));
        }
        let ids = Tensor::f_from_slice(&ids)?.f_to_device(device)?;
        let positions = Tensor::f_from_slice(&positions)?.f_to_device(device)?;
        let packed = Self {
            ids: Tensor::f_cat(&[&root.ids, &ids], 0)?,
            positions: Tensor::f_cat(&[&root.positions, &positions], 0)?,
            branches,
            ..root
        };
        Ok((packed, starts))
    }

    /// Checks that no texts of the batch share a beginning.
    ///
    /// # Errors
    /// If texts share a beginning: an encoder's tokens see the whole text, so nothing can be shared.
    pub(crate) fn without_branches(&self) -> Result<()> {
        match self.branches.is_empty() {
            true => Ok(()),
            false => Err(Error::Shim(
                "an encoder's tokens see the whole text; no beginning can be shared".into(),
            )),
        }
    }

    /// First token and length of each text, branches left out, in the order of packing.
    pub fn texts(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.groups.iter().flat_map(|group| {
            (0..group.count).map(move |number| (group.start + number * group.length, group.length))
        })
    }

    /// Tokens of the longest text, those before it included.
    pub fn longest(&self) -> i64 {
        let branch = |b: &Branch| b.length + b.before.iter().map(|(_, length)| length).sum::<i64>();
        self.groups
            .iter()
            .map(|g| g.length)
            .chain(self.branches.iter().map(branch))
            .max()
            .unwrap_or(0)
    }
}

/// Indices of texts in the order of their lengths, equal ones in their own order.
pub fn by_length(lengths: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| lengths[i]);
    order
}

/// Some of the texts with these lengths, short ones first, in runs of at most `budget` tokens each.
pub fn pieces(lengths: &[usize], some: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let own: Vec<usize> = some.iter().map(|&i| lengths[i]).collect();
    let order: Vec<usize> = by_length(&own).into_iter().map(|i| some[i]).collect();
    within_budget(&order, lengths, budget)
}

/// Cuts an order into runs of at most `budget` tokens each (a single longer text is a run of its own).
pub(crate) fn within_budget(order: &[usize], lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
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
        let group = |start, count, length| Group {
            start,
            count,
            length,
        };
        assert_eq!(
            packed.groups,
            [group(0, 2, 2), group(4, 1, 3), group(7, 1, 4)]
        );
        assert_eq!(
            Vec::<i64>::try_from(&packed.positions).unwrap(),
            [0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 3]
        );
        assert_eq!(
            Vec::<i64>::try_from(&packed.ids).unwrap(),
            (1..12).collect::<Vec<i64>>()
        );
    }

    #[test]
    fn a_text_that_follows_another_knows_what_comes_before_it() {
        let node = |ids, after| Node { ids, after };
        let nodes = [
            node(&[1, 2, 3], None),
            node(&[4], Some(0)),
            node(&[5, 6], None),
            node(&[7, 8], Some(1)),
        ];
        let (packed, starts) = Packed::tree(&nodes, Device::Cpu).unwrap();
        assert_eq!(starts, [2, 5, 0, 6]);
        assert_eq!(
            Vec::<i64>::try_from(&packed.ids).unwrap(),
            [5, 6, 1, 2, 3, 4, 7, 8]
        );
        assert_eq!(
            Vec::<i64>::try_from(&packed.positions).unwrap(),
            [0, 1, 0, 1, 2, 3, 4, 5]
        );
        assert_eq!(
            packed.branches,
            [
                Branch {
                    start: 5,
                    length: 1,
                    before: vec![(2, 3)]
                },
                Branch {
                    start: 6,
                    length: 2,
                    before: vec![(2, 3), (5, 1)]
                }
            ]
        );
        assert_eq!(packed.longest(), 6);
    }

    #[test]
    fn runs_keep_to_the_budget_and_lose_nothing() {
        let lengths = [5, 1, 9, 3, 3];
        let order = by_length(&lengths);
        assert_eq!(order, [1, 3, 4, 0, 2]);
        assert_eq!(
            within_budget(&order, &lengths, 7),
            [vec![1, 3, 4], vec![0], vec![2]]
        );
        assert_eq!(
            within_budget(&order, &lengths, 100),
            std::slice::from_ref(&order)
        );
        assert!(within_budget(&[], &[], 7).is_empty());
        assert_eq!(pieces(&lengths, &[4, 2, 1], 7), [vec![1, 4], vec![2]]);
    }
}
