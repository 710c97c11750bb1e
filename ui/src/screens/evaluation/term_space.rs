//! How the accepted terms lie in the space of the model, before and after its tuning. It is measured when somebody asks
//! for it.

use super::ended::Ended;
use crate::backend::{call, commands};
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::outcomes;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::Outcome;
use lexforge_domain::metrics::Interval;
use lexforge_domain::term_space::{SpaceOfTerms, SpaceRow};

/// The kind of job that measures it.
const MEASURING: &str = "term_space";

/// The card: what was measured, and the button that measures.
#[component]
pub fn TermSpace(
    /// The run that tuned the model.
    run: RunId,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(MEASURING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let newest = outcomes::newest_here(app, MEASURING);
    let found = move || match newest.get() {
        Some(Outcome::TermSpace(found)) => Some(*found).filter(|found| found.run == Some(run)),
        _ => None,
    };
    let typed = RwSignal::new(String::new());
    let measure = move |_| {
        if let Some(layer) = layer_in(&typed.read_untracked()) {
            app.attempt(call(commands::MeasureTermSpace { run, layer }), |_| ());
        }
    };
    let button = move || {
        match working.get() {
        true => view! { <Cancellable task name="term-space"/> }.into_any(),
        false => view! {
            <div class="row wrap">
                <Layer typed/>
                <button class="btn" id="term-space" disabled=move || layer_in(&typed.read()).is_none() on:click=measure>
                    {t("term_space.measure")}
                </button>
            </div>
        }
        .into_any(),
    }
    };
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("term_space.title")}</h2></div>
            {move || found().map(|found| view! { <Measured found/> })}
            <div class="card-body stack g-2">
                <p class="t-small">{t("term_space.text")}</p>
                <Ended kind=MEASURING title=run.to_string() stopped=t("term_space.stopped")/>
                {button}
            </div>
        </article>
    }
}

/// The field for the number of layers after which the vectors are taken.
#[component]
fn Layer(typed: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="row">
            <span>{t("term_space.layer")}</span>
            <input
                class="input short-field"
                id="term-space-layer"
                inputmode="numeric"
                autocomplete="off"
                placeholder=t("training.last_layer")
                aria-invalid=move || layer_in(&typed.read()).is_none().to_string()
                prop:value=typed
                on:input:target=move |event| typed.set(event.target().value())
            />
        </label>
    }
}

/// The layer in the field. An empty field means the last one. `None` if the field does not contain a number from 0 on.
fn layer_in(text: &str) -> Option<Option<usize>> {
    match text.trim() {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    }
}

/// The table, and of how many terms it is.
#[component]
fn Measured(found: SpaceOfTerms) -> impl IntoView {
    let of = of_what(&found);
    let left_out = left_out(&found);
    let not_drawn =
        (found.not_drawn > 0).then(|| tn("term_space.not_drawn", found.not_drawn as u64));
    let layer = after_layer(found.layer, found.layers);
    let rows = found.rows.into_iter().map(line).collect_view();
    view! {
        <div class="table-wrap">
            <table class="table" id="term-space-figures">
                <thead>
                    <tr>
                        <th>{t("evaluation.measure")}</th>
                        <th class="num">{t("evaluation.base")}</th>
                        <th class="num">{t("evaluation.tuned")}</th>
                        <th class="num">{t("evaluation.change")}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <div class="card-body stack g-1">
            <p class="t-small">{of} " " {layer}</p>
            {not_drawn.map(|text| view! { <p class="t-small">{text}</p> })}
            {left_out.map(|text| view! { <p class="t-small">{text}</p> })}
        </div>
    }
}

fn line(row: SpaceRow) -> impl IntoView {
    let change = row.difference.map(|of| {
        format!(
            "{} {}",
            format::change(of.value),
            format::change_interval(of.low, of.high)
        )
    });
    view! {
        <tr>
            <td>{tag("space_measure", row.measure.tag())}</td>
            <td class="num">{figure(row.before)}</td>
            <td class="num strong">{figure(row.after)}</td>
            <td class="num">{change.unwrap_or_else(|| "–".to_owned())}</td>
        </tr>
    }
}

fn figure(of: Option<Interval>) -> String {
    of.map_or_else(
        || "–".to_owned(),
        |of| {
            let interval = format::interval(of.low, of.high);
            format!("{} {interval}", format::share(of.value))
        },
    )
}

fn of_what(found: &SpaceOfTerms) -> String {
    let n = |count: usize| format::count(count as u64);
    tf(
        "term_space.of",
        &[
            ("mentions", &n(found.mentions)),
            ("terms", &n(found.terms)),
            ("repeated", &n(found.repeated)),
            ("groups", &n(found.groups)),
        ],
    )
}

/// Where in the model the vectors were taken.
fn after_layer(layer: usize, layers: usize) -> String {
    let n = |count: usize| format::count(count as u64);
    match layer {
        0 => t("term_space.at_input"),
        _ => tf(
            "term_space.after_layer",
            &[("n", &n(layer)), ("of", &n(layers))],
        ),
    }
}

fn left_out(found: &SpaceOfTerms) -> Option<String> {
    let n = |count: usize| format::count(count as u64);
    (found.left_out + found.unread > 0).then(|| {
        tf(
            "term_space.left_out",
            &[
                ("mentions", &n(found.left_out)),
                ("terms", &n(found.unread)),
            ],
        )
    })
}

/// The keys of texts that are found by a value and stand in no call.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    use lexforge_domain::term_space::SpaceMeasure;
    let mut keys = vec![format!("task.{MEASURING}")];
    keys.extend(SpaceMeasure::ALL.map(|measure| format!("space_measure.{}", measure.tag())));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::metrics::SpaceAudit;

    fn found(left_out: usize, unread: usize) -> SpaceOfTerms {
        SpaceOfTerms {
            base: "e".to_owned(),
            run: Some(RunId(1)),
            layer: 6,
            layers: 6,
            terms: 120,
            repeated: 95,
            mentions: 640,
            left_out,
            unread,
            not_drawn: 0,
            groups: 20,
            rows: Vec::new(),
            before: SpaceAudit::default(),
            after: None,
        }
    }

    #[test]
    fn it_is_told_of_what_the_figures_are() {
        let text = of_what(&found(0, 0));
        for part in ["640", "120", "95", "20"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(left_out(&found(0, 0)), None);
        let told = left_out(&found(3, 2)).unwrap_or_default();
        assert!(told.contains('3') && told.contains('2'), "{told}");
    }

    #[test]
    fn a_layer_is_a_number_from_nought_on_or_nothing() {
        for (text, expected) in [
            ("", Some(None)),
            ("  ", Some(None)),
            ("0", Some(Some(0))),
            (" 3 ", Some(Some(3))),
            ("-1", None),
            ("2.5", None),
            ("last", None),
        ] {
            assert_eq!(layer_in(text), expected, "{text}");
        }
    }

    #[test]
    fn the_layer_is_told_and_the_input_is_no_layer() {
        let told = after_layer(3, 6);
        assert!(told.contains('3') && told.contains('6'), "{told}");
        assert_ne!(after_layer(0, 6), told);
        assert!(!after_layer(0, 6).contains('0'));
    }

    #[test]
    fn a_measure_that_is_not_defined_has_a_dash() {
        assert_eq!(figure(None), "–");
        let of = Interval {
            value: 0.25,
            low: 0.125,
            high: 0.375,
        };
        let text = figure(Some(of));
        assert!(text.contains("25") && text.contains("375"), "{text}");
    }
}
