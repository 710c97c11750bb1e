//! One style sheet from the parts in `ui/style`.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The parts that others build on, in order; every other sheet of the folder follows by name.
const FIRST: [&str; 6] = [
    "tokens.css",
    "base.css",
    "shell.css",
    "controls.css",
    "data.css",
    "feedback.css",
];

/// The text of all style sheets, in the order in which they cascade.
pub fn gather(folder: &Path) -> Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".css") {
            names.push(name);
        }
    }
    names.sort_by_key(|name| {
        (
            FIRST.iter().position(|f| f == name).unwrap_or(FIRST.len()),
            name.clone(),
        )
    });
    let mut sheet = String::new();
    for name in names {
        sheet.push_str(&fs::read_to_string(folder.join(&name)).with_context(|| name.clone())?);
        sheet.push('\n');
    }
    Ok(sheet)
}
