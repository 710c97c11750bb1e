//! Progress on standard error (after the crate indicatif on a terminal), and Ctrl-C.

use crate::answer_text::many;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lexforge_domain::RunId;
use lexforge_domain::api::{AnswerSoFar, ImportReport, Progress};
use lexforge_domain::endpoint::AskProgress;
use lexforge_domain::protocol::{Event, JobEvent};
use lexforge_domain::shown::on_one_line;
use lexforge_engine::Watcher;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a line of progress looks on a terminal: never wider than it, with a bar where the end is known.
const OPEN: &str = "{wide_msg}";
const BAR: &str = "{bar:10} {wide_msg}";

/// Shows progress on standard error: one line rewritten on a terminal, few plain lines elsewhere.
pub struct Terminal {
    events_as_json: bool,
    shown: Mutex<Shown>,
    /// What an import had done that ended early.
    cut_short: Mutex<Option<ImportReport>>,
}

struct Shown {
    what: String,
    /// When the last plain line was written.
    at: Option<Instant>,
    /// The line that is rewritten.
    line: Option<ProgressBar>,
    /// The place of that line. It is hidden if a line cannot be rewritten there: a file, a pipe, a dumb terminal.
    target: Box<dyn Fn() -> ProgressDrawTarget + Send>,
    /// The output for plain lines.
    plain: Box<dyn Write + Send>,
}

impl Terminal {
    /// A watcher on standard error. The first Ctrl-C asks the use case to end at its next safe point, the second ends
    /// the program.
    pub fn new(events_as_json: bool) -> Self {
        // A handler that exists already was set by this program.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        let shown = Shown {
            what: String::new(),
            at: None,
            line: None,
            target: Box::new(|| ProgressDrawTarget::stderr_with_hz(10)),
            plain: Box::new(std::io::stderr()),
        };
        Self {
            events_as_json,
            shown: Mutex::new(shown),
            cut_short: Mutex::new(None),
        }
    }

    /// What an import had done that ended early.
    pub fn imported_so_far(&self) -> Option<ImportReport> {
        self.cut_short.lock().ok()?.take()
    }

    fn show(&self, what: &str, text: &str, work: Option<(u64, u64)>) {
        if let Ok(mut shown) = self.shown.lock() {
            shown.show(what, text, work);
        }
    }

    /// Hands on what came of some work, after ending the line that its progress was shown on.
    pub fn finished<T>(&self, outcome: T) -> T {
        self.finish();
        outcome
    }

    /// End the line that progress was shown on.
    pub fn finish(&self) {
        if let Ok(mut shown) = self.shown.lock() {
            shown.end_line();
        }
    }
}

impl Shown {
    /// Shows what is being done and how far it is (done, total; a total of 0 is unknown), or shows a single message. A
    /// new text begins a new line. A single message is written completely, however long it is.
    fn show(&mut self, what: &str, text: &str, work: Option<(u64, u64)>) {
        let text = on_one_line(text);
        let fresh = self.what != what;
        if fresh || work.is_none() {
            self.end_line();
        }
        let last = work.is_none_or(|(done, of)| of > 0 && done == of);
        let target = (self.target)();
        if let Some((done, of)) = work
            && !target.is_hidden()
        {
            let line = self
                .line
                .get_or_insert_with(|| ProgressBar::with_draw_target(None, target));
            if line.length() != Some(of) {
                dress(line, of);
            }
            line.set_position(done);
            line.set_message(text.into_owned());
            if last {
                line.force_draw(); // the last state is seen even where the one before is just drawn
            }
        } else {
            let pause = Duration::from_secs(10);
            if !fresh && !last && self.at.is_some_and(|at| at.elapsed() < pause) {
                return;
            }
            // If standard error is closed, the progress is lost.
            let _ = writeln!(self.plain, "{text}");
            self.at = Some(Instant::now());
        }
        what.clone_into(&mut self.what);
    }

    /// What comes next begins a line of its own.
    fn end_line(&mut self) {
        if let Some(line) = self.line.take() {
            line.abandon();
        }
    }
}

/// Gives a line the look for work of `of` parts, or for an unknown amount of work if `of` is 0.
fn dress(line: &ProgressBar, of: u64) {
    if let Ok(style) = ProgressStyle::with_template(if of > 0 { BAR } else { OPEN }) {
        line.set_style(style);
    }
    line.set_length(of);
}

impl Watcher for Terminal {
    fn progress(&self, p: Progress) {
        let stage = p.stage.tag();
        let item = if p.item.is_empty() {
            String::new()
        } else {
            format!(" {}", p.item)
        };
        let amount = amount(p.done, p.of);
        self.show(
            &format!("{stage}{item}"),
            &format!("{stage}{item}{amount}"),
            Some((p.done, p.of)),
        );
    }

