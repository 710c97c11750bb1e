//! The screens.

use crate::components::icon::Icon;
use crate::i18n::t;

/// A screen of the rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Documents, pages, sentences.
    Library,
    Terms,
    /// The sentence graph.
    Graph,
    /// Questions with choices and answer.
    Questions,
    /// Training runs.
    Training,
    /// Before and after.
    Evaluation,
    /// Answers with their pages.
    Ask,
    /// Rules against policies.
    Match,
    /// The audit chain.
    Activity,
    /// Preferences and the machine.
    Settings,
}

/// The parts of the rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RailPart {
    /// The screens on the way to a model.
    Teach,
    /// The screens that use a model.
    Use,
    /// The screens beside all of these, at the bottom.
    Beside,
}

impl Route {
    /// All screens in the rail's order.
    pub const ALL: [Self; 10] = [
        Self::Library,
        Self::Terms,
        Self::Graph,
        Self::Questions,
        Self::Training,
        Self::Evaluation,
        Self::Ask,
        Self::Match,
        Self::Activity,
        Self::Settings,
    ];

    /// The name under which it is remembered.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Terms => "terms",
            Self::Graph => "graph",
            Self::Questions => "questions",
            Self::Training => "training",
            Self::Evaluation => "evaluation",
            Self::Ask => "ask",
            Self::Match => "match",
            Self::Activity => "activity",
            Self::Settings => "settings",
        }
    }

    /// The screen of a name.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.tag() == tag)
    }

    /// Whether it has nothing to show until a workspace is open.
    pub fn needs_workspace(self) -> bool {
        self != Self::Settings
    }

    /// The part of the rail that it is in.
    pub fn part(self) -> RailPart {
        match self {
            Self::Library
            | Self::Terms
            | Self::Graph
            | Self::Questions
            | Self::Training
            | Self::Evaluation => RailPart::Teach,
            Self::Ask | Self::Match => RailPart::Use,
            Self::Activity | Self::Settings => RailPart::Beside,
        }
    }

    /// Its name for readers.
    pub fn title(self) -> String {
        match self {
            Self::Library => t("nav.library"),
            Self::Terms => t("nav.terms"),
            Self::Graph => t("nav.graph"),
            Self::Questions => t("nav.questions"),
            Self::Training => t("nav.training"),
            Self::Evaluation => t("nav.evaluation"),
            Self::Ask => t("nav.ask"),
            Self::Match => t("nav.match"),
            Self::Activity => t("nav.activity"),
            Self::Settings => t("nav.settings"),
        }
    }

    /// Its sign.
    pub fn icon(self) -> Icon {
        match self {
            Self::Library => Icon::Books,
            Self::Terms => Icon::Terms,
            Self::Graph => Icon::Graph,
            Self::Questions => Icon::Question,
            Self::Training => Icon::Curve,
            Self::Evaluation => Icon::Scales,
            Self::Ask => Icon::Ask,
            Self::Match => Icon::Match,
            Self::Activity => Icon::Pulse,
            Self::Settings => Icon::Sliders,
        }
    }

    /// The physical key after G that leads to it, as [`web_sys::KeyboardEvent::code`] names it, and its letter.
    pub fn key(self) -> (&'static str, &'static str) {
        match self {
            Self::Library => ("KeyL", "L"),
            Self::Terms => ("KeyT", "T"),
            Self::Graph => ("KeyG", "G"),
            Self::Questions => ("KeyQ", "Q"),
            Self::Training => ("KeyR", "R"),
            Self::Evaluation => ("KeyE", "E"),
            Self::Ask => ("KeyA", "A"),
            Self::Match => ("KeyM", "M"),
            Self::Activity => ("KeyV", "V"),
            Self::Settings => ("KeyS", "S"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_screen_has_its_own_tag_and_key() {
        for (i, a) in Route::ALL.into_iter().enumerate() {
            assert_eq!(Route::from_tag(a.tag()), Some(a));
            for b in Route::ALL.into_iter().skip(i + 1) {
                assert_ne!(a.tag(), b.tag());
                assert_ne!(a.key(), b.key());
            }
        }
    }
}
