//! Labels as keys: what a reference calls a clause, and what the clause's section path calls it.

use lexforge_text::fold::spaced;
use lexforge_text::numerals::{chinese, is_clause_numeral, roman};

/// Words that name a level, as references and headings write them, with the word under which they are looked up.
const NAMED: [(&str, &str); 34] = [
    ("article", "article"),
    ("articles", "article"),
    ("art.", "article"),
    ("arts.", "article"),
    ("section", "section"),
    ("sections", "section"),
    ("sec.", "section"),
    ("secs.", "section"),
    ("§", "section"),
    ("§§", "section"),
    ("rule", "rule"),
    ("rules", "rule"),
    ("chapter", "chapter"),
    ("chapters", "chapter"),
    ("part", "part"),
    ("parts", "part"),
    ("subpart", "subpart"),
    ("subparts", "subpart"),
    ("annex", "annex"),
    ("annexes", "annex"),
    ("appendix", "appendix"),
    ("appendices", "appendix"),
    ("app", "appendix"),
    ("schedule", "schedule"),
    ("schedules", "schedule"),
    ("title", "title"),
    ("titles", "title"),
    ("division", "division"),
    ("divisions", "division"),
    ("regulation", "regulation"),
    ("regulations", "regulation"),
    ("recital", "recital"),
    ("recitals", "recital"),
    ("clause", "clause"),
];

/// The word under which the level `word` is looked up.
pub fn level(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    NAMED
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, level)| *level)
}

/// A number folded: Roman and Chinese numerals as digits, lower case.
pub fn number(text: &str) -> String {
    if text.len() <= 7
        && text.chars().all(|c| "IVXLCDM".contains(c))
        && let Some(value) = roman(text)
    {
        return value.to_string();
    }
    if text.starts_with(is_clause_numeral)
        && text.chars().all(is_clause_numeral)
        && let Some(value) = chinese(text)
    {
        return value.to_string();
    }
    text.to_lowercase()
}

/// The components of a section path, folded: `Part 6.Chapter 1.58.(2)` as `part 6`, `chapter 1`, `58`, `2`;
/// `9.3.1B.Guidance.5.` as `9.3.1b`, `guidance`, `5`; `Chapter II › Article 6 › 1` as `chapter 2`, `article 6`, `1`;
/// a numbered paragraph `117)` as `paragraph 117`.
pub fn components(path: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in path.split('›') {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if part.starts_with('第') || part.starts_with('제') || part.starts_with('附') {
            out.push(cjk(part));
            continue;
        }
        if part.contains('.') && !part.contains(". ") {
            // A rulebook's own prefix: `PRU 3.2.1`.
            let numbered = part.split_once(' ').filter(|(word, number)| {
                (2..=6).contains(&word.len())
                    && level(word).is_none()
                    && word.bytes().all(|b| b.is_ascii_uppercase())
                    && number.starts_with(|c: char| c.is_ascii_digit())
            });
            pieces(numbered.map_or(part, |(_, number)| number), &mut out);
        } else {
            out.push(one(part));
        }
    }
    out.retain(|c| !c.is_empty());
    out
}

/// A path with dots for separators: numbers that follow each other are one decimal number.
fn pieces(part: &str, out: &mut Vec<String>) {
    let mut decimal = String::new();
    for piece in part.split('.') {
        let piece = piece.trim();
        if piece.is_empty() {
            continue;
        }
        let plain = piece.chars().next().is_some_and(|c| c.is_ascii_digit())
            && piece.chars().all(|c| c.is_ascii_alphanumeric())
            && piece.len() <= 5;
        // `A4.10.2`
        let lettered = decimal.is_empty()
            && piece.len() <= 3
            && piece.starts_with(|c: char| c.is_ascii_uppercase())
            && piece[1..].chars().all(|c| c.is_ascii_digit())
            && (piece.len() > 1 || !part.starts_with(piece) || part.len() > 2);
        if plain || lettered {
            if !decimal.is_empty() {
                decimal.push('.');
            }
            decimal.push_str(&piece.to_lowercase());
            continue;
        }
        if !decimal.is_empty() {
            out.push(std::mem::take(&mut decimal));
        }
        let named = one(piece);
        // `Rule 3.2.1` and `§ 1026.3` are one number, `Chapter 1.58` is two.
        if ["section ", "rule ", "article ", "clause ", "regulation "]
            .iter()
            .any(|w| named.starts_with(w))
        {
            decimal = named;
        } else {
            out.push(named);
        }
    }
    if !decimal.is_empty() {
        out.push(decimal);
    }
}

