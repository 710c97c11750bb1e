//! A judge of what systems wrote, and BERTScore by a model of this machine, as the bench in the window has them.

use crate::bench_judge::{models, reply, short};
use crate::window::driver::Window;
use crate::window::endpoints::name_endpoint;
use crate::window::opening::{self, open_with};
use crate::window::{built, pictures};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::rules::WS;
use std::path::PathBuf;

const SYSTEMS: [&str; 3] = ["tfidf", "base lexforge-demo", "base twin"];

#[tokio::test]
async fn what_systems_wrote_is_judged_and_compared_token_by_token() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(lexforge) = short() else { return };
    // Slow enough to be stopped on the way, however few the questions.
    let weather = Weather {
        delay: 250,
        ..Weather::default()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(reply)), weather);
    let home = tempfile::tempdir().unwrap();
    let decoders = models(&lexforge);
    let all = std::env::split_paths(&decoders).chain([opening::models()]);
    let all = PathBuf::from(std::env::join_paths(all).unwrap());
    let (driver, window) = open_with(
        &app,
        &parse,
        &worker,
        home.path(),
        &[&lexforge.path(WS)],
        &[("LEXFORGE_MODELS", &all)],
    )
    .await;
    name_endpoint(&window, "firm", &proxy.url()).await;
    window.go("evaluation").await;
    window.click("#tab-bench").await;
    let there = "return document.querySelectorAll('#bench-systems input[data-system]').length > 2";
    window.until("the systems", 120, there).await;
    let tick = format!(
        "for (const box of document.querySelectorAll('#bench-systems input[data-system]')) \
         if (box.checked !== {SYSTEMS:?}.includes(box.dataset.system)) box.click();"
    );
    window.run(&tick).await;
    window.click("#bench-measure").await;
    window.until_task("bench", 400).await;
    let written =
        "return document.querySelectorAll('#bench-written-table tr[data-writer]').length === 2";
    window.until("what they wrote", 30, written).await;
    let asked = proxy.seen().all();

    agree(&window, &proxy, asked).await;
    stop_and_go_on(&window, &proxy).await;
    read(&window).await;
    by_tokens(&window, &proxy).await;
    pictures::of_judge(&window).await;
    as_a_system(&window, &proxy).await;
    window.close().await;
    drop(driver);
}

/// The window says who is asked, and about what, before anything is sent.
async fn agree(window: &Window, proxy: &FaultProxy, asked: u64) {
    window.click("#bench-judge").await;
    window.click("#judging [data-endpoint=firm]").await;
    let planned = "return !!document.querySelector('#judging #consent-agree')";
    window.until("what would be sent", 120, planned).await;
    let dialog = window.text("#judging").await;
    assert!(
        dialog.contains("model m") || dialog.contains("to m?"),
        "{dialog}"
    );
    assert!(dialog.contains("characters in all"), "{dialog}");
    assert_eq!(proxy.seen().all(), asked, "a plan sends nothing");
    pictures::of_screen(window, "evaluation-bench-judging").await;
}

/// The replies of a judge that is stopped are kept. When it goes on, only the rest is sent.
async fn stop_and_go_on(window: &Window, proxy: &FaultProxy) {
    window.click("#judging #consent-agree").await;
    let some = "const t = (await window.__TAURI__.core.invoke('Tasks')).filter(t => t.kind === 'bench').pop(); \
        return (t.asking?.done ?? 0) > 4";
    window.until("replies", 120, some).await;
    window.click("#bench-cancel").await;
    let stopped = "return !!document.querySelector('#bench-stopped')";
    window.until("the stop", 60, stopped).await;
    let before = proxy.seen().answered.len();
    assert!(before > 0);
    window.click("#bench-judge").await;
    window.click("#judging [data-endpoint=firm]").await;
    let planned = "return !!document.querySelector('#judging #consent-agree')";
    window.until("what would be sent", 120, planned).await;
    let dialog = window.text("#judging").await;
    assert!(dialog.contains("in the workspace already"), "{dialog}");
    window.click("#judging #consent-agree").await;
    window.until_task("bench", 400).await;
}

