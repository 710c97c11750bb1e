//! Tests of `lease`.

use super::*;
use std::sync::mpsc;

const NAME: &str = "lock";
/// Long waits that no machine under load reaches; what is to expire is made old instead.
const SLOW: Pace = Pace {
    beat: Duration::from_millis(20),
    gives_up: Duration::from_secs(600),
    expires: Duration::from_secs(600),
};
const PATIENCE: Duration = Duration::from_secs(60);

fn take(root: &Path) -> Option<Lease> {
    Lease::take(root, NAME, SLOW, |_| {}).unwrap()
}

/// A lease that somebody else left, last renewed so long ago.
fn left(root: &Path, number: u64, ago: Duration) -> PathBuf {
    let path = root.join(file_of(NAME, number));
    std::fs::write(&path, "held 7\n").unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - ago).unwrap();
    path
}

#[test]
fn one_holds_it_until_it_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Free);
    let first = take(folder.path()).unwrap();
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Held);
    assert!(take(folder.path()).is_none());
    // Another name is another lease.
    assert_eq!(look(folder.path(), "lock-1", SLOW), Standing::Free);
    drop(first);
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Free);
    assert!(take(folder.path()).is_some());
    // Who looks leaves nothing.
    let names = std::fs::read_dir(folder.path()).unwrap().flatten();
    let names: Vec<String> = names
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert!(!names.iter().any(|name| name.contains("look")), "{names:?}");
}

#[test]
fn of_many_who_try_at_once_one_gets_it() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let held: Vec<Option<Lease>> = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..8).map(|_| scope.spawn(|| take(root))).collect();
            tries.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(held.iter().flatten().count(), 1);
    }
}

#[test]
fn a_holder_that_was_killed_is_held_until_its_lease_expires() {
    let folder = tempfile::tempdir().unwrap();
    left(folder.path(), 3, Duration::from_secs(60));
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Held);
    assert!(take(folder.path()).is_none());
    left(folder.path(), 3, Duration::from_secs(3600));
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Free);
    let taken = take(folder.path()).unwrap();
    assert_eq!(taken.place.number, 4);
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Held);
}

/// A machine that slept renews its lease when it wakes; it is not taken over in that moment.
#[test]
fn who_comes_to_life_while_the_lease_is_taken_over_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = left(folder.path(), 1, Duration::from_secs(3600));
    let pace = Pace {
        beat: Duration::from_secs(1),
        ..SLOW
    };
    let wakes = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        std::fs::write(path, "held 8\n").unwrap();
    });
    let taken = Lease::take(folder.path(), NAME, pace, |_| {}).unwrap();
    wakes.join().unwrap();
    assert!(taken.is_none());
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Held);
}

#[test]
fn a_holder_learns_that_another_has_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let (told, heard) = mpsc::channel();
    let lost = move |why| told.send(why).unwrap_or_default();
    let lease = Lease::take(folder.path(), NAME, SLOW, lost)
        .unwrap()
        .unwrap();
    let other = left(folder.path(), lease.place.number + 1, Duration::ZERO);
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(Lost::Taken));
    drop(lease);
    // The lease of another holder is not released.
    assert_eq!(std::fs::read_to_string(other).unwrap(), "held 7\n");
    assert_eq!(look(folder.path(), NAME, SLOW), Standing::Held);
}

/// The disk was slow, or the machine slept: what was made meanwhile counts.
#[test]
fn a_lease_that_another_one_followed_is_not_own() {
    let folder = tempfile::tempdir().unwrap();
    let pace = Pace {
        beat: Duration::from_secs(600),
        ..SLOW
    };
    let lease = Lease::take(folder.path(), NAME, pace, |_| {}).unwrap();
    let lease = lease.unwrap();
    assert!(lease.is_own().unwrap());
    let place = lease.place.clone();
    assert!(place.begin().unwrap());
    left(folder.path(), place.number + 1, Duration::ZERO);
    assert!(!lease.is_own().unwrap());
    assert!(!place.begin().unwrap());
}

#[test]
fn two_machines_look_with_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let first = own_look(root, NAME, &AtomicU64::new(0)).unwrap();
    let second = own_look(root, NAME, &AtomicU64::new(0)).unwrap();
    assert_ne!(first, second);
    assert!(root.join(first).is_file() && root.join(second).is_file());
}

/// If the disk does not answer, it is unknown whether a process works there, and a process that does ends its work.
#[test]
fn without_the_disk_it_is_unknown_and_its_holder_gives_up() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("job");
    std::fs::create_dir(&root).unwrap();
    let pace = Pace {
        gives_up: Duration::from_millis(500),
        ..SLOW
    };
    let (told, heard) = mpsc::channel();
    let lost = move |why| told.send(why).unwrap_or_default();
    let lease = Lease::take(&root, NAME, pace, lost).unwrap();
    std::fs::rename(&root, folder.path().join("away")).unwrap();
    assert!(matches!(look(&root, NAME, pace), Standing::Unknown(_)));
    assert!(Lease::take(&root, NAME, pace, |_| {}).is_err());
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(Lost::Silent));
    drop(lease);
}

#[test]
fn what_says_that_there_are_no_locks() {
    let of = |kind: ErrorKind| has_no_locks(&std::io::Error::from(kind));
    assert!(of(ErrorKind::Unsupported));
    assert!(!of(ErrorKind::PermissionDenied) && !of(ErrorKind::WouldBlock));
    #[cfg(target_os = "linux")]
    assert!(has_no_locks(&std::io::Error::from_raw_os_error(37)));
}

#[test]
fn a_lease_that_is_renewed_while_it_is_read_is_held() {
    let of = |kind: ErrorKind| was_replaced(&Error::io(Path::new("lock"))(kind.into()));
    assert!(of(ErrorKind::StaleNetworkFileHandle));
    assert!(!of(ErrorKind::TimedOut) && !of(ErrorKind::NotFound));
}

#[test]
fn what_a_list_of_the_folder_missed_is_found_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    assert_eq!(followed(root, NAME, 0).unwrap(), 0);
    for number in 1..=3 {
        left(root, number, Duration::ZERO);
    }
    for from in 0..=3 {
        assert_eq!(followed(root, NAME, from).unwrap(), 3);
    }
}
