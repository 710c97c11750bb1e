//! Progress on standard error, and Ctrl-C.

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

/// Shows progress on standard error: one line rewritten on a terminal, few plain lines elsewhere.
pub struct Terminal {
    live: bool,
    events_as_json: bool,
    shown: Mutex<Shown>,
}

struct Shown {
    what: String,
    at: Option<Instant>,
    width: usize,
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
            width: 0,
        };
        Self {
            live: std::io::stderr().is_terminal(),
            events_as_json,
            shown: Mutex::new(shown),
        }
    }

    fn show(&self, what: &str, text: &str, last: bool) {
        let text = on_one_line(text);
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        let mut err = std::io::stderr().lock();
        let fresh = shown.what != what;
        let pause = if self.live {
            Duration::from_millis(100)
        } else {
            Duration::from_secs(10)
        };
        if !fresh && !last && shown.at.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        // Standard error may be closed; progress is then told to nobody.
        let _ = if self.live {
            let width = text.chars().count();
            let pad = " ".repeat(shown.width.saturating_sub(width));
            let start = if fresh && shown.width > 0 { "\n" } else { "\r" };
            shown.width = width;
            write!(err, "{start}{text}{pad}").and_then(|()| err.flush())
        } else {
            writeln!(err, "{text}")
        };
        what.clone_into(&mut shown.what);
        shown.at = Some(Instant::now());
    }

    /// End the line that progress was shown on.
    pub fn finish(&self) {
        if self.live && self.shown.lock().is_ok_and(|s| s.width > 0) {
            crate::output::tell("");
        }
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
            p.of > 0 && p.done == p.of,
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
        self.show("asking", &text, p.done == p.of);
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
                    step == of,
                );
            }
            Event::Metric { name, value, step } => {
                self.show(
                    name,
                    &format!("run {run} step {step}: {name} {value:.4}"),
                    true,
                );
            }
            Event::Warning { code, message } => {
                self.show(code, &format!("run {run}: {message}"), true)
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
