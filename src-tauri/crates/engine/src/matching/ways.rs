//! Statements to which the graph, or terms that people reviewed, lead from a rule: they may share no word with it.

use crate::review::Review;
use crate::workspace::{OpenWorkspace, Result};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::{SentenceId, TermId};
use lexforge_graph::pairing::Web;
use std::collections::{BTreeSet, HashMap};

/// Edges of the longest way from a rule to a statement.
pub(super) const MOST_EDGES: u32 = 3;

/// What leads from rules to statements besides their words and vectors; each is there only where it leads anywhere.
#[derive(Default)]
pub(super) struct Ways {
    graph: Option<Tied>,
    terms: Option<Shared>,
}

/// Rules and statements as nodes of a graph.
struct Tied {
    web: Web,
    /// The node of each rule.
    rules: Vec<usize>,
    /// The statement that a node represents.
    statements: HashMap<usize, usize>,
    /// How many statements there are.
    n: usize,
}

/// The terms of rules and statements.
struct Shared {
    /// The terms of each rule, and of each statement.
    rules: Vec<BTreeSet<TermId>>,
    statements: Vec<BTreeSet<TermId>>,
    /// Their names.
    names: HashMap<TermId, String>,
    /// How informative each term is: the fewer statements have it, the more.
    weights: HashMap<TermId, f32>,
}

/// The statements to which the ways of one rule lead.
#[derive(Default)]
pub(super) struct Led {
    /// How strongly the graph leads to each statement.
    pub graph: Option<Vec<f32>>,
    /// Edges of the shortest way to a statement.
    pub edges: HashMap<usize, u32>,
    /// For each statement, the share that it has of the rule's terms, weighted by how telling each term is.
    pub terms: Option<Vec<f32>>,
}

impl Ways {
    /// The ways through the newest graph and the reviewed terms of a workspace, for these rules and statements.
    pub fn of_workspace(workspace: &OpenWorkspace, sides: [&[SentenceId]; 2]) -> Result<Self> {
        let (graph, mentions, edges, candidates, similar) = workspace.store.read(|r| {
            Ok((
                r.latest_graph()?,
                r.mentions()?,
                r.sentence_edges()?,
                r.sentence_candidates()?,
                r.similar_entities()?,
            ))
        })?;
        if mentions.is_empty() && graph.is_none() {
            return Ok(Self::default());
        }
        let review = Review::of(workspace);
        // The mentions of terms as the graph was built from them. For reviewed terms, only those that people accepted.
        let in_use = review.terms_in_use()?.standing;
        let accepted = review.joined_terms(ReviewPolicy::SingleReviewer)?.standing;
        let texts = workspace.store.read(|r| r.terms(&Default::default()))?.rows;
        let names: HashMap<TermId, String> = texts.into_iter().map(|t| (t.id, t.text)).collect();
        let standing = |of: &HashMap<TermId, TermId>| -> Vec<(SentenceId, TermId)> {
            let found = mentions.iter();
            found
                .filter_map(|m| Some((m.sentence, *of.get(&m.term)?)))
                .collect()
        };
        let mut ways = Self::default();
        if graph.is_some() {
            let between = edges.iter().map(|e| (e.a, e.b, e.weight));
            let chosen = candidates.iter().map(|c| (c.anchor, c.candidate, c.cosine));
            let alike = similar.iter().map(|s| (s.a, s.b, s.cosine));
            ways.graph = Tied::new(sides, between.chain(chosen), &standing(&in_use), alike);
        }
        ways.terms = Shared::new(sides, &standing(&accepted), names);
        Ok(ways)
    }

    /// The ways (paths from rules to statements) through a graph that was made of texts without a workspace. The first
    /// `asked` sentence numbers, from 0 on, are the rules; the numbers of the other `texts` follow. The other
    /// arguments are the edges of the graph and the terms in the texts.
    pub fn of_graph(
        asked: usize,
        texts: usize,
        between: &[(SentenceId, SentenceId, f32)],
        mentions: &[(SentenceId, TermId)],
        similar: &[(TermId, TermId, f32)],
        names: HashMap<TermId, String>,
    ) -> Self {
        let ids = |from: usize, n: usize| -> Vec<SentenceId> {
            (from..from + n).map(|id| SentenceId(id as i64)).collect()
        };
        let (asked, texts) = (ids(0, asked), ids(asked, texts));
        let sides = [asked.as_slice(), texts.as_slice()];
        Self {
            graph: Tied::new(
                sides,
                between.iter().copied(),
                mentions,
                similar.iter().copied(),
            ),
            terms: Shared::new(sides, mentions, names),
        }
    }

