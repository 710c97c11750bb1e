//! The form of a line of the log, and the values that it may contain.

use std::fmt::{self, Debug};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// The names of the values that a line may have. Be careful with a new one: its value must never be text of a document,
/// a question, an answer, a term, a prompt, a path or a key.
pub const FIELDS: [&str; 35] = [
    "action",    // of a row of the audit chain
    "attempt",   // number of a try
    "bytes",     // a count
    "code",      // of a failure
    "count",     // a count
    "done",      // steps done
    "endpoint",  // its name
    "exit",      // status of a process
    "files",     // a count
    "folders",   // a count
    "form",      // of an answer: schema, object, free
    "format",    // number of a workspace's format
    "from",      // number of the format before
    "host",      // alias of a machine, host of an endpoint
    "kind",      // of a document's format, of a job
    "level",     // of the log
    "lines",     // a count
    "ms",        // milliseconds
    "of",        // steps in all
    "pages",     // a count
    "pid",       // of a process
    "place",     // file and line of our source
    "processor", // of the machine
    "program",   // one of ours
    "read_only", // yes or no
    "retries",   // a count
    "run",       // its number
    "sentences", // a count
    "stage",     // of a use case
    "status",    // of an HTTP answer
    "step",      // of a training
    "system",    // of the machine
    "use_case",  // its name
    "version",   // of a program
    "workspace", // the name of its folder of logs
];

/// The longest word that a value may be.
const LONGEST: usize = 64;
/// The text that replaces a value that is not a single word.
const NO_WORD: &str = "-";

/// A line: time, level, process, crate, a fixed sentence, and values by name.
pub(crate) struct Line;

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        SystemTime.format_time(&mut out)?;
        let about = event.metadata();
        write!(
            out,
            " {:>5} {} {}: ",
            about.level(),
            std::process::id(),
            about.target()
        )?;
        let mut values = Values {
            out: &mut out,
            outcome: Ok(()),
        };
        event.record(&mut values);
        values.outcome?;
        out.write_char('\n')
    }
}

/// Writes the values that may stand in a line, and leaves the others out.
struct Values<'a, 'w> {
    out: &'a mut Writer<'w>,
    outcome: fmt::Result,
}

impl Values<'_, '_> {
    fn put(&mut self, field: &Field, value: &dyn fmt::Display) {
        if self.outcome.is_ok() && FIELDS.contains(&field.name()) {
            self.outcome = write!(self.out, " {}={value}", field.name());
        }
    }
}

impl Visit for Values<'_, '_> {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, &value);
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.put(field, &value);
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.put(field, &value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, &if is_word(value) { value } else { NO_WORD });
    }

    fn record_error(&mut self, _: &Field, _: &(dyn std::error::Error + 'static)) {
        // The words of an error hold what it is about.
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            // The house test sees to it that each sentence is a fixed one.
            if self.outcome.is_ok() {
                self.outcome = write!(self.out, "{value:?}");
            }
        } else {
            self.record_str(field, &format!("{value:?}"));
        }
    }
}

/// Whether a value is a word that names something: no blank, no line break, not long.
pub fn is_word(value: &str) -> bool {
    let named = |c: char| c.is_alphanumeric() || "._-:/+#@".contains(c);
    !value.is_empty() && value.chars().count() <= LONGEST && value.chars().all(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_sorted_and_none_comes_twice() {
        assert!(FIELDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn words_name_something_and_sentences_do_not() {
        for (value, expected) in [
            ("terms.extract", true),
            ("gpu-box_2", true),
            ("ingest/src/parser.rs:41:9", true),
            ("公司", true),
            ("", false),
            ("two words", false),
            ("line\nbreak", false),
            ("a=b", false),
        ] {
            assert_eq!(is_word(value), expected, "{value:?}");
        }
        assert!(!is_word(&"a".repeat(LONGEST + 1)));
    }
}
