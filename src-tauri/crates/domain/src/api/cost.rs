//! What a run on a machine with a price costs: the price, what is known before a run, and what it took.

use crate::id::RunId;
use crate::{Code, Failure};
use serde::{Deserialize, Serialize};

/// Digits of an amount after its point, at most.
const DECIMALS: usize = 4;
/// The number of ten-thousandths in one unit of a currency.
const UNIT: u64 = 10_000;
/// Longest amount before its point, and longest name of a currency.
const LONGEST: usize = 8;

/// What an hour of a machine costs, as its user entered it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HourlyPrice {
    /// The amount in ten-thousandths, so that it is exact.
    pub ten_thousandths: u64,
    /// The currency, for example `EUR`.
    pub currency: String,
}

impl HourlyPrice {
    /// The price that somebody typed: an amount with a point, and a currency.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the text is not a price.
    pub fn read(amount: &str, currency: &str) -> Result<Self, Failure> {
        let (amount, currency) = (amount.trim(), currency.trim());
        parsed(amount)
            .filter(|_| is_currency(currency))
            .map(|ten_thousandths| Self {
                ten_thousandths,
                currency: currency.to_owned(),
            })
            .ok_or_else(|| {
                Failure::new(
                    Code::InvalidRequest,
                    format!("“{amount}” and “{currency}” are no price of an hour."),
                    "Give an amount such as 2.40, with four digits after the point at most, and a currency such as EUR.",
                )
            })
    }

    /// The amount as it is typed: `2.40`.
    pub fn amount(&self) -> String {
        let (whole, rest) = (self.ten_thousandths / UNIT, self.ten_thousandths % UNIT);
        let text = format!("{whole}.{rest:04}");
        // Two digits after the point stay.
        let least = text.len() + 2 - DECIMALS;
        let shown = text.trim_end_matches('0').len().max(least);
        text[..shown].to_owned()
    }

    /// What so many seconds cost, with the currency; small amounts have more digits.
    pub fn of(&self, seconds: f64) -> String {
        let amount = self.ten_thousandths as f64 / UNIT as f64 * seconds.max(0.0) / 3600.0;
        match amount < 0.1 {
            true => format!("{amount:.4} {}", self.currency),
            false => format!("{amount:.2} {}", self.currency),
        }
    }
}

impl std::fmt::Display for HourlyPrice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.amount(), self.currency)
    }
}

/// An amount above 0 in ten-thousandths.
fn parsed(amount: &str) -> Option<u64> {
    let (whole, rest) = amount.split_once('.').unwrap_or((amount, "0"));
    let is_number = |text: &str, longest: usize| {
        (1..=longest).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
    };
    if !is_number(whole, LONGEST) || !is_number(rest, DECIMALS) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let rest: u64 = format!("{rest:0<DECIMALS$}").parse().ok()?;
    Some(whole * UNIT + rest).filter(|n| *n > 0)
}

/// Whether it is a short word or a sign, without digits, blanks and control characters.
fn is_currency(name: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || c.is_numeric();
    (1..=LONGEST).contains(&name.chars().count()) && !name.contains(odd)
}

/// An estimate, before a run, of what it will cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostEstimate {
    /// The machine.
    pub machine: String,
    /// What an hour of it costs.
    pub price: HourlyPrice,
    /// How long it will take, by an earlier run there; `None` = not known, and then nobody knows what it will cost.
    pub pace: Option<Pace>,
}

/// How long a run will take if it is as fast as an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// The earlier run.
    pub run: RunId,
    /// Seconds.
    pub seconds: f64,
}

/// What a run took of a machine with a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// The machine.
    pub machine: String,
    /// What an hour of it cost when the run was sent there.
    pub price: HourlyPrice,
    /// Seconds in which a worker was at work there, as far as its events are here; `None` = not known.
    pub seconds: Option<f64>,
    /// Nothing more is to come.
    pub ended: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_exactly_and_shown_as_it_was_typed() {
        for (amount, shown) in [
            ("2.40", "2.40 EUR"),
            ("2.4", "2.40 EUR"),
            ("3", "3.00 EUR"),
            ("100", "100.00 EUR"),
            ("0.526", "0.526 EUR"),
            (" 0.0001 ", "0.0001 EUR"),
        ] {
            let price = HourlyPrice::read(amount, "EUR").unwrap();
            assert_eq!(price.to_string(), shown, "{amount}");
            assert_eq!(HourlyPrice::read(&price.amount(), "EUR").unwrap(), price);
        }
        for (amount, currency) in [
            ("", "EUR"),
            ("0", "EUR"),
            ("0.00", "EUR"),
            ("-1", "EUR"),
            ("1,50", "EUR"),
            ("1.00001", "EUR"),
            ("1.", "EUR"),
            (".5", "EUR"),
            ("1e3", "EUR"),
            ("123456789", "EUR"),
            ("1", ""),
            ("1", "E R"),
            ("1", "E\nR"),
            ("1", "2"),
            ("1", "Kilotaler"),
        ] {
            let read = HourlyPrice::read(amount, currency);
            assert!(read.is_err(), "{amount:?} {currency:?}");
        }
    }

    #[test]
    fn time_costs_what_the_price_says() {
        let price = HourlyPrice::read("2.40", "EUR").unwrap();
        for (seconds, cost) in [
            (3600.0, "2.40 EUR"),
            (2460.0, "1.64 EUR"),
            (90_000.0, "60.00 EUR"),
            (3.0, "0.0020 EUR"),
            (-1.0, "0.0000 EUR"),
        ] {
            assert_eq!(price.of(seconds), cost, "{seconds}");
        }
    }
}
