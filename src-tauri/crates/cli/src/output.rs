//! Printing results and failures.

use lexforge_domain::Failure;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// What a verb returns.
pub type Outcome = Result<ExitCode, Failure>;

/// Standard output, as text or as JSON.
pub struct Output {
    /// JSON was asked for.
    pub json: bool,
}

impl Output {
    /// One JSON document, or the text that a person reads.
    pub fn document<T: Serialize>(&self, value: &T, text: impl FnOnce() -> String) {
        if self.json {
            self.line(value);
        } else {
            print(&text());
        }
    }

    /// One line of JSON of a stream.
    pub fn line<T: Serialize>(&self, value: &T) {
        match serde_json::to_string(value) {
            Ok(json) => print(&json),
            Err(e) => eprintln!("error: the result cannot be written as JSON: {e}"),
        }
    }

    /// A stream: a JSON line each, or a text line each.
    pub fn rows<T: Serialize>(&self, rows: &[T], text: impl Fn(&T) -> String) {
        for row in rows {
            if self.json {
                self.line(row);
            } else {
                print(&text(row));
            }
        }
    }

    /// A failure: what happened, why, what to do. With `--json` also as a document on standard output.
    pub fn failure(&self, failure: &Failure) {
        if self.json {
            self.line(&serde_json::json!({ "error": failure }));
        }
        eprintln!("error[{}]: {failure}", failure.code.tag());
        if !failure.hint.is_empty() {
            eprintln!("hint: {}", failure.hint);
        }
    }
}

/// A line on standard output. A reader that has gone (`| head`) ends the program quietly.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").is_err() {
        std::process::exit(0);
    }
}

/// Exit code 0.
pub fn done() -> Outcome {
    Ok(ExitCode::SUCCESS)
}

/// A count with thousands separated: `4,218`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// A share without its leading zero: `.868`, `1.000`, `−.021`.
pub fn share(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    let text = text.strip_prefix('0').unwrap_or(&text);
    if value < 0.0 && text != ".000" { format!("−{text}") } else { text.to_owned() }
}

/// An interval: `.868 [.858, .878]`.
pub fn interval(value: f64, bounds: [f64; 2]) -> String {
    format!("{} [{}, {}]", share(value), share(bounds[0]), share(bounds[1]))
}

/// A p-value: `p .021`, `p < .001`.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "p < .001".to_owned() } else { format!("p {}", share(p)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_as_the_window_writes_them() {
        for (n, expected) in [(0, "0"), (999, "999"), (4218, "4,218"), (1_234_567, "1,234,567")] {
            assert_eq!(count(n), expected);
        }
        for (v, expected) in [(0.868, ".868"), (1.0, "1.000"), (-0.0211, "−.021"), (-0.0001, ".000"), (0.0, ".000")] {
            assert_eq!(share(v), expected);
        }
        for (p, expected) in [(0.0005, "p < .001"), (0.0211, "p .021"), (1.0, "p 1.000")] {
            assert_eq!(p_value(p), expected);
        }
    }
}
