//! The fields of the gate's rule.

use super::general::GeneralFile;
use super::written::{Figure, Written};
use crate::components::check::Check;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::gate::GateMeasure;

#[component]
pub fn RuleFields(written: RwSignal<Written>) -> impl IntoView {
    let measures = GateMeasure::ALL
        .into_iter()
        .map(|measure| {
            let words = tag("measure", measure.tag());
            view! { <Optional written figure=Figure::Margin(measure) words/> }
        })
        .collect_view();
    let parity = Signal::derive(move || written.with(|written| written.export_parity));
    view! {
        <div class="settings-list">
            {measures}
            <Plain written figure=Figure::Level words=t("rule.level_field") unit="%".to_owned()/>
            <Plain written figure=Figure::Anchors words=t("rule.anchors_field") unit=String::new()/>
            <Plain written figure=Figure::Questions words=t("rule.questions_field") unit=String::new()/>
            <Plain written figure=Figure::Shortcut words=t("rule.shortcut_field") unit=t("rule.points")/>
            <Optional written figure=Figure::General words=t("rule.general_field")/>
            <span>{t("rule.general_file")}</span>
            <GeneralFile/>
            <Optional written figure=Figure::Attack words=t("rule.attack_field")/>
            <span>{t("rule.export_field")}</span>
            <Check id="rule-export" on=parity tick=move |on: bool| written.update(|written| written.export_parity = on)>{t("rule.export_asked")}</Check>
        </div>
    }
}

/// The id of a figure's field.
fn id_of(figure: Figure) -> String {
    match figure {
        Figure::Margin(measure) => format!("rule-{}", measure.tag()),
        Figure::Level => "rule-level".to_owned(),
        Figure::Anchors => "rule-anchors".to_owned(),
        Figure::Questions => "rule-questions".to_owned(),
        Figure::Shortcut => "rule-shortcut".to_owned(),
        Figure::General => "rule-general".to_owned(),
        Figure::Attack => "rule-attack".to_owned(),
    }
}

/// A figure that each rule has.
#[component]
fn Plain(
    written: RwSignal<Written>,
    figure: Figure,
    /// What it is called.
    words: String,
    unit: String,
) -> impl IntoView {
    view! {
        <label for=id_of(figure)>{words}</label>
        <span class="row"><Typed written figure/> {unit}</span>
    }
}

/// A figure that a rule may do without: a box, and beside it the figure.
#[component]
fn Optional(
    written: RwSignal<Written>,
    figure: Figure,
    /// What it is called.
    words: String,
) -> impl IntoView {
    let on = Signal::derive(move || written.with(|written| written.asks_for(figure)));
    let tick = move |on: bool| written.update(|written| written.tick(figure, on));
    let unit = if figure.is_hundredfold() {
        t("rule.points")
    } else if figure == Figure::General {
        t("rule.correlation")
    } else {
        t("rule.cosine")
    };
    let label = words.clone();
    view! {
        <Check id=format!("{}-asked", id_of(figure)) on tick>{words}</Check>
        <span class="row">
            <span class="t-small">{t("rule.up_to")}</span>
            <Typed written figure label/>
            {unit}
        </span>
    }
}

/// The field of a figure.
#[component]
fn Typed(
    written: RwSignal<Written>,
    figure: Figure,
    /// What a screen reader calls it, where no label stands beside it.
    #[prop(optional, into)]
    label: Option<String>,
) -> impl IntoView {
    let wrong = Memo::new(move |_| written.with(|written| written.is_wrong(figure)));
    let off = Memo::new(move |_| !written.with(|written| written.asks_for(figure)));
    view! {
        <input
            class="input short-field"
            id=id_of(figure)
            inputmode="decimal"
            autocomplete="off"
            aria-label=label
            aria-invalid=move || wrong.get().to_string()
            disabled=move || off.get()
            prop:value=move || written.with(|written| written.text(figure))
            on:input:target=move |event| written.update(|written| written.put(figure, event.target().value()))
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_field_has_an_id_of_its_own() {
        let ids: BTreeSet<String> = Figure::ALL.into_iter().map(id_of).collect();
        assert_eq!(ids.len(), Figure::ALL.len());
    }
}
