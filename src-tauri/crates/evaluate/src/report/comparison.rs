//! A comparison: systems side by side on the test questions of one snapshot.

use super::attacked;
use super::charts;
use super::markup::{Page, columns, escape, foreign, own, table};
use super::names::{scorer_name, scorer_within, unit_words};
use super::numbers::{change, change_interval, count, counted, figure, p_value};
use super::paper::{hashes, header, missing, sentences, verdict};
use super::results::with_interval;
use super::written;
use lexforge_domain::api::{BenchRow, BenchTable, ComparisonPaper};
use lexforge_domain::metrics::GroupMetrics;
use lexforge_domain::qca::{QcaLevel, QuestionType};
use lexforge_domain::statistics::{PairedComparison, Power};
use lexforge_domain::verdict::Verdict;
use std::collections::BTreeMap;

/// Confused terms that are shown of each system.
const CONFUSED_SHOWN: usize = 5;

/// The page of a comparison, and of the same systems under attack where that was measured.
pub fn comparison_html(of: &ComparisonPaper) -> String {
    let (paper, systems, under_attack) = (&of.head, &of.systems, of.attack.as_ref());
    let mut page = Page::default();
    let baseline = systems.baseline.as_deref().unwrap_or("none");
    header(
        &mut page,
        paper,
        "Comparison",
        &format!(
            "{} side by side",
            counted(of_systems(systems) as u64, "system", "systems")
        ),
        &format!(
            "{} of one snapshot, in {}. Compared with <b>{}</b>.",
            counted(systems.n as u64, "test question", "test questions"),
            clusters(systems),
            foreign(baseline)
        ),
    );
    said_first(&mut page, systems);
    figures(&mut page, systems);
    differences(&mut page, systems);
    groups(&mut page, systems);
    classes(&mut page, systems);
    written::sections(&mut page, systems);
    confused(&mut page, systems);
    if let Some(under_attack) = under_attack {
        attacked::sections(&mut page, under_attack, None);
    }
    if let Some(power) = &systems.power {
        page.section(
            "power",
            "What these questions can show",
            &can_show(power, &systems.unit),
        );
    }
    missing(&mut page, &systems.missing);
    let notes: Vec<String> = systems
        .notes
        .iter()
        .chain(under_attack.iter().flat_map(|table| &table.notes))
        .cloned()
        .collect();
    sentences(&mut page, "notes", "What has to be known", &notes);
    let named = [("Dataset snapshot".to_owned(), systems.dataset.clone())];
    hashes(&mut page, paper, &named);
    page.finish(&format!("{} · comparison", paper.workspace))
}

fn of_systems(systems: &BenchTable) -> usize {
    let names: std::collections::BTreeSet<&str> = systems
        .systems
        .iter()
        .map(|row| row.system.as_str())
        .collect();
    names.len()
}

fn clusters(systems: &BenchTable) -> String {
    let (one, several) = unit_words(&systems.unit);
    format!(
        "{} {}",
        count(systems.clusters as u64),
        if systems.clusters == 1 { one } else { several }
    )
}

/// In one line: who is better than the baseline, who is worse, and about whom nothing can be said.
fn said_first(page: &mut Page, systems: &BenchTable) {
    let of = |wanted: Verdict| -> Vec<String> {
        systems
            .systems
            .iter()
            .filter(|row| row.against.as_ref().map(Verdict::corrected) == Some(wanted))
            .map(|row| format!("{} ({})", foreign(&row.system), scorer_within(&row.scorer)))
            .collect()
    };
    let (better, worse, undecided) = (
        of(Verdict::Better),
        of(Verdict::Worse),
        of(Verdict::Undecided),
    );
    if better.is_empty() && worse.is_empty() && undecided.is_empty() {
        verdict(
            page,
            "",
            "Not compared.",
            "No system has figures under the scorer of another one that could be the baseline.",
        );
        return;
    }
    let list = |names: &[String]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let (class, word) = match (better.is_empty(), worse.is_empty()) {
        (false, _) => ("better", "Some are better."),
        (true, false) => ("worse", "None is better."),
        (true, true) => ("", "Undecided."),
    };
    verdict(
        page,
        class,
        word,
        &format!(
            "Better than the baseline: {}. Worse: {}. These questions cannot tell: {}.",
            list(&better),
            list(&worse),
            list(&undecided)
        ),
    );
}

