//! An encoder that was tuned: how the accepted terms lie in its space, the curve of what it gains and forgets, and a point
//! of the curve with which questions are searched from then on.

use crate::prepared;
use crate::window::driver::Window;
use crate::window::{built, command_line, open};
use std::ffi::OsStr;
use std::path::Path;

#[tokio::test]
async fn a_person_looks_at_the_terms_and_takes_a_point_of_the_curve() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("tuned.lexforge");
    if prepared::trained(&workspace).is_none() {
        return;
    }
    let made = ["triplets", "make"].map(OsStr::new);
    let offline = [workspace.as_os_str(), OsStr::new("--offline")];
    command_line(&[&made[..], &offline].concat());
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    accept_terms(&window, &workspace).await;
    see_the_terms_in_space(&window).await;
    see_the_curve(&window, home.path()).await;
    take_a_point(&window).await;
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

/// With a table of general language the picture has two lines over all five shares of the tuning, and says in words what
/// it shows. The table is given as the dialog for files has it done.
async fn see_the_curve(window: &Window, folder: &Path) {
    let pairs = folder.join("general.csv");
    let mut table = "sentence1,sentence2,score\n".to_owned();
    for n in 0..30_u32 {
        let (one, other) = (n % 6, n % 5);
        table += &format!(
            "A boat with {one} sails leaves at dawn.,A ship with {other} sails leaves early.,{}\n",
            5 - one.abs_diff(other)
        );
    }
    std::fs::write(&pairs, table).unwrap();
    let measure = format!(
        "const {{ invoke }} = window.__TAURI__.core; const run = (await invoke('Runs'))[0].id; \
         return invoke('MeasureTriplets', {{ wanted: {{ run, base: null, percents: [25, 50, 75, 100], split: 'train', \
         own: 'left_out' }}, files: [{pairs:?}] }})"
    );
    window.ask(&measure).await;
    window.until_task("measure_triplets", 300).await;
    window.go("questions").await;
    window.click("#to-triplets").await;
    window.click("#measure-triplets").await;
    let drawn = "const dots = (of) => document.querySelectorAll('#measure #curve svg ' + of).length; \
        return dots('circle.now-point') === 5 && dots('rect.dev-point') === 5 \
            && document.querySelectorAll('#measure-figures thead th').length === 6 \
            && document.querySelector('#measure #curve svg').getAttribute('aria-label').includes('general')";
    window
        .until("gain and loss over the tuning", 30, drawn)
        .await;
    let on = window.text("#measure-on").await;
    assert!(on.contains("cluster"), "{on}");
}

/// Half of the tuning is taken: vectors are made with it, and questions are searched by them.
async fn take_a_point(window: &Window) {
    window.click("#measure-take [data-point='50']").await;
    window.until_task("search_with", 200).await;
    let chosen = "return window.__TAURI__.core.invoke('SearchEncoders').then(rows => rows.some(r => r.chosen && r.choice?.percent === 50))";
    window.until("half of the tuning", 30, chosen).await;
}
