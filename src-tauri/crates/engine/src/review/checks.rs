//! What can be decided: the same rules for decisions that are made here and for those that come back with a packet.

use lexforge_domain::Failure;
use lexforge_domain::review::{Choice, Edit, Subject, SubjectKind};

/// Longest term, in scalar values.
const LONGEST_TERM: usize = 300;
/// Longest question, choice or reason, in scalar values.
const LONGEST_TEXT: usize = 4_000;
/// Longest name of a class, in scalar values.
const LONGEST_CLASS: usize = 80;

/// Refuses what cannot be said about an item of this kind.
pub(super) fn suits(
    kind: SubjectKind,
    choice: Choice,
    edit: &Edit,
    reason: &str,
) -> Result<(), Failure> {
    let refuse = |message: String, hint: &str| Err(Failure::invalid(message, hint));
    let what = kind.tag();
    if !choice.suits(kind) {
        return refuse(
            format!("`{}` cannot be said about a {what}.", choice.tag()),
            "A term can be accepted, rejected or merged, a question or a triplet accepted or rejected, a pair of terms called \
             the same, confusable or unrelated, and two sentences get a score of 0 to 5.",
        );
    }
    let takes = matches!(choice, Choice::Accept | Choice::Merge);
    if (edit.text.is_some() || edit.class.is_some() || edit.choices.is_some()) && !takes {
        return refuse(
            "Only what is accepted can be changed.".to_owned(),
            "Accept it with the change.",
        );
    }
    if (choice == Choice::Merge) != edit.into.is_some() {
        return refuse(
            "A term is merged into another term, and nothing else is.".to_owned(),
            "Name the term that it is another name for.",
        );
    }
    if edit.class.is_some() && kind != SubjectKind::Term
        || edit.choices.is_some() && !matches!(kind, SubjectKind::Question | SubjectKind::Triplet)
        || edit.text.is_some() && kind == SubjectKind::Triplet
    {
        return refuse(
            format!("A {what} has no such part that could be changed."),
            "Change text or class of a term, text or choices of a question, positive and negative of a triplet.",
        );
    }
    let longest = if kind == SubjectKind::Term {
        LONGEST_TERM
    } else {
        LONGEST_TEXT
    };
    let texts = edit
        .text
        .iter()
        .map(|t| (t, longest))
        .chain(edit.choices.iter().flatten().map(|t| (t, LONGEST_TEXT)));
    for (text, longest) in texts {
        if text.trim().is_empty()
            || text.chars().count() > longest
            || text.chars().any(|c| c.is_control())
        {
            return refuse(
                format!("A changed text has 1 to {longest} characters, on one line."),
                "Shorten it, or reject the item.",
            );
        }
    }
    let long = |text: &str, most: usize| text.chars().count() > most;
    if edit
        .class
        .as_ref()
        .is_some_and(|c| long(c, LONGEST_CLASS) || c.chars().any(char::is_control))
    {
        return refuse(
            format!("A class has at most {LONGEST_CLASS} characters."),
            "Choose a class of the schema.",
        );
    }
    if long(reason, LONGEST_TEXT) {
        return refuse(
            format!("A reason has at most {LONGEST_TEXT} characters."),
            "Shorten it.",
        );
    }
    Ok(())
}

/// Refuses other choices that are not as many different texts as the question has.
pub(super) fn fit(choices: &[String], written: usize) -> Result<(), Failure> {
    let mut different: Vec<&str> = choices.iter().map(|c| c.trim()).collect();
    different.sort_unstable();
    different.dedup();
    if choices.len() == written && different.len() == written {
        return Ok(());
    }
    Err(Failure::invalid(
        format!("The question has {written} choices, and each must differ from the others."),
        "Give as many choices as there are, in their order.",
    ))
}

