//! A machine for training, as an operator uses it: added, checked, set up, trained on, cleaned and forgotten. Behind it
//! is a real `sshd` on this machine.

use crate::window::driver::{Window, first_run};
use crate::window::opening::open_short;
use crate::window::{built, pictures};
use lexforge_tests::ssh_target::SshTarget;
use std::path::Path;

#[tokio::test]
async fn an_operator_trains_on_another_machine() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(target) = SshTarget::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("elsewhere.lexforge");
    let ssh = target.ssh();
    let further = [
        ("LEXFORGE_SSH", ssh.as_path()),
        ("LEXFORGE_PATIENCE", Path::new("60")),
    ];
    let (driver, window) = open_short(&app, &parse, &worker, &workspace, &further).await;

    add(&window, &target.path("there").display().to_string()).await;
    window.click(".machine-check").await;
    window
        .until(
            "what was found there",
            60,
            "return document.querySelectorAll('.machine tbody tr').length > 4",
        )
        .await;
    window
        .ask("document.querySelector('#machines').scrollIntoView()")
        .await;
    pictures::of_screen(&window, "machines-checked").await;
    window.click(".machine-install").await;
    window.until_task("install", 300).await;
    window
        .until(
            "that the worker is there",
            20,
            "return document.querySelector('.machine')?.innerText.includes('Worker')",
        )
        .await;
    // The lock at the top says where something may go now.
    window
        .until_text(
            "the other machine",
            20,
            "#place .clip",
            "This machine and box",
        )
        .await;
    train(&window).await;
    stop_following(&window, &target).await;

    window.settings("machines").await;
    window.click(".machine-clean").await;
    window
        .until(
            "what is kept there, before anything is removed",
            60,
            "const bundles = document.querySelector('.machine-holds tr[data-kind=\"bundle\"]'); \
             return !!bundles && !!document.querySelector('.machine-holds tr[data-kind=\"worker\"]')",
        )
        .await;
    pictures::of_screen(&window, "machines-holds").await;
    window.click(".machine-clean-do").await;
    window
        .until(
            "what was removed",
            60,
            "return document.querySelector('.machine .note')?.innerText.includes('1 run')",
        )
        .await;
    window
        .ask("document.querySelector('#machines').scrollIntoView()")
        .await;
    pictures::of_screen(&window, "machines-cleaned").await;
    window.click(".machine-remove").await;
    window
        .until(
            "the question before it is forgotten",
            20,
            "return !!document.querySelector('#machine-removal') && !!document.querySelector('.machine')",
        )
        .await;
    window.click("#machine-removal-do").await;
    window
        .until(
            "that it is forgotten",
            20,
            "return !document.querySelector('.machine')",
        )
        .await;
    window.close().await;
    drop(driver);
}

/// A name that cannot be one is told in the form; nothing is connected to by adding.
async fn add(window: &Window, folder: &str) {
    window.settings("machines").await;
    window.click("#machine-new").await;
    window.fill("#machine-name", "a/b").await;
    window.fill("#machine-host", "box").await;
    window.fill("#machine-folder", folder).await;
    window.click("#machine-keep").await;
    window
        .until(
            "the name's fault",
            20,
            "return !!document.querySelector('#machine-form .error')",
        )
        .await;
    window.fill("#machine-name", "box").await;
    window.click("#machine-queued").await;
    window
        .until(
            "the queue's fields",
            10,
            "return !!document.querySelector('#machine-partition')",
        )
        .await;
    preview(window).await;
    pictures::of_screen(window, "machines-form").await;
    window.click("#machine-queued").await;
    window.fill("#machine-price", "2.40").await;
    window.fill("#machine-currency", "EUR").await;
    window.click("#machine-keep").await;
    window
        .until(
            "the machine",
            20,
            "return document.querySelectorAll('.machine').length === 1 && !document.querySelector('#machine-form')",
        )
        .await;
    window
        .until(
            "its price",
            20,
            "return document.querySelector('.machine')?.innerText.includes('2.40 EUR')",
        )
        .await;
}

/// The script is shown with what is typed, before anything is kept.
async fn preview(window: &Window) {
    window.fill("#machine-partition", "gpu").await;
    window
        .ask("document.querySelector('#machine-more').open = true")
        .await;
    window.fill("#machine-lines", "#SBATCH --qos=high").await;
    window.click("#machine-form .machine-preview").await;
    window
        .until(
            "the script with what is typed",
            20,
            "const text = document.querySelector('#machine-form .machine-script-text')?.innerText ?? ''; \
             return text.includes('--partition=gpu') && text.includes('#SBATCH --qos=high')",
        )
        .await;
}

/// A short run there, as it is planned in the form.
async fn plan(window: &Window) {
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
    window.fill("#steps", "2").await;
    window
        .until(
            "a plan",
            60,
            "return !document.querySelector('#start-training').disabled",
        )
        .await;
}

/// A short run there, whose adapter comes back.
async fn train(window: &Window) {
    plan(window).await;
    // No run has shown yet how long one takes there: no figure is made up.
    window
        .until(
            "what the run will cost",
            60,
            "return document.querySelector('#run-cost')?.innerText.includes('not known')",
        )
        .await;
    window.click("#start-training").await;
    window
        .until_for_good(
            "the run to end there",
            300,
            &first_run("run.state === 'finished' && !!run.adapter"),
        )
        .await;
    window
        .until(
            "what it cost",
            60,
            "return document.querySelector('#run-spent')?.innerText.includes('EUR')",
        )
        .await;
}

/// A run that could not be sent to the machine is put away, in Chinese. Why it failed stays in view.
async fn stop_following(window: &Window, target: &SshTarget) {
    plan(window).await;
    // The connection ends, and the machine shows another key from now on: nothing is sent to it.
    target.trust("other");
    target.line.cut_after(0);
    window.click("#start-training").await;
    let is = |state: &str| {
        format!(
            "return window.__TAURI__.core.invoke('Runs').then(([run]) => run.id === 2 && run.state === {state:?} \
             && run.on === 'box' && run.failure?.code === 'target_refused')"
        )
    };
    window
        .until("that it was refused", 120, &is("failed"))
        .await;
    window.reload().await;
    window.speak("zh").await;
    window.go("training").await;
    window
        .click("#runs tbody tr:first-child td:nth-child(3)")
        .await;
    window.click("#unfollow-run").await;
    window
        .until_text(
            "the question in Chinese",
            10,
            "#unfollow h2",
            "停止跟进第 2 次训练？",
        )
        .await;
    let told = window.text("#unfollow").await;
    assert!(told.contains("box 上的内容保持不变"), "{told}");
    let buttons =
        "return [...document.querySelectorAll('#unfollow button')].map(b => b.innerText).join()";
    assert_eq!(window.ask(buttons).await, "取消,停止跟进");
    // Whether it is at work there cannot be found out, so it is asked once more.
    window.click("#unfollow-do").await;
    window
        .until_text(
            "that nobody can tell",
            60,
            "#unfollow-anyway",
            "仍然停止跟进",
        )
        .await;
    window.click("#unfollow-anyway").await;
    window
        .until("that it is put away", 20, &is("unfollowed"))
        .await;
    window
        .until(
            "why it had failed",
            20,
            "return !document.querySelector('#unfollow') && !document.querySelector('#unfollow-run') \
             && !!document.querySelector('.page-body .error')?.innerText.includes('box')",
        )
        .await;
    window.speak("en").await;
    target.trust("host");
}
