//! The texts that systems wrote for the questions without their choices, and the judge's marks for them, as tables.

use super::markup::{Page, columns, escape, foreign, table};
use super::numbers::{change, change_interval, count, figure, p_value};
use lexforge_domain::api::{
    BenchJudge, BenchTable, ExpertAgreement, JudgedFigures, JudgedPair, WrittenFigures,
};
use lexforge_domain::metrics::Comparison;
use lexforge_domain::statistics::PairedComparison;

/// The marks, in the order in which they are shown.
const MARKS: [&str; 5] = ["correct", "complete", "grounded", "restrained", "plain"];

/// Adds the sections. Without a system that writes, there are none.
pub(super) fn sections(page: &mut Page, systems: &BenchTable) {
    let writers: Vec<(&str, &WrittenFigures)> = systems
        .systems
        .iter()
        .filter_map(|row| Some((row.system.as_str(), row.written.as_ref()?)))
        .collect();
    if writers.is_empty() {
        return;
    }
    page.section("written", "What systems wrote", &by_words(&writers));
    if let Some(judge) = &systems.judge {
        page.section("judge", "The judge", &judged(&writers, judge));
    }
}

fn by_words(writers: &[(&str, &WrittenFigures)]) -> String {
    let one = |value: f64| format!("{value:.1}");
    // A table of an earlier version has fewer figures.
    let none = || "–".to_owned();
    let share = |value: Option<f64>| value.map_or_else(none, figure);
    let shorter = |written: &WrittenFigures, at: usize| {
        let found = written.shorter_bleu.map(|bleu| bleu[at]);
        found.map_or_else(none, one)
    };
    let rows: Vec<Vec<String>> = writers
        .iter()
        .map(|(system, written)| {
            let bertscore = written.bertscore.as_ref();
            vec![
                foreign(system),
                count(written.n as u64),
                count(written.empty as u64),
                shorter(written, 0),
                shorter(written, 1),
                shorter(written, 2),
                one(written.bleu),
                share(written.rouge1),
                share(written.rouge2),
                figure(written.rouge_l),
                figure(written.meteor),
                one(written.chrf),
                bertscore.map_or("–".to_owned(), |found| figure(found.mean.f1)),
            ]
        })
        .collect();
    let columns = columns![
        Words "System", Figures "n", Figures "Empty", Figures "BLEU-1", Figures "BLEU-2",
        Figures "BLEU-3", Figures "BLEU-4", Figures "ROUGE-1", Figures "ROUGE-2", Figures "ROUGE-L",
        Figures "METEOR", Figures "chrF", Figures "BERTScore",
    ];
    let caption = "Answers to the test questions without their choices, beside the right answers.";
    let note = "<p class=\"note\">These figures say how near the words come to the right answers; they say nothing about who \
                is right where the words differ. An empty answer counts as 0.</p>";
    let signature = writers
        .iter()
        .find_map(|(_, written)| written.bertscore.as_ref())
        .map(|found| {
            format!(
                "<p class=\"note\"><code>{}</code></p>",
                escape(&found.signature)
            )
        });
    table(caption, &columns, &rows) + note + &signature.unwrap_or_default() + &changes(writers)
}

/// How far the answers of each system lie from the baseline's; nothing where none was compared.
fn changes(writers: &[(&str, &WrittenFigures)]) -> String {
    let of_system = |(system, written): &(&str, &WrittenFigures)| -> Vec<Vec<String>> {
        let against = written.against.iter();
        against.map(|one| changed(system, one)).collect()
    };
    let rows: Vec<Vec<String>> = writers.iter().flat_map(of_system).collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns = columns![
        Words "System", Words "Measure", Figures "n", Figures "Difference [95 % interval]",
        Figures "p, corrected",
    ];
    let caption = "Written answers minus those of the baseline, answer by answer; BLEU-4 of each answer by itself.";
    table(caption, &columns, &rows)
}

fn changed(system: &str, one: &PairedComparison) -> Vec<String> {
    let Comparison {
        measure,
        difference: d,
        ..
    } = &one.comparison;
    let (name, in_hundredths) = match measure.as_str() {
        "rouge_l" => ("ROUGE-L", false),
        "meteor" => ("METEOR", false),
        "chrf" => ("chrF", true),
        "bleu" => ("BLEU-4", true),
        other => (other, false),
    };
    let moved = |value: f64| match in_hundredths {
        true => format!("{value:+.1}").replace('-', "−"),
        false => change(value),
    };
    vec![
        foreign(system),
        escape(name),
        count(one.n as u64),
        format!(
            "<b>{}</b> <span class=\"ci\">[{},\u{a0}{}]</span>",
            moved(d.value),
            moved(d.low),
            moved(d.high)
        ),
        p_value(one.p_holm),
    ]
}

