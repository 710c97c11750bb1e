//! The review as a domain expert does it: only by keyboard, with a colleague who decides differently. Everything is
//! still there the next day.

use crate::window::driver::Window;
use crate::window::opening::{open, open_frozen};
use crate::window::{built, pictures};
use serde_json::Value;

/// The counts of the queue, decided and open, from the engine.
const STANDING: &str = "return window.__TAURI__.core.invoke('ReviewQueue', { filter: { kind: 'term' }, at: null })\
    .then(v => ({ ...v.standing, conflicts: v.conflicts }))";
/// No decision is being saved any more, and an item is on the desk.
const SETTLED: &str = "return !!document.querySelector('#item-title') && !document.querySelector('.work .skel') \
    && !document.querySelector('#save-again')";

#[tokio::test]
async fn an_expert_reviews_by_keyboard() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("review.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;
    window.go("terms").await;
    window.until("a term to decide", 30, SETTLED).await;
    let before = window.ask(STANDING).await;
    assert!(
        count(&before, "to_do") >= 40,
        "the sample gives too few terms: {before}"
    );

    reject_what_is_no_term(&window).await;
    decide_thirty(&window).await;
    undo_five(&window).await;
    merge_two(&window).await;
    mark_three(&window).await;
    pictures::of_review(&window, "queue").await;
    disagree(&window).await;
    pictures::of_review(&window, "conflicts").await;
    adjudicate(&window).await;
    window.click("#tab-all").await;
    window
        .until(
            "the table",
            20,
            "return document.querySelectorAll('.grid-row .law').length > 5",
        )
        .await;
    pictures::of_review(&window, "all").await;
    window.go("questions").await;
    window.until("a question to decide", 30, SETTLED).await;
    pictures::of_review(&window, "questions").await;
    decide_questions(&window).await;
    agree(&window).await;
    window.settings("review").await;
    window
        .until(
            "the people",
            20,
            "return document.querySelectorAll('#people-table tbody tr').length === 2",
        )
        .await;
    window
        .run("document.querySelector('#people').scrollIntoView()")
        .await;
    pictures::of_review(&window, "people").await;
    let left = window.ask(STANDING).await;
    window.close().await;
    drop(driver);

    // The next day.
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("terms").await;
    window.until("a term to decide again", 30, SETTLED).await;
    assert_eq!(window.ask(STANDING).await, left);
    let verdicts = "return window.__TAURI__.core.invoke('Terms', { filter: { limit: 0 } })\
        .then(r => ['accepted', 'rejected', 'merged', 'conflict'].map(s => r.rows.filter(t => t.status === s).length))";
    let verdicts = window.ask(verdicts).await;
    let of = |at: usize| verdicts[at].as_u64().unwrap_or_default();
    assert!(
        of(0) >= 10 && of(1) >= 5 && of(2) >= 2 && of(3) == 0,
        "{verdicts}"
    );
    let chain = window.chain().await;
    assert_eq!(chain["ok"], true, "{chain}");
    window.close().await;
    drop(driver);
}

/// Rejects all probable non-terms in one decision, except the ones that are unticked. Undoing brings them back.
async fn reject_what_is_no_term(window: &Window) {
    let before = window.ask(STANDING).await;
    window.click("#terms-more").await;
    window.click("#list-doubtful").await;
    let listed = "return document.querySelectorAll('.doubtful .check').length > 1";
    window.until("what is probably no term", 20, listed).await;
    pictures::of_screen(window, "doubtful-terms").await;
    let many = "return document.querySelectorAll('.doubtful .check').length";
    let many = window.ask(many).await.as_u64().unwrap();
    window.click(".doubtful input").await;
    window.click("#reject-doubtful").await;
    until_decided(window, decided(&before) + many - 1).await;
    let undone = "return window.__TAURI__.core.invoke('UndoDecision').then(act => act.items)";
    assert_eq!(window.ask(undone).await, many - 1);
    until_decided(window, decided(&before)).await;
    window.until("a term to decide again", 30, SETTLED).await;
}

