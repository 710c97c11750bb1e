//! A run on another machine outlives the window: closed while the run is at work, opened again, stopped, gone on with,
//! ended and fetched. Behind it is a real `sshd` on this machine.

use crate::window::driver::{Window, first_run};
use crate::window::opening::{open_short, open_with};
use crate::window::{built, pictures};
use lexforge_tests::held::{Held, starts, steps};
use lexforge_tests::ssh_target::SshTarget;
use serde_json::Value;
use std::path::{Path, PathBuf};

const EVENTS: &str =
    "return window.__TAURI__.core.invoke('RunEvents', { id: 1 }).then(all => all.length)";

#[tokio::test]
async fn a_run_on_another_machine_goes_on_while_the_window_is_closed() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(mut target) = SshTarget::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("away.lexforge");
    let ssh = target.ssh();
    let further = [
        ("LEXFORGE_SSH", ssh.as_path()),
        ("LEXFORGE_PATIENCE", Path::new("60")),
    ];
    let (driver, window) = open_short(&app, &parse, &worker, &workspace, &further).await;
    let folder = target.path("there").display().to_string();
    let added = format!(
        "return window.__TAURI__.core.invoke('AddTarget', {{ name: 'box', place: {{ at: 'ssh', host: 'box' }}, \
         folder: {folder:?}, slurm: null }}).then(t => t.name)"
    );
    assert_eq!(window.ask(&added).await, "box");
    window.settings("machines").await;
    window.click(".machine-install").await;
    window.until_task("install", 300).await;
    // Its worker is held still but for a step while the window is closed, so that the run is at work until it is stopped.
    let jobs = target.path("there/jobs");
    let held = begin(&window, &jobs).await;
    let before = window.ask(EVENTS).await.as_u64().unwrap();
    // The program ends with its window, and with it the connection.
    window.close().await;
    drop(driver);
    let held = held.after_a_step();

    let (driver, window) =
        open_with(&app, &parse, &worker, home.path(), &[&workspace], &further).await;
    window.go("training").await;
    window
        .until_run("running", "that the run is shown at work", 120)
        .await;
    let more = format!(
        "return window.__TAURI__.core.invoke('RunEvents', {{ id: 1 }}).then(all => all.length > {before} \
         && all.every((event, i) => event.seq === i))"
    );
    window
        .until("that it went on, each event once", 120, &more)
        .await;
    pictures::of_screen(&window, "training-reopened").await;

    window.click("#stop-run").await;
    held.until_told("stop");
    window.until_run("stopped", "the run to stop", 200).await;
    window.click("#resume-run").await;
    let again = |events: &[Value]| starts(events) == 2 && steps(events) > 0;
    let held = Held::when(&jobs, again);
    window.until_run("running", "that it goes on", 120).await;
    bring(&window).await;
    drop(held);
    window
        .until_for_good(
            "its adapter, fetched",
            600,
            &first_run("run.state === 'finished' && !!run.adapter"),
        )
        .await;
    let came = checkpoints_here(&workspace);
    assert!(came > 0, "no checkpoint came back");
    after_the_end(&window, &workspace, came).await;
    replace_key(&window, &mut target).await;
    window.close().await;
    drop(driver);
}

/// The folders of checkpoints that the runs of a workspace have on this machine.
fn folders_of_checkpoints(workspace: &Path) -> Vec<PathBuf> {
    let bundles = workspace
        .with_extension("lexforge.artifacts")
        .join("bundles");
    let bundles = std::fs::read_dir(bundles).unwrap();
    bundles
        .map(|bundle| bundle.unwrap().path().join("checkpoints"))
        .collect()
}

/// How many checkpoints of runs the workspace has on this machine.
fn checkpoints_here(workspace: &Path) -> usize {
    let folders = folders_of_checkpoints(workspace);
    let count = |folder: &PathBuf| std::fs::read_dir(folder).map_or(0, Iterator::count);
    folders.iter().map(count).sum()
}

/// The run has ended and its results are here: its checkpoints come as long as the machine was not cleaned, and
/// afterwards it is said why they do not.
async fn after_the_end(window: &Window, workspace: &Path, came: usize) {
    for folder in folders_of_checkpoints(workspace) {
        let _ = std::fs::remove_dir_all(folder);
    }
    bring(window).await;
    let both = "return window.__TAURI__.core.invoke('Tasks').then(all => { const of = all.filter(t => t.kind === 'bring'); \
        return of.length === 2 && of.every(t => t.done && !t.failure) })";
    window.until("that they came once more", 120, both).await;
    assert_eq!(checkpoints_here(workspace), came);
    let clean = "return window.__TAURI__.core.invoke('CleanTarget', { name: 'box', discard: false }).then(c => c.jobs)";
    assert_eq!(window.ask(clean).await, 1);
    window.click("#bring-checkpoints").await;
    window
        .until(
            "the question",
            10,
            "return !!document.querySelector('#bring-do')",
        )
        .await;
    window.click("#bring-do").await;
    window
        .until(
            "why nothing comes",
            120,
            "return !!document.querySelector('#bring-failed')?.innerText.includes('when that machine was cleaned')",
        )
        .await;
    window
        .until(
            "that the button knows it",
            60,
            "return document.querySelector('#bring-checkpoints')?.title.includes('not there any more')",
        )
        .await;
    window.click("#bring-checkpoints").await;
    window
        .until(
            "that the question says so, and offers nothing",
            60,
            "return !!document.querySelector('#bring')?.innerText.includes('was cleaned') && !document.querySelector('#bring-do')",
        )
        .await;
    window.click("#bring .foot .btn").await;
}

