//! The process that draws the page may end while the application lives: killed, out of memory, by a fault of its own. The web
//! view would show the last picture for ever. The page is loaded again instead and says so; a second time within a minute a
//! page without the program explains, so that a page that cannot live is not loaded for ever.

use crate::shell::{Shell, held};
use lexforge_domain::api::PageEnd;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager, Url, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};

/// Ends nearer to each other than this are explained.
const SOON: Duration = Duration::from_secs(60);
/// Where the pages of the application are, as the web view names it.
const ADDRESS: &str = if cfg!(windows) { "http://tauri.localhost/" } else { "tauri://localhost/" };
/// The page itself.
const PAGE: &str = "index.html";
/// What is said where no page can be shown.
const NO_PAGE: &str = "The page of this window stops as soon as it is loaded. What was saved is in the workspace. \
    The machine may be short of memory: close other programs, then load the page again.\n\n\
    页面一经加载即停止。已保存的内容都在工作区中。机器内存可能不足：请关闭其他程序，然后重新加载页面。";
/// The page that explains; it needs no program.
const EXPLANATION: &str = "stopped.html";
/// The window of the page.
const WINDOW: &str = "main";

/// What is done about a page that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remedy {
    LoadAgain,
    Explain,
    /// Not even the explanation lives.
    ExplainWithoutAPage,
}

impl Remedy {
    /// What is done, for the log.
    fn said(self) -> &'static str {
        match self {
            Self::LoadAgain => "The page's process has ended. The page is loaded again.",
            Self::Explain => "The page's process has ended twice within a minute. It is explained.",
            Self::ExplainWithoutAPage => "The process of the explaining page has ended too. A dialog explains.",
        }
    }
}

/// When the page's process ended, and what the next page has to be told about it.
#[derive(Default)]
pub struct PageEnds {
    last: Mutex<Option<Instant>>,
    untold: Mutex<Option<PageEnd>>,
    explained: Mutex<bool>,
}

impl PageEnds {
    fn ended(&self, how: PageEnd, now: Instant) -> Remedy {
        *held(&self.untold) = Some(how);
        let before = held(&self.last).replace(now);
        let soon = before.is_some_and(|before| now.saturating_duration_since(before) < SOON);
        let explained = std::mem::replace(&mut *held(&self.explained), soon);
        match (soon, explained) {
            (false, _) => Remedy::LoadAgain,
            (true, false) => Remedy::Explain,
            (true, true) => Remedy::ExplainWithoutAPage,
        }
    }

    /// How the page before this one ended, once.
    pub fn told(&self) -> Option<PageEnd> {
        *held(&self.explained) = false;
        held(&self.untold).take()
    }
}

/// Loads the page again, or explains.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn ended(app: &AppHandle, how: PageEnd) {
    let Some(shell) = app.try_state::<Shell>() else { return };
    let remedy = shell.page_ends().ended(how, Instant::now());
    eprintln!("{}", remedy.said());
    let app = app.clone();
    // Apart: the web view is still telling of the end, and what is asked of it here waits for it.
    std::thread::spawn(move || {
        let Some(window) = app.get_webview_window(WINDOW) else { return };
        match remedy {
            Remedy::LoadAgain => load(&window, PAGE),
            Remedy::Explain => load(&window, EXPLANATION),
            Remedy::ExplainWithoutAPage => explain_without_a_page(&window),
        }
    });
}

/// Shows a page of the application. Its address is not asked of the web view, which has none after its process has ended.
fn load(window: &WebviewWindow, page: &str) {
    let done = Url::parse(ADDRESS).and_then(|here| here.join(page)).map(|page| window.navigate(page));
    if !matches!(done, Ok(Ok(()))) {
        eprintln!("The page could not be loaded again. Close the window and open it anew.");
    }
}

/// The operating system's own dialog says it, in both languages, since the shell knows no other; nothing is loaded before
/// somebody wants it.
fn explain_without_a_page(window: &WebviewWindow) {
    let dialog = window.dialog().message(NO_PAGE).title("Lexforge").kind(MessageDialogKind::Error);
    let window = window.clone();
    dialog
        .buttons(MessageDialogButtons::OkCustom("Load again · 重新加载".to_owned()))
        .show(move |_| load(&window, PAGE));
}

/// Watches the page's process of the application's window.
#[cfg(target_os = "linux")]
pub fn watch(app: &AppHandle) -> tauri::Result<()> {
    use webkit2gtk::{WebProcessTerminationReason, WebViewExt};
    let Some(window) = app.get_webview_window(WINDOW) else { return Ok(()) };
    let app = app.clone();
    window.with_webview(move |view| {
        view.inner().connect_web_process_terminated(move |_, reason| match reason {
            WebProcessTerminationReason::Crashed => ended(&app, PageEnd::Crashed),
            WebProcessTerminationReason::ExceededMemoryLimit => ended(&app, PageEnd::OutOfMemory),
            // Ended by this program or by one that drives it, on purpose.
            _ => {}
        });
    })
}

/// Nothing to watch from here. On macOS `tauri::Builder::on_web_content_process_terminate` calls [`ended`] in the same way,
/// and WebView2 tells of it by `ProcessFailed`; neither was tried.
#[cfg(not(target_os = "linux"))]
pub fn watch(_app: &AppHandle) -> tauri::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_end_within_a_minute_is_explained() {
        let ends = PageEnds::default();
        let begun = Instant::now();
        let check = |seconds: u64, expected: Remedy| {
            let now = begun + Duration::from_secs(seconds);
            assert_eq!(ends.ended(PageEnd::Crashed, now), expected, "after {seconds} s");
        };
        check(0, Remedy::LoadAgain);
        check(59, Remedy::Explain);
        check(100, Remedy::ExplainWithoutAPage);
        assert_eq!(ends.told(), Some(PageEnd::Crashed), "the page was loaded again");
        check(150, Remedy::Explain);
        check(211, Remedy::LoadAgain);
    }

    #[test]
    fn an_end_is_told_once() {
        let ends = PageEnds::default();
        assert_eq!(ends.told(), None);
        ends.ended(PageEnd::OutOfMemory, Instant::now());
        assert_eq!(ends.told(), Some(PageEnd::OutOfMemory));
        assert_eq!(ends.told(), None);
    }
}
