//! Figures from a judge's replies: the marks of each system, the preferences, and the agreement with people.

use super::experts::{Expert, Said};
use crate::evaluation::scorers::RESAMPLES;
use crate::workspace::DEFAULT_SEED;
use lexforge_augment::AnswerText;
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::endpoint::object::Unparseable;
use lexforge_augment::rubric::{Asked, Better, Judged, MARKS, Marks, RubricPrompter};
use lexforge_domain::SentenceId;
use lexforge_domain::api::{ExpertAgreement, JudgedFigures, JudgedPair};
use lexforge_domain::text::Language;
use lexforge_evaluate::statistics::mean_interval;
use std::collections::HashMap;

/// The lowest mark, which an answer without words has.
const LOWEST: f64 = 1.0;
/// From this mark on an answer is taken for right, or for complete.
const GOOD: u8 = 4;

/// A question of the bench with its rule; the rule is empty where it is no longer in the workspace.
pub(super) struct Question {
    pub(super) sentences: Vec<SentenceId>,
    pub(super) rule: String,
    pub(super) language: Language,
    pub(super) text: String,
    pub(super) cluster: usize,
}

impl Question {
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            sentences: &self.sentences,
            rule: &self.rule,
            language: self.language,
            question: &self.text,
        }
    }
}

/// The texts that a system wrote for each question, by index.
pub(super) struct Writer<'m> {
    pub(super) system: &'m str,
    pub(super) wrote: Vec<(usize, &'m str)>,
}

/// The questions for which both wrote something or nothing, with what each wrote.
pub(super) fn both<'q>(
    questions: &'q [Question],
    one: &Writer<'q>,
    two: &Writer<'q>,
) -> Vec<(&'q Question, [&'q str; 2])> {
    let others: HashMap<usize, &str> = two.wrote.iter().copied().collect();
    let pair =
        |(place, text): &(usize, &'q str)| Some((&questions[*place], [*text, *others.get(place)?]));
    one.wrote.iter().filter_map(pair).collect()
}

/// The judge's replies, and the callback for replies that cannot be read.
pub(super) struct Heard<'h> {
    pub(super) prompter: &'h RubricPrompter,
    pub(super) answers: &'h dyn Fn(&PromptKey) -> Option<AnswerText>,
    pub(super) unreadable: &'h mut dyn FnMut(Unparseable),
}

/// The judge's preference for a pair once both orders are answered.
enum Both {
    Says(Better),
    Contradicted,
    Unreadable,
    Unanswered,
}

impl Heard<'_> {
    fn marks(&mut self, asked: Asked<'_>, text: &str) -> Judged<Marks> {
        self.prompter
            .marks(asked, text, self.answers, self.unreadable)
    }

    fn better(&mut self, asked: Asked<'_>, [one, two]: [&str; 2]) -> Both {
        let as_given = self
            .prompter
            .better(asked, [one, two], self.answers, self.unreadable);
        let turned = self
            .prompter
            .better(asked, [two, one], self.answers, self.unreadable);
        match (as_given, turned) {
            (Judged::Read(one), Judged::Read(other)) => agreeing(one, other),
            (Judged::Open(_), _) | (_, Judged::Open(_)) => Both::Unanswered,
            _ => Both::Unreadable,
        }
    }

    pub(super) fn agreement(&mut self, experts: &[&Expert]) -> Option<ExpertAgreement> {
        let mut found = ExpertAgreement::default();
        for expert in experts {
            if !expert.can_be_shown() {
                found.not_shown += 1;
                continue;
            }
            let same = match &expert.said {
                Said::Better([one, two], said) => match self.better(expert.asked(), [one, two]) {
                    Both::Says(better) => Some(better == *said),
                    _ => None,
                },
                Said::Right(text, right) => match self.marks(expert.asked(), text) {
                    Judged::Read(marks) => {
                        Some((marks.correct >= GOOD && marks.complete >= GOOD) == *right)
                    }
                    _ => None,
                },
            };
            match same {
                Some(same) => {
                    found.n += 1;
                    found.agreed += usize::from(same);
                }
                None => found.unclear += 1,
            }
        }
        (!experts.is_empty()).then_some(found)
    }
}

