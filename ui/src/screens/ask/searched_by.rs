//! What questions are searched with: the encoder of the graph, or one that was tuned here.

use super::deeds::{SEARCHING, search_with};
use super::provenance::model as short;
use crate::components::task_progress::Cancellable;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::SearchEncoderRow;

/// An encoder in words.
fn words(row: &SearchEncoderRow) -> String {
    // How it reads is cut off where one encoder is named; of several each keeps it.
    let name = match row.model.contains("), ") {
        true => row.model.as_str(),
        false => short(&row.model),
    };
    let model = [("model", name)];
    match &row.choice {
        None if row.model.is_empty() => t("answering.by_words_alone"),
        None => tf("answering.by_graph", &model),
        Some(choice) => match choice.run {
            None => row.model.clone(),
            Some(run) => {
                let run = run.to_string();
                let percent = choice.percent.unwrap_or(100).to_string();
                tf(
                    "answering.by_tuned",
                    &[("run", &run), ("model", &row.model), ("percent", &percent)],
                )
            }
        },
    }
}

/// The choice of an encoder, if there are several. While vectors are made, it shows the progress instead.
#[component]
pub fn ChooseSearch() -> impl IntoView {
    let app = use_app();
    let rows = move || app.ask.encoders.value.get().unwrap_or_default();
    let several = Memo::new(move |_| rows().len() > 1);
    let task = Memo::new(move |_| app.busy(SEARCHING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let options = move || {
        let option = |(place, row): (usize, SearchEncoderRow)| {
            view! { <option value=place.to_string() selected=row.chosen>{words(&row)}</option> }
        };
        rows().into_iter().enumerate().map(option).collect_view()
    };
    let choose = move |value: String| {
        let row = value
            .parse()
            .ok()
            .and_then(|place: usize| rows().into_iter().nth(place));
        if let Some(row) = row.filter(|row| !row.chosen) {
            search_with(app, row.choice);
        }
    };
    move || {
        if working.get() {
            view! { <Cancellable task/> }.into_any()
        } else if several.get() {
            view! {
                <label class="row g-1 t-small" title=t("answering.search_tip")>
                    <span class="t-mute">{t("answering.search")}</span>
                    <span class="picker">
                        <select class="select" id="search-encoder" on:change:target=move |event| choose(event.target().value())>
                            {options}
                        </select>
                    </span>
                </label>
            }
            .into_any()
        } else {
            ().into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::api::EncoderChoice;

    #[test]
    fn an_encoder_is_named_by_its_run() {
        let tuned = SearchEncoderRow {
            choice: Some(EncoderChoice {
                run: Some(RunId(3)),
                ..EncoderChoice::default()
            }),
            model: "all-MiniLM-L6-v2".to_owned(),
            chosen: false,
        };
        let said = words(&tuned);
        assert!(
            said.contains('3') && said.contains("all-MiniLM-L6-v2"),
            "{said}"
        );
        crate::i18n::speak(crate::i18n::Lang::En);
        let usual = |model: &str| {
            words(&SearchEncoderRow {
                choice: None,
                model: model.to_owned(),
                chosen: true,
            })
        };
        assert_eq!(usual("bge-small (cls)"), "As usual (bge-small)");
        let two = "bge-small (cls), e5 (mean)";
        assert_eq!(usual(two), format!("As usual ({two})"));
    }
}
