//! Counts n-grams by sorting. From each token, a window of `N` tokens is taken. Every n-gram of up to `N` tokens is the
//! beginning of such a window, so one sorted list of windows gives the counts for all lengths.

/// The windows of a sequence of numbers below 2^`BITS` − 1, sorted; a window over the end is filled up with nothing.
pub(super) struct Windows<const N: usize, const BITS: u32> {
    sorted: Vec<u128>,
}

impl<const N: usize, const BITS: u32> Windows<N, BITS> {
    pub(super) fn of(tokens: &[u32]) -> Self {
        let window = |start: usize| {
            (0..N).fold(0_u128, |key, k| {
                let token = tokens.get(start + k).map_or(0, |t| u128::from(*t) + 1);
                key << BITS | token
            })
        };
        let mut sorted: Vec<u128> = (0..tokens.len()).map(window).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// How many runs of `n` tokens there are.
    pub(super) fn total(&self, n: usize) -> u64 {
        (self.sorted.len() + 1).saturating_sub(n) as u64
    }

    /// The number of n-grams of `n` tokens that this text shares with the others. An n-gram that occurs several times
    /// counts at most as often as it occurs in one of the other texts, namely the one in which it is most frequent.
    pub(super) fn shared(&self, others: &[Self], n: usize) -> u64 {
        let shift = (N - n) as u32 * BITS;
        let whole = |key: &u128| (key >> shift) & ((1 << BITS) - 1) != 0;
        let mut at = vec![0_usize; others.len()];
        let mut shared = 0;
        let mut rest = self.sorted.as_slice();
        while let Some(first) = rest.first() {
            let run = first >> shift;
            let mine = rest.iter().take_while(|key| **key >> shift == run).count();
            if whole(first) {
                let theirs = others.iter().zip(&mut at).map(|(other, at)| {
                    let ahead = &other.sorted[*at..];
                    let below = ahead.iter().take_while(|key| **key >> shift < run).count();
                    let same = ahead[below..]
                        .iter()
                        .take_while(|key| **key >> shift == run);
                    let same = same.count();
                    *at += below + same;
                    same
                });
                shared += mine.min(theirs.max().unwrap_or(0)) as u64;
            }
            rest = &rest[mine..];
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Runs = Windows<3, 21>;

    #[test]
    fn runs_are_counted_as_often_as_they_come_in_both() {
        let mine = Runs::of(&[1, 2, 1, 2, 1]);
        let check = |others: &[&[u32]], expected: [u64; 3]| {
            let others: Vec<Runs> = others.iter().map(|tokens| Runs::of(tokens)).collect();
            assert_eq!([1, 2, 3].map(|n| mine.shared(&others, n)), expected);
        };
        assert_eq!([1, 2, 3].map(|n| mine.total(n)), [5, 4, 3]);
        check(&[&[1, 2, 1]], [3, 2, 1]);
        // The most of either, not their sum.
        check(&[&[1, 2], &[2, 1, 0]], [2, 2, 0]);
        check(&[&[1, 2, 1, 2, 1]], [5, 4, 3]);
        check(&[&[0]], [0, 0, 0]);
        check(&[], [0, 0, 0]);
        assert_eq!(Runs::of(&[]).total(2), 0);
    }
}
