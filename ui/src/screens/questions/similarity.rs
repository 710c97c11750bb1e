//! Pairs of sentences whose likeness experts score: drawn, with the agreement on the scores, given out and measured on.

use super::triplets::measure::Measure;
use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::picker::Picker;
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::outcomes;
use crate::place::ReviewTab;
use crate::review::agreement::Agreement;
use crate::state::{App, use_app};
use crate::toast::Toast;
use leptos::prelude::*;
use lexforge_domain::api::{
    Outcome, OwnPairs, QueueFilter, ScoresRead, SimilarityDraw, SimilarityRequest,
};
use lexforge_domain::review::SubjectKind;
use lexforge_domain::text::Language;

/// The kind of job that draws pairs.
const DRAWING: &str = "similarity";

fn pairs(app: App) -> u64 {
    app.workspace
        .with(|ws| ws.as_ref().map_or(0, |ws| ws.similarity))
}

/// The buttons of the head: what is done with all pairs.
#[component]
pub fn SimilarityActs() -> impl IntoView {
    let app = use_app();
    let measuring = RwSignal::new(false);
    let any = Memo::new(move |_| pairs(app) > 0);
    view! {
        {move || any.get().then(|| view! {
            <button class="btn" id="export-similarity" on:click=move |_| export(app)>{t("similarity.export")}</button>
            <button class="btn" id="measure-similarity" on:click=move |_| measuring.set(true)>{t("measuring.open")}</button>
        })}
        {move || measuring.get().then(|| view! { <Measure own=OwnPairs::Wanted close=move |()| measuring.set(false)/> })}
    }
}

/// Writes the scored pairs into a file that the user names.
fn export(app: App) {
    let written = async move {
        let picked = call(commands::PickSave {
            name: "similarity.csv".to_owned(),
            extension: "csv".to_owned(),
        });
        let Some(file) = picked.await? else {
            return Ok(None);
        };
        call(commands::ExportSimilarity { file }).await.map(Some)
    };
    app.attempt_once(t("wait.export"), written, move |written| {
        if let Some(written) = written {
            let text = tf(
                "similarity.exported",
                &[
                    ("n", &format::count(written.pairs)),
                    ("apart", &format::count(written.disputed)),
                    ("unscored", &format::count(written.unscored)),
                ],
            );
            app.toast.set(Some(Toast { text, undo: None }));
        }
    });
}

/// Drawing, the newest draw, and the agreement.
#[component]
pub fn Similarity() -> impl IntoView {
    let app = use_app();
    let any = Memo::new(move |_| pairs(app) > 0);
    let there = move || tn("similarity.there", pairs(app));
    let score = move |_| {
        let place = app.questions_review;
        place.filter.set(QueueFilter::of(SubjectKind::Similarity));
        place.shown.set(None);
        place.tab.set(ReviewTab::Queue);
    };
    let newest = outcomes::newest_here(app, DRAWING);
    let drawn = move || match newest.get() {
        Some(Outcome::Similarity(drawn)) => Some(*drawn),
        _ => None,
    };
    view! {
        <div class="scroll">
            <div class="page-body">
                <p class="t-mute">{t("similarity.text")}</p>
                <div class="row wrap">
                    <b id="similarity-there">{there}</b>
                    {move || any.get().then(|| view! {
                        <button class="btn" id="score-similarity" on:click=score>{t("similarity.score")}</button>
                    })}
                </div>
                {move || any.get().then(|| view! { <Sheet/> })}
                <Draw/>
                {move || drawn().map(|drawn| view! { <Drawn drawn/> })}
                {move || any.get().then(|| view! { <Agreement kind=SubjectKind::Similarity/> })}
            </div>
        </div>
    }
}

/// Scoring in a spreadsheet: the pairs go out as a table, the filled table comes in, and what cannot be used is listed.
#[component]
fn Sheet() -> impl IntoView {
    let app = use_app();
    let read = RwSignal::new(None::<ScoresRead>);
    let write = move |_| {
        let written = async move {
            let picked = call(commands::PickSave {
                name: "score.csv".to_owned(),
                extension: "csv".to_owned(),
            });
            let Some(file) = picked.await? else {
                return Ok(None);
            };
            call(commands::WriteScoreSheet { file }).await.map(Some)
        };
        app.attempt_once(t("wait.export"), written, move |n| {
            if let Some(n) = n {
                let text = tn("similarity.sheet_written", n);
                app.toast.set(Some(Toast { text, undo: None }));
            }
        });
    };
    let bring = move |_| {
        let came = async move {
            let extensions = ["csv", "tsv"].map(str::to_owned).to_vec();
            let Some(file) = call(commands::PickOpen { extensions }).await? else {
                return Ok(None);
            };
            call(commands::ImportScores { file }).await.map(Some)
        };
        app.attempt_once(t("wait.scores"), came, move |came| {
            if came.is_some() {
                read.try_set(came);
                app.reload();
            }
        });
    };
    view! {
        <div class="row wrap">
            <button class="btn" id="sheet-similarity" title=t("similarity.sheet_tip") on:click=write>{t("similarity.sheet")}</button>
            <button class="btn" id="import-similarity" title=t("similarity.import_tip") on:click=bring>{t("similarity.import")}</button>
            <Waiting words=t("wait.scores")/>
        </div>
        {move || read.get().map(|read| view! { <ScoresCame read/> })}
    }
}

