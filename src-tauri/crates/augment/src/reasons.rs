//! Why a question was not drafted, or was rejected. Both are counted and shown.

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $tag:literal : $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, thiserror::Error)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$vdoc])* #[error($text)] $variant,)+
        }

        impl $name {
            /// All reasons in the order in which they are listed.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The tag under which it is counted.
            pub fn tag(self) -> &'static str {
                match self { $(Self::$variant => $tag),+ }
            }

            /// The reason of a tag.
            pub fn from_tag(tag: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|r| r.tag() == tag)
            }
        }
    };
}

reasons! {
    /// Why an anchor gives no question.
    SkipReason {
        /// The writer has no patterns for the language.
        LanguageUnsupported = "language_unsupported": "no question patterns for this language",
        /// A heading, a table cell, or a sentence that lays nothing down: background, a summary, a statement of aims.
        NotARule = "not_a_rule": "a heading, cell or note, or a sentence that lays nothing down",
        /// Not a complete sentence: an item without the opening of its list, a piece of a table.
        Fragment = "fragment": "not a complete sentence",
        /// Too short to be asked about.
        TooShort = "too_short": "too short to ask about",
        /// Too long to be shown as a choice.
        TooLong = "too_long": "too long to show as a choice",
        /// The subject is a pronoun or refers to another sentence.
        UnclearSubject = "unclear_subject": "the subject is named in another sentence only",
        /// No neighbour in the graph.
        NoNeighbour = "no_neighbour": "no neighbouring sentence",
        /// There are neighbours, but none is a complete sentence that differs enough.
        NoUsableNeighbour = "no_usable_neighbour": "no neighbouring sentence that makes a fair wrong choice",
        /// There is no change that keeps the sentence grammatical and makes it wrong.
        NoEdit = "no_edit": "no minimal change that makes the sentence wrong",
        /// The sentence names nothing that a question could be about.
        NoTopic = "no_topic": "nothing in the sentence names what to ask about",
        /// No term in the sentence.
        NoTerm = "no_term": "no term in the sentence",
        /// The terms of the sentence have too few similar terms.
        FewSimilarTerms = "few_similar_terms": "too few similar terms for wrong choices",
        /// The rest of the sentence gives every term away.
        TermGivenAway = "term_given_away": "the rest of the sentence gives the term away",
        /// No draft passed the writer's own check.
        NothingPassed = "nothing_passed": "no draft passed the checks",
        /// The sentence speaks to a language model instead of a reader, so no question is asked about it.
        SpeaksToModel = "speaks_to_model": "the sentence speaks to a language model",
        /// Nearly the same sentence is in another part of the dataset; it is asked about there.
        RepeatedElsewhere = "repeated_elsewhere": "nearly the same sentence stands in another part",
        /// The writer could not be reached or gave no usable answer.
        WriterFailed = "writer_failed": "the writer gave no usable answer",
        /// More would be asked about the sentence than the cap for one sentence allows.
        CappedPerAnchor = "capped_per_anchor": "beyond the most questions about one sentence",
        /// More would be asked than the cap for all sentences allows.
        CappedInAll = "capped_in_all": "beyond the most questions in all",
        /// The writer was not asked yet, or did not answer.
        NotAnswered = "not_answered": "not asked yet, or not answered",
    }
}

reasons! {
    /// Why a draft was rejected.
    Rejection {
        /// A sentence question has four choices, a term question three to eight.
        ChoiceCount = "choice_count": "wrong number of choices",
        /// Two choices are the same but for case, punctuation or white space.
        DuplicateChoices = "duplicate_choices": "two choices are the same",
        /// The index of the answer points outside the choices.
        AnswerMissing = "answer_missing": "the answer is not among the choices",
        /// The origins do not fit the choices, the level or the anchor.
        OriginMismatch = "origin_mismatch": "the origins of the choices are inconsistent",
        /// The draft belongs to another sentence.
        WrongAnchor = "wrong_anchor": "the draft belongs to another sentence",
        /// The level and the other fields do not fit.
        LevelMismatch = "level_mismatch": "level and fields do not fit together",
        /// The question is empty, too short or too long.
        QuestionLength = "question_length": "the question is too short or too long",
        /// A choice is too short or too long.
        ChoiceLength = "choice_length": "a choice is too short or too long",
        /// The question contains its answer.
        AnswerInQuestion = "answer_in_question": "the question contains its answer",
        /// A vague or leading phrase: "which of the following", "according to the regulations".
        BannedPhrase = "banned_phrase": "a vague or leading phrase",
        /// The answer does not come from the anchor.
        NotGrounded = "not_grounded": "the answer does not come from the anchor",
        /// A number, or what it counts, is not the anchor's.
        NumberChanged = "number_changed": "a number of the answer is not the rule's",
        /// A month or a day is not the anchor's.
        DateChanged = "date_changed": "a date of the answer is not the rule's",
        /// A word that obliges, allows or advises is not the anchor's, or is gone.
        ModalChanged = "modal_changed": "the answer obliges, allows or advises otherwise than the rule",
        /// A negation came in or is gone, or a word is there that says the contrary.
        NegationChanged = "negation_changed": "the answer denies what the rule says, or says what it denies",
        /// A condition or an exception came in or is gone.
        ConditionChanged = "condition_changed": "a condition or an exception of the rule is gone or another",
        /// Before and after, at least and at most, more and less.
        DirectionChanged = "direction_changed": "before and after, at least and at most, or more and less are mixed up",
        /// All, some, only; how often.
        QuantifierChanged = "quantifier_changed": "for all, for some, for none but these, or how often: not as in the rule",
        /// Somebody else acts.
        ActorChanged = "actor_changed": "somebody else acts than in the rule",
        /// A defined term that the anchor has not.
        TermChanged = "term_changed": "a term stands in the answer that the rule has not",
        /// The rephrased sentence is missing or does not contain the answer.
        RephrasedWithoutAnswer = "rephrased_without_answer": "the rephrased sentence does not contain the answer",
        /// The rephrased sentence has words that stand neither in the question nor in the term.
        RephrasedAdds = "rephrased_adds": "the rephrased sentence says more than the question and its answer",
        /// The question is the rule itself, with a gap at most.
        QuestionCopies = "question_copies": "the question repeats the rule word for word",
        /// A wrong choice is contained in the answer or contains it.
        NestedChoice = "nested_choice": "a wrong term is part of the right one",
        /// The question asks for a meaning that holds in one act, and does not name the term and this act.
        ActNotNamed = "act_not_named": "the question does not name the term and the act whose meaning it asks for",
        /// The answer is at least as near to another act's definition of the term as to this act's definition. Or a
        /// wrong choice is at least as near to this act's definition as to the definition of its own act.
        MeaningsMixed = "meanings_mixed": "the meanings that two acts give the term are mixed up",
        /// A choice is not a complete sentence.
        IncompleteSentence = "incomplete_sentence": "a choice is not a complete sentence",
        /// It is not in the language of the anchor.
        OtherLanguage = "other_language": "it is not in the language of the text",
        /// A wrong choice of a language model has words that none of the sentences has that it was given.
        ForeignChoice = "foreign_choice": "a wrong choice says what none of the given texts says",
        /// The draft speaks of prompts, models or addresses that the documents do not mention. So the model did
        /// something else than its task.
        OffTask = "off_task": "it speaks of something else than the text",
        /// A judge scored it below the threshold.
        JudgedBelow = "judged_below": "the judge's score is below the threshold",
        /// No answer of the judge about it could be read.
        JudgeUnreadable = "judge_unreadable": "the judge's answer could not be read",
        /// The judge was not asked about it yet, or did not answer.
        NotJudged = "not_judged": "not judged yet",
        /// Much the same question was accepted before.
        DuplicateQuestion = "duplicate_question": "much the same question was accepted before",
    }
}

