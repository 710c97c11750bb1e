//! The window in the real web view, driven as a person drives it. Every screen is checked in both themes and languages
//! and at two sizes for misplaced elements; `make pictures` puts a picture of each into `target/screenshots`.

mod answering;
mod asked;
mod axe;
mod bench;
mod bench_judge;
mod dialogs;
mod display;
mod drift;
mod driver;
mod encryption;
mod endpoints;
mod first_hour;
mod fixtures;
mod gate_rule;
mod graph;
mod library;
mod machines;
mod matching;
mod opening;
mod page_end;
mod papers;
mod pictures;
mod press;
mod processes;
mod reopened;
mod review;
mod similarity;
mod speed;
mod ssh_asks;
mod support;
mod sweeps;
mod training;
mod triplets;
mod tuned;
mod wordings;
mod writing;

use self::driver::{Window, first_run};
use self::opening::{open, open_with};
use lexforge_tests::{product::program, repository};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs that the window needs. `None`, with a message, if one is missing; the test is then skipped.
fn built() -> Option<(PathBuf, PathBuf, PathBuf)> {
    if !driver::is_installed() {
        lexforge_needs::missing(
            "WebKitWebDriver or Xvfb is not installed (make setup installs it)",
        );
        return None;
    }
    Some((
        program("LEXFORGE_APP", "lexforge-app")?,
        program("LEXFORGE_PARSE", "lexforge-parse")?,
        program("LEXFORGE_WORKER", "lexforge-worker")?,
    ))
}

/// What the command line does to a workspace, while the window has it open or not; it must succeed.
fn command_line(arguments: &[&OsStr]) {
    let lexforge = program("LEXFORGE_BIN", "lexforge").expect("make test builds the command line");
    let mut command = Command::new(lexforge);
    command
        .args(arguments)
        .env("LEXFORGE_ACTOR", "command line")
        .stdin(Stdio::null());
    if let Some(parse) = program("LEXFORGE_PARSE", "lexforge-parse") {
        command.env("LEXFORGE_PARSE", parse);
    }
    let done = command.output().unwrap();
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[tokio::test]
async fn without_a_workspace_the_window_leads_to_one() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[]).await;
    window
        .until(
            "Welcome",
            20,
            "return !!document.querySelector('#new-workspace')",
        )
        .await;
    pictures::of_screen(&window, "welcome").await;
    keys_say_what_they_need(&window).await;

    // What the file dialog would do after a choice.
    let path = home.path().join("fresh.lexforge");
    let made = format!(
        "return window.__TAURI__.core.invoke('CreateWorkspace', {{ path: {:?} }}).then(w => w.name)",
        path
    );
    assert_eq!(window.ask(&made).await, "fresh");
    window.reload().await;
    window
        .until(
            "an empty library",
            20,
            "return !!document.querySelector('.panes.library .empty')",
        )
        .await;
    pictures::of_screen(&window, "library-empty").await;
    window.go("terms").await;
    pictures::of_screen(&window, "terms-empty").await;

    let missing = "return window.__TAURI__.core.invoke('OpenWorkspace', { path: '/nowhere/x.lexforge' }).then(() => 'opened', f => f.code)";
    assert_eq!(window.ask(missing).await, "workspace_missing");
    support::see_and_write(&window, home.path()).await;
    window.close().await;
    drop(driver);
}

/// Without a workspace the keys of screens and of the import say that they need one.
async fn keys_say_what_they_need(window: &Window) {
    let says = |what: &str| {
        format!(
            "return (document.querySelector('.toast')?.innerText ?? '').includes('{what}: open or create a workspace first')"
        )
    };
    window.type_on("ga").await;
    window.until("what Ask needs", 10, &says("Ask")).await;
    window.press_with('\u{e009}', 'i').await;
    let import = says("Import documents");
    window.until("what an import needs", 10, &import).await;
    // The screen that was asked for last is shown once a workspace is open.
    window.type_on("gl").await;
    window
        .until("what the library needs", 10, &says("Library"))
        .await;
}

#[tokio::test]
async fn a_file_that_is_no_workspace_is_a_clear_failure() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("letter.lexforge");
    std::fs::write(&path, b"Dear supervisor").unwrap();
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&path]).await;
    window
        .until(
            "the failure",
            20,
            "return !!document.querySelector('.alerts .error')",
        )
        .await;
    let failure = window.text(".alerts .error").await;
    assert!(failure.contains("workspace_invalid"), "{failure}");
    window
        .until_text("what is open", 20, "#workspace-name", "No workspace")
        .await;
    pictures::of_screen(&window, "workspace-invalid").await;
    window.click("#put-away").await;
    window
        .until(
            "the failure to be put away",
            10,
            "return !document.querySelector('.alerts .error')",
        )
        .await;
    assert_eq!(std::fs::read(&path).unwrap(), b"Dear supervisor");
    window.close().await;
    drop(driver);
}