fn count(standing: &Value, what: &str) -> u64 {
    standing[what].as_u64().unwrap_or_default()
}

fn decided(standing: &Value) -> u64 {
    count(standing, "accepted") + count(standing, "rejected") + count(standing, "merged")
}

/// Waits until the engine counts this many decided terms.
async fn until_decided(window: &Window, many: u64) {
    let script = STANDING.replace(
        ".then(v => ({ ...v.standing, conflicts: v.conflicts }))",
        &format!(
            ".then(v => v.standing.accepted + v.standing.rejected + v.standing.merged === {many})"
        ),
    );
    window
        .until(&format!("{many} decided terms"), 30, &script)
        .await;
}

/// Two terms are accepted, the third is rejected, ten times.
async fn decide_thirty(window: &Window) {
    let done = decided(&window.ask(STANDING).await);
    for turn in 0..30 {
        window.until("a term", 20, SETTLED).await;
        let title = window.text("#item-title").await;
        window.press(if turn % 3 == 2 { 'r' } else { 'a' }).await;
        let next = format!("return document.querySelector('#item-title')?.innerText !== {title:?}");
        window.until("the next term", 20, &next).await;
    }
    until_decided(window, done + 30).await;
    let said = window.text("#said").await;
    assert!(said.contains("rejected"), "{said}");
    let focus = "return document.activeElement.id";
    window
        .until(
            "the focus on the item",
            5,
            &format!("{focus} === 'item-title'"),
        )
        .await;
}

async fn undo_five(window: &Window) {
    let done = decided(&window.ask(STANDING).await);
    for back in 1..=5 {
        window.press('u').await;
        until_decided(window, done - back).await;
    }
    window.until("the undone term", 20, SETTLED).await;
    let said = window.text("#said").await;
    assert!(said.starts_with("Undone: "), "{said}");
}

/// Two terms are joined to the first that the search offers.
async fn merge_two(window: &Window) {
    let merged = count(&window.ask(STANDING).await, "merged");
    for turn in 1..=2 {
        window.until("a term", 20, SETTLED).await;
        window.press('m').await;
        window
            .until(
                "the search",
                10,
                "return document.activeElement.id === 'merge-field'",
            )
            .await;
        window.fill("#merge-field", "institution").await;
        window
            .until(
                "terms to join to",
                20,
                "return document.querySelectorAll('.menu [role=option]').length > 0",
            )
            .await;
        window.press('\u{E007}').await;
        let script = STANDING.replace(
            ".then(v => ({ ...v.standing, conflicts: v.conflicts }))",
            &format!(".then(v => v.standing.merged === {})", merged + turn),
        );
        window.until("the merged term", 20, &script).await;
    }
}

/// Three candidates of terms that have some are marked as confusable.
async fn mark_three(window: &Window) {
    let mut marked = 0;
    for _ in 0..12 {
        window.until("a term", 20, SETTLED).await;
        let candidates = window
            .ask("return document.querySelectorAll('.cand').length")
            .await
            .as_u64()
            .unwrap_or_default();
        for at in 0..candidates.min(3 - marked) {
            window.press(char::from(b'1' + at as u8)).await;
            let pressed = format!(
                "return document.querySelectorAll('.cand .conf[aria-pressed=true]').length >= {}",
                at + 1
            );
            window.until("the mark", 10, &pressed).await;
        }
        marked += candidates.min(3 - marked);
        if marked == 3 {
            return;
        }
        let title = window.text("#item-title").await;
        window.press('s').await;
        let next = format!("return document.querySelector('#item-title')?.innerText !== {title:?}");
        window.until("the next term", 20, &next).await;
    }
    panic!("only {marked} candidates among twelve terms");
}

