//! The report of drift: whether there is an alarm, what it is about, the texts that moved it most, and what to do.

use super::markup::{Page, columns, escape, foreign, key_values, law, mono, table};
use super::numbers::{change, count, figure, moment, percent};
use super::paper::{hashes, header, verdict};
use lexforge_domain::api::DriftPaper;
use lexforge_domain::drift::{
    DriftAdvice, DriftAround, DriftMover, DriftReport, DriftRule, DriftSeries, DriftSide,
    DriftState, DriftTest, MoverPlace, PanelState,
};

/// The page of what has moved.
pub fn drift_html(of: &DriftPaper) -> String {
    let (paper, report) = (&of.head, &of.report);
    let mut page = Page::default();
    header(
        &mut page,
        paper,
        "Drift",
        "What has moved",
        &format!(
            "New texts of the last {} days against all before. Sample of {}.",
            figure_of_days(report.window_days),
            escape(&moment(&report.made))
        ),
    );
    said(&mut page, report);
    to_do(&mut page, &report.advice);
    series(&mut page, report);
    let moved = report.tests.iter().filter(|t| !t.movers.is_empty());
    for (number, test) in moved.enumerate() {
        movers(&mut page, number, test);
    }
    beside(&mut page, report);
    hashes(&mut page, paper, &[]);
    page.finish(&format!("{} · drift", paper.workspace))
}

/// Whole days without decimals.
fn figure_of_days(days: f64) -> String {
    if days.fract() == 0.0 {
        count(days as u64)
    } else {
        figure(days)
    }
}

/// A fault first, then what moved; where there is neither, that.
fn said(page: &mut Page, report: &DriftReport) {
    let in_state = |state: DriftState| report.tests.iter().filter(move |test| test.state == state);
    let mut quiet = true;
    if let PanelState::Fault { first_bad, .. } = &report.panel {
        quiet = false;
        let since = escape(&moment(first_bad));
        verdict(
            page,
            "worse",
            "Fault.",
            &format!(
                "The same sentences give other vectors under the same encoder since {since}. Model files, program or machine changed, not the documents."
            ),
        );
    }
    let names = |state: DriftState| in_state(state).map(name).collect::<Vec<_>>().join("; ");
    let moved = names(DriftState::Alarm);
    if !moved.is_empty() {
        quiet = false;
        let says = match report.rule {
            DriftRule::RunLength { .. } => {
                format!("It moved by more than chance gives: {moved}.")
            }
            // This rule uses no probability.
            DriftRule::Article => {
                format!("The mean pairwise cosine rose by more than .05: {moved}.")
            }
        };
        verdict(page, "worse", "Alarm.", &says);
    }
    if !quiet {
        return;
    }
    let few = names(DriftState::TooFew);
    match in_state(DriftState::Quiet).next() {
        Some(_) if few.is_empty() => verdict(
            page,
            "better",
            "No alarm.",
            "Nothing moved, as far as these samples can tell.",
        ),
        Some(_) => verdict(
            page,
            "better",
            "No alarm.",
            &format!(
                "Nothing moved, as far as these samples can tell. There is too little to tell of: {few}."
            ),
        ),
        None => verdict(
            page,
            "flagged",
            "Too little to tell.",
            "There are too few documents or questions, of the last days or from before.",
        ),
    }
}

fn to_do(page: &mut Page, advice: &[DriftAdvice]) {
    if advice.is_empty() {
        return;
    }
    let items: String = advice
        .iter()
        .map(|advice| match advice {
            DriftAdvice::CheckModel => {
                "Check the model's files, the program's version and the machine before anything else."
            }
            DriftAdvice::ReadWhatMoved => {
                "Read the texts that moved it. If they belong to the work, build the graph again and measure again whether answers hold; if not, take the documents out."
            }
            DriftAdvice::BuildGraph => "The graph is older than a quarter. Build it again.",
        })
        .map(|text| format!("<li>{}</li>", escape(text)))
        .collect();
    page.section(
        "do",
        "What to do",
        &format!("<ul class=\"plain\">{items}</ul>"),
    );
}

/// `sentences of pdf`, `questions that were asked`.
fn plain_name(test: &DriftTest) -> String {
    match test.series {
        DriftSeries::Sentences => format!("sentences of {}", test.stratum),
        DriftSeries::Questions => "questions that were asked".to_owned(),
    }
}

fn name(test: &DriftTest) -> String {
    foreign(&plain_name(test))
}

/// A mean cosine. Fewer than two texts have none.
fn cosine(side: &DriftSide) -> String {
    if side.texts > 1 {
        figure(side.mean_pairwise_cosine)
    } else {
        "–".to_owned()
    }
}

