//! Tails of the distributions that the tests need.

/// ln Γ(x) for x > 0 (Lanczos, g = 7, nine terms).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let t = x + 7.5;
    let mut sum = 0.999_999_999_999_809_9;
    for (i, term) in TERMS.iter().enumerate() {
        sum += term / (x + i as f64 + 1.0);
    }
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz).
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    // Far more steps than it ever takes: it converges within about the square root of the larger parameter.
    for m in 1..100_000_u32 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            step = c * d;
            value *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Both tails of Student's t beyond |t|.
pub(super) fn student_two_sided(t: f64, df: f64) -> f64 {
    incomplete_beta(df / 2.0, 0.5, df / (df + t * t))
}

/// P(Bin(n, ½) ≤ k).
pub(super) fn fair_coin_at_most(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    incomplete_beta((n - k) as f64, k as f64 + 1.0, 0.5)
}

/// The upper tail of χ² with one degree of freedom: 2 (1 − Φ(√x)), which is the limit of Student's t.
pub(super) fn chi2_one_beyond(x: f64) -> f64 {
    // Γ(½, x/2) / Γ(½) by its series or its continued fraction.
    let x = x / 2.0;
    if x <= 0.0 {
        return 1.0;
    }
    let front = (0.5 * x.ln() - x - ln_gamma(0.5)).exp();
    if x < 1.5 {
        let (mut term, mut sum, mut k) = (2.0, 2.0, 0.5);
        while term > sum * 1e-17 {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        1.0 - front * sum
    } else {
        let mut b = x + 0.5;
        let mut c = 1e300;
        let mut d = 1.0 / b;
        let mut value = d;
        for i in 1..10_000_u32 {
            let i = f64::from(i);
            let a = -i * (i - 0.5);
            b += 2.0;
            d = 1.0 / (a * d + b);
            c = b + a / c;
            value *= d * c;
            if (d * c - 1.0).abs() < 1e-16 {
                break;
            }
        }
        front * value
    }
}

/// The standard normal quantile of `p`, 0 < p < 1.
pub(super) fn normal_quantile(p: f64) -> f64 {
    if p < 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let beyond = |z: f64| chi2_one_beyond(z * z) / 2.0;
    let (mut low, mut high) = (0.0, 40.0);
    // Bisection, since it is asked for a few times only.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if beyond(middle) > 1.0 - p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        let apart = (found - expected).abs();
        assert!(
            apart <= 1e-9 * expected.abs().max(1e-3),
            "{found} {expected}"
        );
    }

    #[test]
    fn tails_are_those_of_scipy() {
        // 2 * scipy.stats.t.sf(|t|, df), scipy 1.17.
        for (t, df, expected) in [
            (0.0, 3.0, 1.0),
            (1.5, 1.0, 0.3743340836219977),
            (2.2, 7.0, 0.06373101530263678),
            (-3.1, 120.0, 0.0024117146557725336),
            (12.0, 9.0, 7.699886222985653e-07),
            (2.0, 99_999.0, 0.045502963484502446),
        ] {
            near(student_two_sided(t, df), expected);
        }
        near(normal_quantile(0.975), 1.959963984540054);
        near(normal_quantile(0.8), 0.8416212335729143);
        near(normal_quantile(0.001), -3.090232306167813);
    }
}
