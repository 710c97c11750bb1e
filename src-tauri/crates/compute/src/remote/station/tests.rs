//! Tests of `station`.

use super::*;
use lexforge_domain::protocol::Event;

#[test]
fn events_that_are_too_long_for_one_message_come_in_several() {
    let folder = tempfile::tempdir().unwrap();
    let station = Station {
        stored: Stored::open(folder.path()).unwrap(),
        program: WorkerProgram::at(folder.path().join("worker")),
        queue: Queue::default(),
        out: Arc::new(Mutex::new(Vec::<u8>::new())),
        ended: Arc::new(AtomicBool::new(false)),
    };
    let event = |(seq, length): (u64, usize)| JobEvent {
        attempt: 1,
        seq,
        time: 0.0,
        event: Event::Warning {
            code: "c".to_owned(),
            message: "x".repeat(length),
        },
    };
    let lengths = [10, 600_000, 600_000, 2_000_000, 600_000, 10];
    let events: Vec<JobEvent> = (0..).zip(lengths).map(event).collect();
    station.tell(7, &events);
    assert!(!station.ended.load(Ordering::SeqCst));
    let written = station.out.lock().unwrap().clone();
    let (mut input, mut came) = (written.as_slice(), Vec::new());
    while let Some(frame) = frame::read(&mut input).unwrap() {
        let StationReply::Events { events } = serde_json::from_slice(&frame.bytes).unwrap() else {
            unreachable!("nothing else was sent");
        };
        came.extend(events.into_iter().map(|event| event.seq));
    }
    // The one that fits into no message hides none of the others.
    assert_eq!(came, [0, 1, 2, 4, 5]);
}
