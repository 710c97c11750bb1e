//! Prints results and failures. Except for the line of progress, the command line writes nothing else to the terminal.
//! Other people's text (names, titles, sentences, answers, output of other programs) passes through here, and every
//! character that would act on the terminal is shown by its number.

pub use lexforge_domain::decimals::share;
pub use lexforge_domain::grouped::grouped as count;

use lexforge_domain::shown::{on_one_line, visible};
use lexforge_domain::{Failure, decimals};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The result of a command.
pub type Outcome = Result<ExitCode, Failure>;

/// The character between the pages of a text.
const PAGE_END: &str = "\u{c}";

/// What a person sees between two cells of a row, which a tab parts in the text.
const CELL_END: &str = " | ";

/// Standard output, as text or as JSON.
pub struct Output {
    /// JSON was asked for.
    pub json: bool,
}

impl Output {
    /// Prints one JSON document, or the text for a person. If a text of the value has several lines, it is written on
    /// one line, so that it cannot be mistaken for lines of the program.
    pub fn document<T: Serialize>(&self, value: &T, text: impl FnOnce() -> String) {
        if self.json {
            self.line(value);
        } else {
            print(&on_lines_of_ours(value, text()));
        }
    }

    /// As [`Output::document`] where the text is to be read as it was written, line by line and page by page.
    pub fn verbatim<T: Serialize>(&self, value: &T, text: impl FnOnce() -> String) {
        if self.json {
            self.line(value);
        } else {
            let text = text();
            let pages: Vec<Cow<'_, str>> = text.split(PAGE_END).map(visible).collect();
            write_line(&pages.join(PAGE_END));
        }
    }

    /// One line of JSON of a stream.
    pub fn line<T: Serialize>(&self, value: &T) {
        match serde_json::to_string(value) {
            Ok(json) => write_line(&without_controls(&json)),
            Err(e) => tell(&format!("error: the result cannot be written as JSON: {e}")),
        }
    }

    /// A stream: one line each, as JSON or as text. If there are no lines, people read `none`: what is missing, and how
    /// to get it.
    pub fn rows<T: Serialize>(&self, rows: &[T], none: &str, text: impl Fn(&T) -> String) {
        if rows.is_empty() && !self.json {
            tell(none);
        }
        for row in rows {
            if self.json {
                self.line(row);
            } else {
                print(&on_lines_of_ours(row, text(row)));
            }
        }
    }

    /// A failure: what happened, why, what to do. With `--json` also as a document on standard output.
    pub fn failure(&self, failure: &Failure) {
        let failure = &Failure {
            hint: crate::remedies::hint(failure),
            ..failure.clone()
        };
        if self.json {
            self.line(&serde_json::json!({ "error": failure }));
        }
        // Messages of other programs may have several lines. They are indented, so that they do not look like lines of
        // this program.
        let told = |text: String| text.replace('\n', "\n  ");
        let message = Failure {
            file: failure.file.as_deref().map(|f| on_one_line(f).into_owned()),
            ..failure.clone()
        };
        tell(&told(format!("error[{}]: {message}", failure.code.tag())));
        if !failure.hint.is_empty() {
            tell(&told(format!("hint: {}", failure.hint)));
        }
    }
}

/// Text on standard output.
pub fn print(text: &str) {
    write_line(&visible(text));
}

/// Text on standard error, beside the result.
pub fn tell(text: &str) {
    // If standard error is closed, the message is lost.
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// A question on standard error, whose answer is typed behind it.
pub fn ask(text: &str) {
    let mut err = std::io::stderr().lock();
    // If the terminal is gone, there is no answer, and this counts as no.
    let _ = write!(err, "{} ", on_one_line(text)).and_then(|()| err.flush());
}

/// A line on standard output. If the reader has closed the pipe (`| head`), the program ends without a message. If the
/// result cannot be written (a full disk), this is a failure.
fn write_line(text: &str) {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => {
            tell(&format!(
                "error: the result cannot be written: {e}\nhint: make room where it goes, or let it go elsewhere; what was \
                 done in the workspace is kept"
            ));
            std::process::exit(1);
        }
    }
}

