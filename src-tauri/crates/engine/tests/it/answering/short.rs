//! Short questions, as people ask them.

use super::{Corpus, ask};
use lexforge_domain::api::{AnswerNote, Refusal};

const OFFICE: &str = "# Regulation on the harbour office

## Article 1 – Foreign berths

Each master who has a berth in a foreign harbour shall file a report of foreign berths with the harbour office annually. The form is at the counter. The report shall be filed by June 30 of the next year. Barges have no berth.

## Article 2 – Penalties

Civil penalties for late mooring are laid down in the tariff of the town. A vessel that moors late pays 500 euros. A tanker pays 900 euros.

## Article 3 – Salvage

The owner of a vessel shall not conceal a wreck from the harbour office.

## Article 4 – Anchors

An anchor shall be painted red by its owner. The paint is sold at the counter.
";

#[test]
fn an_everyday_word_finds_the_word_of_the_rule() {
    let corpus = Corpus::of(&[("office.md", OFFICE)]);
    let engine = corpus.engine();
    let asked = |question| {
        let answer = ask(&engine, question);
        let nowhere = |note: &AnswerNote| matches!(note, AnswerNote::StandNowhere { .. });
        let first = answer.passages.first().map(|p| p.text.clone());
        let rule = first.is_some_and(|text| text.contains("shall not conceal a wreck"));
        (rule, answer.notes.iter().any(nowhere))
    };
    assert_eq!(asked("May the owner hide a wreck?"), (true, false));
    // The word has no other meaning in the documents.
    assert!(asked("May the owner paint a zeppelin?").1);
}

/// What one rule calls by one word and another rule by another.
#[test]
fn a_word_of_other_rules_finds_the_word_of_the_rule() {
    const WARDENS: &str = "# Rules of the port

## Article 1

Each quay shall designate a warden.

## Article 2

A warden shall not be dismissed without a reason in writing.

## Article 3

Mooring at the slipway is prohibited at night.

## Article 4

The book of the quay is kept for two years.

## Article 5

The list of the town is maintained by the mayor.
";
    let corpus = Corpus::of(&[("port.md", WARDENS)]);
    let engine = corpus.engine();
    for (question, rule) in [
        ("Which quay appoints a warden?", "shall designate"),
        ("Can a warden be fired without a reason?", "be dismissed"),
        ("Is mooring at the slipway banned?", "is prohibited"),
        ("How long is the book retained?", "is kept"),
        ("Who keeps the list of the town?", "is maintained"),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        let first = &answer.statements[0].text;
        assert!(first.contains(rule), "{question}: {first}");
        let nowhere = |note: &AnswerNote| matches!(note, AnswerNote::StandNowhere { .. });
        assert!(!answer.notes.iter().any(nowhere), "{question}");
    }
}

/// The clause that fits best has the words of the question, and says of something else that it shall be done.
#[test]
fn when_something_is_needed_is_told_by_the_rule_that_demands_it() {
    for (first, told) in [
        (
            "Where a vessel lies in a fairway as a wreck, its owner shall make a danger assessment of the wreck.",
            Some("Where a vessel lies in a fairway"),
        ),
        ("A lamp burns beside each wreck.", None),
    ] {
        let text = format!(
            "# Rules of the harbour

## Article 1

{first}

## Article 2

The office may make public a list of barges for which no danger assessment of a wreck is required. The office shall send such lists to the town.

## Article 3

Each pilot shall carry a lamp at night. No licence is required for the lamp.

## Article 4

The board shall approve the training plan once a year. The plan is sent to the town.

## Article 5

A vessel shall moor at its own berth. A licence is required for other berths.
"
        );
        let corpus = Corpus::of(&[("harbour.md", &text)]);
        let answer = ask(
            &corpus.engine(),
            "When is a danger assessment of a wreck required?",
        );
        assert_eq!(answer.found, told.is_some(), "{answer:#?}");
        let said: Vec<&str> = answer.statements.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(said.len(), told.iter().len(), "{said:?}");
        let demands = said
            .iter()
            .zip(told)
            .all(|(said, told)| said.starts_with(told));
        assert!(demands, "{said:?}");
    }
}

