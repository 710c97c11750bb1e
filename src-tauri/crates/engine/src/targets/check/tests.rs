//! Tests of `check`.

use super::*;
use lexforge_domain::api::TargetPlace;
use lexforge_domain::protocol::{JobId, SlurmSettings};

fn checked(rows: &[(&str, &str)], partition: Option<&str>) -> Vec<Check> {
    let rows: Vec<(String, String)> = rows
        .iter()
        .map(|(a, b)| ((*a).into(), (*b).into()))
        .collect();
    let target = Target {
        name: "t".into(),
        id: JobId::of_bytes([0; 16]),
        place: TargetPlace::Here,
        folder: String::new(),
        slurm: partition.map(|partition| SlurmSettings {
            partition: partition.into(),
            ..SlurmSettings::default()
        }),
        worker: None,
        added: String::new(),
        price: None,
    };
    lines(&target, &rows, None, Ok(InstallFiles::default()))
}

#[test]
fn what_is_wrong_is_a_line_with_its_remedy() {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let system = format!("Linux {}", std::env::consts::ARCH);
    let good = [
        ("system", system.as_str()),
        ("glibc", "glibc 2.36"),
        ("folder", "/data/me/.lexforge"),
        ("disk", "90000000"),
        ("clock", &now.to_string()),
    ];
    let bad = |checks: &[Check]| -> Vec<String> {
        let lines = checks.iter().filter(|c| !c.ok);
        lines
            .inspect(|c| assert!(!c.remedy.is_empty(), "{c:?}"))
            .map(|c| c.check.clone())
            .collect()
    };
    assert_eq!(bad(&checked(&good, None)), ["worker"]);
    assert_eq!(quota_of("12 50000000"), Some((12, 50_000_000)));
    let with = |change: (&'static str, &'static str), partition| {
        let rows: Vec<_> = good
            .iter()
            .filter(|(n, _)| *n != change.0)
            .copied()
            .chain([change])
            .collect();
        bad(&checked(&rows, partition))
    };
    for change in [
        ("system", "Linux sparc64"),
        ("glibc", "glibc 2.17"),
        ("disk", "1000"),
        ("clock", "1000000"),
        ("quota", "20000000* 20000000"),
        ("quota", "19500000 20000000"),
    ] {
        assert_eq!(with(change, None), [change.0, "worker"]);
    }
    for (row, part) in [
        ("full", "quota is full"),
        ("unwritable", "cannot be written"),
    ] {
        let rows = good.iter().filter(|(n, _)| *n != "folder").copied();
        let rows: Vec<_> = rows.chain([(row, "/data/me/.lexforge")]).collect();
        let checks = checked(&rows, None);
        assert_eq!(bad(&checks), ["folder", "worker"]);
        let folder = checks.iter().find(|c| c.check == "folder").unwrap();
        assert!(folder.found.contains(part), "{folder:?}");
    }
    assert_eq!(
        with(("slurm", "slurm 22.05"), Some("gpu")),
        ["schedulers", "worker"]
    );
    let there = checked(
        &[
            &good[..],
            &[("slurm", "slurm 22.05"), ("partitions", "gpu* 1:00 up;")],
        ]
        .concat(),
        Some("gpu"),
    );
    assert_eq!(bad(&there), ["worker"]);
}
