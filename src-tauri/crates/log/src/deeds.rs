//! Use cases in the log: when they begin and end, how long they take, and by which code they fail.

use lexforge_domain::Failure;
use lexforge_domain::api::Stage;
use std::cell::Cell;
use std::time::{Duration, Instant};
use tracing::{debug, info, trace, warn};

/// From then on a glance is worth a line.
const LONG: Duration = Duration::from_secs(1);

thread_local! {
    /// How far the use case of this thread is.
    static STAGE: Cell<Option<Stage>> = const { Cell::new(None) };
}

/// Says how far a use case is: where it fails, the log says at which stage.
pub fn at_stage(stage: Stage, done: u64, of: u64) {
    if STAGE.replace(Some(stage)) == Some(stage) {
        trace!(?stage, done, of, "goes on");
    } else {
        debug!(?stage, of, "begins a stage");
    }
}

/// A use case that somebody asked for.
#[must_use]
pub struct Deed {
    name: String,
    began: Instant,
    glance: bool,
}

impl Deed {
    /// A command or a job begins.
    pub fn begin(name: impl Into<String>) -> Self {
        let deed = Self::of(name, false);
        info!(use_case = deed.name.as_str(), "begins");
        deed
    }

    /// Something is looked at: it has lines where it takes long or fails, or where everything is logged.
    pub fn glance(name: impl Into<String>) -> Self {
        let deed = Self::of(name, true);
        trace!(use_case = deed.name.as_str(), "looks");
        deed
    }

    fn of(name: impl Into<String>, glance: bool) -> Self {
        STAGE.set(None);
        Self {
            name: name.into(),
            began: Instant::now(),
            glance,
        }
    }

    /// It ends like this.
    pub fn end<T>(self, outcome: &Result<T, Failure>) {
        self.ended(outcome.as_ref().err(), STAGE.take());
    }

    fn ended(self, failure: Option<&Failure>, stage: Option<Stage>) {
        let took = self.began.elapsed();
        let (use_case, ms) = (self.name.as_str(), took.as_millis());
        match (failure, stage) {
            (Some(failure), Some(stage)) => {
                warn!(use_case, ms, code = failure.code.tag(), ?stage, "failed");
            }
            (Some(failure), None) => warn!(use_case, ms, code = failure.code.tag(), "failed"),
            (None, _) if self.glance && took < LONG => debug!(use_case, ms, "looked"),
            (None, _) => info!(use_case, ms, "done"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::level::set_level;
    use crate::place::subscriber;
    use lexforge_domain::Code;
    use lexforge_domain::api::LogLevel;
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use tracing::error;

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

    /// The level is one of the process, so that only one test sets it at a time.
    static ALONE: Mutex<()> = Mutex::new(());

    fn logged(level: LogLevel, deeds: impl FnOnce()) -> String {
        let _alone = ALONE.lock().unwrap();
        let lines = Lines::default();
        let writer = lines.clone();
        tracing::subscriber::with_default(subscriber(move || writer.clone()), || {
            set_level(level);
            deeds();
        });
        set_level(LogLevel::Info);
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    fn failure() -> Failure {
        Failure::new(
            Code::Damaged,
            "Secret plan.pdf is damaged.",
            "Get it again.",
        )
    }

    #[test]
    fn a_use_case_has_a_beginning_an_end_a_time_and_a_code_and_no_words() {
        let text = logged(LogLevel::Info, || {
            let deed = Deed::begin("import");
            at_stage(Stage::Import, 1, 2);
            deed.end(&Err::<(), _>(failure()));
            Deed::begin("prepare").end(&Ok(()));
        });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[0].ends_with("begins use_case=import"), "{text}");
        assert!(lines[1].contains(" WARN ") && lines[1].contains("code=damaged stage=Import"));
        assert!(lines[3].contains("done use_case=prepare ms="), "{text}");
        assert!(!text.contains("Secret"), "{text}");
    }

    #[test]
    fn glances_stand_in_it_only_where_they_say_something() {
        let glances = || {
            Deed::glance("Page").end(&Ok(()));
            Deed::glance("Documents").end(&Err::<(), _>(failure()));
        };
        let counted = |level| logged(level, glances).lines().count();
        assert_eq!(counted(LogLevel::Off), 0);
        assert_eq!(counted(LogLevel::Info), 1);
        assert_eq!(counted(LogLevel::Debug), 2);
        assert_eq!(counted(LogLevel::Trace), 4);
    }

    #[test]
    fn what_libraries_say_and_what_has_no_place_is_left_out() {
        let text = logged(LogLevel::Trace, || {
            error!(target: "hyper", "GET /private");
            let error = std::io::Error::other("private words");
            info!(
                sentence = "private",
                code = "private words",
                error = &error as &dyn std::error::Error,
                count = 3,
                "a line"
            );
        });
        assert!(text.ends_with("a line code=- count=3\n"), "{text}");
        assert!(!text.contains("private"), "{text}");
    }
}