    /// The statements to which the ways of a rule lead.
    pub fn of(&self, rule: usize) -> Led {
        let mut led = Led::default();
        if let Some(tied) = &self.graph {
            let mut strengths = vec![0.0; tied.n];
            for reached in tied.web.reached(tied.rules[rule], MOST_EDGES) {
                if let Some(place) = tied.statements.get(&reached.node) {
                    strengths[*place] = reached.strength;
                    led.edges.insert(*place, reached.edges);
                }
            }
            led.graph = Some(strengths);
        }
        led.terms = self.terms.as_ref().map(|shared| shared.shares(rule));
        led
    }

    /// The reviewed terms that a rule and a statement have in common, by name.
    pub fn shared(&self, rule: usize, statement: usize) -> Vec<String> {
        self.terms.as_ref().map_or_else(Vec::new, |terms| {
            let both = terms.rules[rule].intersection(&terms.statements[statement]);
            both.filter_map(|term| terms.names.get(term).cloned())
                .collect()
        })
    }

    /// Whether a graph leads anywhere.
    pub(crate) fn has_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// Whether rules and statements have reviewed terms in common.
    pub(crate) fn has_terms(&self) -> bool {
        self.terms.is_some()
    }
}

impl Tied {
    /// `None` where no rule or no statement has an edge. A node on neither of the two sides is on the way between them.
    fn new(
        sides: [&[SentenceId]; 2],
        between: impl Iterator<Item = (SentenceId, SentenceId, f32)>,
        mentions: &[(SentenceId, TermId)],
        similar: impl Iterator<Item = (TermId, TermId, f32)>,
    ) -> Option<Self> {
        let mut numbers = Numbers::default();
        let [rules, statements] = sides
            .map(|side| -> Vec<usize> { side.iter().map(|id| numbers.sentence(*id)).collect() });
        let mut edges: Vec<(usize, usize, f32)> = between
            .map(|(a, b, weight)| (numbers.sentence(a), numbers.sentence(b), weight))
            .collect();
        for (sentence, term) in mentions {
            edges.push((numbers.sentence(*sentence), numbers.term(*term), 1.0));
        }
        edges.extend(similar.map(|(a, b, weight)| (numbers.term(a), numbers.term(b), weight)));
        let web = Web::new(numbers.next, edges);
        let leads = |side: &[usize]| side.iter().any(|node| web.is_tied(*node));
        if !leads(&rules) || !leads(&statements) {
            return None;
        }
        let n = statements.len();
        let places = statements.into_iter().enumerate();
        Some(Self {
            statements: places.map(|(place, node)| (node, place)).collect(),
            web,
            rules,
            n,
        })
    }
}

/// Sentences and terms as the nodes of one graph.
#[derive(Default)]
struct Numbers {
    sentences: HashMap<SentenceId, usize>,
    terms: HashMap<TermId, usize>,
    next: usize,
}

impl Numbers {
    fn sentence(&mut self, id: SentenceId) -> usize {
        let next = &mut self.next;
        *self.sentences.entry(id).or_insert_with(|| taken(next))
    }

    fn term(&mut self, id: TermId) -> usize {
        let next = &mut self.next;
        *self.terms.entry(id).or_insert_with(|| taken(next))
    }
}

