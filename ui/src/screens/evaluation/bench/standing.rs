//! How systems stand beside the baseline.

use lexforge_domain::api::{BenchRow, BenchTable};

/// Chance of calling equal systems different, where the table does not say it.
const USUAL_ALPHA: f64 = 0.05;

/// How a system stands beside the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Baseline,
    /// It is shown to be better.
    Better,
    /// No difference was shown. This does not mean that there is none.
    Open,
    /// It is shown to be worse.
    Worse,
    /// It is not compared.
    Apart,
}

impl Standing {
    /// In the order in which they are shown.
    const ALL: [Self; 5] = [
        Self::Baseline,
        Self::Better,
        Self::Open,
        Self::Worse,
        Self::Apart,
    ];

    /// The class of its rows.
    pub fn class(self) -> &'static str {
        match self {
            Self::Baseline => "bench-base",
            Self::Better => "bench-better",
            Self::Open => "bench-open",
            Self::Worse => "bench-worse",
            Self::Apart => "bench-apart",
        }
    }
}

/// The rows by their standing, those of one scorer together, the most accurate first.
pub fn by_standing(table: &BenchTable) -> Vec<(Standing, Vec<BenchRow>)> {
    let alpha = table.power.as_ref().map_or(USUAL_ALPHA, |p| p.alpha);
    let of = |standing: Standing| {
        let mut rows: Vec<BenchRow> = table
            .systems
            .iter()
            .filter(|row| self::standing(row, table.baseline.as_deref(), alpha) == standing)
            .cloned()
            .collect();
        rows.sort_by(|a, b| {
            let scorers = place(table, &a.scorer).cmp(&place(table, &b.scorer));
            scorers.then(b.figures.accuracy.total_cmp(&a.figures.accuracy))
        });
        (standing, rows)
    };
    let groups = Standing::ALL.into_iter().map(of);
    groups.filter(|(_, rows)| !rows.is_empty()).collect()
}

/// Says whether a system is better than the baseline, worse, or not clearly different. It is clearly different if the
/// interval of the difference does not contain zero, and the p-value, corrected for all differences of the table, is
/// below the accepted chance of error (`alpha`).
fn standing(row: &BenchRow, baseline: Option<&str>, alpha: f64) -> Standing {
    if baseline == Some(row.system.as_str()) {
        return Standing::Baseline;
    }
    let Some(against) = &row.against else {
        return Standing::Apart;
    };
    let difference = against.comparison.difference;
    if against.p_holm >= alpha {
        Standing::Open
    } else if difference.low > 0.0 {
        Standing::Better
    } else if difference.high < 0.0 {
        Standing::Worse
    } else {
        Standing::Open
    }
}

/// Where a scorer comes first in the table.
fn place(table: &BenchTable, scorer: &str) -> Option<usize> {
    table.systems.iter().position(|row| row.scorer == scorer)
}

/// Half the width of the scale on which all differences are drawn.
pub fn reach(table: &BenchTable) -> f64 {
    let against = table.systems.iter().filter_map(|row| row.against.as_ref());
    against
        .map(|one| one.comparison.difference)
        .flat_map(|d| [d.low.abs(), d.high.abs()])
        .fold(0.01, f64::max)
}

/// How many differences the table has.
pub fn compared(table: &BenchTable) -> u64 {
    let compared = table.systems.iter().filter(|row| row.against.is_some());
    compared.count() as u64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A row as the engine writes it.
    fn row(system: &str, scorer: &str, accuracy: f64, against: Option<[f64; 3]>) -> Value {
        let against = against.map(|[low, high, p]| {
            json!({
                "measure": "accuracy", "against": "base a", "before": 0.5, "after": accuracy,
                "difference": { "value": (low + high) / 2.0, "low": low, "high": high },
                "p_value": p, "test": "", "unit": "article", "resamples": 2000,
                "p_holm": p, "n": 10, "clusters": 5, "by_item": { "paired_t": null, "mcnemar": null },
            })
        });
        json!({
            "system": system, "scorer": scorer, "too_long": 0, "against": against, "confused": [],
            "figures": {
                "accuracy": accuracy, "precision": 0.0, "recall": 0.0, "f1": 0.0, "ci95": [0.0, 1.0], "n": 10,
                "clusters": 5, "choice_cosine_gap": 0.0, "gap_ci95": [0.0, 0.0], "by_type": {}, "by_level": {},
            },
        })
    }

    fn table(alpha: Option<f64>) -> BenchTable {
        let power = alpha.map(|alpha| {
            json!({
                "alpha": alpha, "power": 0.8, "n": 10, "clusters": 5, "discordant": 0.1, "correlation": 0.2,
                "measured": false, "smallest_difference": 0.1, "more_clusters": {},
            })
        });
        serde_json::from_value(json!({
            "dataset": "abc", "unit": "article", "n": 10, "clusters": 5, "baseline": "base a",
            "missing": [], "notes": [], "power": power,
            "systems": [
                row("run 1", "embedding", 0.6, Some([0.02, 0.08, 0.01])),
                row("base a", "embedding", 0.5, None),
                row("tfidf", "embedding", 0.3, Some([-0.3, -0.1, 0.001])),
                row("run 2", "embedding", 0.7, Some([0.05, 0.3, 0.02])),
                row("run 3", "embedding", 0.55, Some([0.01, 0.09, 0.06])),
                row("base b", "likelihood", 0.9, None),
            ],
        }))
        .unwrap()
    }

    fn names(groups: &[(Standing, Vec<BenchRow>)]) -> Vec<(Standing, Vec<&str>)> {
        groups
            .iter()
            .map(|(standing, rows)| (*standing, rows.iter().map(|r| r.system.as_str()).collect()))
            .collect()
    }

    #[test]
    fn systems_are_grouped_by_what_is_shown() {
        assert_eq!(
            names(&by_standing(&table(Some(0.05)))),
            [
                (Standing::Baseline, vec!["base a"]),
                (Standing::Better, vec!["run 2", "run 1"]),
                (Standing::Open, vec!["run 3"]),
                (Standing::Worse, vec!["tfidf"]),
                (Standing::Apart, vec!["base b"]),
            ]
        );
    }

    #[test]
    fn the_tables_own_chance_of_error_decides() {
        let better = |alpha| {
            let groups = by_standing(&table(alpha));
            let group = groups.into_iter().find(|(s, _)| *s == Standing::Better);
            group.map_or(0, |(_, rows)| rows.len())
        };
        assert_eq!(
            (better(None), better(Some(0.1)), better(Some(0.015))),
            (2, 3, 1)
        );
    }

    #[test]
    fn the_scale_holds_every_interval() {
        let table = table(None);
        assert_eq!((reach(&table), compared(&table)), (0.3, 4));
    }
}
