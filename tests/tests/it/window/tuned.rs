//! An encoder that was tuned: how the accepted terms lie in its space.

use crate::prepared;
use crate::window::driver::Window;
use crate::window::{built, command_line, open};
use std::ffi::OsStr;
use std::path::Path;

#[tokio::test]
async fn a_person_looks_at_the_terms_in_the_space_of_a_tuned_encoder() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("tuned.lexforge");
    if prepared::trained(&workspace).is_none() {
        return;
    }
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    accept_terms(&window, &workspace).await;
    see_the_terms_in_space(&window).await;
    window.close().await;
    drop(driver);
}

/// Twenty terms that the documents define are accepted.
async fn accept_terms(window: &Window, workspace: &Path) {
    let ids = "return window.__TAURI__.core.invoke('Terms', { filter: { limit: 20 } }).then(t => t.rows.map(r => String(r.id)))";
    let ids = window.ask(ids).await;
    let ids: Vec<&str> = ids
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|id| id.as_str())
        .collect();
    assert_eq!(ids.len(), 20);
    let mut arguments = vec![
        OsStr::new("terms"),
        OsStr::new("decide"),
        workspace.as_os_str(),
    ];
    arguments.extend(ids.iter().map(OsStr::new));
    arguments.push(OsStr::new("--accept"));
    command_line(&arguments);
}

/// The card stands among the figures of the run. Each measure has a figure before and after, and none is empty.
async fn see_the_terms_in_space(window: &Window) {
    window.go("evaluation").await;
    window.click("#tab-candidate").await;
    window.click("#term-space").await;
    window.until_task("term_space", 200).await;
    let figures = "const rows = [...document.querySelectorAll('#term-space-figures tbody tr')]; \
        return rows.length > 3 && rows.some(r => [1, 2].every(i => /\\d/.test(r.cells[i].innerText)))";
    window.until("the terms in space", 30, figures).await;
}
