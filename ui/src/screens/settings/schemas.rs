//! The schemas of terms, with their classes and examples. Each schema can be changed. If the changed copy of a shipped
//! schema gets another name, the shipped schema is used again as well.

use crate::attempt::attempt;
use crate::backend::{Answer, call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::field::Field;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::i18n::{Lang, lang, t, tag, text_in, tf, tn};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::schema::{OwnSchema, TermSchema, TermSchemaClass};
use lexforge_domain::text::Language;
use std::collections::BTreeSet;

/// The name of a new schema's first class.
const FIRST_CLASS: &str = "term";

#[component]
pub fn Schemas() -> impl IntoView {
    let app = use_app();
    let own = Fetched::<Vec<OwnSchema>>::default();
    Effect::new(move |_| {
        app.schemas.track();
        if app.workspace.with(Option::is_some) {
            own.ask(call(commands::OwnTermSchemas {}));
        }
    });
    // The unfolded schemas. A schema that is saved or reset is rendered again and stays unfolded.
    let unfolded = StoredValue::new(BTreeSet::<String>::new());
    let rows = move || {
        let own = own.value.get().unwrap_or_default();
        let with_own = |schema: TermSchema| {
            let kept = own
                .iter()
                .find(|o| o.name == schema.name && o.language == schema.language)
                .cloned();
            view! { <Schema schema kept unfolded/> }
        };
        app.schemas.get().into_iter().map(with_own).collect_view()
    };
    let making = RwSignal::new(false);
    view! {
        <section class="card" id="schemas">
            <div class="card-head">
                <h2>{t("schemas.title")}</h2>
                <span class="push">
                    <button class="btn sm" id="new-schema" disabled=move || app.workspace.with(Option::is_none) on:click=move |_| making.set(true)>
                        <Sign icon=Icon::Plus small=true/>{t("schemas.new")}
                    </button>
                </span>
            </div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("schemas.lead")}</p>
                {move || app.schemas.with(Vec::is_empty).then(|| view! { <p class="t-small">{t("people.no_workspace")}</p> })}
                {move || own.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {rows}
            </div>
        </section>
        {move || making.get().then(|| view! { <NewSchema close=move |()| making.set(false)/> })}
    }
}

/// Keeps a schema, and shows what there is then.
fn keep_schema(
    app: App,
    schema: TermSchema,
    failure: RwSignal<Option<Failure>>,
    kept: impl FnOnce() + 'static,
) {
    let put = async move {
        call(commands::PutTermSchema { schema }).await?;
        call(commands::TermSchemas {}).await
    };
    attempt(failure, put, move |all| {
        app.schemas.set(all);
        kept();
    });
}

/// A schema that begins with one class, in the schema's own language.
fn first_schema(name: &str, label: &str, language: Language) -> TermSchema {
    let in_words = if language == Language::Zh {
        Lang::Zh
    } else {
        Lang::En
    };
    let first = text_in(in_words, "schemas.first_class").unwrap_or_default();
    let label = if label.is_empty() { name } else { label };
    TermSchema {
        name: name.to_owned(),
        label: label.to_owned(),
        language,
        classes: vec![TermSchemaClass {
            name: FIRST_CLASS.to_owned(),
            label: first.clone(),
            examples: vec![first],
            ..empty_class()
        }],
    }
}

/// Name, label and language of a schema that is new; its first class is an example that can be changed at once.
#[component]
fn NewSchema(
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let (name, label) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let language = RwSignal::new(if lang() == Lang::Zh {
        Language::Zh
    } else {
        Language::En
    });
    let failure = RwSignal::new(None::<Failure>);
    let taken = move || {
        let name = name.get();
        app.schemas.with(|all| {
            all.iter()
                .any(|s| s.name == name.trim() && s.language == language.get())
        })
    };
    let create = move |_| {
        let (name, label) = (name.get_untracked(), label.get_untracked());
        let schema = first_schema(name.trim(), label.trim(), language.get_untracked());
        keep_schema(app, schema, failure, move || {
            close.try_run(());
        });
    };
    let languages = vec![(
        Language::Zh.tag().to_owned(),
        tag("language", Language::Zh.tag()),
    )];
    view! {
        <Dialog label=t("schemas.new") close id="schema-form" class="padded">
            <h2>{t("schemas.new")}</h2>
            <div class="two">
                <Field id="schema-name" label=t("schemas.schema_name") hint=t("schemas.new_hint")>
                    <input class="input" id="schema-name" autofocus=true autocomplete="off" on:input:target=move |event| name.set(event.target().value())/>
                </Field>
                <Field id="schema-label" label=t("schemas.schema_label")>
                    <input class="input" id="schema-label" autocomplete="off" on:input:target=move |event| label.set(event.target().value())/>
                </Field>
            </div>
            <Field id="schema-language" label=t("schemas.language")>
                <Picker all=tag("language", "en") choices=languages now=Signal::derive(move || Some(language.get().tag().to_owned()))
                    chosen=move |tag: String| language.set(if tag.is_empty() { Language::En } else { Language::from_tag(&tag) }) id="schema-language"/>
            </Field>
            {move || taken().then(|| view! { <p class="t-small c-warn">{t("schemas.taken")}</p> })}
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Foot cancel=close>
                <button class="btn primary" id="schema-create" disabled=move || taken() || name.with(|n| n.trim().is_empty()) on:click=create>{t("schemas.create")}</button>
            </Foot>
        </Dialog>
    }
}

/// Removes a schema of the workspace's own; gives those that there are then.
async fn removed(kept: OwnSchema) -> Answer<Vec<TermSchema>> {
    call(commands::RemoveTermSchema {
        name: kept.name,
        language: kept.language,
    })
    .await?;
    call(commands::TermSchemas {}).await
}

/// A class about which nothing is said yet.
fn empty_class() -> TermSchemaClass {
    TermSchemaClass {
        name: String::new(),
        label: String::new(),
        parent: String::new(),
        description: String::new(),
        examples: Vec::new(),
    }
}

#[component]
fn Schema(
    schema: TermSchema,
    kept: Option<OwnSchema>,
    unfolded: StoredValue<BTreeSet<String>>,
) -> impl IntoView {
    let app = use_app();
    let own = kept.as_ref().map(|kept| kept.shipped);
    let language = lang_tag(schema.language);
    let edited = RwSignal::new(None::<TermSchema>);
    let failure = RwSignal::new(None::<Failure>);
    let whole = StoredValue::new(schema.clone());
    let keep = move |()| {
        if let Some(schema) = edited.get_untracked() {
            keep_schema(app, schema, failure, || ());
        }
    };
    let kept = StoredValue::new(kept);
    let take_back = move |()| {
        if let Some(kept) = kept.get_value() {
            attempt(failure, removed(kept), move |all| app.schemas.set(all));
        }
    };
    let id = format!("schema-{}-{}", schema.name, schema.language.tag());
    let (key, open) = (
        id.clone(),
        unfolded.with_value(|unfolded| unfolded.contains(&id)),
    );
    view! {
        <details class="schema" id=id open=open on:toggle:target=move |event| {
            let open = event.target().has_attribute("open");
            unfolded.update_value(|unfolded| { if open { unfolded.insert(key.clone()); } else { unfolded.remove(&key); } });
        }>
            <summary>
                <b lang=language>{schema.label.clone()}</b>
                <span class="badge">{tag("language", schema.language.tag())}</span>
                {own.map(|shipped| view! { <span class="badge info">{if shipped { t("schemas.changed") } else { t("schemas.own") }}</span> })}
                <span class="t-small t-mute">{tn("count.classes", schema.classes.len() as u64)}</span>
            </summary>
            <div class="stack">
                <Classes edited whole language/>
                {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                <Acts edited whole own keep take_back/>
            </div>
        </details>
    }
}

/// The classes as they are, or the fields of those that are being changed.
#[component]
fn Classes(
    /// The schema as it is being changed.
    edited: RwSignal<Option<TermSchema>>,
    /// The schema as it is.
    whole: StoredValue<TermSchema>,
    language: &'static str,
) -> impl IntoView {
    move || {
        if edited.with(Option::is_some) {
            let many = edited.with_untracked(|s| s.as_ref().map_or(0, |s| s.classes.len()));
            (0..many)
                .map(|at| view! { <EditClass edited at language/> }.into_any())
                .collect_view()
        } else {
            whole.with_value(|schema| {
                schema
                    .classes
                    .iter()
                    .cloned()
                    .map(|class| view! { <Class class language/> }.into_any())
                    .collect_view()
            })
        }
    }
}

/// The actions for a schema: change and reset, or, while it is being changed, save and cancel.
#[component]
fn Acts(
    /// The schema as it is being changed.
    edited: RwSignal<Option<TermSchema>>,
    /// The schema as it is.
    whole: StoredValue<TermSchema>,
    /// The workspace has its own; whether one of that name is shipped.
    own: Option<bool>,
    #[prop(into)] keep: Callback<()>,
    #[prop(into)] take_back: Callback<()>,
) -> impl IntoView {
    let add = move |_| {
        edited.update(|schema| {
            if let Some(schema) = schema {
                schema.classes.push(empty_class());
            }
        });
    };
    let changing = move || {
        view! {
            <button class="btn add-class" on:click=add><Sign icon=Icon::Plus small=true/>{t("schemas.add_class")}</button>
            <button class="btn ghost push" on:click=move |_| edited.set(None)>{t("action.cancel")}</button>
            <button class="btn primary keep-schema" on:click=move |_| keep.run(())>{t("schemas.keep")}</button>
        }
    };
    let standing = move || {
        let back = own.map(|shipped| {
            let name = if shipped { t("schemas.take_back") } else { t("schemas.remove") };
            view! { <button class="btn danger sm push take-back" on:click=move |_| take_back.run(())>{name}</button> }
        });
        view! { <button class="btn sm edit-schema" on:click=move |_| edited.set(Some(whole.get_value()))>{t("schemas.edit")}</button>{back} }
    };
    view! {
        <div class="row">
            {move || if edited.with(Option::is_some) { changing().into_any() } else { standing().into_any() }}
        </div>
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

/// The fields of one class: its label, its name, its description, and its examples, one a line.
#[component]
fn EditClass(
    edited: RwSignal<Option<TermSchema>>,
    at: usize,
    language: &'static str,
) -> impl IntoView {
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
