//! English words without their endings: Porter's algorithm (Program 14.3, 1980) with the changes of the Natural
//! Language Toolkit. So figures that are computed from these stems can be compared with figures of that toolkit.
//!
//! The search index uses another algorithm (Snowball). Stems of the two must not be mixed.

/// A rule: an ending, what takes its place, and what must hold of the word without the ending.
type Rule = (&'static str, &'static str, fn(&[char]) -> bool);

/// Words that are not cut by rule.
const IRREGULAR: [(&str, &str); 16] = [
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Step 2: double endings become single ones.
const SECOND: [Rule; 22] = [
    ("ational", "ate", some),
    ("tional", "tion", some),
    ("enci", "ence", some),
    ("anci", "ance", some),
    ("izer", "ize", some),
    ("bli", "ble", some),
    ("alli", "al", some),
    ("entli", "ent", some),
    ("eli", "e", some),
    ("ousli", "ous", some),
    ("ization", "ize", some),
    ("ation", "ate", some),
    ("ator", "ate", some),
    ("alism", "al", some),
    ("iveness", "ive", some),
    ("fulness", "ful", some),
    ("ousness", "ous", some),
    ("aliti", "al", some),
    ("iviti", "ive", some),
    ("biliti", "ble", some),
    ("fulli", "ful", some),
    // The l counts with the stem, so that "geo" and "theo" are long enough.
    ("logi", "log", some_with_l),
];

/// Step 3.
const THIRD: [Rule; 7] = [
    ("icate", "ic", some),
    ("ative", "", some),
    ("alize", "al", some),
    ("iciti", "ic", some),
    ("ical", "ic", some),
    ("ful", "", some),
    ("ness", "", some),
];

/// Step 4: endings that fall.
const FOURTH: [Rule; 19] = [
    ("al", "", several),
    ("ance", "", several),
    ("ence", "", several),
    ("er", "", several),
    ("ic", "", several),
    ("able", "", several),
    ("ible", "", several),
    ("ant", "", several),
    ("ement", "", several),
    ("ment", "", several),
    ("ent", "", several),
    ("ion", "", several_before_ion),
    ("ou", "", several),
    ("ism", "", several),
    ("ate", "", several),
    ("iti", "", several),
    ("ous", "", several),
    ("ive", "", several),
    ("ize", "", several),
];

/// The stem of a word in lower case.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(known, _)| *known == word) {
        return (*stem).to_owned();
    }
    let mut w: Vec<char> = word.chars().collect();
    if w.len() <= 2 {
        return word.to_owned();
    }
    plural(&mut w);
    past(&mut w);
    if ends(&w, "y") && w.len() > 2 && is_consonant(&w, w.len() - 2) {
        replace(&mut w, 1, "i");
    }
    // As often as it applies, and before the other rules.
    while ends(&w, "alli") && some(&w[..w.len() - 4]) {
        replace(&mut w, 4, "al");
    }
    apply(&mut w, &SECOND);
    apply(&mut w, &THIRD);
    apply(&mut w, &FOURTH);
    if ends(&w, "e") {
        let without = &w[..w.len() - 1];
        let m = measure(without);
        if m > 1 || (m == 1 && !ends_short(without)) {
            w.pop();
        }
    }
    if ends(&w, "ll") && several(&w[..w.len() - 1]) {
        w.pop();
    }
    w.into_iter().collect()
}

/// Step 1a.
fn plural(w: &mut Vec<char>) {
    if ends(w, "ies") && w.len() == 4 {
        replace(w, 3, "ie");
    } else if ends(w, "sses") {
        replace(w, 4, "ss");
    } else if ends(w, "ies") {
        replace(w, 3, "i");
    } else if ends(w, "s") && !ends(w, "ss") {
        w.pop();
    }
}

