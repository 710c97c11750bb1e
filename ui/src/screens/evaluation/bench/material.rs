//! The material on which systems can be measured: the test questions of a snapshot (unchanged or under attack), terms
//! in contexts, and imported exams.

use crate::format;
use crate::i18n::{t, tf};
use lexforge_domain::api::{BenchChoice, BenchChoices, BenchOn, ExamRow};
use lexforge_domain::exam::ExamKind;

/// What can be measured on, the usual first: the snapshot's test questions where it has some, then what was brought in.
pub fn offered(choices: &BenchChoices) -> Vec<BenchOn> {
    let snapshot = choices.snapshot.as_ref().filter(|s| s.questions > 0);
    let mut all = match snapshot {
        Some(_) => vec![
            BenchOn::Questions,
            BenchOn::Attack,
            BenchOn::Terms { set: None },
        ],
        None => Vec::new(),
    };
    all.extend(choices.exams.iter().map(|exam| match exam.kind {
        ExamKind::Terms => BenchOn::Terms {
            set: Some(exam.name.clone()),
        },
        _ => BenchOn::Exam {
            name: exam.name.clone(),
        },
    }));
    all
}

/// What is measured on: the chosen one where it still exists, or else the usual one.
pub fn chosen(choices: &BenchChoices, chosen: Option<&BenchOn>) -> BenchOn {
    let all = offered(choices);
    let there = chosen.filter(|on| all.contains(on));
    there.or(all.first()).cloned().unwrap_or_default()
}

/// What was brought in under the name.
pub fn brought<'a>(choices: &'a BenchChoices, on: &BenchOn) -> Option<&'a ExamRow> {
    let (BenchOn::Exam { name } | BenchOn::Terms { set: Some(name) }) = on else {
        return None;
    };
    choices.exams.iter().find(|exam| exam.name == *name)
}

/// Whether a system can be measured on this.
pub fn takes(choices: &BenchChoices, on: &BenchOn, choice: &BenchChoice) -> bool {
    let brought = brought(choices, on);
    let by_vectors = brought.is_some_and(|exam| {
        matches!(
            exam.kind,
            ExamKind::Pairs | ExamKind::Similarity | ExamKind::Classes
        )
    });
    let alone = !choice.system.starts_with("runs ");
    (alone || *on == BenchOn::Questions || by_vectors) && (brought.is_some() || !choice.exams_only)
}

/// Whether a sample can be drawn of it.
pub fn drawn_from(choices: &BenchChoices, on: &BenchOn) -> bool {
    brought(choices, on).is_some_and(|exam| exam.kind == ExamKind::Questions)
}

/// Whether systems are compared with a baseline on this.
pub fn compares(on: &BenchOn) -> bool {
    matches!(on, BenchOn::Questions | BenchOn::Exam { .. })
}

/// The name of what is measured on.
pub fn name_of(choices: &BenchChoices, on: &BenchOn) -> String {
    let snapshot = choices.snapshot.as_ref();
    let id = snapshot.map_or_else(String::new, |s| s.id.to_string());
    let brought = brought(choices, on);
    let n = format::count(brought.map_or(0, |exam| exam.questions));
    match on {
        BenchOn::Questions => tf("bench_on.questions", &[("id", &id)]),
        BenchOn::Attack => tf("bench_on.attack", &[("id", &id)]),
        BenchOn::Terms { set: None } => tf("bench_on.terms", &[("id", &id)]),
        BenchOn::Terms { set: Some(name) } => tf("bench_on.set", &[("name", name), ("n", &n)]),
        BenchOn::Exam { name } => match brought.map(|exam| exam.kind) {
            Some(ExamKind::Questions) => tf("bench_on.exam", &[("name", name), ("n", &n)]),
            _ => tf("bench_on.task", &[("name", name), ("n", &n)]),
        },
    }
}

/// What it means to be measured on this.
pub fn is(choices: &BenchChoices, on: &BenchOn) -> String {
    match on {
        BenchOn::Questions => {
            let snapshot = choices.snapshot.as_ref();
            let n = format::count(snapshot.map_or(0, |s| s.questions));
            let id = snapshot.map_or_else(String::new, |s| s.id.to_string());
            tf("systems.on", &[("n", &n), ("id", &id)])
        }
        BenchOn::Attack => t("bench_on.attack_is"),
        BenchOn::Terms { .. } => t("bench_on.terms_is"),
        BenchOn::Exam { .. } if drawn_from(choices, on) => t("bench_on.exam_is"),
        BenchOn::Exam { .. } => t("bench_on.task_is"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DatasetId;
    use lexforge_domain::api::BenchSnapshot;

    fn exam(name: &str, kind: ExamKind) -> ExamRow {
        ExamRow {
            name: name.to_owned(),
            kind,
            questions: 30,
            several: 0,
            subjects: std::collections::BTreeMap::new(),
            hash: "abc".to_owned(),
            files: Vec::new(),
            made: String::new(),
        }
    }

    fn choices(questions: u64) -> BenchChoices {
        BenchChoices {
            snapshot: Some(BenchSnapshot {
                id: DatasetId(2),
                hash: "abc".to_owned(),
                questions,
            }),
            exams: vec![
                exam("harbour", ExamKind::Questions),
                exam("house", ExamKind::Terms),
                exam("complaints", ExamKind::Classes),
            ],
            ..BenchChoices::default()
        }
    }

    fn on(name: &str) -> BenchOn {
        BenchOn::Exam {
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_snapshot_without_questions_leaves_what_was_brought_in() {
        assert_eq!(offered(&choices(5)).len(), 6);
        let left = offered(&choices(0));
        let set = BenchOn::Terms {
            set: Some("house".to_owned()),
        };
        assert_eq!(left, [on("harbour"), set, on("complaints")]);
        // What is chosen stays chosen as long as it exists.
        assert_eq!(chosen(&choices(5), None), BenchOn::Questions);
        assert_eq!(chosen(&choices(5), Some(&on("harbour"))), on("harbour"));
        assert_eq!(chosen(&choices(5), Some(&on("gone"))), BenchOn::Questions);
        assert_eq!(chosen(&choices(0), Some(&BenchOn::Attack)), on("harbour"));
        assert!(offered(&BenchChoices::default()).is_empty());
    }

    #[test]
    fn only_what_can_be_measured_on_it_is_offered() {
        let choices = choices(5);
        let of = |system: &str, exams_only| BenchChoice {
            system: system.to_owned(),
            usual: true,
            exams_only,
        };
        let (together, elsewhere) = (of("runs 3+4", false), of("run 1", true));
        let terms = BenchOn::Terms { set: None };
        for (on, can_together, can_elsewhere) in [
            (BenchOn::Questions, true, false),
            (BenchOn::Attack, false, false),
            (terms, false, false),
            (on("harbour"), false, true),
            (on("complaints"), true, true),
        ] {
            assert_eq!(takes(&choices, &on, &together), can_together, "{on:?}");
            assert_eq!(takes(&choices, &on, &elsewhere), can_elsewhere, "{on:?}");
            assert!(takes(&choices, &on, &of("tfidf", false)));
        }
        assert!(drawn_from(&choices, &on("harbour")));
        assert!(!drawn_from(&choices, &on("complaints")));
    }
}
