//! Tests of `exchange`.

use super::*;
use crate::Engine;

fn engine() -> (tempfile::TempDir, Engine) {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::create(&home.path().join("a.lexforge")).unwrap();
    (home, engine)
}

fn line(source: &str, positive: &str, negative: &str) -> String {
    serde_json::json!({"source": source, "positive": positive, "negative": negative, "shift": "temporal.time_limit",
            "origin": "another tool"})
        .to_string()
}

const SOURCE: &str = "The keeper shall report each loss within ten days of its discovery.";
const POSITIVE: &str = "Within 10 days of its discovery, each loss shall be reported.";
const NEGATIVE: &str = "The keeper shall report each loss within thirty days of its discovery.";

#[test]
fn what_goes_out_comes_in_again_and_nothing_twice() {
    let (_home, engine) = engine();
    let writing = engine.writing();
    let looser = line(SOURCE, &POSITIVE.replace("shall", "may"), NEGATIVE);
    let file = format!("{}\n\n{looser}\n", line(SOURCE, POSITIVE, NEGATIVE));
    let report = writing.import_triplets(&file).unwrap();
    assert_eq!((report.looked_at, report.kept), (2, 1));
    assert_eq!(report.turned_down["positive_modal_changed"], 1);
    let turned_down = TripletFilter {
        turned_down: true,
        ..TripletFilter::default()
    };
    assert_eq!(writing.triplets(&turned_down).unwrap().total, 1);
    let (out, n) = writing.export_triplets(&TripletFilter::default()).unwrap();
    assert_eq!(n, 1);
    let again = writing.import_triplets(&out).unwrap();
    assert_eq!((again.kept, again.skipped["there_already"]), (0, 1));

    let (_other_home, other) = self::engine();
    other.writing().import_triplets(&out).unwrap();
    let of = |engine: &Engine| {
        let rows = engine
            .writing()
            .triplets(&TripletFilter::default())
            .unwrap();
        let row = rows.rows.into_iter().next().unwrap().triplet;
        (row.source, row.positive, row.negative, row.shift, row.split)
    };
    assert_eq!(of(&engine), of(&other));
}

#[test]
fn a_file_is_read_in_with_the_mark_that_editors_put_first() {
    let (home, engine) = engine();
    let file = home.path().join("theirs.jsonl");
    let text = format!("\u{feff}{}\n", line(SOURCE, POSITIVE, NEGATIVE));
    std::fs::write(&file, text).unwrap();
    let report = engine.writing().import_triplets_of(&file, &Silent).unwrap();
    assert_eq!((report.looked_at, report.kept), (1, 1));
    std::fs::write(&file, b"\xff\xfe{").unwrap();
    assert!(engine.writing().import_triplets_of(&file, &Silent).is_err());
    assert!(
        engine
            .writing()
            .import_triplets_of(&home.path().join("none"), &Silent)
            .is_err()
    );
}

#[test]
fn a_translation_is_read_in_where_it_keeps_what_binds() {
    let (_home, engine) = engine();
    let right = "保管人应当在发现损失后十日内报告每一项损失。";
    let other = right.replace('十', "三十");
    let file = [right, other.as_str()].map(|said| line(SOURCE, said, NEGATIVE));
    let report = engine.writing().import_triplets(&file.join("\n")).unwrap();
    assert_eq!(report.kept, 1);
    assert_eq!(report.turned_down["positive_number_changed"], 1);
    let kept = engine
        .writing()
        .triplets(&TripletFilter::default())
        .unwrap();
    let triplet = &kept.rows[0].triplet;
    assert_eq!(triplet.origin.positive, [TRANSLATION]);
    assert_eq!(triplet.language, Language::En);
    // Going out and in again names it once.
    let (out, _) = engine
        .writing()
        .export_triplets(&TripletFilter::default())
        .unwrap();
    let (_other_home, again) = self::engine();
    again.writing().import_triplets(&out).unwrap();
    let kept = again.writing().triplets(&TripletFilter::default()).unwrap();
    assert_eq!(kept.rows[0].triplet.origin.positive, [TRANSLATION]);
}

#[test]
fn a_line_that_is_no_triplet_is_named_and_nothing_is_read_in() {
    let (_home, engine) = engine();
    for (bad, words) in [
        ("{", "Line 2"),
        (r#"{"source":"a","positive":"b"}"#, "negative"),
        (&line(SOURCE, "", NEGATIVE), "positive is empty"),
        (&line(SOURCE, POSITIVE, SOURCE), "its negative says"),
    ] {
        let file = format!("{}\n{bad}\n", line(SOURCE, POSITIVE, NEGATIVE));
        let failure = engine.writing().import_triplets(&file).unwrap_err();
        assert!(failure.message.contains(words), "{}", failure.message);
    }
    assert_eq!(
        engine
            .writing()
            .triplets(&TripletFilter::default())
            .unwrap()
            .total,
        0
    );
    assert!(engine.writing().import_triplets("\n").is_err());
}

#[test]
fn near_duplicates_stay_in_one_part() {
    let source = format!("{SOURCE} It keeps a copy of the report for the office in the hall.");
    let near = source.replace("each loss", "every loss");
    let lines = |split: &str, source: &str| {
        let json =
            format!(r#"{{"source":{source:?},"positive":"x","negative":"y","split":{split:?}}}"#);
        read(&json).unwrap()
    };
    let placed = placed(
        vec![
            lines("test", &source),
            lines("train", &near),
            lines("dev", "Something else entirely stands here."),
        ],
        &[],
    );
    let parts: Vec<Split> = placed.iter().map(|t| t.split).collect();
    assert_eq!(parts, [Split::Test, Split::Test, Split::Dev]);
    assert!(placed.iter().all(|t| t.group < 0));
    assert_eq!(placed[0].group, placed[1].group);
}
