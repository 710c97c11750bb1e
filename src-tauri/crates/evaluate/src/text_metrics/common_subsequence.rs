//! The length of the longest common subsequence of two sequences, 64 places at a time (Hyyrö, 2004).

use std::collections::HashMap;

/// Length of the longest sequence of tokens that both have in the same order.
pub(super) fn length(a: &[u32], b: &[u32]) -> usize {
    let words = a.len().div_ceil(64);
    let mut places: HashMap<u32, Vec<u64>> = HashMap::new();
    for (i, token) in a.iter().enumerate() {
        let of = places.entry(*token).or_insert_with(|| vec![0; words]);
        of[i / 64] |= 1 << (i % 64);
    }
    // A zero marks a place of `a` at which the length grows.
    let mut row = vec![u64::MAX; words];
    for token in b {
        let Some(places) = places.get(token) else {
            continue;
        };
        let mut carry = false;
        for (v, m) in row.iter_mut().zip(places) {
            let u = *v & m;
            let (sum, over) = v.overflowing_add(u);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over || again;
            *v = sum | (*v - u);
        }
    }
    let beyond = words * 64 - a.len();
    let zeros: u32 = row.iter().map(|v| v.count_zeros()).sum();
    // The places beyond the end stay ones: no token stands there.
    debug_assert!(zeros as usize <= words * 64 - beyond);
    zeros as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the table of all beginnings.
    fn slowly(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut before = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y {
                    before + 1
                } else {
                    above.max(row[j])
                };
                before = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn lengths_are_those_of_the_table() {
        assert_eq!(length(&[], &[1]), 0);
        assert_eq!(length(&[1], &[]), 0);
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % below) as u32
        };
        for round in 0..200 {
            let (n, m, tokens) = (next(200), next(200), 2 + next(20));
            let a: Vec<u32> = (0..n).map(|_| next(u64::from(tokens))).collect();
            let b: Vec<u32> = (0..m).map(|_| next(u64::from(tokens))).collect();
            assert_eq!(length(&a, &b), slowly(&a, &b), "round {round}");
        }
    }
}
