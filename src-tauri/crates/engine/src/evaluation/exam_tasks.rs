//! Exams of other tasks: pairs of texts that belong together or not, scored pairs, texts with a class.

use super::exams::{Brought, ExamRequest, Found, bytes, found, name_of, next, refused};
use crate::workspace::{Result, Watcher};
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::exam;
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// The exam in the files, of the kind that its first file showed. Lines of another kind are left out with the reason.
///
/// # Errors
/// When a file cannot be read, nothing in it can be used, or nothing can be measured with it: all pairs have the
/// same label or score, or all texts the same class.
pub(super) fn task_in(
    request: &ExamRequest,
    files: &[PathBuf],
    kind: ExamKind,
    watcher: &dyn Watcher,
) -> Result<Found> {
    if request.subject.is_some() {
        return Err(Failure::invalid(
            "Questions with choices alone have a subject.",
            "Leave the subject out.",
        ));
    }
    let mut seen = HashMap::new();
    let (mut first, mut others) = (HashMap::new(), 0);
    if kind == ExamKind::Classes {
        let mut brought: Brought<ClassedText> = Brought::default();
        let key = |one: &ClassedText| letters(&one.text);
        for (done, path) in files.iter().enumerate() {
            next(watcher, path, done, files.len())?;
            let read = exam::classed(&bytes(path)?).map_err(|e| refused(e, path))?;
            others += otherwise(&read.items, &mut first, |one| (key(one), one.class.clone()));
            brought.take(&name_of(path), read, &mut seen, key);
        }
        brought.warnings.extend(contradicted(others));
        let mut classes: BTreeMap<String, u64> = BTreeMap::new();
        for one in &brought.items {
            *classes.entry(one.class.clone()).or_default() += 1;
        }
        if classes.len() == 1 {
            return Err(one_only("All texts are of one class."));
        }
        let text = |one: &ClassedText| one.text.clone();
        return found(request, files, kind, (0, classes), brought, text);
    }
    let labelled = kind == ExamKind::Pairs;
    let mut brought: Brought<ExamPair> = Brought::default();
    let key = |pair: &ExamPair| {
        let mut both = [letters(&pair.a), letters(&pair.b)];
        if !pair.asks {
            both.sort_unstable();
        }
        both.join("\n")
    };
    for (done, path) in files.iter().enumerate() {
        next(watcher, path, done, files.len())?;
        let read = exam::pairs(&bytes(path)?, labelled).map_err(|e| refused(e, path))?;
        others += otherwise(&read.items, &mut first, |pair| {
            (key(pair), pair.score.to_string())
        });
        brought.take(&name_of(path), read, &mut seen, key);
    }
    brought.warnings.extend(contradicted(others));
    let alike = brought
        .items
        .windows(2)
        .all(|two| two[0].score == two[1].score);
    if alike && !brought.items.is_empty() {
        return Err(one_only(if labelled {
            "All pairs have one label."
        } else {
            "All pairs have one score."
        }));
    }
    let text = |pair: &ExamPair| format!("{} {}", pair.a, pair.b);
    found(request, files, kind, (0, BTreeMap::new()), brought, text)
}

/// How many stand there again and say something else than where they stood first.
fn otherwise<T>(
    items: &[(u64, T)],
    first: &mut HashMap<String, String>,
    of: impl Fn(&T) -> (String, String),
) -> usize {
    let differs = |(_, item): &&(u64, T)| {
        let (key, said) = of(item);
        *first.entry(key).or_insert_with(|| said.clone()) != said
    };
    items.iter().filter(differs).count()
}

/// One person may have labelled them differently at different times, or two people did.
fn contradicted(others: usize) -> Option<String> {
    (others > 0).then(|| {
        format!(
            "Lines that stand there again with another label, score or class: {others}. What stands there first counts."
        )
    })
}

/// An exam with which nothing can be measured, because no system could be wrong.
fn one_only(what: &str) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("{what} By these no system can be told from another."),
        "Bring in an exam that has several; nothing of this one was kept.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_there_again_and_says_something_else_is_told() {
        let lines = [(1, "a 1"), (2, "a 1"), (3, "a 0"), (4, "b 0"), (5, "b 1")];
        let of = |line: &&str| (line[..1].to_owned(), line[2..].to_owned());
        let mut first = HashMap::new();
        assert_eq!(otherwise(&lines, &mut first, of), 2);
        // In a further file, too.
        assert_eq!(otherwise(&lines[2..3], &mut first, of), 1);
        assert!(contradicted(2).is_some_and(|told| told.contains("class: 2.")));
        assert_eq!(contradicted(0), None);
    }
}
