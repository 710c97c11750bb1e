//! What `--sweep` takes: `lr=1e-4,2e-4`, `tau=.05,.07`, `weights=.4/.6,.2/.8`, `items=1,2,4,all`.

use lexforge_domain::Failure;
use lexforge_domain::api::{ItemsPerAnchor, LevelWeights, SweepAxes, TrainRequest};

const FIGURES: &str = "The figures are lr=1e-4,2e-4 (learning rate), tau=.05,.07 (temperature), weights=.4/.6,.2/.8 (sentences/terms) and items=1,2,4,all (training questions of each rule).";

/// What is to be tried, a text for each figure.
pub fn axes(words: &[String], common: &TrainRequest) -> Result<SweepAxes, Failure> {
    let mut axes = SweepAxes::default();
    for word in words {
        let (name, list) = word.split_once('=').unwrap_or((word, ""));
        match name.trim() {
            "lr" | "learning-rate" => {
                fill(&mut axes.learning_rate, name, list, positive)?;
                alone(common.learning_rate.is_none(), name, "--learning-rate")?;
            }
            "tau" | "temperature" => {
                fill(&mut axes.temperature, name, list, positive)?;
                alone(common.temperature.is_none(), name, "--temperature")?;
            }
            "weights" => {
                fill(&mut axes.weights, name, list, weights)?;
                alone(common.weights.is_none(), name, "--weights")?;
            }
            "items" => {
                fill(&mut axes.items, name, list, items)?;
                alone(
                    common.items_per_anchor.is_none(),
                    name,
                    "--items-per-anchor",
                )?;
            }
            other => {
                return Err(refused(
                    format!("There is no figure {other:?} to sweep over."),
                    FIGURES,
                ));
            }
        }
    }
    Ok(axes)
}

fn refused(message: String, hint: &str) -> Failure {
    Failure::invalid(message, hint)
}

/// Reads the values of a figure.
fn fill<T: PartialEq>(
    values: &mut Vec<T>,
    name: &str,
    list: &str,
    read: fn(&str) -> Result<T, String>,
) -> Result<(), Failure> {
    if !values.is_empty() {
        return Err(refused(
            format!("The figure {name} is named by two sweeps."),
            "Give all its values in one list.",
        ));
    }
    if list.trim().is_empty() {
        return Err(refused(
            format!("The sweep over {name} has no values."),
            FIGURES,
        ));
    }
    for text in list.split(',').map(str::trim) {
        let value = read(text).map_err(|why| {
            refused(
                format!("The sweep over {name} cannot take {text:?}: {why}."),
                FIGURES,
            )
        })?;
        if values.contains(&value) {
            return Err(refused(
                format!("The sweep over {name} has the value {text} twice."),
                "Name each value once.",
            ));
        }
        values.push(value);
    }
    Ok(())
}

/// A figure is tried or fixed, and not both.
fn alone(free: bool, name: &str, option: &str) -> Result<(), Failure> {
    match free {
        true => Ok(()),
        false => Err(refused(
            format!("The sweep tries several values of {name}, and {option} names one."),
            "Leave one of the two out.",
        )),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        Ok(_) => Err("it must be above 0".to_owned()),
        Err(_) => Err("it is no number".to_owned()),
    }
}

/// Questions of each rule: a number, or `all`.
fn items(text: &str) -> Result<ItemsPerAnchor, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("it must be above 0".to_owned()),
        Ok(n) => Ok(ItemsPerAnchor::AtMost(n)),
        Err(_) if text == "all" => Ok(ItemsPerAnchor::All),
        Err(_) => Err("it is neither a number nor all".to_owned()),
    }
}

/// Weights of the levels: `.4/.6`.
pub fn weights(text: &str) -> Result<LevelWeights, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let read = text
        .split_once('/')
        .and_then(|(sentence, token)| Some((number(sentence)?, number(token)?)));
    let Some((sentence, token)) = read else {
        return Err("two weights with a stroke between are wanted, as in .4/.6".to_owned());
    };
    let weights = LevelWeights { sentence, token };
    match weights.are_shares() {
        true => Ok(weights),
        false => {
            Err("the two must not be negative, and together they must be 1, as in .4/.6".to_owned())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Result<SweepAxes, Failure> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        axes(&words, &TrainRequest::default())
    }

    #[test]
    fn each_figure_has_its_list() {
        let read = of(&["lr=1e-4,2e-4", "tau=.05, .07", "weights=.4/.6,0.2/0.8"]).unwrap();
        assert_eq!(read.learning_rate, [1e-4, 2e-4]);
        assert_eq!(read.temperature, [0.05, 0.07]);
        let sentence: Vec<f64> = read.weights.iter().map(|w| w.sentence).collect();
        assert_eq!(sentence, [0.4, 0.2]);
        let number = of(&["items=1,2, all"]).unwrap();
        let most: Vec<Option<u64>> = number.items.iter().map(|n| n.most()).collect();
        assert_eq!(most, [Some(1), Some(2), None]);
        let long = of(&["learning-rate=1e-4", "temperature=1"]).unwrap();
        assert_eq!((long.learning_rate.len(), long.temperature.len()), (1, 1));
    }

    #[test]
    fn what_cannot_be_tried_is_refused_with_its_reason() {
        for (words, reason) in [
            (&["rank=4,8"][..], "no figure \"rank\""),
            (&["lr"], "no values"),
            (&["lr="], "no values"),
            (&["lr=1e-4,"], "\"\": it is no number"),
            (&["lr=1e-4,fast"], "\"fast\": it is no number"),
            (&["lr=0"], "above 0"),
            (&["tau=-.1"], "above 0"),
            (&["tau=inf"], "above 0"),
            (&["tau=NaN"], "above 0"),
            (&["tau=.05,0.05"], "0.05 twice"),
            (&["lr=1e-4", "learning-rate=2e-4"], "two sweeps"),
            (&["items=0"], "above 0"),
            (&["items=1,some"], "neither a number nor all"),
            (&["items=2,2"], "2 twice"),
            (&["weights=.4"], "two weights"),
            (&["weights=.4/.5"], "together they must be 1"),
            (&["weights=-.5/1.5"], "not be negative"),
        ] {
            let failure = of(words).unwrap_err();
            assert!(failure.message.contains(reason), "{}", failure.message);
            assert!(!failure.hint.is_empty());
        }
        let fixed = TrainRequest {
            learning_rate: Some(1e-4),
            ..TrainRequest::default()
        };
        let both = axes(&["lr=2e-4".to_owned()], &fixed).unwrap_err();
        assert!(both.message.contains("--learning-rate"));
    }
}
