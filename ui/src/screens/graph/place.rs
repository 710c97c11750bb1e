//! Where the reader is in the graph; it outlives a change of screen or language.

use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{GroupKey, NeighbourhoodRequest, NodeRef};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::text::Language;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphTab {
    /// One node among its neighbours.
    Neighbourhood,
    /// The data for choosing thresholds.
    Calibration,
    /// The build's figures.
    Figures,
}

/// A centre that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Crumb {
    pub node: NodeRef,
    /// What it is called.
    pub name: String,
    /// The language of its words.
    pub language: Language,
}

/// Most centres that are remembered.
const TRAIL: usize = 20;

/// Where the reader is in the graph.
#[derive(Clone, Copy)]
pub struct GraphPlace {
    /// The part that is shown.
    pub tab: RwSignal<GraphTab>,
    /// The centres, the present one last.
    pub trail: RwSignal<Vec<Crumb>>,
    /// One step or two.
    pub steps: RwSignal<u8>,
    /// The kinds of edges that are drawn.
    pub kinds: RwSignal<Vec<EdgeKind>>,
    /// The only document.
    pub document: RwSignal<Option<DocumentId>>,
    /// Accepted terms only.
    pub accepted: RwSignal<bool>,
    /// Hubs are folded …
    pub fold: RwSignal<bool>,
    /// … that have more than so many nodes.
    pub fold_over: RwSignal<u32>,
    /// The group that is drawn before all others.
    pub unfold: RwSignal<Option<GroupKey>>,
    /// The node that the keys are at, by its position.
    pub at: RwSignal<usize>,
    /// The node whose edge is shown, by its position; none = the centre.
    pub shown: RwSignal<Option<usize>>,
    /// How large the picture is drawn.
    pub zoom: RwSignal<f64>,
    /// The neighbourhood is shown as a list.
    pub as_list: RwSignal<bool>,
}

impl Default for GraphPlace {
    fn default() -> Self {
        Self {
            tab: RwSignal::new(GraphTab::Neighbourhood),
            trail: RwSignal::new(Vec::new()),
            steps: RwSignal::new(2),
            kinds: RwSignal::new(EdgeKind::ORDER.to_vec()),
            document: RwSignal::new(None),
            accepted: RwSignal::new(false),
            fold: RwSignal::new(true),
            fold_over: RwSignal::new(40),
            unfold: RwSignal::new(None),
            at: RwSignal::new(0),
            shown: RwSignal::new(None),
            zoom: RwSignal::new(1.0),
            as_list: RwSignal::new(false),
        }
    }
}

impl GraphPlace {
    /// Begins again, for another workspace.
    pub fn forget(self) {
        self.tab.set(GraphTab::Neighbourhood);
        self.trail.set(Vec::new());
        self.document.set(None);
        self.begin_at_centre();
    }

    /// The question about what is shown; none = there is no centre.
    pub fn request(self) -> Option<NeighbourhoodRequest> {
        let centre = self
            .trail
            .with(|trail| trail.last().map(|crumb| crumb.node))?;
        Some(NeighbourhoodRequest {
            centre,
            steps: self.steps.get(),
            kinds: self.kinds.get(),
            document: self.document.get(),
            accepted_only: self.accepted.get(),
            fold_over: self.fold.get().then(|| self.fold_over.get()),
            unfold: self.unfold.get(),
        })
    }

    /// Puts a node in the centre.
    pub fn centre(self, crumb: Crumb) {
        self.trail.update(|trail| {
            if trail.last().is_none_or(|last| last.node != crumb.node) {
                trail.push(crumb);
                if trail.len() > TRAIL {
                    trail.remove(0);
                }
            }
        });
        self.begin_at_centre();
    }

    /// Goes back to the centre before this one; false = there is none.
    pub fn back(self) -> bool {
        let more = self.trail.with_untracked(|trail| trail.len() > 1);
        if more {
            self.back_to(self.trail.with_untracked(Vec::len) - 2);
        }
        more
    }

    /// Goes back to an earlier centre by its position.
    pub fn back_to(self, at: usize) {
        self.trail.update(|trail| trail.truncate(at + 1));
        self.begin_at_centre();
    }

    /// Draws all of a group as far as there is place, or folds it again.
    pub fn turn(self, group: GroupKey) {
        let unfolded = self.unfold.get_untracked() == Some(group);
        self.begin_at_centre();
        self.unfold.set((!unfolded).then_some(group));
    }

    /// Folds everything and clears the choice, because other nodes are drawn now.
    pub fn begin_at_centre(self) {
        self.unfold.set(None);
        self.at.set(0);
        self.shown.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::TermId;

    fn crumb(id: i64) -> Crumb {
        Crumb {
            node: NodeRef::term(TermId(id)),
            name: id.to_string(),
            language: Language::En,
        }
    }

    #[test]
    fn the_way_back_leads_through_every_centre() {
        let owner = Owner::new();
        owner.set();
        let place = GraphPlace::default();
        assert!(place.request().is_none());
        for id in [1, 2, 2, 3] {
            place.centre(crumb(id));
        }
        place.at.set(4);
        place.shown.set(Some(4));
        let now = || place.request().map(|request| request.centre);
        assert_eq!(
            place.trail.with(Vec::len),
            3,
            "the centre that is there already is no step"
        );
        assert!(place.back());
        assert_eq!(now(), Some(NodeRef::term(TermId(2))));
        assert_eq!((place.at.get(), place.shown.get()), (0, None));
        assert!(place.back() && !place.back());
        assert_eq!(now(), Some(NodeRef::term(TermId(1))));
        (0..50).for_each(|id| place.centre(crumb(id)));
        assert_eq!(place.trail.with(Vec::len), TRAIL);
    }
}
