//! General language for the gate: what was measured of the run, or the way to that.

use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::screens::evaluation::ended::Ended;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::gate::{GeneralMeasured, GeneralSet};

/// The kind of job that measures it.
const KIND: &str = "gate_general";

/// How well the model handles general language before and after the run. This is shown if the gate's rule limits the
/// loss of general language. If there are no figures yet, there is a button that measures them. If no file of sentence
/// pairs was chosen for the measurement, a text says where to choose one.
#[component]
pub fn General(
    run: RunId,
    /// What was measured.
    measured: Option<GeneralMeasured>,
) -> impl IntoView {
    if let Some(measured) = measured {
        return view! { <p class="t-small" id="gate-general">{figures(&measured)}</p> }.into_any();
    }
    let app = use_app();
    let set = Fetched::<Option<GeneralSet>>::default();
    Effect::new(move |_| {
        app.changes.track();
        set.refresh(call(commands::GateGeneral {}));
    });
    let task = Memo::new(move |_| app.busy(KIND));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let measure = move |_| app.attempt(call(commands::MeasureGeneral { run }), |_| ());
    let way = move || match set.value.get() {
        None => ().into_any(),
        Some(None) => {
            view! { <p class="t-small" id="gate-general-none">{t("gate.general_none")}</p> }
                .into_any()
        }
        Some(Some(_)) if working.get() => {
            view! { <Cancellable task name="gate-general"/> }.into_any()
        }
        Some(Some(set)) => view! {
            <div class="row wrap">
                <button class="btn sm" id="gate-general-measure" on:click=measure>
                    <Sign icon=Icon::Scales/>
                    {t("gate.general_measure")}
                </button>
                <span class="t-small t-mute" title=set.path.clone()>{file_of(&set)}</span>
            </div>
        }
        .into_any(),
    };
    view! {
        {way}
        <Ended kind=KIND title=run.to_string() stopped=t("gate.general_stopped")/>
    }
    .into_any()
}

/// The rank correlations before and after, and on which pairs.
fn figures(measured: &GeneralMeasured) -> String {
    let pairs = tn("gate.general_pairs", measured.pairs.into());
    let on = match measured.file.as_str() {
        "" => pairs,
        file => tf("gate.general_file", &[("pairs", &pairs), ("file", file)]),
    };
    let figures = tf(
        "gate.general_on",
        &[
            ("on", &on),
            ("before", &format::share(measured.before)),
            ("after", &format::share(measured.after)),
        ],
    );
    let Some(bounds) = &measured.bounds else {
        return figures;
    };
    let level = (1000.0 * bounds.level).round() / 10.0;
    let between = tf(
        "gate.general_between",
        &[
            ("low", &format::change(bounds.low)),
            ("high", &format::change(bounds.high)),
            ("level", &level.to_string()),
        ],
    );
    format::sentences(&[figures, between])
}

/// The file's name, and how many pairs it has.
pub fn file_of(set: &GeneralSet) -> String {
    let name = set.path.rsplit(['/', '\\']).next().unwrap_or_default();
    let pairs = tn("gate.general_pairs", set.pairs.into());
    tf("gate.general_file", &[("pairs", &pairs), ("file", name)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::gate::GeneralBounds;

    #[test]
    fn the_figures_stand_with_the_pairs_that_they_come_from() {
        let measured = |file: &str| GeneralMeasured {
            file: file.to_owned(),
            sha256: String::new(),
            pairs: 1379,
            before: 0.8124,
            after: 0.8011,
            bounds: Some(GeneralBounds {
                low: -0.0191,
                high: 0.0042,
                level: 0.975,
            }),
        };
        for lang in [Lang::En, Lang::Zh] {
            speak(lang);
            let said = figures(&measured("sts.csv"));
            for part in ["1,379", "sts.csv", ".812", ".801", ".019", ".004", "97.5 %"] {
                assert!(said.contains(part), "{said}");
            }
            assert!(said.find(".812") < said.find(".801"), "{said}");
            let given = figures(&measured(""));
            assert!(
                !given.contains("sts.csv") && !given.contains('{'),
                "{given}"
            );
            // A decision of an earlier version.
            let bare = figures(&GeneralMeasured {
                bounds: None,
                ..measured("")
            });
            assert!(given.starts_with(&bare) && given != bare, "{given}");
        }
        speak(Lang::En);
    }

    #[test]
    fn a_file_is_shown_by_its_name() {
        for (path, name) in [
            ("/data/general/sts.csv", "sts.csv"),
            ("C:\\sets\\sts.csv", "sts.csv"),
            ("sts.csv", "sts.csv"),
        ] {
            let said = file_of(&GeneralSet {
                path: path.to_owned(),
                sha256: String::new(),
                pairs: 25,
            });
            assert_eq!(said, format!("25 pairs of {name}"));
        }
    }
}