/// A text in which no value is spread over several lines.
fn on_lines_of_ours<T: Serialize>(value: &T, text: String) -> String {
    let mut spread = Vec::new();
    // A value that is no JSON has been told about in the one way or is told so in the other.
    if let Ok(value) = serde_json::to_value(value) {
        collect_spread(&value, &mut spread);
    }
    // The longest first: one may stand within another.
    spread.sort_by_key(|s: &String| std::cmp::Reverse(s.len()));
    spread.dedup();
    spread.iter().fold(text, |text, value| {
        text.replace(value.as_str(), &on_one_line(&value.replace('\t', CELL_END)))
    })
}

/// The texts of a value that hold line feeds or tabs.
fn collect_spread(value: &serde_json::Value, spread: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text)
            if text.contains(['\n', '\t']) && !text.trim().is_empty() =>
        {
            spread.push(text.clone());
        }
        serde_json::Value::Array(values) => values.iter().for_each(|v| collect_spread(v, spread)),
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                collect_spread(&serde_json::Value::from(name.as_str()), spread);
                collect_spread(value, spread);
            }
        }
        _ => {}
    }
}

/// JSON without raw control characters. Terminals obey even those that JSON allows within strings; an escape means the
/// same to a reader of the JSON.
fn without_controls(json: &str) -> Cow<'_, str> {
    if !json.chars().any(char::is_control) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if c.is_control() {
            // Writing into a String does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Exit code 0.
pub fn done() -> Outcome {
    Ok(ExitCode::SUCCESS)
}

/// A count with its noun, which takes an s unless there is one: `1 page`, `4,218 pages`.
pub fn counted(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{} {noun}s", count(n)),
    }
}

/// Where a file is, from the root on: who reads it later may be in another folder.
pub fn in_full(path: &Path) -> String {
    let whole = std::path::absolute(path);
    whole.as_deref().unwrap_or(path).display().to_string()
}

/// A text as one word of a shell, for a command that is to be copied: in quotes where the shell would cut or change it.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// An interval: `.868 [.858, .878]`.
pub fn interval(value: f64, bounds: [f64; 2]) -> String {
    format!(
        "{} [{}, {}]",
        share(value),
        share(bounds[0]),
        share(bounds[1])
    )
}

/// A p-value: `p .021`, `p < .001`.
pub fn p_value(p: f64) -> String {
    format!("p {}", decimals::p_value(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_the_root_on() {
        let whole = std::env::current_dir().map(|here| here.join("out.csv"));
        let whole = whole.unwrap_or_default();
        assert_eq!(in_full(Path::new("out.csv")), whole.display().to_string());
        assert_eq!(in_full(&whole), whole.display().to_string());
    }

    #[test]
    fn no_value_looks_like_a_line_of_ours() {
        let value = serde_json::json!({ "title": "Rules\n! all is well", "of": ["Rules\n! all is well\ttwice"], "n": 1 });
        let text = "Rules\n! all is well, then Rules\n! all is well\ttwice\n  1 page".to_owned();
        assert_eq!(
            on_lines_of_ours(&value, text),
            "Rules\\n! all is well, then Rules\\n! all is well | twice\n  1 page"
        );
    }

    #[test]
    fn json_holds_no_control_character_and_says_the_same() {
        let text = "a\u{1b}[31m\u{7f}\u{9b}31m\n\u{202e}b";
        let json = serde_json::to_string(text).unwrap_or_default();
        let escaped = without_controls(&json);
        assert!(!escaped.chars().any(char::is_control), "{escaped}");
        assert_eq!(
            serde_json::from_str::<String>(&escaped).ok().as_deref(),
            Some(text)
        );
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1u32, "page"), "1 page");
        assert_eq!(counted(0u32, "page"), "0 pages");
        assert_eq!(counted(4218u64, "sentence"), "4,218 sentences");
    }

    #[test]
    fn a_word_for_a_shell_stays_one_word() {
        for (text, expected) in [
            ("bank.lexforge", "bank.lexforge"),
            ("/srv/合规/bank.lexforge", "/srv/合规/bank.lexforge"),
            ("my bank.lexforge", "'my bank.lexforge'"),
            ("it's; rm", r"'it'\''s; rm'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
        ] {
            assert_eq!(word(text), expected);
        }
    }

    #[test]
    fn figures_are_written_as_the_window_writes_them() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (4218, "4,218"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(n), expected);
        }
        assert_eq!(interval(0.868, [-0.0211, 1.0]), ".868 [−.021, 1.000]");
        assert_eq!(p_value(0.0005), "p < .001");
        assert_eq!(p_value(0.0496), "p .0496");
    }
}
