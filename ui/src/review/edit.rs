//! Changing an item before it is taken, and the reason for leaving one out.

use super::class;
use super::desk::Desk;
use super::form::Mode;
use crate::components::field::{Field, typed};
use crate::components::law::lang_tag;
use crate::components::picker::Picker;
use crate::i18n::{t, tf};
use crate::keys::focus_end;
use crate::state::use_app;
use leptos::html::{Div, Input, Textarea};
use leptos::prelude::*;
use lexforge_domain::api::NewTriplet;
use lexforge_domain::qca::QcaDraft;
use lexforge_domain::review::{Choice, Edit};
use lexforge_domain::term::Term;

/// The text of a field of several lines, without blanks around it.
fn written(field: NodeRef<Textarea>) -> String {
    let text = field.get_untracked().map(|field| field.value());
    text.unwrap_or_default().trim().to_owned()
}

/// The text and class of a term. Enter accepts the term with the changes, Esc leaves it unchanged.
#[component]
pub fn EditTerm(desk: Desk, term: Term) -> impl IntoView {
    let app = use_app();
    let field = NodeRef::<Input>::new();
    let class = RwSignal::new(
        desk.class
            .get_untracked()
            .unwrap_or_else(|| term.class.clone()),
    );
    let before = StoredValue::new((term.text.clone(), term.class.clone()));
    let ahead = desk.ahead_typed.text();
    let (anew, text) = if ahead.is_empty() {
        (false, term.text.clone())
    } else {
        (true, ahead)
    };
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            focus_end(&field);
            if !anew {
                field.select();
            }
        }
    });
    let keep = move || {
        let typed = typed(field).trim().to_owned();
        let (text, was) = before.get_value();
        let class = class.get_untracked();
        let edit = Edit {
            text: (!typed.is_empty() && typed != text).then_some(typed),
            class: (class != was).then_some(class),
            ..Edit::default()
        };
        desk.decide(Choice::Accept, edit, String::new());
    };
    let own = move || class.get();
    let choices = Signal::derive(move || {
        let mut all = class::choices(app);
        let own = own();
        if !own.is_empty() && all.iter().all(|(name, _)| *name != own) {
            all.push((own.clone(), class::title(app, &own)));
        }
        all
    });
    view! {
        <div class="card edit" id="edit-term" role="form" aria-label=t("deed.edit") on:keydown=move |event| keys(desk, &event, true, &keep)>
            <div class="edit-fields">
                <Field id="edit-text" label=t("terms.term")>
                    <input class="input law" id="edit-text" node_ref=field lang=lang_tag(term.language) value=text autocomplete="off"/>
                </Field>
                <Field id="edit-class" label=t("review.class")>
                    <Picker all=t("review.no_class") choices now=Signal::derive(move || Some(class.get()).filter(|c| !c.is_empty())) chosen=move |name| class.set(name) id="edit-class"/>
                </Field>
            </div>
            <Foot desk name=t("review.accept_changed") keep=move |()| keep()/>
        </div>
    }
}

/// The question and its choices. Ctrl Enter accepts the question with the changes, Esc leaves it unchanged.
#[component]
pub fn EditQuestion(
    desk: Desk,
    /// The question.
    draft: QcaDraft,
) -> impl IntoView {
    let question = NodeRef::<Textarea>::new();
    let text = format!("{}{}", draft.question, desk.ahead_typed.text());
    let list = NodeRef::<Div>::new();
    let before = StoredValue::new((draft.question.clone(), draft.choices.clone()));
    Effect::new(move |_| {
        if let Some(field) = question.get() {
            let _ = field.focus();
        }
    });
    let nodes: Vec<NodeRef<Textarea>> = draft.choices.iter().map(|_| NodeRef::new()).collect();
    let fields = StoredValue::new(nodes.clone());
    let keep = move || {
        let text = written(question);
        let choices: Vec<String> =
            fields.with_value(|all| all.iter().map(|node| written(*node)).collect());
        let (was, had) = before.get_value();
        let whole = !text.is_empty() && choices.iter().all(|choice| !choice.is_empty());
        if !whole {
            return;
        }
        let edit = Edit {
            text: (text != was).then_some(text),
            choices: (choices != had).then_some(choices),
            ..Edit::default()
        };
        desk.decide(Choice::Accept, edit, String::new());
    };
    let answer = draft.answer;
    let rows = draft
        .choices
        .into_iter()
        .zip(nodes)
        .enumerate()
        .map(|(at, (text, node))| {
            let name = if at == answer { t("questions.answer") } else { t("questions.wrong") };
            let label = tf("review.choice_n", &[("n", &(at + 1).to_string()), ("what", &name)]);
            view! {
                <Field id=format!("edit-choice-{at}") label>
                    <textarea class="textarea law" id=format!("edit-choice-{at}") node_ref=node prop:value=text.clone()></textarea>
                </Field>
            }
        })
        .collect_view();
    view! {
        <div class="card edit" id="edit-question" role="form" aria-label=t("deed.edit") node_ref=list on:keydown=move |event| keys(desk, &event, false, &keep)>
            <Field id="edit-text" label=t("questions.question")>
                <textarea class="textarea law" id="edit-text" node_ref=question prop:value=text></textarea>
            </Field>
            {rows}
            <Foot desk name=t("review.accept_changed") keep=move |()| keep()/>
        </div>
    }
}

