//! Opening the window with a user's folder of its own.

use crate::prepared;
use crate::window::driver::{Driver, Window};
use lexforge_tests::repository;
use std::path::Path;

/// A window on what the arguments name, in English.
pub async fn open(
    app: &Path,
    parse: &Path,
    worker: &Path,
    home: &Path,
    arguments: &[&Path],
) -> (Driver, Window) {
    open_with(app, parse, worker, home, arguments, &[]).await
}

/// A window on what the arguments name, in English, with further environment variables.
pub async fn open_with(
    app: &Path,
    parse: &Path,
    worker: &Path,
    home: &Path,
    arguments: &[&Path],
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    let models = repository::root().join(".deps/models");
    let state = home.join("user-state");
    let own = [
        ("LEXFORGE_PARSE", parse),
        ("LEXFORGE_WORKER", worker),
        ("LEXFORGE_MODELS", &models),
        ("XDG_DATA_HOME", home),
        ("LEXFORGE_STATE", &state),
    ];
    let driver = Driver::start(&[&own, further].concat());
    let window = driver.open(app, arguments).await;
    window
        .until(
            "the page is drawn",
            60,
            "return !!document.querySelector('.rail')",
        )
        .await;
    window.speak("en").await;
    (driver, window)
}

/// A window on a copy of the workspace with a snapshot of the sample. The user's folder is beside the workspace.
pub async fn open_frozen(
    app: &Path,
    parse: &Path,
    worker: &Path,
    workspace: &Path,
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    prepared::frozen(workspace).expect("make test builds the command line");
    let home = workspace.parent().unwrap();
    let (driver, window) = open_with(app, parse, worker, home, &[workspace], further).await;
    window
        .until(
            "the document",
            60,
            "return window.__TAURI__.core.invoke('Documents').then(all => all.length === 1)",
        )
        .await;
    (driver, window)
}
