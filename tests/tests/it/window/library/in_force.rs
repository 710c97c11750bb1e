//! How long documents are in force: what other documents say of it is turned down or taken over under *About*, and the
//! list and a search say it.

use super::open_document;
use crate::window::driver::Window;
use crate::window::pictures;
use std::path::Path;

const DUES: &str = "# Harbour Dues Act 1987

## Article 1

The master shall pay the harbour dues within five days after the ship has left the port.
";
const PORT: &str = "# Port Act 2020

## Article 1

The pilot shall keep a log of each voyage and show it to the harbour office.

## Article 2

The Harbour Dues Act 1987 is repealed with effect from 1 July 2020.
";
const LIGHTS: &str = "# Lights Act 2021

## Article 1

The keeper of a lighthouse shall keep a log of each lamp that fails.

## Article 2

The Port Act 2020 is repealed.
";
/// The documents that say in the list that something is proposed for them.
const PROPOSED: &str = "[...document.querySelectorAll('.doc')].filter(e => e.innerText.includes('says how long this one is in force')).length";

/// One proposal is turned down, the other one is set.
pub async fn set(window: &Window, home: &Path) {
    let files =
        [("dues.md", DUES), ("port.md", PORT), ("lights.md", LIGHTS)].map(|(name, text)| {
            let path = home.join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
    let paths: Vec<&Path> = files.iter().map(std::path::PathBuf::as_path).collect();
    window.import(&paths).await;
    let both = format!("return {PROPOSED} === 2");
    window.until("both proposals in the list", 30, &both).await;

    // The sentence names no day, so it can be turned down alone.
    about(window, "port.md").await;
    let no_day = "const e = document.querySelector('[data-proposal]'); \
        return !!e && e.innerText.includes('Port Act 2020 is repealed') && !e.querySelector('[data-force=accept]')";
    window.until("a repeal without a day", 20, no_day).await;
    window.click("[data-force=refuse]").await;
    let one = format!("return {PROPOSED} === 1 && !document.querySelector('[data-proposal]')");
    window.until("that it was turned down", 20, &one).await;

    about(window, "dues.md").await;
    let dated =
        "return !!document.querySelector('[data-force=accept]')?.innerText.includes('2020-07-01')";
    window.until("a repeal with its day", 20, dated).await;
    to_the_days(window).await;
    pictures::of_screen(window, "library-force-proposed").await;
    window.click("[data-force=accept]").await;
    let taken = format!(
        "return document.querySelector('#force-repealed')?.value === '2020-07-01' && {PROPOSED} === 0"
    );
    window.until("the day that was set", 20, &taken).await;
    let row = "return [...document.querySelectorAll('.doc')].filter(e => e.innerText.includes('repealed from 2020-07-01')).length === 1";
    window.until("it in the list", 20, row).await;
    to_the_days(window).await;
    pictures::of_screen(window, "library-force-set").await;

    window.fill("#find", "harbour dues").await;
    let found = "return [...document.querySelectorAll('.doc:has(.hit)')].some(e => e.innerText.includes('repealed from 2020-07-01'))";
    window.until("it beside the passages", 20, found).await;
    pictures::of_screen(window, "search-out-of-force").await;
    window.fill("#find", "").await;
}

/// Opens what is known of a document.
async fn about(window: &Window, file: &str) {
    open_document(window, file).await;
    if window
        .ask("return !document.querySelector('#document-about')")
        .await
        == true
    {
        window.click("#about").await;
    }
    let there =
        format!("return !!document.querySelector('#document-about')?.innerText.includes({file:?})");
    window.until("what the document is", 20, &there).await;
}

async fn to_the_days(window: &Window) {
    window
        .run("document.querySelector('#force-from').scrollIntoView({ block: 'center' })")
        .await;
}