fn series(page: &mut Page, report: &DriftReport) {
    let rows: Vec<Vec<String>> = report
        .tests
        .iter()
        .map(|test| {
            let (class, word) = match test.state {
                DriftState::Quiet => ("ok", "nothing moved"),
                DriftState::Alarm => ("worse", "moved"),
                DriftState::TooFew => ("", "too little to tell"),
            };
            let fine = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), |p| format!("{p:.4}"));
            let both = test.recent.texts > 1 && test.earlier.texts > 1;
            vec![
                name(test),
                format!("<span class=\"badge {class}\">{word}</span>"),
                count(test.recent.texts.into()),
                count(test.earlier.texts.into()),
                cosine(&test.recent),
                cosine(&test.earlier),
                if both {
                    change(test.change)
                } else {
                    "–".to_owned()
                },
                fine(test.p_value),
                fine(test.threshold),
            ]
        })
        .collect();
    let columns = columns![
        Words "Texts", Words "Found", Figures "Recent", Figures "Earlier",
        Figures "Cosine, recent", Figures "Cosine, earlier", Figures "Difference", Figures "p",
        Figures "Alarm below",
    ];
    let rule = match report.rule {
        DriftRule::RunLength { days } => format!(
            "If nothing moves, there is at most one false alarm in {} days on average. p: by permutation of the pooled texts, a document as a whole.",
            figure_of_days(days)
        ),
        DriftRule::Article => {
            "An alarm is raised where the mean pairwise cosine rises by more than .05 within 30 days."
                .to_owned()
        }
    };
    let note = format!(
        "<p class=\"note\">Cosine: the mean over pairs of different texts. {}</p>",
        escape(&rule)
    );
    page.section(
        "series",
        "Recent texts against earlier ones",
        &(table("How alike the texts are among themselves.", &columns, &rows) + &note),
    );
}

/// The texts that moved a series most, each with where it stands.
fn movers(page: &mut Page, number: usize, test: &DriftTest) {
    let row = |mover: &DriftMover| {
        let (file, at) = match mover.place {
            Some(MoverPlace::Page { page, sentence, .. }) if !mover.file.is_empty() => {
                (foreign(&mover.file), format!("{page} · {sentence}"))
            }
            Some(MoverPlace::Page { page, sentence, .. }) => {
                (mono(&mover.key), format!("{page} · {sentence}"))
            }
            _ => (mono(&mover.key), "–".to_owned()),
        };
        vec![law(&mover.text), file, at, change(mover.moved)]
    };
    let rows: Vec<Vec<String>> = test.movers.iter().map(row).collect();
    let columns = columns![
        Words "Text", Words "Document", Figures "Page · number of the sentence",
        Figures "In the direction of the change",
    ];
    page.section(
        &format!("movers-{number}"),
        &format!("What moved the {} most", plain_name(test)),
        &table(
            "The texts that lie farthest in the direction from the earlier texts to the recent ones. The number of a sentence is the one that it has in the workspace, not its place on the page.",
            &columns,
            &rows,
        ),
    );
}

/// The rows about the fixed panel, and about what is watched in addition to the vectors.
fn beside(page: &mut Page, report: &DriftReport) {
    let panel = match &report.panel {
        PanelState::Constant { readings } => {
            format!("the same at every reading ({})", count((*readings).into()))
        }
        PanelState::Fault {
            last_good,
            first_bad,
        } => format!(
            "other vectors since {}; as before until {}",
            moment(first_bad),
            moment(last_good)
        ),
        PanelState::NotRead => "not read yet".to_owned(),
    };
    let DriftAround {
        refused,
        refused_before,
        unreviewed_terms,
        graph_age_days,
        term_gap,
        term_gap_before,
        ..
    } = report.around;
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let gap = |gap: Option<f64>| gap.map_or_else(|| "–".to_owned(), figure);
    let age = graph_age_days.map_or_else(|| "–".to_owned(), |days| count(days.round() as u64));
    let rows = [
        ("Encoder", mono(&report.encoder)),
        ("Fixed panel", escape(&panel)),
        ("Recent questions not answered", share(refused)),
        ("Earlier questions not answered", share(refused_before)),
        ("Unreviewed terms", count(unreviewed_terms)),
        ("Days since the graph was built", age),
        ("Term gap of recent documents", gap(term_gap)),
        ("Term gap of earlier documents", gap(term_gap_before)),
    ];
    page.section("beside", "Beside the vectors", &key_values(&rows));
}
