//! Pairs of a term's contexts, a JSON object a line.

use super::json::object;
use lexforge_domain::exam::TermInContext;
use lexforge_text::fold::{letters, tidy};
use serde_json::{Map, Value};

/// The pairs of a file, each with its line.
pub(super) fn lines(text: &str) -> Vec<(u64, Result<TermInContext, String>)> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, pair(line)))
        .collect()
}

fn pair(line: &str) -> Result<TermInContext, String> {
    let object = object(line)?;
    let needed = |name: &str| {
        text(&object, name)?.ok_or_else(|| format!("It has no \"{name}\", or an empty one."))
    };
    let pair = TermInContext {
        term: needed("term")?,
        shown_in: text(&object, "shown_in")?,
        context_pos: needed("context_pos")?,
        context_neg: needed("context_neg")?,
        label: label(&object)?,
        act: text(&object, "act")?,
    };
    let term = letters(&pair.term);
    if letters(&pair.context_pos) == letters(&pair.context_neg) {
        return Err("Its two contexts are the same.".to_owned());
    }
    let shown = pair.shown_in.as_deref().map(|text| ("shown_in", text));
    let contexts = [
        ("context_pos", pair.context_pos.as_str()),
        ("context_neg", pair.context_neg.as_str()),
    ];
    let lacking = contexts
        .into_iter()
        .chain(shown)
        .find(|(_, text)| !letters(text).contains(&term));
    match lacking {
        Some((name, _)) => Err(format!("Its \"{name}\" lacks the term “{}”.", pair.term)),
        None => Ok(pair),
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(tidy(text)).filter(|text| !text.is_empty())),
        Some(_) => Err(format!("Its \"{name}\" is no text.")),
    }
}

/// At which place the right context is shown; the first where nothing is said.
fn label(object: &Map<String, Value>) -> Result<usize, String> {
    match object.get("label") {
        None | Some(Value::Null) => Ok(0),
        Some(value) => match value.as_u64() {
            Some(place @ (0 | 1)) => Ok(place as usize),
            _ => Err("Its \"label\" is neither 0 nor 1.".to_owned()),
        },
    }
}
