//! A check before the documents are used for training: personal data and where it is, tokens that are not words,
//! licences, and how many questions there are of each type.

use crate::backend::{call, commands};
use crate::components::data_known::DataKnown;
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{
    CheckStanding, ClassCheck, CorpusCheck, DocumentCheck, PersonalFinding, PersonalKind,
};

/// How many places are shown; the command line lists them all.
const SHOWN: usize = 100;

/// The button, and what it found.
#[component]
pub fn Check() -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <button class="btn" id="corpus-check" on:click=move |_| open.set(true)>{t("check.ask")}</button>
        {move || open.get().then(|| view! { <Found open/> })}
    }
}

/// What the last check said of the documents that are about to be used, and the button that checks them.
#[component]
pub fn Known(
    /// What is known.
    #[prop(into)]
    standing: Signal<Option<CheckStanding>>,
    /// They were checked: what is known is to be asked again.
    #[prop(into)]
    checked: Callback<()>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |was: Option<bool>| {
        let now = open.get();
        if was == Some(true) && !now {
            checked.run(());
        }
        now
    });
    view! {
        {move || standing.get().map(|standing| view! {
            <div class="row wrap" id="data-known">
                <DataKnown standing/>
                <button class="btn sm" id="data-check" on:click=move |_| open.set(true)>{t("check.ask")}</button>
            </div>
        })}
        {move || open.get().then(|| view! { <Found open/> })}
    }
}

/// What the check finds, in a dialog that is shown while it is open.
#[component]
fn Found(open: RwSignal<bool>) -> impl IntoView {
    let check = Fetched::<CorpusCheck>::default();
    let ask = move || check.ask(call(commands::CheckCorpus {}));
    ask();
    let close = Callback::new(move |()| open.set(false));
    view! {
        <Dialog label=t("check.title") close id="corpus-checked" class="padded">
            <h2>{t("check.title")}</h2>
            {move || check.failure.get().map(|failure| view! {
                <ErrorPanel failure><button class="btn sm" on:click=move |_| ask()>{t("action.again")}</button></ErrorPanel>
            })}
            {move || match check.value.get() {
                Some(found) => view! { <Personal found=found.clone() close/> <Documents documents=found.documents/> <Classes classes=found.classes/> }.into_any(),
                None if check.failure.with(Option::is_some) => ().into_any(),
                None => view! { <Coming words=t("wait.check")/> }.into_any(),
            }}
            <div class="row">
                <button class="btn primary push" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
        </Dialog>
    }
}

/// Data of persons: how many of each kind, and where.
#[component]
fn Personal(found: CorpusCheck, close: Callback<()>) -> impl IntoView {
    let all: u64 = found.personal.values().sum();
    let counts: Vec<String> = found
        .personal
        .iter()
        .map(|(kind, n)| format!("{} {}", words(*kind), format::count(*n)))
        .collect();
    let told = match counts.is_empty() {
        true => t("check.none"),
        false => counts.join(" · "),
    };
    let rows = found
        .findings
        .into_iter()
        .take(SHOWN)
        .map(|one| view! { <Place one close/> })
        .collect_view();
    let more = all.saturating_sub(SHOWN as u64);
    view! {
        <section class="stack g-1">
            <h3>{t("check.personal")}</h3>
            <p id="check-personal">{told}</p>
            <p class="t-small t-mute">{t("check.personal_is")}</p>
            <ul class="t-small">{rows}</ul>
            {(more > 0).then(|| view! { <p class="t-small t-mute">{tn("check.more", more)}</p> })}
        </section>
    }
}

/// One place, and the way to its page.
#[component]
fn Place(one: PersonalFinding, close: Callback<()>) -> impl IntoView {
    let app = use_app();
    let (document, page, sentence) = (one.document, one.page, one.sentence);
    let name = tf(
        "check.open",
        &[("n", &page.to_string()), ("text", &one.text)],
    );
    let go = move |_| {
        close.run(());
        app.open_sentence(document, page, Some(sentence));
    };
    view! {
        <li data-kind=one.kind.tag()>
            <button class="link wrap-anywhere" on:click=go>{name}</button>
            " · "{words(one.kind)}
        </li>
    }
}

#[component]
fn Documents(documents: Vec<DocumentCheck>) -> impl IntoView {
    let rows = documents
        .into_iter()
        .map(|one| {
            let odd = odd(one.odd, one.words);
            let pictures = (one.from_pictures > 0)
                .then(|| tn("check.from_pictures", u64::from(one.from_pictures)));
            let title = match one.title.is_empty() {
                true => one.file,
                false => one.title,
            };
            let examples = format::list(&one.examples);
            view! {
                <tr data-document=one.document.to_string()>
                    <td class="wrap-anywhere">{title}</td>
                    <td class="wrap-anywhere">{one.licence.unwrap_or_else(|| t("check.licence_unsaid"))}</td>
                    <td>
                        <span class="nowrap" title=examples>{odd}</span>
                        {one.noisy.then(|| view! { " "<span class="badge warn">{t("check.noisy")}</span> })}
                        {pictures.map(|text| view! { <br/>{text} })}
                    </td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="stack g-1">
            <h3>{t("check.documents")}</h3>
            <table class="table t-small" id="check-documents">
                <thead><tr><th>{t("check.document")}</th><th>{t("check.licence")}</th><th>{t("check.words")}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

/// How many words look misread, of how many. For texts whose words are not checked, such as Chinese ones, it says so.
fn odd(odd: u64, words: u64) -> String {
    if words == 0 {
        return t("check.unchecked");
    }
    tf(
        "check.odd",
        &[
            ("odd", &format::count(odd)),
            ("words", &format::count(words)),
        ],
    )
}

/// How many questions there are of each type; nothing before there are any.
#[component]
fn Classes(classes: Vec<ClassCheck>) -> impl IntoView {
    (!classes.is_empty()).then(|| {
        let rows = classes
            .into_iter()
            .map(|one| {
                view! {
                    <tr>
                        <td>{tag("level", &one.level)}" · "{tag("question_type", &one.class)}</td>
                        <td class="num">{format::count(one.questions)}</td>
                        <td class="num">
                            {format::short_share(one.share)}
                            {one.thin.then(|| view! { " "<span class="badge warn">{t("check.thin")}</span> })}
                        </td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <section class="stack g-1">
                <h3>{t("check.classes")}</h3>
                <table class="table t-small" id="check-classes">
                    <thead><tr><th>{t("check.class")}</th><th>{t("check.questions")}</th><th>{t("check.share")}</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </section>
        }
    })
}

fn words(kind: PersonalKind) -> String {
    match kind {
        PersonalKind::Email => t("check.email"),
        PersonalKind::Account => t("check.account"),
        PersonalKind::Card => t("check.card"),
        PersonalKind::Phone => t("check.phone"),
        PersonalKind::NationalId => t("check.national_id"),
        PersonalKind::Name => t("check.name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_word_was_looked_at_none_is_called_well_read() {
        assert_eq!(odd(3, 1204), "3 of 1,204");
        assert_eq!(odd(0, 0), "not checked");
    }
}
