//! Progress on standard error (after the crate indicatif on a terminal), and Ctrl-C.

use crate::answer_text::many;
use crate::bench_plan;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lexforge_domain::RunId;
use lexforge_domain::api::{AnswerSoFar, BenchTime, ImportReport, Progress};
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
    /// How long the rest of a bench takes.
    ahead: Mutex<Option<BenchTime>>,
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
            ahead: Mutex::new(None),
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
        let ahead = self.ahead.lock().ok().and_then(|time| time.clone());
        let left = ahead
            .map(|time| bench_plan::left(&time))
            .unwrap_or_default();
        self.show(
            &format!("{stage}{item}"),
            &format!("{stage}{item}{amount}{left}"),
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

    fn ahead(&self, time: Option<&BenchTime>) {
        if let Ok(mut ahead) = self.ahead.lock() {
            *ahead = time.cloned();
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
mod tests;
