//! Tests of `layout`.

use super::*;
use std::collections::HashSet;

#[test]
fn a_picture_that_nearly_fits_is_drawn_a_little_smaller() {
    let scene = Scene {
        width: 586.0,
        height: 602.0,
        ..lay(&[], (320.0, 280.0))
    };
    for (room, expected) in [
        ((700.0, 700.0), 1.0),
        ((579.0, 700.0), 578.0 / 586.0),
        ((700.0, 579.0), 578.0 / 602.0),
        // It would be too small to be read.
        ((579.0, 400.0), 1.0),
    ] {
        assert_eq!(scene.fit(room), expected, "{room:?}");
    }
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A neighbourhood as the engine gives them: at most eleven nodes at the right, twelve at the left.
fn neighbourhood(chance: &mut Chance) -> Vec<Item> {
    let size = |chance: &mut Chance| {
        (
            30.0 + chance.below(240) as f64,
            [24.0, 28.0, 40.0, 46.0, 64.0][chance.below(5) as usize],
        )
    };
    let centre = (
        60.0 + chance.below(240) as f64,
        38.0 + chance.below(60) as f64,
    );
    let mut items = vec![Item {
        parent: None,
        kind: EdgeKind::SimilarEntity,
        size: centre,
        numbered: false,
    }];
    let mut left = [chance.below(12), chance.below(13)];
    for kind in EdgeKind::ORDER {
        let side = usize::from(!sector(kind).0);
        for _ in 0..chance.below(7) {
            if left[side] == 0 {
                break;
            }
            left[side] -= 1;
            let node = items.len();
            let numbered = kind == EdgeKind::SimilarEntity;
            items.push(Item {
                parent: Some(0),
                kind,
                size: size(chance),
                numbered,
            });
            for _ in 0..chance.below(4) {
                if left[side] > 0 {
                    left[side] -= 1;
                    let kind = EdgeKind::ORDER[chance.below(EdgeKind::ORDER.len() as u64) as usize];
                    items.push(Item {
                        parent: Some(node),
                        kind,
                        size: size(chance),
                        numbered: false,
                    });
                }
            }
        }
    }
    items
}

/// Whether a line passes through a box, its border left out.
fn crosses(line: &Line, frame: Frame) -> bool {
    let inside = Frame {
        x: frame.x + 0.5,
        y: frame.y + 0.5,
        w: frame.w - 1.0,
        h: frame.h - 1.0,
    };
    (1..400).any(|part| {
        let t = f64::from(part) / 400.0;
        let (x, y) = (
            line.from.0 + t * (line.to.0 - line.from.0),
            line.from.1 + t * (line.to.1 - line.from.1),
        );
        inside.meets(Frame {
            x,
            y,
            w: 0.01,
            h: 0.01,
        })
    })
}

#[test]
fn nothing_overlaps_or_is_cut_whatever_the_neighbourhood() {
    let mut chance = Chance(11);
    let mut most = 0;
    for turn in 0..900 {
        let items = neighbourhood(&mut chance);
        most = most.max(items.len());
        let room = [(608.0, 560.0), (664.0, 700.0), (1144.0, 900.0)][turn % 3];
        let scene = lay(&items, room);
        assert_eq!(
            scene,
            lay(&items, room),
            "the same neighbourhood is drawn otherwise"
        );
        assert!(scene.width >= room.0 && scene.height >= room.1);
        let numbers: Vec<Frame> = scene
            .lines
            .iter()
            .flatten()
            .filter_map(|line| line.number)
            .map(|(x, y)| Frame {
                x: x - NUMBER.0 / 2.0,
                y: y - NUMBER.1 / 2.0,
                w: NUMBER.0,
                h: NUMBER.1,
            })
            .collect();
        let all: Vec<Frame> = scene.frames.iter().copied().chain(numbers).collect();
        for (at, frame) in all.iter().enumerate() {
            let inside = frame.x >= 0.0
                && frame.y >= 0.0
                && frame.x + frame.w <= scene.width
                && frame.y + frame.h <= scene.height;
            assert!(inside, "turn {turn}: {frame:?} is cut in {scene:?}");
            for other in &all[..at] {
                assert!(
                    !frame.meets(*other),
                    "turn {turn}: {frame:?} lies on {other:?}"
                );
            }
        }
        for (at, line) in scene.lines.iter().enumerate() {
            let Some(line) = line else { continue };
            for (other, frame) in scene.frames.iter().enumerate() {
                let ends = other == at || Some(other) == items[at].parent;
                assert!(
                    ends || !crosses(line, *frame),
                    "turn {turn}: the edge of {at} crosses {other}: {items:?}"
                );
            }
        }
    }
    assert!(most > 20, "the largest neighbourhood had {most} nodes only");
}

#[test]
fn each_kind_keeps_its_sector() {
    let item = |kind| Item {
        parent: Some(0),
        kind,
        size: (90.0, 28.0),
        numbered: false,
    };
    let mut items = vec![Item {
        parent: None,
        ..item(EdgeKind::SimilarEntity)
    }];
    let kinds = [
        EdgeKind::SimilarEntity,
        EdgeKind::SharedEntity,
        EdgeKind::Reference,
        EdgeKind::Lexical,
        EdgeKind::SameType,
    ];
    items.extend(kinds.map(item));
    let scene = lay(&items, (664.0, 700.0));
    let middle = |at: usize| scene.frames[at].middle();
    let [similar, shared, reference, lexical, same_type] = [1, 2, 3, 4, 5].map(middle);
    assert!(
        similar.0 > scene.centre.0 && lexical.0 > scene.centre.0 && same_type.0 > scene.centre.0
    );
    assert!(shared.0 < scene.centre.0 && reference.0 < scene.centre.0);
    assert!(same_type.1 < similar.1 && similar.1 < lexical.1 && shared.1 < reference.1);
}

#[test]
fn the_arrows_reach_every_node_and_lead_back() {
    let mut chance = Chance(5);
    for _ in 0..300 {
        let items = neighbourhood(&mut chance);
        let scene = lay(&items, (664.0, 700.0));
        let mut reached = HashSet::from([0]);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            for way in [Way::Up, Way::Down, Way::Left, Way::Right] {
                let to = walk(&items, &scene, at, way);
                if reached.insert(to) {
                    open.push(to);
                }
            }
            let home = if is_right(&items, at) {
                Way::Left
            } else {
                Way::Right
            };
            if at > 0 {
                assert_eq!(
                    walk(&items, &scene, at, home),
                    items[at].parent.unwrap_or(0)
                );
            }
        }
        assert_eq!(reached.len(), items.len(), "{items:?}");
    }
}

