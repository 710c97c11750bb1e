//! The known facts about the document: its own statements, its warnings, and where the readers differ on the page.

use super::force::InForce;
use crate::backend::{call, commands};
use crate::components::waiting::Waiting;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::reading::{Reading, use_reading};
use crate::said::Told;
use leptos::html::Select;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::DocumentRow;
use lexforge_domain::document::{DocumentWarning, ReaderDifference};

/// Pages named for one kind of warning.
const NAMED: usize = 60;

/// The facts that the document states about itself, and its versions.
#[component]
pub fn About() -> impl IntoView {
    let reading = use_reading();
    move || {
        reading.document().map(|document| {
            let id = document.id;
            let rows = rows(&document);
            let older = document.predecessor.and_then(|id| reading.row(id));
            let newer = reading.successor(id);
            let line = |name: String, other: DocumentRow, from: DocumentId, to: DocumentId| {
                view! {
                    <dt>{name}</dt>
                    <dd>
                        <button class="link" on:click=move |_| reading.app.open_sentence(other.id, 1, None)>{other.title.clone()}</button>
                        " · "
                        <button class="link" on:click=move |_| reading.app.compared.set(Some((from, to)))>{t("library.show_changes")}</button>
                    </dd>
                }
            };
            view! {
                <div class="details" id="document-about">
                    <dl class="kv">
                        // What a reader decides comes before what is only told, which is long.
                        <dt><label for="force-from">{t("about.force")}</label></dt>
                        <dd><InForce reading document=document.clone()/></dd>
                        {rows.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> }).collect_view()}
                        {older.map(|other| { let from = other.id; line(t("about.replaces"), other, from, id) })}
                        {newer.map(|other| { let to = other.id; line(t("about.replaced_by"), other, id, to) })}
                        <dt><label for="predecessor">{t("about.link")}</label></dt>
                        <dd><Link reading document=document.clone()/></dd>
                    </dl>
                </div>
            }
        })
    }
}

/// The known facts about a document, each with its name. If the document does not state a fact, the fact is left out,
/// unless an auditor would look for it.
fn rows(document: &DocumentRow) -> Vec<(String, String)> {
    let about = &document.metadata;
    let unsaid = || t("about.unsaid");
    let or = |value: &Option<String>| value.clone().unwrap_or_else(unsaid);
    let engines = [
        ("hayro", document.engines.hayro),
        ("pdf-extract", document.engines.pdf_extract),
        ("ocr", document.engines.ocr),
    ];
    let readers: Vec<String> = engines
        .into_iter()
        .filter(|(_, pages)| *pages > 0)
        .map(|(engine, pages)| {
            format!(
                "{} {}",
                tag("engine", engine),
                tn("count.pages", u64::from(pages))
            )
        })
        .collect();
    let mut rows = vec![
        (t("about.title"), document.title.clone()),
        (t("about.issuer"), or(&about.issuer)),
        (t("about.jurisdiction"), or(&about.jurisdiction)),
        (t("about.identifier"), or(&about.identifier)),
        (t("about.date"), or(&about.date)),
        (t("about.effective"), or(&about.effective)),
        (t("about.version"), or(&about.version)),
        (t("about.licence"), or(&about.licence)),
        (
            t("about.language"),
            tag("language", document.language.tag()),
        ),
        (
            t("about.size"),
            [
                tag("format", document.format.tag()),
                tn("count.pages", u64::from(document.pages)),
                tn("count.sentences", u64::from(document.sentences)),
                format::bytes(document.bytes),
            ]
            .join(" · "),
        ),
    ];
    if let Some(owner) = &about.owner {
        rows.push((t("about.owner"), owner.clone()));
    }
    if !readers.is_empty() {
        rows.push((t("about.readers"), readers.join(" · ")));
    }
    if let Some(share) = document.reader_agreement {
        rows.push((t("about.agreement"), format::percent(share)));
    }
    rows.push((t("about.file"), document.file.clone()));
    rows.push((t("about.imported"), format::minute(&document.imported)));
    rows.push((t("about.hash"), document.sha256.clone()));
    rows
}

/// The choice of the document whose new version this one is; the link is entered in the audit chain.
#[component]
fn Link(reading: Reading, document: DocumentRow) -> impl IntoView {
    let (id, now) = (document.id, document.predecessor);
    let others: Vec<DocumentRow> = reading
        .documents
        .value
        .get_untracked()
        .unwrap_or_default()
        .into_iter()
        .filter(|d| d.id != id)
        .collect();
    let field = NodeRef::<Select>::new();
    let choose = move |value: String| {
        let chosen = value.parse::<DocumentId>().ok();
        if chosen != now {
            let linked = async move {
                let answer = call(commands::LinkPredecessor {
                    document: id,
                    predecessor: chosen,
                })
                .await;
                // The choice shows what is stored: if linking failed, the earlier link stays.
                if answer.is_err()
                    && let Some(Some(field)) = field.try_get_untracked()
                {
                    field.set_value(&now.map(|id| id.to_string()).unwrap_or_default());
                }
                answer
            };
            reading.app.attempt_once(t("wait.link"), linked, move |_| {
                reading.app.changes.update(|n| *n += 1);
            });
        }
    };
    let linking = move || reading.app.waits.has(&t("wait.link"));
    view! {
        <span class="stack g-1">
            <span class="picker">
                <select class="select" id="predecessor" node_ref=field disabled=linking on:change:target=move |event| choose(event.target().value())>
                    <option value="" selected=now.is_none()>{t("about.no_predecessor")}</option>
                    {others.into_iter().map(|d| view! {
                        <option value=d.id.to_string() selected=now == Some(d.id)>{d.title.clone()} " · " {d.file.clone()}</option>
                    }).collect_view()}
                </select>
            </span>
            <Waiting words=t("wait.link")/>
            <span class="t-small t-mute">{t("about.link_hint")}</span>
        </span>
    }
}