    fn cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }

    fn import_ended_early(&self, done: &ImportReport) {
        if let Ok(mut cut_short) = self.cut_short.lock() {
            *cut_short = Some(done.clone());
        }
    }

    fn asking(&self, p: AskProgress) {
        // The most frequent reasons by name, so that a user who sees them early can pause and change the prompt.
        let mut reasons: Vec<(&String, &u64)> = p.rejected.iter().collect();
        reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(**n), *reason));
        let named: Vec<String> = reasons
            .iter()
            .take(3)
            .map(|(reason, n)| format!("{reason} {n}"))
            .collect();
        let why = if named.is_empty() {
            String::new()
        } else {
            format!(" ({})", named.join(", "))
        };
        let rejected: u64 = p.rejected.values().sum();
        // Early in the line, which a narrow terminal cuts.
        let left = p
            .seconds_left
            .map(|s| format!(" · {} left", duration(s)))
            .unwrap_or_default();
        let twice = match p.possibly_billed_twice {
            0 => String::new(),
            n => format!(" · {n} possibly billed twice"),
        };
        let text = format!(
            "{}: {} of {} prompts{left} · {} answered · {} accepted · {rejected} rejected{why}{twice} · {:.1}/s",
            p.host, p.done, p.of, p.answered, p.accepted, p.per_second
        );
        self.show("asking", &text, Some((p.done, p.of)));
    }

    fn written(&self, so_far: &AnswerSoFar) {
        // The statements themselves are printed with the answer, once it is whole.
        let text = format!(
            "writing: {} checked, {} left out",
            many(so_far.statements.len() as u64, "statement"),
            so_far.left_out
        );
        self.show("writing", &text, Some((0, 0)));
    }

    fn run_event(&self, run: RunId, event: &JobEvent) {
        if self.events_as_json {
            crate::output::Output { json: true }.line(event);
        }
        match &event.event {
            Event::Progress {
                stage,
                step,
                of,
                loss,
                eta_s,
                ..
            } => {
                let loss = loss.map(|l| format!(" · loss {l:.4}")).unwrap_or_default();
                let left = eta_s
                    .map(|s| format!(" · {} left", duration(s)))
                    .unwrap_or_default();
                let amount = amount(*step, *of);
                self.show(
                    &format!("run {run}"),
                    &format!("run {run} {stage}{amount}{loss}{left}"),
                    Some((*step, *of)),
                );
            }
            Event::Metric { name, value, step } => {
                self.show(
                    name,
                    &format!("run {run} step {step}: {name} {value:.4}"),
                    None,
                );
            }
            Event::Warning { code, message } => {
                self.show(code, &format!("run {run}: {message}"), None)
            }
            _ => {}
        }
    }
}

/// ` 3 of 12`. Empty if the total is unknown.
fn amount(done: u64, of: u64) -> String {
    match of {
        0 => String::new(),
        of => format!(" {done} of {of}"),
    }
}

/// `3 h 12 min`, `4 min 5 s`, `12 s`.
pub fn duration(seconds: f64) -> String {
    let s = seconds.max(0.0).round() as u64;
    match (s / 3600, s / 60 % 60, s % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::Arc;

    /// A terminal, or a file, that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn put(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn text(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.put(&String::from_utf8_lossy(bytes))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.put(text)?;
            self.put("\n")
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.put(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown(target: impl Fn() -> ProgressDrawTarget + Send + 'static, plain: &Paper) -> Shown {
        Shown {
            what: String::new(),
            at: None,
            line: None,
            target: Box::new(target),
            plain: Box::new(plain.clone()),
        }
    }

    fn on_a_terminal(screen: &Paper, plain: &Paper) -> Shown {
        let screen = screen.clone();
        shown(
            move || ProgressDrawTarget::term_like(Box::new(screen.clone())),
            plain,
        )
    }

    #[test]
    fn where_no_line_can_be_rewritten_plain_ones_are_written() {
        let plain = Paper::default();
        let mut shown = shown(ProgressDrawTarget::hidden, &plain);
        shown.show("import", "import 1 of 3", Some((1, 3)));
        shown.show("import", "import 2 of 3", Some((2, 3))); // soon after the one before
        shown.show("import", "import 3 of 3", Some((3, 3)));
        assert_eq!(plain.text(), "import 1 of 3\nimport 3 of 3\n");
    }

    #[test]
    fn an_amount_that_nobody_knows_is_not_said() {
        assert_eq!(amount(0, 0), "");
        assert_eq!(amount(3, 12), " 3 of 12");
    }

    #[test]
    fn what_is_told_once_is_written_whole() {
        let (screen, plain) = (Paper::default(), Paper::default());
        let mut shown = on_a_terminal(&screen, &plain);
        let warning = "The loss does not fall. ".repeat(10);
        shown.show("run 1", "run 1 train 1 of 3", Some((1, 3)));
        shown.show("stuck", &warning, None);
        shown.show("stuck", "once more", None);
        assert_eq!(plain.text(), format!("{warning}\nonce more\n"));
        assert!(screen.text().contains("run 1 train 1 of 3"));
    }

    #[test]
    fn a_bar_comes_as_soon_as_the_end_is_known() {
        let (screen, plain) = (Paper::default(), Paper::default());
        let mut shown = on_a_terminal(&screen, &plain);
        shown.show("import", "import", Some((0, 0)));
        assert!(!screen.text().contains('█'), "{}", screen.text());
        shown.show("import", "import 1 of 2", Some((1, 2)));
        assert!(screen.text().contains("█████"), "{}", screen.text());
        assert_eq!(plain.text(), "");
    }
}
