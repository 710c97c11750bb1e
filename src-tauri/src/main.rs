//! The window shell: plug-ins and the command list. What the commands do stands in the engine; the shell keeps
//! the open workspace, runs long use cases on threads, follows training runs, and serves page images.
#![forbid(unsafe_code)]
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod elsewhere;
mod follow;
mod launch;
mod page_process;
mod page_scheme;
mod platform;
mod shell;
mod tasks;
mod watch;

use launch::Launch;
use shell::Shell;
use std::path::PathBuf;
use tauri::{DragDropEvent, Emitter, Manager, WindowEvent};

fn main() {
    platform::prepare_display();
    let launch = Launch::from_arguments(std::env::args_os().skip(1));
    let ended = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .register_asynchronous_uri_scheme_protocol("page", page_scheme::serve)
        .setup(move |app| {
            let window = app.handle().clone();
            // A window that is gone hears nothing, and nothing needs to be done about it.
            let shell = Shell::new(move |notice| drop(window.emit("lexforge", notice)));
            launch.begin(&shell);
            app.manage(shell);
            page_process::watch(app.handle())?;
            Ok(())
        })
        .on_window_event(|window, event| {
            if let WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) = event
                && let Some(shell) = window.try_state::<Shell>()
            {
                dropped(&shell, paths.clone());
            }
        })
        .invoke_handler(tauri::generate_handler![
            commands::workspace::workspace,
            commands::workspace::open_workspace,
            commands::workspace::create_workspace,
            commands::workspace::pick_workspace,
            commands::workspace::pick_new_workspace,
            commands::workspace::pick_files,
            commands::workspace::pick_folder,
            commands::workspace::pick_save,
            commands::workspace::pick_open,
            commands::workspace::start_failure,
            commands::workspace::page_end,
            commands::tasks::import_documents,
            commands::tasks::prepare,
            commands::tasks::tasks,
            commands::tasks::cancel_task,
            commands::library::documents,
            commands::library::outline,
            commands::library::page,
            commands::library::sentence,
            commands::library::search,
            commands::library::page_problem,
            commands::library::document_diff,
            commands::library::diff_counts,
            commands::library::link_predecessor,
            commands::library::unlock,
            commands::graph::neighbourhood,
            commands::graph::group_members,
            commands::graph::graph_edge,
            commands::graph::build_graph,
            commands::graph::update_graph,
            commands::graph::graph_calibration,
            commands::graph::graph_census,
            commands::terms::terms,
            commands::terms::term,
            commands::terms::plan_terms,
            commands::terms::find_terms,
            commands::terms::find_confusables,
            commands::questions::questions,
            commands::review::review_queue,
            commands::review::review_item,
            commands::review::decide,
            commands::review::undo_decision,
            commands::review::conflicts,
            commands::review::people,
            commands::review::put_person,
            commands::review::be_person,
            commands::review::set_review_plan,
            commands::review::write_packet,
            commands::review::open_packet,
            commands::review::write_answer,
            commands::review::merge_answer,
            commands::review::term_schemas,
            commands::review::put_term_schema,
            commands::review::own_term_schemas,
            commands::review::remove_term_schema,
            commands::review::agreement,
            commands::review::import_glossary,
            commands::review::export_glossary,
            commands::endpoints::endpoints,
            commands::endpoints::add_endpoint,
            commands::endpoints::confirm_endpoint,
            commands::endpoints::remove_endpoint,
            commands::endpoints::check_endpoint,
            commands::endpoints::plan_questions,
            commands::endpoints::write_questions,
            commands::writing::plan_judging,
            commands::writing::plan_estimate,
            commands::writing::estimate_writing,
            commands::writing::rejected_drafts,
            commands::writing::export_dataset,
            commands::writing::prompts,
            commands::writing::put_prompt,
            commands::writing::reset_prompt,
            commands::writing::plan_trial,
            commands::writing::try_prompt,
            commands::training::base_models,
            commands::training::plan_run,
            commands::training::start_training,
            commands::training::runs,
            commands::training::run_detail,
            commands::training::run_events,
            commands::training::control_run,
            commands::training::resume_run,
            commands::evaluation::evaluate,
            commands::evaluation::evaluation,
            commands::evaluation::open_report,
            commands::evaluation::export_run,
            commands::evaluation::exports,
            commands::activity::audit_rows,
            commands::activity::audit_verify,
            commands::activity::doctor,
        ])
        .run(tauri::generate_context!("../tauri.conf.json"));
    if let Err(error) = ended {
        eprintln!("The window could not be opened: {error}");
        std::process::exit(1);
    }
}

/// Imports files that were dropped on the window; the import itself says what it could not read.
fn dropped(shell: &Shell, files: Vec<PathBuf>) {
    if shell.current().is_some() && !files.is_empty() {
        drop(commands::tasks::import(shell, files, None));
    }
}
