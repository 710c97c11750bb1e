//! What a workspace that a command has opened is to the one that was shown before.

/// The workspace that is shown now, beside the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It is the same one, with new figures.
    Same,
    /// None was shown before.
    First,
    /// Another one was shown, in which the jobs up to this number began; 0 = none.
    Another(u64),
}

impl Opening {
    /// By the path that was shown, the path that is shown now, and the numbers of the jobs that are known.
    pub fn of(before: Option<&str>, now: &str, jobs: impl Iterator<Item = u64>) -> Self {
        match before {
            Some(before) if before == now => Self::Same,
            Some(_) => Self::Another(jobs.max().unwrap_or(0)),
            None => Self::First,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_the_workspace_before_are_told_from_those_of_the_next() {
        let of = |before, now, jobs: &[u64]| Opening::of(before, now, jobs.iter().copied());
        assert_eq!(of(None, "a", &[]), Opening::First);
        assert_eq!(of(None, "a", &[3]), Opening::First);
        assert_eq!(of(Some("a"), "a", &[3]), Opening::Same);
        assert_eq!(of(Some("a"), "b", &[3, 7, 5]), Opening::Another(7));
        assert_eq!(of(Some("a"), "b", &[]), Opening::Another(0));
    }
}