fn judged(writers: &[(&str, &WrittenFigures)], judge: &BenchJudge) -> String {
    let rows: Vec<Vec<String>> = writers
        .iter()
        .filter_map(|(system, written)| Some(marks(system, written.judged.as_ref()?)))
        .collect();
    let columns = columns![
        Words "System", Figures "Mean of 5 [95 % interval]", Figures "Correct", Figures "Complete",
        Figures "Grounded", Figures "Restrained", Figures "Plain", Figures "n", Figures "Empty",
        Figures "Unreadable", Figures "Not answered", Figures "Rule gone",
    ];
    let who = format!(
        "<p>Asked: {} at {}.</p>",
        escape(&judge.model),
        escape(&judge.host)
    );
    let mut out = who + &table("Marks from 1 to 5 for each answer.", &columns, &rows);
    if !judge.pairs.is_empty() {
        out += &pairs(&judge.pairs);
    }
    let unread: u64 = judge.asked.unparseable.values().sum();
    if unread > 0 {
        out += &format!(
            "<p class=\"note\">Replies that could not be read: {}.</p>",
            count(unread)
        );
    }
    out + &agreements(judge)
}

fn marks(system: &str, judged: &JudgedFigures) -> Vec<String> {
    let mark = |value: Option<f64>| match value.filter(|_| judged.n > 0) {
        Some(value) => format!("{value:.2}"),
        None => "–".to_owned(),
    };
    let mean = match judged.ci95.filter(|_| judged.n > 0) {
        Some([low, high]) => format!(
            "<b>{:.2}</b> <span class=\"ci\">[{low:.2},\u{a0}{high:.2}]</span>",
            judged.mean
        ),
        None => format!("<b>{}</b>", mark(Some(judged.mean))),
    };
    let mut cells = vec![foreign(system), mean];
    cells.extend(MARKS.map(|name| mark(judged.marks.get(name).copied())));
    let counts = [
        judged.n,
        judged.empty,
        judged.unreadable,
        judged.unanswered,
        judged.without_rule,
    ];
    cells.extend(counts.map(|n| count(n as u64)));
    cells
}

fn pairs(pairs: &[JudgedPair]) -> String {
    let rows: Vec<Vec<String>> = pairs
        .iter()
        .map(|pair| {
            let lead = match pair.ci95.filter(|_| pair.n > 0) {
                Some([low, high]) => format!(
                    "<b>{}</b> <span class=\"ci\">{}</span>",
                    change(pair.lead),
                    change_interval(low, high)
                ),
                None => "–".to_owned(),
            };
            let mut cells = vec![foreign(&pair.system), foreign(&pair.against)];
            cells.extend([pair.better, pair.neither, pair.worse].map(|n| count(n as u64)));
            cells.push(lead);
            let unused = [pair.contradicted, pair.unreadable, pair.unanswered];
            cells.extend(unused.map(|n| count(n as u64)));
            cells
        })
        .collect();
    let columns = columns![
        Words "System", Words "Against", Figures "Preferred", Figures "Neither",
        Figures "The other", Figures "Lead [95 % interval]", Figures "Contradicted",
        Figures "Unreadable", Figures "Not answered",
    ];
    let caption = "Each pair of answers was shown in both orders; a preference counts only if it is the same in both.";
    table(caption, &columns, &rows)
}

fn agreements(judge: &BenchJudge) -> String {
    let said = |what: &str, found: &ExpertAgreement| {
        format!(
            "<p class=\"note\">{what}: agrees with people in {} of {} cases; {} more were unclear, {} could not be shown to it.</p>",
            count(found.agreed as u64),
            count(found.n as u64),
            count(found.unclear as u64),
            count(found.not_shown as u64)
        )
    };
    let preferences = judge.preferences.as_ref();
    let verdicts = judge.verdicts.as_ref();
    let found: String = [
        preferences.map(|found| said("Which of two answers is better", found)),
        verdicts.map(|found| said("Whether an answer is right", found)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if found.is_empty() {
        return "<p class=\"note\">The judge is not compared with people: nobody has said yet what they think of an \
                answer.</p>"
            .to_owned();
    }
    found
}
