//! Questions to the documents in the window. The tests check an answer whose citation highlights its region, a verdict
//! by a key, what is still there after a reload, and a question that the documents do not answer.

use crate::window::driver::Window;
use crate::window::endpoints::name_endpoint;
use crate::window::opening::open_frozen;
use crate::window::{built, open, pictures};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::question_backend::fenced;
use lexforge_tests::repository;
use serde_json::Value;
use std::time::Duration;

const QUESTION: &str = "Who shall approve the risk appetite and how often?";
const NOWHERE: &str = "May a controller transfer personal data to a third country?";

#[tokio::test]
async fn an_answer_leads_to_its_page_and_a_refusal_to_what_is_nearest() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("asked.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("ask").await;
    window
        .until(
            "that there is nothing to ask yet",
            20,
            "return !!document.querySelector('#ask-why-not') && document.querySelector('#question').disabled",
        )
        .await;
    pictures::of_answer(&window, "no-documents").await;

    window.go("library").await;
    window.import(&[&repository::sample()]).await;
    window
        .until_text(
            "the import to end",
            120,
            "#import-counts",
            "1 new, 0 already there, 0 failed",
        )
        .await;
    // Vectors come by themselves, so that the first question is searched by meaning as well.
    window.until_task("vectors", 120).await;
    window.go("ask").await;
    window
        .until(
            "questions to begin with",
            20,
            "return document.querySelectorAll('.ask-example').length > 0",
        )
        .await;
    // Who types at once writes a question and presses no key of the window.
    window
        .until(
            "the cursor in the question box",
            20,
            "return document.activeElement.id === 'question'",
        )
        .await;
    pictures::of_answer(&window, "beginning").await;

    ask(&window, QUESTION, true).await;
    let searched = "return window.__TAURI__.core.invoke('KeptAnswer', { id: 1 }).then(a => [a.index.mode, a.notes.length].join())";
    assert_eq!(window.ask(searched).await, "hybrid,0");
    let lit = see_the_citation(&window).await;
    pictures::of_answer(&window, "answer").await;
    judge_by_key(&window).await;
    pictures::of_answer(&window, "judged").await;
    find_it_after_a_reload(&window, lit).await;

    ask(&window, NOWHERE, false).await;
    open_the_nearest(&window).await;
    pictures::of_answer(&window, "refusal").await;
    let kept = "return window.__TAURI__.core.invoke('Answers').then(rows => rows.map(r => [r.found, r.verdict].join()).join(' '))";
    assert_eq!(window.ask(kept).await, "false, true,incomplete");
    repeal_what_is_cited(&window).await;
    window.close().await;
    drop(driver);
}

/// In the list, the answer whose document was repealed since is marked in words; the one that cites nothing is not.
async fn repeal_what_is_cited(window: &Window) {
    let marked = "[...document.querySelectorAll('#ask-history .ask-row [data-changed]')]";
    assert_eq!(window.ask(&format!("return {marked}.length")).await, 0);
    let repeal = "const { invoke } = window.__TAURI__.core; const answer = await invoke('KeptAnswer', { id: 1 }); \
        await invoke('SetValidity', { document: answer.citations[0].document, validity: { repealed: '2024-01-01' } })";
    window.ask(repeal).await;
    window.go("library").await;
    window.go("ask").await;
    let told = format!(
        "return {marked}.map(e => e.closest('.ask-row').dataset.answer + ': ' + e.innerText).join() === '1: 1 cited document changed since'"
    );
    window.until("the mark in the list", 20, &told).await;
}

