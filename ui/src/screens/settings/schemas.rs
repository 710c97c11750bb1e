//! The schemas of terms: which classes there are, with examples. Each can be changed; the shipped ones come back when
//! their own copy is named anew.

use crate::backend;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::schema::{TermSchema, TermSchemaClass};

/// The schemas.
#[component]
pub fn Schemas() -> impl IntoView {
    let app = use_app();
    let rows = move || app.schemas.get().into_iter().map(|schema| view! { <Schema schema/> }).collect_view();
    view! {
        <section class="card" id="schemas">
            <div class="card-head"><h2>{t("schemas.title")}</h2></div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("schemas.lead")}</p>
                {move || app.schemas.with(Vec::is_empty).then(|| view! { <p class="t-small">{t("people.no_workspace")}</p> })}
                {rows}
            </div>
        </section>
    }
}

#[component]
fn Schema(schema: TermSchema) -> impl IntoView {
    let app = use_app();
    let language = lang_tag(schema.language);
    let edited = RwSignal::new(None::<TermSchema>);
    let failure = RwSignal::new(None::<Failure>);
    let whole = StoredValue::new(schema.clone());
    let keep = move |_| {
        let Some(schema) = edited.get_untracked() else { return };
        spawn_local(async move {
            let answer = match backend::review::put_term_schema(&schema).await {
                Ok(()) => backend::review::term_schemas().await,
                Err(failure) => Err(failure),
            };
            match answer {
                Ok(all) => app.schemas.set(all),
                Err(problem) => {
                    failure.try_set(Some(problem));
                }
            }
        });
    };
    let classes = move || {
        if edited.with(Option::is_some) {
            let many = edited.with_untracked(|s| s.as_ref().map_or(0, |s| s.classes.len()));
            (0..many).map(|at| view! { <EditClass edited at language/> }.into_any()).collect_view()
        } else {
            whole.with_value(|schema| {
                schema.classes.iter().cloned().map(|class| view! { <Class class language/> }.into_any()).collect_view()
            })
        }
    };
    let many = Memo::new(move |_| edited.with(|s| s.as_ref().map_or(0, |s| s.classes.len())));
    view! {
        <details class="schema">
            <summary>
                <b lang=language>{schema.label.clone()}</b>
                <span class="badge">{tag("language", schema.language.tag())}</span>
                <span class="t-small t-mute">{tn("count.classes", schema.classes.len() as u64)}</span>
            </summary>
            <div class="stack">
                {move || { many.track(); classes() }}
                {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                <div class="row">
                    {move || if edited.with(Option::is_some) {
                        view! {
                            <button class="btn primary" on:click=keep>{t("schemas.keep")}</button>
                            <button class="btn ghost" on:click=move |_| edited.set(None)>{t("action.cancel")}</button>
                            <button class="btn push" on:click=move |_| edited.update(|s| if let Some(s) = s {
                                s.classes.push(TermSchemaClass { name: String::new(), label: String::new(), parent: String::new(), description: String::new(), examples: Vec::new() });
                            })><Sign icon=Icon::Plus small=true/>{t("schemas.add_class")}</button>
                        }.into_any()
                    } else {
                        view! { <button class="btn sm" on:click=move |_| edited.set(Some(whole.get_value()))>{t("schemas.edit")}</button> }.into_any()
                    }}
                </div>
            </div>
        </details>
    }
}

#[component]
fn Class(class: TermSchemaClass, language: &'static str) -> impl IntoView {
    let examples = crate::format::list(&class.examples);
    view! {
        <div class="schema-class">
            <span><b lang=language>{class.label.clone()}</b>" "<span class="mono">{class.name.clone()}</span></span>
            <span class="t-small" lang=language>{class.description.clone()}</span>
            <span class="law sm" lang=language>{examples}</span>
        </div>
    }
}

/// One class in fields: what it is called, its name, what it is, examples one a line.
#[component]
fn EditClass(edited: RwSignal<Option<TermSchema>>, at: usize, language: &'static str) -> impl IntoView {
    let class = edited.with_untracked(|s| s.as_ref().and_then(|s| s.classes.get(at).cloned()));
    let change = move |change: &dyn Fn(&mut TermSchemaClass)| {
        // The drawing does not depend on what is typed.
        edited.update_untracked(|schema| {
            if let Some(class) = schema.as_mut().and_then(|s| s.classes.get_mut(at)) {
                change(class);
            }
        });
    };
    class.map(|class| {
        let examples = class.examples.join("\n");
        view! {
            <div class="schema-class edit">
                <div class="two">
                    <div class="field"><label>{t("schemas.label")}
                        <input class="input" lang=language value=class.label.clone() on:input:target=move |event| { let typed = event.target().value(); change(&|c| c.label = typed.clone()); }/>
                    </label></div>
                    <div class="field"><label>{t("schemas.name")}
                        <input class="input" value=class.name.clone() on:input:target=move |event| { let typed = event.target().value().trim().to_lowercase().replace(' ', "_"); change(&|c| c.name = typed.clone()); }/>
                    </label></div>
                </div>
                <div class="field"><label>{t("schemas.description")}
                    <input class="input" lang=language value=class.description.clone() on:input:target=move |event| { let typed = event.target().value(); change(&|c| c.description = typed.clone()); }/>
                </label></div>
                <div class="field"><label>{t("schemas.examples")}
                    <textarea class="textarea law" lang=language prop:value=examples on:input:target=move |event| {
                        let typed: Vec<String> = event.target().value().lines().map(|l| l.trim().to_owned()).filter(|l| !l.is_empty()).collect();
                        change(&|c| c.examples = typed.clone());
                    }></textarea>
                </label></div>
                <button class="btn ghost sm" on:click=move |_| edited.update(|s| if let Some(s) = s && at < s.classes.len() { s.classes.remove(at); })>{tf("schemas.remove_class", &[("class", &class.label)])}</button>
            </div>
        }
    })
}
