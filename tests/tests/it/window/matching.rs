//! Rules against policies in the window. Two documents are chosen and matched; a rule that nothing covers is read and
//! decided by keyboard, and the decision is still there after a reload; the gap report is written. A new version of a
//! document makes the changed rules open again.

mod firm;

use crate::window::driver::Window;
use crate::window::{built, open, pictures};
use lexforge_tests::repository;
use std::path::Path;

/// A policy of a firm that never was: statements for some rules of the sample regulation.
const POLICY: &str = "# Operational policy

## Incidents

We record every operational incident in a register within one business day of its detection.

Operational incidents are classified within two business days of their detection.

## Outsourcing

The exit plan for a critical outsourcing may be tested at least once every 12 months.

The performance of the service provider is reviewed at least once a year.

## Office

Visitors wear a badge and sign in at the reception.
";

const ENTER: char = '\u{E007}';
const CONTROL: char = '\u{E009}';

#[tokio::test]
async fn a_gap_is_read_decided_and_signed_for() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("matched.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("match").await;
    window
        .until(
            "that there is nothing to match yet",
            20,
            "return !!document.querySelector('#match-import')",
        )
        .await;
    pictures::of_match(&window, "empty").await;

    let policy = home.path().join("operational policy.md");
    std::fs::write(&policy, POLICY).unwrap();
    window.go("library").await;
    window.import(&[&repository::sample(), &policy]).await;
    window.go("match").await;
    choose(&window).await;
    let rule = read_a_gap(&window).await;
    decide_by_key(&window, &rule).await;
    see_what_differs(&window).await;
    find_the_decision_after_a_reload(&window, &rule).await;
    export(&window, home.path()).await;
    take_over_a_mapping(&window, home.path()).await;
    match_a_newer_version(&window, home.path()).await;
    window.close().await;
    drop(driver);
}

/// A document in both roles is refused in words; the regulation is matched with the policy.
async fn choose(window: &Window) {
    window
        .until(
            "both documents",
            20,
            "return document.querySelectorAll('#match-documents tbody tr').length === 2 && document.querySelector('#match-begin').disabled",
        )
        .await;
    // The identifiers of the documents, the regulation's first.
    let ids = window
        .ask("return window.__TAURI__.core.invoke('Documents').then(all => all.sort((a, b) => b.sentences - a.sentences).map(d => d.id))")
        .await;
    let (regulation, policy) = (ids[0].clone(), ids[1].clone());
    window.click(&format!("#rules-{regulation}")).await;
    window.click(&format!("#policies-{regulation}")).await;
    let words = "const s = document.querySelector('#match-encoder'); s.value = 'words'; s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(words).await;
    window.click("#match-begin").await;
    window
        .until(
            "that a document covers not itself",
            30,
            "return (document.querySelector('#match-failed')?.innerText ?? '').includes('would cover itself')",
        )
        .await;
    pictures::of_match(window, "refused").await;
    window.click(&format!("#policies-{regulation}")).await;
    window.click(&format!("#policies-{policy}")).await;
    window.click("#match-begin").await;
    window.until_task("match", 120).await;
    window
        .until(
            "the rules",
            20,
            "return document.querySelectorAll('#match-rules [data-rule]').length > 60 && document.querySelectorAll('#match-chapters .cov').length > 3",
        )
        .await;
    // The counts are those of the engine, and add up.
    let counts = "const rows = await window.__TAURI__.core.invoke('MatchOverview').then(o => o.rows); \
        const shown = v => Number(document.querySelector(`.m-row[data-verdict=${v}] b`).innerText.replace(',', '')); \
        return ['covered', 'partly', 'contradicted', 'not_covered'].every(v => shown(v) === rows.filter(r => r.verdict === v).length)";
    assert_eq!(window.ask(counts).await, true);
    pictures::of_match(window, "matched").await;
}

