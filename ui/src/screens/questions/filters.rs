//! Which questions are listed.

use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::qca::{QcaLevel, QuestionType, Split};

/// Words, level, type and part.
#[component]
pub fn Filters() -> impl IntoView {
    let app = use_app();
    let filter = app.question_filter;
    let levels = [QcaLevel::Sentence, QcaLevel::Token].map(|l| (l.tag(), tag("level", l.tag())));
    let types = QuestionType::ALL.map(|q| (q.tag(), tag("question_type", q.tag())));
    let parts = Split::ALL.map(|s| (s.tag(), tag("split", s.tag())));
    view! {
        <div class="pane-head filters">
            <div class="search grow">
                <Sign icon=Icon::Search/>
                <input
                    class="input"
                    id="find"
                    type="search"
                    placeholder=t("questions.filter")
                    aria-label=t("questions.filter")
                    prop:value=filter.with_untracked(|f| f.query.clone().unwrap_or_default())
                    on:input:target=move |event| {
                        let text = event.target().value();
                        filter.update(|f| f.query = (!text.trim().is_empty()).then_some(text));
                    }
                />
            </div>
            <Choice all=t("questions.all_levels") choices=levels.to_vec() now=filter.with_untracked(|f| f.level.map(QcaLevel::tag))
                chosen=move |tag: String| filter.update(|f| f.level = QcaLevel::from_tag(&tag))/>
            <Choice all=t("questions.all_types") choices=types.to_vec() now=filter.with_untracked(|f| f.question_type.map(QuestionType::tag))
                chosen=move |tag: String| filter.update(|f| f.question_type = QuestionType::from_tag(&tag))/>
            <Choice all=t("questions.all_parts") choices=parts.to_vec() now=filter.with_untracked(|f| f.split.map(Split::tag))
                chosen=move |tag: String| filter.update(|f| f.split = Split::from_tag(&tag))/>
        </div>
    }
}

/// A list to choose one value or all from.
#[component]
fn Choice(
    all: String,
    choices: Vec<(&'static str, String)>,
    now: Option<&'static str>,
    #[prop(into)] chosen: Callback<String>,
) -> impl IntoView {
    view! {
        <span class="picker">
            <select class="select" aria-label=all.clone() on:change:target=move |event| chosen.run(event.target().value())>
                <option value="" selected=now.is_none()>{all.clone()}</option>
                {choices.into_iter().map(|(value, name)| view! { <option value=value selected=now == Some(value)>{name}</option> }).collect_view()}
            </select>
        </span>
    }
}
