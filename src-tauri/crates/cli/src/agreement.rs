//! `terms agreement`, `qca agreement`: how far the reviewers agree.

use crate::output::{Outcome, Output, count, done, share};
use lexforge_domain::agreement::{AgreementRow, Interval, Undefined};
use lexforge_domain::api::AgreementView;
use lexforge_domain::review::SubjectKind;
use lexforge_engine::Engine;
use std::path::Path;

/// Agreement on items of a kind.
pub fn show(workspace: &Path, kind: SubjectKind, out: &Output) -> Outcome {
    let view = Engine::open(workspace)?.review().agreement(kind)?;
    out.document(&view, || describe(&view));
    done()
}

/// Agreement as a person reads it: a table of all and each class, one of each two reviewers, and what falls short.
fn describe(view: &AgreementView) -> String {
    // Scores are numbers: how near they are counts, and not only whether they are the same.
    let scored = view.kind == SubjectKind::Similarity;
    let mut rows = vec![
        [
            "",
            "items",
            "reviewers",
            "agreement",
            "α",
            "Fleiss' κ",
            if scored { "AC2" } else { "AC1" },
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    rows.extend(
        std::iter::once(&view.overall)
            .chain(&view.by_class)
            .map(|row| {
                let figures = [row.percent, row.alpha, row.fleiss, row.gwet].map(figure);
                [
                    vec![name(row), count(row.items), count(row.reviewers.into())],
                    figures.to_vec(),
                ]
                .concat()
            }),
    );
    let mut text = table(&rows);
    if !view.pairs.is_empty() {
        let mut rows = vec![
            [
                "two reviewers",
                "items",
                "agreement",
                if scored { "α" } else { "Cohen's κ" },
            ]
            .map(str::to_owned)
            .to_vec(),
        ];
        rows.extend(view.pairs.iter().map(|pair| {
            vec![
                format!("{} – {}", pair.one, pair.other),
                count(pair.items),
                figure(pair.percent),
                figure(pair.alpha.unwrap_or(pair.kappa)),
            ]
        }));
        text.push_str("\n\n");
        text.push_str(&table(&rows));
    }
    text.push_str(&format!(
        "\n\n95 % intervals by {} resamples of items, seed {}. Each person's first decision on an item counts.",
        count(view.resamples.into()),
        view.seed
    ));
    if scored {
        text.push_str(" α is interval-scaled, AC2 has quadratic weights.");
    }
    for (name, other) in &view.alike {
        text.push_str(&format!(
            "\n! “{name}” looks like “{other}” and counts as the same reviewer; if they are two: lexforge people add \
             WORKSPACE NAME --another-person"
        ));
    }
    if view.overall.single > 0 {
        text.push_str(&format!(
            " {} items were decided by one person alone.",
            count(view.overall.single)
        ));
    }
    let rows = || std::iter::once(&view.overall).chain(&view.by_class);
    if rows().any(|row| row.alpha.undefined == Some(Undefined::OneCategory)) {
        text.push_str(
            "\n* All decisions are the same: agreement by chance is certain, and what goes beyond it is not defined.",
        );
    }
    let short = |row: &&AgreementRow| row.alpha.value.is_some_and(|alpha| alpha < view.gate);
    let named: Vec<String> = rows()
        .filter(short)
        .map(|row| format!("{} ({})", name(row), figure(row.alpha)))
        .collect();
    if !named.is_empty() {
        text.push_str(&format!(
            "\nUnreliable, α under {}: {}",
            share(view.gate),
            named.join(", ")
        ));
    }
    text
}

fn name(row: &AgreementRow) -> String {
    match row.class.as_deref() {
        None => "all".to_owned(),
        Some("") => "without a class".to_owned(),
        Some(class) => class.to_owned(),
    }
}

/// A figure with its interval; a dash where no two decided an item, an asterisk where all decided the same.
fn figure(figure: Interval) -> String {
    match (figure.value, figure.low, figure.high) {
        (Some(value), Some(low), Some(high)) => crate::output::interval(value, [low, high]),
        (Some(value), ..) => share(value),
        _ if figure.undefined == Some(Undefined::OneCategory) => "*".to_owned(),
        _ => "–".to_owned(),
    }
}

/// Columns side by side, the first to the left.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(place, (cell, width))| {
                if place == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_what_falls_short() {
        let of = |value: f64| Interval {
            value: Some(value),
            low: Some(value - 0.1),
            high: Some(value),
            undefined: None,
        };
        let none = |why| Interval {
            value: None,
            low: None,
            high: None,
            undefined: Some(why),
        };
        let row = |class: Option<&str>, alpha: Interval| AgreementRow {
            class: class.map(str::to_owned),
            items: 1200,
            single: 7,
            reviewers: 3,
            percent: of(0.9),
            alpha,
            fleiss: none(Undefined::NoPairs),
            gwet: of(0.95),
        };
        let view = AgreementView {
            kind: SubjectKind::Term,
            overall: row(None, of(0.85)),
            by_class: vec![
                row(Some(""), of(0.5)),
                row(Some("authority"), none(Undefined::OneCategory)),
            ],
            pairs: Vec::new(),
            resamples: 1000,
            seed: 42,
            gate: 0.8,
            alike: vec![("Веа".to_owned(), "Bea".to_owned())],
        };
        let text = describe(&view);
        assert!(
            text.contains("“Веа” looks like “Bea” and counts as the same reviewer"),
            "{text}"
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "all              1,200          3  .900 [.800, .900]  .850 [.750, .850]          –  .950 [.850, .950]"
        );
        assert!(
            lines[3].starts_with("authority ") && lines[3].contains("  *  "),
            "{text}"
        );
        assert!(
            text.ends_with("Unreliable, α under .800: without a class (.500 [.400, .500])"),
            "{text}"
        );
        assert!(
            text.contains("7 items were decided by one person alone.")
                && text.contains("* All decisions"),
            "{text}"
        );
    }
}
