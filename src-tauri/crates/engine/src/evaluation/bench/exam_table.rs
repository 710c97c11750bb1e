//! What systems gave for an exam, as one table.

use super::lines::Answers;
use super::systems::{ENDPOINT, baseline_of};
use super::table::answered;
use crate::evaluation::scorers::{GENERATION, RESAMPLES, Scores};
use crate::models::DEMO_DECODER;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::Failure;
use lexforge_domain::api::{BenchMissing, ExamFigures, ExamLine, ExamRow, ExamSample, ExamTable};
use lexforge_domain::exam::ExamQuestion;
use lexforge_domain::protocol::ScoreLine;
use lexforge_domain::statistics::PairedComparison;
use lexforge_evaluate::exam::{ExamAnswer, Response, figures};
use lexforge_evaluate::statistics::{PairedSeries, compare_all, holm};
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The unit that is drawn as a whole for intervals.
const UNIT: &str = "question";
/// Fewer questions of a subject than this say little, which is noted.
const FEW: usize = 30;

/// What was asked.
pub(super) struct Asked<'a> {
    pub(super) about: &'a ExamRow,
    /// The questions; number 1 is the first.
    pub(super) questions: &'a [&'a ExamQuestion],
    /// The cluster of each.
    pub(super) clusters: &'a [usize],
    pub(super) sample: Option<ExamSample>,
    /// Systems that count did so on the exam's own texts.
    pub(super) counted_on_itself: bool,
    /// Questions that are in the workspace's documents.
    pub(super) in_documents: usize,
}

/// A system under one scorer.
struct Line<'a> {
    system: &'a str,
    scorer: &'static str,
    /// Each question that the system can read: its index, and the marks for its answer.
    answers: Vec<(usize, ExamAnswer)>,
    too_long: usize,
}

/// The table of results: each system with its difference from the baseline under the same scorer. Holm's correction is
/// applied to all differences together.
pub(super) fn table(
    asked: &Asked<'_>,
    measured: &[(String, Answers)],
    missing: Vec<BenchMissing>,
    baseline: Option<&str>,
) -> Result<ExamTable> {
    let lines: Vec<Line> = measured
        .iter()
        .flat_map(|(system, answers)| under_each_scorer(asked, system, answers))
        .collect();
    let baseline = baseline_of(baseline, measured);
    let mut rows = Vec::new();
    for line in &lines {
        let base = lines
            .iter()
            .find(|other| Some(other.system) == baseline.as_deref() && other.scorer == line.scorer)
            .filter(|base| base.system != line.system);
        let against = base.map(|base| compared(base, line)).transpose()?.flatten();
        rows.push(row(asked, line, against));
    }
    let mut found: Vec<&mut PairedComparison> =
        rows.iter_mut().filter_map(|r| r.against.as_mut()).collect();
    let p_values: Vec<f64> = found.iter().map(|c| c.comparison.p_value).collect();
    for (one, corrected) in found.iter_mut().zip(holm(&p_values)) {
        one.p_holm = corrected;
    }
    Ok(ExamTable {
        exam: asked.about.name.clone(),
        hash: asked.about.hash.clone(),
        unit: UNIT.to_owned(),
        n: asked.questions.len(),
        clusters: asked.clusters.iter().collect::<HashSet<_>>().len(),
        of: asked.about.questions as usize,
        sample: asked.sample,
        baseline,
        notes: notes(asked, &rows),
        systems: rows,
        missing,
    })
}

fn under_each_scorer<'a>(
    asked: &Asked<'_>,
    system: &'a str,
    answers: &'a Answers,
) -> Vec<Line<'a>> {
    let scores = Scores::of(&answers.items, answers.lines.clone());
    let of_scorer = |scorer: &'static str| {
        let scored = scores.named(scorer)?;
        let answers = scored
            .into_iter()
            .zip(&answers.lines)
            .filter_map(|(item, line)| {
                let place = usize::try_from(item.id.0 - 1).ok()?;
                let question = asked.questions.get(place)?;
                let response = if scorer == GENERATION {
                    named(line, question)
                } else if item.scores.iter().any(|score| score.is_nan()) {
                    Response::Nothing
                } else {
                    Response::Scores(item.scores)
                };
                let answer = ExamAnswer {
                    cluster: *asked.clusters.get(place)?,
                    choices: question.choices.len(),
                    answers: question.answers.clone(),
                    response,
                };
                Some((place, answer))
            })
            .collect();
        Some(Line {
            system,
            scorer,
            answers,
            too_long: scores.too_long(),
        })
    };
    let scorers = answers.by.scorers();
    scorers.iter().copied().filter_map(of_scorer).collect()
}