/// The rules that nothing covers, each with its five nearest statements and why each fails.
async fn read_a_gap(window: &Window) -> String {
    window.click(".m-row[data-verdict=not_covered]").await;
    window
        .until(
            "the rules that nothing covers, the first of them with what is nearest",
            20,
            "const rows = [...document.querySelectorAll('#match-rules [data-rule]')]; \
             return rows.length > 0 && rows.every(r => r.dataset.verdict === 'not_covered') && rows[0].getAttribute('aria-current') === 'true' \
             && document.querySelector('#match-verdict')?.dataset.verdict === 'not_covered' \
             && document.querySelectorAll('#match-nearest [data-near]').length === 5",
        )
        .await;
    let why = window.text("#match-nearest .m-fail").await;
    assert!(why.len() > 20, "{why}");
    let honest = window.text("#match-honest").await;
    assert!(honest.contains("not covered"), "{honest}");
    pictures::of_match(window, "uncovered").await;
    shown(window).await
}

/// The rule that is shown.
async fn shown(window: &Window) -> String {
    let id = window
        .ask("return document.querySelector('#match-rules [aria-current]')?.dataset.rule ?? ''")
        .await;
    id.as_str().unwrap_or_default().to_owned()
}

async fn until_status(window: &Window, rule: &str, status: &str) {
    let script = format!(
        "return document.querySelector('#match-rules [data-rule=\"{rule}\"]')?.dataset.status === '{status}'"
    );
    window
        .until(&format!("the rule to be {status}"), 20, &script)
        .await;
}

/// A note with owner and date leaves the verdict open. A accepts and goes on, C 1 asks for a statement, U undoes.
async fn decide_by_key(window: &Window, rule: &str) {
    window.press('n').await;
    window
        .until(
            "the note",
            10,
            "return document.activeElement?.id === 'match-note-text'",
        )
        .await;
    window.type_on("Accept that this waits.").await;
    window.fill("#match-owner", "Treasury").await;
    window.fill("#match-due", "soon").await;
    window.press_with(CONTROL, ENTER).await;
    window
        .until(
            "that this is no date",
            10,
            "return !!document.querySelector('#match-remark .error')",
        )
        .await;
    window.fill("#match-due", "2027-01-31").await;
    // A form over the screen is painted as any state.
    window.picture("match-remark").await;
    window.press_with(CONTROL, ENTER).await;
    window
        .until(
            "the owner in the list",
            20,
            &format!("return document.querySelector('#match-rules [data-rule=\"{rule}\"]').innerText.includes('Treasury') && !document.querySelector('#match-remark')"),
        )
        .await;
    until_status(window, rule, "unreviewed").await;
    // Somebody has read down to the end of the rule, and the next one is read from its beginning.
    let to_the_end = "const e = document.querySelector('#match-detail'); e.firstElementChild.style.minHeight = '3000px'; \
        e.scrollTop = 500; return e.scrollTop === 500";
    window.until("the end of the rule", 10, to_the_end).await;
    window.press('a').await;
    until_status(window, rule, "accepted").await;
    let next = shown(window).await;
    assert_ne!(next, rule, "the next rule is shown");

    let read = format!(
        "return window.__TAURI__.core.invoke('MatchedRule', {{ rule: {next} }}).then(r => document.querySelector('#match-detail').innerText.includes(r.row.rule.text.slice(0, 40)))"
    );
    window.until("the next rule to be read", 20, &read).await;
    let from_its_beginning = "return document.querySelector('#match-detail').scrollTop === 0";
    window
        .until("the beginning of the rule", 10, from_its_beginning)
        .await;
    window
        .run("document.querySelector('#match-detail').firstElementChild.style.minHeight = ''")
        .await;
    window.press('c').await;
    window
        .until(
            "the verdicts",
            10,
            "return document.querySelectorAll('[data-correct]').length === 4",
        )
        .await;
    window.picture("match-correct").await;
    window.press('1').await;
    window
        .until(
            "the statements to link",
            10,
            "return document.querySelectorAll('#match-link-form [data-statement]').length > 3 && document.querySelector('#match-link-save').disabled",
        )
        .await;
    window.click("#match-link-form [data-statement]").await;
    window.picture("match-link").await;
    window.click("#match-link-save").await;
    let linked = format!(
        "return window.__TAURI__.core.invoke('MatchedRule', {{ rule: {next} }}).then(r => [r.row.status, r.verdict, r.policies.length].join())"
    );
    window
        .until(
            "the link to be kept",
            20,
            &format!("{linked}.then(s => s === 'corrected,covered,1')"),
        )
        .await;
    window.press('u').await;
    window
        .until(
            "the link to be taken back",
            20,
            &format!("{linked}.then(s => s === 'unreviewed,not_covered,0')"),
        )
        .await;
    // Both decisions are in the history.
    let history = format!(
        "return window.__TAURI__.core.invoke('MatchedRule', {{ rule: {next} }}).then(r => r.history.length === 2 && document.querySelectorAll('#match-history li').length === 2)"
    );
    window.until("both in the history", 20, &history).await;
}

