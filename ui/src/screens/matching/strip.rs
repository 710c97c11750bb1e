//! What a changed text has opened again, and documents that have a newer version by now.

use super::deeds::{begin, newest};
use super::head::titles;
use super::place::{Filter, STALE};
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::out_of_force::why;
use crate::reading::use_reading;
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;

/// One line for each, where there is something to say.
#[component]
pub fn Strip() -> impl IntoView {
    view! {
        <Newer/>
        <NotInForce/>
        <Changes/>
        <Reopened/>
    }
}

/// What changed since the earlier version, and how many decisions that affects.
#[component]
fn Changes() -> impl IntoView {
    let app = use_app();
    let changes = Memo::new(move |_| {
        app.matching.overview.value.with(|overview| {
            let overview = overview.as_ref()?.as_ref()?;
            overview.changes.clone()
        })
    });
    move || {
        changes.get().map(|changes| {
            let (rules, statements) = (changes.rules, changes.statements);
            let [changed, came, went, other, more, fewer, affected, decided] = [
                rules.changed,
                rules.came,
                rules.went,
                statements.changed,
                statements.came,
                statements.went,
                changes.affected,
                changes.decided,
            ]
            .map(|n| format::count(n as u64));
            let told = tf(
                "match.changes",
                &[
                    ("changed", &changed),
                    ("came", &came),
                    ("went", &went),
                    ("other", &other),
                    ("more", &more),
                    ("fewer", &fewer),
                    ("affected", &affected),
                    ("decided", &decided),
                ],
            );
            view! {
                <div class="m-strip" id="match-changes" role="status">
                    <Sign icon=Icon::Clock/>
                    <span class="grow">{told}</span>
                </div>
            }
        })
    }
}

/// Says that there is a newer version of a document that was matched.
#[component]
fn Newer() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let newer = Memo::new(move |_| {
        app.matching.overview.value.with(|overview| {
            let overview = overview.as_ref()?.as_ref()?;
            (!overview.newer.is_empty()).then(|| (overview.newer.clone(), newest(overview)))
        })
    });
    move || {
        newer.get().map(|(newer, request)| {
            let old: Vec<_> = newer.iter().map(|(old, _)| *old).collect();
            let names = titles(reading, &old);
            let pair = newer.first().copied();
            let compare = move |_| {
                app.compared.set(pair);
                app.go(Route::Library);
            };
            let again = move |_| begin(app, request.clone());
            view! {
                <div class="m-strip" id="match-newer" role="status">
                    <Sign icon=Icon::Clock/>
                    <span class="grow"><b>{tf("match.newer", &[("title", &names)])}</b>{t("list.sentence")}{t("match.newer_text")}</span>
                    <button class="btn ghost sm" on:click=compare>{t("match.what_changed")}</button>
                    <button class="btn sm" id="match-newest" on:click=again>{t("match.match_newest")}</button>
                </div>
            }
        })
    }
}

/// Says which of the matched documents are not in force today.
#[component]
fn NotInForce() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let out = Memo::new(move |_| {
        app.matching.overview.value.with(|overview| {
            let overview = overview.as_ref()?.as_ref()?;
            (!overview.out_of_force.is_empty()).then(|| overview.out_of_force.clone())
        })
    });
    move || {
        out.get().map(|out| {
            let names: Vec<String> = out
                .iter()
                .map(|(id, out)| {
                    format!("{} ({})", titles(reading, &[*id]), why(out))
                })
                .collect();
            let titles = format::list(&names);
            view! {
                <div class="m-strip" id="match-not-in-force" role="status">
                    <Sign icon=Icon::Warning/>
                    <span class="grow"><b>{tf("match.out_of_force", &[("titles", &titles)])}</b>{t("list.sentence")}{t("match.out_of_force_text")}</span>
                </div>
            }
        })
    }
}

/// Decided rules are open again.
#[component]
fn Reopened() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let counts = Memo::new(move |_| {
        place.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            rows.fold((0_u64, 0_u64), |(open, stand), row| {
                match row.status.as_str() {
                    STALE => (open + 1, stand),
                    "accepted" | "corrected" => (open, stand + 1),
                    _ => (open, stand),
                }
            })
        })
    });
    let show = move |_| {
        place.filter.set(Filter {
            state: Some(STALE),
            ..Filter::default()
        });
        let first = untrack(|| place.listed()).first().map(|r| r.rule.id);
        if let Some(first) = first {
            super::deeds::show(app, first);
        }
    };
    move || {
        let (open, stand) = counts.get();
        (open > 0).then(|| {
            view! {
                <div class="m-strip" id="match-reopened" role="status">
                    <Sign icon=Icon::Undo/>
                    <span class="grow"><b>{tn("match.reopened_n", open)}</b>{t("list.sentence")}{tn("match.stand_n", stand)}</span>
                    <button class="btn sm" id="show-reopened" on:click=show>{t("match.show_reopened")}</button>
                </div>
            }
        })
    }
}