/// The preference that follows from both orders of one pair.
fn agreeing(as_given: Better, turned: Better) -> Both {
    match (as_given, turned) {
        (Better::First, Better::Second) => Both::Says(Better::First),
        (Better::Second, Better::First) => Both::Says(Better::Second),
        (Better::Neither, Better::Neither) => Both::Says(Better::Neither),
        _ => Both::Contradicted,
    }
}

pub(super) fn marked(
    questions: &[Question],
    writer: &Writer<'_>,
    heard: &mut Heard<'_>,
) -> JudgedFigures {
    let mut figures = JudgedFigures::default();
    let (mut all, mut means, mut clusters) = ([0.0; MARKS.len()], Vec::new(), Vec::new());
    for (place, text) in &writer.wrote {
        let question = &questions[*place];
        let marks = if text.is_empty() {
            figures.empty += 1;
            [LOWEST; MARKS.len()]
        } else if question.rule.is_empty() {
            figures.without_rule += 1;
            continue;
        } else {
            match heard.marks(question.asked(), text) {
                Judged::Read(marks) => marks.all().map(f64::from),
                Judged::GivenUp => {
                    figures.unreadable += 1;
                    continue;
                }
                Judged::Open(_) => {
                    figures.unanswered += 1;
                    continue;
                }
            }
        };
        all.iter_mut()
            .zip(marks)
            .for_each(|(sum, mark)| *sum += mark);
        means.push(marks.iter().sum::<f64>() / marks.len() as f64);
        clusters.push(question.cluster);
    }
    figures.n = means.len();
    (figures.mean, figures.ci95, _) = mean_interval(&means, &clusters, RESAMPLES, DEFAULT_SEED);
    let mean = |sum: f64| sum / means.len().max(1) as f64;
    figures.marks = MARKS
        .iter()
        .zip(all)
        .map(|(name, sum)| ((*name).to_owned(), mean(sum)))
        .collect();
    figures
}

pub(super) fn compared(
    questions: &[Question],
    system: &Writer<'_>,
    base: &Writer<'_>,
    heard: &mut Heard<'_>,
) -> JudgedPair {
    let mut pair = JudgedPair {
        system: system.system.to_owned(),
        against: base.system.to_owned(),
        ..JudgedPair::default()
    };
    let (mut leads, mut clusters) = (Vec::new(), Vec::new());
    for (question, [own, other]) in both(questions, system, base) {
        let better = if own == other {
            Better::Neither
        } else if own.is_empty() {
            Better::Second
        } else if other.is_empty() {
            Better::First
        } else if question.rule.is_empty() {
            pair.unanswered += 1;
            continue;
        } else {
            match heard.better(question.asked(), [own, other]) {
                Both::Says(better) => better,
                Both::Contradicted => {
                    pair.contradicted += 1;
                    continue;
                }
                Both::Unreadable => {
                    pair.unreadable += 1;
                    continue;
                }
                Both::Unanswered => {
                    pair.unanswered += 1;
                    continue;
                }
            }
        };
        let (counted, lead) = match better {
            Better::First => (&mut pair.better, 1.0),
            Better::Second => (&mut pair.worse, -1.0),
            Better::Neither => (&mut pair.neither, 0.0),
        };
        *counted += 1;
        leads.push(lead);
        clusters.push(question.cluster);
    }
    pair.n = leads.len();
    (pair.lead, pair.ci95, _) = mean_interval(&leads, &clusters, RESAMPLES, DEFAULT_SEED);
    pair
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_counts_only_where_both_orders_agree() {
        use Better::{First, Neither, Second};
        let says = |one, other| match agreeing(one, other) {
            Both::Says(better) => Some(better),
            _ => None,
        };
        assert_eq!(says(First, Second), Some(First));
        assert_eq!(says(Second, First), Some(Second));
        assert_eq!(says(Neither, Neither), Some(Neither));
        // A judge who always prefers the answer that is first, or second, or who sees a difference in only one order,
        // gives no preference.
        for (one, other) in [
            (First, First),
            (Second, Second),
            (First, Neither),
            (Neither, First),
        ] {
            assert_eq!(says(one, other), None, "{one:?} {other:?}");
        }
    }
}
