//! Finds the earlier decision that belongs to each rule of a new matching. Two rules may have the same text, in one
//! document or in several. A decision about one of them says nothing about the other.

use lexforge_domain::api::{DocumentRow, MatchDecision, MatchText};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_text::fold::letters;
use lexforge_text::likeness::shingle_jaccard;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Which document is a new version of which other one, and which documents have their rules matched now.
pub(super) struct Versions {
    before: HashMap<DocumentId, DocumentId>,
    matched: HashSet<DocumentId>,
}

/// The decisions by the rules that they are about.
pub(super) struct Earlier<'d> {
    versions: Versions,
    /// The texts of the rules that are matched now, by their documents.
    standing: HashSet<(DocumentId, String)>,
    /// The newest decision about each rule.
    by_rule: HashMap<SentenceId, &'d MatchDecision>,
    by_text: HashMap<String, Vec<&'d MatchDecision>>,
    by_place: HashMap<(DocumentId, String), Vec<&'d MatchDecision>>,
}

impl Versions {
    /// The versions of these documents, where rules of some of them are matched.
    pub fn of(documents: &[DocumentRow], matched: impl Iterator<Item = DocumentId>) -> Self {
        let pairs = documents.iter();
        Self {
            before: pairs.filter_map(|d| Some((d.id, d.predecessor?))).collect(),
            matched: matched.collect(),
        }
    }

    /// The given pairs of a document and the one before it.
    #[cfg(test)]
    pub(crate) fn from_pairs(pairs: &[(i64, i64)], matched: &[i64]) -> Self {
        let pair = |(new, old): &(i64, i64)| (DocumentId(*new), DocumentId(*old));
        Self {
            before: pairs.iter().map(pair).collect(),
            matched: matched.iter().copied().map(DocumentId).collect(),
        }
    }

    /// The earlier versions of a document, the newest first.
    pub fn earlier(&self, document: DocumentId) -> Vec<DocumentId> {
        // No chain of versions is longer than there are documents that have one before them.
        std::iter::successors(self.before.get(&document), |d| self.before.get(d))
            .take(self.before.len())
            .copied()
            .collect()
    }

    /// The first version of a document: itself where it is no new version.
    pub fn first(&self, document: DocumentId) -> DocumentId {
        self.earlier(document).last().copied().unwrap_or(document)
    }

    /// How far back the document of a decided rule is among the earlier versions of this rule's document. If it is none
    /// of these versions, the result is `usize::MAX` if that document is not matched now. It is `None` if that document
    /// is matched now, because then the decision is about another rule.
    fn back(&self, decided: &MatchText, rule: &MatchText) -> Option<usize> {
        let earlier = self.earlier(rule.document);
        let place = earlier.iter().position(|d| *d == decided.document);
        place.or((!self.matched.contains(&decided.document)).then_some(usize::MAX))
    }

    /// Whether a decision is about this rule, or about one that read just so before.
    pub(crate) fn is_about(&self, decided: &MatchText, rule: &MatchText) -> bool {
        decided.id == rule.id
            || self.back(decided, rule).is_some() && letters(&decided.text) == letters(&rule.text)
    }
}

impl<'d> Earlier<'d> {
    /// Sorts decisions, oldest first, by the rules that are matched now.
    pub fn of(
        decisions: impl IntoIterator<Item = &'d MatchDecision>,
        versions: Versions,
        rules: &[&MatchText],
    ) -> Self {
        let decisions = decisions.into_iter();
        let by_rule: HashMap<SentenceId, &MatchDecision> =
            decisions.map(|d| (d.rule.id, d)).collect();
        let mut newest: Vec<&MatchDecision> = by_rule.values().copied().collect();
        newest.sort_unstable_by_key(|d| d.id);
        let mut by_text: HashMap<String, Vec<&MatchDecision>> = HashMap::new();
        let mut by_place: HashMap<(DocumentId, String), Vec<&MatchDecision>> = HashMap::new();
        for decision in newest {
            let MatchText {
                document, section, ..
            } = &decision.rule;
            let text = letters(&decision.rule.text);
            by_text.entry(text).or_default().push(decision);
            let place = (*document, section.clone());
            by_place.entry(place).or_default().push(decision);
        }
        Self {
            versions,
            standing: rules
                .iter()
                .map(|rule| (rule.document, letters(&rule.text)))
                .collect(),
            by_rule,
            by_text,
            by_place,
        }
    }