/// A colleague rejects what was accepted first.
async fn disagree(window: &Window) {
    let accepted = "return window.__TAURI__.core.invoke('Terms', { filter: { status: 'accepted', limit: 1 } }).then(r => r.rows[0].id)";
    let term = window.ask(accepted).await;
    let colleague = format!(
        "const call = window.__TAURI__.core.invoke; const view = await call('People'); \
         const other = await call('PutPerson', {{ name: 'Reviewer 2', role: 'domain_expert', share: 1, like: 'ask' }}); \
         await call('BePerson', {{ person: other.id }}); \
         await call('Decide', {{ decision: {{ subjects: [{{ kind: 'term', id: {term} }}], choice: 'reject', reason: 'Too general to be a term.' }} }}); \
         await call('BePerson', {{ person: view.me.id }}); return (await call('Conflicts', {{ kind: 'term' }})).length"
    );
    assert_eq!(window.ask(&colleague).await, 1);
    window.click("#tab-conflicts").await;
    window
        .until(
            "the conflict",
            20,
            "return document.querySelectorAll('.vote').length === 2",
        )
        .await;
}

async fn adjudicate(window: &Window) {
    window.press('1').await;
    window
        .until(
            "the choice",
            10,
            "return document.querySelector('#settle-1').checked",
        )
        .await;
    assert_eq!(
        window
            .ask("return document.querySelector('#settle').disabled")
            .await,
        true,
        "it needs a reason"
    );
    window
        .fill("#settle-reason", "The regulation defines it, so it stays.")
        .await;
    window
        .until(
            "the form to be ready",
            10,
            "return !document.querySelector('#settle').disabled",
        )
        .await;
    let record = "document.querySelector('#settle-reason').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))";
    window.run(record).await;
    window
        .until(
            "no conflict",
            20,
            "return /No conflicts/.test(document.querySelector('.main').innerText)",
        )
        .await;
}

/// A colleague decides like the first reviewer on the one question that both review. Agreement beyond chance cannot be
/// computed from one question, and the window says why.
async fn agree(window: &Window) {
    let colleague = "const call = window.__TAURI__.core.invoke; const view = await call('People'); \
         const other = view.people.find(p => p.name === 'Reviewer 2'); \
         const row = (await call('Questions', { filter: { limit: 0 } })).rows.find(row => row.status === 'accepted'); \
         await call('BePerson', { person: other.id }); \
         await call('Decide', { decision: { subjects: [{ kind: 'question', id: row.id }], choice: 'accept' } }); \
         await call('BePerson', { person: view.me.id }); return true";
    assert_eq!(window.ask(colleague).await, true);
    window.go("library").await;
    window.go("questions").await;
    window.click("#tab-queue").await;
    let said = "return /not defined, as all decisions are the same/.test(document.querySelector('#agreement')?.innerText ?? '')";
    window.until("why there is no figure", 20, said).await;
    pictures::of_review(window, "agreement-undefined").await;
    window.speak("zh").await;
    let said = "const e = document.querySelector('#agreement'); const kind = e?.querySelector('.up .clip')?.innerText ?? ''; \
        return /无定义，因为所有决定相同/.test(e?.innerText ?? '') && kind !== '' && !/[a-z]/.test(kind)";
    window
        .until("the same in Chinese, with the kinds of questions", 20, said)
        .await;
    window.speak("en").await;
}

/// A question is accepted, another rejected with a reason.
async fn decide_questions(window: &Window) {
    let before = window.text("#item-title").await;
    window.press('a').await;
    window.until("the next question", 20, &format!("return (document.querySelector('#item-title')?.innerText ?? {before:?}) !== {before:?} || !!document.querySelector('.work .empty')")).await;
    if window
        .ask("return !document.querySelector('#item-title')")
        .await
        == true
    {
        return;
    }
    window.press('r').await;
    window
        .until(
            "the reason",
            10,
            "return document.activeElement.id === 'reject-reason'",
        )
        .await;
    window
        .fill("#reject-reason", "Two choices are right.")
        .await;
    window.press('\u{E007}').await;
    let rejected = "return window.__TAURI__.core.invoke('ReviewQueue', { filter: { kind: 'question' }, at: null }).then(v => v.standing.rejected === 1 && v.standing.accepted === 1)";
    window.until("both decisions", 20, rejected).await;
}
