//! A note, an owner and a date for a rule.

use super::deeds::note;
use super::place::Field;
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::limits::LONGEST_MATCH_NOTE;

/// The form.
#[component]
pub fn Remark(
    /// The field that comes first.
    field: Field,
) -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let before = place.detail.value.with_untracked(|rule| {
        let decision = rule.as_ref()?.row.decision.as_ref()?;
        Some((
            decision.note.clone(),
            decision.owner.clone(),
            decision.due.clone().unwrap_or_default(),
        ))
    });
    place.unkept.set(None);
    let (noted, owned, dated) = before.unwrap_or_default();
    let text = RwSignal::new(noted);
    let owner = RwSignal::new(owned);
    let due = RwSignal::new(dated);
    let is_first = move |one: Field| one == field;
    let close = Callback::new(move |()| place.over.set(None));
    let save = move || {
        let due = due.get_untracked().trim().to_owned();
        note(
            app,
            text.get_untracked(),
            owner.get_untracked(),
            Some(due).filter(|due| !due.is_empty()),
        );
    };
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            save();
        }
    };
    view! {
        <Dialog label=t("match.remark") close id="match-remark" class="padded">
            <h2>{t("match.remark")}</h2>
            <p class="t-small t-mute">{t("match.remark_text")}</p>
            <div class="stack g-3" on:keydown=keydown>
                <NoteField text is_first=is_first(Field::Note)/>
                <div class="edit-fields">
                    <OwnerField owner is_first=is_first(Field::Owner)/>
                    <DueField due/>
                </div>
            </div>
            {move || place.unkept.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=close before=|| view! { <span class="t-small t-mute">{t("match.remark_keeps")}</span> }>
                <button class="btn primary" id="match-remark-save" on:click=move |_| save()>{t("match.keep")}<kbd>"Ctrl ↵"</kbd></button>
            </Foot>
        </Dialog>
    }
}

#[component]
fn NoteField(text: RwSignal<String>, is_first: bool) -> impl IntoView {
    view! {
        <div class="field">
            <label for="match-note-text">{t("match.note_label")}</label>
            <textarea
                class="textarea"
                id="match-note-text"
                maxlength=LONGEST_MATCH_NOTE.to_string()
                autofocus=is_first
                prop:value=text.get_untracked()
                on:input:target=move |event| text.set(event.target().value())
            ></textarea>
        </div>
    }
}

/// Who closes the gap: anybody, and the people of the workspace are offered.
#[component]
fn OwnerField(owner: RwSignal<String>, is_first: bool) -> impl IntoView {
    let app = use_app();
    let people = move || {
        let people = app.people.get().map(|p| p.people).unwrap_or_default();
        people
            .into_iter()
            .map(|person| view! { <option value=person.name></option> })
            .collect_view()
    };
    view! {
        <div class="field">
            <label for="match-owner">{t("match.owner")}</label>
            <input
                class="input"
                id="match-owner"
                list="match-people"
                autofocus=is_first
                prop:value=owner.get_untracked()
                on:input:target=move |event| owner.set(event.target().value())
            />
            <datalist id="match-people">{people}</datalist>
        </div>
    }
}

#[component]
fn DueField(due: RwSignal<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="match-due">{t("match.due_label")}</label>
            <input
                class="input"
                id="match-due"
                placeholder="2026-12-31"
                prop:value=due.get_untracked()
                on:input:target=move |event| due.set(event.target().value())
            />
        </div>
    }
}
