//! Why a question is not there, in words: what kept it from being asked for, or what a check found in its draft.

use crate::i18n::tag;

/// What kept a question from being asked for.
pub const LEFT_OUT: [&str; 20] = [
    "capped_in_all",
    "capped_per_anchor",
    "few_similar_terms",
    "fragment",
    "language_unsupported",
    "no_edit",
    "no_neighbour",
    "no_term",
    "no_topic",
    "no_usable_neighbour",
    "not_a_rule",
    "not_answered",
    "nothing_passed",
    "repeated_elsewhere",
    "speaks_to_model",
    "term_given_away",
    "too_long",
    "too_short",
    "unclear_subject",
    "writer_failed",
];

/// What a check found in a draft.
pub const TURNED_DOWN: [&str; 40] = [
    "choice_count",
    "duplicate_choices",
    "answer_missing",
    "origin_mismatch",
    "wrong_anchor",
    "level_mismatch",
    "question_length",
    "choice_length",
    "answer_in_question",
    "banned_phrase",
    "not_grounded",
    "actor_changed",
    "condition_changed",
    "date_changed",
    "direction_changed",
    "modal_changed",
    "negation_changed",
    "number_changed",
    "quantifier_changed",
    "term_changed",
    "rephrased_without_answer",
    "rephrased_adds",
    "question_copies",
    "nested_choice",
    "incomplete_sentence",
    "duplicate_question",
    "foreign_choice",
    "judge_unreadable",
    "judged_below",
    "not_judged",
    "off_task",
    "other_language",
    "empty",
    "declined",
    "too_long_answer",
    "cut",
    "no_object",
    "wrong_fields",
    "several",
    "wrong_content",
];

/// A reason of either kind.
pub fn why(reason: &str) -> String {
    if LEFT_OUT.contains(&reason) {
        tag("left_out", reason)
    } else {
        tag("rejection", reason)
    }
}
