//! Which documents were matched, and what is done with the result: match again, export.

use super::brought::read;
use super::deeds::{MATCHING, begin, choose, export};
use super::running::Running;
use crate::components::icon::{Icon, Sign};
use crate::components::menu::{Item, Menu};
use crate::i18n::{t, tn};
use crate::reading::{Reading, use_reading};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{MatchExport, MatchOverview, MatchRequest};

/// The head of the screen.
#[component]
pub fn Head() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let place = app.matching;
    let shown = Memo::new(move |_| {
        place.overview.value.with(|overview| {
            let overview = overview.as_ref()?.as_ref()?;
            Some(Sides::of(overview))
        })
    });
    let any = Memo::new(move |_| shown.with(Option::is_some) && !place.choosing.get());
    let working = Memo::new(move |_| app.busy(MATCHING).is_some());
    let sides = move || {
        any.get().then(|| {
            let side = move |id: &'static str, of: fn(&Sides) -> (&Vec<DocumentId>, String), name: String| {
                let title = move || {
                    shown.with(|sides| sides.as_ref().map(|s| titles(reading, of(s).0)).unwrap_or_default())
                };
                let figures = move || shown.with(|sides| sides.as_ref().map(|s| of(s).1).unwrap_or_default());
                view! {
                    <button class="m-side" id=id aria-label=name on:click=move |_| choose(app)>
                        <span class="stack g-0">
                            <b class="clip" title=title>{title}</b>
                            <small class="clip">{figures}</small>
                        </span>
                        <Sign icon=Icon::Down small=true/>
                    </button>
                }
            };
            view! {
                {side("match-sides-rules", |s| (&s.rules, s.rules_told()), t("match.choose_rules"))}
                <span class="t-mute nowrap wide-only">{t("match.against")}</span>
                {side("match-sides-policies", |s| (&s.policies, s.policies_told()), t("match.choose_policies"))}
            }
        })
    };
    let acts = move || (any.get() && !working.get()).then(|| view! { <Acts shown/> });
    view! {
        <div class="head m-head">
            <h1>{t("nav.match")}</h1>
            {sides}
            <div class="push row">
                {move || (working.get() && any.get()).then(|| view! { <Running/> })}
                {acts}
            </div>
        </div>
    }
}

/// What is done with the result.
#[component]
fn Acts(shown: Memo<Option<Sides>>) -> impl IntoView {
    let app = use_app();
    let again = move |_| {
        if let Some(sides) = shown.get_untracked() {
            begin(app, sides.request());
        }
    };
    view! {
        <button class="btn" id="match-again" on:click=again>{t("match.again")}</button>
        <button class="btn" id="match-read-mapping" on:click=move |_| read(app)>{t("match.import")}</button>
        <Menu id="match-export" name=t("match.export") items=forms(app)/>
    }
}

/// What was matched.
#[derive(Clone, Debug, PartialEq)]
struct Sides {
    rules: Vec<DocumentId>,
    policies: Vec<DocumentId>,
    counted: usize,
    statements: usize,
    asked: MatchRequest,
}

impl Sides {
    fn of(overview: &MatchOverview) -> Self {
        Self {
            rules: overview.request.rules.clone(),
            policies: overview.request.policies.clone(),
            counted: overview.rows.len(),
            statements: overview.statements,
            asked: overview.request.clone(),
        }
    }

    fn rules_told(&self) -> String {
        [
            tn("count.documents", self.rules.len() as u64),
            tn("match.count_rules", self.counted as u64),
        ]
        .join(" · ")
    }

    fn policies_told(&self) -> String {
        [
            tn("count.documents", self.policies.len() as u64),
            tn("match.count_statements", self.statements as u64),
        ]
        .join(" · ")
    }

    fn request(&self) -> MatchRequest {
        self.asked.clone()
    }
}

/// The titles of documents, one after another.
pub fn titles(reading: Reading, ids: &[DocumentId]) -> String {
    let names: Vec<String> = ids
        .iter()
        .filter_map(|id| reading.row(*id).map(|row| row.title))
        .collect();
    crate::format::list(&names)
}

/// The files that can be written.
fn forms(app: crate::state::App) -> Vec<Item> {
    let item = |form: MatchExport| {
        let (id, name) = match form {
            MatchExport::Docx => ("match-docx", t("match.docx")),
            MatchExport::Xlsx => ("match-xlsx", t("match.xlsx")),
            MatchExport::Csv => ("match-csv", t("match.csv")),
            MatchExport::Oscal => ("match-oscal", t("match.oscal")),
            MatchExport::Html => ("match-html", t("match.html")),
        };
        Item {
            id,
            icon: Icon::File,
            name,
            run: Callback::new(move |()| export(app, form)),
        }
    };
    MatchExport::ALL.into_iter().map(item).collect()
}