    /// The decision that belongs to a rule, and whether the rule's text has changed since. The first of these that
    /// exists is taken: the decision about the rule itself; the decision about the same words in an earlier version;
    /// the decision about the most similar rule of an earlier version. This most similar rule must have the same
    /// heading above it, and it must no longer exist in the new version.
    pub fn about(&self, rule: &MatchText) -> Option<(&'d MatchDecision, bool)> {
        let text = letters(&rule.text);
        if let Some(own) = self.by_rule.get(&rule.id) {
            return Some((*own, letters(&own.rule.text) != text));
        }
        let alike = self.by_text.get(&text).into_iter().flatten();
        let same = alike
            .filter_map(|d| Some((self.versions.back(&d.rule, rule)?, *d)))
            .max_by_key(|(back, d)| (Reverse(*back), d.rule.section == rule.section, d.id));
        if let Some((_, same)) = same {
            return Some((same, false));
        }
        if rule.section.is_empty() {
            return None;
        }
        let changed = |document: DocumentId| {
            let here = self.by_place.get(&(document, rule.section.clone()))?;
            here.iter()
                .filter(|d| {
                    let stands = (rule.document, letters(&d.rule.text));
                    !self.standing.contains(&stands)
                })
                .max_by(|a, b| {
                    let [a, b] = [a, b].map(|d| shingle_jaccard(&d.rule.text, &rule.text));
                    a.total_cmp(&b)
                })
                .copied()
        };
        let earlier = self.versions.earlier(rule.document);
        let found = earlier.into_iter().find_map(changed)?;
        Some((found, true))
    }
}

/// The statements of the policies that are matched now.
pub(super) struct Standing<'s> {
    documents: HashSet<DocumentId>,
    by_text: HashMap<String, Vec<&'s MatchText>>,
}

impl<'s> Standing<'s> {
    /// The given statements, to be looked up by document and by text.
    pub fn of(statements: impl Iterator<Item = &'s MatchText>) -> Self {
        let mut documents = HashSet::new();
        let mut by_text: HashMap<String, Vec<&MatchText>> = HashMap::new();
        for statement in statements {
            documents.insert(statement.document);
            let text = letters(&statement.text);
            by_text.entry(text).or_default().push(statement);
        }
        Self { documents, by_text }
    }

    /// The texts that a decision names, at their present places: in a policy that was imported again, the same words
    /// may be on other pages. `None` where one of the texts is no longer there.
    pub fn now(&self, decided: &[MatchText]) -> Option<Vec<MatchText>> {
        decided.iter().map(|text| self.place(text)).collect()
    }

