//! Questions by a language model as a domain expert uses it: knowing the cost in advance, pausing, seeing what was
//! rejected and why, changing the prompts, naming classes of terms, exporting the data.

use crate::window::asked::{ON_DESK, caps, now_and_then_unfit, what_was_left_out_is_told};
use crate::window::driver::Window;
use crate::window::endpoints::name_endpoint;
use crate::window::opening::open_frozen;
use crate::window::wordings::{name_classes, word_a_prompt};
use crate::window::{built, command_line, pictures};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use std::path::Path;

/// Most requests on their way at a time, as an endpoint has them that says nothing else.
const AT_A_TIME: usize = 4;
const ESCAPE: char = '\u{E00C}';
/// The tabs and the rail count what the engine counts.
const RIGHT_COUNTS: &str = "const call = window.__TAURI__.core.invoke; \
    const all = (await call('Questions', { filter: { limit: 1 } })).total; \
    const queue = await call('ReviewQueue', { filter: { kind: 'question' }, at: null }); \
    const n = id => +(document.querySelector(id + ' .n')?.innerText ?? 'NaN').replace(',', ''); \
    return all > 0 && n('#go-questions') === all && n('#tab-all') === all \
    && n('#tab-queue') === queue.standing.to_do && n('#tab-conflicts') === queue.conflicts";

#[tokio::test]
async fn a_run_is_estimated_paused_and_gone_through() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let weather = Weather {
        delay: 150,
        ..Weather::default()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(now_and_then_unfit)), weather);
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("written.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;
    name_endpoint(&window, "firm", &proxy.url()).await;

    estimate(&window, &proxy).await;
    pause(&window, &proxy).await;
    counts_are_right(&window).await;
    what_was_left_out_is_told(&window).await;
    look_at_what_was_not_taken(&window).await;
    take_the_data_elsewhere(&window, home.path()).await;
    word_a_prompt(&window).await;
    name_classes(&window).await;
    write_anew_elsewhere(&window, &workspace).await;
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
    window.close().await;
    drop(driver);
}

/// Opens the form in which a run is agreed to, and chooses the endpoint.
async fn choose(window: &Window) {
    window.click("#write-by-endpoint").await;
    window.click("#consent [data-endpoint=firm]").await;
    window
        .until(
            "what would be sent",
            90,
            "return !!document.querySelector('#consent-line')",
        )
        .await;
}

/// The sample shows what a run takes, with intervals. Nothing is sent before the user asks for the sample.
async fn estimate(window: &Window, proxy: &FaultProxy) {
    window.go("questions").await;
    choose(window).await;
    caps(window).await;
    window.click("#estimate-plan").await;
    window
        .until(
            "what the sample would send",
            60,
            "return !!document.querySelector('#estimate-send')",
        )
        .await;
    assert_eq!(proxy.seen().all(), 0, "a plan sends nothing");
    window.click("#estimate-send").await;
    window
        .until(
            "the estimate",
            120,
            "return !!document.querySelector('#estimate-figures')",
        )
        .await;
    let figures = window.text("#estimate").await;
    assert!(
        figures.contains('[')
            && figures.contains("From 20 of")
            && figures.contains("Questions that they give"),
        "{figures}"
    );
    let sampled = proxy.seen().all();
    assert!(
        (20..=80).contains(&sampled),
        "a sample of 20 asked {sampled} times"
    );
    window
        .until(
            "the run to be agreed to",
            60,
            "return !!document.querySelector('#consent-agree')",
        )
        .await;
    let line = window.text("#consent").await;
    assert!(
        line.contains("in the workspace already"),
        "the sample's answers are kept: {line}"
    );
    pictures::of_screen(window, "writing-estimate").await;
}

