//! Dependencies that nothing uses, and licences that the product cannot carry.

/// Dependencies that a manifest may name although the code does not use them. `torch-sys` tells our build script where
/// libtorch is, but only if it is a direct dependency.
const USED_BY_BUILD_METADATA: [&str; 1] = ["torch-sys"];

/// Whether `code` (Rust source) names the crate `name` as a word, in any of the ways in which code can.
pub fn names_crate(code: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(&name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The dependencies (`name in code`) of one package that none of its sources names.
pub fn unused<'a>(
    dependencies: impl IntoIterator<Item = &'a str>,
    sources: &[String],
) -> Vec<String> {
    dependencies
        .into_iter()
        .filter(|name| !USED_BY_BUILD_METADATA.contains(name))
        .filter(|name| !sources.iter().any(|code| names_crate(code, name)))
        .map(str::to_owned)
        .collect()
}

/// Licences under which the product may carry a crate: permissive ones, and MPL-2.0, which binds only its own files.
const CARRIED: [&str; 18] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "WTFPL",
    "Zlib",
    // SQLite is given away so.
    "blessing",
];

/// Whether an SPDX expression lets us choose licences that we may carry.
pub fn may_carry(expression: &str) -> bool {
    // Alternatives in brackets next to AND are read as if the brackets were not there after splitting at AND.
    let plain = expression.replace('/', " OR ");
    let parts: Vec<&str> = split_outside_brackets(&plain, " AND ");
    if parts.len() > 1 {
        return parts.iter().all(|part| may_carry(part));
    }
    let alternatives = split_outside_brackets(&plain, " OR ");
    if alternatives.len() > 1 {
        return alternatives.iter().any(|part| may_carry(part));
    }
    let single = plain.trim();
    match single
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
    {
        Some(inner) => may_carry(inner),
        None => CARRIED.contains(&single),
    }
}

fn split_outside_brackets<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 && text[at..].starts_with(separator) => {
                parts.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_found_as_words() {
        for (code, name, expected) in [
            ("use serde_json::json;", "serde-json", true),
            ("#[derive(serde::Serialize)]", "serde", true),
            ("use serde_json::json;", "serde", false),
            ("let my_hex = 1;", "hex", false),
            ("hex::encode(x)", "hex", true),
        ] {
            assert_eq!(names_crate(code, name), expected, "{name} in {code}");
        }
        let sources = ["use a::b;".to_owned(), "fn main() { c_d::e() }".to_owned()];
        assert_eq!(
            unused(["a", "c-d", "torch-sys", "gone"], &sources),
            ["gone"]
        );
    }

    #[test]
    fn licences_are_weighed() {
        for (expression, expected) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0", false),
            ("LGPL-2.1-or-later OR MIT", true),
            ("MIT AND GPL-2.0", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR GPL-2.0) AND LGPL-3.0", false),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("AGPL-3.0-only", false),
        ] {
            assert_eq!(may_carry(expression), expected, "{expression}");
        }
    }
}
