//! The texts that a user can write in the settings: prompts, and schemas of classes.

use crate::window::driver::Window;
use crate::window::pictures;
use serde_json::json;

const ESCAPE: char = '\u{E00C}';
/// Words of our own wording, by which it is recognised in what would be sent.
const OWN_WORDS: &str = "Write as a supervisor would ask.";

/// A wording without a needed part is refused. A wording that is kept is the one that the bench sends. Resetting works.
pub(super) async fn word_a_prompt(window: &Window) {
    window.settings("models").await;
    let (row, field) = ("#prompt-sentence-qca-en", "#prompt-sentence-qca-en-text");
    window.click(&format!("{row} summary")).await;
    let text = format!("return document.querySelector({field:?})?.value ?? ''");
    window
        .until(
            "the wording",
            20,
            &format!("return (() => {{ {text} }})().includes('{{anchor}}')"),
        )
        .await;
    let shipped = window
        .ask(&text)
        .await
        .as_str()
        .unwrap_or_default()
        .to_owned();
    window.fill(field, &shipped.replace("{anchor}", "")).await;
    window.click(&format!("{row} .keep-prompt")).await;
    window
        .until(
            "what is missing",
            20,
            &format!("return !!document.querySelector('{row} .error')"),
        )
        .await;
    let refused = window.text(&format!("{row} .error")).await;
    assert!(refused.contains("anchor"), "{refused}");
    pictures::of_screen(window, "prompt-refused").await;

    window
        .fill(
            field,
            &shipped.replacen("[system]\n", &format!("[system]\n{OWN_WORDS}\n"), 1),
        )
        .await;
    window.click(&format!("{row} .keep-prompt")).await;
    let own = format!(
        "return !!document.querySelector('{row} .badge.info') && !!document.querySelector('{field}')"
    );
    window
        .until("an own version, still unfolded", 20, &own)
        .await;

    window.click(&format!("{row} .try-prompt")).await;
    window
        .until(
            "the focus in the search",
            10,
            "return document.activeElement.id === 'bench-find'",
        )
        .await;
    window.fill("#bench-find", "institution shall").await;
    window.click("#bench .member").await;
    window.click("#bench [data-endpoint=firm]").await;
    window
        .until(
            "what would be sent",
            30,
            "return !!document.querySelector('#bench-system')",
        )
        .await;
    assert!(
        window.text("#bench-system").await.contains(OWN_WORDS),
        "the bench sends the wording that is kept"
    );
    window.click("#bench-send").await;
    window
        .until(
            "the answer",
            60,
            "return !!document.querySelector('#bench-result')",
        )
        .await;
    let answer = window.text("#bench-answer").await;
    assert!(answer.contains("\"right\""), "{answer}");
    let read = "return [document.querySelectorAll('#bench-result .draft-choices li').length, document.querySelectorAll('#bench-result .draft-choices li.right').length]";
    assert_eq!(
        window.ask(read).await,
        json!([4, 1]),
        "what the answer is read as"
    );
    window
        .run("document.querySelector('#bench-result').scrollIntoView()")
        .await;
    pictures::of_screen(window, "prompt-bench").await;
    window.press(ESCAPE).await;
    window
        .until(
            "the bench to go",
            10,
            "return !document.querySelector('#bench')",
        )
        .await;

    window.click(&format!("{row} .reset-prompt")).await;
    window
        .until(
            "the shipped one",
            20,
            &format!("return !document.querySelector('{row} .badge.info')"),
        )
        .await;
    window
        .until(
            "its wording",
            20,
            &format!("return (() => {{ {text} }})() === {}", json!(shipped)),
        )
        .await;
}

/// Makes a schema, finds it in the list for finding terms, and removes it. Then changes a shipped schema and gets the
/// shipped one back.
pub(super) async fn name_classes(window: &Window) {
    window.settings("review").await;
    window.click("#new-schema").await;
    window
        .until(
            "the focus in the name",
            10,
            "return document.activeElement.id === 'schema-name'",
        )
        .await;
    window.fill("#schema-name", "general").await;
    window.until("that it is there already", 10, "return document.querySelector('#schema-create').disabled && !!document.querySelector('#schema-form .c-warn')").await;
    pictures::of_screen(window, "schema-taken").await;
    window.fill("#schema-name", "house-rules").await;
    window.fill("#schema-label", "House rules").await;
    window.click("#schema-create").await;
    window
        .until(
            "the schema",
            20,
            "return !!document.querySelector('#schema-house-rules-en .badge.info')",
        )
        .await;

    // A shipped one: changed, and back.
    let row = "#schema-general-en";
    window.click(&format!("{row} summary")).await;
    window.click(&format!("{row} .edit-schema")).await;
    window
        .until(
            "fields",
            10,
            &format!("return !!document.querySelector('{row} .schema-class.edit input')"),
        )
        .await;
    window
        .fill(
            &format!("{row} .schema-class.edit input"),
            "Persons concerned",
        )
        .await;
    window.click(&format!("{row} .keep-schema")).await;
    let changed = format!(
        "const e = document.querySelector('{row}'); return e.open && /changed/.test(e.innerText) && /Persons concerned/.test(e.innerText)"
    );
    window
        .until("the changed schema, still unfolded", 20, &changed)
        .await;
    window.click(&format!("{row} .take-back")).await;
    let back = format!(
        "const e = document.querySelector('{row}'); return e.open && !/Persons concerned/.test(e.innerText)"
    );
    window.until("the shipped schema", 20, &back).await;

    window.go("terms").await;
    window.click("#terms-more").await;
    window.click("#find-terms-by").await;
    window.click("#find-terms [data-schema=house-rules]").await;
    window.click("#find-terms [data-schema=general]").await;
    window.click("#find-terms [data-endpoint=firm]").await;
    window
        .until(
            "what would be sent",
            60,
            "return !!document.querySelector('#find-terms #consent-line')",
        )
        .await;
    pictures::of_screen(window, "find-terms").await;
    window.press(ESCAPE).await;
    window
        .until(
            "the form to go",
            10,
            "return !document.querySelector('#find-terms')",
        )
        .await;
    assert_eq!(
        window.ask("return document.activeElement?.id").await,
        "terms-more",
        "the focus goes back"
    );
    window.settings("review").await;
    let own = "#schema-house-rules-en";
    window.click(&format!("{own} summary")).await;
    window.click(&format!("{own} .take-back")).await;
    window
        .until(
            "the removed schema",
            20,
            &format!("return !document.querySelector('{own}')"),
        )
        .await;
}
