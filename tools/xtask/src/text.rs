//! Pages that are there without the program: their words come from the same locale files.

use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The text of a page in the folder `ui` with each `{LOCALE KEY}` replaced by its string.
pub fn fill(ui: &Path, page: &str) -> Result<String> {
    let template = fs::read_to_string(ui.join(page)).with_context(|| page.to_owned())?;
    filled(&template, |locale| {
        let file = ui.join("locales").join(format!("{locale}.json"));
        let strings = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        Ok(serde_json::from_str(&strings)?)
    })
    .with_context(|| page.to_owned())
}

fn filled(template: &str, strings: impl Fn(&str) -> Result<Value>) -> Result<String> {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').context("a { without its }")?;
        let (locale, key) = name
            .split_once(' ')
            .with_context(|| format!("{{{name}}} is no locale and key"))?;
        let strings = strings(locale)?;
        let string = strings
            .get(key)
            .and_then(Value::as_str)
            .with_context(|| format!("{locale} has no {key}"))?;
        text.push_str(&string.replace('&', "&amp;").replace('<', "&lt;"));
        text.push_str(rest);
    }
    Ok(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_come_from_their_locale() {
        let strings = |locale: &str| Ok(json!({ "a.b": format!("1 < 2 & {locale}") }));
        assert_eq!(
            filled("<p>{en a.b}</p>{zh a.b}.", strings).unwrap(),
            "<p>1 &lt; 2 &amp; en</p>1 &lt; 2 &amp; zh."
        );
        for wrong in ["{en a.c}", "{a.b}", "{en a.b"] {
            assert!(filled(wrong, strings).is_err(), "{wrong}");
        }
    }
}
