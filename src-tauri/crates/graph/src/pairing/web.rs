//! How near the nodes of a graph lie to each other: over how few edges, and by how many ways.

use std::cell::RefCell;

/// A search does not follow the edges of a node with more neighbours than this. Such a node is, for example, a term
/// that is nearly everywhere. It does not show that two texts belong together.
const MOST_NEIGHBOURS: usize = 1_000;
/// At each step, paths are continued only from this many nodes, the strongest ones.
const MOST_ON_THE_WAY: usize = 500;
/// What a way is worth with each edge more.
const PER_EDGE: f32 = 0.5;

/// A graph of any kinds of nodes, by their numbers, with the weight of each edge in both directions. A node's weight is
/// divided among its edges, so that a path through a node with many edges counts little.
#[derive(Clone, Debug, Default)]
pub struct Web {
    near: Vec<Vec<(usize, f32)>>,
}

/// A node that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Its number.
    pub node: usize,
    /// Edges of the shortest way to it.
    pub edges: u32,
    /// All ways to it together, a shorter one counting more.
    pub strength: f32,
}

/// Marks for each node while paths are followed. A graph may have many more nodes than one search reaches, so new marks
/// for each search would cost too much. Each search clears only the marks that it set, and the next search uses the
/// same memory.
#[derive(Default)]
struct Marks {
    /// The ways of this step together.
    sums: Vec<f32>,
    /// All ways together.
    strength: Vec<f32>,
    /// Edges of the shortest way; 0 = not reached.
    first: Vec<u32>,
}

thread_local! {
    static MARKS: RefCell<Marks> = RefCell::default();
}

impl Marks {
    fn grow_to(&mut self, nodes: usize) {
        if self.first.len() < nodes {
            self.sums.resize(nodes, 0.0);
            self.strength.resize(nodes, 0.0);
            self.first.resize(nodes, 0);
        }
    }
}

