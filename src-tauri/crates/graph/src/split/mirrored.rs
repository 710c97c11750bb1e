//! Joins units that are mostly the same into one unit and one cluster, for example versions of an article, or acts that
//! repeat each other. A few common sentences are not enough. A unit joins a group only if it is mostly the same as
//! every member. Otherwise a chain of similar units could join two units that are quite different.

use crate::near::NearPair;
use std::collections::{HashMap, HashSet};

/// For each unit the first unit of its group of mirrored units. A unit that mirrors no other unit is its own first.
///
/// Two units mirror each other if more than half of the sentences of each have a near-duplicate in the other.
pub(super) fn joined(unit_of: &[usize], pairs: &[NearPair]) -> Vec<usize> {
    let units = unit_of.iter().max().map_or(0, |most| most + 1);
    let mut size = vec![0u32; units];
    unit_of.iter().for_each(|unit| size[*unit] += 1);
    let most_of_both = |u: usize, v: usize, shared: u32| 2 * shared > size[u].max(size[v]);
    // (sentence, unit that has its like), each once.
    let mut likes: Vec<(usize, usize)> = pairs
        .iter()
        .map(|pair| (pair.a, pair.b, unit_of[pair.a], unit_of[pair.b]))
        .filter(|(_, _, u, v)| u != v && most_of_both(*u, *v, size[*u].min(size[*v])))
        .flat_map(|(a, b, u, v)| [(a, v), (b, u)])
        .collect();
    likes.sort_unstable();
    likes.dedup();
    let mut shared: HashMap<(usize, usize), u32> = HashMap::new();
    for (row, other) in likes {
        *shared.entry((unit_of[row], other)).or_default() += 1;
    }
    let mut mirrors: Vec<(u32, usize, usize)> = shared
        .iter()
        .filter(|((u, v), _)| u < v)
        .filter_map(|(&(u, v), &there)| {
            let both = there.min(shared.get(&(v, u)).copied().unwrap_or(0));
            // The nearest first, in thousandths, so that the order is the same everywhere.
            most_of_both(u, v, both).then(|| (1000 * both / size[u].max(size[v]), u, v))
        })
        .collect();
    mirrors.sort_unstable_by_key(|&(near, u, v)| (std::cmp::Reverse(near), u, v));
    let known: HashSet<(usize, usize)> = mirrors.iter().map(|&(_, u, v)| (u, v)).collect();
    let mut first: Vec<usize> = (0..units).collect();
    let mut members: Vec<Vec<usize>> = (0..units).map(|unit| vec![unit]).collect();
    for (_, u, v) in mirrors {
        let (into, from) = (first[u].min(first[v]), first[u].max(first[v]));
        let all = |a: usize| {
            members[from]
                .iter()
                .all(|&b| known.contains(&(a.min(b), a.max(b))))
        };
        if into != from && members[into].iter().all(|&a| all(a)) {
            let moved = std::mem::take(&mut members[from]);
            moved.iter().for_each(|unit| first[*unit] = into);
            members[into].extend(moved);
        }
    }
    first
}
