//! Helps to choose the thresholds of a graph before it is built. Shows the cosines of each encoder's vectors, and what
//! the graph would be with other bounds.

use super::names::strength;
use super::vectors_by::{VectorsBy, VectorsOfNext};
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::histogram::Histogram;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{GraphCalibration, Histogram as Counts, PartCalibration};
use lexforge_domain::graph::{BoundScale, GraphSettings};

/// A bound that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Low,
    High,
    Sentence,
}

impl Bound {
    const ALL: [Self; 3] = [Self::Low, Self::High, Self::Sentence];

    fn tag(self) -> &'static str {
        match self {
            Self::Low => "entity_low",
            Self::High => "entity_high",
            Self::Sentence => "sentence",
        }
    }

    fn of(self, settings: &GraphSettings) -> f32 {
        match self {
            Self::Low => settings.entity_low,
            Self::High => settings.entity_high,
            Self::Sentence => settings.sentence_threshold,
        }
    }

    /// Sets it; the lower bound of terms stays below the upper.
    fn set(self, settings: &mut GraphSettings, value: f32) {
        let value = value.clamp(0.0, 1.0);
        match self {
            Self::Low => settings.entity_low = value.min(settings.entity_high - 0.01),
            Self::High => settings.entity_high = value.max(settings.entity_low + 0.01),
            Self::Sentence => settings.sentence_threshold = value,
        }
    }
}

/// The tags of the bounds, for the locale files.
pub fn bound_tags() -> [&'static str; 3] {
    Bound::ALL.map(Bound::tag)
}

