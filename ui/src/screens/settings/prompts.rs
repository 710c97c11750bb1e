//! The prompts: what a language model is told, each as a file that can be changed, tried on a sentence, and taken back.

use super::bench::Bench;
use crate::attempt::attempt;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::field::Field;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::said::Told;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{Placeholder, PromptFile, PromptKind};
use lexforge_domain::text::Language;
use std::collections::BTreeSet;

/// The prompts, one line each until it is opened.
#[component]
pub fn Prompts() -> impl IntoView {
    let app = use_app();
    let open = Memo::new(move |_| app.workspace.with(Option::is_some));
    let prompts = Fetched::<Vec<PromptFile>>::default();
    Effect::new(move |_| {
        if open.get() {
            prompts.refresh(call(commands::Prompts {}));
        }
    });
    // The unfolded prompts. A prompt that is saved or reset is rendered again and stays unfolded.
    let unfolded = StoredValue::new(BTreeSet::<String>::new());
    let rows = move || {
        let all = prompts.value.get().unwrap_or_default();
        all.into_iter()
            .map(|prompt| view! { <Prompt prompt prompts unfolded/> })
            .collect_view()
    };
    view! {
        <section class="card" id="prompts">
            <div class="card-head"><h2>{t("prompts.title")}</h2></div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("prompts.lead")}</p>
                {move || (!open.get()).then(|| view! { <p class="t-small">{t("people.no_workspace")}</p> })}
                {move || prompts.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {rows}
            </div>
        </section>
    }
}

/// The wording of a prompt while it is looked at and changed.
#[derive(Clone, Copy)]
struct Wording {
    kind: PromptKind,
    language: Language,
    /// The text of the field.
    text: RwSignal<String>,
    /// What is kept.
    kept: StoredValue<String>,
    /// The shipped wording.
    shipped: StoredValue<String>,
    changed: Memo<bool>,
    /// Why it could not be kept.
    failure: RwSignal<Option<Failure>>,
    /// The shipped wording is shown below.
    compare: RwSignal<bool>,
    /// It is being tried on a sentence.
    trying: RwSignal<bool>,
    prompts: Fetched<Vec<PromptFile>>,
}

impl Wording {
    fn of(prompt: &PromptFile, prompts: Fetched<Vec<PromptFile>>) -> Self {
        let text = RwSignal::new(prompt.text.clone());
        let kept = StoredValue::new(prompt.text.clone());
        Self {
            kind: prompt.kind,
            language: prompt.language,
            text,
            kept,
            shipped: StoredValue::new(prompt.shipped.clone()),
            changed: Memo::new(move |_| text.with(|text| kept.with_value(|kept| kept != text))),
            failure: RwSignal::new(None),
            compare: RwSignal::new(false),
            trying: RwSignal::new(false),
            prompts,
        }
    }

    fn keep(self) {
        let (kind, language) = (self.kind, self.language);
        let text = self.text.get_untracked();
        let put = call(commands::PutPrompt {
            kind,
            language,
            text,
        });
        attempt(self.failure, put, move |_| self.read_anew());
    }

    fn reset(self) {
        let (kind, language) = (self.kind, self.language);
        let reset = call(commands::ResetPrompt { kind, language });
        attempt(self.failure, reset, move |_| self.read_anew());
    }

    fn read_anew(self) {
        self.prompts.refresh(call(commands::Prompts {}));
    }
}

