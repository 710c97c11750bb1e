//! The report: one self-contained HTML page for people who answer to auditors. The papers beside it have the same form:
//! a comparison of systems, a decision of the gate, a model's card, a report of drift.
//!
//! Style sheet and drawings are inline. The page has no script and loads nothing from elsewhere. The page is light or
//! dark like the reader's system, and can be printed. Text from a document is data and is escaped. It is set in serif
//! and its language is marked, so that readers see which words are the regulator's and which are the product's.

mod attacked;
mod card;
mod changed;
mod charts;
mod comparison;
mod decision;
mod drift;
#[cfg(test)]
mod drift_tests;
mod input;
mod items_curve;
mod markup;
mod material;
mod names;
mod numbers;
mod paper;
#[cfg(test)]
mod paper_tests;
mod provenance;
mod results;
#[cfg(test)]
mod sample;
mod scorers;
mod similarity;
#[cfg(test)]
mod spoilt_tests;
mod summary;
#[cfg(test)]
mod tests;
mod training;
mod translated;
mod written;

pub use card::card_html;
pub use comparison::comparison_html;
pub use decision::decision_html;
pub use drift::drift_html;
pub use input::{Model, ReportInput, Training};
pub use similarity::{SCALE, SimilarityCard, similarity_card};
pub use summary::{VerdictWords, verdict_in_words};
pub use translated::in_language;

use markup::Page;

/// The page.
pub fn html(input: &ReportInput) -> String {
    let mut page = Page::default();
    summary::header(&mut page, input);
    let models = input.models();
    let each = |page: &mut Page, act: &dyn Fn(&mut Page, &Model)| {
        for (prefix, model) in &models {
            page.of_model((models.len() > 1).then_some((*prefix, model.name())));
            act(page, model);
        }
        page.of_model(None);
    };
    each(&mut page, &|page, model| {
        if let Some(view) = model.evaluation {
            results::results(page, view);
            results::changes(page, view);
            scorers::section(page, &view.evaluation);
            results::shortcuts(page, &view.evaluation);
        }
    });
    let measured = input.evaluations().next().is_some();
    if measured {
        provenance::limits(&mut page, input);
    }
    each(&mut page, &|page, model| training::section(page, model));
    if let Some(sweep) = input.sweep {
        items_curve::section(&mut page, sweep);
    }
    training::left_out(&mut page, input);
    material::documents(&mut page, input);
    material::terms(&mut page, input);
    material::graph(&mut page, input);
    material::questions(&mut page, input);
    material::dataset(&mut page, input);
    each(&mut page, &|page, model| {
        if let Some(view) = model.evaluation {
            results::space(page, &view.evaluation);
            changed::section(page, &view.evaluation);
        }
    });
    if !measured {
        provenance::limits(&mut page, input);
    }
    provenance::hashes(&mut page, input);
    page.finish(input.workspace)
}
