//! Logs and support bundles in the window: where the logs are, how much is logged, and what a bundle would contain
//! before anything is written.

use crate::window::{built, open, pictures};

#[tokio::test]
async fn a_request_for_support_is_seen_before_it_is_written() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let _screen = crate::window::SCREEN.lock().await;
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("asks.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.settings("machines").await;
    let shown = "return !!document.querySelector('#log-folder')";
    window.until("the folder of the logs", 30, shown).await;
    let folder = window.text("#log-folder").await;
    assert!(folder.ends_with("logs"), "{folder}");

    // The level holds for this window at once, and for the next program.
    let pressed = |level: &str| {
        format!(
            "return document.querySelector('#log-{level}')?.getAttribute('aria-pressed') === 'true'"
        )
    };
    window.until("the usual level", 20, &pressed("info")).await;
    window.click("#log-debug").await;
    window.until("the new level", 20, &pressed("debug")).await;
    let kept = std::path::Path::new(&folder).join("level");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "debug");

    window.click("#look-support").await;
    let parts =
        "return (document.querySelector('#support-parts')?.innerText ?? '').includes('SHA256SUMS')";
    window.until("the parts", 300, parts).await;
    let parts = window.text("#support-parts").await;
    assert!(
        parts.contains("README.txt") && parts.contains("logs/lexforge-app.log"),
        "{parts}"
    );
    pictures::of_screen(&window, "support").await;
    let path = home.path().join("support.zip");
    let write =
        format!("return window.__TAURI__.core.invoke('WriteSupport', {{ path: {path:?} }})");
    window.ask(&write).await;
    assert!(std::fs::read(&path).unwrap().starts_with(b"PK"));
    window.close().await;
    drop(driver);
}
