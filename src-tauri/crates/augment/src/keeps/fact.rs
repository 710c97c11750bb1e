//! A figure with what it counts.

use super::lexicon::Mark;

/// A figure: its value, what it counts, and on which side of it one must stay.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    /// The value in digits, "2/3" for a share, the name of a month for a month.
    pub(super) value: String,
    /// The unit that the number counts ("day", "%", "EUR") or numbers ("article"). Empty if no known unit follows.
    pub(super) unit: String,
    /// At least, at most, more, less, before, after.
    pub(super) bound: Option<Mark>,
    /// Whether [`Mark::AtMost`] says no more than "by": a date alone has it too.
    pub(super) said: String,
}

/// The unit of the names of months and days.
pub(super) const CALENDAR: &str = "calendar";

impl Fact {
    pub(super) fn bare(value: String) -> Self {
        Self {
            said: value.clone(),
            value,
            unit: String::new(),
            bound: None,
        }
    }

    pub(super) fn new(value: String, unit: &str) -> Self {
        let mut fact = Self {
            said: format!("{value} {unit}").trim().to_owned(),
            value,
            unit: unit.to_owned(),
            bound: None,
        };
        fact.reduce();
        fact
    }

    /// Years to months and weeks to days: two years are twenty-four months.
    fn reduce(&mut self) {
        let (times, unit) = match self.unit.as_str() {
            "year" => (12, "month"),
            "week" => (7, "day"),
            _ => return,
        };
        if let Ok(n) = self.value.parse::<u64>()
            && n < 1000
        {
            self.value = (n * times).to_string();
            self.unit = unit.to_owned();
        }
    }

    /// Whether it belongs to a date.
    pub(super) fn is_date(&self) -> bool {
        self.unit == CALENDAR || self.unit.starts_with("of ")
    }
}

/// The figures of a rule, of an answer, and of what stands around the rule.
pub(super) struct Figures {
    pub(super) anchor: Vec<Fact>,
    pub(super) answer: Vec<Fact>,
    pub(super) place: Vec<Fact>,
    /// How often the rule says: "a month" is one month.
    pub(super) periods: Vec<Mark>,
}
