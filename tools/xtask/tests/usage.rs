//! The program as the build starts it.
#![allow(clippy::unwrap_used)]

use std::process::Command;

#[test]
fn words_that_it_does_not_know_get_its_usage_and_build_nothing() {
    for words in [
        &[][..],
        &["page"],
        &["ui", "release"],
        &["ui", "--release", "x"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, "usage: cargo xtask ui [--release]\n", "{words:?}");
    }
}
