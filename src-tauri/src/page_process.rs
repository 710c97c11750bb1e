//! The page of the application is drawn by a process of its own. This process may be killed, run out of memory or crash
//! while the application continues. The web view would then show its last picture forever. So the page is loaded again,
//! and it tells the user what happened. If the process ends again within a minute, another page is loaded. It only
//! explains what happened and does not need the program of the first page. So a page that always crashes is not loaded
//! again and again.

use crate::page_ends::Remedy;
use crate::shell::Shell;
use lexforge_domain::api::PageEnd;
use std::time::Instant;
use tauri::{AppHandle, Manager, Url, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};

/// Where the pages of the application are, as the web view names it.
const ADDRESS: &str = if cfg!(windows) {
    "http://tauri.localhost/"
} else {
    "tauri://localhost/"
};
/// The page itself.
const PAGE: &str = "index.html";
/// The message if no page can be shown.
const NO_PAGE: &str = "The page of this window stops as soon as it is loaded. What was saved is in the workspace. \
    The machine may be short of memory: close other programs, then load the page again.\n\n\
    页面一经加载即停止。已保存的内容都在工作区中。机器内存可能不足：请关闭其他程序，然后重新加载页面。";
/// The page that explains; it needs no program.
const EXPLANATION: &str = "stopped.html";
/// The window of the page.
pub const WINDOW: &str = "main";

/// Loads the page again, or explains.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn ended(app: &AppHandle, how: PageEnd) {
    let Some(shell) = app.try_state::<Shell>() else {
        return;
    };
    let remedy = shell.page_ends().ended(how, Instant::now());
    eprintln!("{}", remedy.said());
    let app = app.clone();
    // In another thread: the web view is still reporting the end, and requests to it from here would wait for that.
    std::thread::spawn(move || {
        let Some(window) = app.get_webview_window(WINDOW) else {
            return;
        };
        match remedy {
            Remedy::LoadAgain => load(&window, PAGE),
            Remedy::Explain => load(&window, EXPLANATION),
            Remedy::ExplainWithoutAPage => explain_without_a_page(&window),
        }
    });
}

/// Shows a page of the application. The address is built here and not read from the web view, because the web view has
/// no address after its process has ended.
fn load(window: &WebviewWindow, page: &str) {
    let done = Url::parse(ADDRESS)
        .and_then(|here| here.join(page))
        .map(|page| window.navigate(page));
    if !matches!(done, Ok(Ok(()))) {
        eprintln!("The page could not be loaded again. Close the window and open it anew.");
    }
}

/// Explains the repeated crash in a dialog of the operating system, in both languages, because the shell does not know
/// the user's language. Nothing is loaded before the user asks for it.
fn explain_without_a_page(window: &WebviewWindow) {
    let dialog = window
        .dialog()
        .message(NO_PAGE)
        .title("Lexforge")
        .kind(MessageDialogKind::Error);
    let window = window.clone();
    dialog
        .buttons(MessageDialogButtons::OkCustom(
            "Load again · 重新加载".to_owned(),
        ))
        .show(move |_| load(&window, PAGE));
}

/// Watches the page's process of the application's window.
#[cfg(target_os = "linux")]
pub fn watch(app: &AppHandle) -> tauri::Result<()> {
    use webkit2gtk::{WebProcessTerminationReason, WebViewExt};
    let Some(window) = app.get_webview_window(WINDOW) else {
        return Ok(());
    };
    let app = app.clone();
    window.with_webview(move |view| {
        view.inner()
            .connect_web_process_terminated(move |_, reason| match reason {
                WebProcessTerminationReason::Crashed => ended(&app, PageEnd::Crashed),
                WebProcessTerminationReason::ExceededMemoryLimit => {
                    ended(&app, PageEnd::OutOfMemory)
                }
                // Ended by this program or by one that drives it, on purpose.
                _ => {}
            });
    })
}

/// Does nothing on this system, because this was never tried here. On macOS,
/// `tauri::Builder::on_web_content_process_terminate` could call [`ended`] as the Linux version of this function does.
/// On Windows, WebView2 reports the end of the process by `ProcessFailed`.
#[cfg(not(target_os = "linux"))]
pub fn watch(_app: &AppHandle) -> tauri::Result<()> {
    Ok(())
}
