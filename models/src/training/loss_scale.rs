//! Loss scaling for fp16 (Micikevicius et al. 2018). The loss is multiplied by a large number before the gradient is
//! computed, so that small gradients do not become zero. Before the step the gradient is divided by this number.

use serde::{Deserialize, Serialize};
use tch::Kind;

/// The first scale, as in PyTorch's `GradScaler`.
const FIRST: f64 = 65_536.0;
/// Good steps after which it is doubled.
const GROWS_AFTER: u32 = 2_000;

/// The scale and how it has fared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossScale {
    /// The factor of the loss; 1 in types with a wide range.
    pub scale: f64,
    /// Good steps since it last changed.
    good: u32,
    /// Steps whose gradient was too large and that were skipped.
    pub passed_over: u64,
    adapts: bool,
}

impl Default for LossScale {
    fn default() -> Self {
        Self {
            scale: 1.0,
            good: 0,
            passed_over: 0,
            adapts: false,
        }
    }
}

impl LossScale {
    /// The scale for frozen weights of this type.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Half => Self {
                scale: FIRST,
                adapts: true,
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    /// Takes note of whether a step's gradient was finite; returns whether the training can go on. After a gradient
    /// that was not finite, the step is skipped and the scale halved. If the scale cannot be halved any more, the
    /// training itself has failed.
    pub fn heard(&mut self, finite: bool) -> bool {
        match (finite, self.adapts) {
            (true, false) => {}
            (true, true) => {
                self.good += 1;
                if self.good == GROWS_AFTER {
                    (self.scale, self.good) = (self.scale * 2.0, 0);
                }
            }
            (false, true) if self.scale > 1.0 => {
                (self.scale, self.good) = (self.scale / 2.0, 0);
                self.passed_over += 1;
            }
            (false, _) => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_at_once_grows_slowly_and_gives_up_in_the_end() {
        let mut scale = LossScale::of(Kind::Half);
        assert!(scale.heard(false));
        assert_eq!((scale.scale, scale.passed_over), (FIRST / 2.0, 1));
        for _ in 0..GROWS_AFTER - 1 {
            assert!(scale.heard(true));
        }
        assert_eq!(scale.scale, FIRST / 2.0);
        assert!(scale.heard(true));
        assert_eq!(scale.scale, FIRST);
        let halvings = (0..100).take_while(|_| scale.heard(false)).count();
        assert_eq!((halvings, scale.scale), (16, 1.0));
    }

    #[test]
    fn a_type_with_a_wide_range_has_none() {
        let mut scale = LossScale::of(Kind::BFloat16);
        assert!(scale.heard(true) && !scale.heard(false));
        assert_eq!((scale.scale, scale.passed_over), (1.0, 0));
    }
}
