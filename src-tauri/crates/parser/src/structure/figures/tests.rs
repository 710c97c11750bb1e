//! Tests of `figures`.

use super::*;

fn line(text: &str, left: f32, baseline: f32, size: f32) -> Line {
    let mut line = Line::plain(1, 0, text);
    let width = size / 2.0;
    for (at, c) in line.chars.iter_mut().enumerate() {
        c.x0 = left + width * at as f32;
        c.x1 = c.x0 + width;
    }
    (line.x0, line.x1) = (left, left + width * line.chars.len() as f32);
    (line.baseline, line.size, line.last_cell) = (baseline, size, left);
    line.frame = Frame {
        turn: 0,
        width: 600.0,
        height: 800.0,
    };
    line
}

fn figures(lines: Vec<Line>) -> Vec<String> {
    let marked = mark(lines, 10.0);
    let own = marked.iter().filter(|l| l.figure.is_some());
    own.map(Line::text).collect()
}

#[test]
fn a_scale_with_its_labels_is_a_figure_and_the_text_around_it_is_none() {
    let mut lines = vec![line(
        "Losses fell in the first half of the year, as the table shows.",
        60.0,
        80.0,
        10.0,
    )];
    for (at, value) in ["400", "300", "200", "100", "0"].iter().enumerate() {
        let left = 100.0 - 4.0 * value.len() as f32;
        lines.push(line(value, left, 120.0 + 30.0 * at as f32, 8.0));
    }
    lines.push(line("Large banks", 240.0, 135.0, 8.0));
    lines.push(line("May", 140.0, 252.0, 8.0));
    lines.push(line("June", 240.0, 252.0, 8.0));
    lines.push(line("Source: reports of the banks", 60.0, 268.0, 8.0));
    lines.push(line(
        "Small banks lost more than others.",
        60.0,
        300.0,
        10.0,
    ));
    assert_eq!(
        figures(lines),
        [
            "400",
            "Large banks",
            "300",
            "200",
            "100",
            "0",
            "May",
            "June"
        ]
    );
}

#[test]
fn a_level_scale_takes_its_name_and_the_texts_beside_it() {
    let name = line("Year", 148.0, 312.0, 8.0);
    let mut beside = line("Losses in millions", 150.0, 0.0, 8.0);
    // It runs upwards, left of the scale.
    beside.frame.turn = 3;
    let side = 800.0 - 280.0;
    for c in &mut beside.chars {
        (c.x0, c.x1) = (c.x0 - 150.0 + side, c.x1 - 150.0 + side);
    }
    (beside.x0, beside.x1, beside.baseline) = (side, side + 72.0, 90.0);
    let found = figures(vec![
        line(
            "Losses fell in the year, as the chart shows.",
            60.0,
            80.0,
            10.0,
        ),
        line("2021    2022    2023    2024", 100.0, 300.0, 8.0),
        name,
        line("Note: Losses are those of all banks.", 60.0, 330.0, 10.0),
        beside,
    ]);
    assert_eq!(
        found,
        ["Losses in millions", "2021    2022    2023    2024", "Year"]
    );
}

#[test]
fn numbers_of_a_table_are_no_scale() {
    let mut lines = Vec::new();
    for (at, value) in ["2024", "2023", "2022", "2021"].iter().enumerate() {
        let down = 100.0 + 14.0 * at as f32;
        lines.push(line(value, 60.0, down, 10.0));
        lines.push(line("12 reports", 200.0, down, 10.0));
    }
    // The numbers of a list rise.
    for (at, value) in ["1", "2", "3", "4"].iter().enumerate() {
        lines.push(line(value, 60.0, 300.0 + 14.0 * at as f32, 10.0));
    }
    assert!(figures(lines).is_empty());
}

#[test]
fn small_labels_beside_a_caption_are_a_figure() {
    let text = "The board decides on the limits once a year, and the banks report.";
    let page = |size: f32| {
        vec![
            line("Figure 3: How limits are set", 60.0, 100.0, 10.0),
            line("Board", 200.0, 130.0, size),
            line("Risk committee", 120.0, 170.0, size),
            line("Internal audit", 300.0, 170.0, size),
            line(text, 60.0, 220.0, 10.0),
        ]
    };
    assert_eq!(
        figures(page(8.0)),
        ["Board", "Risk committee", "Internal audit"]
    );
    assert!(figures(page(10.0)).is_empty());
}