/// A contradicted rule names what differs, and its citations open the page with the region marked.
async fn see_what_differs(window: &Window) {
    window.click("#match-all").await;
    window
        .click("#match-rules [data-verdict=contradicted]")
        .await;
    window
        .until(
            "what differs",
            20,
            "return document.querySelectorAll('#match-differences tbody tr').length > 0 && document.querySelectorAll('.m-pair .df').length > 1 \
             && !!document.querySelector('[data-relation][aria-pressed=true]')",
        )
        .await;
    let sides = window.text("#match-differences").await;
    assert!(
        sides.contains("weaker") || sides.contains("looser"),
        "{sides}"
    );
    pictures::of_match(window, "contradicted").await;
    window.press('p').await;
    window
        .until(
            "the page of the rule, with its region marked",
            60,
            "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 300 && document.querySelectorAll('.spot.on').length > 0",
        )
        .await;
    let marked = "const rule = document.querySelector('#match-rules [aria-current]').dataset.rule; \
        return [...document.querySelectorAll('.spot.on')].every(e => e.dataset.sentence === rule)";
    assert_eq!(window.ask(marked).await, true);
    pictures::of_match(window, "page").await;
    window.click("#match-close-page").await;
    // What rests on a statement that will change.
    let covered = "const row = [...document.querySelectorAll('#match-rules [data-verdict=covered]')].find(e => e.innerText.includes('record every operational incident')); row?.click(); return !!row";
    window.until("the covered rule", 20, covered).await;
    let rule = shown(window).await;
    window
        .until(
            "the covered rule to be read",
            20,
            "return document.querySelector('#match-verdict')?.dataset.verdict === 'covered'",
        )
        .await;
    window.press('a').await;
    until_status(window, &rule, "accepted").await;
}

/// The decision, its note and who decided are there after a reload.
async fn find_the_decision_after_a_reload(window: &Window, rule: &str) {
    window.reload().await;
    let row = format!("#match-rules [data-rule='{rule}']");
    window
        .until(
            "the rules again",
            30,
            "return document.querySelectorAll('#match-rules [data-rule]').length > 60",
        )
        .await;
    until_status(window, rule, "accepted").await;
    window.click(&row).await;
    window
        .until(
            "the history of the rule",
            20,
            "return document.querySelector('#match-history').innerText.includes('Accept that this waits.')",
        )
        .await;
    let history = window.text("#match-history").await;
    for word in ["window test", "Not covered", "Treasury", "2027-01-31"] {
        assert!(history.contains(word), "{word} in {history}");
    }
    pictures::of_match(window, "decided").await;
}

