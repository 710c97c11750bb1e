//! A run leaves: in which form, where to, and how near the files are to what was measured here.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{ExportRequest, ExportRow};
use lexforge_domain::decimals::fine;
use lexforge_domain::protocol::{ExportFormat, ExportType, ParityFigure};

/// The forms and types that are offered, the usual ones first.
const KINDS: [(ExportFormat, Option<ExportType>); 6] = [
    (ExportFormat::Gguf, Some(ExportType::Q8_0)),
    (ExportFormat::Gguf, Some(ExportType::F16)),
    (ExportFormat::Merged, Some(ExportType::Bf16)),
    (ExportFormat::Merged, Some(ExportType::F16)),
    (ExportFormat::Merged, Some(ExportType::F32)),
    (ExportFormat::Peft, None),
];

/// What is offered for a run.
fn kinds_of(encoder: bool) -> Vec<(ExportFormat, Option<ExportType>)> {
    KINDS
        .into_iter()
        .filter(|(format, _)| !encoder || *format != ExportFormat::Gguf)
        .collect()
}

/// A form and its type as the folder is named.
fn kind_name(format: ExportFormat, dtype: Option<ExportType>) -> String {
    dtype.map_or_else(
        || format.tag().to_owned(),
        |dtype| format!("{}-{}", format.tag(), dtype.tag()),
    )
}

/// A form and its type in words.
fn kind_words(format: ExportFormat, dtype: Option<ExportType>) -> String {
    let form = tag("export_format", format.tag());
    dtype.map_or_else(|| form.clone(), |dtype| format!("{form} · {}", dtype.tag()))
}

/// Asks where to, and begins to export.
fn begin(app: App, run: RunId, format: ExportFormat, dtype: Option<ExportType>) {
    let stem = app
        .workspace
        .with_untracked(|ws| ws.as_ref().map(|ws| ws.name.clone()).unwrap_or_default());
    let begun = async move {
        let Some(folder) = call(commands::PickFolder {}).await? else {
            return Ok(0);
        };
        let folder = format!("{folder}/{stem}-run-{run}-{}", kind_name(format, dtype));
        let request = ExportRequest {
            run: Some(run),
            format,
            dtype,
            folder: Some(folder),
            replace: false,
            shard_bytes: None,
        };
        call(commands::ExportRun { request }).await
    };
    app.attempt_once(t("wait.choose"), begun, |_| ());
}

/// The choice of a form, the button, and the exports that were made.
#[component]
pub fn Export(
    run: RunId,
    /// The run tuned an encoder, which GGUF has no form for.
    #[prop(optional)]
    encoder: bool,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(0usize);
    let made = Fetched::<Vec<ExportRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        made.refresh(call(commands::Exports { run }));
    });
    let task = Memo::new(move |_| app.busy("export"));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let button = move || {
        if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else {
            view! { <Choose run encoder chosen/> }.into_any()
        }
    };
    view! {
        <section class="part" id="export">
            <h2>{t("export.title")}</h2>
            <p class="t-small">{t("export.text")}</p>
            {button}
            {move || made.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || made.value.get().unwrap_or_default().into_iter().map(|row| view! { <Made row/> }).collect_view()}
        </section>
    }
}

/// The form in which the run leaves, and the button that begins.
#[component]
fn Choose(
    run: RunId,
    encoder: bool,
    /// The place of the chosen form among those that are offered.
    chosen: RwSignal<usize>,
) -> impl IntoView {
    let app = use_app();
    let start = move |_| {
        let at = chosen.get_untracked();
        if let Some((format, dtype)) = kinds_of(encoder).into_iter().nth(at) {
            begin(app, run, format, dtype);
        }
    };
    let options = kinds_of(encoder)
        .into_iter()
        .enumerate()
        .map(|(number, (format, dtype))| {
            view! { <option value=number.to_string() selected=number == chosen.get_untracked()>{kind_words(format, dtype)}</option> }
        })
        .collect_view();
    view! {
        <div class="stack">
            <span class="picker">
                <select
                    class="select"
                    id="export-kind"
                    aria-label=t("export.form")
                    on:change:target=move |event| chosen.set(event.target().value().parse().unwrap_or(0))
                >
                    {options}
                </select>
            </span>
            <div class="row">
                <button class="btn" id="export-run" on:click=start>
                    <Sign icon=Icon::Out/>
                    {t("export.start")}
                </button>
            </div>
        </div>
    }
}

/// An export with its figures.
#[component]
fn Made(row: ExportRow) -> impl IntoView {
    let result = row.result;
    let dtype = (result.format != ExportFormat::Peft).then_some(result.dtype);
    let head = format!(
        "{} · {}",
        kind_words(result.format, dtype),
        format::minute(&row.created)
    );
    let compared = match &result.parity {
        Some(parity) => tf(
            "export.compared",
            &[
                ("prompts", &format::count(parity.prompts)),
                ("positions", &format::count(parity.positions)),
            ],
        ),
        None => t("export.copied"),
    };
    let figures = result
        .parity
        .map(|parity| parity.figures)
        .unwrap_or_default();
    let lines = figures
        .into_iter()
        .map(|figure| {
            view! { <dt>{tag("parity", figure.measure.tag())}</dt><dd class="num">{figure_words(&figure)}</dd> }
        })
        .collect_view();
    view! {
        <div class="stack export-made">
            <b class="t-small">{head}</b>
            <p class="mono t-small wrap-anywhere">{row.folder}</p>
            <p class="t-small t-mute">{compared}</p>
            <dl class="kv t-small">{lines}</dl>
        </div>
    }
}

/// A figure with its bound: `1.1e-4 (≤ 0.0100)`.
fn figure_words(figure: &ParityFigure) -> String {
    let side = if figure.measure.higher_is_better() {
        "≥"
    } else {
        "≤"
    };
    match figure.bound {
        Some(bound) => format!("{} ({side} {})", fine(figure.value), fine(bound)),
        None => fine(figure.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::ParityMeasure;

    #[test]
    fn figures_stand_beside_their_bounds() {
        let figure = |measure, value, bound| {
            figure_words(&ParityFigure {
                measure,
                value,
                bound,
            })
        };
        assert_eq!(
            figure(ParityMeasure::MeanKl, 0.000_107, Some(0.01)),
            "1.1e-4 (≤ 0.0100)"
        );
        assert_eq!(
            figure(ParityMeasure::Agreement, 0.9925, Some(0.9)),
            "0.9925 (≥ 0.9000)"
        );
        assert_eq!(
            figure(ParityMeasure::LargestDifference, 0.0, None),
            "0.0000"
        );
        assert_eq!(
            kind_name(ExportFormat::Gguf, Some(ExportType::Q8_0)),
            "gguf-q8_0"
        );
        assert_eq!(kind_name(ExportFormat::Peft, None), "peft");
    }

    #[test]
    fn every_type_of_every_form_is_offered() {
        for format in ExportFormat::ALL {
            for dtype in format.types() {
                assert!(
                    KINDS.contains(&(format, Some(*dtype))),
                    "{} {}",
                    format.tag(),
                    dtype.tag()
                );
            }
        }
        assert!(KINDS.contains(&(ExportFormat::Peft, None)));
    }
}