#[component]
fn Prompt(
    prompt: PromptFile,
    prompts: Fetched<Vec<PromptFile>>,
    unfolded: StoredValue<BTreeSet<String>>,
) -> impl IntoView {
    let wording = Wording::of(&prompt, prompts);
    let (kind, language) = (prompt.kind, prompt.language);
    let own = prompt.version > 0;
    let version = if own {
        tf("prompts.own_version", &[("n", &prompt.version.to_string())])
    } else {
        t("prompts.shipped")
    };
    let hash = format::short_hash(&prompt.hash);
    let id = format!("prompt-{}-{}", kind.tag(), language.tag());
    let (key, field) = (id.clone(), StoredValue::new(format!("{id}-text")));
    let open = unfolded.with_value(|unfolded| unfolded.contains(&id));
    let opened = RwSignal::new(open);
    let label = tag("prompt", kind.tag());
    let subject = StoredValue::new(label.clone());
    view! {
        <details class="schema" id=id open=open on:toggle:target=move |event| {
            opened.set(true);
            let open = event.target().has_attribute("open");
            unfolded.update_value(|unfolded| { if open { unfolded.insert(key.clone()); } else { unfolded.remove(&key); } });
        }>
            <summary>
                <b>{label}</b>
                <span class="badge">{tag("language", language.tag())}</span>
                <span class=if own { "badge info" } else { "badge line" }>{version}</span>
                <span class="t-small t-mute">{tag("prompt_does", kind.tag())}</span>
            </summary>
            {move || opened.get().then(|| view! { <Changing wording own id=field.get_value()/> })}
            <Placeholders all=prompt.placeholders/>
            <p class="t-small t-mute">{tf("prompts.hash", &[("hash", &hash)])}</p>
        </details>
        {move || wording.trying.get().then(|| view! {
            <Bench
                kind
                language
                name=subject.get_value()
                text=Signal::derive(move || wording.changed.get().then(|| wording.text.get()))
                close=move |()| wording.trying.set(false)
            />
        })}
    }
}

/// The wording in a field, and what can be done with it.
#[component]
fn Changing(
    wording: Wording,
    /// Whether it is not the shipped wording.
    own: bool,
    /// Id of the field.
    id: String,
) -> impl IntoView {
    let Wording {
        text,
        changed,
        failure,
        compare,
        ..
    } = wording;
    let unchanged = move || !changed.get();
    let leave = move |_| text.set(wording.kept.get_value());
    let back = own.then(|| {
        let compared = move || compare.get().to_string();
        view! {
            <button class="btn ghost sm" aria-pressed=compared on:click=move |_| compare.update(|on| *on = !*on)>{t("prompts.compare")}</button>
            <button class="btn danger sm reset-prompt" on:click=move |_| wording.reset()>{t("prompts.reset")}</button>
        }
    });
    view! {
        <div class="stack g-3">
            <Field id=id.clone() label=t("prompts.text") hint=t("prompts.text_hint")>
                <textarea class="textarea mono prompt-text" id=id spellcheck="false" prop:value=move || text.get()
                    on:input:target=move |event| text.set(event.target().value())></textarea>
            </Field>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row wrap">
                <button class="btn try-prompt" on:click=move |_| wording.trying.set(true)>{t("prompts.try")}</button>
                {back}
                <span class="grow"></span>
                <button class="btn ghost" disabled=unchanged on:click=leave>{t("action.cancel")}</button>
                <button class="btn primary keep-prompt" disabled=unchanged on:click=move |_| wording.keep()>{t("prompts.keep")}</button>
            </div>
            {move || compare.get().then(|| view! { <h3>{t("prompts.shipped")}</h3><pre class="mono prompt-shown" tabindex="0">{wording.shipped.get_value()}</pre> })}
        </div>
    }
}

/// The placeholders that a prompt may use, and the values that replace them.
#[component]
fn Placeholders(all: Vec<Placeholder>) -> impl IntoView {
    let places = all
        .into_iter()
        .map(|Placeholder { name, part, meaning }| {
            view! { <dt class="mono">{format!("{{{name}}}")}</dt><dd><Told text=meaning/>" "<span class="t-mute">{tf("prompts.in_part", &[("part", &part)])}</span></dd> }
        })
        .collect_view();
    view! {
        <details class="history">
            <summary>{t("prompts.placeholders")}</summary>
            <dl class="kv placeholders">{places}</dl>
        </details>
    }
}
