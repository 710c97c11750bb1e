//! Tests of `there`.

use super::*;
use crate::workspace::Silent;
use lexforge_domain::api::Progress;

/// Somebody who has called it off.
struct Gone;

impl Watcher for Gone {
    fn progress(&self, _: Progress) {}

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn nobody_waits_for_a_connection_or_a_transfer_that_was_called_off() {
    let code = |ended: Result<()>| ended.map_err(|failure| failure.code);
    for (watcher, expected) in [
        (&Gone as &dyn Watcher, Err(Code::Cancelled)),
        (&Silent as &dyn Watcher, Ok(())),
    ] {
        let pause = match expected {
            Ok(()) => Duration::from_millis(1),
            Err(_) => Duration::MAX,
        };
        assert_eq!(code(rest(pause, watcher)), expected);
        assert_eq!(code(under_way(watcher, "t", 1, 2)), expected);
    }
}