/// A paragraph that is too long for one clause: each of its sentences is one.
#[test]
fn a_deadline_or_an_amount_is_quoted_that_stands_beside_the_sentence() {
    let long = "The office keeps a note of it in its book of the day. ".repeat(18);
    let text = OFFICE
        .replace("Barges have", &format!("{long}Barges have"))
        .replace(
            "A tanker pays 900 euros.",
            &format!("A tanker pays 900 euros. {long}"),
        )
        .replace("The paint is", &format!("{long}The paint is"));
    let corpus = Corpus::of(&[("office.md", &text)]);
    let engine = corpus.engine();
    for (question, parts, without) in [
        (
            "When shall a master who has a berth in a foreign harbour file?",
            ["Each master who has a berth", "June 30"].as_slice(),
            "book of the day",
        ),
        (
            "What is the civil penalty for late mooring in the tariff?",
            &["laid down in the tariff", "500 euros", "900 euros"],
            "book of the day",
        ),
        // No near clause contains a time, and "who" does not ask for a time.
        (
            "When is an anchor painted red by the owner?",
            &["painted red"],
            "paint is sold",
        ),
        (
            "Who has a berth in a foreign harbour?",
            &["Each master"],
            "June 30",
        ),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        let told = &answer.statements[0].text;
        for part in parts {
            assert!(told.contains(part), "{question}: {told}");
        }
        assert!(!told.contains(without), "{question}: {told}");
    }
    // A text with neither a time nor a condition does not answer a question for the time.
    let when = ask(&engine, "When shall the owner paint an anchor red?");
    assert!(!when.found, "{when:#?}");
}

#[test]
fn what_a_question_takes_for_granted_is_looked_for_by_itself() {
    const GUIDE: &str = "# Guide to the harbour

## Article 1

The guide does not impose duties on pilots.

## Article 2

Each salvage diver shall wear a yellow helmet and a whistle at night.

## Article 3

The board shall approve the training plan once a year.
";
    let corpus = Corpus::of(&[("guide.md", GUIDE)]);
    let engine = corpus.engine();
    let question = "Since the guide imposes duties on pilots, shall each salvage diver wear a yellow helmet and a whistle at night?";
    let wrong = ask(&engine, question);
    let premise = wrong.premise.as_ref().unwrap();
    assert_eq!(premise.assumed, "the guide imposes duties on pilots");
    let cited = &wrong.citations[premise.citation].quote;
    assert!(cited.contains("does not impose duties"), "{wrong:#?}");
    // The rule that answers stands beside it.
    assert!(
        wrong.statements.iter().any(|s| s.text.contains("yellow")),
        "{wrong:#?}"
    );
    // Nothing else answers this question.
    let alone = ask(
        &engine,
        "Since the guide imposes duties on pilots, what salary does the glazier draw on holidays?",
    );
    assert!(alone.found && alone.premise.is_some(), "{alone:#?}");
    let told: Vec<&str> = alone.statements.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(told, ["The guide does not impose duties on pilots."]);
    // A right assumption is not contradicted.
    let right = ask(
        &engine,
        "Since the board approves the training plan, shall each salvage diver wear a yellow helmet?",
    );
    assert_eq!(right.premise, None);
}

#[test]
fn a_name_is_looked_for_as_the_documents_have_it() {
    const PERMITS: &str = "# Regulation on permits

## Article 1

A night mooring permit (NMP) lets a vessel moor after sunset.

## Article 2

An NMP is issued by the harbour master against a fee of 20 euros.

## Article 3

Each port shall appoint a quay fire warden. The quay fire warden wears a red vest.

## Article 4

The quay fire warden inspects the hydrants every month. The office tells the quay fire warden of each new berth.

## Article 5

A barge that has no lamp informs the quay fire warden.
";
    let corpus = Corpus::of(&[("permits.md", PERMITS)]);
    let engine = corpus.engine();
    for (question, told, read) in [
        // Declared in brackets: the rule has the short form, the question the long one.
        ("Who issues a night mooring permit?", "harbour master", None),
        ("Who issues an NMP?", "harbour master", None),
        // Declared nowhere: the first letters of a phrase that is there often.
        (
            "How often does the QFW inspect the hydrants?",
            "every month",
            Some("quay fire warden"),
        ),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        assert!(
            answer.answer.contains(told),
            "{question}: {}",
            answer.answer
        );
        let names = answer.notes.iter().find_map(|note| match note {
            AnswerNote::ReadAs { read, .. } => Some(read.as_str()),
            _ => None,
        });
        assert_eq!(names, read, "{question}");
    }
}

