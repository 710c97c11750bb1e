//! The first hour of somebody without documents of their own: the help, the sample, a search over everything.

use crate::window::driver::Window;
use crate::window::{axe, built, open, pictures};

const F1: char = '\u{E031}';
const ESCAPE: char = '\u{E00C}';
const CONTROL: char = '\u{E009}';
const ENTER: char = '\u{E007}';

#[tokio::test]
async fn a_newcomer_looks_around() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[]).await;
    window
        .until(
            "that screens without a workspace are dimmed",
            20,
            "return document.querySelectorAll('.rail [aria-disabled]').length === 9",
        )
        .await;
    read_the_help(&window).await;
    list_the_keys(&window).await;

    window.click("#open-sample").await;
    window.until_task("sample", 400).await;
    window
        .until(
            "the sample's sentences",
            30,
            "return document.querySelectorAll('.sent').length > 5 && !document.querySelector('.rail [aria-disabled]')",
        )
        .await;
    search_for_everything(&window).await;
    lead_to_buttons(&window).await;
    let counts = "return window.__TAURI__.core.invoke('Workspace').then(w => w.documents === 1 && w.terms > 20 && w.questions > 20)";
    assert_eq!(window.ask(counts).await, true);

    each_screen_can_be_read_and_worked_without_sight(&window).await;
    texts_can_be_larger(&window).await;

    // Opened once more, it is there as it was left, and nothing is made anew.
    let again = "return window.__TAURI__.core.invoke('OpenSample', { language: 'en' }).then(w => w.documents)";
    assert_eq!(window.ask(again).await, 1);
    window.until_task("sample", 20).await;
    window.close().await;
    drop(driver);
}

/// F1 opens the help, a word leads to the page that has it, Escape puts it away; in both languages.
async fn read_the_help(window: &Window) {
    window.press(F1).await;
    let title = "#help .help-text h1";
    window
        .until_text("the first page", 10, title, "First steps")
        .await;
    window.fill("#help-search", "gate override").await;
    window
        .until_text("the page with these words", 10, title, "Evaluation")
        .await;
    let offered = "return [...document.querySelectorAll('.help-side nav button')].filter(b => !b.hidden).length";
    assert_eq!(window.ask(offered).await, 1);
    window.fill("#help-search", "xyzzy").await;
    window
        .until(
            "that no page has it",
            10,
            "return !document.querySelector('#help .help-text h1')",
        )
        .await;
    window.fill("#help-search", "").await;
    window.click("#help-ask").await;
    window.until_text("the page", 10, title, "Ask").await;
    // Below its text are the keys of that screen.
    let keys = "return document.querySelectorAll('#help .help-page .keys kbd').length > 9";
    window.until("the keys of the screen", 10, keys).await;
    pictures::of_screen(window, "help").await;
    window.press(ESCAPE).await;
    window
        .until(
            "the help to be put away",
            10,
            "return !document.querySelector('#help')",
        )
        .await;

    window.speak("zh").await;
    window.click("#open-help").await;
    window
        .until_text("the first page in Chinese", 10, title, "入门")
        .await;
    pictures::of_screen(window, "help-zh").await;
    window.press(ESCAPE).await;
    window.speak("en").await;
}

/// The list of all keys is ordered by screen, and can be read and scrolled without a mouse.
async fn list_the_keys(window: &Window) {
    window.press('?').await;
    let groups = "return document.querySelectorAll('#keys-help .keys h3').length === 7";
    window.until("the keys by screen", 10, groups).await;
    window.frames().await;
    axe::nothing_is_broken(window, "keys").await;
    pictures::of_screen(window, "keys").await;
    window.press(ESCAPE).await;
    let gone = "return !document.querySelector('#keys-help')";
    window.until("the keys to be put away", 10, gone).await;
}

/// The command palette finds what buttons do: a line of a menu by the first letters of its words, and a card of the
/// settings by one word.
async fn lead_to_buttons(window: &Window) {
    let first = ".dialog [role=option] .clip";
    window.press_with(CONTROL, 'k').await;
    window.fill("#palette-field", "exgl csv").await;
    window
        .until_text("the export", 10, first, "Export glossary as CSV")
        .await;
    window.fill("#palette-field", "licences").await;
    window
        .until_text("the licences", 10, first, "Licences of third parties")
        .await;
    window.press(ENTER).await;
    let there = "return document.querySelector('#licences')?.contains(document.activeElement) \
        && document.querySelector('#about-version').innerText.startsWith('Lexforge ')";
    window.until("the card of the licences", 10, there).await;
    let told = "return document.querySelector('#about-copy')?.disabled === false";
    window.until("what the worker has to say", 60, told).await;
    pictures::of_screen(window, "about").await;

    // The guide is in the help, with a search over it.
    window.press(F1).await;
    window.fill("#help-search", "lexforge compute").await;
    let chapter = "const found = [...document.querySelectorAll('.help-side div[role=navigation] button')].filter(b => !b.hidden); \
        if (found.length) found[0].click(); return found.length > 0 && found.length < 15";
    window.until("chapters of the guide", 10, chapter).await;
    let lines = "return [...document.querySelectorAll('#help .help-text pre')].some(p => p.innerText.includes('lexforge'))";
    window.until("commands of the guide", 10, lines).await;
    pictures::of_screen(window, "guide").await;
    window.press(ESCAPE).await;
}

