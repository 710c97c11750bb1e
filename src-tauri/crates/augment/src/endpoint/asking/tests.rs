//! Tests of `asking`.

use super::*;
use crate::endpoint::failure::Fault;

/// Keeps everything in memory.
#[derive(Default)]
struct Kept(Vec<Entry>);

impl Ledger for Kept {
    fn commit(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        self.0.extend_from_slice(entries);
        Ok(())
    }
}

fn answer() -> Answer {
    Answer {
        model: "m".into(),
        text: "yes".into(),
        finish: "stop".into(),
        prompt_tokens: Some(1),
        completion_tokens: Some(1),
    }
}

fn failure() -> CallFailure {
    CallFailure {
        fault: Fault::Busy,
        host: "h".into(),
        model: "m".into(),
        status: Some(429),
        said: String::new(),
        retry_after: None,
    }
}

#[test]
fn an_answer_that_came_in_the_moment_of_a_cancellation_is_kept() {
    let asked = Entry::Asked([1; 32]);
    let answered = Entry::Answered([2; 32], answer());
    let failed = Entry::Failed([3; 32], failure());
    for (told, expected) in [
        (vec![], vec![]),
        (vec![asked.clone()], vec![]),
        (
            vec![asked, answered.clone(), failed.clone()],
            vec![answered, failed],
        ),
    ] {
        let (sender, heard) = mpsc::channel();
        for (index, entry) in told.into_iter().enumerate() {
            let (written, _) = oneshot::channel();
            let last = false;
            let told = Told::Entry {
                index,
                entry,
                last,
                written,
            };
            // Text of an answer that did not come whole is kept nowhere.
            assert!(sender.send(Told::Text(index, "ye".to_owned())).is_ok());
            assert!(sender.send(told).is_ok());
        }
        let mut kept = Kept::default();
        // Called off before anything that was told is looked at.
        let ended = keep(&heard, &mut kept, &mut |_| {}, &|| true, || true);
        assert!(ended.is_err_and(|failure| failure.code == Code::Cancelled));
        assert!(keep_what_came(&heard, &mut kept).is_ok());
        assert_eq!(kept.0, expected);
    }
}