/// A run there, whose worker is held still once it has made some steps.
async fn begin(window: &Window, jobs: &Path) -> Held {
    window.go("training").await;
    window.click("#preset-quick_look").await;
    window
        .until(
            "the machines to choose from",
            60,
            "return document.querySelectorAll('#run-on option').length === 2",
        )
        .await;
    let choose = "const s = document.querySelector('#run-on'); s.value = 'box'; \
        s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(choose).await;
    window.fill("#steps", "8").await;
    window.fill("#batch", "4").await;
    window
        .until(
            "a plan",
            60,
            "return !document.querySelector('#start-training').disabled",
        )
        .await;
    window.click("#start-training").await;
    let held = Held::when(jobs, |events| steps(events) > 3);
    window
        .until(
            "progress from there",
            200,
            &first_run(
                "run.state === 'running' && window.__TAURI__.core.invoke('RunEvents', { id: run.id })\
                 .then(all => all.filter(e => e.event === 'progress').length > 3)",
            ),
        )
        .await;
    held
}

/// The checkpoints are to come back with the results, too.
async fn bring(window: &Window) {
    window.click("#bring-checkpoints").await;
    window
        .until(
            "the question",
            10,
            "return document.querySelector('#bring')?.innerText.includes('box')",
        )
        .await;
    window.click("#bring-do").await;
    window.until_task("bring", 120).await;
    window
        .until(
            "that the question is put away",
            10,
            "return !document.querySelector('#bring') && !document.querySelector('#bring-progress')",
        )
        .await;
}

/// The machine shows another key: both are seen, and the new one is trusted for a reason. Nothing does so by itself.
async fn replace_key(window: &Window, target: &mut SshTarget) {
    target.answer_with("other");
    window.settings("machines").await;
    window.click(".machine-check").await;
    let refused = "const text = document.querySelector('.machine')?.innerText ?? ''; return text.includes('another host key') \
         && text.includes('“Show the key”') && !text.includes('lexforge compute')";
    window.until("that it is refused", 60, refused).await;
    window.click(".machine-key").await;
    let both = format!(
        "const text = id => document.querySelector(id)?.innerText.replaceAll(' ', '') ?? ''; \
         return text('#host-key-known').includes({:?}) && text('#host-key-shown') === {:?}",
        target.fingerprint("host"),
        target.fingerprint("other")
    );
    window.until("both keys", 60, &both).await;
    let focus = "return document.activeElement.id";
    assert_eq!(window.ask(focus).await, "host-key-close");
    pictures::of_screen(window, "host-key-changed").await;
    window.click("#host-key-replace").await;
    window
        .until(
            "that Cancel has the focus",
            10,
            "return document.activeElement.id === 'host-key-cancel'",
        )
        .await;
    let locked = "return document.querySelector('#host-key-trust').disabled";
    assert_eq!(window.ask(locked).await, true);
    window.click("#host-key-compared").await;
    assert_eq!(
        window.ask(locked).await,
        true,
        "it is trusted without a reason"
    );
    window
        .fill(
            "#host-key-reason",
            "Set up anew; Bo read the fingerprint out",
        )
        .await;
    pictures::of_screen(window, "host-key-replacing").await;
    window.click("#host-key-trust").await;
    window
        .until(
            "that it is put away",
            60,
            "return !document.querySelector('#host-key-replacing') && !document.querySelector('#host-key')",
        )
        .await;
    window.click(".machine-check").await;
    window
        .until(
            "that it answers",
            60,
            "return document.querySelectorAll('.machine tbody tr').length > 4",
        )
        .await;
    let row = "return window.__TAURI__.core.invoke('AuditRows', { filter: { actor: null, kind: 'host_key', from: null, \
        to: null }, limit: 9, before: null }).then(rows => rows.map(r => r.action + ' ' + r.reason).join())";
    let row = window.ask(row).await;
    let row = row.as_str().unwrap_or_default();
    assert!(
        row.starts_with("host_key.replace") && row.contains("Bo read the fingerprint out"),
        "{row}"
    );
    assert_eq!(window.chain().await["ok"], true);
}