/// A paused run continues where it was. A prompt that has an answer is not sent again.
async fn pause(window: &Window, proxy: &FaultProxy) {
    window.click("#consent-agree").await;
    window
        .until(
            "how far it is",
            60,
            "return /\\d/.test(document.querySelector('#asking .run-bar')?.innerText ?? '')",
        )
        .await;
    let moving = "const t = (await window.__TAURI__.core.invoke('Tasks')).filter(t => t.kind === 'questions').pop(); \
        return (t.asking?.done ?? 0) > 24";
    window.until("answers", 60, moving).await;
    for said in ["accepted", "a second"] {
        let strip = window.text("#asking").await;
        assert!(strip.contains(said), "{said}: {strip}");
    }
    pictures::of_screen(window, "writing-run").await;
    window.click("#pause-writing").await;
    let ended = "return (await window.__TAURI__.core.invoke('Tasks')).filter(t => t.kind === 'questions').pop().done";
    window.until("the pause", 60, ended).await;
    window
        .until(
            "the strip to go",
            20,
            "return !document.querySelector('#asking')",
        )
        .await;
    let before = proxy.seen();
    choose(window).await;
    let dialog = window.text("#consent").await;
    assert!(dialog.contains("in the workspace already"), "{dialog}");
    window.click("#consent-agree").await;
    window.until_task("questions", 400).await;
    let after = proxy.seen();
    // A pause does not wait for what is on its way: so much, and no more, is asked a second time.
    let again = before
        .requests
        .iter()
        .filter(|(prompt, times)| after.requests[*prompt] > **times)
        .count();
    assert!(
        again <= AT_A_TIME,
        "{again} prompts were asked again, more than were on their way"
    );
    assert!(after.answered.len() > before.answered.len());
    let written = "return (await window.__TAURI__.core.invoke('Questions', { filter: { limit: 1 } })).rows[0].source";
    assert_eq!(window.ask(written).await, "llm");
}

/// The questions were written anew, so the question that was open on the desk no longer exists. The counts on the tabs
/// and in the side bar must be those of the new questions, in both languages.
async fn counts_are_right(window: &Window) {
    window
        .until(
            "that the question on the desk is gone",
            20,
            "return !!document.querySelector('#item-gone')",
        )
        .await;
    window
        .until("the counts of what was written", 20, RIGHT_COUNTS)
        .await;
    pictures::of_screen(window, "question-gone").await;
    window.click("#tab-rejected").await;
    for language in ["zh", "en"] {
        window.speak(language).await;
        window
            .until("the counts in the other language", 20, RIGHT_COUNTS)
            .await;
    }
    window.click("#tab-queue").await;
    // The page was drawn anew, and nothing was being read on it.
    window.until("a question to decide", 20, ON_DESK).await;
}

/// The command line writes the questions again while one of them is being edited in the window. The typed text stays,
/// nothing is decided about another question, and the reviewer can go on.
async fn write_anew_elsewhere(window: &Window, workspace: &Path) {
    window.go("questions").await;
    window.click("#tab-queue").await;
    window.until("a question to decide", 20, ON_DESK).await;
    let decided = "const v = await window.__TAURI__.core.invoke('ReviewQueue', { filter: { kind: 'question' }, at: null }); \
        return v.standing.accepted + v.standing.rejected + v.standing.skipped";
    let before = window.ask(decided).await;
    window.speak("zh").await;
    window
        .until("the question in the other language", 20, ON_DESK)
        .await;
    window.press('e').await;
    window
        .until(
            "the form",
            10,
            "return document.activeElement.id === 'edit-text'",
        )
        .await;
    window.fill("#edit-text", "What I was about to ask").await;
    command_line(&[
        "augment".as_ref(),
        workspace.as_os_str(),
        "--offline".as_ref(),
    ]);
    window
        .until(
            "that the question is gone",
            30,
            "return !!document.querySelector('#item-gone')",
        )
        .await;
    assert_eq!(
        window
            .ask("return document.querySelector('#edit-text').value")
            .await,
        "What I was about to ask"
    );
    assert_eq!(
        window.ask("return document.activeElement.id").await,
        "edit-text",
        "the focus stays where one writes"
    );
    window.click("#edit-keep").await;
    window
        .until(
            "the way on",
            10,
            "return document.activeElement.id === 'go-on'",
        )
        .await;
    pictures::of_screen(window, "question-gone-zh").await;
    window.click("#go-on").await;
    window
        .until("a question of the new ones", 20, ON_DESK)
        .await;
    window
        .until(
            "the focus on it",
            10,
            "return document.activeElement.id === 'item-title'",
        )
        .await;
    assert_eq!(
        window.ask(decided).await,
        before,
        "nothing was decided about a question that is gone"
    );
    window
        .until("the counts of what was written elsewhere", 20, RIGHT_COUNTS)
        .await;
    window.speak("en").await;
}

