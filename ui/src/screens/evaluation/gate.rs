//! What may go live and why, what is active, and what can be done: make a run active, do so against the gate, go back.

mod activating;
mod general;
mod grounds;
mod stand_for;
#[cfg(test)]
mod tests;

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::waiting::{Coming, Waiting};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::route::Route;
use crate::screens::evaluation::papers::{Paper, Papers};
use crate::state::{App, use_app};
use activating::{Activating, activating};
use general::General;
pub use general::file_of;
#[cfg(test)]
pub use grounds::keys;
pub use grounds::units;
use grounds::{line, words};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{
    Activation, ActiveModels, Deployment, EncoderChoice, GateOverride, ModelKind,
};
use lexforge_domain::gate::{Characteristic, GateDecision, GateGround, GateVerdict};
use stand_for::StandFor;

/// The gate's decision about a run.
#[component]
pub fn Gate(
    run: RunId,
    /// It tuned an encoder.
    encoder: bool,
) -> impl IntoView {
    let app = use_app();
    let deeds = RwSignal::new(0u32);
    let asks_why = RwSignal::new(false);
    let (decision, active) = decided_and_active(app, run, deeds);
    let kind = if encoder {
        ModelKind::Encoder
    } else {
        ModelKind::Decoder
    };
    let begun = RwSignal::new(None::<u64>);
    let activate = Callback::new(move |against_the_gate: Option<GateOverride>| {
        activate(app, run, against_the_gate, begun);
    });
    close_once_active(app, begun, asks_why);
    let live = Memo::new(move |_| {
        active
            .value
            .with(|active| active.as_ref().and_then(|a| a.of(kind).cloned()))
    });
    let buttons = move || {
        let verdict = decision.value.get().flatten().map(|one| one.verdict);
        let (is_any, is_live) = live.with(|live| {
            let run_of = live.as_ref().and_then(|live| live.run);
            (live.is_some(), run_of == Some(run))
        });
        // The active adapter can be taken back, whatever is known about this run.
        let waits = verdict.filter(|_| !is_live);
        (is_any || waits.is_some())
            .then(|| view! { <Deeds run waits is_any activate asks_why deeds/> })
    };
    let close = Callback::new(move |()| asks_why.set(false));
    let decision_comes =
        move || decision.value.with(Option::is_none) && decision.failure.with(Option::is_none);
    view! {
        <section class="part" id="gate">
            <h2>{t("gate.title")}</h2>
            {move || decision.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || active.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || decision_comes().then(|| view! { <Coming words=t("wait.gate")/> })}
            {move || decision.value.get().flatten().map(|decision| view! { <Decision decision/> })}
            {move || view! { <Live live=live.get() encoder/> }}
            {buttons}
            {move || live.get().filter(|_| encoder).map(|live| view! { <GraphByIt live/> })}
            <Papers papers=vec![Paper::Decision(run), Paper::Card(run)]/>
            {move || asks_why.get().then(|| view! { <StandFor run close activate/> })}
        </section>
    }
}

/// Follows what the gate says of a run, and what is active.
fn decided_and_active(
    app: App,
    run: RunId,
    deeds: RwSignal<u32>,
) -> (Fetched<Option<GateDecision>>, Fetched<ActiveModels>) {
    let decision = Fetched::<Option<GateDecision>>::default();
    let active = Fetched::<ActiveModels>::default();
    Effect::new(move |_| {
        app.changes.track();
        deeds.track();
        decision.refresh(call(commands::Gate { run }));
        active.refresh(call(commands::ActiveModels {}));
    });
    (decision, active)
}

/// Closes the form that asks for the reason once the run is active: what was typed is needed again otherwise.
fn close_once_active(app: App, begun: RwSignal<Option<u64>>, asks_why: RwSignal<bool>) {
    Effect::new(move |_| {
        let is_active = begun.get().is_some_and(|id| {
            app.tasks.with(|tasks| {
                let mut of = tasks.iter().filter(|task| task.id == id);
                of.any(|task| task.done && task.failure.is_none())
            })
        });
        if is_active {
            begun.set(None);
            asks_why.set(false);
        }
    });
}

