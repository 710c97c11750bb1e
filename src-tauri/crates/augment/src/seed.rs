//! One random stream for each anchor and level, so that the order of the anchors does not matter.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The stream of `anchor` for the purpose `stream`, derived from the writer's seed.
pub(crate) fn stream(seed: u64, anchor: i64, stream: u64) -> ChaCha8Rng {
    let mixed = splitmix(splitmix(splitmix(seed) ^ anchor.cast_unsigned()) ^ stream);
    ChaCha8Rng::seed_from_u64(mixed)
}

/// The stream of `anchor` with one of its candidates.
pub(crate) fn of_pair(seed: u64, anchor: i64, other: i64, purpose: u64) -> ChaCha8Rng {
    stream(seed ^ splitmix(other.cast_unsigned()), anchor, purpose)
}

/// A number by which anchors are put into an order that has nothing to do with their documents.
pub(crate) fn lot(seed: u64, anchor: i64) -> u64 {
    splitmix(splitmix(seed) ^ anchor.cast_unsigned())
}

/// One round of SplitMix64 (Steele, Lea, Flood 2014): spreads neighbouring inputs over all 64 bits.
fn splitmix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
