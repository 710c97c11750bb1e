//! The library as an auditor works in it: what was read how, where readers differ, what a new version changes.

mod in_force;

use crate::window::driver::Window;
use crate::window::fixtures::{CHINESE, DIFFERING, LOCKED, NEWER, OLDER, PASSWORD};
use crate::window::{built, fixtures, open, pictures};

#[tokio::test]
async fn a_library_that_an_auditor_trusts() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("audit.lexforge");
    let files = fixtures::write(home.path());
    let mut arguments = vec![workspace.as_path()];
    arguments.extend(files.iter().map(std::path::PathBuf::as_path));
    let (driver, window) = open(&app, &parse, &worker, home.path(), &arguments).await;
    window
        .until_text(
            "the import to end",
            120,
            "#import-counts",
            "4 new, 0 already there, 1 failed",
        )
        .await;
    pictures::of_screen(&window, "audit-import").await;
    give_the_password(&window).await;
    see_where_readers_differ(&window).await;
    compare_two_versions(&window).await;
    find_two_ideographs(&window).await;
    check_before_training(&window).await;
    in_force::set(&window, home.path()).await;
    window.close().await;
    drop(driver);
    // The password is neither in the workspace nor in the storage of the web view.
    for file in walk(home.path()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert!(
            !bytes
                .windows(PASSWORD.len())
                .any(|part| part == PASSWORD.as_bytes()),
            "{}",
            file.display()
        );
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// What is to be looked at before anything is learnt: every document with its words and its licence.
async fn check_before_training(window: &Window) {
    window.click("#corpus-check").await;
    window
        .until(
            "what was found in the documents",
            30,
            "return document.querySelectorAll('#check-documents tbody tr').length > 3 && !!document.querySelector('#check-personal')",
        )
        .await;
    pictures::of_screen(window, "corpus-check").await;
    window.click("#corpus-checked .btn.primary").await;
}

/// Opens a document by the name of its file.
async fn open_document(window: &Window, file: &str) {
    let find = format!(
        "[...document.querySelectorAll('.doc')].find(e => e.querySelector('small[title={file:?}]'))"
    );
    window.until(file, 20, &format!("return !!{find}")).await;
    window.ask(&format!("{find}.click()")).await;
    let current = format!("return {find}.getAttribute('aria-current') === 'true'");
    window
        .until(&format!("{file} to be open"), 10, &current)
        .await;
}

/// A wrong password is one clear failure, the right one reads the file, and only that file.
async fn give_the_password(window: &Window) {
    window.click(".enter-password").await;
    window.fill(".password input", "moonlight").await;
    window.click(".password-open").await;
    window
        .until(
            "the wrong password",
            60,
            "return /does not open/.test(document.querySelector('.imports').innerText)",
        )
        .await;
    window.click(".enter-password").await;
    window.fill(".password input", PASSWORD).await;
    window.click(".password-open").await;
    window
        .until_text(
            "the file to be read",
            60,
            "#import-counts",
            "1 new, 0 already there, 0 failed",
        )
        .await;
    assert_eq!(
        window
            .ask("return document.querySelectorAll('.imports .error').length")
            .await,
        0
    );
    open_document(window, LOCKED).await;
    let drawn = "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 400";
    window.until("the locked page's image", 60, drawn).await;
    let keeper = "return [...document.querySelectorAll('.sent')].some(e => e.innerText.includes('opened by its keeper alone'))";
    window.until("the locked page's text", 20, keeper).await;
    // Put away, so that the documents have the space.
    window.click(".imports .btn").await;
}

/// The list of differences highlights each place on the page, and the page that should be checked is named.
async fn see_where_readers_differ(window: &Window) {
    open_document(window, DIFFERING).await;
    window
        .until_text(
            "the page that wants a look",
            20,
            "#looks",
            "1 page wants a look",
        )
        .await;
    window.click("#differences").await;
    window
        .until(
            "differences",
            10,
            "return document.querySelectorAll('.difference:not(.names)').length > 0",
        )
        .await;
    window
        .run("[...document.querySelectorAll('.difference:not(.names)')].forEach(e => e.dispatchEvent(new PointerEvent('pointerenter')))")
        .await;
    window
        .until(
            "the place of a difference",
            10,
            "return document.querySelectorAll('.spot.differing').length > 0",
        )
        .await;
    pictures::of_screen(window, "differences").await;
    window.click("#remarks").await;
    let remarks = window.text("#document-remarks").await;
    assert!(
        remarks.contains("The readers differ") && remarks.contains("page 1"),
        "{remarks}"
    );
    window.click("#about").await;
    window
        .until(
            "what the document is",
            10,
            "return !!document.querySelector('#document-about')",
        )
        .await;
    window.click("#about").await;
}

/// The newer version shows its changes word by word, and each leads to its page.
async fn compare_two_versions(window: &Window) {
    open_document(window, NEWER).await;
    if window
        .ask("return !document.querySelector('.changes-link')")
        .await
        == true
    {
        // Not linked of itself: linked by hand, which the audit chain records.
        window.click("#about").await;
        let choose = format!(
            "const s = document.querySelector('#predecessor'); \
             s.value = [...s.options].find(o => o.textContent.includes({OLDER:?})).value; \
             s.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        window
            .until(
                "the choice",
                10,
                "return !!document.querySelector('#predecessor')",
            )
            .await;
        window.ask(&choose).await;
        window
            .until(
                "the link",
                20,
                "return !!document.querySelector('.changes-link')",
            )
            .await;
        window.click("#about").await;
    }
    let linked = "return window.__TAURI__.core.invoke('AuditRows', { filter: {}, limit: 50, before: null }).then(rows => rows.some(r => r.action === 'document.link'))";
    assert_eq!(window.ask(linked).await, true);
    window.click(".changes-link").await;
    window
        .until(
            "the changed words",
            20,
            "return document.querySelectorAll('#versions .is').length > 0",
        )
        .await;
    let words = "return [[...document.querySelectorAll('.was')].map(e => e.innerText).join('|'), [...document.querySelectorAll('.is')].map(e => e.innerText).join('|')].join(' / ')";
    assert_eq!(window.ask(words).await, "four / 24");
    pictures::of_screen(window, "versions").await;
    window.click("#versions-removed").await;
    window.until("what was removed", 10, "const all = [...document.querySelectorAll('.versions-item')]; return all.length === 1 && all[0].innerText.includes('without branches')").await;
    window.click("#versions-added").await;
    window.until("what was added", 10, "const all = [...document.querySelectorAll('.versions-item')]; return all.length === 1 && all[0].innerText.includes('another place')").await;
    window.click(".version-page").await;
    window
        .until(
            "the sentence on its page",
            20,
            "const e = document.querySelector('.laid .hl.on'); return !!e && e.innerText.includes('another place')",
        )
        .await;
    // A text without images lights up both ways too.
    let reverse = "const span = document.querySelector('.laid .hl:not(.on)'); span.dispatchEvent(new PointerEvent('pointerenter')); return span.dataset.sentence";
    let sentence = window.ask(reverse).await;
    let lit = format!(
        "const e = document.querySelector('.sent.on'); return !!e && e.dataset.sentence === {sentence}"
    );
    window.until("the sentence of a stretch", 10, &lit).await;
    pictures::of_screen(window, "laid-out").await;
}

/// A word of two ideographs is found and marked, in all documents and in one.
async fn find_two_ideographs(window: &Window) {
    window.fill("#find", "资本").await;
    window
        .until(
            "passages",
            20,
            "return document.querySelectorAll('.hit mark').length > 2",
        )
        .await;
    let marked = "return [...new Set([...document.querySelectorAll('.hit mark')].map(e => e.innerText))].join()";
    assert_eq!(window.ask(marked).await, "资本");
    pictures::of_screen(window, "search-zh").await;
    window.click("#search-scope button:nth-child(2)").await;
    window
        .until(
            "nothing in the open document",
            20,
            "return !document.querySelector('.hit')",
        )
        .await;
    window.click("#search-scope button:nth-child(1)").await;
    window
        .until(
            "passages again",
            20,
            "return document.querySelectorAll('.hit mark').length > 2",
        )
        .await;
    window.click(".doc:has(.hit)").await;
    window
        .until(
            "the passage on its page",
            20,
            "const e = document.querySelector('.laid .hl.on'); return !!e && e.innerText.includes('资本')",
        )
        .await;
    window.fill("#find", "").await;
    open_document(window, CHINESE).await;
}
