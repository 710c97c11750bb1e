//! Commands about the workspace as a whole, the dialogs of the operating system, this machine and this window.

use super::reply::{Reply, apart, ask, now};
use crate::dialogs::{self, Dialog, Wanted};
use crate::page_process::WINDOW;
use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::WorkspaceView;
use lexforge_domain::api::commands::{Command, PickSave, WorkspaceRequest as Request};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use std::path::Path;
use tauri::{AppHandle, Manager};
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
        Request::PickWorkspace(asked) => pick(app, asked, |_| {
            Dialog::of(Wanted::File).offering("Lexforge", &["lexforge"])
        }),
        Request::PickNewWorkspace(asked) => pick(app, asked, |_| {
            Dialog::of(Wanted::Save)
                .offering("Lexforge", &["lexforge"])
                .named("workspace.lexforge")
        }),
        Request::PickFiles(asked) => {
            let app = app.clone();
            apart(asked, move |_| {
                let files = Dialog::of(Wanted::Files).offering(FORMATS.join(", "), &FORMATS);
                let files = dialogs::ask(&app, files)?;
                files.into_iter().map(dialogs::text).collect()
            })
        }
        Request::PickFolder(asked) => pick(app, asked, |_| Dialog::of(Wanted::Folder)),
        Request::PickSave(asked) => {
            let app = app.clone();
            apart(asked, move |PickSave { name, extension }| {
                let save = Dialog::of(Wanted::Save)
                    .offering(extension.to_uppercase(), &[&extension])
                    .named(name);
                let mut paths = dialogs::ask(&app, save)?;
                for path in &mut paths {
                    if path.extension().is_none() {
                        path.set_extension(&extension);
                    }
                }
                dialogs::one(paths)
            })
        }
        Request::PickOpen(asked) => pick(app, asked, |asked| {
            Dialog::of(Wanted::File).offering(asked.extensions.join(", "), &asked.extensions)
        }),
        Request::StorageOf(asked) => ask(shell, asked, |engine, _| Ok(engine.models().storage())),
        Request::Notify(asked) => {
            let app = app.clone();
            apart(asked, move |asked| {
                let told = app.notification().builder().title("Lexforge");
                // Some desktops do not show this text.
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
        Request::UnlockWorkspace(asked) => apart(asked, |asked| {
            lexforge_engine::unlock_workspace(
                Path::new(&asked.path),
                &asked.passphrase,
                asked.remember,
            )
        }),
        Request::EncryptWorkspace(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| {
                shell.rewritten(|path| {
                    lexforge_engine::encrypt_workspace(path, &asked.passphrase, asked.remember)
                })
            })
        }
        Request::ChangePassphrase(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| {
                shell.rewritten(|path| {
                    let earlier = Some(asked.earlier.as_str());
                    lexforge_engine::change_passphrase(path, earlier, &asked.passphrase)
                })
            })
        }
        Request::DecryptWorkspace(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| {
                shell.rewritten(|path| {
                    lexforge_engine::decrypt_workspace(path, Some(&asked.passphrase))
                })
            })
        }

        Request::About(asked) => apart(asked, |_| Ok(lexforge_engine::about())),
        Request::AboutWorker(asked) => apart(asked, |_| lexforge_engine::about_worker()),
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

/// One path, by a dialog of the operating system.
fn pick<C: Command<Answer = Option<String>>>(
    app: &AppHandle,
    command: C,
    dialog: impl FnOnce(C) -> Dialog + Send + 'static,
) -> Reply {
    let app = app.clone();
    apart(command, move |command| {
        dialogs::one(dialogs::ask(&app, dialog(command))?)
    })
}
