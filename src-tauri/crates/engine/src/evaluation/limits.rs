//! The limits of the figures of an evaluation, in the report's words.

use crate::models::{DEFAULT_ENCODER, DEMO_DECODER};
use crate::training::FrozenItem;
use lexforge_domain::dataset::{Dataset, ReviewPolicy};
use lexforge_domain::protocol::InspectResult;
use lexforge_domain::qca::{QcaLevel, QuestionSource};
pub(super) use lexforge_domain::statistics::FEW_CLUSTERS;

/// The limits of these figures.
pub(super) fn limits(
    dataset: &Dataset,
    items: &[FrozenItem],
    model: &InspectResult,
    too_long: usize,
    clusters: usize,
) -> Vec<String> {
    let written = items
        .iter()
        .filter(|i| i.question.draft.source == QuestionSource::Llm)
        .count();
    let mut limits = vec![
        reviewed(dataset.policy),
        authors(
            written,
            items.len(),
            if model.decoder { "decoder" } else { "encoder" },
        ),
    ];
    limits.extend(few_clusters(items.len(), clusters));
    if model.name == DEMO_DECODER {
        limits.push(format!(
            "{DEMO_DECODER} is a very small decoder that was trained from nothing on a few megabytes of regulation. It \
             shows the process on your documents; it knows no law and is not for real advice."
        ));
    } else if model.name == DEFAULT_ENCODER {
        limits.push(
            "The encoder is small and English only; the run shows the process on your documents and is not for real \
             advice."
                .to_owned(),
        );
    } else {
        limits.push(
            "The model has seen these documents alone; no figure here clears it for real advice."
                .to_owned(),
        );
    }
    if model.decoder {
        limits.push(
            "Likelihood is the primary scorer; the others stand beside it and decide nothing. A model that writes its \
             answer is read strictly: an answer that does not name exactly one choice counts as wrong."
                .to_owned(),
        );
    }
    if too_long > 0 {
        limits.push(format!(
            "{too_long} test questions are longer than the {} tokens that the model can read; they count as wrong.",
            model.max_positions
        ));
    }
    if dataset.split_unit != "document" {
        limits.push(
            "There were fewer than ten documents, so training and test come from different articles or sections of the same \
             texts. Figures on another document can differ."
                .to_owned(),
        );
    }
    if !items
        .iter()
        .any(|i| i.question.draft.level == QcaLevel::Token)
    {
        limits.push(
            "There is no token-level question in the test part: near-miss terms were not measured."
                .to_owned(),
        );
    }
    limits
}

/// The people who have looked at the questions.
fn reviewed(policy: ReviewPolicy) -> String {
    match policy {
        ReviewPolicy::UnreviewedAutomatic => format!(
            "Terms and questions entered under the policy “{}”: no expert has looked at them, so a right answer here \
             means agreement with the extractor and the generator, not with an expert.",
            policy.label()
        ),
        ReviewPolicy::SingleReviewer | ReviewPolicy::TwoAgree | ReviewPolicy::Adjudicated => {
            format!(
                "Questions entered under the policy “{}”: a right answer here means agreement with what those reviewers \
             accepted.",
                policy.label()
            )
        }
    }
}

/// The writers of the questions: a language model wrote `by_model` of them, the offline generator the others.
fn authors(by_model: usize, all: usize, model: &str) -> String {
    if by_model == 0 {
        return format!(
            "The questions were written by the offline generator from patterns and minimal edits of the corpus itself. \
             They show whether the {model} tells these sentences and terms apart. They do not show whether it answers \
             questions that people ask."
        );
    }
    format!(
        "A language model wrote {by_model} of the {all} questions from sentences of the corpus, the offline generator the \
         others. They show whether the {model} tells these sentences and terms apart. They do not show whether it answers \
         questions that people ask."
    )
}

/// The remark if there are so few clusters that intervals and p-values say little.
pub(super) fn few_clusters(n: usize, clusters: usize) -> Option<String> {
    (clusters < FEW_CLUSTERS).then(|| {
        format!(
            "The {n} questions stand in {clusters} clusters: so few show a spread badly. Take intervals and p-values for hints, and import more documents before you decide."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_that_nobody_looked_only_where_nobody_did() {
        let nobody = |policy| reviewed(policy).contains("no expert has looked");
        assert!(nobody(ReviewPolicy::UnreviewedAutomatic));
        for policy in ReviewPolicy::ALL {
            assert!(reviewed(policy).contains(policy.label()));
            assert_eq!(nobody(policy), policy == ReviewPolicy::UnreviewedAutomatic);
        }
    }

    #[test]
    fn a_report_names_those_who_wrote_the_questions() {
        assert!(!authors(0, 9, "decoder").contains("language model"));
        let both = authors(4, 9, "encoder");
        assert!(both.contains("wrote 4 of the 9 questions"), "{both}");
        assert!(both.contains("whether the encoder"), "{both}");
    }

    #[test]
    fn few_clusters_are_said() {
        assert!(
            few_clusters(7, FEW_CLUSTERS - 1)
                .is_some_and(|told| told.contains("stand in 9 clusters"))
        );
        assert_eq!(few_clusters(70, FEW_CLUSTERS), None);
    }
}