/// A model behind an endpoint answers after consent. Unsupported statements are struck out, two answers are compared,
/// and the answers without a verdict are shown one after the other.
#[tokio::test]
async fn a_model_answers_and_is_held_against_its_clauses() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    // The end of the answer comes after both statements.
    let pieces = |body: &Value| {
        let text = approves_and_errs(body);
        let (statements, end) = text.split_at(text.len() - 2);
        vec![statements.to_owned(), end.to_owned()]
    };
    let proxy = FaultProxy::start(
        Backend::Pieces(Box::new(pieces), Duration::from_secs(6)),
        Weather::default(),
    );
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("written.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;
    name_endpoint(&window, "firm", &proxy.url()).await;
    window.go("ask").await;
    window
        .until(
            "the endpoint among the ways",
            20,
            "return [...document.querySelectorAll('#way option')].some(o => o.innerText.includes('firm'))",
        )
        .await;
    let choose = "const s = document.querySelector('#way'); \
        s.value = [...s.options].find(o => o.innerText.includes('firm')).value; \
        s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(choose).await;
    window.fill("#question", QUESTION).await;
    window.press('\u{E007}').await;
    // While the model writes, what has passed its check is there, and what has not is only counted.
    window
        .until(
            "the statement that holds, before the answer is whole",
            60,
            "const line = document.querySelector('#ask-writing'); \
             return !!line && line.innerText === 'Writing… 1 statement checked, 1 left out' \
             && document.querySelectorAll('#ask-coming p').length === 1 && !document.querySelector('#ask-coming del')",
        )
        .await;
    window
        .until(
            "a statement that holds and one that is struck",
            60,
            "return document.querySelectorAll('#statements p[data-kept=true]').length === 1 \
             && document.querySelectorAll('#statements p[data-reason=figure] del').length === 1",
        )
        .await;
    pictures::of_answer(&window, "written").await;

    window.fill("#question", QUESTION).await;
    window.click("#ask-compare").await;
    window.click("#compare-blind").await;
    window.click("#compare-ask").await;
    window
        .until(
            "two answers",
            60,
            "return document.querySelectorAll('[data-compared]').length === 2",
        )
        .await;
    // A dialog covers what theme and language are changed by.
    window.picture("ask-compared").await;
    window.click("[data-preferred=second]").await;
    window
        .until(
            "who wrote which",
            20,
            "return document.querySelector('#compare-kept').innerText.length > 0",
        )
        .await;
    window.press('\u{E00C}').await;

    window.click("#judge-queue").await;
    let shown =
        "return !!document.querySelector('#ask-history .ask-row[data-answer=\"1\"][aria-current]')";
    window.until("the oldest answer", 20, shown).await;
    window.click("[data-verdict=right]").await;
    let next =
        "return !!document.querySelector('#ask-history .ask-row[data-answer=\"2\"][aria-current]')";
    window.until("the next answer", 20, next).await;
    window.close().await;
    drop(driver);
}

/// A table of questions is answered and its result is reported. Labels are counted, and the window says how many are
/// missing. A decoder without an adapter can be asked, too.
#[tokio::test]
async fn a_batch_the_labels_and_the_untuned_decoder() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("labels.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;
    window.go("ask").await;
    let (questions, answers) = (home.path().join("q.csv"), home.path().join("answers.xlsx"));
    std::fs::write(
        &questions,
        format!("no,question\n1,{QUESTION}\n2,\n3,{NOWHERE}\n"),
    )
    .unwrap();
    batch(&window, &questions, &answers).await;
    assert!(std::fs::read(&answers).unwrap().starts_with(b"PK"));
    // The table of answers is a workbook with a column of questions.
    batch(&window, &answers, &home.path().join("again.docx")).await;
    window.click("#ask-batch").await;
    window
        .until(
            "what became of the batch",
            20,
            "const e = document.querySelector('#batch-came'); return !!e && e.innerText.includes('again.docx') && e.innerText.includes('Answers')",
        )
        .await;
    window.picture("ask-batch").await;
    window.press('\u{E00C}').await;

    // What the answer of the history cites becomes a label; a line that names nothing is left out.
    let cited = window
        .ask("return window.__TAURI__.core.invoke('Answers').then(rows => rows.find(r => r.found).id).then(id => window.__TAURI__.core.invoke('KeptAnswer', { id })).then(a => a.citations[0].sentence)")
        .await;
    let labels = home.path().join("labels.jsonl");
    let line = serde_json::json!({"question": QUESTION, "passage_ids": [cited]});
    std::fs::write(
        &labels,
        format!("{line}\n{{\"question\":\"Who?\",\"passage_ids\":[\"p0\"]}}\n"),
    )
    .unwrap();
    let came = format!(
        "return window.__TAURI__.core.invoke('ImportPairs', {{ file: {:?} }}).then(r => [r.imported, r.rejected.length].join())",
        labels.display().to_string()
    );
    assert_eq!(window.ask(&came).await, "1,1");
    window.click("#ask-labels").await;
    window
        .until(
            "what the labels are enough for",
            20,
            "const text = id => (document.querySelector(id) || { innerText: '' }).innerText; \
             return text('#labels-counts').startsWith('1 question') && text('#labels-ranker').includes('39') \
             && document.querySelector('#rank-train').disabled && !!document.querySelector('#curve-none')",
        )
        .await;
    window.click("#labels-measure").await;
    window
        .until(
            "how many labels are missing",
            60,
            "const e = document.querySelector('#labels-certificate'); return !!e && e.dataset.valid === 'false' && e.innerText.includes('58')",
        )
        .await;
    window.picture("ask-labels").await;
    window.press('\u{E00C}').await;

    window
        .until(
            "a decoder without an adapter among the ways",
            60,
            "return [...document.querySelectorAll('#way option')].some(o => o.innerText.includes('lexforge-demo'))",
        )
        .await;
    let choose = "const s = document.querySelector('#way'); \
        s.value = [...s.options].find(o => o.innerText.includes('lexforge-demo')).value; \
        s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(choose).await;
    let kept = window
        .ask("return window.__TAURI__.core.invoke('Answers').then(rows => rows.length)")
        .await;
    window.fill("#question", QUESTION).await;
    window.press('\u{E007}').await;
    // The model is loaded first. Its statements are rarely supported; then the clauses are shown, and a note says so.
    window
        .until(
            "its answer",
            300,
            &format!(
                "return window.__TAURI__.core.invoke('Answers').then(rows => rows.length > {kept})"
            ),
        )
        .await;
    let kept = "return window.__TAURI__.core.invoke('Answers').then(rows => window.__TAURI__.core.invoke('KeptAnswer', { id: rows[0].id })).then(a => [a.written.way.way, a.written.way.model].join())";
    assert_eq!(window.ask(kept).await, "base,lexforge-demo");
    window.close().await;
    drop(driver);
}

