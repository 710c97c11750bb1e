//! The writer that needs no language model.

mod attack;
mod balance;
mod chinese;
mod edits;
mod english;
mod items;
mod languages;
mod patterns;
mod plan;
mod rewording;
mod scene;
mod sentence_level;
mod squares;
mod token_level;
mod triplets;

pub use attack::{SimilarTerms, attacked};
pub use triplets::{DraftedTriplets, OfflineTriplets, REWRITTEN, TripletDraft};

use crate::anchor::Anchor;
use crate::reasons::Skip;
use crate::writer::QuestionWriter;
use lexforge_domain::qca::{QcaDraft, QuestionSource};

/// Writes questions by patterns and minimal edits. The same seed and anchor always give the same drafts, whatever was
/// written before.
#[derive(Clone, Debug)]
pub struct OfflineWriter {
    seed: u64,
    taken: sentence_level::Taken,
}

impl OfflineWriter {
    /// A writer whose random choices come from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            taken: sentence_level::Taken::default(),
        }
    }
}

impl QuestionWriter for OfflineWriter {
    fn source(&self) -> QuestionSource {
        QuestionSource::Offline
    }

    fn describe(&self) -> String {
        "offline generator (patterns and minimal edits; no language model)".to_owned()
    }

    fn sentence_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        sentence_level::draft(anchor, &mut self.taken, self.seed)
    }

    fn token_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        token_level::draft(anchor, self.seed)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::anchor::{AnchorTerm, Neighbour};
    use crate::reasons::SkipReason;
    use crate::validate;
    use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
    use lexforge_domain::text::{Language, SentenceKind};
    use lexforge_domain::{SentenceId, TermId};

    fn term<'a>(id: i64, text: &'a str, of: &str) -> AnchorTerm<'a> {
        let at = of.find(text).unwrap();
        let start = of[..at].chars().count() as u32;
        AnchorTerm {
            id: TermId(id),
            text,
            start,
            end: start + text.chars().count() as u32,
            definition: None,
        }
    }

    fn anchor<'a>(text: &'a str, neighbours: &[&'a str], language: Language) -> Anchor<'a> {
        let mut anchor = Anchor::new(SentenceId(1), text, language, SentenceKind::Rule);
        anchor.neighbours = neighbours
            .iter()
            .enumerate()
            .map(|(i, text)| Neighbour {
                id: SentenceId(i as i64 + 2),
                text,
                lead_in: None,
                cosine: 0.8,
            })
            .collect();
        anchor
    }

    fn breach() -> Anchor<'static> {
        let text = "In the case of a personal data breach, the controller shall notify the supervisory authority within 72 hours.";
        let mut anchor = anchor(
            text,
            &[
                "Where the data subject withdraws consent, the processor shall erase the records within 30 days.",
                "The auditor must review the register of processing activities at least once a year.",
            ],
            Language::En,
        );
        anchor.heading = "Notification of a breach";
        anchor.terms = vec![
            term(1, "personal data breach", text),
            term(2, "controller", text),
            term(3, "supervisory authority", text),
        ];
        anchor.similar_terms.insert(
            TermId(2),
            vec![
                (TermId(4), "processor", 0.85),
                (TermId(5), "recipient", 0.8),
                (TermId(6), "third party", 0.78),
            ],
        );
        anchor.similar_terms.insert(
            TermId(3),
            vec![
                (TermId(7), "competent court", 0.8),
                (TermId(8), "certification body", 0.79),
                (TermId(9), "lead supervisory authority", 0.88),
                (TermId(10), "agency", 0.76),
            ],
        );
        anchor
    }

    #[test]
    fn the_choices_of_a_sentence_question_are_one_sentence_with_one_place_open() {
        let mut asked = 0;
        for seed in 0..40 {
            for draft in OfflineWriter::new(seed)
                .sentence_questions(&breach())
                .unwrap()
            {
                asked += 1;
                assert_eq!(validate(&draft, &breach()), Ok(()));
                assert_eq!(draft.choices.len(), 4);
                assert_eq!(
                    draft
                        .origins
                        .iter()
                        .filter(|o| matches!(o, ChoiceOrigin::Anchor))
                        .count(),
                    1
                );
                assert_eq!(draft.origins.get(draft.answer), Some(&ChoiceOrigin::Anchor));
                let common = draft
                    .choices
                    .iter()
                    .map(|c| crate::words::content(c))
                    .reduce(|a, b| &a & &b)
                    .unwrap();
                assert!(!common.is_empty(), "{draft:?}");
            }
        }
        assert!(asked >= 40);
    }

    #[test]
    fn a_deadline_is_asked_for_without_naming_it() {
        let deadline = (0..40)
            .flat_map(|seed| {
                OfflineWriter::new(seed)
                    .sentence_questions(&breach())
                    .unwrap()
            })
            .find(|d| d.question_type == QuestionType::Deadline)
            .unwrap();
        assert_eq!(
            deadline.question,
            "Under the rules on “Notification of a breach”, in the case of a personal data breach, within what period must the controller notify the supervisory authority?"
        );
        assert_eq!(
            deadline.choices[deadline.answer],
            "Within 72 hours at most, the controller must notify the supervisory authority."
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_drafts_in_any_order() {
        let mut once = OfflineWriter::new(7);
        let first = once.sentence_questions(&breach());
        let _ = once.token_questions(&breach());
        assert_eq!(once.sentence_questions(&breach()), first);
        assert_eq!(OfflineWriter::new(7).sentence_questions(&breach()), first);
        let different =
            (8..20).any(|seed| OfflineWriter::new(seed).sentence_questions(&breach()) != first);
        assert!(different);
    }

    #[test]
    fn a_term_question_hides_its_term() {
        let mut asked = 0;
        for seed in 0..20 {
            for draft in OfflineWriter::new(seed).token_questions(&breach()).unwrap() {
                asked += 1;
                let answer = draft.choices[draft.answer].as_str();
                assert!(
                    ["controller", "supervisory authority"].contains(&answer),
                    "{draft:?}"
                );
                assert!(!draft.question.contains(answer));
                assert!(draft.rephrased.as_deref().unwrap().contains(answer));
                let nested = draft
                    .choices
                    .iter()
                    .any(|c| c == "lead supervisory authority");
                assert!(answer != "supervisory authority" || !nested, "{draft:?}");
            }
        }
        assert!(asked >= 20);
    }

    #[test]
    fn one_subject_with_two_articles_is_no_wrong_choice() {
        let text = "A payment institution shall keep client funds in a safeguarding account with a licensed bank.";
        let other = "Where the account shows a shortfall, the payment institution shall restore the balance at once.";
        for seed in 0..40 {
            let drafts =
                OfflineWriter::new(seed).sentence_questions(&anchor(text, &[other], Language::En));
            let actor =
                |o: &ChoiceOrigin| matches!(o, ChoiceOrigin::Edit { edit, .. } if edit == "actor");
            assert!(
                !drafts
                    .into_iter()
                    .flatten()
                    .any(|d| d.origins.iter().any(actor))
            );
        }
    }

    #[test]
    fn what_gives_no_question_says_why() {
        let check = |anchor: Anchor<'_>, expected: SkipReason| {
            assert_eq!(
                OfflineWriter::new(1)
                    .sentence_questions(&anchor)
                    .unwrap_err()
                    .reason,
                expected
            );
        };
        let rule = "This Regulation protects the rights and freedoms of natural persons.";
        check(anchor(rule, &[], Language::En), SkipReason::NoNeighbour);
        check(
            anchor(rule, &["The list:"], Language::En),
            SkipReason::NoUsableNeighbour,
        );
        check(
            anchor(rule, &[rule], Language::Ko),
            SkipReason::LanguageUnsupported,
        );
        check(
            anchor("The controller shall:", &[rule], Language::En),
            SkipReason::Fragment,
        );
        let mut heading = anchor(rule, &[rule], Language::En);
        heading.kind = SentenceKind::Heading;
        check(heading, SkipReason::NotARule);
    }

    #[test]
    fn what_is_neither_english_nor_chinese_is_not_asked_about() {
        let german = "Der Verantwortliche meldet der Aufsichtsbehörde die Verletzung binnen 72 Stunden, wenn er von ihr erfährt.";
        let french = "Le responsable du traitement notifie la violation à l’autorité de contrôle dans les 72 heures.";
        let korean = "개인정보처리자는 개인정보가 유출되었음을 알게 되었을 때에는 72시간 이내에 정보주체에게 알려야 한다.";
        let japanese = "個人情報取扱事業者は、漏えいを知った日から三日以内に個人情報保護委員会に報告しなければならない。";
        let check = |text: &str, languages: &[Language]| {
            for language in languages {
                let anchor = anchor(text, &[text], *language);
                let mut writer = OfflineWriter::new(1);
                let skipped = [
                    writer.sentence_questions(&anchor),
                    writer.token_questions(&anchor),
                ];
                for skipped in skipped {
                    assert_eq!(
                        skipped.unwrap_err().reason,
                        SkipReason::LanguageUnsupported,
                        "{language:?}: {text}"
                    );
                }
            }
        };
        // The result does not depend on the document's stated language.
        check(german, &[Language::Other, Language::En, Language::Zh]);
        check(french, &[Language::Other, Language::En, Language::Zh]);
        check(korean, &[Language::Ko, Language::Other, Language::Zh]);
        check(japanese, &[Language::Other, Language::Zh]);
    }

    /// If other acts define the term differently, the question names its act, and the definitions of the other acts are
    /// the wrong choices.
    #[test]
    fn a_term_that_acts_define_differently_is_asked_about_in_its_own_act() {
        let text = "‘branch’ means any place of business of a bank which is open to the public.";
        let mut anchor = anchor(text, &[], Language::En);
        anchor.kind = SentenceKind::Definition;
        anchor.document_title = "Banking Act";
        anchor.definition = Some((
            "branch",
            "any place of business of a bank which is open to the public",
        ));
        anchor.elsewhere = vec![
            (
                SentenceId(7),
                "any shop of a dealer which sells goods to its customers",
            ),
            (
                SentenceId(8),
                "any office of a broker which accepts orders from investors",
            ),
            (
                SentenceId(9),
                "any part of a company which keeps accounts of its own",
            ),
        ];
        let mut asked = 0;
        for seed in 0..20 {
            let drafts = OfflineWriter::new(seed).sentence_questions(&anchor);
            for draft in drafts.unwrap_or_default() {
                if !draft
                    .question
                    .contains("within the meaning of “Banking Act”")
                {
                    continue;
                }
                asked += 1;
                assert!(draft.choices[draft.answer].contains("place of business of a bank"));
                let elsewhere = draft.origins.iter().filter(|origin| {
                    matches!(origin, ChoiceOrigin::Neighbour { sentence } if (7..10).contains(&sentence.0))
                });
                assert_eq!(elsewhere.count(), 3);
                assert_eq!(validate(&draft, &anchor), Ok(()));
            }
        }
        assert!(asked > 0);
    }

    #[test]
    fn chinese_is_asked_in_chinese() {
        let text = "商业银行应当在每季度结束后二十日内向监督管理机构报送统计报表。";
        let mut anchor = anchor(
            text,
            &[
                "保险公司应当自收到申请之日起三十日内作出核定。",
                "董事会不得将审批职责转授给分支机构。",
            ],
            Language::Zh,
        );
        anchor.terms = vec![term(1, "统计报表", text), term(2, "监督管理机构", text)];
        anchor.similar_terms.insert(
            TermId(1),
            vec![
                (TermId(3), "会计报表", 0.8),
                (TermId(4), "业务报表", 0.8),
                (TermId(5), "利润分配报表", 0.77),
            ],
        );
        for seed in 0..20 {
            for draft in OfflineWriter::new(seed)
                .sentence_questions(&anchor)
                .unwrap()
            {
                assert!(draft.question.ends_with('？'), "{}", draft.question);
                assert!(draft.choices.iter().all(|c| c.ends_with('。')));
            }
            let tokens = OfflineWriter::new(seed).token_questions(&anchor).unwrap();
            assert_eq!(tokens[0].choices[tokens[0].answer], "统计报表");
        }
    }
}
