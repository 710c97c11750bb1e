//! Which questions are listed.

use crate::components::find::{Find, wanted};
use crate::components::picker::Picker;
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::qca::{QcaLevel, QuestionType, Split};

/// Words, level, type and part.
#[component]
pub fn Filters() -> impl IntoView {
    let app = use_app();
    let filter = app.question_filter;
    let levels =
        [QcaLevel::Sentence, QcaLevel::Token].map(|l| (l.tag().to_owned(), tag("level", l.tag())));
    let types = QuestionType::ALL.map(|q| (q.tag().to_owned(), tag("question_type", q.tag())));
    let parts = Split::ALL.map(|s| (s.tag().to_owned(), tag("split", s.tag())));
    view! {
        <div class="pane-head filters">
            <Find label=t("questions.filter") hint=t("questions.filter") text=filter.with_untracked(|f| f.query.clone().unwrap_or_default())
                typed=move |text: String| filter.update(|f| f.query = wanted(text))/>
            <Picker all=t("questions.all_levels") choices=levels.to_vec() now=Signal::derive(move || filter.with(|f| f.level.map(|x| x.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.level = QcaLevel::from_tag(&tag))/>
            <Picker all=t("questions.all_types") choices=types.to_vec() now=Signal::derive(move || filter.with(|f| f.question_type.map(|x| x.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.question_type = QuestionType::from_tag(&tag))/>
            <Picker all=t("questions.all_parts") choices=parts.to_vec() now=Signal::derive(move || filter.with(|f| f.split.map(|x| x.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.split = Split::from_tag(&tag))/>
        </div>
    }
}
