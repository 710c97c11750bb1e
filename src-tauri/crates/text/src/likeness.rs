//! How much two texts have in common (the Jaccard similarity of their character shingles), and which name is meant by a
//! misspelt name.

use crate::fold::letters;
use crate::script::is_unspaced;
use similar::{Algorithm, capture_diff_slices, diff_ratio};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Length of a shingle in alphabetic text.
const ALPHABETIC: usize = 5;
/// Length of a shingle that begins with a character that carries about as much as a short word.
const IDEOGRAPHIC: usize = 2;

/// The hashes of a text's shingles, ascending, each once. A text shorter than a shingle is one shingle.
pub fn shingles(text: &str) -> Vec<u64> {
    let chars: Vec<char> = letters(text).chars().collect();
    let mut set: HashSet<u64> = HashSet::with_capacity(chars.len());
    for i in 0..chars.len() {
        let length = if is_unspaced(chars[i]) {
            IDEOGRAPHIC
        } else {
            ALPHABETIC
        };
        if let Some(shingle) = chars.get(i..i + length) {
            set.insert(hash(shingle));
        }
    }
    if set.is_empty() && !chars.is_empty() {
        set.insert(hash(&chars));
    }
    let mut sorted: Vec<u64> = set.into_iter().collect();
    sorted.sort_unstable();
    sorted
}

/// A hash that is the same in every run.
pub fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    // DefaultHasher::new() has fixed keys.
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// How many entries two ascending lists have in common.
pub fn shared<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    shared
}

/// Jaccard similarity of two ascending lists: |A ∩ B| / |A ∪ B|; 0 if both are empty.
pub fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f32 {
    let shared = shared(a, b);
    let union = a.len() + b.len() - shared;
    if union == 0 {
        0.0
    } else {
        shared as f32 / union as f32
    }
}

/// Jaccard similarity of two sets; 0 if both are empty.
pub fn jaccard_of_sets<T: Eq + Hash>(a: &HashSet<T>, b: &HashSet<T>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 {
        0.0
    } else {
        common as f64 / all as f64
    }
}

/// Jaccard similarity of the character shingles of two texts, 0 to 1. 1 means that they are equal except for case,
/// punctuation, white space and repetition.
pub fn shingle_jaccard(a: &str, b: &str) -> f32 {
    jaccard(&shingles(a), &shingles(b))
}

/// Two names with a smaller likeness are not taken for misspellings of each other.
const MISSPELT: f32 = 0.6;

/// The nearest of `names` to what somebody typed, if it is near enough; upper and lower case count as equal. Of two
/// equally near names the first is taken.
pub fn nearest<S: AsRef<str>>(typed: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    let letters = |name: &str| name.to_lowercase().chars().collect::<Vec<char>>();
    let typed = letters(typed);
    let mut best = (MISSPELT, None);
    for name in names {
        let other = letters(name.as_ref());
        let changes = capture_diff_slices(Algorithm::Myers, &typed, &other);
        let alike = diff_ratio(&changes, typed.len(), other.len());
        if alike > best.0 {
            best = (alike, Some(name));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_leads_to_the_one_that_is_meant() {
        let names = ["all-MiniLM-L6-v2", "lexforge-demo"];
        assert_eq!(nearest("lexforge-dmo", names), Some("lexforge-demo"));
        assert_eq!(nearest("LexForge_Demo", names), Some("lexforge-demo"));
        assert_eq!(nearest("all-minilm-l6", names), Some("all-MiniLM-L6-v2"));
        assert_eq!(nearest("bax", ["box", "cluster"]), Some("box"));
        assert_eq!(nearest("qwen3-8b", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("box", [] as [&str; 0]), None);
    }

    #[test]
    fn jaccard_of_texts() {
        let check = |a: &str, b: &str, low: f32, high: f32| {
            let j = shingle_jaccard(a, b);
            assert!((low..=high).contains(&j), "{a:?} and {b:?}: {j}");
            assert_eq!(j, shingle_jaccard(b, a));
        };
        check(
            "The controller shall notify.",
            "the  controller SHALL notify",
            1.0,
            1.0,
        );
        check("abcdef", "abcdex", 1.0 / 3.0 - 1e-6, 1.0 / 3.0 + 1e-6);
        check("", "", 0.0, 0.0);
        check("Nothing alike here", "quite another text", 0.0, 0.05);
        check(
            "商业银行应当建立健全流动性风险管理体系",
            "商业银行应当建立流动性风险管理体系",
            0.75,
            0.95,
        );
        check("不得", "不得", 1.0, 1.0);
    }

    #[test]
    fn lists_and_sets_agree() {
        let (a, b) = ([1, 3, 5, 7], [3, 4, 5]);
        let set = |list: &[i32]| list.iter().copied().collect::<HashSet<_>>();
        assert!((f64::from(jaccard(&a, &b)) - jaccard_of_sets(&set(&a), &set(&b))).abs() < 1e-6);
        assert_eq!(
            jaccard_of_sets::<i32>(&HashSet::new(), &HashSet::new()),
            0.0
        );
    }
}
