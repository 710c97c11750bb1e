//! Statements that bear on a rule, chosen by a person: among those that were found, and among all by search.

use super::deeds::link;
use super::place::STALE;
use super::texts::Words;
use super::words;
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::found::found;
use crate::i18n::t;
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{MatchText, MatchVerdict, SearchHit};

/// The number of hits that are requested. Hits of other documents are dropped.
const HITS: usize = 60;
/// Hits that are shown.
const SHOWN: usize = 12;
/// The verdicts that a statement can bear.
const BORNE: [MatchVerdict; 3] = [
    MatchVerdict::Covered,
    MatchVerdict::Partly,
    MatchVerdict::Contradicted,
];

/// The form.
#[component]
pub fn Link(
    /// The verdict that was chosen already.
    verdict: Option<MatchVerdict>,
) -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    place.unkept.set(None);
    let rule = place.detail.value.get_untracked();
    let before = rule
        .as_ref()
        .map(|r| r.verdict)
        .filter(|v| BORNE.contains(v));
    let meant = RwSignal::new(verdict.or(before).unwrap_or(MatchVerdict::Partly));
    let linked = rule
        .as_ref()
        .filter(|r| r.row.status != STALE)
        .map(|r| r.policies.clone())
        .unwrap_or_default();
    let chosen = RwSignal::new(linked.iter().map(|p| p.id).collect::<Vec<SentenceId>>());
    let found_for_it = rule.iter().flat_map(|r| &r.row.policies);
    let found_for_it = found_for_it.map(|candidate| &candidate.statement);
    let offered = with_others(linked, found_for_it);
    let query = RwSignal::new(String::new());
    let close = Callback::new(move |()| place.over.set(None));
    view! {
        <Dialog label=t("match.link_title") close id="match-link-form" class="padded m-link">
            <h2>{t("match.link_title")}</h2>
            <p class="t-small t-mute">{t("match.link_text")}</p>
            <div class="search">
                <Sign icon=Icon::Search/>
                <input
                    class="input"
                    id="match-link-find"
                    autofocus
                    placeholder=t("match.link_find")
                    aria-label=t("match.link_find")
                    on:input:target=move |event| query.set(event.target().value())
                />
            </div>
            <Offers offered query chosen/>
            {move || place.unkept.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row wrap"><Together meant/></div>
            <Foot cancel=close>
                <button class="btn primary" id="match-link-save" disabled=move || chosen.with(Vec::is_empty) on:click=move |_| link(app, meant.get_untracked(), chosen.get_untracked())>
                    {t("match.link_save")}
                </button>
            </Foot>
        </Dialog>
    }
}

/// The statements to choose from: those that are offered or, once something is typed, those that hold its words.
#[component]
fn Offers(
    offered: Vec<MatchText>,
    /// What was typed.
    query: RwSignal<String>,
    /// The statements that were chosen.
    chosen: RwSignal<Vec<SentenceId>>,
) -> impl IntoView {
    let hits = found(query, HITS);
    let policies = use_app().matching.overview.value.with_untracked(|o| {
        let overview = o.as_ref().and_then(Option::as_ref);
        overview
            .map(|o| o.request.policies.clone())
            .unwrap_or_default()
    });
    let lines = move || {
        let texts: Vec<MatchText> = if query.with(|q| q.trim().is_empty()) {
            offered.clone()
        } else {
            let hits = hits.value.get().unwrap_or_default();
            let ours = hits
                .into_iter()
                .filter(|hit| policies.contains(&hit.document));
            ours.take(SHOWN).map(text_of).collect()
        };
        if texts.is_empty() {
            return view! { <p class="pad t-small t-mute">{t("match.no_hits")}</p> }.into_any();
        }
        texts
            .into_iter()
            .map(|text| view! { <Offered text chosen/> })
            .collect_view()
            .into_any()
    };
    view! { <div class="m-offers" role="group" aria-label=t("match.statements")>{lines}</div> }
}

/// These texts, and the others that are not among them.
fn with_others<'t>(
    mut texts: Vec<MatchText>,
    others: impl Iterator<Item = &'t MatchText>,
) -> Vec<MatchText> {
    for other in others {
        if !texts.iter().any(|text| text.id == other.id) {
            texts.push(other.clone());
        }
    }
    texts
}

/// What the chosen statements say together.
#[component]
fn Together(meant: RwSignal<MatchVerdict>) -> impl IntoView {
    let verdicts = BORNE
        .into_iter()
        .map(|verdict| {
            view! {
                <button aria-pressed=move || (meant.get() == verdict).to_string() title=words::verdict_means(verdict) on:click=move |_| meant.set(verdict)>
                    {words::verdict(verdict)}
                </button>
            }
        })
        .collect_view();
    view! {
        <span class="t-small">{t("match.together")}</span>
        <div class="seg" role="group" aria-label=t("match.together")>{verdicts}</div>
    }
}

fn text_of(hit: SearchHit) -> MatchText {
    MatchText {
        id: hit.id,
        document: hit.document,
        page: hit.page,
        text: hit.text,
        section: hit.section,
        external_id: hit.external_id,
    }
}

/// A statement to choose.
#[component]
fn Offered(text: MatchText, chosen: RwSignal<Vec<SentenceId>>) -> impl IntoView {
    let reading = use_reading();
    let id = text.id;
    let known = text.clone();
    let place = move || {
        let title = reading
            .row(known.document)
            .map(|d| d.title)
            .unwrap_or_default();
        words::place(&title, &known)
    };
    view! {
        <label class="check m-offer">
            <input
                type="checkbox"
                data-statement=id.to_string()
                prop:checked=move || chosen.with(|all| all.contains(&id))
                on:change:target=move |event| {
                    let on = event.target().checked();
                    chosen.update(|all| {
                        all.retain(|known| *known != id);
                        if on {
                            all.push(id);
                        }
                    });
                }
            />
            <span class="stack g-0"><Words text small=true/><span class="t-small t-mute">{place}</span></span>
        </label>
    }
}
