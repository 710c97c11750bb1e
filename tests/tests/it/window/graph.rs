//! The graph as a domain expert reads it: from a term by keyboard along its neighbours to an edge, and from there to
//! the page that proves the edge.

use crate::window::driver::Window;
use crate::window::{built, command_line, fixtures, open, pictures};
use lexforge_tests::repository;
use serde_json::Value;
use std::path::Path;

/// The neighbourhood is drawn and nothing is on its way.
const DRAWN: &str = "return document.querySelectorAll('.graph .node').length > 2 && !document.querySelector('.main .skel')";
/// The node that the keys act on: its name for a screen reader.
const ACTIVE: &str = "const tree = document.querySelector('#graph-tree'); \
    return document.getElementById(tree.getAttribute('aria-activedescendant'))?.getAttribute('aria-label') ?? ''";
/// Nodes that overlap, labels that exceed their box, boxes that the picture cuts off; empty = none.
const MISPLACED: &str = "const bad = []; const svg = document.querySelector('svg.graph'); \
    const all = [...svg.querySelectorAll('.node')].map(g => ({ g, r: g.querySelector('.shape').getBoundingClientRect() })); \
    const frame = svg.getBoundingClientRect(); \
    for (const { g, r } of all) { \
        if (r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1) bad.push('cut: ' + g.textContent); \
        for (const t of g.querySelectorAll('text')) { const b = t.getBoundingClientRect(); \
            if (b.left < r.left - 1 || b.right > r.right + 1) bad.push('wider than its box: ' + t.textContent); } } \
    all.forEach((a, i) => all.slice(0, i).forEach(b => { \
        if (a.r.left < b.r.right && b.r.left < a.r.right && a.r.top < b.r.bottom && b.r.top < a.r.bottom) bad.push(a.g.textContent + ' on ' + b.g.textContent); })); \
    return bad.join('; ')";

const ARROW_RIGHT: char = '\u{E014}';
const ARROW_DOWN: char = '\u{E015}';
const ARROW_LEFT: char = '\u{E012}';
const ENTER: char = '\u{E007}';
const BACKSPACE: char = '\u{E003}';

#[tokio::test]
async fn an_expert_walks_the_graph_to_the_page() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("graph.lexforge");
    let second = repository::chinese_sample();
    let arguments = [workspace.as_path(), &repository::sample(), &second];
    let (driver, window) = open(&app, &parse, &worker, home.path(), &arguments).await;
    window.until_task("import", 120).await;
    window.go("graph").await;
    window
        .until(
            "that there is no graph",
            20,
            "return !!document.querySelector('.empty')",
        )
        .await;
    pictures::of_screen(&window, "graph-empty").await;
    window
        .ask("return window.__TAURI__.core.invoke('Prepare')")
        .await;
    window.until_task("prepare", 400).await;
    window.until("the neighbourhood", 30, DRAWN).await;

    search(&window).await;
    walk(&window).await;
    pictures::of_graph(&window, "edge", MISPLACED).await;
    filter(&window).await;
    to_the_page(&window).await;
    sentence(&window).await;
    pictures::of_graph(&window, "sentence", MISPLACED).await;
    window.click("#graph-as-list").await;
    window
        .until(
            "the list",
            10,
            "return document.querySelectorAll('#graph-list tbody tr').length > 2",
        )
        .await;
    pictures::of_graph(&window, "list", "return ''").await;
    window.click("#graph-as-list").await;
    for (tab, there) in [
        (
            "#tab-calibration",
            "return document.querySelectorAll('.calibration-part .bin').length > 5",
        ),
        (
            "#tab-figures",
            "return !!document.querySelector('#graph-degrees')",
        ),
    ] {
        window.click(tab).await;
        window.until(tab, 60, there).await;
        pictures::of_graph(&window, tab.trim_start_matches("#tab-"), "return ''").await;
    }
    window.click("#tab-neighbourhood").await;
    grow(&window, &workspace).await;
    choose_for_each_language(&window).await;
    window.close().await;
    drop(driver);
}

