//! How alike two readings of a text are, and where they part.

use std::collections::HashMap;

/// Most words of bits that one table of the alignment may take (32 MiB); longer texts are halved first.
const TABLE: usize = 4 << 20;

/// Length of the longest common subsequence (Hyyrö's bit-parallel algorithm).
pub fn common_length(a: &[char], b: &[char]) -> usize {
    let (prefix, a, b, suffix) = between(a, b);
    if a.is_empty() || b.is_empty() {
        return prefix + suffix;
    }
    let row = rows(a, b, |_, _| {});
    // Bits past the end of `a` match nothing and stay set.
    let zeros: usize = row.iter().map(|s| s.count_zeros() as usize).sum();
    prefix + suffix + zeros
}

/// What stands between the equal beginnings and ends of two texts, and how long these are: they need no search.
fn between<'t>(a: &'t [char], b: &'t [char]) -> (usize, &'t [char], &'t [char], usize) {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let backwards = a.iter().rev().zip(b.iter().rev());
    let suffix = backwards.take_while(|(x, y)| x == y).count();
    (
        prefix,
        &a[..a.len() - suffix],
        &b[..b.len() - suffix],
        suffix,
    )
}

/// Computes the longest common subsequence (LCS) of `a` and `b` by Hyyrö's bit-parallel algorithm. It goes through the
/// characters of `b`, calls `after(j, row)` after each of them, and returns the last row. Bit `i` of a row is 0 if the
/// LCS with `a[..=i]` is one longer than the LCS with `a[..i]`.
fn rows(a: &[char], b: &[char], mut after: impl FnMut(usize, &[u64])) -> Vec<u64> {
    let words = a.len().div_ceil(64);
    let mut places: HashMap<char, Vec<u64>> = HashMap::new();
    for (i, &ch) in a.iter().enumerate() {
        places.entry(ch).or_insert_with(|| vec![0; words])[i / 64] |= 1 << (i % 64);
    }
    let mut state = vec![u64::MAX; words];
    for (j, ch) in b.iter().enumerate() {
        if let Some(mask) = places.get(ch) {
            let mut carry = 0u64;
            for (s, m) in state.iter_mut().zip(mask) {
                let u = *s & m;
                let (sum, over_a) = s.overflowing_add(u);
                let (sum, over_b) = sum.overflowing_add(carry);
                carry = u64::from(over_a || over_b);
                *s = sum | (*s & !m);
            }
        }
        after(j, &state);
    }
    state
}

/// The characters of a longest common subsequence as pairs of places in `a` and in `b`, in order.
pub fn aligned(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    align(a, b, (0, 0), &mut pairs);
    pairs
}

fn align(a: &[char], b: &[char], at: (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let (prefix, a, b, suffix) = between(a, b);
    pairs.extend((0..prefix).map(|k| (at.0 + k, at.1 + k)));
    let at = (at.0 + prefix, at.1 + prefix);
    let words = a.len().div_ceil(64);
    if a.is_empty() || b.is_empty() {
        // Nothing is left between the equal beginning and the equal end.
    } else if b.len() > 1 && words * b.len() > TABLE {
        // Hirschberg's division: the middle of `b` meets `a` where both halves together have most in common.
        let (left, right) = b.split_at(b.len() / 2);
        let before = lengths(a, left);
        let (back_a, back_right): (Vec<char>, Vec<char>) = (
            a.iter().rev().copied().collect(),
            right.iter().rev().copied().collect(),
        );
        let after = lengths(&back_a, &back_right);
        let cut = (0..=a.len())
            .max_by_key(|&i| before[i] + after[a.len() - i])
            .unwrap_or(0);
        align(&a[..cut], left, at, pairs);
        align(&a[cut..], right, (at.0 + cut, at.1 + left.len()), pairs);
    } else {
        let mut table: Vec<u64> = Vec::with_capacity(words * b.len());
        rows(a, b, |_, row| table.extend_from_slice(row));
        let is_set = |j: usize, i: usize| table[j * words + i / 64] >> (i % 64) & 1 == 1;
        let (mut i, mut j) = (a.len(), b.len());
        let start = pairs.len();
        while i > 0 && j > 0 {
            if is_set(j - 1, i - 1) {
                i -= 1;
            } else {
                j -= 1;
                if j == 0 || is_set(j - 1, i - 1) {
                    i -= 1;
                    pairs.push((at.0 + i, at.1 + j));
                }
            }
        }
        pairs[start..].reverse();
    }
    let end = (at.0 + a.len(), at.1 + b.len());
    pairs.extend((0..suffix).map(|k| (end.0 + k, end.1 + k)));
}

/// Length of the common subsequence of `b` and of each prefix of `a`.
fn lengths(a: &[char], b: &[char]) -> Vec<usize> {
    let row = rows(a, b, |_, _| {});
    let mut lengths = Vec::with_capacity(a.len() + 1);
    let mut length = 0;
    lengths.push(0);
    for i in 0..a.len() {
        length += usize::from(row[i / 64] >> (i % 64) & 1 == 0);
        lengths.push(length);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] {
                    table[i][j] + 1
                } else {
                    table[i][j + 1].max(table[i + 1][j])
                };
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
            let b: Vec<char> = text
                .iter()
                .enumerate()
                .filter(|(i, _)| i % drop != 0)
                .map(|(_, c)| *c)
                .rev()
                .collect();
            assert_eq!(common_length(a, &b), slow(a, &b), "{drop} {len}");
            assert_eq!(common_length(&b, a), slow(&b, a), "{drop} {len}");
        }
    }

    #[test]
    fn the_alignment_is_a_longest_common_subsequence() {
        let text: Vec<char> =
            "an institution shall notify the competent authority without undue delay of each change".chars().collect();
        for drop in [2, 3, 5, 7, 30] {
            let a: Vec<char> = text
                .iter()
                .enumerate()
                .filter(|(i, _)| i % (drop + 1) != 1)
                .map(|(_, c)| *c)
                .collect();
            let b: Vec<char> = text
                .iter()
                .enumerate()
                .filter(|(i, _)| i % drop != 0)
                .map(|(_, c)| *c)
                .collect();
            let pairs = aligned(&a, &b);
            assert_eq!(pairs.len(), slow(&a, &b), "{drop}");
            assert!(pairs.iter().all(|&(i, j)| a[i] == b[j]));
            assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
        }
    }

    #[test]
    fn long_texts_are_halved_and_align_as_well() {
        let text = |skip: usize| -> Vec<char> {
            (0..40_000usize)
                .filter(|i| i % skip != 0)
                .map(|i| char::from(b'a' + ((i * i / 7 + i / 3) % 26) as u8))
                .collect()
        };
        let (a, b) = (text(11), text(13));
        assert!(a.len().div_ceil(64) * b.len() > TABLE);
        let pairs = aligned(&a, &b);
        assert_eq!(pairs.len(), common_length(&a, &b));
        assert!(pairs.iter().all(|&(i, j)| a[i] == b[j]));
        assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
    }
}