/// Refuses a corrected triplet whose negative says what its positive or its source says.
pub(super) fn differ(choices: &[String], source: &str) -> Result<(), Failure> {
    let texts: Vec<&str> = choices.iter().map(|text| text.trim()).collect();
    if let [positive, negative] = texts[..]
        && negative != positive
        && negative != source.trim()
    {
        return Ok(());
    }
    Err(Failure::invalid(
        "A corrected triplet has a positive and a negative, and the negative says something else than source and positive.",
        "Give both, or reject the triplet.",
    ))
}

/// Refuses a term that is merged into itself, and a pair of one term.
pub(super) fn two_terms(subject: Subject, edit: &Edit) -> Result<(), Failure> {
    let alone = match subject {
        Subject::Term { id } => edit.into == Some(id),
        Subject::Pair { a, b } => a == b,
        _ => false,
    };
    if alone {
        return Err(Failure::invalid(
            "A term cannot be compared with itself or merged into itself.",
            "Name two different terms.",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::TermId;
    use lexforge_domain::review::Score;

    #[test]
    fn what_cannot_be_said_is_refused() {
        use Choice::{Accept, Confusable, Merge, Reject, Same, Skip};
        use SubjectKind::{Pair, Question, Similarity, Term, Triplet};
        let score = Score::of(3.5).map_or(Skip, Choice::Score);
        let none = Edit::default;
        let text = |text: &str| Edit {
            text: Some(text.to_owned()),
            ..none()
        };
        let class = |class: &str| Edit {
            class: Some(class.to_owned()),
            ..none()
        };
        let into = || Edit {
            into: Some(TermId(2)),
            ..none()
        };
        let choices = || Edit {
            choices: Some(vec!["a".to_owned(), "b".to_owned()]),
            ..none()
        };
        for (kind, choice, edit, good) in [
            (Term, Accept, none(), true),
            (Term, Accept, text("own funds"), true),
            (Term, Accept, class("actor"), true),
            (Term, Merge, into(), true),
            (Term, Skip, none(), true),
            (Pair, Confusable, none(), true),
            (Question, Accept, choices(), true),
            (Triplet, Accept, choices(), true),
            (Triplet, Reject, none(), true),
            (Similarity, score, none(), true),
            (Similarity, Skip, none(), true),
            (Triplet, Accept, text("own funds"), false),
            (Triplet, score, none(), false),
            (Similarity, Accept, none(), false),
            (Similarity, score, choices(), false),
            (Question, score, none(), false),
            (Term, Merge, none(), false),
            (Term, Accept, into(), false),
            (Term, Same, none(), false),
            (Pair, Accept, none(), false),
            (Question, Merge, into(), false),
            (Term, Reject, text("own funds"), false),
            (Term, Accept, text("  "), false),
            (Term, Accept, text("own\nfunds"), false),
            (Term, Accept, text(&"x".repeat(LONGEST_TERM + 1)), false),
            (Term, Accept, class(&"x".repeat(LONGEST_CLASS + 1)), false),
            (Term, Accept, choices(), false),
            (Question, Accept, class("actor"), false),
        ] {
            assert_eq!(
                suits(kind, choice, &edit, "").is_ok(),
                good,
                "{kind:?} {choice:?} {edit:?}"
            );
        }
        assert!(suits(Term, Accept, &none(), &"x".repeat(LONGEST_TEXT + 1)).is_err());
        let texts = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        for (given, good) in [
            (texts(&["a", "b"]), true),
            (texts(&["a", " a"]), false),
            (texts(&["a"]), false),
        ] {
            assert_eq!(fit(&given, 2).is_ok(), good, "{given:?}");
        }
        for (given, good) in [
            (texts(&["a", "b"]), true),
            (texts(&["source ", "b"]), true),
            (texts(&["a", "a"]), false),
            (texts(&["a", " source"]), false),
            (texts(&["a"]), false),
        ] {
            assert_eq!(differ(&given, "source").is_ok(), good, "{given:?}");
        }
    }
}
