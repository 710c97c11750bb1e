//! Which terms are listed.

use crate::components::find::{Find, wanted};
use crate::components::picker::Picker;
use crate::i18n::{t, tag};
use crate::review::class;
use crate::review::filter::LANGUAGES;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::term::{FoundBy, ReviewStatus};
use lexforge_domain::text::Language;

/// Words, status, class, how it was found, language.
#[component]
pub fn Filters() -> impl IntoView {
    let app = use_app();
    let filter = app.term_filter;
    let stati = ReviewStatus::ALL
        .map(|s| (s.tag().to_owned(), tag("status", s.tag())))
        .to_vec();
    let founds = FoundBy::ALL
        .map(|f| (f.tag().to_owned(), tag("found", f.tag())))
        .to_vec();
    let languages = LANGUAGES
        .map(|l| (l.tag().to_owned(), tag("language", l.tag())))
        .to_vec();
    view! {
        <div class="pane-head filters terms-filters">
            <Find label=t("terms.filter") hint=t("terms.filter") text=Signal::derive(move || filter.with(|f| f.query.clone().unwrap_or_default()))
                typed=move |text: String| filter.update(|f| f.query = wanted(text))/>
            <Picker all=t("terms.all_stati") choices=stati now=Signal::derive(move || filter.with(|f| f.status.map(|s| s.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.status = ReviewStatus::from_tag(&tag))/>
            <Picker all=t("terms.all_classes") choices=Signal::derive(move || class::choices(app)) now=Signal::derive(move || filter.with(|f| f.class.clone()))
                chosen=move |name: String| filter.update(|f| f.class = (!name.is_empty()).then_some(name))/>
            <Picker all=t("terms.all_found") choices=founds now=Signal::derive(move || filter.with(|f| f.found.map(|x| x.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.found = FoundBy::from_tag(&tag))/>
            <Picker all=t("terms.all_languages") choices=languages now=Signal::derive(move || filter.with(|f| f.language.map(|l| l.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.language = (!tag.is_empty()).then(|| Language::from_tag(&tag)))/>
        </div>
    }
}
