//! What a request for support needs, as one file: versions, checks, settings and logs, and no content.

use super::doctor::doctor;
use crate::workspace::{Result, io_failure, log_folder, package};
use lexforge_domain::api::{Check, SupportPart};
use lexforge_domain::{Code, Failure};
use std::fs;
use std::path::Path;

/// The newest bytes of a log that go along.
const LOG: usize = 4 << 20;

/// Writes what a request for support needs to a new file, and says what is in it.
///
/// # Errors
/// Where something stands at the path already, or it cannot be written.
pub fn write_support(path: &Path) -> Result<Vec<SupportPart>> {
    let home = std::env::home_dir().map(|home| home.display().to_string());
    let hidden = |text: String| match &home {
        // The name of the user is nobody's business there.
        Some(home) if home.len() > 1 => text.replace(home.as_str(), "~"),
        _ => text,
    };
    let mut parts = vec![
        ("versions.txt".to_owned(), versions()),
        ("checks.txt".to_owned(), hidden(checks(&doctor()))),
    ];
    for (name, text) in logs() {
        parts.push((format!("logs/{name}"), hidden(text)));
    }
    let named: Vec<(&str, &str)> = parts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let bytes = package(&named).ok_or_else(|| {
        Failure::new(
            Code::TooLarge,
            "The logs are larger than an archive can be.",
            "Remove old logs, then try again.",
        )
    })?;
    let mut file = fs::File::create_new(path).map_err(|e| io_failure(&e, path))?;
    std::io::Write::write_all(&mut file, &bytes).map_err(|e| io_failure(&e, path))?;
    Ok(parts
        .into_iter()
        .map(|(name, text)| SupportPart {
            name,
            bytes: text.len() as u64,
        })
        .collect())
}

fn versions() -> String {
    format!(
        "Lexforge {}\nsystem {}\nprocessor {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

fn checks(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let state = if check.ok { "ok" } else { "missing" };
        format!(
            "{state}\t{}\t{}\t{}\n",
            check.check, check.found, check.remedy
        )
    };
    checks.iter().map(line).collect()
}

/// The logs by name, each from its newest lines. What cannot be read is named instead.
fn logs() -> Vec<(String, String)> {
    let Ok(folder) = fs::read_dir(log_folder()) else {
        return vec![("none.txt".to_owned(), "There are no logs.\n".to_owned())];
    };
    let mut logs: Vec<(String, String)> = folder
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "log"))
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let text = match fs::read(&path) {
                Ok(bytes) => newest(&bytes),
                Err(error) => format!("It cannot be read: {error}.\n"),
            };
            Some((name, text))
        })
        .collect();
    logs.sort();
    logs
}

fn newest(bytes: &[u8]) -> String {
    let from = bytes.len().saturating_sub(LOG);
    let text = String::from_utf8_lossy(&bytes[from..]);
    match text.split_once('\n') {
        // The first line is cut.
        Some((_, rest)) if from > 0 => rest.to_owned(),
        _ => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_log_the_newest_whole_lines_go_along() {
        assert_eq!(newest(b"one\ntwo\n"), "one\ntwo\n");
        let long = [vec![b'a'; LOG], b"\nlast\n".to_vec()].concat();
        assert_eq!(newest(&long), "last\n");
    }
}
