//! Tests of `english`.

use super::*;

#[test]
fn forms_of_a_word_have_one_stem() {
    let check = |forms: &[&str]| {
        forms
            .iter()
            .for_each(|form| assert_eq!(stem(form), stem(forms[0]), "{form}"))
    };
    check(&["notify", "notifies", "notified", "notifying"]);
    check(&["submit", "submits", "submitted", "submitting"]);
    check(&["disclose", "discloses", "disclosed", "disclosing"]);
    check(&["pay", "pays", "paid", "paying"]);
    check(&["use", "uses", "used", "using"]);
    check(&["apply", "applies", "applied", "applying"]);
    check(&["authority", "authorities"]);
    assert_ne!(stem("bank"), stem("broker"));
}

#[test]
fn forces_are_read_whatever_their_words() {
    let check = |text: &str, expected: &[Mark]| {
        let text = Text::read(text);
        let forces: Vec<Mark> = text
            .marks()
            .map(|(_, mark, _)| mark)
            .filter(|m| m.is_force())
            .collect();
        assert_eq!(forces, expected, "{text:?}");
    };
    check("No bank may lend money.", &[Mark::MustNot]);
    check(
        "Neither the bank nor its agent shall lend money.",
        &[Mark::MustNot],
    );
    check("A bank shall not be required to lend.", &[Mark::NeedNot]);
    check("A bank shall be entitled to lend.", &[Mark::May]);
    check("A bank shall be exempt from the levy.", &[Mark::NeedNot]);
    check("A bank mustn't lend.", &[Mark::MustNot]);
    check("It reports by 3 May 2024.", &[]);
}
