//! Finds the English sentences of the crates that a reader may see in the window. Each of them needs a translation in
//! `ui/locales/said.*.json`, where the sentence is the key. A sentence is recognised by its form, so that no programmer
//! has to register it.

use std::collections::BTreeSet;
use syn::buffer::Cursor;
use syn::parse::Parser;

/// The texts between quotation marks in the code.
#[derive(Debug, Default)]
pub struct Literals {
    /// What is told: sentences, the texts of errors, and parts of sentences of three words or more.
    pub told: BTreeSet<String>,
    pub all: BTreeSet<String>,
}

/// Calls whose texts nobody reads: comparisons with what others say, queries, invariants.
const UNREAD: &str = "expect contains starts_with ends_with strip_prefix strip_suffix split_once rsplit_once find \
     match_indices has prepare prepare_cached execute execute_batch query query_row";

/// Macros whose texts nobody reads in the window: what is printed or logged, invariants, data.
const UNREAD_MACROS: &str = "println eprintln print eprint panic unreachable assert assert_eq debug_assert \
     debug_assert_eq concat json error warn info debug trace";

/// Calls that make failures. Their texts are always shown, whatever their form.
const FAILURES: [&str; 3] = ["told", "told_of", "with_advice"];

/// Words of the database's language.
const QUERIES: [&str; 12] = [
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "DELETE ",
    "CREATE ",
    "ALTER ",
    "DROP ",
    "WHERE ",
    "PRAGMA ",
    "ORDER BY ",
    " END;",
    "VALUES ",
];

/// Reads the literals of a source file, leaving out what only tests compile.
pub fn literals(code: &str) -> Result<Literals, String> {
    let mut found = Literals::default();
    let read = |input: syn::parse::ParseStream<'_>| {
        input.step(|cursor| {
            walk(*cursor, false, &mut found);
            let mut end = *cursor;
            while let Some((_, next)) = end.token_tree() {
                end = next;
            }
            Ok(((), end))
        })
    };
    read.parse_str(code)
        .map_err(|problem| problem.to_string())?;
    Ok(found)
}

fn walk(mut cursor: Cursor<'_>, failure: bool, found: &mut Literals) {
    let mut before = [String::new(), String::new()];
    while !cursor.eof() {
        if let Some((sign, next)) = cursor.punct()
            && sign.as_char() == '#'
        {
            cursor = after_attribute(next, found);
            continue;
        }
        if let Some((inside, _, _, next)) = cursor.any_group() {
            let [call, name] = &before;
            // `name!(…)` and `name(…)`.
            let (called, unread) = if name == "!" {
                (call, UNREAD_MACROS)
            } else {
                (name, UNREAD)
            };
            let is_new = call == "Failure" && (name == "new" || name == "invalid");
            if !unread.split_whitespace().any(|unread| unread == called) {
                let makes_one = is_new || FAILURES.contains(&called.as_str());
                walk(inside, failure || makes_one, found);
            }
            before = Default::default();
            cursor = next;
        } else if let Some((literal, next)) = cursor.literal() {
            take(&literal.to_string(), failure, found);
            before = Default::default();
            cursor = next;
        } else if let Some((name, next)) = cursor.ident() {
            before = [std::mem::take(&mut before[1]), name.to_string()];
            cursor = next;
        } else if let Some((sign, next)) = cursor.punct() {
            // Between `Failure` and `new` stand two signs.
            if sign.as_char() == '!' {
                before = [std::mem::take(&mut before[1]), "!".to_owned()];
            } else if sign.as_char() != ':' {
                before = Default::default();
            }
            cursor = next;
        } else if let Some((_, next)) = cursor.token_tree() {
            cursor = next;
        } else {
            break;
        }
    }
}

/// What follows an attribute: behind the whole item if only tests compile it.
fn after_attribute<'c>(mut cursor: Cursor<'c>, found: &mut Literals) -> Cursor<'c> {
    if let Some((sign, next)) = cursor.punct()
        && sign.as_char() == '!'
    {
        cursor = next;
    }
    let Some((inside, _, _, next)) = cursor.any_group() else {
        return cursor;
    };
    let text = inside.token_stream().to_string().replace(' ', "");
    if text.starts_with("error(") {
        walk(inside, true, found);
    }
    if text == "cfg(test)" || text == "test" {
        behind_item(next)
    } else {
        next
    }
}

