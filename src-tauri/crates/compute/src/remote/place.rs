//! Where a job stands among those that wait in its partition.

use super::slurm::run;
use lexforge_domain::protocol::QueuePlace;
use std::process::Command;

/// The place of a job that waits in these partitions; `None` where Slurm does not say it.
pub(super) fn place(number: &str, partitions: &str) -> Option<QueuePlace> {
    let mut command = Command::new("squeue");
    // With `priority` a job that may start in several partitions stands in each of them.
    command.args([
        "--noheader",
        "--states=PENDING",
        "--priority",
        "--sort=-p,i",
        "--format=%i|%P|%r",
        "--partition",
        partitions,
    ]);
    place_in(&run(&mut command).ok()?, number)
}

/// The place of a job in the queue. `said` lists the waiting jobs, the first to start comes first. If the job waits in
/// several partitions, the best place counts. A job that is alone in the list has no place: many clusters do not show
/// a user the jobs of others.
fn place_in(said: &str, number: &str) -> Option<QueuePlace> {
    let rows: Vec<[&str; 2]> = said
        .lines()
        .filter_map(|line| {
            let mut parts = line.trim().splitn(3, '|');
            let (id, partition, reason) = (parts.next()?, parts.next()?, parts.next()?);
            waits_for_its_turn(reason).then_some([id, partition])
        })
        .collect();
    let ours = rows.iter().filter(|[id, _]| *id == number);
    let places = ours.filter_map(|[_, partition]| {
        let all = || rows.iter().filter(|[_, other]| other == partition);
        let before = all().position(|[id, _]| *id == number)?;
        Some(QueuePlace {
            at: before as u64 + 1,
            of: all().count() as u64,
            partition: (*partition).to_owned(),
        })
    });
    places
        .filter(|place| place.of > 1)
        .min_by_key(|place| place.at)
}

/// Whether a job with this reason starts when its turn comes. Others are held, or wait for another job.
fn waits_for_its_turn(reason: &str) -> bool {
    !["Dependency", "JobHeld", "launch", "JobArrayTaskLimit"]
        .iter()
        .any(|other| reason.starts_with(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_counted_among_those_that_wait_for_their_turn() {
        let said = "12|gpu|Resources\n9_[1-10]|gpu|Priority\n14|gpu|Dependency\n13|long|Priority\n15|gpu|Priority\n\
                    7|gpu|Priority\n7|long|Priority\n16|gpu|BeginTime\n17|gpu|launch failed requeued held\n";
        let place = |number: &str| {
            place_in(said, number).map(|place| (place.at, place.of, place.partition))
        };
        assert_eq!(place("12"), Some((1, 5, "gpu".to_owned())));
        assert_eq!(place("15"), Some((3, 5, "gpu".to_owned())));
        assert_eq!(place("16"), Some((5, 5, "gpu".to_owned())));
        // In the partition where it comes first.
        assert_eq!(place("7"), Some((2, 2, "long".to_owned())));
        // It waits for something else, is not listed, or stands there alone.
        for number in ["14", "17", "9", "99", ""] {
            assert_eq!(place(number), None, "{number}");
        }
        // Recorded from squeue of Slurm 22.05.8.
        let recorded = "2|gpu|Resources\n3|gpu|Priority\n6_[1-3]|gpu|Priority\n8|gpu|Dependency\n\
                        4|gpu|Priority\n7|gpu|JobHeldUser\n";
        let found = place_in(recorded, "4").map(|place| (place.at, place.of));
        assert_eq!(found, Some((4, 4)));
        assert_eq!(place_in(recorded, "7"), None);
        assert_eq!(place_in("7|gpu|Priority\n", "7"), None);
        assert_eq!(place_in("Welcome\n7|gpu\n", "7"), None);
    }
}
