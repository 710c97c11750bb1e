//! `prompts`

use crate::endpoints::consent;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done};
use crate::prompt_args::{PromptsAction, PromptsArgs};
use lexforge_domain::api::{PromptFile, PromptKind, PromptTrial, TrialParsed, TrialSubject};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_engine::{AskRequest, Engine};
use std::fmt::Write as _;
use std::path::Path;

/// Most bytes of a prompt's file.
const LONGEST_FILE: u64 = 1 << 20;

/// `prompts`
pub fn run(args: &PromptsArgs, out: &Output) -> Outcome {
    match &args.action {
        PromptsAction::List {
            workspace,
            versions: true,
        } => {
            let versions = Engine::open(workspace)?.asking().prompt_versions()?;
            out.rows(&versions, none_yet::PROMPT_VERSIONS, |v| {
                let what = if v.text.is_some() {
                    "saved"
                } else {
                    "back to the shipped one"
                };
                format!(
                    "{:<18} {}  version {:>3}  {}  {}  {what}",
                    v.kind.tag(),
                    v.language.tag(),
                    v.version,
                    v.saved,
                    short(&v.hash)
                )
            });
        }
        PromptsAction::List {
            workspace,
            versions: false,
        } => {
            let prompts = Engine::open(workspace)?.asking().prompts()?;
            out.rows(&prompts, none_yet::NOTHING, describe);
        }
        PromptsAction::Show {
            workspace,
            kind,
            language,
            shipped,
        } => {
            let file = Engine::open(workspace)?
                .asking()
                .prompt((*kind).into(), (*language).into())?;
            let text = if *shipped { &file.shipped } else { &file.text };
            out.verbatim(&file, || text.trim_end().to_owned());
        }
        PromptsAction::Edit { workspace, file } => {
            let text = read(file)?;
            let (kind, language) = named(&text, file)?;
            let kept = Engine::open(workspace)?
                .asking()
                .put_prompt(kind, language, &text)?;
            out.document(&kept, || describe(&kept));
        }
        PromptsAction::Reset {
            workspace,
            kind,
            language,
        } => {
            let kept = Engine::open(workspace)?
                .asking()
                .reset_prompt((*kind).into(), (*language).into())?;
            out.document(&kept, || describe(&kept));
        }
        PromptsAction::Try {
            workspace,
            kind,
            sentence,
            endpoint,
            file,
            max_tokens,
            yes,
            local,
        } => {
            let engine = Engine::open(workspace)?;
            let text = file.as_deref().map(read).transpose()?;
            let subject = TrialSubject {
                kind: (*kind).into(),
                sentence: *sentence,
                text,
            };
            let mut request = AskRequest {
                endpoint: endpoint.clone().unwrap_or_default(),
                local: local.into(),
                max_tokens: *max_tokens,
                ..AskRequest::default()
            };
            let plan = engine.writing().plan_trial(&subject, &request)?;
            if endpoint.is_none() {
                out.verbatim(&plan, || {
                    format!("[system]\n{}\n\n[user]\n{}", plan.system, plan.user)
                });
                return done();
            }
            if !plan.plan.local && plan.plan.prompts > 0 {
                request.consent = consent(&plan.plan, *yes);
            }
            let trial = engine.writing().try_prompt(&subject, &request)?;
            out.document(&trial, || describe_trial(&trial));
        }
    }
    done()
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

fn describe(file: &PromptFile) -> String {
    let version = match file.version {
        0 => "shipped".to_owned(),
        n => format!("own version {n}"),
    };
    format!(
        "{:<18} {}  {version:<16} {}",
        file.kind.tag(),
        file.language.tag(),
        short(&file.hash)
    )
}

/// The prompt and language that a file's first line names.
fn named(text: &str, path: &Path) -> Result<(PromptKind, Language), Failure> {
    let first = text
        .trim_start_matches('\u{feff}')
        .lines()
        .next()
        .unwrap_or_default();
    let names = first
        .trim()
        .strip_prefix("lexforge prompt:")
        .and_then(|rest| rest.split_once(','));
    let found = names.and_then(|(kind, language)| {
        let language = match language.trim() {
            "en" => Language::En,
            "zh" => Language::Zh,
            _ => return None,
        };
        Some((PromptKind::from_tag(kind.trim())?, language))
    });
    found.ok_or_else(|| {
        Failure::invalid(format!("The first line of {} names no prompt.", path.display()),
            "It reads, for example: lexforge prompt: sentence-qca, en. Begin with the output of lexforge prompts show.",
        )
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let unreadable = |why: String| {
        Failure::new(
            Code::FileUnreadable,
            format!("{} cannot be read: {why}.", path.display()),
            "Name a text file in UTF-8 of at most 1 MiB.",
        )
    };
    let bytes = std::fs::metadata(path)
        .map_err(|e| unreadable(e.to_string()))?
        .len();
    if bytes > LONGEST_FILE {
        return Err(unreadable(format!("it has {} bytes", count(bytes))));
    }
    std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))
}

fn describe_trial(trial: &PromptTrial) -> String {
    let mut text = format!(
        "{} ({}), wording {} · {} (model {})\n\n[system]\n{}\n\n[user]\n{}\n\n[answer, ended by {}]\n{}\n",
        trial.kind.tag(),
        trial.language.tag(),
        short(&trial.wording),
        trial.host,
        trial.model,
        trial.system,
        trial.user,
        trial.finish,
        trial.answer
    );
    match &trial.parsed {
        None => {}
        Some(TrialParsed::Terms { terms, rejected }) => {
            text.push_str("\n[read as terms]");
            terms
                .iter()
                .for_each(|(class, term)| _ = write!(text, "\n  {class}: {term}"));
            rejected
                .iter()
                .for_each(|(term, why)| _ = write!(text, "\n  ! {term} [{why}]"));
        }
        Some(TrialParsed::Question { draft }) => {
            let _ = write!(
                text,
                "\n[read as a {} question, {}]\n  {}",
                draft.level.tag(),
                draft.question_type.tag(),
                draft.question
            );
            for (i, choice) in draft.choices.iter().enumerate() {
                let _ = write!(
                    text,
                    "\n    {} {choice}",
                    if i == draft.answer { "✓" } else { "·" }
                );
            }
            if let Some(rephrased) = &draft.rephrased {
                let _ = write!(text, "\n  = {rephrased}");
            }
        }
        Some(TrialParsed::Paraphrase { text: said }) => {
            _ = write!(text, "\n[read as a paraphrase]\n  {said}")
        }
        Some(TrialParsed::Judgement { score, reason }) => {
            _ = write!(text, "\n[read as a score] {score} of 10: {reason}")
        }
        Some(TrialParsed::Queries { queries }) => {
            text.push_str("\n[read as queries]");
            queries
                .iter()
                .for_each(|query| _ = write!(text, "\n  {query}"));
        }
        Some(TrialParsed::Statements { statements }) => {
            text.push_str("\n[read as statements]");
            statements
                .iter()
                .for_each(|statement| _ = write!(text, "\n  {statement}"));
        }
    }
    match &trial.turned_down {
        Some(why) => {
            _ = write!(
                text,
                "\n! It would not be taken: {} [{}]",
                why.message, why.reason
            )
        }
        None => text.push_str("\nIt passes every check. Nothing of it is kept."),
    }
    let tokens = |n: Option<u64>| n.map_or_else(|| "?".to_owned(), count);
    let _ = write!(
        text,
        "\n{} tokens read, {} written",
        tokens(trial.prompt_tokens),
        tokens(trial.completion_tokens)
    );
    if let Some(cost) = trial.cost {
        let _ = write!(text, " · cost {cost:.4}");
    }
    match trial.milliseconds {
        Some(ms) => _ = write!(text, " · {} ms", count(ms)),
        None => text.push_str(" · answered before, not asked again"),
    }
    text
}
