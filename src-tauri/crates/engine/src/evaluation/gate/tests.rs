#[test]
fn a_loss_of_general_language_is_a_correlation_and_not_points() {
    for (floor, holds) in [
        (None, true),
        (Some(0.0), true),
        (Some(0.02), true),
        (Some(2.0), false),
        (Some(-0.1), false),
        (Some(f64::NAN), false),
    ] {
        let policy = super::GatePolicy {
            general_floor: floor,
            ..super::GatePolicy::default()
        };
        assert_eq!(super::check(&policy).is_ok(), holds, "{floor:?}");
    }
}

#[test]
fn a_rule_that_cannot_be_read_is_not_taken_for_the_usual_one() {
    let usual = serde_json::json!(super::GatePolicy::default()).to_string();
    for (kept, is_one) in [(usual.as_str(), true), ("{", false), ("", false)] {
        assert_eq!(super::policy_of(kept).is_ok(), is_one, "{kept}");
    }
}
