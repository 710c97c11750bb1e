//! Tests of `queue`.

use super::super::attempts::SETTLES;
use super::*;
use std::time::SystemTime;

#[test]
fn what_may_be_on_its_way_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("attempt");
    assert!(!is_young(&record));
    keep(&record, "").unwrap();
    assert!(is_young(&record));
    let file = std::fs::File::options().write(true).open(&record).unwrap();
    let before = SystemTime::now() - SETTLES - Duration::from_secs(1);
    let ahead = |seconds| SystemTime::now() + Duration::from_secs(seconds);
    // Another machine's clock is a minute ahead; the clock was set back by a day.
    for (written, expected) in [(before, false), (ahead(60), true), (ahead(86_400), false)] {
        file.set_modified(written).unwrap();
        assert_eq!(is_young(&record), expected, "{written:?}");
    }
}

#[test]
fn an_attempt_that_is_made_after_the_clock_was_set_back_is_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [first, second] = [2, 1].map(|n| JobId::of_bytes([n; 16]).to_string());
    keep(&folder.join(&first), "7").unwrap();
    let file = std::fs::File::options()
        .write(true)
        .open(folder.join(&first));
    let ahead = SystemTime::now() + Duration::from_secs(3600);
    file.unwrap().set_modified(ahead).unwrap();
    keep(&folder.join(&second), "8").unwrap();
    // Its time is that of the clock, so that it is new for as long as any other.
    let written = std::fs::metadata(folder.join(&second)).unwrap();
    assert!(written.modified().unwrap() < SystemTime::now() + Duration::from_secs(60));
    assert!(!is_young(&folder.join(&first)));
    assert_eq!(newest(folder), Some((second, Some("8".into()))));
    // Written last, it is the one that is looked at.
    keep(&folder.join(&first), "7").unwrap();
    assert_eq!(newest(folder), Some((first, Some("7".into()))));
}

#[test]
fn what_slurm_forgets_is_kept_and_an_attempt_written_anew_is_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [first, second] = [1, 2].map(|n| JobId::of_bytes([n; 16]).to_string());
    keep(&folder.join(&first), "7").unwrap();
    keep(&folder.join(&second), "").unwrap();
    // Times of files may be no finer than some milliseconds.
    let age = |name: &str, seconds| {
        let file = std::fs::File::options().write(true).open(folder.join(name));
        let older = SystemTime::now() - Duration::from_secs(seconds);
        file.unwrap().set_modified(older).unwrap();
    };
    age(&first, 60);
    age(&second, 60);
    keep(&folder.join(&second), "").unwrap();
    assert_eq!(newest(folder), Some((second.clone(), None)));
    age(&second, 30);
    keep(&folder.join(&first), "7").unwrap();
    assert_eq!(newest(folder), Some((first.clone(), Some("7".into()))));
    // The output says why; once it was asked for, it stays when the output is gone.
    let why = "lexforge-job 7 begins\nlexforge-job 7 stuck\n";
    std::fs::write(folder.join(OUTPUT), why).unwrap();
    let asked = || end(folder, &first, Some("7".into()), &Seen::Gone);
    assert_eq!(asked(), Some(QueueEnd::NoProgress));
    std::fs::remove_file(folder.join(OUTPUT)).unwrap();
    assert_eq!(asked(), Some(QueueEnd::NoProgress));
    // It is in the queue again.
    let again = Seen::Known(Listed {
        number: "7".into(),
        state: "RUNNING".into(),
        ..Listed::default()
    });
    assert_eq!(end(folder, &first, None, &again), None);
    assert_eq!(asked(), None);
}

/// Slurm may list a job as running of which no process is left: nobody would read the wish to stop it.
#[test]
fn a_job_that_nobody_can_tell_to_stop_is_taken_out_of_the_queue() {
    let known = |state: &str| {
        Seen::Known(Listed {
            number: "7".into(),
            state: state.into(),
            ..Listed::default()
        })
    };
    let silent = || Seen::Silent("no answer".into());
    for (seen, speaks, may_come, expected) in [
        (known("RUNNING"), false, false, Ok(Some("7"))),
        (
            known("RUNNING"),
            true,
            false,
            Ok(Some("--batch --signal=TERM 7")),
        ),
        (known("PENDING"), false, false, Ok(Some("7"))),
        // Its worker said something before it was put back.
        (known("PENDING"), true, false, Ok(Some("7"))),
        (known("COMPLETING"), true, false, Ok(None)),
        (known("CANCELLED"), false, false, Ok(None)),
        (Seen::Gone, false, false, Ok(None)),
        (Seen::Gone, false, true, Err(())),
        (silent(), true, false, Err(())),
    ] {
        let told = taking_out(seen.clone(), speaks, may_come);
        let told = told.map(|words| words.map(|words| words.join(" ")));
        let told = told.as_ref().map(Option::as_deref).map_err(|_| ());
        assert_eq!(told, expected, "{seen:?} {speaks}");
    }
}

/// The clock of the machine that writes may be ahead of the one that looks.
#[test]
fn a_worker_whose_clock_is_ahead_speaks() {
    let bundle = tempfile::tempdir().unwrap();
    let events = std::fs::File::create(bundle.path().join(EVENTS_FILE)).unwrap();
    let now = SystemTime::now();
    for (written, expected) in [
        (now + Duration::from_secs(30), true),
        (now - Duration::from_secs(30), true),
        (now - 2 * SPEAKS_WITHIN, false),
    ] {
        events.set_modified(written).unwrap();
        assert_eq!(speaks(bundle.path()), expected, "{written:?}");
    }
    assert!(!speaks(&bundle.path().join("none")));
}

/// Slurm may take seconds to list a partition. Meanwhile nobody else who asks for a job waits.
#[test]
fn a_place_is_asked_for_by_one_and_without_a_lock() {
    let queue = Queue::default();
    let job = Listed {
        number: "7".into(),
        state: "PENDING".into(),
        partition: "gpu".into(),
        ..Listed::default()
    };
    let at = |at| QueuePlace {
        at,
        of: 9,
        partition: "gpu".into(),
    };
    let mut asked = 0;
    let first = queue.place_of(&job, |number, partition| {
        asked += 1;
        assert_eq!((number, partition), ("7", "gpu"));
        assert!(queue.seen.try_lock().is_ok() && queue.places.try_lock().is_ok());
        // Another one who asks for it meanwhile goes on with what is known.
        assert_eq!(queue.place_of(&job, |_, _| Some(at(1))), None);
        Some(at(4))
    });
    assert_eq!((first, asked), (Some(at(4)), 1));
    assert_eq!(queue.place_of(&job, |_, _| Some(at(1))), Some(at(4)));
    // It has held for long enough.
    let old = Instant::now().checked_sub(PLACE_HOLDS).unwrap();
    queue.all_places().insert("7".into(), (old, Some(at(4))));
    let again = queue.place_of(&job, |_, _| {
        assert_eq!(queue.place_of(&job, |_, _| Some(at(1))), Some(at(4)));
        Some(at(3))
    });
    assert_eq!(again, Some(at(3)));
}