/// The command line adds a document while the window shows the graph. The window notices this by itself and says that
/// the graph is out of date and what to do. After that is done, the message disappears.
async fn grow(window: &Window, workspace: &Path) {
    window.until("the neighbourhood", 20, DRAWN).await;
    assert_eq!(window.text("#go-library .n").await, "2");
    assert_eq!(
        window
            .ask("return !!document.querySelector('#graph-stale')")
            .await,
        false,
        "a new graph is not old"
    );
    let at = window.text("#graph-centre").await;
    window
        .run("document.querySelector('#graph-tree').focus()")
        .await;
    let folder = workspace.with_file_name("more");
    std::fs::create_dir(&folder).unwrap();
    let added = fixtures::write(&folder)
        .into_iter()
        .find(|path| path.ends_with(fixtures::OLDER))
        .unwrap();
    command_line(&["import".as_ref(), workspace.as_os_str(), added.as_os_str()]);
    window
        .until_text(
            "the document that was added elsewhere",
            30,
            "#go-library .n",
            "3",
        )
        .await;
    window
        .until(
            "that the graph is old",
            20,
            "return !!document.querySelector('#graph-stale .note.warn')",
        )
        .await;
    let note = window.text("#graph-stale").await;
    assert!(
        note.contains("grew by 50 %") && note.contains("Rebuild graph"),
        "{note}"
    );
    assert_eq!(window.text("#graph-centre").await, at, "news moves nothing");
    assert_eq!(
        window.ask("return document.activeElement.id").await,
        "graph-tree",
        "news leaves the focus where it is"
    );
    pictures::of_graph(window, "stale", MISPLACED).await;
    window.click("#rebuild-graph").await;
    window.until_task("graph", 400).await;
    window
        .until(
            "a graph that is not old",
            20,
            "return !!document.querySelector('#graph-age') && !document.querySelector('#graph-stale')",
        )
        .await;
    window.until("the new neighbourhood", 20, DRAWN).await;
    pictures::of_graph(window, "rebuilt", MISPLACED).await;
}

/// The search offers terms and sentences; the first term comes into the centre.
async fn search(window: &Window) {
    window.fill("#find", "outsourcing").await;
    let offered = "return document.querySelectorAll('#offers [role=option]').length > 1 && document.querySelectorAll('#offers .offer-head').length === 2";
    window
        .until("terms and sentences to start from", 20, offered)
        .await;
    pictures::of_screen(window, "graph-search").await;
    window.fill("#find", "outsourcing").await;
    window.until("the offers again", 20, offered).await;
    window.press(ENTER).await;
    window
        .until(
            "the term in the centre",
            20,
            "return document.querySelector('#graph-centre')?.innerText.toLowerCase().includes('outsourcing') ?? false",
        )
        .await;
    window.until("its neighbourhood", 20, DRAWN).await;
    window
        .until(
            "the focus on the tree",
            10,
            "return document.activeElement.id === 'graph-tree'",
        )
        .await;
    assert_eq!(window.ask(MISPLACED).await, "");
}

/// The arrows walk, Enter centres, Backspace leads back, Space shows the edge.
async fn walk(window: &Window) {
    let centre = window.text("#graph-centre").await;
    let at_centre = window.ask(ACTIVE).await;
    let mut met: Vec<Value> = vec![at_centre.clone()];
    for (key, what) in [
        (ARROW_LEFT, "a sentence at the left"),
        (ARROW_DOWN, "the next one down"),
    ] {
        window.press(key).await;
        window
            .until(
                what,
                10,
                &format!("return (() => {{ {ACTIVE} }})() !== {}", met[met.len() - 1]),
            )
            .await;
        met.push(window.ask(ACTIVE).await);
    }
    window.press(ARROW_RIGHT).await;
    window
        .until(
            "the way back",
            10,
            &format!("return (() => {{ {ACTIVE} }})() !== {}", met[2]),
        )
        .await;

    // To the first node of the first ring, whichever side has one.
    let ring = "return document.querySelector('.graph .node[aria-level=\"2\"]').id";
    let node = window
        .ask(ring)
        .await
        .as_str()
        .unwrap_or_default()
        .to_owned();
    for key in [ARROW_LEFT, ARROW_RIGHT] {
        window.press(key).await;
    }
    window.press(ARROW_LEFT).await;
    let moved = format!(
        "return document.querySelector('#graph-tree').getAttribute('aria-activedescendant') !== 'node-0' || '{node}' === ''"
    );
    window.until("a node beside the centre", 10, &moved).await;
    window.press(' ').await;
    window
        .until(
            "the edge's two sides",
            20,
            "return document.querySelectorAll('#edge-detail .edge-end').length === 2",
        )
        .await;
    window
        .until(
            "a marked mention",
            20,
            "return !!document.querySelector('#edge-detail mark')",
        )
        .await;
    assert_eq!(
        window.text("#graph-centre").await,
        centre,
        "looking at an edge moves nothing"
    );

    window.press(ENTER).await;
    let other = format!(
        "const e = document.querySelector('#graph-centre'); return !!e && e.innerText !== {centre:?}"
    );
    window.until("the node in the centre", 20, &other).await;
    window.until("its neighbourhood", 20, DRAWN).await;
    assert_eq!(window.ask(MISPLACED).await, "");
    window.press(BACKSPACE).await;
    window
        .until_text("the centre before", 20, "#graph-centre", &centre)
        .await;
    // Until the answer comes, the picture is that of the other centre, and a click on it would be lost.
    let drawn = format!("return (() => {{ {ACTIVE} }})() === {at_centre}");
    window.until("the neighbourhood before", 20, &drawn).await;
    window.until("its picture", 20, DRAWN).await;
    window.click(".graph .edge-of .hit").await;
    window.until("an edge by the pointer", 20, "return document.querySelectorAll('#edge-detail .edge-end').length === 2 && !!document.querySelector('.graph .node.shown')").await;
}

