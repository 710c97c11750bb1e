//! The window shell: plug-ins and events. The engine does what the commands ask for. The shell keeps the open
//! workspace, runs long use cases on threads, follows training runs, and serves page images.
#![forbid(unsafe_code)]
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod dialogs;
mod drift;
mod elsewhere;
mod follow;
mod jobs;
mod launch;
mod lock;
mod opening;
mod page_ends;
mod page_process;
mod page_scheme;
mod platform;
mod shell;
mod tasks;
mod vectors;
mod watch;

use launch::Launch;
use lexforge_domain::api::Notice;
use shell::Shell;
use std::path::PathBuf;
use std::process::ExitCode;
use tauri::{DragDropEvent, Emitter, Manager, WindowEvent};

fn main() -> ExitCode {
    // `ssh` starts this program again to ask the window that runs; then nothing else is done.
    if let Some(done) = lexforge_engine::carry_question() {
        return done;
    }
    // So does the window, for each dialog.
    if let Some(done) = dialogs::show() {
        return done;
    }
    platform::prepare_display();
    // Without a log everything works as it does with one.
    let _log = lexforge_engine::begin_log("lexforge-app");
    let launch = Launch::from_arguments(std::env::args_os().skip(1));
    let ended = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .register_asynchronous_uri_scheme_protocol("page", page_scheme::serve)
        .setup(move |app| {
            let window = app.handle().clone();
            // A window that is gone hears nothing, and nothing needs to be done about it.
            let shell = Shell::new(move |notice| drop(window.emit("lexforge", notice)));
            hear_ssh(&shell);
            launch.begin(&shell);
            app.manage(shell);
            page_process::watch(app.handle())?;
            Ok(())
        })
        .on_window_event(|window, event| {
            let Some(shell) = window.try_state::<Shell>() else {
                return;
            };
            match event {
                WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
                    dropped(&shell, paths.clone());
                }
                WindowEvent::CloseRequested { .. } => vectors::end(&shell),
                _ => {}
            }
        })
        .invoke_handler(commands::answer)
        .run(context());
    if let Err(error) = ended {
        eprintln!("The window could not be opened: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The window's settings, with the built page embedded.
#[cfg(not(test))]
fn context() -> tauri::Context {
    tauri::generate_context!("../tauri.conf.json")
}

/// The program of the unit tests opens no window, so it embeds no page. Two programs that embed the page and are
/// compiled at the same time would write its compressed files over each other.
#[cfg(test)]
fn context() -> tauri::Context {
    unreachable!("a unit test opened the window")
}

/// Shows in the window what `ssh` asks. Where that cannot be, `ssh` asks as it did before there was a window.
fn hear_ssh(shell: &Shell) {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let shell = shell.clone();
    let heard = lexforge_engine::hear_ssh(program, move |questions| {
        shell.tell(Notice::Ssh { questions });
    });
    if let Err(error) = heard {
        eprintln!("Questions of ssh cannot be shown in the window: {error}");
    }
}

/// Imports files that were dropped on the window; the import itself says what it could not read.
fn dropped(shell: &Shell, files: Vec<PathBuf>) {
    if shell.current().is_some() && !files.is_empty() {
        drop(commands::tasks::import(shell, files, None));
    }
}
