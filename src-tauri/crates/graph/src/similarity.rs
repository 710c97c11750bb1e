//! Near-identity of texts: Jaccard similarity of their character shingles.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Length of a shingle in alphabetic text.
const ALPHABETIC: usize = 5;
/// Length of a shingle that begins with a CJK character, which carries about as much as a short word.
const IDEOGRAPHIC: usize = 2;

/// Whether a character belongs to a script that is written without spaces between words.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Lower case, letters and digits only, everything between them one space.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The hashes of a text's shingles, ascending, each once. A text shorter than a shingle is one shingle.
pub fn shingles(text: &str) -> Vec<u64> {
    let chars: Vec<char> = folded(text).chars().collect();
    let mut set: HashSet<u64> = HashSet::with_capacity(chars.len());
    for i in 0..chars.len() {
        let length = if is_cjk(chars[i]) { IDEOGRAPHIC } else { ALPHABETIC };
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

fn hash(shingle: &[char]) -> u64 {
    let mut hasher = DefaultHasher::new();
    shingle.hash(&mut hasher);
    hasher.finish()
}

/// Jaccard similarity of two ascending lists: |A ∩ B| / |A ∪ B|; 0 if both are empty.
pub fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f32 {
    let (mut i, mut j, mut shared) = (0, 0, 0usize);
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
    let union = a.len() + b.len() - shared;
    if union == 0 { 0.0 } else { shared as f32 / union as f32 }
}

/// Jaccard similarity of the character shingles of two texts, 0 to 1; 1 means equal but for case,
/// punctuation, white space and repetition.
pub fn shingle_jaccard(a: &str, b: &str) -> f32 {
    jaccard(&shingles(a), &shingles(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jaccard_of_texts() {
        let check = |a: &str, b: &str, low: f32, high: f32| {
            let j = shingle_jaccard(a, b);
            assert!((low..=high).contains(&j), "{a:?} and {b:?}: {j}");
            assert_eq!(j, shingle_jaccard(b, a));
        };
        check("The controller shall notify.", "the  controller SHALL notify", 1.0, 1.0);
        check("abcdef", "abcdex", 1.0 / 3.0 - 1e-6, 1.0 / 3.0 + 1e-6);
        check("", "", 0.0, 0.0);
        check("Nothing alike here", "quite another text", 0.0, 0.05);
        check("商业银行应当建立健全流动性风险管理体系", "商业银行应当建立流动性风险管理体系", 0.75, 0.95);
        check("不得", "不得", 1.0, 1.0);
    }
}
