//! The figure on the dev part against the number of training questions of each rule: where more of them stop paying.

use super::charts::{tick_text, ticks};
use super::markup::{Page, columns, escape, table};
use super::numbers::{count, figure, interval};
use lexforge_domain::api::{DevFigure, Sweep, SweepRow};
use std::fmt::Write as _;

const LEFT: f64 = 48.0;
const WIDTH: f64 = 912.0;
const TOP: f64 = 12.0;
const HEIGHT: f64 = 216.0;

/// The curve that the best combination of a sweep belongs to; nothing where the sweep has none.
pub(super) fn section(page: &mut Page, sweep: &Sweep) {
    let rows = sweep.best.map_or(Vec::new(), |best| sweep.curve(best));
    let points: Vec<Point> = rows.iter().filter_map(|row| Point::of(row)).collect();
    let Some(first) = points.first().filter(|_| points.len() > 1) else {
        return;
    };
    let Some(svg) = drawing(&points) else {
        return;
    };
    let enough = points.iter().find(|p| Some(p.number) == sweep.enough);
    let told = match enough {
        Some(point) => format!(
            "<p><strong>{} of each rule</strong> are the fewest whose figure lies within the interval of the best. That more do not \
             pay is not shown by it: with more held-out questions the intervals become narrower.</p>",
            escape(&point.words())
        ),
        None => String::new(),
    };
    let body = format!(
        "<p>Sweep {}: each point is a training of its own on so many questions of each rule, all else being equal; a smaller set \
         lies in the greater ones. Measured is the {} on {} held-out questions (dev), with 95 % intervals over whole clusters. \
         The test part was not read.</p>{told}<figure>{svg}</figure>{}",
        sweep.number,
        first.dev.measure.tag(),
        count(first.dev.items),
        as_table(&points, sweep)
    );
    page.section("items-curve", "Questions of each rule", &body);
}

struct Point<'a> {
    number: u64,
    most: Option<u64>,
    learnt_from: Option<u64>,
    run: String,
    dev: &'a DevFigure,
}

impl<'a> Point<'a> {
    fn of(row: &'a SweepRow) -> Option<Self> {
        let dev = row.dev.as_ref().filter(|dev| dev.value.is_finite())?;
        Some(Self {
            number: row.number,
            most: row.values.items?.most(),
            learnt_from: row.learnt_from,
            run: row.run.map_or("–".to_owned(), |run| run.to_string()),
            dev,
        })
    }

    fn words(&self) -> String {
        match self.most {
            Some(1) => "At most 1 question".to_owned(),
            Some(n) => format!("At most {} questions", count(n)),
            None => "All questions".to_owned(),
        }
    }

    fn bounds(&self) -> [f64; 2] {
        let value = self.dev.value;
        self.dev.interval.unwrap_or([value, value])
    }
}

/// Points at equal distances, each with its interval, joined by a line.
fn drawing(points: &[Point]) -> Option<String> {
    let low = points.iter().map(|p| p.bounds()[0]);
    let high = points.iter().map(|p| p.bounds()[1]);
    let ticks = ticks(
        low.fold(f64::INFINITY, f64::min),
        high.fold(f64::NEG_INFINITY, f64::max),
    );
    let (low, high) = (*ticks.first()?, *ticks.last()?);
    let x = |at: usize| LEFT + (at as f64 + 0.5) / points.len() as f64 * WIDTH;
    let y = |value: f64| TOP + (high - value) / (high - low) * HEIGHT;
    let told: Vec<String> = points
        .iter()
        .map(|p| {
            format!(
                "{}: {} {}",
                p.words(),
                figure(p.dev.value),
                interval(p.bounds())
            )
        })
        .collect();
    let mut svg = format!(
        "<svg class=\"curve\" viewBox=\"0 0 976 272\" width=\"976\" height=\"272\" role=\"img\" aria-label=\"{}\">",
        escape(&format!(
            "Figure on dev by questions of each rule. {}",
            told.join("; ")
        ))
    );
    for tick in &ticks {
        let y = y(*tick);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"40\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT + WIDTH,
            y + 4.0,
            tick_text(*tick)
        );
    }
    let mut path = String::new();
    for (at, point) in points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        let (x, y_value) = (x(at), y(point.dev.value));
        let _ = write!(path, "{command}{x:.1} {y_value:.1}");
        let [low, high] = point.bounds();
        let _ = write!(
            svg,
            "<path class=\"raw\" d=\"M{x:.1} {:.1}V{:.1}\"/>\
             <rect class=\"dev-mark\" x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"/>\
             <text x=\"{x:.1}\" y=\"246\" text-anchor=\"middle\">{}</text>",
            y(high),
            y(low),
            x - 3.5,
            y_value - 3.5,
            point.most.map_or("all".to_owned(), count)
        );
    }
    let _ = write!(
        svg,
        "<path class=\"dev\" d=\"{path}\"/><text x=\"504\" y=\"266\" text-anchor=\"middle\">questions of each rule, at \
         most</text></svg>"
    );
    Some(svg)
}

