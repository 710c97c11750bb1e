//! The prompts: what a language model is told, each as a file that can be changed, tried on a sentence, and taken back.

use super::bench::Bench;
use crate::backend::{Answer, call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::said::Told;
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::{Placeholder, PromptFile};
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
    // Those that are unfolded: one that is kept or taken back is drawn anew and stays as it was.
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

#[component]
fn Prompt(
    prompt: PromptFile,
    prompts: Fetched<Vec<PromptFile>>,
    unfolded: StoredValue<BTreeSet<String>>,
) -> impl IntoView {
    let (kind, language) = (prompt.kind, prompt.language);
    let own = prompt.version > 0;
    let text = RwSignal::new(prompt.text.clone());
    let kept = StoredValue::new(prompt.text.clone());
    let shipped = StoredValue::new(prompt.shipped.clone());
    let failure = RwSignal::new(None::<Failure>);
    let trying = RwSignal::new(false);
    let compare = RwSignal::new(false);
    let changed = Memo::new(move |_| text.with(|text| kept.with_value(|kept| kept != text)));
    let put = move |deed: std::pin::Pin<Box<dyn Future<Output = Answer<PromptFile>>>>| {
        spawn_local(async move {
            match deed.await {
                Ok(_) => {
                    failure.try_set(None);
                    prompts.refresh(call(commands::Prompts {}));
                }
                Err(problem) => {
                    failure.try_set(Some(problem));
                }
            }
        });
    };
    let keep = move |_| {
        let text = text.get_untracked();
        put(Box::pin(call(commands::PutPrompt {
            kind,
            language,
            text,
        })));
    };
    let reset = move |_| put(Box::pin(call(commands::ResetPrompt { kind, language })));
    let places = prompt
        .placeholders
        .into_iter()
        .map(|Placeholder { name, part, meaning }| {
            view! { <dt class="mono">{format!("{{{name}}}")}</dt><dd><Told text=meaning/>" "<span class="t-mute">{tf("prompts.in_part", &[("part", &part)])}</span></dd> }
        })
        .collect_view();
    let version = if own {
        tf("prompts.own_version", &[("n", &prompt.version.to_string())])
    } else {
        t("prompts.shipped")
    };
    let id = format!("prompt-{}-{}", kind.tag(), language.tag());
    let field = format!("{id}-text");
    let key = id.clone();
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
            {move || opened.get().then(|| view! {
            <div class="stack g-3">
                <div class="field">
                    <label for=field.clone()>{t("prompts.text")}</label>
                    <textarea class="textarea mono prompt-text" id=field.clone() spellcheck="false" prop:value=move || text.get()
                        on:input:target=move |event| text.set(event.target().value())></textarea>
                    <span class="hint">{t("prompts.text_hint")}</span>
                </div>
                {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                <div class="row wrap">
                    <button class="btn primary keep-prompt" disabled=move || !changed.get() on:click=keep>{t("prompts.keep")}</button>
                    <button class="btn ghost" disabled=move || !changed.get() on:click=move |_| text.set(kept.get_value())>{t("action.cancel")}</button>
                    <button class="btn try-prompt" on:click=move |_| trying.set(true)>{t("prompts.try")}</button>
                    <span class="grow"></span>
                    {own.then(|| view! {
                        <button class="btn ghost sm" aria-pressed=move || compare.get().to_string() on:click=move |_| compare.update(|on| *on = !*on)>{t("prompts.compare")}</button>
                        <button class="btn danger sm reset-prompt" on:click=reset>{t("prompts.reset")}</button>
                    })}
                </div>
                {move || compare.get().then(|| view! { <h3>{t("prompts.shipped")}</h3><pre class="mono prompt-shown">{shipped.get_value()}</pre> })}
            </div>
            })}
            <details class="history">
                <summary>{t("prompts.placeholders")}</summary>
                <dl class="kv placeholders">{places}</dl>
            </details>
            <p class="t-small t-mute">{tf("prompts.hash", &[("hash", &format::short_hash(&prompt.hash))])}</p>
        </details>
        {move || trying.get().then(|| view! {
            <Bench
                kind
                language
                name=subject.get_value()
                text=Signal::derive(move || changed.get().then(|| text.get()))
                close=move |()| trying.set(false)
            />
        })}
    }
}