impl Web {
    /// A graph with `nodes` nodes and these edges. Of several edges between two nodes the strongest counts. Edges from
    /// a node to itself, to a node that does not exist, or without a weight are left out.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (usize, usize, f32)>) -> Self {
        let mut near: Vec<Vec<(usize, f32)>> = vec![Vec::new(); nodes];
        for (a, b, weight) in edges {
            if a != b && a < nodes && b < nodes && weight > 0.0 {
                near[a].push((b, weight));
                near[b].push((a, weight));
            }
        }
        for of_node in &mut near {
            of_node.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
            of_node.dedup_by_key(|(to, _)| *to);
        }
        let sums: Vec<f32> = near
            .iter()
            .map(|of_node| of_node.iter().map(|(_, weight)| weight).sum())
            .collect();
        for (from, of_node) in near.iter_mut().enumerate() {
            for (to, weight) in of_node {
                *weight /= (sums[from] * sums[*to]).sqrt();
            }
        }
        Self { near }
    }

    /// Whether the node has an edge.
    pub fn is_tied(&self, node: usize) -> bool {
        self.near.get(node).is_some_and(|near| !near.is_empty())
    }

    /// What is reached from a node over at most `most` edges, by number; the node itself is not.
    pub fn reached(&self, start: usize, most: u32) -> Vec<Reached> {
        MARKS.with_borrow_mut(|marks| {
            marks.grow_to(self.near.len());
            self.reached_with(start, most, marks)
        })
    }

    /// The nodes that are reached from a node over at most `most` edges. The function uses the marks of this thread,
    /// and clears the marks that it sets.
    fn reached_with(&self, start: usize, most: u32, marks: &mut Marks) -> Vec<Reached> {
        let Marks {
            sums,
            strength,
            first,
        } = marks;
        let mut all: Vec<usize> = Vec::new();
        let mut front = if start < self.near.len() {
            vec![(start, 1.0_f32)]
        } else {
            Vec::new()
        };
        let mut worth = 1.0_f32;
        for edges in 1..=most {
            let mut next: Vec<usize> = Vec::new();
            for (node, sum) in &front {
                let near = &self.near[*node];
                // Where one begins, all edges count.
                if edges > 1 && near.len() > MOST_NEIGHBOURS {
                    continue;
                }
                for (to, weight) in near.iter().filter(|(to, _)| *to != start) {
                    if sums[*to] == 0.0 {
                        next.push(*to);
                    }
                    sums[*to] += sum * weight;
                }
            }
            front = next
                .into_iter()
                .map(|node| (node, std::mem::take(&mut sums[node])))
                .collect();
            for (node, sum) in &front {
                strength[*node] += worth * sum;
                if first[*node] == 0 {
                    first[*node] = edges;
                    all.push(*node);
                }
            }
            front.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            front.truncate(MOST_ON_THE_WAY);
            front.sort_unstable_by_key(|(node, _)| *node);
            worth *= PER_EDGE;
        }
        all.sort_unstable();
        all.into_iter()
            .map(|node| Reached {
                node,
                edges: std::mem::take(&mut first[node]),
                strength: std::mem::take(&mut strength[node]),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes that are reached from 0, with the edges of the shortest way.
    fn from_first(web: &Web, most: u32) -> Vec<(usize, u32)> {
        let reached = web.reached(0, most);
        reached.iter().map(|r| (r.node, r.edges)).collect()
    }

    #[test]
    fn no_way_is_longer_than_was_asked() {
        let chain = (0..5).map(|node| (node, node + 1, 1.0));
        let web = Web::new(6, chain);
        assert_eq!(from_first(&web, 1), [(1, 1)]);
        assert_eq!(from_first(&web, 3), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(from_first(&web, 0), []);
        assert!(web.is_tied(5) && !web.is_tied(6));
        assert_eq!(web.reached(6, 3), []);
    }

    #[test]
    fn one_way_leaves_no_mark_for_the_next() {
        let chain = Web::new(6, (0..5).map(|node| (node, node + 1, 1.0)));
        // More are reached than the way goes on from, and than the first graph has nodes.
        let many = 2 * MOST_ON_THE_WAY;
        let star = Web::new(many, (1..many).map(|node| (0, node, 1.0)));
        let alone = chain.reached(2, 3);
        assert_eq!(star.reached(0, 3).len(), many - 1);
        assert_eq!(chain.reached(2, 3), alone);
        MARKS.with_borrow(|marks| {
            assert!(marks.first.len() >= many);
            assert!(marks.first.iter().all(|edges| *edges == 0));
            let mut sums = marks.sums.iter().chain(&marks.strength);
            assert!(sums.all(|sum| *sum == 0.0));
        });
    }

    #[test]
    fn a_way_through_what_is_tied_to_little_counts_more() {
        // Rule 0 and statement 1 share term 3, which no other node has. Rule 0 and statement 2 share term 4, which ten
        // nodes have.
        let mut edges = vec![(0, 3, 1.0), (1, 3, 1.0), (0, 4, 1.0), (2, 4, 1.0)];
        edges.extend((5..13).map(|node| (node, 4, 1.0)));
        let web = Web::new(13, edges);
        let strength = |wanted: usize| {
            let reached = web.reached(0, 3);
            let found = reached.iter().find(|r| r.node == wanted);
            found.map_or(0.0, |r| r.strength)
        };
        assert!(strength(1) > 2.0 * strength(2) && strength(2) > 0.0);
        // By number: 0 is tied twice, 3 twice and 1 once, and a second edge halves.
        let once = 1.0 / (2.0_f32 * 2.0).sqrt() * (1.0 / (2.0_f32 * 1.0).sqrt()) * 0.5;
        assert!((strength(1) - once).abs() < 1e-6, "{}", strength(1));
    }

    #[test]
    fn what_stands_everywhere_leads_nowhere() {
        let everywhere = MOST_NEIGHBOURS + 2;
        let edges = (0..everywhere - 1).map(|node| (node, everywhere - 1, 1.0));
        let web = Web::new(everywhere, edges);
        assert_eq!(from_first(&web, 3), [(everywhere - 1, 1)]);
        // From such a node itself, everything is one edge away.
        assert_eq!(web.reached(everywhere - 1, 1).len(), everywhere - 1);
    }

    #[test]
    fn edges_that_say_nothing_are_left_out() {
        let edges = [
            (0, 0, 1.0),
            (0, 9, 1.0),
            (0, 1, 0.0),
            (1, 2, 0.5),
            (2, 1, 0.9),
        ];
        let web = Web::new(3, edges);
        assert!(!web.is_tied(0));
        let found = web.reached(1, 1);
        assert_eq!(found.len(), 1);
        // The one edge of either end has all of its weight, whichever of the two was given.
        assert!((found[0].strength - 1.0).abs() < 1e-6);
    }
}