/// Positive and negative of a triplet; Ctrl Enter takes it with what was changed, Esc leaves it.
#[component]
pub fn EditTriplet(desk: Desk, triplet: NewTriplet) -> impl IntoView {
    let positive = NodeRef::<Textarea>::new();
    let negative = NodeRef::<Textarea>::new();
    let ahead = desk.ahead_typed.text();
    let text = format!("{}{ahead}", triplet.positive);
    let language = lang_tag(triplet.language);
    let before = StoredValue::new(vec![triplet.positive.clone(), triplet.negative.clone()]);
    Effect::new(move |_| {
        if let Some(field) = positive.get() {
            let _ = field.focus();
        }
    });
    let keep = move || {
        let texts = vec![written(positive), written(negative)];
        if texts.iter().any(String::is_empty) {
            return;
        }
        let edit = Edit {
            choices: before.with_value(|was| texts != *was).then_some(texts),
            ..Edit::default()
        };
        desk.decide(Choice::Accept, edit, String::new());
    };
    view! {
        <div class="card edit" id="edit-triplet" role="form" aria-label=t("deed.edit") on:keydown=move |event| keys(desk, &event, false, &keep)>
            <Field id="edit-text" label=t("triplet.positive")>
                <textarea class="textarea law" id="edit-text" node_ref=positive lang=language prop:value=text></textarea>
            </Field>
            <Field id="edit-negative" label=t("triplet.negative")>
                <textarea class="textarea law" id="edit-negative" node_ref=negative lang=language prop:value=triplet.negative></textarea>
            </Field>
            <Foot desk name=t("review.accept_changed") keep=move |()| keep()/>
        </div>
    }
}

/// Why an item is left out; may stay empty. Enter leaves it out, Esc keeps it.
#[component]
pub fn Reason(desk: Desk) -> impl IntoView {
    let field = NodeRef::<Input>::new();
    let ahead = desk.ahead_typed.text();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            focus_end(&field);
        }
    });
    let keep = move || {
        let reason = typed(field).trim().to_owned();
        desk.decide(Choice::Reject, Edit::default(), reason);
    };
    view! {
        <div class="card edit" role="form" aria-label=t("deed.reject") on:keydown=move |event| keys(desk, &event, true, &keep)>
            <Field id="reject-reason" label=t("review.reject_reason")>
                <input class="input" id="reject-reason" node_ref=field value=ahead autocomplete="off"/>
            </Field>
            <Foot desk name=t("deed.reject") keep=move |()| keep()/>
        </div>
    }
}

#[component]
fn Foot(desk: Desk, name: String, #[prop(into)] keep: Callback<()>) -> impl IntoView {
    view! {
        <div class="row">
            <span class="grow"></span>
            <button class="btn ghost" on:click=move |_| desk.mode.set(Mode::Reading)>{t("action.cancel")}" "<kbd>"Esc"</kbd></button>
            <button class="btn primary" id="edit-keep" on:click=move |_| keep.run(())>{name}</button>
        </div>
    }
}

fn keys(desk: Desk, event: &leptos::ev::KeyboardEvent, single_line: bool, keep: &impl Fn()) {
    if event.is_composing() {
        return;
    }
    match event.key().as_str() {
        "Escape" => desk.mode.set(Mode::Reading),
        // On a button Enter presses the button.
        "Enter" if event.ctrl_key() || (single_line && crate::keys::in_text(event)) => keep(),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}
