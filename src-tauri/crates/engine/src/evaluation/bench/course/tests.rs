//! Tests of `course`.

use super::*;
use crate::workspace::Silent;
use lexforge_domain::{Code, Failure};
use std::time::Duration;

/// Keeps what it is told.
#[derive(Default)]
struct Told {
    progress: Mutex<Vec<(String, u64, u64)>>,
    ahead: Mutex<Vec<Option<BenchTime>>>,
}

impl Told {
    fn last(&self) -> (String, u64, u64) {
        self.progress.lock().unwrap().last().cloned().unwrap()
    }

    fn time(&self) -> Option<BenchTime> {
        self.ahead.lock().unwrap().last().cloned().unwrap()
    }
}

impl Watcher for Told {
    fn progress(&self, p: Progress) {
        self.progress.lock().unwrap().push((p.item, p.done, p.of));
    }

    fn ahead(&self, time: Option<&BenchTime>) {
        self.ahead.lock().unwrap().push(time.cloned());
    }
}

fn open(pace: &str, n: u64) -> Open {
    Open {
        pace: pace.to_owned(),
        n,
        at_once: 256,
    }
}

fn at(done: u64, of: u64) -> Progress {
    Progress {
        stage: Stage::Evaluate,
        item: "a model".to_owned(),
        done,
        of,
    }
}

/// Paces that know `slow` (one second a question) and nothing else.
fn paces() -> Paces {
    let paces = Paces::of_user();
    let sample = Sample {
        n: 100,
        start: 0.0,
        seconds: 100.0,
    };
    (0..3).for_each(|_| paces.add("slow", sample));
    paces
}

#[test]
fn the_time_of_several_systems_is_their_sum_and_what_is_unknown_is_counted() {
    let paces = paces();
    let ahead = [
        vec![open("slow", 60), open("slow", 40)],
        vec![open("slow", 0)],
        vec![open("new", 5)],
        vec![open("slow", 20), open("new", 1)],
    ];
    assert_eq!(seconds_of(&paces, &ahead[0]), Some([100.0, 100.0]));
    assert_eq!(seconds_of(&paces, &ahead[1]), None, "nothing is open");
    // A part of a system is no time of it.
    assert_eq!(seconds_of(&paces, &ahead[3]), None);
    let all = time(&paces, &ahead);
    assert_eq!((all.seconds, all.unknown), (Some([100.0, 100.0]), 2));
    let none = time(&paces, &ahead[2..]);
    assert_eq!((none.seconds, none.unknown), (None, 2));
    assert_eq!(time(&paces, &[]), BenchTime::default());
}

#[test]
fn a_range_says_no_more_than_is_known() {
    for (range, expected) in [
        ([0.4, 1.2], [0.0, 5.0]),
        ([12.0, 47.0], [10.0, 50.0]),
        ([55.0, 61.0], [55.0, 120.0]),
        ([100.0, 3_599.0], [60.0, 3_600.0]),
        ([4_000.0, 8_000.0], [3_900.0, 8_100.0]),
    ] {
        assert_eq!(rounded(range), expected);
    }
}

#[test]
fn the_bar_counts_the_questions_of_all_systems() {
    let told = Told::default();
    let ahead = vec![vec![open("slow", 30)], vec![], vec![open("new", 10)]];
    let course = Course::through(&told, paces(), ahead);
    course.begin("run 1", (0, 3));
    assert_eq!(told.last(), ("run 1".to_owned(), 0, 40));
    let time = told.time().unwrap();
    assert_eq!((time.seconds, time.unknown), (Some([30.0, 30.0]), 1));
    course
        .part("slow", 20, |part| {
            // The worker counts passes: half of them are ten questions' worth.
            part.progress(at(40, 80));
            Ok(())
        })
        .unwrap();
    assert_eq!(told.last(), ("run 1".to_owned(), 10, 40));
    // These took no time to speak of, and those before them a second each: the range has both.
    assert_eq!(told.time().unwrap().seconds, Some([0.0, 10.0]));
    // The ten questions that are open still are given up with their system.
    course.end();
    course.begin("tfidf", (1, 3));
    assert_eq!(told.last(), ("tfidf".to_owned(), 30, 40));
    course.end();
    course.begin("run 2", (2, 3));
    let time = told.time().unwrap();
    assert_eq!((time.seconds, time.unknown), (None, 1));
    course.part("new", 10, |_| Ok(())).unwrap();
    assert_eq!(told.time().unwrap(), BenchTime::default());
    course.end();
    course.scored_all(3);
    assert_eq!(told.last(), ("statistics".to_owned(), 40, 40));
    assert_eq!(told.time(), None);
}

#[test]
fn what_has_gone_by_is_taken_from_the_system_that_is_measured_alone() {
    let later = || vec![open("slow", 120)];
    for (now, expected) in [
        (open("new", 10), ([120.0, 120.0], 1)),
        // It takes longer than was expected.
        (open("slow", 5), ([120.0, 120.0], 1)),
        (open("slow", 69), ([120.0, 180.0], 0)),
    ] {
        let course = Course::through(&Silent, paces(), vec![vec![now.clone()], later()]);
        course.place().since = Instant::now().checked_sub(Duration::from_secs(9));
        let time = course.time().unwrap();
        assert_eq!((time.seconds.unwrap(), time.unknown), expected, "{now:?}");
    }
}

#[test]
fn a_part_that_fails_is_no_measurement() {
    let told = Told::default();
    let course = Course::through(&told, paces(), vec![vec![open("new", 10)]]);
    course.begin("run 1", (0, 1));
    let failed: Result<()> =
        course.part("new", 10, |_| Err(Failure::new(Code::Internal, "No.", "")));
    assert!(failed.is_err() && !course.knows("new"));
    assert_eq!(told.time().unwrap().unknown, 1);
}

#[test]
fn without_a_forecast_each_part_tells_of_itself() {
    let told = Told::default();
    let course = Course::through(&told, paces(), Vec::new());
    course.begin("base one", (1, 2));
    assert_eq!(told.last(), ("base one".to_owned(), 1, 2));
    course
        .part("new", 10, |part| {
            part.progress(at(3, 4));
            Ok(())
        })
        .unwrap();
    assert_eq!(told.last(), ("a model".to_owned(), 3, 4));
    assert!(told.ahead.lock().unwrap().is_empty());
    assert!(course.knows("new"));
    course.end();
    course.scored_all(2);
    assert_eq!(told.last(), ("statistics".to_owned(), 2, 2));
}