/// An anchor for which a writer drafted nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Skip {
    /// Why.
    pub reason: SkipReason,
}

impl From<SkipReason> for Skip {
    fn from(reason: SkipReason) -> Self {
        Self { reason }
    }
}

impl Rejection {
    /// The reason in Chinese, for a model that is asked again.
    pub(crate) fn chinese(self) -> &'static str {
        match self {
            Self::ChoiceCount => "备选答案的个数不对",
            Self::DuplicateChoices => "有两个备选答案相同",
            Self::AnswerMissing => "备选答案中没有正确答案",
            Self::OriginMismatch => "备选答案的来源不一致",
            Self::WrongAnchor => "与所给的规定不符",
            Self::LevelMismatch => "与题目的类型不符",
            Self::QuestionLength => "问题过短或过长",
            Self::ChoiceLength => "有的备选答案过短或过长",
            Self::AnswerInQuestion => "问题中已包含答案",
            Self::BannedPhrase => "用了含糊或提示性的说法",
            Self::NotGrounded => "答案不是出自文本 A",
            Self::NumberChanged => "答案中的数字与文本 A 不同",
            Self::DateChanged => "答案中的日期与文本 A 不同",
            Self::ModalChanged => "答案中表示义务、许可或建议的词与文本 A 不同",
            Self::NegationChanged => "答案否定了文本 A 的内容，或者去掉了其中的否定",
            Self::ConditionChanged => "答案遗漏、增加或改变了文本 A 的条件或例外",
            Self::DirectionChanged => "答案把前后、多少或上下限弄反了",
            Self::QuantifierChanged => "答案中的全部、部分、仅限或频次与文本 A 不同",
            Self::ActorChanged => "答案中的行为人与文本 A 不同",
            Self::TermChanged => "答案用了文本 A 没有的术语",
            Self::RephrasedWithoutAnswer => "改写的句子中没有原样包含答案",
            Self::RephrasedAdds => "改写的句子说了问题和答案之外的内容",
            Self::QuestionCopies => "问题照抄了文本 A",
            Self::NestedChoice => "错误答案包含在正确答案之中",
            Self::ActNotNamed => "问题没有写明术语和所问的法规",
            Self::MeaningsMixed => "混淆了术语在不同法规中的含义",
            Self::IncompleteSentence => "有的备选答案不是完整的句子",
            Self::DuplicateQuestion => "与已有的问题基本相同",
            Self::OtherLanguage => "没有用所给文本的语言",
            Self::ForeignChoice => "有的错误答案的内容不是出自所给的文本",
            Self::OffTask => "有的内容与出题无关",
            Self::JudgedBelow => "评分低于要求",
            Self::JudgeUnreadable => "评判无法读取",
            Self::NotJudged => "尚未评判",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_unique_and_come_back() {
        let mut seen = std::collections::HashSet::new();
        for r in Rejection::ALL {
            assert!(seen.insert(r.tag()));
            assert_eq!(Rejection::from_tag(r.tag()), Some(*r));
        }
        for r in SkipReason::ALL {
            assert!(seen.insert(r.tag()));
            assert_eq!(SkipReason::from_tag(r.tag()), Some(*r));
        }
    }

    #[test]
    fn tag_is_what_serde_writes() {
        for r in SkipReason::ALL {
            assert_eq!(
                serde_json::to_string(r).unwrap(),
                format!("\"{}\"", r.tag())
            );
        }
        for r in Rejection::ALL {
            assert_eq!(
                serde_json::to_string(r).unwrap(),
                format!("\"{}\"", r.tag())
            );
        }
    }
}
