//! An exam as a corpus: its questions with their right answers, as passages that are imported like any others.

use super::Evaluations;
use crate::workspace::Result;
use lexforge_domain::exam::ExamQuestion;
use lexforge_text::fold::letters;
use lexforge_text::script::is_set_solid;
use serde::Serialize;
use std::collections::HashSet;

/// A line of a corpus of passages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExamPassage {
    /// The subject, where the question has one, and its number in the exam.
    pub id: String,
    /// The question and what is right of its choices.
    pub text: String,
}

impl Evaluations<'_> {
    /// The questions of an exam, each as one text with its right choices. No wrong choice is in these texts.
    ///
    /// # Errors
    /// When there is no such exam, it has no questions with choices, or the workspace cannot be read.
    pub fn exam_passages(&self, name: &str) -> Result<Vec<ExamPassage>> {
        let (_, questions) = self.exam_questions(name)?;
        let passages = (1..).zip(&questions).map(|(n, question)| ExamPassage {
            id: match question.subject.as_str() {
                "" => format!("{n}"),
                subject => format!("{subject} {n}"),
            },
            text: with_answers(question),
        });
        Ok(passages.collect())
    }
}

/// A question with its right choices, as they would appear in a corpus that contains the exam.
fn with_answers(question: &ExamQuestion) -> String {
    let mut text = question.question.clone();
    for choice in question
        .answers
        .iter()
        .filter_map(|at| question.choices.get(*at))
    {
        let solid = text.ends_with(is_set_solid) && choice.starts_with(is_set_solid);
        if !solid {
            text.push(' ');
        }
        text.push_str(choice);
    }
    text
}

/// How many of the questions are in these sentences, alone or with their answers.
pub(super) fn known(questions: &[&ExamQuestion], corpus: &[String]) -> usize {
    let sentences: HashSet<String> = corpus.iter().map(|text| letters(text)).collect();
    questions
        .iter()
        .filter(|question| {
            sentences.contains(&letters(&question.question))
                || sentences.contains(&letters(&with_answers(question)))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(question: &str, choices: [&str; 3], answers: &[usize]) -> ExamQuestion {
        ExamQuestion {
            question: question.to_owned(),
            choices: choices.map(str::to_owned).to_vec(),
            answers: answers.to_vec(),
            subject: String::new(),
            kind: String::new(),
        }
    }

    #[test]
    fn what_is_right_follows_its_question_and_blanks_are_those_of_the_script() {
        let english = question(
            "Who keeps it?",
            ["the clerk", "the crew", "nobody"],
            &[0, 1],
        );
        assert_eq!(with_answers(&english), "Who keeps it? the clerk the crew");
        let chinese = question("谁负责保存登记簿？", ["船员", "港务办公室", "乘客"], &[1]);
        assert_eq!(with_answers(&chinese), "谁负责保存登记簿？港务办公室");
    }

    #[test]
    fn questions_that_stand_in_the_documents_are_counted() {
        let one = question("Who keeps it?", ["the clerk", "the crew", "nobody"], &[0]);
        let gap = question(
            "The register lies",
            ["with the clerk", "at sea", "nowhere"],
            &[0],
        );
        let other = question("Who pays?", ["the owner", "the crew", "nobody"], &[0]);
        let corpus = [
            "Who keeps it?",
            "The clerk.",
            "The register lies with the clerk",
        ];
        let corpus = corpus.map(str::to_owned);
        assert_eq!(known(&[&one, &gap, &other], &corpus), 2);
        assert_eq!(known(&[&other], &corpus), 0);
    }
}
