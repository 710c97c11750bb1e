//! A language model on another machine, as a compliance officer uses it: adding it, checking whether it answers, seeing
//! what it would be sent, and agreeing or refusing.

use crate::window::driver::Window;
use crate::window::opening::open_frozen;
use crate::window::{built, pictures};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::question_backend;

#[tokio::test]
async fn nothing_is_sent_before_somebody_agreed() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let proxy = FaultProxy::start(
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    );
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("firm.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;

    name_one(&window, &proxy.url()).await;
    let connections = proxy.connections();
    agree(&window, &proxy).await;
    assert!(proxy.connections() > connections);
    window.close().await;
    drop(driver);
}

/// Naming an endpoint sends nothing to it; a check does, and says what it found.
async fn name_one(window: &Window, url: &str) {
    window.settings("models").await;
    window.click("#endpoint-new").await;
    window.fill("#endpoint-name", "firm").await;
    window.fill("#endpoint-model", "m").await;
    window.fill("#endpoint-url", "not an address").await;
    window.click("#endpoint-keep").await;
    window
        .until(
            "the field's fault",
            20,
            "return !!document.querySelector('#endpoint-form .error')",
        )
        .await;
    pictures::of_screen(window, "endpoint-wrong").await;
    window.fill("#endpoint-url", url).await;
    window.click("#endpoint-keep").await;
    window.until("the endpoint", 20, "return document.querySelectorAll('#endpoints .endpoint').length === 1 && !document.querySelector('#endpoint-form')").await;
    window.click("#endpoints .endpoint .btn").await;
    window
        .until(
            "that it answers",
            60,
            "return !!document.querySelector('#endpoints .endpoint .note')",
        )
        .await;
    pictures::of_screen(window, "endpoint-answers").await;
}

/// Names an endpoint in the settings, and nothing more.
pub async fn name_endpoint(window: &Window, name: &str, url: &str) {
    window.settings("models").await;
    window.click("#endpoint-new").await;
    window.fill("#endpoint-name", name).await;
    window.fill("#endpoint-model", "m").await;
    window.fill("#endpoint-url", url).await;
    window.click("#endpoint-keep").await;
    window.until("the endpoint", 20, "return document.querySelectorAll('#endpoints .endpoint').length === 1 && !document.querySelector('#endpoint-form')").await;
}

/// The line says what is sent, and where to (here: to this machine). Escape sends nothing. Agreeing writes questions.
async fn agree(window: &Window, proxy: &FaultProxy) {
    window.go("questions").await;
    let before = proxy.connections();
    for leave in [true, false] {
        window.click("#write-by-endpoint").await;
        window.click("#consent [data-endpoint=firm]").await;
        window
            .until(
                "what would be sent",
                60,
                "return !!document.querySelector('#consent-line')",
            )
            .await;
        let inside = "return document.querySelector('#consent').contains(document.activeElement)";
        assert_eq!(window.ask(inside).await, true, "the focus is in the dialog");
        let line = window.text("#consent-line").await;
        assert!(
            line.contains("do not leave this machine") && line.contains("sentences"),
            "{line}"
        );
        if leave {
            window.picture("consent").await;
            window
                .run(
                    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', \
                     { key: 'Escape', code: 'Escape', bubbles: true }))",
                )
                .await;
            window
                .until(
                    "the dialog to go",
                    10,
                    "return !document.querySelector('#consent')",
                )
                .await;
            let back = "return document.activeElement?.id";
            assert_eq!(
                window.ask(back).await,
                "write-by-endpoint",
                "the focus goes back"
            );
        }
    }
    assert_eq!(
        proxy.connections(),
        before,
        "nothing was sent before somebody agreed"
    );
    window.click("#consent-agree").await;
    window.until_task("questions", 400).await;
    window.until("written questions", 60, "return window.__TAURI__.core.invoke('Questions', { filter: { limit: 1 } }).then(q => q.rows[0].source === 'llm')").await;
    pictures::of_screen(window, "questions-written").await;
}
