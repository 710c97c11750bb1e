//! Chooses the candidates of a sentence among its nearest neighbours. The nearest come first, but not many versions of
//! one sentence, and not all from one section.

use crate::near::NEAR_DUPLICATE;
use crate::neighbours::Neighbour;
use lexforge_text::likeness::{jaccard, shingles};

/// The shingles of a text, with a sketch that rules most pairs out.
pub(crate) struct Shape {
    shingles: Vec<u64>,
    /// Bit `h mod 256` for each shingle `h`.
    bits: [u64; 4],
}

impl Shape {
    pub(crate) fn of(text: &str) -> Self {
        let shingles = shingles(text);
        let mut bits = [0; 4];
        shingles
            .iter()
            .for_each(|h| bits[(h >> 6) as usize % 4] |= 1 << (h % 64));
        Self { shingles, bits }
    }

    /// Whether the Jaccard similarity of the two texts reaches [`NEAR_DUPLICATE`]. An upper bound is checked first,
    /// because it is cheap to compute. It comes from sketches of the texts: a bit that is set in only one of them shows
    /// that the other text lacks a shingle.
    pub(crate) fn nearly_equals(&self, other: &Self) -> bool {
        let (a, b) = (self.shingles.len(), other.shingles.len());
        let (small, large) = (a.min(b), a.max(b));
        if (small as f32) < NEAR_DUPLICATE * large as f32 {
            return false;
        }
        let lacking = |of: &Self, by: &Self| -> usize {
            of.bits
                .iter()
                .zip(&by.bits)
                .map(|(x, y)| (x & !y).count_ones() as usize)
                .sum()
        };
        let (only_a, only_b) = (lacking(self, other), lacking(other, self));
        let shared = (a - only_a).min(b - only_b);
        (shared as f32) >= NEAR_DUPLICATE * (a + only_b).max(b + only_a) as f32
            && jaccard(&self.shingles, &other.shingles) >= NEAR_DUPLICATE
    }
}

/// Which entries of `near` (nearest first) are chosen, as bits. At most `most` entries are chosen. An entry that nearly
/// equals an earlier chosen one is left out. At most `per_section` come from one section, as long as other sections
/// have enough.
pub(crate) fn chosen(
    near: &[Neighbour],
    most: usize,
    per_section: usize,
    section: impl Fn(u32) -> u32,
    alike: impl Fn(u32, u32) -> bool,
) -> u64 {
    let mut taken: Vec<usize> = Vec::with_capacity(most);
    let mut put_off: Vec<usize> = Vec::new();
    for (place, neighbour) in near.iter().enumerate().take(MOST_NEAR) {
        if taken.len() >= most {
            break;
        }
        if taken.iter().any(|t| alike(near[*t].row, neighbour.row)) {
            continue;
        }
        let of_section = taken
            .iter()
            .filter(|t| section(near[**t].row) == section(neighbour.row))
            .count();
        if of_section < per_section {
            taken.push(place)
        } else {
            put_off.push(place)
        }
    }
    for place in put_off {
        if taken.len() >= most {
            break;
        }
        if !taken.iter().any(|t| alike(near[*t].row, near[place].row)) {
            taken.push(place);
        }
    }
    taken.iter().fold(0, |bits, place| bits | 1 << place)
}

/// So many of the nearest sentences are looked at: the choice is kept as the bits of a `u64`.
pub(crate) const MOST_NEAR: usize = 64;

/// How many nearest ones to look for so that `most` can be chosen.
pub(crate) fn looked_for(most: usize) -> usize {
    (2 * most).min(MOST_NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_text::likeness::shingle_jaccard;

    #[test]
    fn sections_and_near_duplicates_share_the_places() {
        let near: Vec<Neighbour> = (0..8)
            .map(|row| Neighbour {
                row,
                cosine: 0.9 - row as f32 / 100.0,
            })
            .collect();
        // Rows 0–4 stand in one section; 5 nearly equals 0.
        let check = |most: usize, per_section: usize, expected: &[u32]| {
            let section = |row: u32| u32::from(row > 4);
            let bits = chosen(&near, most, per_section, section, |a, b| {
                (a.min(b), a.max(b)) == (0, 5)
            });
            let places: Vec<u32> = (0..8).filter(|p| bits >> p & 1 == 1).collect();
            assert_eq!(places, expected, "{most} of which {per_section}");
        };
        check(4, 2, &[0, 1, 6, 7]);
        check(6, 2, &[0, 1, 2, 3, 6, 7]);
        check(3, 9, &[0, 1, 2]);
        check(9, 9, &[0, 1, 2, 3, 4, 6, 7]);
        check(0, 2, &[]);
    }

    #[test]
    fn the_sketch_rules_nothing_out_that_is_near() {
        let base = "The credit institution shall report its own funds to the competent authority within ten days";
        let words: Vec<&str> = base.split(' ').collect();
        let mut texts = vec![
            base.to_owned(),
            String::new(),
            "商业银行应当建立健全流动性风险管理体系".to_owned(),
        ];
        for i in 0..words.len() {
            let mut changed = words.clone();
            changed[i] = "x";
            texts.push(changed.join(" "));
            texts.push(words[..=i].join(" "));
        }
        let (mut near, mut far) = (0, 0);
        for a in &texts {
            for b in &texts {
                let expected = shingle_jaccard(a, b) >= NEAR_DUPLICATE;
                assert_eq!(
                    Shape::of(a).nearly_equals(&Shape::of(b)),
                    expected,
                    "{a:?} and {b:?}"
                );
                if expected { near += 1 } else { far += 1 }
            }
        }
        assert!(near > 50 && far > 50, "{near} near, {far} far");
    }
}
