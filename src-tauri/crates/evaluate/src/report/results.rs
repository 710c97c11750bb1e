//! The figures: three systems side by side, the paired comparison, shortcut controls, the space of vectors.

use super::charts;
use super::markup::{Page, columns, escape, table};
use super::names::{control_name, measure_name, unit_words};
use super::numbers::{change, change_interval, count, figure, interval, p_value};
use lexforge_domain::api::EvaluationView;
use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::metrics::{
    Comparison, EXPLAINED_BY, Evaluation, GroupMetrics, QcaMetrics, SpaceAudit, TermFigures,
};
use lexforge_domain::qca::{QcaLevel, QuestionType};
use lexforge_domain::verdict::Verdict;
use std::collections::BTreeMap;

/// A value with its interval beneath.
pub(super) fn with_interval(value: f64, bounds: [f64; 2]) -> String {
    format!(
        "<b>{}</b> <span class=\"ci\">{}</span>",
        figure(value),
        interval(bounds)
    )
}

fn bold(value: f64) -> String {
    format!("<b>{}</b>", figure(value))
}

pub(super) fn results(page: &mut Page, view: &EvaluationView) {
    let e = &view.evaluation;
    let systems = Systems {
        base: &e.before,
        tuned: &e.after,
        tfidf: e.tfidf.as_ref(),
    };
    let mut rows = vec![
        systems.row("Accuracy", |m| with_interval(m.accuracy, m.ci95)),
        systems.row("Macro precision", |m| bold(m.precision)),
        systems.row("Macro recall", |m| bold(m.recall)),
        systems.row("Macro F1", |m| bold(m.f1)),
        systems.row("Cosine gap of the choices", |m| {
            with_interval(m.choice_cosine_gap, m.gap_ci95)
        }),
    ];
    for level in [QcaLevel::Sentence, QcaLevel::Token] {
        let name = match level {
            QcaLevel::Sentence => "Accuracy, sentence questions",
            QcaLevel::Token => "Accuracy, term questions",
        };
        rows.extend(systems.group_row(name, level.tag(), |m| &m.by_level));
    }
    for (name, tag) in [
        (
            "Accuracy, terms that were a wrong choice in training",
            "wrong_in_training",
        ),
        ("Accuracy, terms that never were", "never_wrong_in_training"),
    ] {
        rows.extend(systems.group_row(name, tag, |m| &m.by_term_seen));
    }
    for question_type in QuestionType::ALL {
        // If every question of the level of terms is of this type, the row would only repeat the row of the level.
        if question_type == QuestionType::Term
            && count_of(&e.after.by_type, question_type.tag())
                == count_of(&e.after.by_level, QcaLevel::Token.tag())
        {
            continue;
        }
        let name = format!("Accuracy, {}", type_name(question_type));
        rows.extend(systems.group_row(&name, question_type.tag(), |m| &m.by_type));
    }
    rows.extend(e.terms.iter().flat_map(term_rows));
    let caption = format!(
        "Test questions of the snapshot, {} scorer. In brackets: 95 % intervals, bootstrap by cluster.",
        e.scorer
    );
    let columns = columns![
        Words "Measure", Figures "n", Figures "Clusters", Figures "Base", Figures "Tuned",
        Figures "TF-IDF",
    ];
    let chance = e
        .shortcuts
        .iter()
        .find(|s| s.n == e.after.n)
        .map(|s| s.chance);
    let guessing = chance.map_or(String::new(), |c| {
        format!(" Guessing scores {}.", figure(c))
    });
    let notes = format!(
        "<p class=\"note\">Base: {base}. Tuned: the same with the adapter of run {run}. TF-IDF: counted words under the \
         embedding scorer.{guessing} Precision, recall and F1 are macro averages over the position of the answer after a seeded \
         shuffle. Cosine gap of the choices: mean of cos(question, right choice) minus the mean over the wrong choices. A cluster \
         is all questions of one {unit}; items of a cluster stand or fall together, so that the cluster and not the item is \
         what is counted.{of_terms}</p>",
        of_terms = if e.terms.is_some() {
            " Terms told apart: of two meanings, whether the one that holds is nearer to a use of the term; n counts pairs, a \
             cluster is a term."
        } else {
            ""
        },
        base = escape(&e.base),
        run = view.run,
        unit = match view.dataset.clusters_by() {
            ClusterKind::Article => "article or recital",
            kind => kind.words().0,
        },
    );
    page.section(
        "results",
        "Before and after",
        &(table(&caption, &columns, &rows) + &notes),
    );
}

