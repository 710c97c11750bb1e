//! C-value: `log2(|a| + 1) · (f(a) − mean f(b) over the longer candidates b that contain a)`.
//!
//! The original has log2 |a|; adding 1 lets single words take part (as in Barrón-Cedeño et al. 2009).

use std::collections::HashMap;
use std::hash::Hash;

/// The C-value of each candidate: a sequence of words with its frequency.
pub(crate) fn cvalues<W: Clone + Eq + Hash>(
    frequency: &HashMap<Vec<W>, u32>,
) -> HashMap<Vec<W>, f64> {
    let mut containing: HashMap<&[W], (u64, u32)> = HashMap::new();
    for (words, count) in frequency {
        let mut parts: Vec<&[W]> = Vec::new();
        for length in 1..words.len() {
            parts.extend(
                words
                    .windows(length)
                    .filter(|part| frequency.contains_key(*part)),
            );
        }
        let mut seen: Vec<&[W]> = Vec::new();
        for part in parts {
            if !seen.contains(&part) {
                seen.push(part);
                let entry = containing.entry(part).or_default();
                entry.0 += u64::from(*count);
                entry.1 += 1;
            }
        }
    }
    frequency
        .iter()
        .map(|(words, count)| {
            let within = containing
                .get(words.as_slice())
                .map_or(0.0, |(sum, n)| *sum as f64 / f64::from(*n));
            let weight = ((words.len() + 1) as f64).log2();
            (words.clone(), weight * (f64::from(*count) - within))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_occurrences_are_taken_off() {
        let frequency: HashMap<Vec<&str>, u32> = HashMap::from([
            (vec!["supervisory", "authority"], 10),
            (vec!["lead", "supervisory", "authority"], 4),
            (vec!["competent", "supervisory", "authority"], 2),
            (vec!["authority"], 10),
        ]);
        let values = cvalues(&frequency);
        assert_eq!(values[&vec!["lead", "supervisory", "authority"]], 2.0 * 4.0);
        assert_eq!(
            values[&vec!["supervisory", "authority"]],
            3f64.log2() * (10.0 - 3.0)
        );
        assert!((values[&vec!["authority"]] - (10.0 - 16.0 / 3.0)).abs() < 1e-12);
    }
}
