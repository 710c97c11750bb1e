//! Commands about the workspace as a whole, the dialogs of the operating system, this machine and this window.

use super::reply::{Reply, apart, ask, now};
use crate::page_process::WINDOW;
use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::WorkspaceView;
use lexforge_domain::api::commands::{Command, PickSave, WorkspaceRequest as Request};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tauri_plugin_notification::NotificationExt;

/// Extensions that the file dialog offers; the import itself decides by what is in a file.
const FORMATS: [&str; 9] = [
    "pdf", "docx", "html", "htm", "xhtml", "md", "markdown", "txt", "jsonl",
];

/// The smallest and the largest size of the page, in per cent.
const TEXT_SIZES: (u32, u32) = (50, 300);

pub fn reply(app: &AppHandle, shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Workspace(asked) => {
            let engine = shell.current();
            apart(asked, move |_| {
                engine.map(|engine| engine.view()).transpose()
            })
        }
        Request::OpenWorkspace(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| shell.open(asked.path.as_ref()))
        }
        Request::CreateWorkspace(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| {
                shell.create(&Path::new(&asked.path).with_extension("lexforge"))
            })
        }
        Request::OpenSample(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| open_sample(&shell, asked.language))
        }
        Request::PickWorkspace(asked) => dialog(app, asked, |dialog, _| {
            picked(
                dialog
                    .add_filter("Lexforge", &["lexforge"])
                    .blocking_pick_file(),
            )
        }),
        Request::PickNewWorkspace(asked) => dialog(app, asked, |dialog, _| {
            let dialog = dialog
                .add_filter("Lexforge", &["lexforge"])
                .set_file_name("workspace.lexforge");
            picked(dialog.blocking_save_file())
        }),
        Request::PickFiles(asked) => dialog(app, asked, |dialog, _| {
            let files = dialog
                .add_filter(FORMATS.join(", "), &FORMATS)
                .blocking_pick_files();
            files
                .unwrap_or_default()
                .into_iter()
                .filter_map(local)
                .map(text)
                .collect()
        }),
        Request::PickFolder(asked) => dialog(app, asked, |dialog, _| {
            picked(dialog.blocking_pick_folder())
        }),
        Request::PickSave(asked) => {
            dialog(app, asked, |dialog, PickSave { name, extension }| {
                let dialog = dialog
                    .add_filter(extension.to_uppercase(), &[&extension])
                    .set_file_name(name);
                let path = dialog.blocking_save_file().and_then(local).map(|path| {
                    match path.extension() {
                        Some(_) => path,
                        None => path.with_extension(&extension),
                    }
                });
                path.map(text).transpose()
            })
        }
        Request::PickOpen(asked) => dialog(app, asked, |dialog, asked| {
            let endings: Vec<&str> = asked.extensions.iter().map(String::as_str).collect();
            picked(
                dialog
                    .add_filter(endings.join(", "), &endings)
                    .blocking_pick_file(),
            )
        }),
        Request::StorageOf(asked) => ask(shell, asked, |engine, _| Ok(engine.models().storage())),
        Request::Notify(asked) => {
            let app = app.clone();
            apart(asked, move |asked| {
                let told = app.notification().builder().title("Lexforge");
                // Not every desktop shows such words.
                drop(told.body(asked.text).show());
                Ok(())
            })
        }
        Request::SetTextSize(asked) => {
            let app = app.clone();
            apart(asked, move |asked| set_text_size(&app, asked.percent))
        }
        Request::StartFailure(asked) => now(asked, |_| Ok(shell.start_failure())),
        Request::PageEnd(asked) => now(asked, |_| Ok(shell.page_ends().told())),
        Request::Logs(asked) => now(asked, |_| Ok(lexforge_engine::log_view())),
        Request::SetLogLevel(asked) => {
            apart(asked, |asked| lexforge_engine::set_log_level(asked.level))
        }
        Request::SupportParts(asked) => apart(asked, |_| lexforge_engine::support_parts()),
        Request::WriteSupport(asked) => apart(asked, |asked| {
            lexforge_engine::write_support(Path::new(&asked.path))
        }),
        Request::UnlockKeyFile(asked) => apart(asked, |asked| {
            lexforge_engine::unlock_key_file(Path::new(&asked.path), &asked.passphrase)
        }),
        Request::About(asked) => apart(asked, |_| Ok(lexforge_engine::about())),
        Request::Doctor(asked) => apart(asked, |_| Ok(lexforge_engine::doctor())),
    }
}

/// Shows the page in another size; 100 = as designed.
fn set_text_size(app: &AppHandle, percent: u32) -> Answer<()> {
    let Some(window) = app.get_webview_window(WINDOW) else {
        return Ok(());
    };
    let percent = percent.clamp(TEXT_SIZES.0, TEXT_SIZES.1);
    window
        .set_zoom(f64::from(percent) / 100.0)
        .map_err(|error| {
            Failure::new(
                Code::Internal,
                format!("The size of the page could not be changed: {error}."),
                "Go on in the size that it has.",
            )
        })
}

fn open_sample(shell: &Shell, language: Language) -> Answer<WorkspaceView> {
    let view = shell.open_sample(language)?;
    begin(shell, "sample", &view.name, move |engine, watch| {
        engine.fill_sample(language, watch)
    })?;
    Ok(view)
}

/// Asks the user by a dialog of the operating system.
fn dialog<C: Command>(
    app: &AppHandle,
    command: C,
    asks: impl FnOnce(FileDialogBuilder<Wry>, C) -> Answer<C::Answer> + Send + 'static,
) -> Reply {
    let app = app.clone();
    apart(command, move |command| asks(app.dialog().file(), command))
}

fn picked(path: Option<FilePath>) -> Answer<Option<String>> {
    path.and_then(local).map(text).transpose()
}

fn local(path: FilePath) -> Option<PathBuf> {
    path.into_path().ok()
}

/// A path as the page can hold it.
fn text(path: PathBuf) -> Answer<String> {
    path.into_os_string().into_string().map_err(|path| {
        Failure::new(
            Code::FileUnreadable,
            format!("The name {} cannot be read as text.", path.display()),
            "Give the file or folder another name, then choose it again.",
        )
    })
}
