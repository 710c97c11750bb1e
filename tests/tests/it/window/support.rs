//! Logs and support bundles in the window: where the logs are, how much is logged, and what a bundle would contain
//! before anything is written.

use crate::window::driver::Window;
use crate::window::pictures;
use std::path::Path;

/// Asks for support with a workspace open, and sees what would be written before it is.
pub async fn see_and_write(window: &Window, home: &Path) {
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
    let kept = Path::new(&folder).join("level");
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
    pictures::of_screen(window, "support").await;
    let path = home.join("support.zip");
    let write =
        format!("return window.__TAURI__.core.invoke('WriteSupport', {{ path: {path:?} }})");
    window.ask(&write).await;
    assert!(std::fs::read(&path).unwrap().starts_with(b"PK"));
}
