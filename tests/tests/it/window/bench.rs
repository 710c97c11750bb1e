//! The bench in the window.

use crate::window::driver::Window;
use crate::window::pictures;

/// Systems are shown side by side, and later the table is still there without measuring again.
pub async fn measure(window: &Window) {
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
    window.click("#bench-measure").await;
    window.until_task("bench", 400).await;
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
    window.click("#tab-candidate").await;
}