/// Ticks an endpoint as a system of the bench. It is asked only after the user has seen what it would be sent. It is in
/// the table with the figures of what it writes.
async fn as_a_system(window: &Window, proxy: &FaultProxy) {
    let asked = proxy.seen().all();
    let tick = "for (const box of document.querySelectorAll('#bench-systems input[data-system]')) \
        if (box.checked !== ['base lexforge-demo', 'endpoint firm'].includes(box.dataset.system)) box.click();";
    window.run(tick).await;
    let planned = "return !!document.querySelector('#bench-asking #consent-agree')";
    for leave in [true, false] {
        window.click("#bench-measure").await;
        window.until("what would be sent", 120, planned).await;
        assert_eq!(proxy.seen().all(), asked, "a plan sends nothing");
        if leave {
            window.click("#bench-asking .btn.sm").await;
            let away = "return !document.querySelector('#bench-asking')";
            window.until("nothing to agree to", 20, away).await;
        }
    }
    pictures::of_screen(window, "evaluation-bench-asking").await;
    let begun = measured(window).await;
    window.click("#bench-asking #consent-agree").await;
    another(window, begun).await;
    let there = "return document.querySelectorAll(\"#bench-table tr[data-system='endpoint firm']\").length === 1";
    window.until("the endpoint's line", 30, there).await;
    assert!(proxy.seen().all() > asked);
    // The judge's replies are kept, so measuring again sends nothing.
    let (asked, begun) = (proxy.seen().all(), measured(window).await);
    window.click("#bench-measure").await;
    another(window, begun).await;
    assert_eq!(proxy.seen().all(), asked);
}

/// How often the bench was begun.
async fn measured(window: &Window) -> u64 {
    let begun = "return window.__TAURI__.core.invoke('Tasks').then(all => all.filter(t => t.kind === 'bench').length)";
    window.ask(begun).await.as_u64().unwrap()
}

/// Waits until the bench was begun once more and has ended.
async fn another(window: &Window, begun: u64) {
    let more = format!(
        "return window.__TAURI__.core.invoke('Tasks').then(all => all.filter(t => t.kind === 'bench').length > {begun})"
    );
    window.until("another bench", 60, &more).await;
    window.until_task("bench", 400).await;
}

/// Marks, pairs, what contradicted itself and what could not be read stand in the table.
async fn read(window: &Window) {
    let there = "return document.querySelectorAll('#bench-judged tr[data-judged]').length === 2 \
        && document.querySelectorAll('#bench-pairs tr[data-pair]').length === 1";
    window.until("the judge's figures", 30, there).await;
    let same = "const last = await window.__TAURI__.core.invoke('LastBench'); \
        const pair = last.table.judge.pairs[0]; \
        const cells = [...document.querySelectorAll('#bench-pairs tr[data-pair] td')].map(td => +td.innerText.replace(',', '')); \
        return pair.contradicted > 0 && pair.unreadable > 0 && cells[2] === pair.better && cells[3] === pair.neither \
        && cells[4] === pair.worse && cells[6] === pair.contradicted && cells[7] === pair.unreadable && cells[8] === 0";
    assert_eq!(
        window.ask(same).await,
        true,
        "{}",
        window.text("#bench-pairs").await
    );
    let unread = window.text("#judge-unread").await;
    assert!(unread.contains("no JSON object"), "{unread}");
    let people = window.text("#judge-agreement").await;
    assert!(people.contains("nobody has said yet"), "{people}");
}

/// BERTScore is computed from what they wrote, and what the judge said stays, without asking it.
async fn by_tokens(window: &Window, proxy: &FaultProxy) {
    let asked = proxy.seen().all();
    window
        .run(
            "const select = document.querySelector('#bench-encoder'); select.value = 'lexforge-demo'; \
             select.dispatchEvent(new Event('change', { bubbles: true }))",
        )
        .await;
    window.click("#bench-by-tokens").await;
    window.until_task("bench", 400).await;
    let there = "const table = document.querySelector('#bench-written-table'); \
        return table?.innerText.includes('BERTScore') && document.querySelectorAll('#bench-judged tr[data-judged]').length === 2";
    window.until("BERTScore", 30, there).await;
    let card = window.text("#bench-written").await;
    assert!(
        card.contains("model:lexforge-demo|") && card.contains("as:bert-score"),
        "{card}"
    );
    assert_eq!(
        proxy.seen().all(),
        asked,
        "the judge is quoted and not asked"
    );
}
