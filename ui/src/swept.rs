//! The figures for which several values are tried, one training for each combination, as they were typed.

use lexforge_domain::api::{ItemsPerAnchor, LevelWeights, SweepAxes};
use std::collections::BTreeMap;

/// A figure for which several values can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tried {
    /// Peak learning rate.
    Rate,
    /// Temperature τ.
    Temperature,
    /// Weights of sentences and terms where both are learnt in one pass.
    Weights,
    /// Training questions of each rule.
    Items,
}

impl Tried {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 4] = [Self::Rate, Self::Temperature, Self::Weights, Self::Items];

    /// Its name in element ids and in the locale files.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Temperature => "temperature",
            Self::Weights => "weights",
            Self::Items => "items",
        }
    }
}

/// What was typed, a list of values for each figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swept(BTreeMap<Tried, String>);

impl Swept {
    /// What was typed for a figure.
    pub fn text(&self, figure: Tried) -> &str {
        self.0.get(&figure).map_or("", String::as_str)
    }

    /// Puts what was typed.
    pub fn put(&mut self, figure: Tried, text: String) {
        self.0.insert(figure, text);
    }

    /// Whether no figure has a value to try.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|text| text.trim().is_empty())
    }

    /// Whether what was typed for a figure is a list of values, each of them once.
    pub fn takes(&self, figure: Tried) -> bool {
        let text = self.text(figure);
        match figure {
            Tried::Rate => list(text, |v| number(v).filter(|n| *n < 1.0)).is_some(),
            Tried::Temperature => list(text, number).is_some(),
            Tried::Weights => list(text, weights).is_some(),
            Tried::Items => list(text, items).is_some(),
        }
    }

    /// The values to try; none while a list makes no sense.
    pub fn axes(&self) -> Option<SweepAxes> {
        Some(SweepAxes {
            learning_rate: list(self.text(Tried::Rate), |v| number(v).filter(|n| *n < 1.0))?,
            temperature: list(self.text(Tried::Temperature), number)?,
            weights: list(self.text(Tried::Weights), weights)?,
            items: list(self.text(Tried::Items), items)?,
        })
    }
}

/// The values of a list; `None` if one of them cannot be read, or stands there twice.
fn list<T: PartialEq>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let mut values = Vec::new();
    if text.trim().is_empty() {
        return Some(values);
    }
    for word in text.split([',', '，', '、', ';', '；']) {
        let value = read(word.trim())?;
        if values.contains(&value) {
            return None;
        }
        values.push(value);
    }
    Some(values)
}

fn number(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && value > 0.0).then_some(value)
}

/// `0.4/0.6`: sentences and terms, together 1.
fn weights(text: &str) -> Option<LevelWeights> {
    let (sentence, token) = text.split_once('/')?;
    let weights = LevelWeights {
        sentence: sentence.trim().parse().ok()?,
        token: token.trim().parse().ok()?,
    };
    weights.are_shares().then_some(weights)
}

/// A number from 1 on, or all in either language.
fn items(text: &str) -> Option<ItemsPerAnchor> {
    match text {
        "all" | "全部" => Some(ItemsPerAnchor::All),
        text => text
            .parse()
            .ok()
            .filter(|n| *n > 0)
            .map(ItemsPerAnchor::AtMost),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(figure: Tried, text: &str) -> Swept {
        let mut swept = Swept::default();
        swept.put(figure, text.to_owned());
        swept
    }

    #[test]
    fn lists_are_read_and_nothing_typed_is_nothing_tried() {
        let rates = of(Tried::Rate, "1e-4, 2e-4").axes().unwrap();
        assert_eq!(rates.learning_rate, [1e-4, 2e-4]);
        assert!(rates.temperature.is_empty() && rates.items.is_empty());
        let temperatures = of(Tried::Temperature, ".05，.07").axes().unwrap();
        assert_eq!(temperatures.temperature, [0.05, 0.07]);
        let weights = of(Tried::Weights, "0.4/0.6;1/0").axes().unwrap();
        let sentence: Vec<f64> = weights.weights.iter().map(|w| w.sentence).collect();
        assert_eq!(sentence, [0.4, 1.0]);
        for all in ["1,2,all", "1、2、全部"] {
            let items = of(Tried::Items, all).axes().unwrap();
            let most: Vec<Option<u64>> = items.items.iter().map(|n| n.most()).collect();
            assert_eq!(most, [Some(1), Some(2), None]);
        }
        assert!(Swept::default().is_empty() && of(Tried::Rate, "  ").is_empty());
        assert_eq!(Swept::default().axes().unwrap(), SweepAxes::default());
    }

    #[test]
    fn what_cannot_be_tried_is_marked() {
        for (figure, text) in [
            (Tried::Rate, "fast"),
            (Tried::Rate, "1e-4,"),
            (Tried::Rate, "1"),
            (Tried::Rate, "1e-4,0.0001"),
            (Tried::Temperature, "0"),
            (Tried::Temperature, "inf"),
            (Tried::Weights, "0.4"),
            (Tried::Weights, "0.4/0.5"),
            (Tried::Items, "0"),
            (Tried::Items, "2,2"),
            (Tried::Items, "some"),
        ] {
            let swept = of(figure, text);
            assert!(!swept.takes(figure), "{text}");
            assert_eq!(swept.axes(), None, "{text}");
            assert!(!swept.is_empty());
        }
    }
}
