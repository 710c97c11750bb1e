//! An encoder that was tuned: how the accepted terms lie in its space; what a tuning on triplets gains and forgets, and
//! a point between the base model and the tuned one with which questions are searched from then on.

use crate::prepared;
use crate::triplets::corpus;
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
    let all = window.ask(FIGURES).await;
    // At the input an adapter of the layers has changed nothing, and the figures are others than after the last layer.
    window.fill("#term-space-layer", "two").await;
    let refused = "return document.querySelector('#term-space').disabled";
    window.until("no layer “two”", 30, refused).await;
    window.fill("#term-space-layer", "0").await;
    window.click("#term-space").await;
    let at_input = "const text = document.querySelector('#term-space-figures')?.closest('article').innerText ?? ''; \
        return text.includes('at the input, before')";
    window.until("the terms at the input", 200, at_input).await;
    assert_ne!(window.ask(FIGURES).await, all);
}

/// The cells with figures, as they are shown.
const FIGURES: &str = "return [...document.querySelectorAll('#term-space-figures tbody td.num')].map(c => c.innerText)";

#[tokio::test]
async fn a_person_sees_what_a_tuning_on_triplets_forgets_and_takes_half_of_it() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let lexforge = corpus().expect("make test builds the command line");
    lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    let few = ["--task", "triplets", "--max-steps", "2", "--json"];
    let done = lexforge.run(&[&["train", "a.lexforge"][..], &few].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let home = tempfile::tempdir().unwrap();
    let workspace = lexforge.path("a.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    measure_the_tuning(&window, home.path()).await;
    see_the_curve(&window).await;
    take_half(&window).await;
    window.close().await;
    drop(driver);
}

/// The newest run and the points between are what the dialog offers first; a table of general language is added. The
/// dialog for files is the system's; its answer is put in its place.
async fn measure_the_tuning(window: &Window, folder: &Path) {
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
    window.go("questions").await;
    window.click("#tab-triplets").await;
    window.click("#measure-triplets").await;
    let answered = format!(
        "const core = window.__TAURI__.core; window.__TAURI__.core = {{ ...core, \
         invoke: (name, ...rest) => name === 'PickOpen' ? Promise.resolve({pairs:?}) : core.invoke(name, ...rest) }}; \
         window.coreBefore = core"
    );
    window.ask(&answered).await;
    window.click("#measure-file").await;
    let named = "return document.querySelector('#measure').innerText.includes('general.csv')";
    window.until("the table of pairs", 20, named).await;
    window
        .ask("window.__TAURI__.core = window.coreBefore")
        .await;
    window.click("#measure-begin").await;
    window.until_task("measure_triplets", 300).await;
}

/// The picture has two lines over all five shares of the tuning and says in words what it shows. Below it the table has
/// a column for each share, and no figure is missing.
async fn see_the_curve(window: &Window) {
    let drawn = "const dots = (of) => document.querySelectorAll('#measure #curve svg ' + of).length; \
        return dots('circle.now-point') === 5 && dots('rect.dev-point') === 5 \
            && document.querySelectorAll('#measure-figures thead th').length === 6 \
            && document.querySelector('#measure #curve svg').getAttribute('aria-label').includes('general.csv')";
    window
        .until("gain and loss over the tuning", 30, drawn)
        .await;
    let on = window.text("#measure-on").await;
    assert!(on.contains("Run 1") && on.contains("cluster"), "{on}");
    let first = "return [...document.querySelector('#measure-figures tbody tr').cells].slice(1).map(c => c.innerText)";
    let first = window.ask(first).await;
    let shares: Vec<&str> = first
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|c| c.as_str())
        .collect();
    assert!(
        shares.len() == 5 && shares.iter().all(|c| c.contains('[')),
        "{first}"
    );
}

/// Half of the tuning is taken: vectors are made with it, questions are searched by them, and the dialog says so.
async fn take_half(window: &Window) {
    // By keyboard: the driver finds no place where it can press this button, which a person sees.
    let half = "const half = document.querySelector(\"#measure-take [data-point='50']\"); half?.focus(); \
        return document.activeElement === half";
    window.until("half of the tuning to choose", 30, half).await;
    window.press('\u{E007}').await;
    window.until_task("search_with", 200).await;
    let chosen = "return window.__TAURI__.core.invoke('SearchEncoders').then(rows => rows.some(r => r.chosen && r.choice?.run === 1 && r.choice?.percent === 50))";
    window.until("half of the tuning", 30, chosen).await;
    let shown = "return document.querySelector('#measure #search-encoder')?.selectedOptions[0]?.innerText.includes('50') ?? false";
    window
        .until("it among what questions are searched with", 30, shown)
        .await;
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
}