/// What the file dialog would do after a choice: the gap report holds the decision, and the audit chain the file.
async fn export(window: &Window, folder: &Path) {
    window.click("#match-export").await;
    window
        .until(
            "the forms",
            10,
            "return document.querySelectorAll('.menu-list [role=menuitem]').length === 5",
        )
        .await;
    window.picture("match-export").await;
    window.press('\u{E00C}').await;
    for form in ["docx", "xlsx", "csv", "oscal", "html"] {
        let path = folder.join(format!("gaps.{form}"));
        let written = format!(
            "return window.__TAURI__.core.invoke('ExportMatching', {{ form: {form:?}, path: {path:?} }}).then(f => f.bytes)"
        );
        let bytes = window.ask(&written).await;
        assert_eq!(
            Some(std::fs::metadata(&path).unwrap().len()),
            bytes.as_u64()
        );
    }
    let report = std::fs::read(folder.join("gaps.docx")).unwrap();
    let report = String::from_utf8_lossy(&report).into_owned();
    for word in ["Signatures", "Accept that this waits.", "Treasury"] {
        assert!(report.contains(word), "{word}");
    }
    assert_eq!(window.chain().await["ok"], true);
}

/// The exported mapping is imported as if somebody else had made it. Its statement is shown beside the rule, and
/// nothing is decided before a person accepts it.
async fn take_over_a_mapping(window: &Window, folder: &Path) {
    let path = folder.join("gaps.oscal");
    let read = format!(
        "const about = {{ rules: [], policies: [] }}; \
         const done = await window.__TAURI__.core.invoke('ImportMapping', {{ path: {path:?}, about }}); \
         const one = done.proposed.find(p => p.policies.some(s => s.text.includes('exit plan'))); \
         return [done.breaches.length, one.rule.id]"
    );
    let told = window.ask(&read).await;
    assert_eq!(told[0], 0, "an own mapping breaks the schema");
    let rule = told[1].to_string();
    // Coming back to the screen reads it again.
    window.go("library").await;
    window.go("match").await;
    until_status(window, &rule, "unreviewed").await;
    window
        .click(&format!("#match-rules [data-rule='{rule}']"))
        .await;
    window
        .until(
            "what others propose",
            20,
            "return (document.querySelector('#match-proposed')?.innerText ?? '').includes('gaps.oscal')",
        )
        .await;
    pictures::of_match(window, "proposed").await;
    window.click("#match-proposed [data-take]").await;
    let decided = format!(
        "return ['accepted', 'corrected'].includes(document.querySelector('#match-rules [data-rule=\"{rule}\"]')?.dataset.status)"
    );
    window
        .until("the proposal to be taken over", 20, &decided)
        .await;
}

/// A new version of the policy is told of; matched, it opens again what it changes, and nothing else.
async fn match_a_newer_version(window: &Window, folder: &Path) {
    let newer = folder.join("operational policy 2.md");
    let text = POLICY.replace("within one business day", "within two business days");
    std::fs::write(&newer, text).unwrap();
    window.import(&[&newer]).await;
    let link = "const all = await window.__TAURI__.core.invoke('Documents'); \
        const [old, fresh] = ['operational policy.md', 'operational policy 2.md'].map(f => all.find(d => d.file.endsWith(f))); \
        if (fresh.predecessor !== old.id) await window.__TAURI__.core.invoke('LinkPredecessor', { document: fresh.id, predecessor: old.id }); \
        return true";
    assert_eq!(window.ask(link).await, true);
    window.reload().await;
    window
        .until(
            "that a newer version is there",
            30,
            "return !!document.querySelector('#match-newer')",
        )
        .await;
    pictures::of_match(window, "newer").await;
    window.click("#match-newest").await;
    window
        .until(
            "the rules that are open again",
            60,
            "return !!document.querySelector('#match-reopened') && !document.querySelector('#match-newer')",
        )
        .await;
    window.click("#show-reopened").await;
    window
        .until(
            "the re-opened rule and what was decided",
            20,
            "const rows = [...document.querySelectorAll('#match-rules [data-rule]')]; return rows.length === 1 && rows[0].dataset.status === 'stale' \
             && (document.querySelector('#match-open-again')?.innerText ?? '').includes('within one business day')",
        )
        .await;
    pictures::of_match(window, "reopened").await;
}
