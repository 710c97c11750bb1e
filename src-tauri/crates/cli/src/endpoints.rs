//! `endpoints` and `augment`.

use crate::endpoint_args::{AddArgs, AugmentArgs, EndpointsAction, EndpointsArgs};
use crate::output::{Outcome, Output, count, done, tell, word};
use crate::reports::{
    describe_batch, describe_batch_out, describe_items, describe_questions, missing_with_counts,
    reasons_with_counts,
};
use crate::terminal::{Terminal, duration};
use lexforge_domain::api::WritingEstimate;
use lexforge_domain::endpoint::{
    AskCounts, AskPlan, Consent, Endpoint, EndpointCheck, EndpointRow, Proxy,
};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{AskRequest, Engine, JudgeRequest};
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

/// Most bytes of a key on standard input.
const LONGEST_KEY: u64 = 16 << 10;

pub fn endpoints(args: &EndpointsArgs, out: &Output) -> Outcome {
    match &args.action {
        EndpointsAction::Add(args) => add(args, out),
        EndpointsAction::Check {
            workspace,
            name,
            local,
        } => {
            let found = Engine::open(workspace)?
                .asking()
                .check_endpoint(name, &local.into())?;
            out.document(&found, || describe_check(&found));
            Ok(if found.ok {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        EndpointsAction::Confirm {
            workspace,
            name,
            yes,
        } => confirm(workspace, name, *yes, out),
        EndpointsAction::List { workspace } => {
            out.rows(&Engine::open(workspace)?.asking().endpoints()?, describe);
            done()
        }
        EndpointsAction::Remove { workspace, name } => {
            Engine::open(workspace)?.asking().remove_endpoint(name)?;
            out.document(&serde_json::json!({ "removed": name }), || {
                format!("Removed {name}; its answers stay.")
            });
            done()
        }
    }
}

fn add(args: &AddArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let endpoint = Endpoint {
        name: args.name.clone(),
        url: args.url.clone(),
        model: args.model.clone(),
        key: args.key(),
        settings: args.settings(),
    };
    let key = if args.key_stdin {
        Some(typed_key()?)
    } else {
        None
    };
    let row = engine.asking().add_endpoint(&endpoint, key.as_deref())?;
    out.document(&row, || {
        format!(
            "{}\nNothing was sent to it. Try it: lexforge endpoints check {} {}",
            describe(&row),
            word(&args.workspace.to_string_lossy()),
            word(&args.name)
        )
    });
    done()
}

/// Shows what would be confirmed, has it confirmed, and says what is.
fn confirm(workspace: &Path, name: &str, yes: bool, out: &Output) -> Outcome {
    let engine = Engine::open(workspace)?;
    let found = engine
        .asking()
        .endpoints()?
        .into_iter()
        .find(|row| row.endpoint.name == name)
        .ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("There is no endpoint {name} in this workspace."),
                "List them with lexforge endpoints list.",
            )
        })?;
    let question = format!("{}\nUse it as it stands?", describe_definition(&found));
    if yes {
        tell(&format!("{question} Confirmed by --yes."));
    } else if !said_yes(&question) {
        return Err(Failure::new(
            Code::EndpointUnconfirmed,
            format!("The endpoint {name} was not confirmed. {question}"),
            "Run it on a terminal and answer yes, or confirm it with --yes.",
        ));
    }
    let row = engine.asking().confirm_endpoint(name, &found.definition)?;
    out.document(&row, || describe(&row));
    done()
}

/// The settings that are confirmed, in words.
fn describe_definition(row: &EndpointRow) -> String {
    let Endpoint {
        name,
        url,
        model,
        key,
        settings,
    } = &row.endpoint;
    let mut text = format!("{name} sends to {url} (model {model})");
    match &settings.proxy {
        Proxy::None => text.push_str(", straight"),
        Proxy::Environment => {
            text.push_str(", through the proxy that the environment names, if any")
        }
        Proxy::Url(proxy) => {
            let _ = write!(text, ", through the proxy {proxy}");
        }
    }
    if !settings.proxy_password.is_none() {
        let _ = write!(
            text,
            " with the password from: {}",
            settings.proxy_password.words()
        );
    }
    let _ = write!(text, "; key: {}.", key.words());
    text
}

fn typed_key() -> Result<String, Failure> {
    let mut line = String::new();
    let read = std::io::stdin()
        .lock()
        .take(LONGEST_KEY)
        .read_line(&mut line);
    match read {
        Ok(_) if !line.trim().is_empty() => Ok(line),
        _ => Err(Failure::new(
            Code::KeyMissing,
            "Standard input has no key.",
            "Pipe it in on one line: lexforge endpoints add … --key-stdin < FILE.",
        )),
    }
}