/// One component: a named level, a number, a marker, or a title.
fn one(part: &str) -> String {
    let part = part.trim_matches(['.', ':', ' ', '、', '[', ']', '\u{200e}']);
    let numbered = part
        .strip_suffix(')')
        .filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    if let Some(paragraph) = numbered {
        return format!("paragraph {paragraph}");
    }
    let bare = part.trim_matches(['(', ')', '（', '）']);
    if let Some((word, rest)) = bare.split_once([' ', '\u{a0}'])
        && let Some(level) = level(word)
    {
        let rest = rest.trim().trim_end_matches(['.', ':']);
        let first = rest.split_whitespace().next().unwrap_or_default();
        return format!("{level} {}", number(first));
    }
    // `APP7`, `§5`
    let letters = bare
        .chars()
        .take_while(|c| !c.is_ascii_digit())
        .map(char::len_utf8)
        .sum::<usize>();
    if letters > 0
        && letters < bare.len()
        && let Some(level) = level(&bare[..letters])
    {
        return format!("{level} {}", bare[letters..].to_lowercase());
    }
    // `(i)` stands for a letter or a number alike: markers keep their letters.
    spaced(bare).to_lowercase()
}

/// `第十二条` as `第12条`; the title after a blank is left out.
pub fn cjk(label: &str) -> String {
    let label = label.split_whitespace().next().unwrap_or_default();
    let mut out = String::new();
    let mut numeral = String::new();
    for c in label.chars() {
        if is_clause_numeral(c) {
            numeral.push(c);
            continue;
        }
        if !numeral.is_empty() {
            out.push_str(&number(&std::mem::take(&mut numeral)));
        }
        out.push(c);
    }
    if !numeral.is_empty() {
        out.push_str(&number(&numeral));
    }
    out
}

/// A label of a reference as a key.
pub fn key(label: &str) -> String {
    if label.starts_with(['第', '附', '제']) {
        return cjk(label);
    }
    match label.split_once(' ') {
        Some((word, rest)) => format!("{word} {}", number(&rest.to_uppercase())).to_lowercase(),
        None if label.starts_with(is_clause_numeral) => number(label),
        None => label.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_every_kind() {
        for (path, expected) in [
            (
                "Part 6.Chapter 1.58.(2)",
                vec!["part 6", "chapter 1", "58", "2"],
            ),
            ("9.3.1B.Guidance.5.", vec!["9.3.1b", "guidance", "5"]),
            (
                "PART 5.16.3.Guidance.1",
                vec!["part 5", "16.3", "guidance", "1"],
            ),
            ("APP4.A4.10.2", vec!["appendix 4", "a4.10.2"]),
            (
                "Schedule 1.Part 3 .98.(2)",
                vec!["schedule 1", "part 3", "98", "2"],
            ),
            ("117)", vec!["paragraph 117"]),
            (
                "Chapter II › Article 6 › 1 › (a)",
                vec!["chapter 2", "article 6", "1", "a"],
            ),
            ("11 › 11.2 › 11.2.1", vec!["11", "11.2", "11.2.1"]),
            ("第二章 › 第八条 › （一）", vec!["第2章", "第8条", "一"]),
            ("§ 1026.3", vec!["section 1026.3"]),
            ("PRU 3.2.1", vec!["3.2.1"]),
            ("A.1.", vec!["a.1"]),
            ("7.Guidance.1.", vec!["7", "guidance", "1"]),
        ] {
            assert_eq!(components(path), expected, "{path}");
        }
        assert_eq!(key("annex ii"), "annex 2");
        assert_eq!(key("第十二条"), "第12条");
        assert_eq!(key("section 15a"), "section 15a");
    }
}