/// The choices that a written answer names. If the answer was read strictly as one choice, it names this choice.
/// Otherwise, only an answer to a question with several right choices can name something. If every line of the answer
/// is a choice, it names these choices. If not, it names every choice whose words occur in it. A choice does not count
/// if its words occur only as a part of a longer choice.
fn named(line: &ScoreLine, question: &ExamQuestion) -> Response {
    let Some(written) = &line.written else {
        return Response::Nothing;
    };
    if let Some(choice) = written.choice {
        return Response::Named(vec![choice]);
    }
    if question.answers.len() < 2 {
        return Response::Nothing;
    }
    // An endpoint's choices stand in their own words, one a line: there is nothing to guess.
    let place = |line: &str| question.choices.iter().position(|choice| choice == line);
    let listed: Option<Vec<usize>> = written.text.split('\n').map(place).collect();
    if let Some(listed) = listed {
        return Response::Named(listed);
    }
    let text = letters(&written.text);
    let choices: Vec<String> = question.choices.iter().map(|c| letters(c)).collect();
    let within = |one: &String| {
        let longer = |c: &&String| c.len() > one.len() && text.contains(c.as_str());
        choices
            .iter()
            .filter(longer)
            .any(|c| c.contains(one.as_str()))
    };
    let found: Vec<usize> = (0..choices.len())
        .filter(|&i| !choices[i].is_empty() && text.contains(&choices[i]) && !within(&choices[i]))
        .collect();
    if found.is_empty() {
        Response::Nothing
    } else {
        Response::Named(found)
    }
}

/// The difference in accuracy on the questions that both can read; `None` where there is no such question.
fn compared(base: &Line, line: &Line) -> Result<Option<PairedComparison>> {
    let before: HashMap<usize, &ExamAnswer> = base.answers.iter().map(|(p, a)| (*p, a)).collect();
    let both: Vec<(&ExamAnswer, &ExamAnswer)> = line
        .answers
        .iter()
        .filter_map(|(place, answer)| Some((*before.get(place)?, answer)))
        .collect();
    if both.is_empty() {
        return Ok(None);
    }
    let clusters: Vec<usize> = both.iter().map(|(_, after)| after.cluster).collect();
    let series = PairedSeries {
        measure: "accuracy".to_owned(),
        against: base.system.to_owned(),
        before: both.iter().map(|(before, _)| before.credit().set).collect(),
        after: both.iter().map(|(_, after)| after.credit().set).collect(),
    };
    let found = compare_all(&[series], &clusters, UNIT, RESAMPLES, DEFAULT_SEED);
    Ok(found.map_err(Failure::from)?.into_iter().next())
}

fn row(asked: &Asked<'_>, line: &Line, against: Option<PairedComparison>) -> ExamLine {
    let of = |holds: &dyn Fn(&ExamQuestion) -> bool| {
        let some = line
            .answers
            .iter()
            .filter(|(place, _)| holds(asked.questions[*place]))
            .map(|(_, answer)| answer);
        figures(some, RESAMPLES, DEFAULT_SEED)
    };
    let by = |named: fn(&ExamQuestion) -> &str| -> BTreeMap<String, ExamFigures> {
        let names: HashSet<&str> = line
            .answers
            .iter()
            .map(|(place, _)| named(asked.questions[*place]))
            .filter(|name| !name.is_empty())
            .collect();
        let figures_of = |name: &str| (name.to_owned(), of(&|q| named(q) == name));
        names.into_iter().map(figures_of).collect()
    };
    let several = of(&|q| q.answers.len() > 1);
    let count = |holds: &dyn Fn(&ExamAnswer) -> bool| {
        line.answers
            .iter()
            .filter(|(_, answer)| holds(answer))
            .count()
    };
    let unanswered = count(&|answer| answer.response == Response::Nothing);
    ExamLine {
        system: line.system.to_owned(),
        scorer: line.scorer.to_owned(),
        figures: of(&|_| true),
        by_subject: by(|q| &q.subject),
        by_kind: by(|q| &q.kind),
        several: (several.n > 0).then_some(several),
        unread: asked.questions.len() - line.answers.len(),
        too_long: line.too_long,
        unparseable: if line.scorer == GENERATION {
            unanswered.saturating_sub(line.too_long)
        } else {
            0
        },
        undecided: count(&ExamAnswer::undecided),
        against,
    }
}