/// Answers a table of questions, as the dialog has it done once both files are chosen, and waits for the end.
async fn batch(window: &Window, questions: &std::path::Path, out: &std::path::Path) {
    let begin = format!(
        "return window.__TAURI__.core.invoke('AskBatch', {{ batch: {{ questions: {:?}, out: {:?}, way: {{ way: 'extractive' }} }} }})",
        questions.display().to_string(),
        out.display().to_string()
    );
    window.ask(&begin).await;
    window.until_task("ask_batch", 60).await;
}

/// An answer with one statement that is the clause, and one with another figure.
fn approves_and_errs(body: &Value) -> String {
    let messages = body["messages"].as_array();
    let user = messages
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str())
        .unwrap_or_default();
    let clause = fenced(user, "1").unwrap_or_default();
    let rule = clause.split_once("]\n").map_or(clause, |(_, text)| text);
    let wrong = format!("{} This holds for 977 days.", rule.trim_end());
    let statement =
        |text: &str| serde_json::json!({"text": text, "cites": [{"clause": 1, "quote": rule}]});
    serde_json::json!({"statements": [statement(rule), statement(&wrong)]}).to_string()
}

/// Types a question and asks it with Enter.
async fn ask(window: &Window, question: &str, found: bool) {
    window.fill("#question", question).await;
    window.press('\u{E007}').await;
    let answered = format!(
        "const e = document.querySelector('.ask-question'); return !!e && e.innerText === {question:?} && e.dataset.found === '{found}'"
    );
    window.until("the answer", 30, &answered).await;
    window
        .until(
            "the box to be empty",
            10,
            "return document.querySelector('#question').value === '' && document.querySelector('#ask-waiting').innerText === ''",
        )
        .await;
}

/// The page of the first citation is shown, and what is lit there are the boxes of what it quotes.
async fn see_the_citation(window: &Window) -> Value {
    let statements = "return document.querySelectorAll('#statements p[data-kept=true]').length > 0 && !document.querySelector('#statements p[data-kept=false]')";
    window.until("statements that hold", 10, statements).await;
    window.click(".cite[data-citation='1']").await;
    window
        .until(
            "the chip to be active",
            10,
            "return document.querySelector('.cite[data-citation=\"1\"]').getAttribute('aria-current') === 'true'",
        )
        .await;
    window
        .until(
            "the cited page's image",
            60,
            "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 400 && document.querySelectorAll('.spot.on').length > 0",
        )
        .await;
    let lit = compare_with_the_boxes(window).await;
    let number = "return window.__TAURI__.core.invoke('KeptAnswer', { id: 1 }).then(a => document.querySelector('#page-number').value === String(a.citations[0].page))";
    assert_eq!(window.ask(number).await, true, "the page of the citation");
    lit
}

