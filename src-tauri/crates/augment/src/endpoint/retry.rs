//! How long to wait before asking again.

use rand::Rng;
use std::time::Duration;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime};

/// First pause; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// Longest pause that we choose ourselves.
const LONGEST: Duration = Duration::from_secs(30);
/// Longest pause that an endpoint may ask for; one that asks for more is given up for now.
pub(crate) const LONGEST_ASKED: Duration = Duration::from_secs(300);

/// The pause before retry `n` (from 0): exponential with full jitter, so that many clients do not come back at once.
pub(crate) fn pause(n: u32, rng: &mut impl Rng) -> Duration {
    let whole = FIRST.saturating_mul(1 << n.min(10)).min(LONGEST);
    whole.mul_f64(rng.random_range(0.5..=1.0))
}

/// The pause that a `Retry-After` header asks for: seconds (a fraction is tolerated), or a date.
pub(crate) fn retry_after(value: &str, now: OffsetDateTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = format_description!(
        "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
    );
    let at = PrimitiveDateTime::parse(value, date).ok()?.assume_utc();
    Some(Duration::try_from(at - now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use time::macros::datetime;

    #[test]
    fn a_wish_to_wait_is_understood_in_both_forms() {
        let now = datetime!(2026-11-06 08:49:30 UTC);
        let check = |value: &str, seconds: Option<f64>| {
            assert_eq!(
                retry_after(value, now).map(|d| d.as_secs_f64()),
                seconds,
                "{value}"
            );
        };
        check("7", Some(7.0));
        check(" 0.25 ", Some(0.25));
        check("Fri, 06 Nov 2026 08:49:37 GMT", Some(7.0));
        check("Fri, 06 Nov 2026 08:49:29 GMT", Some(0.0));
        check("-3", None);
        check("soon", None);
        check("1e400", None);
        check("", None);
    }

    #[test]
    fn pauses_grow_and_scatter() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for n in 0..40 {
            let whole = 0.5 * f64::powi(2.0, n.min(10));
            let whole = whole.min(30.0);
            let pause = pause(n as u32, &mut rng).as_secs_f64();
            assert!((whole / 2.0..=whole).contains(&pause), "{n}: {pause}");
        }
    }
}