fn notes(asked: &Asked<'_>, rows: &[ExamLine]) -> Vec<String> {
    let mut notes = vec![
        "Systems are compared under the same scorer alone; figures of two scorers say nothing about each other.".to_owned(),
        "Intervals and p-values resample questions; questions with one wording are one. Questions of a subject may be alike in \
         ways that this does not show."
            .to_owned(),
        "Whether a model has read the exam in its training is not known here.".to_owned(),
    ];
    if asked.in_documents > 0 {
        notes.push(format!(
            "{} of {} questions stand in the documents of this workspace: what was trained on these, or counts their words, has seen \
             them, and its figures say nothing of questions that it has not seen.",
            asked.in_documents,
            asked.questions.len()
        ));
    }
    if asked.questions.iter().any(|q| q.answers.len() > 1) {
        notes.push(
            "Where several choices are right, a system that scores choices is told how many they are; one that writes its \
             answer is not. All of them, and no other, must be given for the question to count."
                .to_owned(),
        );
    }
    if asked.counted_on_itself && rows.iter().any(|row| !row.system.contains(' ')) {
        notes.push(
            "The workspace has no documents: tfidf, lsa and bm25 count the words of the exam's own questions and choices."
                .to_owned(),
        );
    }
    if rows.iter().any(|row| row.system.ends_with(DEMO_DECODER)) {
        notes.push(format!(
            "{DEMO_DECODER} has three million parameters and knows no law: what it scores shows the process alone."
        ));
    }
    for row in rows {
        let name = format!("{} ({})", row.system, row.scorer);
        if row.unread > 0 && row.system.starts_with(ENDPOINT) {
            notes.push(answered(&name, row.figures.n, asked.questions.len()));
        } else if row.unread > 0 {
            notes.push(format!(
                "{name} reads {} of {} questions; it is compared on those that the baseline reads too.",
                row.figures.n,
                asked.questions.len()
            ));
        }
        if row.undecided > 0 {
            notes.push(format!(
                "Questions of which {name} gives all choices one score count as the share that guessing has: {}.",
                row.undecided
            ));
        }
    }
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for question in asked.questions {
        *sizes.entry(question.subject.as_str()).or_default() += 1;
    }
    let n = asked.questions.len();
    if n < FEW {
        notes.push(format!(
            "There are {n} questions only: their figures say little."
        ));
    }
    let few = sizes.values().filter(|n| **n < FEW).count();
    if few > 0 && sizes.len() > 1 {
        notes.push(format!(
            "{few} of {} subjects have fewer than {FEW} questions: their figures say little.",
            sizes.len()
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::WrittenAnswer;

    fn read(text: &str) -> Response {
        let question = ExamQuestion {
            question: "哪些影响价格？".to_owned(),
            choices: ["利率", "市场利率", "天气"].map(str::to_owned).to_vec(),
            answers: vec![0, 1],
            subject: String::new(),
            kind: String::new(),
        };
        let line = ScoreLine {
            written: Some(WrittenAnswer {
                text: text.to_owned(),
                ..WrittenAnswer::default()
            }),
            ..ScoreLine::default()
        };
        named(&line, &question)
    }

    #[test]
    fn a_listed_choice_counts_though_it_lies_within_another_one() {
        assert_eq!(read("利率\n市场利率"), Response::Named(vec![0, 1]));
        assert_eq!(read("市场利率"), Response::Named(vec![1]));
        // In a sentence only the longer one is named.
        assert_eq!(read("是市场利率和天气"), Response::Named(vec![1, 2]));
        assert_eq!(read(""), Response::Nothing);
    }
}