/// Begins to make the run active, against the gate if somebody answers for that.
fn activate(
    app: App,
    run: RunId,
    against_the_gate: Option<GateOverride>,
    begun: RwSignal<Option<u64>>,
) {
    let activation = Activation {
        run,
        against_the_gate,
        general: Vec::new(),
    };
    let active = call(commands::Activate { activation });
    app.attempt_once(t("wait.activate"), active, move |id| begun.set(Some(id)));
}

/// The actions that are possible now.
#[component]
fn Deeds(
    run: RunId,
    /// The gate's verdict, as long as the run is not active.
    waits: Option<GateVerdict>,
    /// Something is active.
    is_any: bool,
    activate: Callback<Option<GateOverride>>,
    asks_why: RwSignal<bool>,
    /// Counts what was done: then the gate and what is active are asked for again.
    deeds: RwSignal<u32>,
) -> impl IntoView {
    let app = use_app();
    let roll_back = move |_| {
        let back = call(commands::RollBack {});
        app.attempt_once(t("wait.roll_back"), back, move |_| {
            deeds.update(|n| *n += 1);
        });
    };
    let passes = waits == Some(GateVerdict::Pass);
    let acts = move || activating(app) || app.waits.has(&t("wait.roll_back"));
    view! {
        <div class="row wrap">
            {passes.then(|| view! {
                <button class="btn primary" id="gate-activate" disabled=acts on:click=move |_| activate.run(None)>{t("gate.activate")}</button>
            })}
            {(waits.is_some() && !passes).then(|| view! {
                <button class="btn" id="gate-override" disabled=acts on:click=move |_| asks_why.set(true)>{t("gate.override")}</button>
            })}
            {is_any.then(|| view! {
                <button class="btn" id="gate-roll-back" disabled=acts on:click=roll_back>{t("gate.roll_back")}</button>
            })}
            <Waiting words=t("wait.activate")/>
            <Waiting words=t("wait.roll_back")/>
        </div>
        // Where the form is open, it stands there.
        {move || (!asks_why.get()).then(|| view! { <Activating run/> })}
    }
}

/// The verdict in one line, then its grounds.
#[component]
fn Decision(decision: GateDecision) -> impl IntoView {
    let (class, icon) = match decision.verdict {
        GateVerdict::Pass => ("verdict good", Icon::Check),
        GateVerdict::Stop => ("verdict poor", Icon::Warning),
        GateVerdict::Undecided => ("verdict", Icon::Info),
    };
    let head = line(&decision);
    let on = compared(&decision);
    let needed = decision.needed.map(|needed| {
        tf(
            "gate.needed",
            &[
                ("n", &units(&decision.unit, needed)),
                ("now", &format::count(decision.anchors.into())),
            ],
        )
    });
    let seeds =
        over_seeds(&decision).map(|text| view! { <p class="t-small" id="gate-seeds">{text}</p> });
    let right = how_often_right(&decision.characteristic);
    // A model does not differ from itself, and then there are no bounds to explain.
    let same = decision
        .reasons
        .iter()
        .any(|reason| matches!(reason.ground, GateGround::SameModel));
    let bounds = (!decision.figures.is_empty() && !same).then(|| {
        let level = (1000.0 * decision.policy.level).round() / 10.0;
        let text = tf("gate.bounds", &[("level", &level.to_string())]);
        view! { <p class="t-small t-mute" id="gate-bounds">{text}</p> }
    });
    // A reason that the headline already states is not repeated.
    let reasons: Vec<_> = decision
        .reasons
        .iter()
        .map(|reason| words(&reason.ground))
        .filter(|said| !head.contains(said.as_str()))
        .map(|said| view! { <li>{said}</li> })
        .collect();
    // A list without items is announced as one by a screen reader.
    let reasons = (!reasons.is_empty()).then(|| view! { <ul class="stack limits">{reasons}</ul> });
    let (run, general, asked) = (
        decision.run,
        decision.general.clone(),
        decision.policy.general_floor.is_some(),
    );
    view! {
        <div class=class id="gate-verdict">
            <div class="row"><Sign icon/><b class="t-role">{head}</b></div>
            {reasons}
            {needed.map(|text| view! { <p class="strong">{text}</p> })}
        </div>
        <p class="t-small">{on}</p>
        {asked.then(|| view! { <General run measured=general/> })}
        {seeds}
        <p class="t-small t-mute">{right}</p>
        {bounds}
    }
}