/// The document's warnings, those of one kind together, with their pages.
#[component]
pub fn Remarks() -> impl IntoView {
    let reading = use_reading();
    move || {
        reading.document().map(|document| {
            let groups = grouped(document.warnings);
            view! {
                <div class="details" id="document-remarks">
                    {groups.into_iter().map(|(code, all)| view! { <Group reading code all/> }).collect_view()}
                </div>
            }
        })
    }
}

#[component]
fn Group(reading: Reading, code: String, all: Vec<DocumentWarning>) -> impl IntoView {
    let pages: Vec<u32> = all.iter().filter_map(|w| w.page).collect();
    let more = pages.len().saturating_sub(NAMED) as u64;
    // A message is shown in full if it belongs to no page, or if there is only one message with this code. If many
    // pages have messages with the same code, the name of the code is enough.
    let said: Vec<String> = all
        .iter()
        .filter(|w| w.page.is_none() || all.len() == 1)
        .map(|w| w.message.clone())
        .take(5)
        .collect();
    view! {
        <div class="remark-group">
            <b>{tag("warning", &code)}</b>
            " "
            <span class="t-mute">{tn("library.times", all.len() as u64)}</span>
            {(!pages.is_empty()).then(|| view! {
                <span class="page-links">
                    {pages.into_iter().take(NAMED).map(|page| view! {
                        <button class="link" on:click=move |_| reading.turn(page)>{tf("count.page_n", &[("n", &page.to_string())])}</button>
                    }).collect_view()}
                    {(more > 0).then(|| view! { <span class="t-mute">{tn("library.more_pages", more)}</span> })}
                </span>
            })}
            {said.into_iter().map(|text| view! { <p class="t-small"><Told text/></p> }).collect_view()}
        </div>
    }
}

/// Warnings by their code, in the order in which a code first comes.
fn grouped(warnings: Vec<DocumentWarning>) -> Vec<(String, Vec<DocumentWarning>)> {
    let mut groups: Vec<(String, Vec<DocumentWarning>)> = Vec::new();
    for warning in warnings {
        match groups.iter_mut().find(|(code, _)| *code == warning.code) {
            Some((_, all)) => all.push(warning),
            None => groups.push((warning.code.clone(), vec![warning])),
        }
    }
    groups
}

/// Where the two readers differ on the page; the pointer lights the place.
#[component]
pub fn Differences() -> impl IntoView {
    let reading = use_reading();
    move || {
        let all = reading
            .page
            .value
            .with(|p| p.as_ref().map(|p| p.differences.clone()))
            .unwrap_or_default();
        if all.is_empty() {
            return view! { <div class="details" id="page-differences"><p class="t-small">{t("library.no_differences")}</p></div> }
                .into_any();
        }
        view! {
            <div class="details" id="page-differences">
                <div class="difference names">
                    <span>{t("library.kept")}</span>
                    <span>{t("library.other")}</span>
                </div>
                {all.into_iter().map(|difference| view! { <Difference reading difference/> }).collect_view()}
            </div>
        }
        .into_any()
    }
}

#[component]
fn Difference(reading: Reading, difference: ReaderDifference) -> impl IntoView {
    let regions = StoredValue::new(difference.regions.clone());
    let light = move || reading.differing.set(regions.get_value());
    let dark = move || reading.differing.set(Vec::new());
    let side = |text: String| {
        if text.is_empty() {
            view! { <span class="t-mute">{t("library.nothing_there")}</span> }.into_any()
        } else {
            view! { <mark>{text}</mark> }.into_any()
        }
    };
    let (before, after) = difference.context;
    view! {
        <div
            class="difference"
            tabindex="0"
            role="button"
            on:pointerenter=move |_| light()
            on:pointerleave=move |_| dark()
            on:focus=move |_| light()
            on:blur=move |_| dark()
            on:click=move |_| light()
        >
            <span class="law">{before} " " {side(difference.kept)} " " {after}</span>
            <span class="law">{side(difference.other)}</span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_one_kind_stand_together() {
        let warning = |code: &str, page| DocumentWarning {
            code: code.to_owned(),
            page,
            message: String::new(),
        };
        let groups = grouped(vec![
            warning("readers_differ", Some(3)),
            warning("scanned_page", Some(4)),
            warning("readers_differ", Some(9)),
        ]);
        let shape: Vec<(&str, usize)> = groups
            .iter()
            .map(|(code, all)| (code.as_str(), all.len()))
            .collect();
        assert_eq!(shape, [("readers_differ", 2), ("scanned_page", 1)]);
    }
}
