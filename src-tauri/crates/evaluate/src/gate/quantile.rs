//! Quantiles of the normal distribution and of Student's t.

/// The quantile of the standard normal distribution: a normal variable is below it with probability `p`. Accurate to
/// about 1e-9 (Acklam's rational approximation, with its three regions).
pub(super) fn normal(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
    ];
    const TAIL: f64 = 0.024_25;
    let tail = |q: f64| polynomial(&C, q) / (polynomial(&D, q) * q + 1.0);
    if p <= 0.0 {
        f64::NEG_INFINITY
    } else if p >= 1.0 {
        f64::INFINITY
    } else if p < TAIL {
        tail((-2.0 * p.ln()).sqrt())
    } else if p > 1.0 - TAIL {
        -tail((-2.0 * (1.0 - p).ln()).sqrt())
    } else {
        let q = p - 0.5;
        let r = q * q;
        polynomial(&A, r) * q / (polynomial(&B, r) * r + 1.0)
    }
}

/// The first coefficient is that of the highest power.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

/// The quantile of Student's t with `freedom` degrees of freedom. It is computed by an expansion around the normal
/// quantile to the fourth order (Abramowitz and Stegun 26.7.5). With five or more degrees of freedom its error is below
/// .001. With one or two degrees the expansion is too narrow, and an exact formula is used instead.
pub(crate) fn student(p: f64, freedom: f64) -> f64 {
    let z = normal(p);
    if freedom < 1.0 || !z.is_finite() {
        return z;
    }
    if freedom < 2.0 {
        return (std::f64::consts::PI * (p - 0.5)).tan();
    }
    if freedom < 3.0 {
        return (2.0 * p - 1.0) / (2.0 * p * (1.0 - p)).sqrt();
    }
    let z2 = z * z;
    let terms = [
        (z2 + 1.0) / 4.0,
        ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0,
    ];
    let mut power = 1.0;
    let mut sum = 1.0;
    for term in terms {
        power *= freedom;
        sum += term / power;
    }
    z * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    #[test]
    fn quantiles_as_scipy_gives_them() {
        // scipy.stats.norm.ppf
        assert_near(normal(0.95), 1.644_853_626_951, 1e-8);
        assert_near(normal(0.5), 0.0, 1e-12);
        assert_near(normal(0.001), -3.090_232_306_168, 1e-8);
        assert_near(normal(0.99), 2.326_347_874_041, 1e-8);
        // scipy.stats.t.ppf
        assert_near(student(0.95, 1.0), 6.313_751_514_675, 1e-9);
        assert_near(student(0.95, 2.0), 2.919_985_580_355, 1e-9);
        assert_near(student(0.975, 2.0), 4.302_652_729_911, 1e-9);
        assert_near(student(0.95, 3.0), 2.353_363_434_802, 1e-2);
        assert_near(student(0.95, 5.0), 2.015_048_372_669, 1e-3);
        assert_near(student(0.95, 29.0), 1.699_127_026_533, 1e-5);
        assert_near(student(0.975, 10.0), 2.228_138_851_965, 1e-3);
        assert_near(student(0.95, 500.0), 1.647_906_853_906, 1e-7);
    }
}