fn behind_item(mut cursor: Cursor<'_>) -> Cursor<'_> {
    while !cursor.eof() {
        let block = cursor.any_group().and_then(|(_, delimiter, _, next)| {
            (format!("{delimiter:?}") == "Brace").then_some(next)
        });
        if let Some(next) = block {
            return next;
        }
        if let Some((sign, next)) = cursor.punct()
            && sign.as_char() == ';'
        {
            return next;
        }
        match cursor.token_tree() {
            Some((_, next)) => cursor = next,
            None => break,
        }
    }
    cursor
}

fn take(literal: &str, failure: bool, found: &mut Literals) {
    let Ok(text) = syn::parse_str::<syn::LitStr>(literal) else {
        return;
    };
    let key = key(&text.value());
    if is_told(&key) || (failure && words(&key) > 0 && key.contains(' ')) {
        found.told.insert(key.clone());
    }
    found.all.insert(key);
}

/// The key of a text: its gaps with their names, numbered where they have none, without how they are written out.
pub fn key(text: &str) -> String {
    let mut key = String::new();
    let mut number = 0;
    let mut rest = text.trim();
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        key.push_str(before);
        if brace.starts_with("{{") || brace.starts_with("}}") {
            key.push_str(&brace[..2]);
            rest = &brace[2..];
            continue;
        }
        // A brace without its other one is none of a format.
        let Some(length) = brace.find('}').filter(|length| *length > 0) else {
            key.push_str(&brace[..1]);
            rest = &brace[1..];
            continue;
        };
        let name = brace[1..length].split(':').next().unwrap_or_default();
        if name.trim().is_empty() {
            number += 1;
            key.push_str(&format!("{{{number}}}"));
        } else {
            key.push_str(&format!("{{{}}}", name.trim()));
        }
        rest = &brace[length + 1..];
    }
    key + rest
}

/// A key as it is compared: the same sentence stands alone, or within another with a small letter and without its stop.
pub fn folded(key: &str) -> String {
    let key = key.strip_suffix('.').unwrap_or(key);
    let mut chars = key.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_ascii_lowercase().to_string() + chars.as_str()
    })
}

/// Whether a text is a sentence, or at least three words of one.
fn is_told(key: &str) -> bool {
    let outside = without_gaps(key);
    let is_code = QUERIES.iter().any(|query| key.contains(query))
        || ["\n", "</", "/>", "<?", "\\b", "(?", "::"]
            .iter()
            .any(|sign| key.contains(sign));
    if is_code || !key.contains(' ') {
        return false;
    }
    let begins = key.starts_with(|c: char| c.is_uppercase() || c == '“' || c == '{');
    let sentence = begins && key.ends_with(['.', '…', '?', ':']);
    let least = if sentence { 2 } else { 3 };
    words(key) >= least && (sentence || !outside.contains(['<', '>', '=', '$', '#', '|', '\\']))
}

/// How many English words a text has outside its gaps.
fn words(key: &str) -> usize {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        (word.len() > 1 || word == "a")
            && word
                .chars()
                .all(|c| c.is_ascii_alphabetic() || c == '\'' || c == '-')
    };
    without_gaps(key).split_whitespace().filter(is_word).count()
}

fn without_gaps(key: &str) -> String {
    let mut outside = String::new();
    let mut deep = 0_u32;
    for c in key.chars() {
        match c {
            '{' => deep += 1,
            '}' => deep = deep.saturating_sub(1),
            c if deep == 0 => outside.push(c),
            _ => {}
        }
    }
    outside
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, told: &[&str]) {
        let found = literals(code).unwrap().told;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), told);
    }

    #[test]
    fn sentences_are_found_wherever_they_stand() {
        check(
            "fn f() { g(\"The file is empty.\") }",
            &["The file is empty."],
        );
        check(
            "fn f() { format!(\"It has {} of {n:.2} parts.\", x) }",
            &["It has {1} of {n} parts."],
        );
        check("enum E { #[error(\"no key\")] A }", &["no key"]);
        check(
            "fn f() { Failure::new(Code::X, format!(\"RANK={r} is high\"), \"Mend it.\") }",
            &["Mend it.", "RANK={r} is high"],
        );
        check(
            "fn f() { Failure::invalid(\"No name.\", \"Name it\") }",
            &["Name it", "No name."],
        );
        check(
            "reasons! { A = \"a\" : \"too short to ask\" }",
            &["too short to ask"],
        );
    }

    #[test]
    fn what_nobody_reads_is_left_out() {
        check(
            "fn f() { x.contains(\"no such file here\"); println!(\"It is so here.\") }",
            &[],
        );
        check(
            "#[cfg(test)] mod tests { fn f() { g(\"The file is empty.\") } }",
            &[],
        );
        check(
            "/// The file is empty.\nfn f() { g(\"SELECT id FROM t WHERE a = b\") }",
            &[],
        );
        check(
            "#[allow(x, reason = \"it is so in here\")] fn f() { g(\"id\") }",
            &[],
        );
        check(
            "#[cfg(test)] use a::b; fn f() { g(\"It is still read.\") }",
            &["It is still read."],
        );
    }

    #[test]
    fn keys_name_their_gaps() {
        assert_eq!(key("{} of {n:>3}, {:?} {{x}}"), "{1} of {n}, {2} {{x}}");
        assert_eq!(key("{{{}}} is missing: {}"), "{{{1}}} is missing: {2}");
        assert_eq!(folded("The file."), "the file");
    }
}