#[tokio::test]
async fn from_a_regulation_to_its_report() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("sample.lexforge");
    let empty = home.path().join("empty.pdf");
    std::fs::write(&empty, b"").unwrap();
    let (driver, window) = open(
        &app,
        &parse,
        &worker,
        home.path(),
        &[&workspace, &repository::sample(), &empty],
    )
    .await;
    import(&window).await;
    read(&window).await;
    // Documents are there, and no snapshot of questions to train on.
    window.go("training").await;
    pictures::of_screen(&window, "training-no-snapshot").await;
    prepare(&window).await;
    train(&window).await;
    evaluate(&window).await;
    bench::measure(&window, home.path()).await;
    papers::write(&window, home.path()).await;
    gate_rule::change(&window, home.path()).await;
    verify(&window).await;
    remember(&window).await;
    pictures::of_all_screens(&window).await;
    window.close().await;
    drop(driver);
}

/// One file is read, the empty one is one clear failure.
async fn import(window: &Window) {
    window
        .until_text(
            "the import to end",
            120,
            "#import-counts",
            "1 new, 0 already there, 1 failed",
        )
        .await;
    let failure = window.text(".imports .error").await;
    assert!(
        failure.contains("empty.pdf") && failure.contains("empty"),
        "{failure}"
    );
    // The failure and its remedy are shown in the language of the window.
    window.speak("zh").await;
    window
        .until_text(
            "the failure in Chinese",
            20,
            ".imports .error .t-small",
            "文件为空（0 字节）。",
        )
        .await;
    let failure = window.text(".imports .error").await;
    assert!(!failure.contains("The file"), "{failure}");
    window.speak("en").await;
    pictures::of_screen(window, "import").await;
}

/// The page is beside its sentences, and each lights the other up.
async fn read(window: &Window) {
    window
        .until(
            "the page's image",
            60,
            "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 400",
        )
        .await;
    window
        .until(
            "sentences",
            20,
            "return document.querySelectorAll('.sent').length > 0",
        )
        .await;
    window.click("#page-next").await;
    window.until("page 2", 20, "return document.querySelector('#page-number').value === '2' && document.querySelectorAll('.sent').length > 2").await;

    window.click(".sent:nth-child(2)").await;
    window
        .until(
            "a lit region",
            10,
            "return document.querySelectorAll('.spot.on').length > 0",
        )
        .await;
    let inside = "const s = document.querySelector('.sheet').getBoundingClientRect(); \
        return [...document.querySelectorAll('.spot.on')].every(e => { const r = e.getBoundingClientRect(); \
        return r.width > 20 && r.height > 4 && r.left >= s.left && r.right <= s.right && r.top >= s.top && r.bottom <= s.bottom; })";
    assert_eq!(
        window.ask(inside).await,
        true,
        "the lit region lies on the page"
    );
    let yellow = "return getComputedStyle(document.querySelector('.spot.on')).backgroundColor === 'rgb(255, 226, 122)'";
    window.until("the marker's yellow", 5, yellow).await;

    // The reverse: the pointer on a region lights the sentence.
    let reverse = "const spot = document.querySelector('.spot:not(.on)'); \
        spot.dispatchEvent(new PointerEvent('pointerenter')); return spot.dataset.sentence";
    let sentence = window.ask(reverse).await;
    let lit = format!(
        "const e = document.querySelector('.sent.on'); return !!e && e.dataset.sentence === {sentence}"
    );
    window.until("the sentence of a region", 10, &lit).await;
    window
        .run("document.querySelectorAll('.spot').forEach(e => e.dispatchEvent(new PointerEvent('pointerleave')))")
        .await;
    pictures::of_screen(window, "reading").await;

    window.fill("#find", "shall").await;
    window
        .until(
            "passages",
            20,
            "return !!document.querySelector('.doc .hit')",
        )
        .await;
    pictures::of_screen(window, "search").await;
    window.click(".doc:has(.hit)").await;
    window
        .until(
            "the passage on its page",
            20,
            "return document.querySelectorAll('.spot.on').length > 0",
        )
        .await;
    window.fill("#find", "").await;
}

