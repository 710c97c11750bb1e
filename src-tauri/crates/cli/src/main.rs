//! The command line: one command for each use case.
//!
//! Results go to standard output (with `--json` as one JSON document, or one a line for a stream), progress to standard
//! error. The exit code is 0 for done, 1 for failed (with what happened, why, and what to do), and 2 for wrong usage.
//! `gate` also returns 3 for stop and 4 for undecided.
#![forbid(unsafe_code)]

mod agreement;
mod answer_since;
mod answer_text;
mod answering;
mod answering_args;
mod args;
mod asked;
mod audit;
mod audit_args;
mod bench;
mod bench_args;
mod bench_plan;
mod bench_words;
mod comparing;
mod comparison;
mod compute;
mod compute_args;
mod corpus;
mod cost_text;
mod data;
mod dataset_args;
mod docs_args;
mod docs_check;
mod docs_diff;
mod docs_force;
#[cfg(test)]
mod documented;
mod drift;
mod drift_args;
mod encoder_args;
mod encryption;
mod endpoint_args;
mod endpoints;
mod exam;
mod exam_args;
mod export;
mod figures;
mod gate;
mod gate_args;
mod gate_rule;
mod glossary;
mod graph;
mod graph_args;
mod host_key;
mod job;
mod key;
mod match_args;
mod match_force;
mod match_import;
mod matching;
mod metrics;
mod metrics_args;
mod mode;
mod models;
mod none_yet;
mod output;
mod packet;
mod papers;
mod people;
mod power_text;
mod prompt_args;
mod prompts;
mod ranking;
mod recipe_args;
mod recipes;
mod remedies;
mod report_args;
mod reports;
mod review;
mod review_args;
mod runs_args;
mod similarity;
mod similarity_args;
mod stands_for;
mod sweep;
mod sweep_args;
mod taught_text;
mod term_args;
mod term_extract;
mod term_space;
mod terminal;
mod text;
mod training;
mod triplet_args;
mod triplets;
mod update;
mod usage;
mod vectors;
mod workspace;
mod workspace_args;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use lexforge_engine::Deed;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // The help is the program's own text, so it keeps its colours. An error repeats what the user typed, for
        // example a file's name, so its special characters are not sent to the terminal.
        Err(error) if error.use_stderr() => {
            output::tell(error.render().to_string().trim_end());
            let typed: Vec<String> = std::env::args_os()
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            if let Some(hint) = usage::hint(&error, &typed) {
                output::tell(&hint);
            }
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let out = output::Output { json: cli.json };
    // Without a log everything works as it does with one.
    let _log = lexforge_engine::begin_log("lexforge");
    lexforge_engine::ask_passphrases_with(key::passphrase_of);
    let deed = Deed::begin(verb());
    let outcome = match cli.command {
        Command::New(args) => corpus::new(&args, &out),
        Command::Workspace(args) => workspace::run(&args, &out),
        Command::Import(args) => corpus::import(&args, &out),
        Command::Vectors(args) => vectors::vectors(&args, &out),
        Command::Docs(args) => corpus::docs(&args, &out),
        Command::Search(args) => corpus::search(&args, &out),
        Command::Ask(args) => answering::ask(&args, &out),
        Command::Pairs(args) => answering::pairs(&args, &out),
        Command::Calibrate(args) => answering::calibrate(&args, &out),
        Command::Rank(args) => ranking::rank(&args, &out),
        Command::Match(args) => matching::run(&args, &out),
        Command::Metrics(args) => metrics::metrics(&args, &out),
        Command::Text(args) => text::run(&args, &out),
        Command::Terms(args) => data::terms(&args, &out),
        Command::Graph(args) => graph::run(&args, &out),
        Command::Augment(args) => endpoints::augment(&args, &out),
        Command::Endpoints(args) => endpoints::endpoints(&args, &out),
        Command::Prompts(args) => prompts::run(&args, &out),
        Command::People(args) => people::people(&args, &out),
        Command::Packet(args) => packet::packet(&args, &out),
        Command::Qca(args) => data::qca(&args, &out),
        Command::Dataset(args) => data::dataset(&args, &out),
        Command::Similarity(args) => similarity::run(&args, &out),
        Command::Triplets(args) => triplets::run(&args, &out),
        Command::Train(args) => training::train(&args, &out),
        Command::Recipes(args) => recipes::recipes(&args, &out),
        Command::Runs(args) => training::runs(&args, &out),
        Command::Models(args) => models::models(&args, &out),
        Command::Eval(args) => figures::eval(&args, &out),
        Command::Gate(args) => gate::gate(&args, &out),
        Command::Drift(args) => drift::drift(&args, &out),
        Command::Watch(args) => drift::watch(&args, &out),
        Command::Exam(args) => exam::exam(&args, &out),
        Command::Bench(args) => bench::bench(&args, &out),
        Command::Report(args) => papers::report(&args, &out),
        Command::Audit(args) => audit::audit(&args, &out),
        Command::Key(args) => key::key(&args, &out),
        Command::Compute(args) => compute::run(&args, &out),
        Command::Doctor(args) => figures::doctor(&args, &out),
        Command::Update(args) => update::run(&args, &out),
        Command::Run(args) => job::run(&args, &out),
    };
    deed.end(&outcome);
    let removed = lexforge_engine::removed_leftovers();
    if !removed.is_empty() {
        output::tell(&format!(
            "Removed {} that programs which were ended had left behind.",
            removed.words()
        ));
    }
    match outcome {
        Ok(done) => done,
        Err(failure) => {
            out.failure(&failure);
            ExitCode::FAILURE
        }
    }
}

/// The command with its subcommands, for the log. Its arguments are left out.
fn verb() -> String {
    let asked = Cli::command().try_get_matches().ok();
    let mut at = asked.as_ref();
    let mut verbs = Vec::new();
    while let Some((verb, below)) = at.and_then(|matches| matches.subcommand()) {
        verbs.push(verb);
        at = Some(below);
    }
    verbs.join(".")
}