/// The palette offers sentences, and hands what was typed to the search of the library.
async fn search_for_everything(window: &Window) {
    window.press_with(CONTROL, 'k').await;
    window.fill("#palette-field", "incident").await;
    let offered = "return [...document.querySelectorAll('.dialog [role=option]')].some(b => /page \\d+$/.test(b.innerText.trim()))";
    window.until("sentences by name", 20, offered).await;
    pictures::of_screen(window, "palette").await;
    window.fill("#palette-field", "incident").await;
    let search = "const line = [...document.querySelectorAll('.dialog [role=option]')].find(b => b.innerText.includes('Search all documents')); if (line) line.click(); return !!line";
    window.until("the search of the library", 20, search).await;
    window
        .until(
            "passages",
            20,
            "return document.querySelector('#find')?.value === 'incident' && document.querySelectorAll('.hit').length > 0",
        )
        .await;
    window.click("#find").await;
    window.fill("#find", "").await;
    window.press(ENTER).await;
}

const SCREENS: [&str; 9] = [
    "library",
    "ask",
    "terms",
    "graph",
    "questions",
    "training",
    "evaluation",
    "match",
    "activity",
];

async fn each_screen_can_be_read_and_worked_without_sight(window: &Window) {
    for screen in SCREENS {
        window.go(screen).await;
        window.frames().await;
        axe::nothing_is_broken(window, screen).await;
    }
    for part in ["window", "review", "models", "machines"] {
        window.settings(part).await;
        window.frames().await;
        axe::nothing_is_broken(window, &format!("settings: {part}")).await;
    }
}

/// The parts of a screen that are wider than their place.
const SIDEWAYS: &str = r#"
    return ['html', '.main', '.head', '.panes', '.panes > *'].flatMap(part => [...document.querySelectorAll(part)]
        .filter(e => e.scrollWidth > e.clientWidth + 1)
        .map(e => `${part} ${e.className}: ${e.scrollWidth} in ${e.clientWidth}`));
"#;

/// Twice the size means half the space. Columns keep a width that can be read, and every column can be reached.
async fn texts_can_be_larger(window: &Window) {
    let width = "return window.innerWidth";
    let usual = window.ask(width).await.as_f64().unwrap();
    window.settings("window").await;
    window.click("#text-size-200").await;
    let is = |size: f64| format!("return Math.abs(window.innerWidth - {usual} / {size}) < 2");
    window.until("the double size", 10, &is(2.0)).await;
    window.picture("text-200-settings").await;
    for screen in SCREENS {
        // The driver's pointer knows nothing of the size.
        window
            .run(&format!("document.querySelector('#go-{screen}').click()"))
            .await;
        let there = format!(
            "return document.querySelector('#go-{screen}').getAttribute('aria-current') === 'page'"
        );
        window.until(screen, 10, &there).await;
        window.frames().await;
        window.picture(&format!("text-200-{screen}")).await;
        let narrow = "return [...document.querySelectorAll('.panes > .pane')].filter(p => p.getClientRects().length > 0) \
            .map(p => Math.round(p.getBoundingClientRect().width)).filter(w => w < 180)";
        assert_eq!(window.ask(narrow).await, serde_json::json!([]), "{screen}");
        // A pane without a place beside the others comes beneath, so nothing is scrolled sideways (WCAG 1.4.10).
        assert_eq!(
            window.ask(SIDEWAYS).await,
            serde_json::json!([]),
            "{screen}"
        );
        // What is beyond the edge can be scrolled to.
        let beyond = "const last = [...document.querySelectorAll('.panes > .pane')].at(-1); if (!last) return 0; \
            const panes = last.parentElement; panes.scrollTop = panes.scrollHeight; \
            const out = Math.floor(last.getBoundingClientRect().bottom - panes.getBoundingClientRect().bottom); panes.scrollTop = 0; return Math.max(0, out)";
        assert_eq!(window.ask(beyond).await, 0, "{screen}");
    }
    // It is remembered, and keys change it, too.
    window.reload().await;
    window.until("the double size again", 10, &is(2.0)).await;
    window.press_with(CONTROL, '0').await;
    window.until("the usual size", 10, &is(1.0)).await;
    window.press_with(CONTROL, '-').await;
    window.until("the smaller size", 10, &is(0.9)).await;
    window.press_with(CONTROL, '0').await;
    window.until("the usual size once more", 10, &is(1.0)).await;
}
