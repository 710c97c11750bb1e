//! The table of all terms, with one term's page beside it.

use super::batch::{Batch, Batched};
use super::detail::Detail;
use super::filters::Filters;
use super::found_badge::FoundBadge;
use crate::backend::{call, commands};
use crate::components::empty::NoneLeft;
use crate::components::grid::{Grid, Row, Store};
use crate::components::law::lang_tag;
use crate::components::status::StatusBadge;
use crate::format;
use crate::i18n::{t, tf};
use crate::review::class;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::TermFilter;
use lexforge_domain::term::Term;

impl Row for Term {
    fn key(&self) -> i64 {
        self.id.0
    }
}

/// The table and the page.
#[component]
pub fn AllTerms() -> impl IntoView {
    let app = use_app();
    let store = Store::new(move |offset, limit| {
        let filter = TermFilter {
            offset,
            limit,
            ..app.term_filter.get_untracked()
        };
        call(commands::Terms { filter })
    });
    let batched = Batched::default();
    provide_context(batched);
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
    view! {
        <div class="panes listing">
            <section class="pane" aria-label=t("nav.terms") data-pane="list">
                <Filters/>
                <Batch batched total=store.total/>
                <Grid
                    store
                    label=t("nav.terms")
                    class="terms-columns"
                    head=ViewFn::from(head)
                    cells=cells
                    selected=Signal::derive(move || app.term.get().map(|id| id.0))
                    pick=move |term: Term| app.term.set(Some(term.id))
                    mark=move |term: Term| batched.turn(term.id)
                />
                {move || (store.total.get() == Some(0)).then(|| view! {
                    <NoneLeft text=t("terms.none") all=move |()| app.term_filter.set(TermFilter::default())/>
                })}
            </section>
            <section class="pane quiet" aria-label=t("terms.detail") data-pane="detail">
                <Detail/>
            </section>
        </div>
    }
}

fn head() -> impl IntoView {
    view! {
        <span role="columnheader" class="sr">{t("terms.batch")}</span>
        <span role="columnheader">{t("terms.term")}</span>
        <span role="columnheader">{t("terms.status")}</span>
        <span role="columnheader">{t("review.class")}</span>
        <span role="columnheader" class="num">{t("terms.mentions")}</span>
        <span role="columnheader" class="wide-only">{t("terms.found")}</span>
        <span role="columnheader" class="widest-only">{t("terms.definition")}</span>
    }
}

fn cells(term: Term) -> impl IntoView {
    let app = use_app();
    let batched = expect_context::<Batched>();
    let id = term.id;
    let language = lang_tag(term.language);
    let definition = term.definition.clone().unwrap_or_default();
    let name = term.class.clone();
    let class = move || {
        if name.is_empty() {
            "–".to_owned()
        } else {
            class::title(app, &name)
        }
    };
    let tip = class.clone();
    view! {
        <span class="mark-place" role="gridcell">
            <label class="check mark-cell" on:click=|event| event.stop_propagation()>
                <input
                    type="checkbox"
                    tabindex="-1"
                    aria-label=tf("terms.mark", &[("term", &term.text)])
                    prop:checked=move || batched.has(id)
                    on:change=move |_| batched.turn(id)
                />
            </label>
        </span>
        <span role="gridcell" class="law cell clip" lang=language title=term.text.clone()>{term.text.clone()}</span>
        <span role="gridcell"><StatusBadge status=term.status/></span>
        <span role="gridcell" class="clip t-small" title=tip>{class}</span>
        <span role="gridcell" class="num">{format::count(u64::from(term.mentions))}</span>
        <span role="gridcell" class="wide-only"><FoundBadge found=term.found/></span>
        <span role="gridcell" class="law cell clip t-mute widest-only" lang=language title=definition.clone()>{definition.clone()}</span>
    }
}