fn describe(row: &EndpointRow) -> String {
    let e = &row.endpoint;
    let here = if row.local { " (this machine)" } else { "" };
    let open = if row.unencrypted {
        " · not encrypted"
    } else {
        ""
    };
    let via = row
        .via
        .as_ref()
        .map(|proxy| format!(" through the proxy {proxy}"))
        .unwrap_or_default();
    let key = match (row.confirmed, row.key_present) {
        (true, false) => format!("{}, which is not to be had now", e.key.words()),
        _ => e.key.words(),
    };
    let new = if row.confirmed {
        ""
    } else {
        " · not confirmed on this machine"
    };
    let (name, url, model, at_once) = (&e.name, &e.url, &e.model, e.settings.concurrency);
    format!("{name:<16} {url}{here}{via} · model {model} · {key} · {at_once} at a time{open}{new}")
}

fn describe_check(c: &EndpointCheck) -> String {
    let via = c
        .via
        .as_ref()
        .map(|proxy| format!(" through the proxy {proxy}"))
        .unwrap_or_default();
    let mut text = format!("Sent to {}{via}: {}.", c.host, c.sent);
    if let Some(models) = &c.models {
        let _ = write!(text, "\n  models: {}", models.join(", "));
    }
    if let (Some(form), Some(milliseconds)) = (c.form, c.milliseconds) {
        let form = match form {
            lexforge_domain::endpoint::AnswerForm::Schema => "held to a JSON schema",
            lexforge_domain::endpoint::AnswerForm::Object => "held to a JSON object",
            lexforge_domain::endpoint::AnswerForm::Free => "held to a form by the prompt alone",
        };
        let _ = write!(
            text,
            "\n  one short answer in {milliseconds} ms; answers are {form}"
        );
    }
    for note in &c.notes {
        let _ = write!(text, "\n  ! {note}");
    }
    match &c.failure {
        Some(f) => {
            let _ = write!(
                text,
                "\n  ! {f} [{}]\n    {}",
                f.code.tag(),
                crate::remedies::hint(f)
            );
        }
        None => text.push_str("\n  It can be used."),
    }
    text
}

pub fn augment(args: &AugmentArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let watcher = Terminal::new(false);
    let request = AskRequest {
        endpoint: args.endpoint.clone().unwrap_or_default(),
        local: (&args.local).into(),
        limit: args.limit,
        concurrency: args.concurrency,
        max_tokens: args.max_tokens,
        reasks: args.reask,
        extent: args.extent(),
        judge: args.judge.as_ref().map(|judge| JudgeRequest {
            endpoint: judge
                .clone()
                .or_else(|| args.endpoint.clone())
                .unwrap_or_default(),
            local: (&args.local).into(),
            threshold: args.judge_threshold,
            consent: None,
        }),
        consent: None,
    };
    if args.estimate {
        let estimate = watcher.finished(estimate(&engine, request, args.yes, &watcher))?;
        out.document(&estimate, || describe_estimate(&estimate));
        return done();
    }
    if let Some(path) = &args.batch_out {
        let written = watcher.finished(engine.writing().batch_out(
            &request,
            args.model.as_deref(),
            path,
            &watcher,
        ))?;
        out.document(&written, || describe_batch_out(&written));
        return done();
    }
    if let Some(path) = &args.batch_in {
        let read = watcher.finished(engine.writing().batch_in(path, &watcher))?;
        out.document(&read, || {
            let questions = read
                .questions
                .as_ref()
                .map(describe_questions)
                .unwrap_or_default();
            format!("{}\n{questions}", describe_batch(&read.batch))
        });
        return done();
    }
    let report = match &args.endpoint {
        None => engine.writing().augment_offline(&watcher),
        Some(_) => with_consent(&engine, request, args.yes, &watcher),
    };
    watcher.finish();
    let report = report?;
    out.document(&report, || describe_questions(&report));
    // If all requests failed, say so, because the user would wait for questions that never come.
    let failed = report.asked.as_ref().filter(|asked| asked.all_failed());
    if let Some(asked) = failed {
        tell(&describe_all_failed(asked));
        return Ok(ExitCode::FAILURE);
    }
    done()
}

/// The message if every request failed: why, and what to do.
fn describe_all_failed(c: &AskCounts) -> String {
    format!(
        "Every request failed: {}. The questions that were there are unchanged.\n  Try the endpoint: lexforge endpoints \
         check WORKSPACE NAME; then run this again: what has no answer is asked for.",
        reasons_with_counts(&c.failed)
    )
}

/// Shows what would be sent, has it agreed to, and writes questions.
fn with_consent(
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
fn estimate(
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
fn describe_estimate(e: &WritingEstimate) -> String {
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
fn said_yes(question: &str) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    crate::output::ask(&format!("{question} [y/N]"));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}
