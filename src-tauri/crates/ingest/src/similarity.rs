//! How alike two readings of a text are.

use std::collections::HashMap;

/// Length of the longest common subsequence (Hyyrö's bit-parallel algorithm).
pub fn common_length(a: &[char], b: &[char]) -> usize {
    // What begins and ends alike needs no search.
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    if a.is_empty() || b.is_empty() {
        return prefix + suffix;
    }
    let words = a.len().div_ceil(64);
    let mut places: HashMap<char, Vec<u64>> = HashMap::new();
    for (i, &ch) in a.iter().enumerate() {
        places.entry(ch).or_insert_with(|| vec![0; words])[i / 64] |= 1 << (i % 64);
    }
    let mut state = vec![u64::MAX; words];
    for ch in b {
        let Some(mask) = places.get(ch) else { continue };
        let mut carry = 0u64;
        for (s, m) in state.iter_mut().zip(mask) {
            let u = *s & m;
            let (sum, over_a) = s.overflowing_add(u);
            let (sum, over_b) = sum.overflowing_add(carry);
            carry = u64::from(over_a || over_b);
            *s = sum | (*s & !m);
        }
    }
    // Bits past the end of `a` match nothing and stay set.
    let zeros: usize = state.iter().map(|s| s.count_zeros() as usize).sum();
    prefix + suffix + zeros
}

/// `2·LCS / (|a| + |b|)`, 1 for two empty texts.
pub fn ratio(a: &[char], b: &[char]) -> f64 {
    if a.len() + b.len() == 0 {
        return 1.0;
    }
    2.0 * common_length(a, b) as f64 / (a.len() + b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn equals_the_textbook_table() {
        let text: Vec<char> = "the controller shall be responsible for and able to demonstrate compliance with this \
                               paragraph and the processor shall assist the controller in doing so where asked"
            .chars()
            .collect();
        for (drop, len) in [(3, 170), (7, 64), (2, 65), (5, 128), (11, 1), (13, 129)] {
            let a = &text[..len.min(text.len())];
            let b: Vec<char> = text.iter().enumerate().filter(|(i, _)| i % drop != 0).map(|(_, c)| *c).rev().collect();
            assert_eq!(common_length(a, &b), slow(a, &b), "{drop} {len}");
            assert_eq!(common_length(&b, a), slow(&b, a), "{drop} {len}");
        }
        assert!((ratio(&['a', 'b'], &['a', 'c']) - 0.5).abs() < 1e-12);
    }
}
