//! Two runs side by side.

use crate::output::{count, interval, share};
use lexforge_domain::api::RunDetail;
use lexforge_domain::metrics::Evaluation;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Two runs as a person reads them: what they have in common is left out of the settings.
pub fn describe(runs: &[RunDetail; 2]) -> String {
    let mut rows: Vec<(String, [String; 2])> = Vec::new();
    let mut row = |name: &str, cell: &dyn Fn(&RunDetail) -> String| {
        rows.push((name.to_owned(), runs.each_ref().map(cell)))
    };
    row("run", &|r| format!("{} ({})", r.run.id, r.run.state.tag()));
    row("recipe", &|r| r.run.recipe.clone());
    row("base", &|r| r.run.base.clone());
    row("snapshot", &|r| {
        r.run.dataset.map(|id| id.to_string()).unwrap_or_default()
    });
    row("device", &|r| r.device.clone());
    let settings = runs
        .each_ref()
        .map(|r| flat(&serde_json::json!(r.settings)));
    let mut names: Vec<&String> = settings.iter().flat_map(BTreeMap::keys).collect();
    names.sort();
    names.dedup();
    for name in names {
        let [a, b] = settings
            .each_ref()
            .map(|s| s.get(name).cloned().unwrap_or_else(|| "–".to_owned()));
        if a != b {
            rows.push((name.clone(), [a, b]));
        }
    }
    let mut row = |name: &str, cell: &dyn Fn(&RunDetail) -> String| {
        rows.push((name.to_owned(), runs.each_ref().map(cell)))
    };
    row("steps", &|r| {
        r.result.as_ref().map_or_else(dash, |x| count(x.steps))
    });
    row("time", &|r| {
        r.result
            .as_ref()
            .map_or_else(dash, |x| crate::terminal::duration(x.seconds))
    });
    row("peak memory", &|r| {
        r.result
            .as_ref()
            .map_or_else(dash, |x| format!("{} MiB", count(x.peak_memory_mb as u64)))
    });
    let figure = |r: &RunDetail, of: &dyn Fn(&Evaluation) -> String| {
        r.evaluation
            .as_ref()
            .map_or_else(|| "not evaluated".to_owned(), |v| of(&v.evaluation))
    };
    row("scorer", &|r| figure(r, &|e| e.scorer.clone()));
    row("accuracy, base", &|r| {
        figure(r, &|e| interval(e.before.accuracy, e.before.ci95))
    });
    row("accuracy, tuned", &|r| {
        figure(r, &|e| interval(e.after.accuracy, e.after.ci95))
    });
    row("macro F1, tuned", &|r| figure(r, &|e| share(e.after.f1)));
    row("gap of the choices, tuned", &|r| {
        figure(r, &|e| {
            interval(e.after.choice_cosine_gap, e.after.gap_ci95)
        })
    });
    let first = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let second = rows
        .iter()
        .map(|(_, [a, _])| a.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (name, [a, b]) in &rows {
        let _ = writeln!(text, "{name:<first$}  {a:<second$}  {b}");
    }
    let scorers: Vec<&str> = runs
        .iter()
        .filter_map(|r| Some(r.evaluation.as_ref()?.evaluation.scorer.as_str()))
        .collect();
    if let [a, b] = scorers[..]
        && a != b
    {
        let _ = writeln!(
            text,
            "The two are measured by different scorers: their figures cannot be compared."
        );
    }
    text.trim_end().to_owned()
}

fn dash() -> String {
    "–".to_owned()
}

/// The leaves of a document by their paths: `stages.0.batch_size`.
fn flat(value: &Value) -> BTreeMap<String, String> {
    fn walk(value: &Value, path: &str, leaves: &mut BTreeMap<String, String>) {
        let below = |name: &str| {
            if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            }
        };
        match value {
            Value::Object(map) => map
                .iter()
                .for_each(|(name, value)| walk(value, &below(name), leaves)),
            Value::Array(list) if list.iter().any(Value::is_object) => {
                list.iter()
                    .enumerate()
                    .for_each(|(i, value)| walk(value, &below(&i.to_string()), leaves));
            }
            Value::Array(list) => {
                let words: Vec<String> = list
                    .iter()
                    .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
                    .collect();
                leaves.insert(path.to_owned(), words.join(" "));
            }
            Value::Null => {}
            Value::String(text) => drop(leaves.insert(path.to_owned(), text.clone())),
            other => drop(leaves.insert(path.to_owned(), other.to_string())),
        }
    }
    let mut leaves = BTreeMap::new();
    walk(value, "", &mut leaves);
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_named_by_their_paths() {
        let value = serde_json::json!({"a": {"b": 1, "none": null}, "list": [{"x": true}, {"x": "y"}], "names": ["p", "q"]});
        let found: Vec<String> = flat(&value)
            .into_iter()
            .map(|(name, leaf)| format!("{name}={leaf}"))
            .collect();
        assert_eq!(found, ["a.b=1", "list.0.x=true", "list.1.x=y", "names=p q"]);
    }
}
