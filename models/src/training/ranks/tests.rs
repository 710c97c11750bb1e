//! Tests of `ranks`.

use super::*;
use std::collections::BTreeMap;

fn place(variables: &[(&str, &str)]) -> Result<Place> {
    let map: BTreeMap<&str, &str> = variables.iter().copied().collect();
    Place::of(|name| map.get(name).map(|&value| value.to_owned()))
}

#[test]
fn the_environment_names_a_place() {
    assert_eq!(place(&[]).unwrap().world, 1);
    assert_eq!(
        place(&[("WORLD_SIZE", "1"), ("RANK", "0")]).unwrap().world,
        1
    );
    let whole = [
        ("WORLD_SIZE", "4"),
        ("RANK", "3"),
        ("LOCAL_RANK", "1"),
        ("MASTER_ADDR", "h"),
        ("MASTER_PORT", "29500"),
    ];
    let found = place(&whole).unwrap();
    assert_eq!(
        (found.rank, found.world, found.local, found.leads()),
        (3, 4, 1, false)
    );
    assert_eq!(found.own_file("events.jsonl"), "events.rank-3.jsonl");
    assert_eq!(found.own_file("lock"), "lock.rank-3");
    assert_eq!(Place::alone().own_file("events.jsonl"), "events.jsonl");
    for missing in ["RANK", "MASTER_ADDR", "MASTER_PORT"] {
        let part: Vec<_> = whole
            .into_iter()
            .filter(|(name, _)| *name != missing)
            .collect();
        let failure = place(&part).unwrap_err().into_failure();
        assert_eq!(failure.code, Code::InvalidRequest);
        assert!(failure.to_string().contains(missing), "{failure}");
    }
    for (name, value) in [
        ("RANK", "4"),
        ("RANK", "x"),
        ("WORLD_SIZE", "-1"),
        ("MASTER_PORT", "70000"),
    ] {
        let wrong: Vec<_> = whole
            .iter()
            .map(|&(n, v)| if n == name { (n, value) } else { (n, v) })
            .collect();
        assert!(place(&wrong).is_err(), "{name}={value}");
    }
}

#[test]
fn the_work_is_shared_out_evenly_and_whole() {
    let ranks = |world| Ranks {
        rank: 0,
        world,
        group: None,
    };
    let weights = [5, 1, 9, 3, 3, 7];
    for world in 1..8 {
        let portions = ranks(world).portions(&weights);
        let mut all: Vec<usize> = portions.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5], "{world}");
    }
    let loads: Vec<usize> = ranks(2)
        .portions(&weights)
        .iter()
        .map(|portion| portion.iter().map(|&i| weights[i]).sum())
        .collect();
    assert_eq!(loads, [15, 13]);
}