/// The view.
#[component]
pub fn Calibration() -> impl IntoView {
    let app = use_app();
    let found = Fetched::<GraphCalibration>::default();
    // `None`: the settings of the newest graph.
    let asked = RwSignal::new(None::<GraphSettings>);
    let encoder = RwSignal::new(VectorsOfNext::default());
    // Questions without an answer; another bound may be asked for meanwhile.
    let counting = RwSignal::new(0_u32);
    Effect::new(move |_| {
        app.changes.track();
        let settings = asked.get();
        counting.update(|n| *n += 1);
        found.refresh(async move {
            let counted = call(commands::GraphCalibration { settings }).await;
            counting.try_update(|n| *n -= 1);
            counted
        });
    });
    let settings = Memo::new(move |_| {
        asked
            .get()
            .or_else(|| found.value.with(|f| f.as_ref().map(|f| f.settings.clone())))
    });
    let parts = move || {
        found.value.get().map(|found| {
            let bounds = settings.get_untracked();
            found
                .parts
                .into_iter()
                .map(|part| view! { <Part part scale=found.scale settings=bounds.clone()/> })
                .collect_view()
        })
    };
    view! {
        <div class="panes calibration">
            <aside class="pane quiet" aria-label=t("graph.bounds") data-pane="list">
                <div class="scroll">
                    {move || settings.get().map(|now| view! { <Bounds now asked encoder counting/> })}
                </div>
            </aside>
            <section class="pane ground" aria-label=t("graph.calibration") data-pane="detail">
                <div class="scroll">
                    <div class="page-body">
                        {move || found.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                        {move || (found.value.with(Option::is_none) && found.failure.with(Option::is_none)).then(|| view! { <Coming words=t("wait.calibration")/> })}
                        {parts}
                    </div>
                </div>
            </section>
        </div>
    }
}

/// The bounds, and the way to a graph that has them.
#[component]
fn Bounds(
    now: GraphSettings,
    asked: RwSignal<Option<GraphSettings>>,
    encoder: RwSignal<VectorsOfNext>,
    /// How many answers are still to come.
    counting: RwSignal<u32>,
) -> impl IntoView {
    let app = use_app();
    let about = move || match counting.get() {
        0 => t("graph.nothing_built"),
        _ => t("wait.calibration"),
    };
    let draft = RwSignal::new(now.clone());
    let cosine = now.scale == BoundScale::Cosine;
    let sliders = Bound::ALL
        .map(|bound| view! { <Slider bound draft asked/> })
        .collect_view();
    let scale = move |to: BoundScale| {
        let lexical_tokenizer = draft.with_untracked(|settings| settings.lexical_tokenizer.clone());
        asked.set(Some(GraphSettings {
            lexical_tokenizer,
            ..usual(to)
        }));
    };
    let changed = Memo::new(move |_| asked.with(Option::is_some));
    view! {
        <section class="part">
            <h2>{t("graph.bounds")}</h2>
            <div class="seg" role="group" aria-label=t("graph.scale")>
                <button aria-pressed=cosine.to_string() on:click=move |_| scale(BoundScale::Cosine)>{t("graph.scale_cosine")}</button>
                <button aria-pressed=(!cosine).to_string() on:click=move |_| scale(BoundScale::Quantile)>{t("graph.scale_quantile")}</button>
            </div>
            <p class="t-small t-mute">{if cosine { t("graph.scale_cosine_means") } else { t("graph.scale_quantile_means") }}</p>
            {sliders}
            <Tokenizer draft/>
        </section>
        <section class="part">
            <VectorsBy chosen=encoder/>
            <p class="t-small" role="status">{about}</p>
            <div class="row wrap">
                <button class="btn primary" id="build-with" disabled=move || app.busy("graph").is_some()
                    on:click=move |_| {
                        let shown = app.workspace.with_untracked(|ws| {
                            ws.as_ref().map(|ws| ws.languages.clone()).unwrap_or_default()
                        });
                        let asked = encoder.get_untracked().build(Some(draft.get_untracked()), &shown);
                        app.attempt(call(asked), |_| ());
                    }>
                    <Sign icon=Icon::Graph/>
                    {t("graph.build_with")}
                </button>
                {move || changed.get().then(|| view! { <button class="btn ghost" on:click=move |_| asked.set(None)>{t("graph.as_built")}</button> })}
            </div>
        </section>
    }
}

/// The usual bounds of a scale: a quantile is no cosine, so that each scale has its own.
fn usual(scale: BoundScale) -> GraphSettings {
    let usual = GraphSettings {
        scale,
        ..GraphSettings::default()
    };
    match scale {
        BoundScale::Cosine => usual,
        BoundScale::Quantile => GraphSettings {
            entity_low: 0.5,
            entity_high: 0.95,
            sentence_threshold: 0.2,
            ..usual
        },
    }
}

/// A slider for a bound. The figures are requested when the slider is released.
#[component]
fn Slider(
    bound: Bound,
    draft: RwSignal<GraphSettings>,
    asked: RwSignal<Option<GraphSettings>>,
) -> impl IntoView {
    let value = move || draft.with(|settings| bound.of(settings));
    let id = format!("bound-{}", bound.tag());
    view! {
        <div class="field">
            <label for=id.clone() class="row between">
                <span>{tag("bound", bound.tag())}</span>
                <span class="num">{move || strength(value())}</span>
            </label>
            <input
                type="range"
                class="range"
                id=id
                min="0"
                max="1"
                step="0.01"
                prop:value=move || value().to_string()
                on:input:target=move |event| {
                    if let Ok(to) = event.target().value().parse::<f32>() {
                        draft.update(|settings| bound.set(settings, to));
                    }
                }
                on:change=move |_| asked.set(Some(draft.get_untracked()))
            />
            <span class="hint">{tag("bound_means", bound.tag())}</span>
        </div>
    }
}

/// The model whose tokens count as words in lexical edges.
#[component]
fn Tokenizer(draft: RwSignal<GraphSettings>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="lexical-tokenizer">{t("graph.lexical_tokenizer")}</label>
            <input
                class="input"
                id="lexical-tokenizer"
                autocomplete="off"
                spellcheck="false"
                aria-describedby="lexical-tokenizer-hint"
                prop:value=move || draft.with(|settings| settings.lexical_tokenizer.clone().unwrap_or_default())
                on:change:target=move |event| {
                    let model = event.target().value().trim().to_owned();
                    draft.update(|settings| settings.lexical_tokenizer = Some(model).filter(|model| !model.is_empty()));
                }
            />
            <span class="hint" id="lexical-tokenizer-hint">{t("graph.lexical_tokenizer_means")}</span>
        </div>
    }
}