/// Terms, graph and questions, each with its detail.
async fn prepare(window: &Window) {
    window.go("terms").await;
    window.click("#prepare").await;
    window.until_task("prepare", 400).await;
    window
        .until(
            "a term to decide",
            20,
            "return !!document.querySelector('#item-title')",
        )
        .await;
    window.click("#tab-all").await;
    window
        .until(
            "terms",
            20,
            "return document.querySelectorAll('.grid-row .law').length > 5",
        )
        .await;
    window.click(".grid-row").await;
    window
        .until(
            "a term's contexts",
            20,
            "return !!document.querySelector('#term-detail mark')",
        )
        .await;

    window.go("questions").await;
    window.click("#tab-all").await;
    window
        .until(
            "questions",
            20,
            "return document.querySelectorAll('.grid-row .law').length > 5",
        )
        .await;
    window.click(".grid-row").await;
    window
        .until(
            "the marked answer",
            20,
            "return document.querySelectorAll('#question-detail .choice.right').length === 1",
        )
        .await;

    window.go("graph").await;
    window
        .until(
            "the neighbourhood",
            20,
            "return !!document.querySelector('.graph .node')",
        )
        .await;
}

/// A long run is stopped after a checkpoint, resumed and stopped again; a short one is watched to its end.
async fn train(window: &Window) {
    window.go("training").await;
    start_run(window, "20", "400").await;
    window
        .until(
            "the first step",
            120,
            &first_run("run.state === 'running' && run.step > 0"),
        )
        .await;
    pictures::of_screen(window, "training-live").await;
    window.click("#stop-run").await;
    window.until_run("stopped", "the run to stop", 120).await;
    window.click("#resume-run").await;
    window.until_run("running", "the run to go on", 120).await;
    window.click("#stop-run").await;
    window
        .until_run("stopped", "the run to stop again", 120)
        .await;

    start_run(window, "1", "6").await;
    window
        .until(
            "the second run",
            60,
            "return document.querySelectorAll('#runs tbody tr').length === 2",
        )
        .await;
    window.until_run("finished", "the run to finish", 400).await;
    let curve =
        "return (document.querySelector('path.train')?.getAttribute('d') ?? '').length > 10";
    window.until("the curve", 20, curve).await;
}

async fn start_run(window: &Window, epochs: &str, steps: &str) {
    window.click("#preset-encoder").await;
    window
        .until(
            "the plan",
            60,
            "return !!document.querySelector('#start-training:not(:disabled)')",
        )
        .await;
    window.fill("#epochs", epochs).await;
    window.fill("#steps", steps).await;
    window.fill("#batch", "8").await;
    window.click("#start-training").await;
}

/// The report's figures are on the screen, and its file is on the disk.
async fn evaluate(window: &Window) {
    window.go("evaluation").await;
    window
        .until(
            "the button",
            20,
            "return !!document.querySelector('#evaluate')",
        )
        .await;
    window.click("#evaluate").await;
    window.until_task("evaluate", 400).await;
    window
        .until(
            "the comparisons",
            20,
            "return document.querySelectorAll('#comparisons tbody tr').length === 3",
        )
        .await;
    let figures = window.text("#comparisons").await;
    assert!(
        figures.contains("Accuracy") && figures.contains('['),
        "{figures}"
    );
    let shortcuts = window.text("#shortcuts").await;
    assert!(shortcuts.contains("the longest choice"), "{shortcuts}");
    let report = window.text("#report-path").await;
    assert!(Path::new(report.trim()).is_file(), "{report} is no file");
}

/// The chain holds, and the machine has what it needs.
async fn verify(window: &Window) {
    window.go("activity").await;
    window
        .until(
            "audit rows",
            20,
            "return document.querySelectorAll('#audit tbody tr').length > 4",
        )
        .await;
    window.click("#verify").await;
    window
        .until(
            "the verdict",
            60,
            "return !!document.querySelector('#verified')",
        )
        .await;
    let verdict = window.text("#verified").await;
    assert!(verdict.contains("holds"), "{verdict}");
    window.settings("machines").await;
    window
        .until(
            "the checks",
            60,
            "return document.querySelectorAll('#doctor tbody tr').length > 2",
        )
        .await;
}

/// A reload finds the reader where they were, and everything came from this machine.
async fn remember(window: &Window) {
    window.go("library").await;
    window.click("#page-next").await;
    let place = "return [document.querySelector('#go-library').getAttribute('aria-current'), document.querySelector('#page-number')?.value].join()";
    let before = window.ask(place).await;
    window.reload().await;
    window
        .until(
            "the page again",
            30,
            "return !window.beforeReload && document.querySelectorAll('.sent').length > 0 && !!document.querySelector('#page-number')",
        )
        .await;
    assert_eq!(window.ask(place).await, before);
    let remote = "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !/^(tauri|page|ipc):\\/\\/(localhost|ipc)/.test(n) && !/^http:\\/\\/(ipc|page|tauri)\\.localhost/.test(n)).join()";
    assert_eq!(window.ask(remote).await, "");
}