/// A kind that is taken out of the legend is gone from the picture and still counted.
async fn filter(window: &Window) {
    let counted = window.text("#kind-shared_entity .n").await;
    window.click("#kind-shared_entity input").await;
    window
        .until(
            "no shared terms",
            20,
            "return !document.querySelector('.graph .line.shared_entity')",
        )
        .await;
    assert_eq!(
        window.text("#kind-shared_entity .n").await.is_empty(),
        counted.is_empty()
    );
    window.click("#kind-shared_entity input").await;
    window
        .until(
            "shared terms again",
            20,
            "return !!document.querySelector('.graph .line.shared_entity')",
        )
        .await;
    window.click("#steps-1").await;
    window.until("one step", 20, "return !document.querySelector('.graph .node[aria-level=\"3\"]') && !document.querySelector('.main .skel')").await;
    assert_eq!(window.ask(MISPLACED).await, "");
    window.click("#steps-2").await;
    window.until("two steps", 20, DRAWN).await;
    let larger = "return document.querySelector('svg.graph').getBoundingClientRect().width";
    let before = window.ask(larger).await.as_f64().unwrap_or_default();
    window.click("#zoom-in").await;
    window
        .until(
            "a larger picture",
            10,
            &format!("{larger} > {before} * 1.1"),
        )
        .await;
    window.click("#zoom-out").await;
}

/// The page link of an edge opens the page with the sentence marked on it.
async fn to_the_page(window: &Window) {
    window.click(".graph .edge-of .hit").await;
    window
        .until(
            "an edge",
            20,
            "return document.querySelectorAll('#edge-detail .to-page').length > 0",
        )
        .await;
    window.click("#edge-detail .to-page").await;
    window
        .until(
            "the library",
            20,
            "return document.querySelector('#go-library').getAttribute('aria-current') === 'page'",
        )
        .await;
    window
        .until(
            "the marked place",
            60,
            "return document.querySelectorAll('.spot.on, .sent.on').length > 0",
        )
        .await;
    window.go("graph").await;
    window.until("the picture as it was left", 20, DRAWN).await;
}

/// A sentence can be the centre as well.
async fn sentence(window: &Window) {
    window.fill("#find", "shall").await;
    let there = "return [...document.querySelectorAll('#offers [role=option]')].some(e => e.querySelector('.two-lines'))";
    window.until("sentences to start from", 20, there).await;
    window
        .run("[...document.querySelectorAll('#offers [role=option]')].find(e => e.querySelector('.two-lines')).click()")
        .await;
    window.until("a sentence in the centre", 20, "return !!document.querySelector('.graph .centre-node .t-centre') && document.querySelector('#centre-detail .to-page') !== null").await;
    window
        .until(
            "its neighbourhood",
            20,
            "return !!document.querySelector('.graph .node') && !document.querySelector('.main .skel')",
        )
        .await;
    assert_eq!(window.ask(MISPLACED).await, "");
}

/// Each language of the documents has its own choice of a model, and the build goes by it: English by the decoder, Chinese
/// as usual.
async fn choose_for_each_language(window: &Window) {
    window.click("#tab-calibration").await;
    let choose = |selector: &str, option: &str| {
        format!(
            "const s = document.querySelector({selector:?}); \
             const found = [...(s?.options ?? [])].find(o => o.value === {option:?} || o.innerText === {option:?}); \
             if (!found) return false; s.value = found.value; \
             s.dispatchEvent(new Event('change', {{ bubbles: true }})); return true"
        )
    };
    let each = choose("#graph-encoder", "each");
    window.until("a model for each language", 60, &each).await;
    let both = "return ['en', 'zh'].every(l => !!document.querySelector(`#graph-encoder-${l}`))";
    window.until("both languages", 20, both).await;
    let decoder = choose("#graph-encoder-en", "lexforge-demo");
    window.until("the decoder for English", 60, &decoder).await;
    window.click("#build-with").await;
    let built = "return window.__TAURI__.core.invoke('GraphCalibration', { settings: null }).then(c => { \
        const of = c.parts.map(p => p.encoder); \
        return of.some(e => e.includes('lexforge-demo')) && of.some(e => e.includes('LSA')) && !of.some(e => e.includes('MiniLM')) })";
    window.until_for_good("a graph by both", 400, built).await;
}
