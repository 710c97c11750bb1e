//! Decides when the shell is asked for the workspace's figures. If further requests come while the shell is being
//! asked, it is asked once more after the answer. Two questions at the same time could be answered in the wrong order,
//! and then the older figures would stay.

/// How far the question is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reloading {
    /// None is asked.
    #[default]
    Not,
    /// It is asked.
    Once,
    /// The shell is being asked, and will be asked once more.
    Again,
}

impl Reloading {
    /// Somebody wishes to know; says whether the question goes out now.
    pub fn wished(&mut self) -> bool {
        let now = *self == Self::Not;
        *self = if now { Self::Once } else { Self::Again };
        now
    }

    /// The answer is there; says whether the question goes out once more.
    pub fn answered(&mut self) -> bool {
        let again = *self == Self::Again;
        *self = if again { Self::Once } else { Self::Not };
        again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_under_way_are_one_more_question() {
        let mut state = Reloading::default();
        assert!(state.wished());
        assert!(!state.wished() && !state.wished(), "one is under way");
        assert!(state.answered(), "three wishes are two questions");
        assert!(!state.answered());
        assert_eq!(state, Reloading::Not);
        assert!(state.wished(), "the next wish is asked at once");
        assert!(!state.answered());
    }
}
