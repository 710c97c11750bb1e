//! How drift is looked for.

use lexforge_domain::drift::DriftRule;

/// Days of the article's rule.
const MONTH: f64 = 30.0;

/// How drift is looked for.
#[derive(Clone, Copy, Debug)]
pub struct DriftRequest {
    /// When an alarm is raised.
    pub rule: DriftRule,
    /// Days that count as recent; under the article's rule these are 30.
    pub window_days: f64,
    /// Days from one look to the next.
    pub every_days: f64,
}

impl Default for DriftRequest {
    fn default() -> Self {
        Self {
            rule: DriftRule::default(),
            window_days: 7.0,
            every_days: 1.0,
        }
    }
}

impl DriftRequest {
    /// Days that count as recent under its rule.
    pub(super) fn recent_days(&self) -> f64 {
        match self.rule {
            DriftRule::Article => MONTH,
            DriftRule::RunLength { .. } => self.window_days,
        }
    }
}
