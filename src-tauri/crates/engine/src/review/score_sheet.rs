//! Scores that a person gives in a spreadsheet: the pairs to score as a table, and the filled table read in again.

use super::Review;
use crate::workspace::{Result, io_failure, write_named};
use lexforge_domain::api::{NewDecision, ScoreRefused, ScoresRead, SimilarityPair};
use lexforge_domain::review::{Choice, Edit, Score, Subject, SubjectKind};
use lexforge_domain::{Code, Failure, SimilarityId};
use lexforge_ingest::sheet::{self, Cell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// The columns of the table.
const COLUMNS: [&str; 3] = ["sentence1", "sentence2", "score"];

impl Review<'_> {
    /// Writes the pairs that the present person has not scored as a table with an empty column for the score, and
    /// returns how many they are. What others scored does not stand there, nor what an encoder thinks.
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

    /// Takes over the scores of a table as decisions of the present person. A row counts if its two sentences are a
    /// pair of the workspace, in either order; a score that the person gave before is not given again. All other rows
    /// are told with the reason.
    ///
    /// # Errors
    /// When the file cannot be read, or lacks one of its columns.
    pub fn read_score_sheet(&self, file: &Path) -> Result<ScoresRead> {
        let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
        let (pairs, own) = self.pairs_and_own_scores()?;
        let mut places: HashMap<[&str; 2], SimilarityId> = HashMap::new();
        for (id, pair) in &pairs {
            let (one, other) = (pair.one.trim(), pair.other.trim());
            places.insert([one, other], *id);
            places.insert([other, one], *id);
        }
        let mut read = ScoresRead::default();
        let mut new: BTreeMap<Score, Vec<Subject>> = BTreeMap::new();
        let mut seen = HashSet::new();
        // The first row holds the names of the columns.
        for (row, [one, other, score]) in (2_u64..).zip(columns(&bytes)?) {
            read.rows += 1;
            let score = score.trim();
            if score.is_empty() {
                read.blank += 1;
                continue;
            }
            let place = places.get(&[one.trim(), other.trim()]).copied();
            let points = score.replace(',', ".").parse().ok().and_then(Score::of);
            let refused = match (place, points) {
                (None, _) => ScoreRefused::NoPair,
                (_, None) => ScoreRefused::NoScore,
                (Some(id), _) if !seen.insert(id) => ScoreRefused::Twice,
                (Some(id), Some(points)) if own.get(&id) == Some(&points) => {
                    read.unchanged += 1;
                    continue;
                }
                (Some(id), Some(points)) => {
                    new.entry(points).or_default().push(Subject::similarity(id));
                    read.scored += 1;
                    continue;
                }
            };
            read.refused.push((row, refused));
        }
        for (score, subjects) in new {
            self.decide(&NewDecision {
                subjects,
                choice: Choice::Score(score),
                edit: Edit::default(),
                reason: String::new(),
                adjudicates: false,
            })?;
        }
        Ok(read)
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

/// The rows of the table: both sentences and the score.
fn columns(bytes: &[u8]) -> Result<Vec<[String; 3]>> {
    let invalid = |what: String| {
        Failure::new(
            Code::InvalidRequest,
            format!("The pairs of sentences cannot be read: {what}"),
            "Give a table with the columns sentence1, sentence2 and score.",
        )
    };
    let rows = sheet::rows(bytes).map_err(|e| invalid(e.to_string()))?;
    let column = |name: &str| sheet::column_of(&rows, &[name]).map_err(|e| invalid(e.to_string()));
    let [one, other, score] = COLUMNS.map(column);
    let both = one?.into_iter().zip(other?).zip(score?);
    Ok(both
        .map(|((one, other), score)| [one, other, score])
        .collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
    use lexforge_domain::api::{SimilarityDraw, SimilarityPlace};
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    /// A workspace with three pairs.
    fn engine() -> (tempfile::TempDir, Engine) {
        let home = tempfile::tempdir().unwrap();
        let engine = Engine::create(&home.path().join("a.lexforge")).unwrap();
        let place = SimilarityPlace {
            sentence: SentenceId(1),
            document: DocumentId(1),
            title: String::new(),
            section: String::new(),
            page: 1,
        };
        let pair = |n: u64| SimilarityPair {
            language: Language::En,
            one: format!("- Loss {n} is reported."),
            other: format!("Loss {n}, if any, is told."),
            one_place: place.clone(),
            other_place: place.clone(),
            cosine: 0.5,
            stratum: 1,
        };
        let draw = SimilarityDraw {
            encoder: "made".to_owned(),
            encoder_sha256: String::new(),
            language: Language::En,
            seed: 1,
            sentences: 6,
            left_out: BTreeMap::new(),
            most_of_a_sentence: 1,
            wanted: 3,
            drawn: 3,
            within: 3,
            strata: Vec::new(),
        };
        engine
            .workspace()
            .store
            .write("tester", |w| {
                w.add_similarity_pairs(&draw, &[1, 2, 3].map(pair))
            })
            .unwrap();
        (home, engine)
    }

    #[test]
    fn a_table_goes_out_without_scores_and_comes_in_with_them() {
        let (home, engine) = engine();
        let (review, file) = (engine.review(), home.path().join("score.csv"));
        assert_eq!(review.write_score_sheet(&file).unwrap(), 3);
        let sheet = std::fs::read_to_string(&file).unwrap();
        assert_eq!(sheet.matches("\"\"\r\n").count(), 3, "{sheet}");
        // Read in as it is, nothing is scored.
        let read = review.read_score_sheet(&file).unwrap();
        assert_eq!((read.rows, read.blank, read.scored), (3, 3, 0));
        let filled =
            sheet
                .replacen("\"\"\r\n", "\"3.5\"\r\n", 1)
                .replacen("\"\"\r\n", "\"0\"\r\n", 1);
        std::fs::write(&file, filled).unwrap();
        let read = review.read_score_sheet(&file).unwrap();
        assert_eq!((read.blank, read.scored, read.unchanged), (1, 2, 0));
        assert!(read.refused.is_empty(), "{:?}", read.refused);
        let again = review.read_score_sheet(&file).unwrap();
        assert_eq!((again.scored, again.unchanged), (0, 2));
        let scores: Vec<Option<f64>> = review
            .all_scores()
            .unwrap()
            .0
            .iter()
            .map(|row| row.score)
            .collect();
        assert_eq!(scores, [Some(3.5), Some(0.0), None]);
        // What is scored is not asked for again.
        assert_eq!(review.write_score_sheet(&file).unwrap(), 1);
    }

    #[test]
    fn a_row_that_is_no_score_of_a_pair_is_told_and_the_others_count() {
        let (home, engine) = engine();
        let file = home.path().join("score.tsv");
        let rows = [
            // The two in the other order, with a decimal comma.
            "Loss 1, if any, is told.\t- Loss 1 is reported.\t4,5",
            "- Loss 1 is reported.\tLoss 1, if any, is told.\t2",
            "Another sentence.\tLoss 2, if any, is told.\t2",
            "- Loss 2 is reported.\tLoss 2, if any, is told.\t7",
            "- Loss 3 is reported.\tLoss 3, if any, is told.\t",
        ];
        let table = format!("sentence1\tsentence2\tscore\n{}\n", rows.join("\n"));
        std::fs::write(&file, table).unwrap();
        let read = engine.review().read_score_sheet(&file).unwrap();
        assert_eq!((read.rows, read.scored, read.blank), (5, 1, 1));
        assert_eq!(
            read.refused,
            [
                (3, ScoreRefused::Twice),
                (4, ScoreRefused::NoPair),
                (5, ScoreRefused::NoScore)
            ]
        );
        std::fs::write(&file, "a,b\nc,d\n").unwrap();
        assert!(engine.review().read_score_sheet(&file).is_err());
    }
}