/// One encoder: the cosines of its vectors, and what the bounds would result in.
#[component]
fn Part(
    part: PartCalibration,
    scale: BoundScale,
    settings: Option<GraphSettings>,
) -> impl IntoView {
    let languages: Vec<String> = part
        .languages
        .iter()
        .map(|l| tag("language", l.tag()))
        .collect();
    let thresholds = part.thresholds;
    let pair = (thresholds.entity_low, thresholds.entity_high);
    let sentence = (thresholds.sentence, 1.01);
    let lowered = settings.and_then(|wanted| lowered(&part, scale, &wanted));
    let (similar, entities) = part.entities_with_similar;
    let (near, anchors) = part.sentences_with_candidate;
    let in_words = tf(
        "graph.histogram_terms",
        &[
            ("low", &strength(pair.0)),
            ("high", &strength(pair.1)),
            ("n", &format::count(part.entity_nearest.total)),
        ],
    );
    let in_words_sentences = tf(
        "graph.histogram_sentences",
        &[
            ("low", &strength(sentence.0)),
            ("n", &format::count(part.sentence_nearest.total)),
        ],
    );
    let at = at_quantiles(part.at_quantiles.map(strength));
    view! {
        <section class="card calibration-part">
            <div class="card-head"><h2>{part.encoder}</h2><span class="t-small t-mute">{format::list(&languages)}</span></div>
            <div class="card-body stack g-4">
                <div class="stats">
                    {figure(t("graph.pairs_in_window"), format::count(part.pairs_in_window), None)}
                    {figure(t("graph.terms_with_similar"), format::count(similar), Some(entities))}
                    {figure(t("graph.anchors_with_candidate"), format::count(near), Some(anchors))}
                </div>
                {lowered.map(|text| view! { <Note tone=Tone::Info>{text}</Note> })}
                <div class="two">
                    <Nearest title=t("graph.nearest_terms") bounds=format!("{} – {}", strength(pair.0), strength(pair.1)) counts=part.entity_nearest window=pair in_words/>
                    <Nearest title=t("graph.nearest_sentences") bounds=format!("≥ {}", strength(sentence.0)) counts=part.sentence_nearest window=sentence in_words=in_words_sentences/>
                </div>
                <p class="t-small t-mute">{at}{(!part.exact).then(|| format!(" {}", t("graph.approximate")))}</p>
            </div>
        </section>
    }
}

/// Where the bounds are in the distribution of the nearest neighbours: those of terms, and that of sentences.
fn at_quantiles([low, high, sentence]: [String; 3]) -> String {
    tf(
        "graph.at_quantiles",
        &[("low", &low), ("high", &high), ("sentence", &sentence)],
    )
}

/// Which bounds calibration lowered, from what to what; only cosines are lowered.
fn lowered(part: &PartCalibration, scale: BoundScale, wanted: &GraphSettings) -> Option<String> {
    let is_lowered = part.lowered.contains(&true) && scale == BoundScale::Cosine;
    let used = part.thresholds;
    is_lowered.then(|| {
        tf(
            "graph.lowered",
            &[
                ("entity", &strength(wanted.entity_low)),
                ("entity_used", &strength(used.entity_low)),
                ("sentence", &strength(wanted.sentence_threshold)),
                ("sentence_used", &strength(used.sentence)),
            ],
        )
    })
}

/// A figure with its name, and out of how many.
fn figure(name: String, value: String, of: Option<u64>) -> impl IntoView {
    let of = of.map(|of| tf("graph.of", &[("n", &format::count(of))]));
    view! { <div class="stat"><b>{value}</b><span>{name}</span>{of.map(|text| view! { <small>{text}</small> })}</div> }
}

/// How near the nearest ones are, against the bounds.
#[component]
fn Nearest(
    title: String,
    /// The bounds in words.
    bounds: String,
    counts: Counts,
    window: (f32, f32),
    in_words: String,
) -> impl IntoView {
    view! {
        <figure class="stack">
            <figcaption><b>{title}</b>" "<span class="t-small t-mute">{bounds}</span></figcaption>
            <Histogram counts window=Signal::derive(move || window) label=in_words.clone()/>
            <p class="t-small t-mute">{in_words}</p>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_never_closes() {
        let mut settings = GraphSettings::default();
        Bound::Low.set(&mut settings, 0.99);
        assert!(settings.entity_low < settings.entity_high);
        Bound::High.set(&mut settings, 0.1);
        assert!(settings.entity_low < settings.entity_high);
        Bound::Sentence.set(&mut settings, 7.0);
        assert!((Bound::Sentence.of(&settings) - 1.0).abs() < 1e-6);
    }
}