/// Terms told apart, before and after.
fn term_rows([before, after]: &[TermFigures; 2]) -> [Vec<String>; 3] {
    let row = |name: &str, cell: &dyn Fn(&TermFigures) -> String| {
        vec![
            escape(name),
            count(after.n as u64),
            count(after.clusters as u64),
            cell(before),
            cell(after),
            "–".to_owned(),
        ]
    };
    [
        row("Terms told apart, pairwise accuracy", &|t| {
            with_interval(t.pairwise_accuracy, t.pairwise_accuracy_ci95)
        }),
        row("Terms told apart, macro F1", &|t| {
            with_interval(t.macro_f1, t.macro_f1_ci95)
        }),
        row("Terms told apart, cosine gap", &|t| {
            with_interval(t.mean_cosine_gap, t.mean_cosine_gap_ci95)
        }),
    ]
}

fn count_of(groups: &BTreeMap<String, GroupMetrics>, tag: &str) -> usize {
    groups.get(tag).map_or(0, |g| g.n)
}

struct Systems<'a> {
    base: &'a QcaMetrics,
    tuned: &'a QcaMetrics,
    tfidf: Option<&'a QcaMetrics>,
}

impl Systems<'_> {
    fn row(&self, name: &str, cell: impl Fn(&QcaMetrics) -> String) -> Vec<String> {
        vec![
            escape(name),
            count(self.tuned.n as u64),
            count(self.tuned.clusters as u64),
            cell(self.base),
            cell(self.tuned),
            self.tfidf.map_or("–".to_owned(), &cell),
        ]
    }

    /// The row of a group of items; `None` if there is no such item.
    fn group_row(
        &self,
        name: &str,
        tag: &str,
        groups: impl Fn(&QcaMetrics) -> &BTreeMap<String, GroupMetrics>,
    ) -> Option<Vec<String>> {
        let tuned = groups(self.tuned).get(tag)?;
        let cell = |m: &QcaMetrics| {
            groups(m)
                .get(tag)
                .map_or("–".to_owned(), |g| with_interval(g.accuracy, g.ci95))
        };
        Some(vec![
            escape(name),
            count(tuned.n as u64),
            count(tuned.clusters as u64),
            cell(self.base),
            cell(self.tuned),
            self.tfidf.map_or("–".to_owned(), cell),
        ])
    }
}

/// Name of a question type in words.
pub(super) fn type_name(question_type: QuestionType) -> &'static str {
    match question_type {
        QuestionType::Definition => "definitions",
        QuestionType::Obligation => "obligations",
        QuestionType::Prohibition => "prohibitions",
        QuestionType::Permission => "permissions",
        QuestionType::Threshold => "thresholds",
        QuestionType::Deadline => "deadlines",
        QuestionType::Statement => "other statements",
        QuestionType::Term => "term in its gap",
    }
}

pub(super) fn changes(page: &mut Page, view: &EvaluationView) {
    let comparisons = &view.evaluation.comparisons;
    let Some(first) = comparisons.first() else {
        page.section(
            "changes",
            "The change, and how sure it is",
            "<p>Nothing was compared.</p>",
        );
        return;
    };
    let scale = charts::whisker_scale(comparisons.iter().map(|c| &c.difference));
    let rows: Vec<Vec<String>> = comparisons.iter().map(|c| change_row(c, scale)).collect();
    let columns = columns![
        Words "Measure", Words "Against", Figures "Before", Figures "After",
        Words "worse · change · better", Figures "Change [95 % interval]", Figures "p",
        Figures "p, corrected", Words "Reading",
    ];
    let caption = format!(
        "Tuned minus the other system on the same questions. The scale runs from {} to {}.",
        change(-scale),
        change(scale)
    );
    // An earlier version did not correct them.
    let decides = match comparisons.iter().all(|c| c.p_holm.is_some()) {
        true => {
            "; corrected by Holm over all changes of this table. A change is called better or worse only if its interval \
             leaves out zero and the corrected p is below .05; anything else is undecided."
        }
        false => {
            ". A change is called better or worse only if its interval leaves out zero and p is below .05; anything else is \
             undecided. The p-values are not corrected for looking at several measures."
        }
    };
    let notes = format!(
        "<p class=\"legend\">{}</p><p class=\"note\">Interval: percentile bootstrap over {}. p: {}; unit: {}; {} \
         draws{decides}</p>",
        charts::whisker_legend(),
        unit_words(&first.unit).1,
        escape(&first.test),
        unit_words(&first.unit).0,
        count(first.resamples as u64),
    );
    page.section(
        "changes",
        "The change, and how sure it is",
        &(table(&caption, &columns, &rows) + &notes),
    );
}

