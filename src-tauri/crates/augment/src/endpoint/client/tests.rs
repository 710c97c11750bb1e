//! Tests of `client`.

use super::complaint::SAID;
use super::*;

#[test]
fn what_an_endpoint_says_is_one_short_line() {
    assert_eq!(excerpt(" a\n\tb\u{1b}[31m  c "), "a b [31m c");
    assert_eq!(excerpt(&"x".repeat(500)).chars().count(), SAID + 1);
}

#[test]
fn pages_and_missing_models_are_recognised() {
    assert!(looks_like_a_page("\n <!DOCTYPE html><title>Log in"));
    assert!(!looks_like_a_page("{\"error\": \"<html>\"}"));
    assert!(no_such_model("The model `x` does not exist."));
    assert!(!no_such_model(
        "This model's maximum context length is 4096 tokens."
    ));
    assert_eq!(
        host_of("https://login.example.com/a?token=1"),
        "login.example.com"
    );
}
