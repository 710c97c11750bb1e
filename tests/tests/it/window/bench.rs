//! The bench in the window.

use crate::window::driver::Window;
use crate::window::pictures;
use std::path::Path;

/// An exam of somebody else's.
const EXAM: &str = "question,A,B,answer,subject
Who keeps the register of ferries?,the harbour office,the bakery,A,ferries
Who moors a ferry before the passengers leave it?,the operator,the insurer,A,ferries
Who cleans the oven after each batch of bread?,the harbour office,the baker,B,bread
Who weighs the dough of a loaf?,the operator,the baker,B,bread
";

/// A line of it that cannot be asked.
const REFUSED: &str = "Which choices are the same?,the crew,the crew,A,ferries\n";

/// Systems are shown side by side, and later the table is still there without measuring again.
pub async fn measure(window: &Window, home: &Path) {
    window.click("#tab-bench").await;
    window
        .until(
            "the systems",
            120,
            "return !!document.querySelector(\"#bench-systems input[data-system^='run ']:checked\")",
        )
        .await;
    // A decoder answers the questions one by one.
    window
        .run("document.querySelector(\"input[data-system='base lexforge-demo']:checked\")?.click()")
        .await;
    // What is to be scored is said before; how long it takes was never measured here.
    let ahead = "const text = document.querySelector('#bench-ahead')?.innerText ?? ''; \
        return text.includes('To be scored:') && text.includes('cannot be told yet')";
    window.until("what is ahead", 120, ahead).await;
    window.click("#bench-measure").await;
    window.until_task("bench", 400).await;
    let known = "const text = document.querySelector('#bench-ahead')?.innerText ?? ''; \
        return text.includes('by its earlier measurements') && !text.includes('used again: 0.')";
    window
        .until("what is kept and how long the rest takes", 120, known)
        .await;
    let table = "return document.querySelectorAll('#bench-table tr[data-system]').length > 4";
    window.until("the table", 20, table).await;
    let text = window.text("#bench-table").await;
    assert!(text.contains("BM25") && text.contains("Run "), "{text}");
    let power = window.text("#bench-power").await;
    assert!(power.contains("points or more"), "{power}");
    pictures::of_bench(window).await;
    // Where a term was taken for another leads to the page.
    window.click("#bench-matrix button[data-pair]").await;
    window.click("#bench-confused button[data-sentence]").await;
    let read = "return document.querySelector('#go-library').getAttribute('aria-current') === 'page' \
        && !!document.querySelector('.sent.on')";
    window.until("the sentence on its page", 30, read).await;
    window.go("library").await;
    window.go("evaluation").await;
    window.until("the kept table", 60, table).await;
    under_attack(window).await;
    on_an_exam(window, home).await;
    // The test questions again, whose table is still there.
    measured_on(window, "questions").await;
    window.until("the kept table", 60, table).await;
    window.click("#tab-candidate").await;
}

/// Chooses what systems are measured on: the first whose name has these words.
async fn measured_on(window: &Window, name: &str) {
    let choose = format!(
        "const list = document.querySelector('#bench-on'); \
         const found = [...list?.options ?? []].find(o => o.text.toLowerCase().includes({name:?})); \
         if (!found) return false; \
         list.value = found.value; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }})); \
         return true"
    );
    window.until(name, 60, &choose).await;
}

/// Ticks the systems that count words alone: they are quick.
async fn tick_counted(window: &Window) {
    let tick = "for (const box of document.querySelectorAll('#bench-systems input[data-system]')) \
        if (box.checked !== ['tfidf', 'bm25'].includes(box.dataset.system)) box.click();";
    window.run(tick).await;
    let ticked = "return document.querySelectorAll('#bench-systems input[data-system]:checked').length === 2";
    window.until("two systems", 20, ticked).await;
}

/// Under attack there is no baseline, attacks that keep the sense stand apart from the others, and the table stays.
async fn under_attack(window: &Window) {
    // A run can be measured as it was at a checkpoint, too.
    let checkpoint =
        "return !!document.querySelector(\"#bench-checkpoints input[data-system^='checkpoint ']\")";
    window.until("a checkpoint", 60, checkpoint).await;
    measured_on(window, "under attack").await;
    let alone = "return !document.querySelector('#bench-baseline') && !document.querySelector('#bench-table')";
    window.until("no baseline", 20, alone).await;
    tick_counted(window).await;
    window.click("#bench-measure").await;
    let table =
        "return document.querySelectorAll('#bench-attack-table tr[data-attack]').length >= 2";
    window.until("the table under attack", 120, table).await;
    let text = window.text("#bench-attack-table").await;
    assert!(
        text.contains("The sense is kept") && text.contains("BM25"),
        "{text}"
    );
    window.go("library").await;
    window.go("evaluation").await;
    window.until("the kept table under attack", 60, table).await;
}

/// An exam is looked at and imported as the dialog has it done once a file is chosen. What is left out is shown before,
/// and what was imported is what is measured on.
async fn bring_an_exam(window: &Window, home: &Path) {
    let file = home.join("ferries.csv");
    std::fs::write(&file, EXAM.to_owned() + REFUSED).unwrap();
    window
        .ask(&format!(
            "return window.__TAURI__.core.invoke('LookAtExam', {{ file: {file:?} }})"
        ))
        .await;
    let form = "return document.querySelector('#exam-left-out')?.innerText.includes('Line 6: Choices A and B are the same.')";
    window.until("the line that is left out", 30, form).await;
    let said = window.text("#exam-form").await;
    for part in [
        "Questions: 4, of 5",
        "several right answers: 0",
        "English 4",
        "bread 2",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    pictures::of_screen(window, "evaluation-bench-exam").await;
    window.fill("#exam-name", "harbour").await;
    window.click("#exam-keep").await;
    window.until_task("import_exam", 60).await;
    let chosen = "return !document.querySelector('#exam-form') \
        && document.querySelector('#bench-on')?.selectedOptions[0]?.text === 'Exam harbour, questions: 4'";
    window
        .until("the exam as what is measured on", 30, chosen)
        .await;
}

/// An exam that was brought in is measured on, with a sample of each subject.
async fn on_an_exam(window: &Window, home: &Path) {
    bring_an_exam(window, home).await;
    let sample = "const each = document.querySelector('#bench-each'); if (!each) return false; \
        each.value = '1'; each.dispatchEvent(new Event('change', { bubbles: true })); return true";
    window.until("a sample", 20, sample).await;
    tick_counted(window).await;
    window.click("#bench-measure").await;
    let table =
        "return document.querySelectorAll('#bench-exam-table tr[data-system]').length === 2";
    window.until("the table of the exam", 120, table).await;
    let asked = window.text("#bench-outcome").await;
    assert!(asked.contains("Questions asked: 2 of 4"), "{asked}");
}
