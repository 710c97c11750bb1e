//! Whether two records say the same. A number that was written and read again may differ in its last place.

use serde::Serialize;
use serde_json::Value;

/// What two numbers may differ in, as a share of the greater.
const LAST_PLACES: f64 = 1e-12;

/// Whether two values are the same but for the last places of their numbers.
pub(super) fn alike<T: Serialize>(a: &T, b: &T) -> bool {
    same(&serde_json::json!(a), &serde_json::json!(b))
}

/// Whether two numbers are the same but for their last places.
pub(super) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= LAST_PLACES * a.abs().max(b.abs())
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y
                || match (x.is_f64() && y.is_f64(), x.as_f64(), y.as_f64()) {
                    (true, Some(x), Some(y)) => close(x, y),
                    _ => false,
                }
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            let held = |(name, x): (&String, &Value)| y.get(name).is_some_and(|y| same(x, y));
            x.len() == y.len() && x.iter().all(held)
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_last_places_of_fractions_may_differ() {
        let of = |rate: f64, seed: u64| json!({ "rates": [rate], "seed": seed, "base": null });
        let next = f64::from_bits(0.3_f64.to_bits() + 1);
        assert!(alike(&of(0.3, 7), &of(next, 7)));
        assert!(!alike(&of(0.3, 7), &of(0.300_001, 7)));
        assert!(!alike(&of(0.3, u64::MAX), &of(0.3, u64::MAX - 1)));
        assert!(!alike(&json!({ "a": 1 }), &json!({ "a": 1, "b": 2 })));
        assert!(!alike(&json!([1]), &json!([1, 1])));
    }
}