fn as_table(points: &[Point], sweep: &Sweep) -> String {
    let mark = |point: &Point| {
        let marks = [
            (Some(point.number) == sweep.best, "best"),
            (Some(point.number) == sweep.enough, "enough"),
        ];
        let named: Vec<&str> = marks
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| *word)
            .collect();
        named.join(", ")
    };
    let rows: Vec<Vec<String>> = points
        .iter()
        .map(|point| {
            vec![
                point.most.map_or("all".to_owned(), count),
                point.learnt_from.map_or("–".to_owned(), count),
                figure(point.dev.value),
                point.dev.interval.map_or("–".to_owned(), interval),
                escape(&point.run),
                mark(point),
            ]
        })
        .collect();
    let columns = columns![
        Figures "Of each rule, at most", Figures "Questions learnt from", Figures "Figure on dev",
        Figures "95 %", Figures "Run", Words "",
    ];
    table("Figure on dev by questions of each rule.", &columns, &rows)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::report::{ReportInput, html};
    use lexforge_domain::RunId;
    use lexforge_domain::api::{
        Combination, DevMeasure, ItemsPerAnchor, SweepAxes, SweepRequest, TrainRequest,
    };

    fn sweep(of: &[(ItemsPerAnchor, f64)]) -> Sweep {
        let row = |(number, (items, value)): (u64, &(ItemsPerAnchor, f64))| SweepRow {
            run: Some(RunId(10 + number as i64)),
            dev: Some(DevFigure {
                measure: DevMeasure::Accuracy,
                value: *value,
                items: 1200,
                interval: Some([value - 0.02, value + 0.02]),
            }),
            learnt_from: Some(1000 * number),
            ..SweepRow::waiting(
                number,
                Combination {
                    items: Some(*items),
                    ..Combination::default()
                },
            )
        };
        Sweep {
            number: 3,
            started: String::new(),
            request: SweepRequest {
                train: TrainRequest::default(),
                axes: SweepAxes::default(),
            },
            most: 64,
            after: None,
            data: None,
            rows: (1..).zip(of).map(row).collect(),
            best: Some(of.len() as u64),
            tied: Vec::new(),
            enough: Some(2),
        }
    }

    fn page(sweep: &Sweep) -> String {
        html(&ReportInput {
            sweep: Some(sweep),
            ..ReportInput::default()
        })
    }

    #[test]
    fn the_curve_has_its_figures_in_words_and_says_what_is_enough() {
        use ItemsPerAnchor::{All, AtMost};
        let told = page(&sweep(&[(AtMost(1), 0.6), (AtMost(2), 0.71), (All, 0.72)]));
        crate::report::tests::assert_well_formed(&told);
        for words in [
            "At most 1 question: .600 [.580,\u{a0}.620]; At most 2 questions: .710",
            "All questions: .720 [.700,\u{a0}.740]\"",
            "<strong>At most 2 questions of each rule</strong>",
            "The test part was not read.",
            "1,200 held-out questions",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
        assert_eq!(told.matches("class=\"dev-mark\"").count(), 3);
        assert!(told.contains(">all</text>") && !told.contains("NaN"));
    }

    #[test]
    fn one_point_is_no_curve() {
        let told = page(&sweep(&[(ItemsPerAnchor::All, 0.72)]));
        assert!(!told.contains("items-curve"));
    }
}