fn figures(page: &mut Page, systems: &BenchTable) {
    let rows: Vec<Vec<String>> = systems
        .systems
        .iter()
        .map(|row| {
            let f = &row.figures;
            // A scorer without cosines has no gap.
            let gap = match f.gap_ci95 {
                [0.0, 0.0] => "–".to_owned(),
                bounds => with_interval(f.choice_cosine_gap, bounds),
            };
            vec![
                foreign(&row.system),
                escape(scorer_name(&row.scorer)),
                count(f.n as u64),
                with_interval(f.accuracy, f.ci95) + &seeds(row),
                figure(f.f1),
                gap,
                count(row.too_long as u64),
            ]
        })
        .collect();
    let columns = columns![
        Words "System", Words "Scorer", Figures "n", Figures "Accuracy [95 % interval]",
        Figures "Macro F1", Figures "Cosine gap of the choices", Figures "Too long",
    ];
    let note = format!(
        "<p class=\"note\">Intervals: percentile bootstrap over {}. Too long: questions that are longer than the system can \
         read; they count as wrong. Figures of two scorers say nothing about each other.</p>",
        unit_words(&systems.unit).1
    );
    page.section(
        "systems",
        "Systems",
        &(table("Every system by itself.", &columns, &rows) + &note),
    );
}

/// How far the accuracy depends on the seed, where a system stands for several runs.
fn seeds(row: &BenchRow) -> String {
    match row.over_seeds() {
        Some([least, most]) => format!(
            "<small> seeds {} to {}</small>",
            figure(least),
            figure(most)
        ),
        None => String::new(),
    }
}

fn differences(page: &mut Page, systems: &BenchTable) {
    let compared: Vec<(&BenchRow, &PairedComparison)> = systems
        .systems
        .iter()
        .filter_map(|row| Some((row, row.against.as_ref()?)))
        .collect();
    let Some((_, first)) = compared.first() else {
        return;
    };
    let scale = charts::whisker_scale(compared.iter().map(|(_, one)| &one.comparison.difference));
    let rows: Vec<Vec<String>> = compared
        .iter()
        .map(|(row, one)| difference(row, one, scale))
        .collect();
    let columns = columns![
        Words "System", Words "Scorer", Figures "n", Words "worse · change · better",
        Figures "Difference [95 % interval]", Figures "p", Figures "p, corrected",
        Figures "McNemar's p", Figures "Paired t's p", Words "Reading",
    ];
    let caption = format!(
        "Accuracy minus that of the baseline on the questions that both read. The scale runs from {} to {}.",
        change(-scale),
        change(scale)
    );
    let notes = format!(
        "<p class=\"legend\">{}</p><p class=\"note\">p: {}; unit: {}; {} draws; corrected by Holm over all differences of \
         this table. A system is called better or worse only if its interval leaves out zero and the corrected p is below .05. \
         McNemar's and the paired t test take every question for independent of the others, which those of one {} are not: they \
         stand here for comparison with the literature and decide nothing.</p>",
        charts::whisker_legend(),
        escape(&first.comparison.test),
        unit_words(&systems.unit).0,
        count(first.comparison.resamples as u64),
        unit_words(&systems.unit).0,
    );
    page.section(
        "differences",
        "Against the baseline",
        &(table(&caption, &columns, &rows) + &notes),
    );
}

fn difference(row: &BenchRow, one: &PairedComparison, scale: f64) -> Vec<String> {
    let (d, reading) = (&one.comparison.difference, Verdict::corrected(one));
    let p = |p: Option<f64>| p.map_or("–".to_owned(), |p| escape(&p_value(p)));
    vec![
        foreign(&row.system),
        escape(scorer_name(&row.scorer)),
        count(one.n as u64),
        charts::whisker(d, reading, scale),
        format!(
            "<b>{}</b> <span class=\"ci\">{}</span>",
            change(d.value),
            change_interval(d.low, d.high)
        ),
        p(Some(one.comparison.p_value)),
        p(Some(one.p_holm)),
        p(one.by_item.mcnemar.map(|test| test.p_value)),
        p(one.by_item.paired_t.map(|test| test.p_value)),
        format!("<span class=\"badge {0}\">{0}</span>", reading.word()),
    ]
}

