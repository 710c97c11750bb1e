//! Checks what a log may contain: fixed sentences, and values with known names. So no text of a document can get into a
//! log by mistake, at any level.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

const MACROS: [&str; 5] = ["trace", "debug", "info", "warn", "error"];

/// The lines of a source that write to the log.
#[derive(Debug, Default)]
pub struct Logged {
    pub lines: usize,
    /// The faults of these lines.
    pub problems: Vec<String>,
}

/// Reads the lines that a source says to the log; `fields` are the names that values may have.
pub fn logged(code: &str, fields: &[&str]) -> Result<Logged, String> {
    let tokens: TokenStream = code.parse().map_err(|problem| format!("{problem}"))?;
    let mut found = Logged::default();
    walk(tokens, fields, &mut found);
    Ok(found)
}

fn walk(tokens: TokenStream, fields: &[&str], found: &mut Logged) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let TokenTree::Group(group) = token else {
            continue;
        };
        if is_for_tests(group) {
            at = behind_item(&tokens, at);
            continue;
        }
        match at.checked_sub(3).map(|from| &tokens[from..at - 1]) {
            Some([TokenTree::Ident(name), TokenTree::Punct(sign)])
                if sign.as_char() == '!' && MACROS.iter().any(|m| name == m) =>
            {
                found.lines += 1;
                line(group.stream(), fields, &mut found.problems);
            }
            _ => walk(group.stream(), fields, found),
        }
    }
}

/// `[cfg(test)]`, as it is in an attribute.
fn is_for_tests(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && group.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// Where the item ends that begins there.
fn behind_item(tokens: &[TokenTree], from: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(sign) => sign.as_char() == ';',
        _ => false,
    };
    let length = tokens[from..].iter().position(ends);
    length.map_or(tokens.len(), |length| from + length + 1)
}

/// A line: values, then the sentence.
fn line(tokens: TokenStream, fields: &[&str], found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
    let mut parts: Vec<&[TokenTree]> = tokens.split(is_comma).filter(|p| !p.is_empty()).collect();
    let shown = || tokens.iter().cloned().collect::<TokenStream>().to_string();
    match parts.pop() {
        Some([TokenTree::Literal(sentence)]) if is_fixed(&sentence.to_string()) => {}
        _ => found.push(format!(
            "it does not end with a fixed sentence: {}",
            shown()
        )),
    }
    for part in parts {
        match name_of(part) {
            Some(name) if fields.contains(&name.as_str()) => {}
            Some(name) => found.push(format!("{name} has no place in the log: {}", shown())),
            None => found.push(format!("a value has no name: {}", shown())),
        }
    }
}

/// A text between quotation marks in which nothing is put.
fn is_fixed(literal: &str) -> bool {
    literal.starts_with('"') && !literal.contains('{')
}

/// `name`, `?name`, `%name`, or `name = value`.
fn name_of(part: &[TokenTree]) -> Option<String> {
    let part = match part {
        [TokenTree::Punct(sign), rest @ ..] if matches!(sign.as_char(), '?' | '%') => rest,
        part => part,
    };
    match part {
        [TokenTree::Ident(name)] => Some(name.to_string()),
        [TokenTree::Ident(name), TokenTree::Punct(sign), ..] if sign.as_char() == '=' => {
            Some(name.to_string())
        }
        // `target: …` would say the line in the name of somebody else.
        [TokenTree::Ident(name), TokenTree::Punct(sign), ..] if sign.as_char() == ':' => {
            Some(format!("{name}:"))
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            name_of(&inside)
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let fields = ["ms", "code", "stage"];
        for (line, expected) in [
            ("info!(\"begins\")", 0),
            (
                "tracing::warn!(ms, code = failure.code.tag(), ?stage, \"failed\")",
                0,
            ),
            ("info!(ms = began.elapsed(), \"done\",)", 0),
            ("info!(\"read {name}\")", 1),
            ("info!(\"read {}\", name)", 2),
            ("info!(sentence, \"read\")", 1),
            ("info!(%error, \"failed\")", 1),
            ("error!(target: \"x\", \"failed\")", 1),
            ("info!(failure.message, \"failed\")", 1),
            ("info!(ms)", 1),
            ("println!(\"{x}\")", 0),
        ] {
            let code = format!("fn f() {{ if x {{ {line}; }} }}");
            let found = logged(&code, &fields).unwrap();
            assert_eq!(found.problems.len(), expected, "{line}: {found:?}");
            assert_eq!(found.lines, usize::from(!line.starts_with("println")));
            let tested = format!("impl X {{ #[cfg(test)] fn g() {{ {line}; }} {code} }}");
            assert_eq!(logged(&tested, &fields).unwrap().lines, found.lines);
        }
    }
}