fn change_row(c: &Comparison, scale: f64) -> Vec<String> {
    let verdict = Verdict::of(c);
    let d = &c.difference;
    vec![
        escape(measure_name(&c.measure)),
        escape(&c.against),
        figure(c.before),
        format!("<b>{}</b>", figure(c.after)),
        charts::whisker(d, verdict, scale),
        format!(
            "<b>{}</b> <span class=\"ci\">{}</span>",
            change(d.value),
            change_interval(d.low, d.high)
        ),
        escape(&p_value(c.p_value)),
        c.p_holm.map_or("–".to_owned(), |p| escape(&p_value(p))),
        format!("<span class=\"badge {0}\">{0}</span>", verdict.word()),
    ]
}

fn control_words(tag: &str) -> &str {
    match tag {
        "choices_only" => "the same scorer, without the question",
        "choices_only_base" => "the same of the model before its training",
        "medoid" => "the choice whose vector is nearest to those of the other choices",
        "longest_choice" => "the choice with the most characters",
        "corpus_overlap" => "the choice of which most stands word for word in the corpus",
        _ => "",
    }
}

pub(super) fn shortcuts(page: &mut Page, e: &Evaluation) {
    let rows: Vec<Vec<String>> = e
        .shortcuts
        .iter()
        .map(|s| {
            let (class, word) = if s.flagged {
                ("worse", "flagged")
            } else {
                ("ok", "within bounds")
            };
            vec![
                escape(control_name(&s.name)),
                escape(control_words(&s.name)),
                count(s.n as u64),
                figure(s.chance),
                format!("<b>{}</b>", figure(s.accuracy)),
                change(s.accuracy - s.chance),
                format!("<span class=\"badge {class}\">{word}</span>"),
            ]
        })
        .collect();
    let columns = columns![
        Words "Control", Words "Picks", Figures "n", Figures "Guessing", Figures "Accuracy",
        Figures "Above guessing", Words "Reading",
    ];
    let body = if rows.is_empty() {
        "<p>No control was computed.</p>".to_owned()
    } else {
        table(
            "What is scored on the test questions by rules that never read the question.",
            &columns,
            &rows,
        ) + "<p class=\"note\">A control more than .100 above guessing is flagged: then part of the questions can be answered \
               from the form of their choices, and accuracy says less than it seems to. A tie counts as its share.</p>"
    };
    page.section("shortcuts", "Shortcut controls", &body);
}

pub(super) fn space(page: &mut Page, e: &Evaluation) {
    let (before, after) = (&e.space_before, &e.space_after);
    // A missing figure is shown as a dash, and so is a value that is not a number.
    let some = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let mut rows: Vec<(String, f64, f64)> = vec![
        (
            "Mean pairwise cosine".to_owned(),
            before.mean_pairwise_cosine,
            after.mean_pairwise_cosine,
        ),
        ("IsoScore".to_owned(), before.isoscore, after.isoscore),
    ];
    for (at, directions) in EXPLAINED_BY.into_iter().enumerate() {
        let name = match directions {
            1 => "Variance in the first principal direction".to_owned(),
            n => format!("Variance in the first {n} principal directions"),
        };
        let of = |space: &SpaceAudit| some(space.explained.map(|shares| shares[at]));
        rows.push((name, of(before), of(after)));
    }
    rows.push((
        "Uniformity".to_owned(),
        some(before.uniformity),
        some(after.uniformity),
    ));
    rows.push((
        "Alignment".to_owned(),
        some(before.alignment),
        some(after.alignment),
    ));
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .filter(|(_, b, a)| b.is_finite() || a.is_finite())
        .map(|(name, b, a)| {
            vec![
                name,
                figure(b),
                format!("<b>{}</b>", figure(a)),
                change(a - b),
            ]
        })
        .collect();
    let columns = columns![Words "Measure", Figures "Before", Figures "After", Figures "Change"];
    let caption = match after.uniformity_of {
        Some(drawn) => format!(
            "Vectors of {} test sentences; uniformity of {} drawn from them.",
            count(after.n as u64),
            count(drawn as u64)
        ),
        None => format!("Vectors of {} test sentences.", count(after.n as u64)),
    };
    let notes = "<p class=\"note\">Mean pairwise cosine: over all pairs of different sentences, exact. High means that all \
                 sentences lie in one direction, which is bad for telling them apart. IsoScore (Rudman et al. 2022): 1 if the \
                 variance is spread evenly over all dimensions, 0 if it lies in one. The literature uses the word isotropy in \
                 opposite senses; these two definitions are what is meant here. The shares of the variance say how many directions \
                 the sentences really use. Uniformity and alignment (Wang and Isola 2020) are low where sentences spread over all \
                 directions, and where questions lie near their right choices. No figure decides anything.</p>";
    page.section(
        "space",
        "The space of sentences",
        &(table(&caption, &columns, &rows) + notes),
    );
}