/// The next number, which is then taken.
fn taken(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

impl Shared {
    /// `None` where no rule has a term in common with a statement.
    fn new(
        sides: [&[SentenceId]; 2],
        mentions: &[(SentenceId, TermId)],
        names: HashMap<TermId, String>,
    ) -> Option<Self> {
        let mut of: HashMap<SentenceId, BTreeSet<TermId>> = HashMap::new();
        for (sentence, term) in mentions {
            of.entry(*sentence).or_default().insert(*term);
        }
        let [rules, statements] = sides.map(|side| -> Vec<BTreeSet<TermId>> {
            let found = side.iter().map(|id| of.get(id).cloned());
            found.map(Option::unwrap_or_default).collect()
        });
        let mut counts: HashMap<TermId, usize> = HashMap::new();
        for term in statements.iter().flatten() {
            *counts.entry(*term).or_default() += 1;
        }
        if !rules.iter().flatten().any(|term| counts.contains_key(term)) {
            return None;
        }
        let all = statements.len() as f32;
        let weights = counts
            .into_iter()
            .map(|(term, n)| (term, ((all + 1.0) / (n as f32 + 0.5)).ln()))
            .collect();
        Some(Self {
            rules,
            statements,
            names,
            weights,
        })
    }

    /// For each statement its share of the weights of a rule's terms. Terms that no statement has have no weight.
    fn shares(&self, rule: usize) -> Vec<f32> {
        let weight = |term: &TermId| self.weights.get(term).copied().unwrap_or_default();
        let own = &self.rules[rule];
        let whole: f32 = own.iter().map(weight).sum();
        self.statements
            .iter()
            .map(|said| {
                let both: f32 = own.intersection(said).map(weight).sum();
                if both > 0.0 { both / whole } else { 0.0 }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences 0 and 1 are rules, 2 to 5 are statements, and 6 belongs to another document. Rule 0 and statement 2
    /// share term 0. Rule 0 also has term 1, to which a term of statement 3 is similar. Rule 1 refers to sentence 6,
    /// and statement 4 has the words of sentence 6.
    fn ways() -> Ways {
        let between = [(1, 6, 1.0), (6, 4, 0.8)];
        let between: Vec<_> = between
            .iter()
            .map(|(a, b, weight)| (SentenceId(*a), SentenceId(*b), *weight))
            .collect();
        let mentions = [(0, 0), (2, 0), (0, 1), (3, 2)];
        let mentions: Vec<_> = mentions
            .iter()
            .map(|(sentence, term)| (SentenceId(*sentence), TermId(*term)))
            .collect();
        let similar = [(TermId(1), TermId(2), 0.8)];
        let names = [(TermId(0), "exit plan".to_owned())];
        Ways::of_graph(2, 4, &between, &mentions, &similar, names.into())
    }

    /// The statements that the graph leads to, by their places, with the edges of the shortest way.
    fn led(ways: &Ways, rule: usize) -> Vec<(usize, u32)> {
        let led = ways.of(rule);
        let mut edges: Vec<(usize, u32)> = led.edges.into_iter().collect();
        edges.sort_unstable();
        let strengths = led.graph.unwrap_or_default();
        assert_eq!(strengths.len(), 4);
        for (place, strength) in strengths.iter().enumerate() {
            let found = edges.iter().any(|(known, _)| *known == place);
            assert_eq!(*strength > 0.0, found, "{place}");
        }
        edges
    }

    #[test]
    fn the_graph_leads_over_terms_similar_terms_and_other_sentences() {
        let ways = ways();
        assert!(ways.has_graph() && ways.has_terms());
        // By a shared term two edges, by a similar one three.
        assert_eq!(led(&ways, 0), [(0, 2), (1, 3)]);
        assert_eq!(led(&ways, 1), [(2, 2)]);
    }

    #[test]
    fn shared_terms_say_how_much_of_a_rule_a_statement_has() {
        let ways = ways();
        let shares = ways.of(0).terms.unwrap_or_default();
        assert_eq!(shares, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(ways.shared(0, 0), ["exit plan"]);
        assert_eq!(ways.shared(0, 1), Vec::<String>::new());
        assert_eq!(ways.of(1).terms.unwrap_or_default(), [0.0; 4]);
    }

    #[test]
    fn what_leads_nowhere_is_not_there() {
        let of = |between: &[(SentenceId, SentenceId, f32)], mentions: &[(SentenceId, TermId)]| {
            let ways = Ways::of_graph(1, 1, between, mentions, &[], HashMap::new());
            (ways.has_graph(), ways.has_terms())
        };
        let (rule, statement, other) = (SentenceId(0), SentenceId(1), SentenceId(2));
        assert_eq!(of(&[], &[]), (false, false));
        assert_eq!(of(&[(rule, other, 1.0)], &[]), (false, false));
        assert_eq!(of(&[(rule, statement, 1.0)], &[]), (true, false));
        let apart = [(rule, TermId(0)), (statement, TermId(1))];
        assert_eq!(of(&[], &apart), (true, false));
        let both = [(rule, TermId(0)), (statement, TermId(0))];
        assert_eq!(of(&[], &both), (true, true));
    }
}
