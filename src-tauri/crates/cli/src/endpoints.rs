//! `endpoints` and `augment`.

mod consent;

pub use consent::{agreed, consent, tell_what_is_known};

use crate::endpoint_args::{AddArgs, AugmentArgs, EndpointsAction, EndpointsArgs};
use crate::none_yet;
use crate::output::{Outcome, Output, done, tell, word};
use crate::reports::{describe_batch, describe_batch_out, describe_questions, reasons_with_counts};
use crate::terminal::Terminal;
use consent::{describe_estimate, estimate, said_yes, with_consent};
use lexforge_domain::endpoint::{AskCounts, Endpoint, EndpointCheck, EndpointRow, Proxy};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{AskRequest, Engine, JudgeRequest};
use std::fmt::Write as _;
use std::io::{BufRead, Read};
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
            let endpoints = Engine::open(workspace)?.asking().endpoints()?;
            out.rows(&endpoints, none_yet::ENDPOINTS, describe);
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
