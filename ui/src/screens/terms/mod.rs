//! Terms as a filterable table, with one term's definition, contexts and neighbours beside it.

mod detail;
mod filters;

use crate::backend;
use crate::components::empty::Empty;
use crate::components::grid::{Grid, Row, Store};
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::prepare::Prepare;
use crate::format;
use crate::i18n::{t, tag, tn};
use crate::state::use_app;
use detail::Detail;
use filters::Filters;
use leptos::prelude::*;
use lexforge_domain::api::TermFilter;
use lexforge_domain::term::{FoundBy, Term};

impl Row for Term {
    fn key(&self) -> i64 {
        self.id.0
    }
}

/// All terms.
#[component]
pub fn Terms() -> impl IntoView {
    let app = use_app();
    let store = Store::new(move |offset, limit| {
        let filter = TermFilter { offset, limit, ..app.term_filter.get_untracked() };
        async move { backend::terms::terms(&filter).await }
    });
    Effect::new(move |_| {
        app.term_filter.track();
        app.changes.track();
        store.reload();
    });
    Effect::new(move |_| {
        if app.term.with(Option::is_none)
            && let Some(first) = store.get(0)
        {
            app.term.set(Some(first.id));
        }
    });
    let any = Memo::new(move |_| app.workspace.with(|ws| ws.as_ref().is_some_and(|ws| ws.terms > 0)));
    let summary = move || store.total.get().filter(|_| any.get()).map(|n| tn("count.terms", n));
    view! {
        <div class="head">
            <h1>{t("nav.terms")}</h1>
            <span class="t-mute clip" id="terms-count">{summary}</span>
            {move || any.get().then(|| view! { <span class="badge" title=t("terms.policy_tip")>{t("terms.policy")}</span> })}
            <div class="push row">
                {move || any.get().then(|| view! { <Prepare/> })}
            </div>
        </div>
        {move || if any.get() {
            view! {
                <div class="panes listing">
                    <section class="pane" aria-label=t("nav.terms") data-pane="list">
                        <Filters/>
                        <Grid
                            store
                            label=t("nav.terms")
                            class="terms-columns"
                            head=ViewFn::from(head)
                            cells=cells
                            selected=Signal::derive(move || app.term.get().map(|id| id.0))
                            pick=move |term: Term| app.term.set(Some(term.id))
                        />
                        {move || (store.total.get() == Some(0)).then(none)}
                    </section>
                    <section class="pane quiet" aria-label=t("terms.detail") data-pane="detail">
                        <Detail/>
                    </section>
                </div>
            }.into_any()
        } else {
            view! {
                <Empty icon=Icon::Terms title=t("terms.empty") text=t("terms.empty_text")>
                    <Prepare primary=true/>
                </Empty>
            }.into_any()
        }}
    }
}

fn head() -> impl IntoView {
    view! {
        <span>{t("terms.term")}</span>
        <span>{t("terms.found")}</span>
        <span class="num">{t("terms.mentions")}</span>
        <span class="num wide-only">{t("terms.score")}</span>
        <span>{t("terms.definition")}</span>
    }
}

fn cells(term: Term) -> impl IntoView {
    let language = lang_tag(term.language);
    let definition = term.definition.clone().unwrap_or_default();
    view! {
        <span class="law cell clip" lang=language title=term.text.clone()>{term.text.clone()}</span>
        <span><FoundBadge found=term.found/></span>
        <span class="num">{format::count(u64::from(term.mentions))}</span>
        <span class="num t-mute wide-only">{format!("{:.1}", term.score)}</span>
        <span class="law cell clip t-mute" lang=language title=definition.clone()>{definition.clone()}</span>
    }
}

/// How a term was found.
#[component]
pub fn FoundBadge(
    /// Which way.
    found: FoundBy,
) -> impl IntoView {
    let defined = found == FoundBy::Defined;
    view! {
        <span class=if defined { "badge ok" } else { "badge" }>
            {defined.then(|| view! { <Sign icon=Icon::Check small=true/> })}
            {tag("found", found.tag())}
        </span>
    }
}

fn none() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="empty small">
            <b>{t("terms.none")}</b>
            <div class="acts">
                <button class="btn sm" on:click=move |_| app.term_filter.set(TermFilter::default())>{t("action.all")}</button>
            </div>
        </div>
    }
}