/// What is lit on the page, in points of it, and that these are the boxes of the first citation on that page.
async fn compare_with_the_boxes(window: &Window) -> Value {
    let lit = "const answer = await window.__TAURI__.core.invoke('KeptAnswer', { id: 1 }); \
        const cited = answer.citations[0]; \
        const sheet = document.querySelector('.sheet').getBoundingClientRect(); \
        const page = await window.__TAURI__.core.invoke('Page', { document: cited.document, number: cited.page }); \
        const [x, y] = [sheet.width / page.width, sheet.height / page.height]; \
        const round = list => JSON.stringify(list.map(b => b.map(v => Math.round(v))).sort()); \
        const spots = [...document.querySelectorAll('.spot.on')].map(e => e.getBoundingClientRect()) \
            .map(r => [(r.left - sheet.left) / x, (r.top - sheet.top) / y, (r.right - sheet.left) / x, (r.bottom - sheet.top) / y]); \
        const boxes = cited.boxes.filter(b => b[0] === cited.page).map(b => b.slice(1)); \
        const near = spots.length === boxes.length && boxes.every(b => spots.some(s => s.every((v, i) => Math.abs(v - b[i]) < 4))); \
        return [near, round(spots), round(boxes)]";
    let compared = window.ask(lit).await;
    assert_eq!(
        compared[0], true,
        "lit: {}\nboxes: {}",
        compared[1], compared[2]
    );
    compared[1].clone()
}

/// A number gives a verdict, another one changes it, and the history shows the newest.
async fn judge_by_key(window: &Window) {
    // The single keys act outside of the box.
    window.press('\u{E00C}').await;
    for (key, verdict) in [('1', "right"), ('3', "incomplete")] {
        window.press(key).await;
        let pressed = format!(
            "return document.querySelector('[data-verdict={verdict}]').getAttribute('aria-pressed') === 'true' \
             && document.querySelectorAll('.verdicts [aria-pressed=true]').length === 1 \
             && !!document.querySelector('#ask-history .ask-row .badge')"
        );
        window.until(verdict, 10, &pressed).await;
    }
}

/// The answer is in the history with its verdict, and as it was given.
async fn find_it_after_a_reload(window: &Window, lit: Value) {
    let said = window.text("#statements").await;
    window.reload().await;
    window
        .until(
            "the history again",
            30,
            "return !!document.querySelector('#ask-history .ask-row[data-answer=\"1\"]')",
        )
        .await;
    window.click("#ask-history .ask-row[data-answer='1']").await;
    window
        .until(
            "the answer again",
            30,
            "return document.querySelectorAll('.spot.on').length > 0 && document.querySelector('[data-verdict=incomplete]').getAttribute('aria-pressed') === 'true'",
        )
        .await;
    assert_eq!(window.text("#statements").await, said);
    window
        .until(
            "the page's image again",
            60,
            "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 400",
        )
        .await;
    assert_eq!(compare_with_the_boxes(window).await, lit);
}

/// A refusal says why with its figures, and each of the nearest clauses opens its page.
async fn open_the_nearest(window: &Window) {
    let why = window.text("#not-found-why").await;
    assert!(why.contains("threshold"), "{why}");
    assert_eq!(
        window
            .ask("return document.querySelectorAll('#statements, .cite').length")
            .await,
        0
    );
    window.click(".near-clause[data-passage='1'] .btn").await;
    window
        .until(
            "the nearest clause on its page",
            60,
            "const i = document.querySelector('#page-image'); return !!i && i.complete && document.querySelectorAll('.spot.on').length > 0 \
             && !!document.querySelector('.near-clause.on[data-passage=\"1\"]')",
        )
        .await;
    let verdicts = "return [...document.querySelectorAll('[data-verdict]')].map(e => e.dataset.verdict).join()";
    assert_eq!(window.ask(verdicts).await, "right,wrong");
}