/// The scores that were taken over, and each row that was not.
#[component]
fn ScoresCame(read: ScoresRead) -> impl IntoView {
    let said = tf(
        "similarity.read",
        &[
            ("n", &format::count(read.scored)),
            ("changed", &format::count(read.changed)),
            ("same", &format::count(read.unchanged)),
            ("blank", &format::count(read.blank)),
            ("out", &format::count(read.refused.len() as u64)),
        ],
    );
    let rows = read
        .refused
        .into_iter()
        .map(|(row, why)| {
            let why = tag("score_refused", why.tag());
            let n = row.to_string();
            view! { <li class="t-small">{tf("similarity.read_row", &[("n", &n), ("why", &why)])}</li> }
        })
        .collect_view();
    view! {
        <p class="t-small" id="scores-read" role="status">{said}</p>
        <ul class="list" id="scores-refused">{rows}</ul>
    }
}

/// How many are drawn, of which language, and the button.
#[component]
fn Draw() -> impl IntoView {
    let app = use_app();
    let n = RwSignal::new(SimilarityRequest::PAIRS as u64);
    let language = RwSignal::new(None::<String>);
    let task = Memo::new(move |_| app.busy(DRAWING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let languages = [Language::En, Language::Zh, Language::Ko]
        .map(|l| (l.tag().to_owned(), tag("language", l.tag())));
    let draw = move |_| {
        let request = SimilarityRequest {
            pairs: usize::try_from(n.get_untracked()).unwrap_or(usize::MAX),
            seed: None,
            encoder: None,
            language: language.get_untracked().map(|tag| Language::from_tag(&tag)),
        };
        let begun = call(commands::DrawSimilarity { request });
        app.attempt_once(t("wait.begin"), begun, |_| ());
    };
    view! {
        <div class="row wrap">
            <label class="check">
                <span>{t("similarity.pairs")}</span>
                <input class="input short-field" id="similarity-pairs" inputmode="numeric" prop:value=move || n.get().to_string()
                    on:change:target=move |event| { match event.target().value().trim().parse() {
                        Ok(wanted) if wanted > 0 => n.set(wanted),
                        _ => event.target().set_value(&n.get_untracked().to_string()),
                    } }/>
            </label>
            <Picker all=t("similarity.most_frequent") choices=languages.to_vec() now=language
                chosen=move |tag: String| language.set((!tag.is_empty()).then_some(tag)) id="similarity-language"/>
            <button class="btn primary" id="draw-similarity" disabled=working on:click=draw>
                <Sign icon=Icon::Plus small=true/>{t("similarity.draw")}
            </button>
            <Waiting words=t("wait.begin")/>
            {move || working.get().then(|| view! { <Cancellable task name="similarity"/> })}
        </div>
    }
}

/// How the newest pairs were drawn: the ranges of cosines, how many pairs each holds, and how many were taken.
#[component]
fn Drawn(drawn: SimilarityDraw) -> impl IntoView {
    let said = tf(
        "similarity.drawn",
        &[
            ("n", &format::count(drawn.drawn)),
            ("of", &format::count(drawn.wanted)),
            ("within", &format::count(drawn.within)),
            ("sentences", &tn("count.sentences", drawn.sentences)),
            ("encoder", &drawn.encoder),
        ],
    );
    let rows = drawn
        .strata
        .into_iter()
        .map(|stratum| {
            let range = format!(
                "{} – {}",
                format::short_share(stratum.from),
                format::short_share(stratum.to)
            );
            view! {
                <tr>
                    <td>{range}</td>
                    <td class="num">{format::count(stratum.pairs)}</td>
                    <td class="num">{format::count(stratum.wanted)}</td>
                    <td class="num">{format::count(stratum.drawn)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <p class="t-small">{said}</p>
        <div class="table-wrap" tabindex="0">
            <table class="table tight" id="similarity-strata" aria-label=t("similarity.strata")>
                <thead><tr>
                    <th>{t("similarity.cosine")}</th>
                    <th class="num">{t("similarity.exist")}</th>
                    <th class="num">{t("similarity.wanted")}</th>
                    <th class="num">{t("similarity.taken")}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