/// Step 1b.
fn past(w: &mut Vec<char>) {
    if ends(w, "ied") {
        let put = if w.len() == 4 { "ie" } else { "i" };
        return replace(w, 3, put);
    }
    if ends(w, "eed") {
        if some(&w[..w.len() - 3]) {
            w.pop();
        }
        return;
    }
    let cut = ["ed", "ing"]
        .iter()
        .find(|ending| ends(w, ending) && has_vowel(&w[..w.len() - ending.len()]));
    let Some(ending) = cut else { return };
    w.truncate(w.len() - ending.len());
    if ["at", "bl", "iz"].iter().any(|e| ends(w, e)) {
        w.push('e');
    } else if ends_double(w) {
        if !matches!(w.last(), Some('l' | 's' | 'z')) {
            w.pop();
        }
    } else if measure(w) == 1 && ends_short(w) {
        w.push('e');
    }
}

/// The first rule whose ending the word has decides, whether or not its condition holds.
fn apply(w: &mut Vec<char>, rules: &[Rule]) {
    let fitting = rules.iter().find(|(ending, _, _)| ends(w, ending));
    if let Some((ending, put, condition)) = fitting
        && condition(&w[..w.len() - ending.len()])
    {
        replace(w, ending.len(), put);
    }
}

fn replace(w: &mut Vec<char>, cut: usize, put: &str) {
    w.truncate(w.len() - cut);
    w.extend(put.chars());
}

fn ends(w: &[char], ending: &str) -> bool {
    w.len() >= ending.len()
        && w[w.len() - ending.len()..]
            .iter()
            .copied()
            .eq(ending.chars())
}

fn is_consonant(w: &[char], i: usize) -> bool {
    match w[i] {
        'a' | 'e' | 'i' | 'o' | 'u' => false,
        'y' => i == 0 || !is_consonant(w, i - 1),
        _ => true,
    }
}

fn has_vowel(w: &[char]) -> bool {
    (0..w.len()).any(|i| !is_consonant(w, i))
}

/// Porter's m: how often a consonant follows a vowel.
fn measure(w: &[char]) -> usize {
    (1..w.len())
        .filter(|&i| is_consonant(w, i) && !is_consonant(w, i - 1))
        .count()
}

fn some(w: &[char]) -> bool {
    measure(w) > 0
}

fn several(w: &[char]) -> bool {
    measure(w) > 1
}

fn some_with_l(w: &[char]) -> bool {
    let mut with: Vec<char> = w.to_vec();
    with.push('l');
    some(&with)
}

fn several_before_ion(w: &[char]) -> bool {
    several(w) && matches!(w.last(), Some('s' | 't'))
}

fn ends_double(w: &[char]) -> bool {
    w.len() >= 2 && w[w.len() - 1] == w[w.len() - 2] && is_consonant(w, w.len() - 1)
}

/// Porter's *o: consonant, vowel, consonant at the end, the last none of w, x, y; or a word of a vowel and a consonant.
fn ends_short(w: &[char]) -> bool {
    match w.len() {
        0 | 1 => false,
        2 => !is_consonant(w, 0) && is_consonant(w, 1),
        n => {
            is_consonant(w, n - 3)
                && !is_consonant(w, n - 2)
                && is_consonant(w, n - 1)
                && !matches!(w[n - 1], 'w' | 'x' | 'y')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_as_the_toolkit_gives_them() {
        // nltk 3.9.1, PorterStemmer in its default mode.
        let check = |word: &str, expected: &str| assert_eq!(stem(word), expected, "{word}");
        for (word, expected) in [
            ("organisational", "organis"),
            ("equally", "equal"),
            ("generally", "gener"),
            ("respectfully", "respect"),
            ("geology", "geolog"),
            ("relational", "relat"),
            ("controlling", "control"),
            ("agreed", "agre"),
            ("feed", "feed"),
            ("tried", "tri"),
            ("ties", "tie"),
            ("flies", "fli"),
            ("enjoy", "enjoy"),
            ("happily", "happili"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("sized", "size"),
            ("proceed", "proceed"),
            ("skies", "sky"),
            ("probate", "probat"),
            ("cease", "ceas"),
            ("adoption", "adopt"),
            ("technological", "technolog"),
            ("owed", "owe"),
            ("is", "is"),
            ("", ""),
        ] {
            check(word, expected);
        }
    }
}