#[test]
fn a_label_is_broken_between_words_and_never_cut() {
    let measure = |text: &str| {
        text.chars()
            .map(|c| if c.is_ascii() { 8.0 } else { 15.0 })
            .sum::<f64>()
    };
    for (text, most, expected) in [
        ("competent authority", 200.0, vec!["competent authority"]),
        ("competent authority", 90.0, vec!["competent", "authority"]),
        (
            "监管机构及其派出机构",
            80.0,
            vec!["监管机构及", "其派出机构"],
        ),
        ("公司，企业", 30.0, vec!["公", "司，", "企业"]),
        (
            "counter-cyclical buffer-rate",
            90.0,
            vec!["counter-", "cyclical", "buffer-rate"],
        ),
        ("counter-cyclical", 200.0, vec!["counter-cyclical"]),
        ("by 2021-03-31 -5", 40.0, vec!["by", "2021-03-31", "-5"]),
        ("", 90.0, vec![""]),
        ("supercalifragilistic", 40.0, vec!["supercalifragilistic"]),
    ] {
        assert_eq!(wrap(text, most, 3, &measure), expected, "{text} in {most}");
    }
    let long =
        "the competent authority of the home Member State of the parent undertaking of the group";
    let lines = wrap(long, 90.0, 3, &measure);
    assert!(lines.len() <= 3, "{lines:?}");
    assert_eq!(lines.join(" "), long);
}
