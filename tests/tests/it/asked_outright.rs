//! Questions that a sentence answers outright, although other clauses have more of their words, and questions for the
//! meaning of a term that is only used.

use lexforge_tests::product::Product;

const WS: &str = "a.lexforge";

/// Rules of our own writing. Many clauses speak of fines, logs and masters; few say what is asked.
fn rules() -> String {
    let mut text = "# Harbour Act\n\n\
        ## Article 1 Berths\n\nA vessel that lies without a crew, also known as a “sleeping vessel”, is moored at the outer quay.\n\n\
        ## Article 2 Logs\n\nA master is not required to file a mooring log for a tug.\n\n\
        ## Article 3 Pilots\n\nThe harbour pilot shall without delay file a mooring log for each barge.\n\n\
        ## Article 4 Wrecks\n\nThe master shall notify a wreck to the harbour office not later than 48 hours after it was found.\n\n\
        ## Article 5 Fines\n\nInfringements of Articles 2 to 4 shall be subject to fines of up to 20 000 EUR.\n\n\
        ## Article 6 Use of fines\n\nThe harbour office uses the fines for the quays.\n\n\
        ## Article 7 Final rule\n\nThis Act shall enter into force on 1 May 2021.\n\n"
        .to_owned();
    for i in 8..30 {
        text.push_str(&format!(
            "## Article {i} Duties {i}\n\nThe master shows the mooring log, the report of a wreck, the fines that were paid and \
             the papers of a dry vessel to the office at gate {i}, where the Act and the rules apply.\n\n"
        ));
    }
    for i in 30..44 {
        text.push_str(&format!(
            "## Article {i} Quay {i}\n\nThe passenger shall have the right to use quay {i}.\n\n"
        ));
    }
    text
}

#[test]
fn what_a_sentence_says_outright_is_answered() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let file = lexforge.file("act.md", rules().as_bytes());
    lexforge.json(&["import".as_ref(), WS.as_ref(), file.as_os_str()]);
    for (question, said) in [
        ("How high are the fines?", "up to 20 000 EUR"),
        ("What is the maximum fine?", "up to 20 000 EUR"),
        ("When does the act enter into force?", "1 May 2021"),
        ("Who must file a mooring log?", "harbour pilot"),
        ("When must a wreck be reported?", "48 hours"),
        ("Who is a sleeping vessel?", "without a crew"),
    ] {
        let answer = lexforge.json(&["ask", WS, question, "--mode", "lexical"]);
        assert_eq!(answer["found"], true, "{question} {answer:#}");
        let first = answer["statements"][0]["text"].as_str().unwrap();
        assert!(first.contains(said), "{question} {answer:#}");
    }
    // Each clause that grants a right is an answer, and only these.
    let answer = lexforge.json(&[
        "ask",
        WS,
        "What rights do passengers have?",
        "--mode",
        "lexical",
    ]);
    let texts: Vec<&str> = answer["statements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts.len(), 14, "{answer:#}");
    assert!(
        texts
            .iter()
            .all(|text| text.contains("have the right to use quay")),
        "{answer:#}"
    );
    // A term that is only used, a duty that is only lifted, rights that nothing grants, and a role that nothing names.
    for question in [
        "What is a dry vessel?",
        "Who must file a berth log for a tug?",
        "What are the rights of the master?",
        "Who is the mooring pilot?",
    ] {
        let answer = lexforge.json(&["ask", WS, question, "--mode", "lexical"]);
        assert_eq!(answer["found"], false, "{question} {answer:#}");
    }
}
