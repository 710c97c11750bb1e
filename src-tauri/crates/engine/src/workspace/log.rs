//! The log of a program, for whoever is asked for support: what was asked of it, how long it took, and by which code it
//! failed. No text of a document, no name of a file, no question and no key goes into it: its lines are made here alone, of
//! the names of commands, of times and of codes.

use super::result::Result;
use super::user_folder::{own_folder, user_folder};
use lexforge_domain::{Code, Failure};
use std::path::PathBuf;
use std::time::Duration;
use tracing::{Level, Subscriber, debug, error, info, warn};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;

/// Variable by which glances are logged, too: `LEXFORGE_LOG=debug`.
const LEVEL_ENV: &str = "LEXFORGE_LOG";
/// Days that are kept, a file each.
const DAYS: usize = 14;
/// From then on a glance is worth a line.
const LONG: Duration = Duration::from_secs(1);

/// The folder of the logs of the user who runs the program.
pub(crate) fn log_folder() -> PathBuf {
    user_folder().join("logs")
}

/// Begins the log of a program, a file a day. The first call of a process counts.
///
/// # Errors
/// Where the folder of the logs cannot be made or written. The program can do without.
pub fn begin_log(program: &'static str) -> Result<()> {
    let folder = log_folder();
    own_folder(&folder)?;
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .max_log_files(DAYS)
        .filename_prefix(program)
        .filename_suffix("log")
        .build(&folder)
        .map_err(|error| {
            Failure::new(
                Code::ReadOnly,
                format!("No log can be written to {}: {error}.", folder.display()),
                "Check that you may write there, or name another folder by LEXFORGE_STATE.",
            )
        })?;
    let level = if std::env::var(LEVEL_ENV).is_ok_and(|wanted| wanted == "debug") {
        Level::DEBUG
    } else {
        Level::INFO
    };
    if tracing::subscriber::set_global_default(subscriber(file, level)).is_ok() {
        let version = env!("CARGO_PKG_VERSION");
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        info!(program, version, system, processor, "begins");
        log_panics();
    }
    Ok(())
}

/// Takes our own lines alone: what libraries say may hold what they were given.
fn subscriber<W>(writer: W, level: Level) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(false)
        .with_target(false);
    let ours = filter_fn(move |line| {
        line.target().starts_with(env!("CARGO_CRATE_NAME")) && *line.level() <= level
    });
    tracing_subscriber::registry().with(lines.with_filter(ours))
}

/// Where a program broke off; not with which words, which may be those of a document.
fn log_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |about| {
        let place = about.location().map(ToString::to_string);
        error!(place = place.as_deref().unwrap_or("not known"), "broke off");
        usual(about);
    }));
}

/// Logs something that a person had done: a command, a job.
pub fn log_deed(name: &str, took: Duration, failure: Option<&Failure>) {
    let ms = took.as_millis();
    match failure {
        Some(failure) => warn!(ms, code = failure.code.tag(), "{name}"),
        None => info!(ms, "{name}"),
    }
}

/// Logs something that was only looked at: where it took long or failed, or where everything is to be logged.
pub fn log_glance(name: &str, took: Duration, failure: Option<&Failure>) {
    if failure.is_some() || took >= LONG {
        log_deed(name, took, failure);
    } else {
        debug!(ms = took.as_millis(), "{name}");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn logged(level: Level, deeds: impl FnOnce()) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        tracing::subscriber::with_default(subscriber(move || writer.clone(), level), deeds);
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_line_has_a_name_a_time_and_a_code_and_no_words() {
        let failure = Failure::new(
            Code::Damaged,
            "Secret plan.pdf is damaged.",
            "Get it again.",
        );
        let text = logged(Level::INFO, || {
            log_deed("Import", Duration::from_millis(7), Some(&failure));
            log_deed("Prepare", Duration::from_millis(8), None);
        });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains("WARN") && lines[0].contains("Import"));
        assert!(lines[0].contains("ms=7") && lines[0].contains("code=\"damaged\""));
        assert!(!text.contains("Secret"), "{text}");
    }

    #[test]
    fn glances_stand_in_it_only_where_they_say_something() {
        let glances = || {
            log_glance("Page", Duration::from_millis(3), None);
            log_glance("Documents", Duration::from_secs(2), None);
        };
        assert_eq!(logged(Level::INFO, glances).lines().count(), 1);
        assert_eq!(logged(Level::DEBUG, glances).lines().count(), 2);
    }

    #[test]
    fn what_libraries_say_is_left_out() {
        let text = logged(Level::DEBUG, || {
            error!(target: "hyper", "GET /private");
        });
        assert_eq!(text, "");
    }
}
