//! What is shown if nothing is answered. Either the documents seem to contain no answer, or clauses were found but none
//! is certain enough.

use super::deeds::reword;
use super::figures::measured;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, AnswerPart, Refusal};

/// That nothing is answered, in one sentence.
pub fn said(answer: &Answer) -> String {
    match answer.refusal() {
        Some(Refusal::Unsure) => t("answering.unsure_said"),
        _ => t("answering.not_found_said"),
    }
}

/// That a part of a question is not answered, in one sentence.
pub fn said_of_part(part: &AnswerPart) -> String {
    match part.unsure {
        true => t("answering.unsure_said"),
        false => t("answering.not_found_said"),
    }
}

/// Why nothing is answered, with the figures that it stands on.
pub fn why(answer: &Answer) -> String {
    if answer.passages.is_empty() {
        return t("answering.nothing_near");
    }
    let (score, threshold) = measured(answer.probability, answer.threshold);
    let figures = [("score", score.as_str()), ("threshold", threshold.as_str())];
    if answer.probability >= answer.threshold {
        tf("answering.near_but_unsupported", &figures)
    } else if answer.refusal() == Some(Refusal::Unsure) {
        tf("answering.unsure_why", &figures)
    } else {
        tf("answering.too_far", &figures)
    }
}

/// Says that there is no answer, and what can be done next.
#[component]
pub fn NotFound(
    /// The answer that found nothing.
    answer: Answer,
) -> impl IntoView {
    let app = use_app();
    let question = answer.question.clone();
    let head = match answer.refusal() {
        Some(Refusal::Unsure) => t("answering.unsure"),
        _ => t("answering.not_found"),
    };
    view! {
        <div class="card" id="not-found">
            <div class="card-head not-found-head">
                <Sign icon=Icon::Search/>
                <h3>{head}</h3>
            </div>
            <div class="card-body stack g-3">
                <p id="not-found-why">{why(&answer)}</p>
                <div class="row wrap">
                    <button class="btn" id="reword" on:click=move |_| reword(app, &question)>{t("answering.reword")}</button>
                    <button class="btn" id="ask-import" on:click=move |_| app.import()>
                        <Sign icon=Icon::Plus/>
                        {t("action.import")}
                    </button>
                </div>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::answer;
    use super::*;

    #[test]
    fn a_no_says_its_figures() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut none = answer();
        none.found = false;
        (none.probability, none.threshold) = (0.31, 0.52);
        assert!(why(&none).contains(".31") && why(&none).contains(".52"));
        none.probability = 0.61;
        assert!(why(&none).contains(".61"));
        // A near clause may be an answer. A clause that is not near is not one.
        assert_eq!(said(&none), t("answering.unsure_said"));
        none.probability = 0.02;
        assert_eq!(said(&none), t("answering.not_found_said"));
        none.probability = 0.61;
        none.passages.clear();
        assert!(!why(&none).contains(".61"));
    }
}
