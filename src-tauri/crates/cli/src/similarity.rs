//! `similarity`.

use crate::agreement;
use crate::none_yet;
use crate::output::{Outcome, Output, count, counted, done, in_full, share};
use crate::review::{describe_act, describe_queue, open};
use crate::similarity_args::{SimilarityAction, SimilarityArgs};
use crate::terminal::Terminal;
use crate::triplets::measure;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    NewDecision, OwnPairs, QueueFilter, ScoreRefused, ScoresRead, SimilarityDraw, SimilarityFilter,
    SimilarityRequest, SimilarityRow, TripletsMeasured,
};
use lexforge_domain::review::{Choice, Edit, Subject, SubjectKind};
use lexforge_domain::text::Language;
use lexforge_engine::{Engine, scored_sets};
use std::fmt::Write as _;
use std::path::Path;

/// `similarity`
pub fn run(args: &SimilarityArgs, out: &Output) -> Outcome {
    match &args.action {
        SimilarityAction::Draw {
            workspace,
            pairs,
            seed,
            encoder,
            language,
        } => {
            let request = SimilarityRequest {
                pairs: *pairs,
                seed: *seed,
                encoder: encoder.clone(),
                language: language.as_deref().map(Language::from_tag),
            };
            let engine = Engine::open_to_write(workspace)?;
            let watcher = Terminal::new(out.json);
            let drawn = watcher.finished(engine.writing().draw_similarity(&request, &watcher))?;
            out.document(&drawn, || describe_draw(&drawn));
        }
        SimilarityAction::Queue(who) => {
            let filter = QueueFilter::of(SubjectKind::Similarity);
            let view = open(who)?.review().review_queue(&filter, None)?;
            out.document(&view, || describe_queue(&view));
        }
        SimilarityAction::Score {
            who,
            ids,
            score,
            skip: _,
            reason,
            adjudicate,
        } => {
            let act = open(who)?.review().decide(&NewDecision {
                subjects: ids.iter().map(|id| Subject::similarity(*id)).collect(),
                choice: score.map_or(Choice::Skip, Choice::Score),
                edit: Edit::default(),
                reason: reason.clone(),
                adjudicates: *adjudicate,
            })?;
            out.document(&act, || describe_act(&act));
        }
        SimilarityAction::Sheet { who, file } => {
            let n = open(who)?.review().write_score_sheet(file)?;
            let value = serde_json::json!({ "pairs": n, "file": file.display().to_string() });
            out.document(&value, || {
                format!("{} to score in {}.", counted(n, "pair"), in_full(file))
            });
        }
        SimilarityAction::Import { who, file } => {
            let read = open(who)?.review().read_score_sheet(file)?;
            out.document(&read, || describe_read(&read));
        }
        SimilarityAction::Undo(who) => {
            let undone = open(who)?.review().undo_decision()?;
            out.document(&undone, || match &undone {
                Some(act) => format!("Taken back: {}", describe_act(act)),
                None => "There is nothing left to take back.".to_owned(),
            });
        }
        SimilarityAction::List {
            who,
            unscored,
            disputed,
        } => {
            let rows = open(who)?.review().similarity(&SimilarityFilter {
                unscored: *unscored,
                disputed: *disputed,
            })?;
            out.rows(&rows, none_yet::SIMILARITY, describe_row);
        }
        SimilarityAction::Agreement { workspace } => {
            return agreement::show(workspace, SubjectKind::Similarity, out);
        }
        SimilarityAction::Export { workspace, file } => export(workspace, file, out)?,
        SimilarityAction::Measure {
            workspace,
            encoder,
            sts,
        } => {
            let wanted = TripletsMeasured {
                run: encoder.run,
                base: encoder.base.clone(),
                percents: encoder.points.clone(),
                split: None,
                own: OwnPairs::Wanted,
                sets: scored_sets(sts)?,
            };
            measure(workspace, &wanted, out)?;
        }
    }
    done()
}

/// Writes the table and its card.
fn export(workspace: &Path, file: &Path, out: &Output) -> Result<(), Failure> {
    let found = Engine::open(workspace)?.writing().write_similarity(file)?;
    out.document(&found, || {
        format!(
            "{} pairs in {}, with a card beside it. Left out: {} whose scores are too far apart, {} that nobody has scored.",
            count(found.pairs),
            in_full(file),
            count(found.disputed),
            count(found.unscored)
        )
    });
    Ok(())
}

fn describe_read(read: &ScoresRead) -> String {
    let mut text = format!(
        "{} taken over; {} in place of another one of yours; {} as before; {} without a score",
        counted(read.scored, "score"),
        count(read.changed),
        count(read.unchanged),
        counted(read.blank, "row")
    );
    for (row, why) in &read.refused {
        let why = match why {
            ScoreRefused::NoPair => "its sentences are no pair of the workspace",
            ScoreRefused::NoScore => "a score is 0, 0.5, 1 and so on up to 5",
            ScoreRefused::Twice => "its pair has a score further up",
        };
        let _ = write!(text, "\n  row {row}: {why}");
    }
    text
}

fn describe_draw(drawn: &SimilarityDraw) -> String {
    let mut text = format!(
        "{} of {} pairs drawn, {} within one document, of {} sentences in the language {}; encoder {}, seed {}",
        count(drawn.drawn),
        count(drawn.wanted),
        count(drawn.within),
        count(drawn.sentences),
        drawn.language.tag(),
        drawn.encoder,
        drawn.seed
    );
    for stratum in &drawn.strata {
        let _ = write!(
            text,
            "\n  cosine {} to {}: {} of {} wanted, from {} pairs",
            share(stratum.from),
            share(stratum.to),
            count(stratum.drawn),
            count(stratum.wanted),
            count(stratum.pairs)
        );
    }
    for (reason, n) in &drawn.left_out {
        let _ = write!(text, "\n  {} left out: {reason}", counted(*n, "sentence"));
    }
    text
}

fn describe_row(row: &SimilarityRow) -> String {
    let said = match (row.score, row.between) {
        (Some(score), _) => share(score),
        (None, Some([low, high])) => format!("{} to {}, too far apart", share(low), share(high)),
        (None, None) if row.scores == 0 => "not scored".to_owned(),
        (None, None) => "held back until you have scored it".to_owned(),
    };
    format!(
        "{:>5}  {said}  ({} scores)\n  1  {}\n  2  {}",
        row.id,
        count(row.scores.into()),
        row.pair.one,
        row.pair.other
    )
}