#[test]
fn who_must_do_something_is_told_by_the_rule_that_lays_the_duty_on_somebody() {
    const PORT: &str = "# Rules of the port

## Article 1

Several quays may appoint one fire warden.

## Article 2

Each quay with more than ten berths for barges shall designate a fire warden who knows the hydrants.

## Article 3

A pilot must carry a lamp at night.

## Article 4

A barge must leave the slipway before noon.

## Article 5

A master must know the chart.

## Article 6

The board shall approve the training plan once a year.
";
    let corpus = Corpus::of(&[("port.md", PORT)]);
    let engine = corpus.engine();
    // “Have to” is asked in the same way as “must”.
    let answers = ["must", "has to"].map(|must| {
        let answer = ask(&engine, &format!("Who {must} appoint a fire warden?"));
        assert!(answer.found, "{must}: {answer:#?}");
        assert!(
            answer.answer.starts_with("Each quay"),
            "{must}: {answer:#?}"
        );
        answer
    });
    let [one, other] = answers;
    assert_eq!(one.answer, other.answer);
    assert!((one.probability - other.probability).abs() < 1e-12);
}

#[test]
fn a_figure_is_told_by_a_clause_further_down_if_the_first_cannot_tell_it() {
    const HARBOUR: &str = "# Rules of the harbour

## Article 1

A master must file a berth report. The report is on paper, and a berth report has a cover.

## Article 2

A berth report is filed within 15 days of the mooring.

## Article 3

The board shall approve the training plan once a year.

## Article 4

Barges are painted within 3 days.

## Article 5

A licence is required for other berths.

## Article 6

A pilot must carry a lamp.
";
    let corpus = Corpus::of(&[("harbour.md", HARBOUR)]);
    let engine = corpus.engine();
    let answer = ask(&engine, "How many days do we have to file a berth report?");
    assert!(answer.found, "{answer:#?}");
    let said: Vec<&str> = answer.statements.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        said,
        ["A berth report is filed within 15 days of the mooring."]
    );
}

#[test]
fn a_fire_is_no_dismissal() {
    const QUAYS: &str = "# Rules of the quays

## Article 1

Each dismissal of a warden is told to the mayor before the warden is dismissed.

## Article 2

A fire at a quay is told to the pilot.

## Article 3

The board shall approve the training plan once a year.
";
    let corpus = Corpus::of(&[("quays.md", QUAYS)]);
    let engine = corpus.engine();
    for (question, first) in [
        ("Who is told of a fire?", "A fire at a quay"),
        ("Who is told if a warden is fired?", "Each dismissal"),
    ] {
        let answer = ask(&engine, question);
        let nearest = &answer.passages[0].text;
        assert!(nearest.starts_with(first), "{question}: {nearest}");
    }
}

/// What the first clause has only in other words may be about something else.
#[test]
fn what_stands_only_in_other_words_is_not_sure() {
    const PORT: &str = "# Rules of the port

## Article 1

The management shall not be dismissed without a reason in writing.

## Article 2

A fee for non-performing berths is due in May.

## Article 3

The board shall approve the training plan once a year.

## Article 4

A pilot shall carry a lamp at night.
";
    let corpus = Corpus::of(&[("port.md", PORT)]);
    let engine = corpus.engine();
    for (question, found) in [
        ("Can the boss be sacked?", false),
        ("Can the boss be sacked without a reason?", true),
    ] {
        let answer = ask(&engine, question);
        assert_eq!(answer.found, found, "{question}: {answer:#?}");
        // The clause is shown where it does not answer.
        let nearest = &answer.passages[0].text;
        assert!(
            nearest.starts_with("The management"),
            "{question}: {nearest}"
        );
        let refusal = (!found).then_some(Refusal::Unsure);
        assert_eq!(answer.refusal(), refusal, "{question}: {answer:#?}");
    }
}