/// Accuracy by level and by kind of question.
fn groups(page: &mut Page, systems: &BenchTable) {
    let mut rows = Vec::new();
    for row in &systems.systems {
        let mut add = |name: &str, groups: &BTreeMap<String, GroupMetrics>, tag: &str| {
            if let Some(group) = groups.get(tag) {
                rows.push(vec![
                    foreign(&row.system),
                    escape(scorer_name(&row.scorer)),
                    escape(name),
                    count(group.n as u64),
                    count(group.clusters as u64),
                    with_interval(group.accuracy, group.ci95),
                ]);
            }
        };
        for (level, name) in [
            (QcaLevel::Sentence, "sentence questions"),
            (QcaLevel::Token, "term questions"),
        ] {
            add(name, &row.figures.by_level, level.tag());
        }
        for kind in QuestionType::ALL {
            add(
                super::results::type_name(kind),
                &row.figures.by_type,
                kind.tag(),
            );
        }
    }
    let columns = columns![
        Words "System", Words "Scorer", Words "Questions", Figures "n", Figures "Clusters",
        Figures "Accuracy [95 % interval]",
    ];
    if !rows.is_empty() {
        let list = table("By level and by what is asked about.", &columns, &rows);
        page.section(
            "kinds",
            "By kind of question",
            &format!("<details><summary>Show the table</summary>{list}</details>"),
        );
    }
}

/// Accuracy by class of document, where there are several.
fn classes(page: &mut Page, systems: &BenchTable) {
    let rows: Vec<Vec<String>> = systems
        .systems
        .iter()
        .flat_map(|row| row.by_class.iter().map(move |class| (row, class)))
        .map(|(row, (class, group))| {
            vec![
                foreign(&row.system),
                escape(scorer_name(&row.scorer)),
                own(class),
                count(group.n as u64),
                count(group.clusters as u64),
                with_interval(group.accuracy, group.ci95),
            ]
        })
        .collect();
    let columns = columns![
        Words "System", Words "Scorer", Words "Class", Figures "n", Figures "Clusters",
        Figures "Accuracy [95 % interval]",
    ];
    if !rows.is_empty() {
        let caption = "A document that nobody gave a class stands under its format.";
        let list = table(caption, &columns, &rows);
        page.section(
            "classes",
            "By class of document",
            &format!("<details><summary>Show the table</summary>{list}</details>"),
        );
    }
}

fn confused(page: &mut Page, systems: &BenchTable) {
    let mut rows = Vec::new();
    for row in &systems.systems {
        for pair in row.confused.iter().take(CONFUSED_SHOWN) {
            rows.push(vec![
                foreign(&row.system),
                escape(scorer_name(&row.scorer)),
                super::markup::law(&pair.gold),
                super::markup::law(&pair.predicted),
                count(pair.n as u64),
            ]);
        }
    }
    let columns = columns![
        Words "System", Words "Scorer", Words "Right", Words "Chosen instead", Figures "Times",
    ];
    if !rows.is_empty() {
        let caption = format!("At most {CONFUSED_SHOWN} of each system, the commonest first.");
        page.section(
            "confused",
            "Terms taken for others",
            &table(&caption, &columns, &rows),
        );
    }
}

fn can_show(power: &Power, unit: &str) -> String {
    let more: Vec<String> = power
        .more_clusters
        .iter()
        .map(|(points, more)| {
            let word = if points == "1" { "point" } else { "points" };
            format!("{} {word}: {} more", escape(points), count(*more))
        })
        .collect();
    format!(
        "<p>A difference of <b>{:.1} points</b> or more in accuracy is seen in {:.0} of 100 cases; a smaller one is mostly \
         missed. How many more {} would show a difference of {}.</p><p class=\"note\">Two systems are taken to differ in being \
         right on {:.1} % of the questions{}.</p>",
        power.smallest_difference * 100.0,
        power.power * 100.0,
        unit_words(unit).1,
        more.join("; "),
        power.discordant * 100.0,
        if power.measured {
            ", as was measured here"
        } else {
            ", which is usual; it was not measured here"
        },
    )
}
