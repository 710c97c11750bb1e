//! How alike two sentences are in meaning, as an expert says it: 0 to 5 in half steps.

/// A score of 0 to 5 in half steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u8);

/// The tags of all scores, by their half steps.
const TAGS: [&str; 11] = [
    "score_0",
    "score_0.5",
    "score_1",
    "score_1.5",
    "score_2",
    "score_2.5",
    "score_3",
    "score_3.5",
    "score_4",
    "score_4.5",
    "score_5",
];

impl Score {
    /// The highest one in half steps.
    pub const MOST: u8 = 10;
    /// Scores further apart than this, in points, are a conflict.
    pub const APART: f64 = 2.0;
    /// The score of this many half steps; `None` above the highest.
    pub const fn of_half_steps(half_steps: u8) -> Option<Self> {
        if half_steps <= Self::MOST {
            Some(Self(half_steps))
        } else {
            None
        }
    }

    /// The score of this many points; `None` if it is no half step from 0 to 5.
    pub fn of(points: f64) -> Option<Self> {
        let half_steps = points * 2.0;
        let is_one =
            half_steps.fract() == 0.0 && (0.0..=f64::from(Self::MOST)).contains(&half_steps);
        is_one.then_some(Self(half_steps as u8))
    }

    /// The half step that is nearest to this many points. Of two that are equally near, the upper one.
    pub fn nearest(points: f64) -> Self {
        Self(
            (points * 2.0 + 0.5)
                .floor()
                .clamp(0.0, f64::from(Self::MOST)) as u8,
        )
    }

    /// All scores, from 0 on.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MOST).map(Self)
    }

    /// Its half steps.
    pub fn half_steps(self) -> u8 {
        self.0
    }

    /// Its points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// Its points as they are written: `3`, `3.5`.
    pub fn written(self) -> &'static str {
        self.tag().trim_start_matches("score_")
    }

    /// The tag that is stored.
    pub fn tag(self) -> &'static str {
        TAGS.get(usize::from(self.0)).copied().unwrap_or(TAGS[0])
    }

    /// The score of a tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::all().find(|score| score.tag() == tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_half_step_from_0_to_5() {
        for (points, expected) in [
            (0.0, Some("0")),
            (2.5, Some("2.5")),
            (5.0, Some("5")),
            (5.5, None),
            (-0.5, None),
            (2.3, None),
            (f64::NAN, None),
        ] {
            assert_eq!(Score::of(points).map(Score::written), expected, "{points}");
        }
        for score in Score::all() {
            assert_eq!(Score::from_tag(score.tag()), Some(score));
            assert_eq!(Score::of(score.points()), Some(score));
            assert_eq!(Score::nearest(score.points() + 0.2), score);
        }
        assert_eq!(Score::nearest(3.25).points(), 3.5);
        assert_eq!(Score::all().count(), 11);
    }
}
