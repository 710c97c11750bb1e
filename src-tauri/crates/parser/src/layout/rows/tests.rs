//! Tests of `rows`.

use super::*;

/// A baseline of the page: texts at their left edges, five points a character.
fn line(baseline: f32, parts: &[(f32, &str)]) -> Line {
    let mut line = Line {
        page: 1,
        baseline,
        size: 10.0,
        ..Line::default()
    };
    for &(x, text) in parts {
        if let Some(last) = line.chars.last().copied() {
            line.chars.push(super::super::LineChar::space(last.x1, x));
        }
        for (i, ch) in text.chars().enumerate() {
            let x0 = x + 5.0 * i as f32;
            line.chars.push(super::super::LineChar {
                ch,
                x0,
                x1: x0 + 5.0,
                raised: false,
                capital: false,
            });
        }
    }
    (line.x0, line.x1) = (line.chars[0].x0, line.chars[line.chars.len() - 1].x1);
    (line.cells, line.last_cell) = (parts.len() as u32, parts[parts.len() - 1].0);
    line
}

fn table(lines: Vec<Line>) -> Vec<String> {
    let mut rows: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for line in cells(lines, 0, 0) {
        rows.entry(line.cell.unwrap().row)
            .or_default()
            .push(line.text());
    }
    rows.into_values().map(|r| r.join(" | ")).collect()
}

#[test]
fn wrapped_labels_and_heads_stay_with_their_row() {
    let rows = table(vec![
        line(100.0, &[(250.0, "Number of"), (320.0, "Share of")]),
        line(
            111.0,
            &[(50.0, "Class"), (260.0, "banks"), (335.0, "total")],
        ),
        line(125.0, &[(50.0, "Central governments and central")]),
        line(136.0, &[(55.0, "banks"), (265.0, "12"), (335.0, "3.1")]),
        line(
            149.0,
            &[(50.0, "Institutions"), (265.0, "45"), (335.0, "8.8")],
        ),
        line(162.0, &[(50.0, "Total"), (265.0, "57"), (335.0, "11.9")]),
    ]);
    assert_eq!(
        rows,
        [
            "Class | Number of | banks | Share of | total",
            "Central governments and central | banks | 12 | 3.1",
            "Institutions | 45 | 8.8",
            "Total | 57 | 11.9",
        ]
    );
}

#[test]
fn abbreviations_do_not_run_together() {
    let rows = table(vec![
        line(
            100.0,
            &[(50.0, "HPA"), (120.0, "Homeowners Protection Act")],
        ),
        line(112.0, &[(50.0, "HTM"), (120.0, "held-to-maturity")]),
        line(124.0, &[(50.0, "IRR"), (120.0, "interest rate risk")]),
    ]);
    assert_eq!(rows.len(), 3, "{rows:?}");
}

#[test]
fn lines_in_small_letters_that_stand_closer_than_rows_do_are_one_row() {
    for (step, count) in [(10.0, 6), (14.0, 8)] {
        let mut baseline = 100.0;
        let mut lines = Vec::new();
        for (down, key, text) in [
            (14.0, "BCBS", "Basel Committee"),
            (14.0, "EAD", "Exposure at default"),
            (14.0, "EBA", "European Banking Authority"),
            (14.0, "EL", "Expected loss"),
            (14.0, "Draft RTS", "Draft Standards that banks keep"),
            (step, "on assessment", "assessment methods"),
            (step, "and significant shares", "as banks hold them"),
            (14.0, "GL", "Guidelines"),
        ] {
            baseline += down;
            lines.push(line(baseline, &[(50.0, key), (200.0, text)]));
        }
        let rows = table(lines);
        assert_eq!(rows.len(), count, "{rows:#?}");
    }
}

#[test]
fn text_written_across_its_columns_is_read_down_them() {
    let left = "the authority may require an institution to hold more of its own funds";
    let right = "a report covers every exposure that remains unhedged at the end of it";
    // As many words as fit into thirty characters.
    let wrapped = |text: &str| {
        let mut out = vec![String::new()];
        for word in text.split(' ').cycle().take(80) {
            let last = out.last_mut().unwrap();
            if last.len() + word.len() >= 30 {
                out.push(word.to_owned());
            } else {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(word);
            }
        }
        out
    };
    let (left, right) = (wrapped(left), wrapped(right));
    let lines: Vec<Line> = (0..10)
        .map(|i| {
            line(
                100.0 + 12.0 * i as f32,
                &[(50.0, &left[i]), (230.0, &right[i])],
            )
        })
        .collect();
    let read = text_columns(&lines).unwrap();
    assert_eq!(read.len(), 20);
    assert!(read[..10].iter().all(|l| l.x0 < 60.0) && read[10..].iter().all(|l| l.x0 > 200.0));
}