/// Each draft that was turned down is there with its reason, counted by reason, and leads to its page.
async fn look_at_what_was_not_taken(window: &Window) {
    window.click("#tab-rejected").await;
    let cards = "return document.querySelectorAll('#rejected-list .card').length > 0";
    window.until("drafts that were not taken", 30, cards).await;
    let counts = "const all = (await window.__TAURI__.core.invoke('RejectedDrafts', { filter: { limit: 0, offset: 0 } })).rows; \
        const n = {}; for (const r of all) n[r.reason] = (n[r.reason] ?? 0) + 1; \
        const want = Object.values(n).sort((a, b) => b - a); \
        const got = [...document.querySelectorAll('#rejected-reason option')].slice(1).map(o => +o.textContent.match(/· ([\\d,]+)$/)[1].replace(',', '')); \
        return got.length > 0 && JSON.stringify(got) === JSON.stringify(want)";
    window
        .until(
            "every reason with its count, the most frequent first",
            20,
            counts,
        )
        .await;
    let bare = "return [...document.querySelectorAll('#rejected-list .card .badge.bad')].filter(e => !e.innerText.trim()).length";
    assert_eq!(window.ask(bare).await, 0, "a draft without a reason");
    pictures::of_review(window, "rejected").await;
    let narrow = "const s = document.querySelector('#rejected-reason'); s.value = s.options[1].value; \
        s.dispatchEvent(new Event('change', { bubbles: true })); return s.options[1].textContent.split(' · ')[0]";
    let reason = window.ask(narrow).await;
    let only = format!(
        "const all = [...document.querySelectorAll('#rejected-list .badge.bad')]; return all.length > 0 && all.every(e => e.innerText.trim() === {reason})"
    );
    window.until("drafts of one reason", 20, &only).await;
    window.click("#rejected-list .to-page").await;
    window
        .until(
            "the sentence on its page",
            60,
            "return document.querySelectorAll('.spot.on, .sent.on').length > 0",
        )
        .await;
}

/// The form is left by Escape, and the focus is where it was; what is written can be read elsewhere.
async fn take_the_data_elsewhere(window: &Window, home: &Path) {
    window.go("questions").await;
    window.click("#tab-all").await;
    window.click("#export-dataset").await;
    window
        .until(
            "the form",
            10,
            "return !!document.querySelector('#export-snapshot')",
        )
        .await;
    window.click("#export-snapshot .preset:nth-child(2)").await;
    let chosen =
        "return document.querySelector('#export-snapshot .preset:nth-child(2) input').checked";
    window.until("the form of the file", 10, chosen).await;
    pictures::of_screen(window, "dataset-export").await;
    window.press(ESCAPE).await;
    window
        .until(
            "the form to go",
            10,
            "return !document.querySelector('#export-snapshot')",
        )
        .await;
    assert_eq!(
        window.ask("return document.activeElement?.id").await,
        "export-dataset",
        "the focus goes back"
    );
    for (format, file) in [
        ("jsonl", "train.jsonl"),
        ("alpaca", "dataset_info.json"),
        ("sharegpt", "dataset_info.json"),
    ] {
        let folder = home.join(format);
        std::fs::create_dir(&folder).unwrap();
        let write = format!(
            "return window.__TAURI__.core.invoke('ExportDataset', {{ folder: {folder:?}, format: {format:?}, without_choices: false }})"
        );
        let written = window.ask(&write).await;
        let within = Path::new(written["folder"].as_str().unwrap_or_default());
        assert!(
            within.starts_with(&folder) && within.join(file).is_file(),
            "{format}: {written}"
        );
        assert!(
            within.join("snapshot.json").is_file(),
            "{format}: {written}"
        );
    }
}