/// With what the run is compared, and on how many questions.
fn compared(decision: &GateDecision) -> String {
    let against = match decision.against_run {
        Some(run) => tf("gate.against_run", &[("n", &run.to_string())]),
        None => t("gate.against_base"),
    };
    tf(
        "gate.on",
        &[
            ("against", &against),
            ("questions", &format::count(decision.questions.into())),
            ("anchors", &units(&decision.unit, decision.anchors.into())),
        ],
    )
}

/// Between which accuracies the runs of other seeds lie.
fn over_seeds(decision: &GateDecision) -> Option<String> {
    let seeds = decision.seeds.as_ref()?;
    let [least, most] = seeds.spread().map(format::share);
    let n = format::count(seeds.runs.len() as u64);
    Some(tf(
        "gate.seeds",
        &[("n", &n), ("least", &least), ("most", &most)],
    ))
}

/// How often the rule is right on these questions, or that there are too few of them for any verdict.
fn how_often_right(characteristic: &Characteristic) -> String {
    if characteristic.decides_nothing() {
        return t("gate.right_never");
    }
    let worse = characteristic.worse_stopped.get("3").copied();
    tf(
        "gate.right",
        &[
            ("equal", &format::whole_percent(characteristic.equal_passes)),
            ("worse", &format::whole_percent(worse.unwrap_or_default())),
        ],
    )
}

/// What is active.
#[component]
fn Live(
    live: Option<Deployment>,
    /// Encoders are meant, and not models that write.
    encoder: bool,
) -> impl IntoView {
    let Some(live) = live else {
        let none = match encoder {
            true => t("gate.no_encoder_active"),
            false => t("gate.none_active"),
        };
        return view! { <p class="t-small" id="gate-active">{none}</p> }.into_any();
    };
    let run = live.run.map(|run| run.to_string()).unwrap_or_default();
    let text = tf(
        "gate.active",
        &[("n", &run), ("when", &format::minute(&live.made))],
    );
    let stands = live.overridden.map(|stands| {
        let text = tf(
            "gate.stands",
            &[("by", &stands.by), ("reason", &stands.reason)],
        );
        view! { <Note tone=Tone::Warn>{text}</Note> }
    });
    view! {
        <p class="t-small" id="gate-active" title=format::in_utc(&live.made)>{text}</p>
        {stands}
    }
    .into_any()
}

/// The way to a graph whose vectors the active encoder makes; nothing where it has made them already.
#[component]
fn GraphByIt(live: Deployment) -> impl IntoView {
    let app = use_app();
    let (run, adapter) = (live.run, live.adapter.unwrap_or_default());
    let graph = Memo::new(move |_| {
        app.workspace.with(|ws| {
            ws.as_ref()
                .and_then(|ws| ws.graph.as_ref().map(|graph| graph.encoder.clone()))
        })
    });
    move || {
        let graph = graph.get()?;
        let run = run.filter(|_| !made_by(&graph, &adapter))?;
        let build = move |_| {
            let encoder = EncoderChoice {
                run: Some(run),
                ..EncoderChoice::default()
            };
            let asked = commands::BuildGraph {
                settings: None,
                encoder: Some(encoder),
                by_language: None,
            };
            app.attempt(call(asked), move |_| app.go(Route::Graph));
        };
        Some(view! {
            <div class="row wrap" id="gate-graph-offer">
                <p class="t-small grow">{tf("gate.graph_by_other", &[("encoder", &graph)])}</p>
                <button class="btn sm" id="gate-graph" disabled=move || app.busy("graph").is_some() on:click=build>{t("gate.graph_by_it")}</button>
            </div>
        })
    }
}

/// Whether the vectors under this name were made with an adapter: the name holds the beginning of its hash.
fn made_by(encoder: &str, adapter: &str) -> bool {
    adapter
        .get(..12)
        .is_some_and(|beginning| encoder.contains(&format!("adapter {beginning}")))
}
