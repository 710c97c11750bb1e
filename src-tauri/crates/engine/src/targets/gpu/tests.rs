//! Tests of `gpu`.

use super::*;
use lexforge_domain::api::TargetPlace;
use lexforge_domain::protocol::JobId;

const H100: &str = "NVIDIA H100 80GB HBM3, 81559 MiB, 580.65.06, 9.0";

fn target(gres: Option<&str>) -> Target {
    Target {
        name: "box".to_owned(),
        id: JobId::of_bytes([0; 16]),
        place: TargetPlace::Here,
        folder: String::new(),
        slurm: gres.map(|gres| SlurmSettings {
            gres: gres.to_owned(),
            ..SlurmSettings::default()
        }),
        worker: None,
        added: String::new(),
        price: None,
    }
}

fn rows(gpus: &[&str]) -> Vec<Row> {
    let rows = gpus.iter().map(|gpu| ("gpu".to_owned(), (*gpu).to_owned()));
    rows.collect()
}

#[test]
fn a_gpu_that_is_seen_or_asked_for_gets_its_libtorch() {
    let none = rows(&[""]);
    assert!(is_on_gpu(&target(None), &rows(&[H100])));
    assert!(!is_on_gpu(&target(None), &none));
    assert!(!is_on_gpu(&target(Some("")), &none));
    // A login node seldom has one.
    assert!(is_on_gpu(&target(Some("gpu:1")), &none));
    // What nvidia-smi complains of is no card.
    let complaint = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
    assert!(!is_on_gpu(&target(None), &rows(&[complaint])));
}

/// Each thing that keeps a GPU idle is a line with its remedy.
#[test]
fn what_a_card_or_its_driver_lacks_is_a_line_with_its_remedy() {
    let complaint = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
    let old_driver = "NVIDIA A100, PCIe, 40960 MiB, 535.183.01, 8.0";
    let old_card = "Tesla V100-SXM2-32GB, 32768 MiB, 580.65.06, 7.0";
    let silent = "Tesla K80, 11441 MiB, 470.1, [N/A]";
    for (gpus, gres, is_used, is_for_cuda, lacking) in [
        (&[H100][..], None, false, Some(true), &[][..]),
        (&[H100], None, false, None, &[]),
        // The laptop has the libtorch for processors: the card would be idle.
        (&[H100], None, false, Some(false), &["gpu"]),
        // The worker there has its own already.
        (&[H100], None, true, Some(false), &[]),
        (&[old_driver], None, false, Some(true), &["driver"]),
        (&[old_driver], None, true, Some(true), &[]),
        (&[old_card], None, false, Some(true), &["cuda capability"]),
        (&[H100, old_card], None, true, None, &["cuda capability"]),
        (
            &[silent],
            None,
            false,
            Some(true),
            &["driver", "cuda capability"],
        ),
        (&[complaint], None, false, Some(true), &["gpu"]),
        // On a login node that is usual.
        (&[complaint], Some("gpu:1"), false, Some(true), &[]),
        (&[], Some("gpu:1"), false, Some(false), &["gpu"]),
        (&[], Some(""), false, Some(false), &[]),
        (&[], None, false, Some(false), &[]),
    ] {
        let lines = lines(&target(gres), &rows(gpus), is_used, is_for_cuda);
        let bad: Vec<&str> = lines
            .iter()
            .filter(|line| !line.ok)
            .inspect(|line| assert!(!line.remedy.is_empty(), "{line:?}"))
            .map(|line| line.check.as_str())
            .collect();
        assert_eq!(bad, lacking, "{gpus:?} {gres:?} {is_used} {is_for_cuda:?}");
    }
}

#[test]
fn a_card_is_told_with_its_memory_driver_and_capability() {
    let two = [
        H100,
        "NVIDIA T4, 15360 MiB, 580.65.06, 7.5",
        "NVIDIA A100, PCIe, 1 MiB, 580.65.06, 8.0",
    ];
    let told: Vec<_> = lines(&target(None), &rows(&two), false, None)
        .into_iter()
        .map(|line| (line.check, line.found))
        .collect();
    let expected = [
        (
            "gpu",
            "NVIDIA H100 80GB HBM3, 81559 MiB; NVIDIA T4, 15360 MiB; NVIDIA A100, PCIe, 1 MiB",
        ),
        ("driver", "580.65.06"),
        (
            "cuda capability",
            "7.5, without bf16: choose fp16 or fp32 for a training there",
        ),
    ]
    .map(|(check, found)| (check.to_owned(), found.to_owned()));
    assert_eq!(told, expected);
    // Without a card the driver's own line is told, as the kernel has it.
    let driver = [(
        "driver".to_owned(),
        "NVRM version: NVIDIA 580.65".to_owned(),
    )];
    let lines = lines(&target(None), &driver, false, None);
    assert_eq!(lines[1].found, driver[0].1);
}
