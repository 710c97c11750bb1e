//! Shares and p-values as people read them: `.868`, `+.027`, `.021`.

/// A share with three decimals and no leading zero: `.868`, `1.000`, `−.021`; `–` if it is not a number.
pub fn share(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.3}", value.abs());
    let text = text.strip_prefix('0').unwrap_or(&text);
    if value < 0.0 && text != ".000" {
        format!("−{text}")
    } else {
        text.to_owned()
    }
}

/// A change: as [`share`], with its sign.
pub fn change(value: f64) -> String {
    let text = share(value);
    if value > 0.0 && text != ".000" {
        format!("+{text}")
    } else {
        text
    }
}

/// A figure that may be very small: `0.0250`, `1.1e-4`.
pub fn fine(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 {
        format!("{value:.1e}")
    } else {
        format!("{value:.4}")
    }
}

/// A p-value as text: `.021`, `< .001`. A p-value that would be rounded to .05, the usual level of significance, gets
/// more decimals. So a reader sees whether it is above or below the level.
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        return "< .001".to_owned();
    }
    let text = |decimals: usize| format!("{p:.decimals$}");
    let is_level = |decimals: &usize| text(*decimals).trim_end_matches('0') == "0.05";
    match (3..=6).find(|decimals| !is_level(decimals)) {
        Some(more @ 4..) => text(more).trim_start_matches('0').to_owned(),
        _ => share(p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_three_decimals_and_no_leading_zero() {
        for (value, expected) in [
            (0.868, ".868"),
            (1.0, "1.000"),
            (-0.0211, "−.021"),
            (-0.0001, ".000"),
            (0.0, ".000"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(share(value), expected);
        }
        for (value, expected) in [(0.027, "+.027"), (0.0, ".000"), (-1.5, "−1.500")] {
            assert_eq!(change(value), expected);
        }
    }

    #[test]
    fn a_very_small_figure_is_written_with_its_power_of_ten() {
        for (value, expected) in [(0.0, "0.0000"), (0.025, "0.0250"), (0.000_11, "1.1e-4")] {
            assert_eq!(fine(value), expected);
        }
    }

    #[test]
    fn a_p_value_shows_on_which_side_of_the_level_it_is() {
        for (p, expected) in [
            (0.0005, "< .001"),
            (0.0211, ".021"),
            (0.0496, ".0496"),
            (0.05004, ".05004"),
            (0.05, ".050"),
            (1.0, "1.000"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(p_value(p), expected);
        }
    }
}
