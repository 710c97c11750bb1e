//! Scores that a person gives in a spreadsheet: the pairs to score as a table, and the filled table read in again.

use super::Review;
use super::subject::name_of;
use crate::workspace::{Result, io_failure, write_named};
use lexforge_domain::api::{ScoreRefused, ScoresRead, SimilarityPair};
use lexforge_domain::review::{Choice, Edit, Score, Subject, SubjectKind};
use lexforge_domain::{Code, Failure, SimilarityId};
use lexforge_ingest::sheet::{self, Cell};
use lexforge_store::{NewAct, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The columns of the table.
const COLUMNS: [&str; 3] = ["sentence1", "sentence2", "score"];

impl Review<'_> {
    /// Writes the pairs that the present person has not scored as a table with an empty column for the score, and
    /// returns their number. The table contains neither scores of other people nor cosines, which would influence the
    /// person.
    ///
    /// # Errors
    /// When there is no such pair, or the file cannot be written.
    pub fn write_score_sheet(&self, file: &Path) -> Result<u64> {
        let (pairs, own) = self.pairs_and_own_scores()?;
        let open: Vec<&SimilarityPair> = pairs
            .iter()
            .filter(|(id, _)| !own.contains_key(id))
            .map(|(_, pair)| pair)
            .collect();
        if open.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is no pair of sentences that you have not scored.",
                "Draw pairs first.",
            ));
        }
        let rows = open.iter().map(|pair| {
            vec![
                Cell::Text(&pair.one),
                Cell::Text(&pair.other),
                Cell::Figure(String::new()),
            ]
        });
        let table = sheet::table(&COLUMNS, rows).map_err(|e| {
            Failure::new(
                Code::Internal,
                format!("The table cannot be made: {e}."),
                "Report this message.",
            )
        })?;
        write_named(file, Some(self.workspace.path()), &table)?;
        Ok(open.len() as u64)
    }

    /// Takes over the scores of a table as decisions of the present person, all of them or none. A row is used if its
    /// two sentences are a pair of the workspace, in either order. If the person gave the same score before, nothing
    /// changes; a different score replaces the earlier one. All other rows are reported with the reason.
    ///
    /// # Errors
    /// When the file cannot be read, or lacks one of its columns, or the workspace cannot be written.
    pub fn read_score_sheet(&self, file: &Path) -> Result<ScoresRead> {
        let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
        let (pairs, own) = self.pairs_and_own_scores()?;
        let rows = columns(&bytes)?;
        let mut same: HashMap<[&str; 2], Same> = HashMap::new();
        for (id, pair) in &pairs {
            let alike = same.entry(texts(&pair.one, &pair.other)).or_default();
            alike.pairs.push(*id);
        }
        for (_, [one, other, _]) in &rows {
            if let Some(alike) = same.get_mut(&texts(one, other)) {
                alike.rows += 1;
            }
        }
        let mut read = ScoresRead::default();
        let mut new: BTreeMap<Score, Vec<Subject>> = BTreeMap::new();
        for (row, [one, other, score]) in &rows {
            read.rows += 1;
            let score = score.trim();
            let alike = same.get_mut(&texts(one, other));
            if score.is_empty() {
                read.blank += 1;
                if let Some(alike) = alike {
                    alike.pass();
                }
                continue;
            }
            let points = score.replace(',', ".").parse().ok().and_then(Score::of);
            let refused = match (alike, points) {
                (None, _) => ScoreRefused::NoPair,
                (Some(alike), None) => {
                    alike.pass();
                    ScoreRefused::NoScore
                }
                (Some(alike), Some(points)) => match alike.take(points, &own) {
                    None => ScoreRefused::Twice,
                    Some(id) => {
                        match own.get(&id) {
                            None => read.scored += 1,
                            Some(before) if *before == points => read.unchanged += 1,
                            Some(_) => read.changed += 1,
                        }
                        if own.get(&id) != Some(&points) {
                            new.entry(points).or_default().push(Subject::similarity(id));
                        }
                        continue;
                    }
                },
            };
            read.refused.push((*row, refused));
        }
        self.give_scores(&new)?;
        Ok(read)
    }

    /// Scores pairs in the name of the present person, all in one piece.
    fn give_scores(&self, new: &BTreeMap<Score, Vec<Subject>>) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let me = self.me()?;
        self.workspace.store.write(&me.name, |w| {
            for (score, subjects) in new {
                for &subject in subjects {
                    if !w.holds(subject)? {
                        return Err(StoreError::NotFound {
                            what: "item",
                            id: name_of(subject),
                        });
                    }
                }
                w.decide(&NewAct {
                    person: me.id,
                    subjects,
                    choice: Choice::Score(*score),
                    edit: &Edit::default(),
                    reason: "",
                    adjudicates: false,
                })?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// All pairs, and the scores that the present person gave.
    fn pairs_and_own_scores(&self) -> Result<(Pairs, HashMap<SimilarityId, Score>)> {
        let me = self.me()?;
        let (pairs, own) = self.workspace.store.read(|r| {
            Ok((
                r.similarity_pairs()?,
                r.own_choices(me.id, SubjectKind::Similarity)?,
            ))
        })?;
        let own = own
            .into_iter()
            .filter_map(|own| match (own.subject, own.choice) {
                (Subject::Similarity { id }, Choice::Score(score)) => Some((id, score)),
                _ => None,
            });
        Ok((pairs, own.collect()))
    }
}

type Pairs = Vec<(SimilarityId, SimilarityPair)>;

/// The two sentences of a pair, in an order that does not depend on which stands first.
fn texts<'a>(one: &'a str, other: &'a str) -> [&'a str; 2] {
    let mut texts = [one.trim(), other.trim()];
    texts.sort_unstable();
    texts
}

/// The pairs with the same two sentences.
#[derive(Default)]
struct Same {
    /// Those that no row was taken for yet, in the order of the workspace.
    pairs: Vec<SimilarityId>,
    /// How many were passed or taken.
    gone: usize,
    /// Rows of the table with these sentences.
    rows: usize,
}

impl Same {
    /// Whether the table has a row for each of the pairs, so that they are meant in their order.
    fn in_order(&self) -> bool {
        self.rows == self.pairs.len() + self.gone
    }

    /// A row gives no score: where each pair has its row, the pair of this row goes without one.
    fn pass(&mut self) {
        if self.in_order() && !self.pairs.is_empty() {
            self.pairs.remove(0);
            self.gone += 1;
        }
    }

    /// Chooses the pair that a row with this score belongs to, if several pairs have the same sentences. A pair without
    /// a score comes first, because a table contains the pairs that had no score when it was written. Then comes a pair
    /// that already has this score, because the same table may be read twice.
    fn take(&mut self, points: Score, own: &HashMap<SimilarityId, Score>) -> Option<SimilarityId> {
        let place = |wanted: &dyn Fn(Option<&Score>) -> bool| {
            self.pairs.iter().position(|id| wanted(own.get(id)))
        };
        let at = match self.in_order() {
            true => 0,
            false => place(&|score| score.is_none())
                .or_else(|| place(&|score| score == Some(&points)))
                .unwrap_or_default(),
        };
        if self.pairs.is_empty() {
            return None;
        }
        self.gone += 1;
        Some(self.pairs.remove(at))
    }
}

/// The rows of the table with their numbers: both sentences and the score.
fn columns(bytes: &[u8]) -> Result<Vec<(u64, [String; 3])>> {
    let invalid = |what: String| {
        Failure::new(
            Code::InvalidRequest,
            format!("The pairs of sentences cannot be read: {what}"),
            "Give a table with the columns sentence1, sentence2 and score.",
        )
    };
    let numbered = sheet::numbered_rows(bytes).map_err(|e| invalid(e.to_string()))?;
    let (numbers, rows): (Vec<u64>, Vec<Vec<String>>) = numbered.into_iter().unzip();
    let column = |name: &str| sheet::column_of(&rows, &[name]).map_err(|e| invalid(e.to_string()));
    let [one, other, score] = COLUMNS.map(column);
    let score = score?;
    // The first row holds the names of the columns.
    let numbers = numbers.into_iter().skip(rows.len() - score.len());
    let both = one?.into_iter().zip(other?).zip(score).zip(numbers);
    Ok(both
        .map(|(((one, other), score), number)| (number, [one, other, score]))
        .collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
