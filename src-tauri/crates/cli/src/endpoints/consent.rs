//! What is told and asked before anything is sent.

use crate::output::{count, tell};
use crate::reports::{describe_items, missing_with_counts};
use crate::terminal::{Terminal, duration};
use lexforge_domain::Failure;
use lexforge_domain::api::WritingEstimate;
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_engine::{AskRequest, Engine};
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal};

/// Shows what would be sent, has it agreed to, and writes questions.
pub(super) fn with_consent(
    engine: &Engine,
    mut request: AskRequest,
    yes: bool,
    watcher: &Terminal,
) -> Result<lexforge_domain::api::AugmentReport, Failure> {
    let plan = engine.writing().plan_questions(&request, watcher)?;
    watcher.finish();
    tell_what_is_known(engine, &plan)?;
    request.consent = agreed(&plan, yes);
    if request.judge.is_some() {
        let plan = engine.writing().plan_judging(&request, watcher)?;
        watcher.finish();
        if !plan.local
            && plan.prompts > 0
            && let Some(judge) = &mut request.judge
        {
            judge.consent = consent(&plan, yes);
        }
    }
    engine.writing().augment_with(&request, watcher)
}

/// Tells what the last check said of the documents, before they are sent.
pub fn tell_what_is_known(engine: &Engine, plan: &AskPlan) -> Result<(), Failure> {
    if plan.prompts > 0 {
        tell(&engine.corpus().check_standing(None)?.words());
    }
    Ok(())
}

/// Shows what the sample would send, has it agreed to, and makes the estimate.
pub(super) fn estimate(
    engine: &Engine,
    mut request: AskRequest,
    yes: bool,
    watcher: &Terminal,
) -> Result<WritingEstimate, Failure> {
    let plan = engine.writing().plan_estimate(&request, watcher)?;
    watcher.finish();
    if !plan.local && plan.prompts > 0 {
        request.consent = consent(&plan, yes);
    }
    engine.writing().estimate_writing(&request, watcher)
}

/// An estimate as a person reads it.
pub(super) fn describe_estimate(e: &WritingEstimate) -> String {
    let percent = |share: f64| share * 100.0;
    let mut text = format!(
        "{} (model {}): {} prompts, {} of them without an answer\n  sample: {} answers ({} asked now), {:.0} % give a \
         question at once (95 %: {:.0} to {:.0} %)\n  a run would make {} requests ({} to ask anew, {} to the judge) and \
         give {:.0} questions ({:.0} to {:.0}) before duplicates",
        e.host,
        e.model,
        count(e.prompts),
        count(e.open),
        count(e.sample),
        count(e.asked),
        percent(e.accepted.value),
        percent(e.accepted.low),
        percent(e.accepted.high),
        count(e.calls),
        count(e.reasks),
        count(e.judge_calls),
        e.questions.value,
        e.questions.low,
        e.questions.high
    );
    if let (Some(read), Some(written)) = (e.prompt_tokens, e.completion_tokens) {
        let _ = write!(
            text,
            "\n  tokens: {} read, {} written",
            count(read),
            count(written)
        );
    }
    if let Some(cost) = e.cost {
        let _ = write!(text, " · cost {cost:.4}");
    }
    if let Some(seconds) = e.seconds {
        let _ = write!(text, "\n  about {} at the sample's pace", duration(seconds));
    }
    text.push_str(&describe_items(&e.items));
    if !e.rejected.is_empty() {
        let _ = write!(
            text,
            "\n  not taken in the sample: {}",
            missing_with_counts(&e.rejected)
        );
    }
    text
}

/// The consent of a person. If the model is on this machine, they are only told about it.
pub fn agreed(plan: &AskPlan, yes: bool) -> Option<Consent> {
    if plan.local {
        tell(&format!(
            "{} prompts for {} (model {}); they do not leave this machine.",
            count(plan.prompts),
            plan.host,
            plan.model
        ));
        return None;
    }
    (plan.prompts > 0).then(|| consent(plan, yes)).flatten()
}

/// The consent of a person. They are asked on the terminal unless they agreed beforehand.
pub fn consent(plan: &AskPlan, yes: bool) -> Option<Consent> {
    if yes {
        tell(&format!("{} Agreed by --yes.", plan.line()));
        return Some(plan.agreed("--yes"));
    }
    said_yes(&plan.line()).then(|| plan.agreed("terminal"))
}

/// Whether a person said yes on the terminal. Without a terminal the answer is no.
pub(super) fn said_yes(question: &str) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    crate::output::ask(&format!("{question} [y/N]"));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}
