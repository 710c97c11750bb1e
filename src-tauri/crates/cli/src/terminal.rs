//! Progress on standard error (after the crate indicatif on a terminal), and Ctrl-C.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lexforge_domain::RunId;
use lexforge_domain::api::Progress;
use lexforge_domain::endpoint::AskProgress;
use lexforge_domain::protocol::{Event, JobEvent};
use lexforge_domain::shown::on_one_line;
use lexforge_engine::Watcher;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a line of progress looks on a terminal: never wider than it, with a bar where the end is known.
const OPEN: &str = "{wide_msg}";
const BAR: &str = "{bar:20} {wide_msg}";

/// Shows progress on standard error: one line rewritten on a terminal, few plain lines elsewhere.
pub struct Terminal {
    live: bool,
    events_as_json: bool,
    shown: Mutex<Shown>,
}

struct Shown {
    what: String,
    /// When the last plain line was written.
    at: Option<Instant>,
    /// The line that is rewritten.
    line: Option<ProgressBar>,
}

impl Terminal {
    /// A watcher on standard error. The first Ctrl-C asks the use case to end at its next safe point, the second ends
    /// the program.
    pub fn new(events_as_json: bool) -> Self {
        // A handler that is there already is ours.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        let shown = Shown {
            what: String::new(),
            at: None,
            line: None,
        };
        Self {
            live: std::io::stderr().is_terminal(),
            events_as_json,
            shown: Mutex::new(shown),
        }
    }

    /// Shows a text of work that is so far done of so much (of 0: nobody knows), or one that is told once. What is new begins
    /// a line of its own.
    fn show(&self, what: &str, text: &str, work: Option<(u64, u64)>) {
        let text = on_one_line(text);
        let (done, of) = work.unwrap_or_default();
        let last = work.is_none() || (of > 0 && done == of);
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        let fresh = shown.what != what;
        if self.live {
            if fresh && let Some(line) = shown.line.take() {
                line.abandon();
            }
            let line = shown.line.get_or_insert_with(|| line_of(of));
            line.set_length(of);
            line.set_position(done);
            line.set_message(text.into_owned());
            if last {
                line.force_draw(); // the last state is seen even where the one before is just drawn
            }
        } else {
            let pause = Duration::from_secs(10);
            if !fresh && !last && shown.at.is_some_and(|at| at.elapsed() < pause) {
                return;
            }
            // Standard error may be closed; progress is then told to nobody.
            let _ = writeln!(std::io::stderr().lock(), "{text}");
            shown.at = Some(Instant::now());
        }
        what.clone_into(&mut shown.what);
    }

    /// End the line that progress was shown on.
    pub fn finish(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && let Some(line) = shown.line.take()
        {
            line.abandon();
        }
    }
}

/// A line for work of so many parts; of an unknown amount where that is none.
fn line_of(of: u64) -> ProgressBar {
    let line = ProgressBar::with_draw_target(Some(of), ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template(if of > 0 { BAR } else { OPEN });
    match style {
        Ok(style) => line.with_style(style),
        Err(_) => line,
    }
}

impl Watcher for Terminal {
    fn progress(&self, p: Progress) {
        let stage = p.stage.tag();
        let item = if p.item.is_empty() {
            String::new()
        } else {
            format!(" {}", p.item)
        };
        let amount = match p.of {
            0 => String::new(),
            of => format!(" {} of {of}", p.done),
        };
        self.show(
            &format!("{stage}{item}"),
            &format!("{stage}{item}{amount}"),
            Some((p.done, p.of)),
        );
    }

    fn cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }

    fn asking(&self, p: AskProgress) {
        // The commonest reasons by name: whoever sees them early may pause and change the prompt.
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
        let left = p
            .seconds_left
            .map(|s| format!(" · {} left", duration(s)))
            .unwrap_or_default();
        let twice = match p.possibly_billed_twice {
            0 => String::new(),
            n => format!(" · {n} possibly billed twice"),
        };
        let text = format!(
            "{}: {} of {} prompts · {} answered · {} accepted · {rejected} rejected{why}{twice} · {:.1}/s{left}",
            p.host, p.done, p.of, p.answered, p.accepted, p.per_second
        );
        self.show("asking", &text, Some((p.done, p.of)));
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
                self.show(
                    &format!("run {run}"),
                    &format!("run {run} {stage} {step} of {of}{loss}{left}"),
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

/// `3 h 12 min`, `4 min 5 s`, `12 s`.
pub fn duration(seconds: f64) -> String {
    let s = seconds.max(0.0).round() as u64;
    match (s / 3600, s / 60 % 60, s % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}