    fn place(&self, decided: &MatchText) -> Option<MatchText> {
        // A document never changes. So if it is matched now, the text is still at its old place. This is true even if
        // the text is not among the statements found there, because a person may have linked it by hand.
        if self.documents.contains(&decided.document) {
            return Some(decided.clone());
        }
        let alike = self.by_text.get(&letters(&decided.text))?;
        let same_section = alike.iter().find(|now| now.section == decided.section);
        same_section.or(alike.first()).map(|now| (*now).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::MatchVerdict;

    /// A rule: its sentence, its document, its section, its words.
    type Rule = (i64, i64, &'static str, &'static str);

    fn text((id, document, section, text): Rule) -> MatchText {
        MatchText {
            id: SentenceId(id),
            document: DocumentId(document),
            page: 1,
            text: text.to_owned(),
            section: section.to_owned(),
            external_id: None,
        }
    }

    fn decision(id: i64, rule: Rule) -> MatchDecision {
        MatchDecision {
            id,
            rule: text(rule),
            accepted: true,
            undecided: false,
            verdict: MatchVerdict::Covered,
            relation: None,
            policies: Vec::new(),
            against: Vec::new(),
            note: String::new(),
            owner: String::new(),
            due: None,
            made: String::new(),
            actor: "Ada".to_owned(),
        }
    }

    const KEEP: &str = "The firm shall keep a record of it.";
    const REPORT: &str = "The firm shall report each incident within one day.";
    const AUDIT: &str = "The firm shall be audited each year.";

    /// Checks which decision belongs to each rule of document 2 (a new version of document 1) and of document 9 (which
    /// is matched together with document 2).
    fn check(decided: &[Rule], rules: &[Rule], expected: &[Option<(i64, bool)>]) {
        let decisions: Vec<MatchDecision> = (1..)
            .zip(decided)
            .map(|(id, rule)| decision(id, *rule))
            .collect();
        let rules: Vec<MatchText> = rules.iter().map(|rule| text(*rule)).collect();
        let versions = Versions {
            before: HashMap::from([(DocumentId(2), DocumentId(1))]),
            matched: rules.iter().map(|rule| rule.document).collect(),
        };
        let all: Vec<&MatchText> = rules.iter().collect();
        let earlier = Earlier::of(&decisions, versions, &all);
        let found: Vec<Option<(i64, bool)>> = rules
            .iter()
            .map(|rule| earlier.about(rule).map(|(d, changed)| (d.id, changed)))
            .collect();
        assert_eq!(found, expected, "{decided:?} {rules:?}");
    }

    #[test]
    fn a_decision_stays_with_its_own_rule_where_others_read_alike() {
        let (own, twin) = ((20, 2, "A", KEEP), (21, 2, "B", KEEP));
        let (elsewhere, gone) = ((90, 9, "A", KEEP), (70, 7, "A", KEEP));
        check(
            &[own, twin],
            &[own, twin],
            &[Some((1, false)), Some((2, false))],
        );
        // A decision about the one rule says nothing of the others.
        check(
            &[own],
            &[own, twin, elsewhere],
            &[Some((1, false)), None, None],
        );
        // The rule of a document that is not matched now may be the same in another file.
        check(&[gone], &[own], &[Some((1, false))]);
    }

    #[test]
    fn a_new_version_takes_over_what_was_decided_of_the_same_words() {
        let before = [(10, 1, "A", KEEP), (11, 1, "B", KEEP)];
        let now = [(21, 2, "B", KEEP), (20, 2, "A", KEEP)];
        check(&before, &now, &[Some((2, false)), Some((1, false))]);
        // Renumbered, it is the same still.
        let moved = [(20, 2, "C", KEEP)];
        check(&before[..1], &moved, &[Some((1, false))]);
    }

    #[test]
    fn a_statement_is_named_where_it_stands_now() {
        // Document 2 is matched in the place of document 1, from which the decision is.
        let now = [
            text((20, 2, "B", KEEP)),
            text((21, 2, "A", KEEP)),
            text((22, 2, "A", AUDIT)),
        ];
        let standing = Standing::of(now.iter());
        for (decided, expected) in [
            (vec![(10, 1, "A", KEEP)], Some(vec![21])),
            (vec![(10, 1, "C", KEEP)], Some(vec![20])),
            (
                vec![(10, 1, "A", KEEP), (11, 1, "A", AUDIT)],
                Some(vec![21, 22]),
            ),
            (vec![(10, 1, "A", KEEP), (12, 1, "A", REPORT)], None),
            // A heading that somebody linked by hand, in a document that is matched still.
            (vec![(29, 2, "A", "Records")], Some(vec![29])),
            (Vec::new(), Some(Vec::new())),
        ] {
            let texts: Vec<MatchText> = decided.iter().map(|rule| text(*rule)).collect();
            let found = standing.now(&texts);
            let found = found.map(|all| all.iter().map(|t| t.id.0).collect::<Vec<_>>());
            assert_eq!(found, expected, "{decided:?}");
        }
    }

    #[test]
    fn only_the_rule_that_reads_otherwise_is_open_again() {
        let before = [(10, 1, "A", REPORT), (11, 1, "A", KEEP)];
        let now = [
            (
                20,
                2,
                "A",
                "The firm shall report each incident within two days.",
            ),
            (21, 2, "A", KEEP),
        ];
        // The newest decision under the heading is about the other rule.
        check(&before, &now, &[Some((1, true)), Some((2, false))]);
        // A rule that was added is not a rule that changed.
        let added = [
            (20, 2, "A", REPORT),
            (21, 2, "A", KEEP),
            (22, 2, "A", AUDIT),
        ];
        check(&before, &added, &[Some((1, false)), Some((2, false)), None]);
        // If several rules are gone, the most similar one counts.
        let before = [(10, 1, "A", REPORT), (11, 1, "A", AUDIT)];
        check(&before, &now[..1], &[Some((1, true))]);
        // Without a heading it is not known which rule it was.
        let bare = [(10, 1, "", REPORT)];
        check(&bare, &[(20, 2, "", AUDIT)], &[None]);
    }
}
