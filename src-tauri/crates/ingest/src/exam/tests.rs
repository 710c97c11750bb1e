use super::*;

/// The places of the right choices of one line of a file, or why it is left out.
fn answers(file: &str) -> Vec<Result<Vec<usize>, String>> {
    let found = questions(file.as_bytes(), "").unwrap();
    let mut all: Vec<(u64, Result<Vec<usize>, String>)> = found
        .items
        .into_iter()
        .map(|(line, q)| (line, Ok(q.answers)))
        .chain(
            found
                .rejected
                .into_iter()
                .map(|(line, why)| (line, Err(why))),
        )
        .collect();
    all.sort_by_key(|(line, _)| *line);
    all.into_iter().map(|(_, found)| found).collect()
}

#[test]
fn an_answer_is_a_letter_a_number_or_a_text() {
    let check = |choices: &str, answer: &str, expected: Result<&[usize], &str>| {
        let line = format!(r#"{{"question": "Which?", "choices": {choices}, "answer": {answer}}}"#);
        let found = answers(&line).remove(0);
        match expected {
            Ok(places) => assert_eq!(found.as_deref(), Ok(places), "{line}"),
            Err(part) => {
                let why = found.expect_err(&line);
                assert!(why.contains(part), "{line}: {why}");
            }
        }
    };
    let words = r#"["the board", "the clerk", "the auditor", "the bank"]"#;
    check(words, r#""B""#, Ok(&[1]));
    check(words, r#""b""#, Ok(&[1]));
    check(words, r#""(Ｃ)""#, Ok(&[2]));
    check(words, r#""ABD""#, Ok(&[0, 1, 3]));
    check(words, r#""D、A""#, Ok(&[0, 3]));
    check(words, r#"["A", "C"]"#, Ok(&[0, 2]));
    check(words, "2", Ok(&[2]));
    check(words, "4", Ok(&[3]));
    check(words, "[0, 3]", Ok(&[0, 3]));
    check(words, r#""the  clerk""#, Ok(&[1]));
    check(words, r#"["the bank", "A"]"#, Ok(&[0, 3]));
    check(
        words,
        r#""E""#,
        Err("The answer is E, and there are 4 choices."),
    );
    check(words, "7", Err("number 7"));
    check(words, "-1", Err("number -1"));
    check(words, r#""the king""#, Err("none of its choices"));
    check(words, r#""""#, Err("no right answer"));
    check(words, "[]", Err("no right answer"));
    check(words, "null", Err("no right answer"));
    check(words, "{}", Err("neither letter, number nor text"));
    // A number that is a place and a text, too.
    check(r#"["1", "2", "3"]"#, "1", Err("by a letter"));
    check(r#"["0", "1", "2"]"#, "1", Ok(&[1]));
    check(r#"["B", "A"]"#, r#""A""#, Err("by a letter"));
    // Choices that have letters in the file are meant by them.
    check(r#"{"A": "B", "B": "A"}"#, r#""A""#, Ok(&[0]));
}

#[test]
fn numbers_count_as_the_whole_file_shows() {
    let line = |answer: i64| {
        format!(r#"{{"question": "Q{answer}?", "choices": ["x", "y"], "answer": {answer}}}"#)
    };
    let places = |numbers: &[i64]| {
        let lines: Vec<String> = numbers.iter().map(|n| line(*n)).collect();
        answers(&lines.join("\n"))
    };
    assert_eq!(places(&[0, 1]), [Ok(vec![0]), Ok(vec![1])]);
    assert_eq!(places(&[1, 2]), [Ok(vec![0]), Ok(vec![1])]);
    let both = places(&[0, 2]);
    assert!(both[0].is_ok() && both[1].is_err(), "{both:?}");
}

#[test]
fn a_table_is_read_by_its_columns() {
    let text = ",Question,A,B,C,D,Answer\n0,谁批准？,董事会,监事会,股东大会,保监会,C\n\
                1,\"Who, then?\nⅠ. one\",a,b,,,B\n2,Which?,a,b,c,d,\n3,Which?,a,a,c,d,A\n4,,a,b,c,d,A\n\
                5,Which?,a,b,c,d,E\n6,Which?,a,,c,d,A\n7,Which?,only,,,,A\n8,a,b,c,d,e,A,too\n\n9,Last?,1,2,3,4,AD\n";
    let found = questions(text.as_bytes(), "banking").unwrap();
    let taken: Vec<(u64, usize, &[usize], &str)> = found
        .items
        .iter()
        .map(|(line, q)| {
            (
                *line,
                q.choices.len(),
                q.answers.as_slice(),
                q.subject.as_str(),
            )
        })
        .collect();
    assert_eq!(
        taken,
        [
            (2, 4, &[2][..], "banking"),
            (3, 2, &[1], "banking"),
            (13, 4, &[0, 3], "banking")
        ]
    );
    assert_eq!(found.items[1].1.question, "Who, then? Ⅰ. one");
    for ((line, why), (at, part)) in found.rejected.iter().zip([
        (5, "no right answer"),
        (6, "Choices A and B are the same"),
        (7, "question is empty"),
        (8, "The answer is E"),
        (9, "Choice B is empty"),
        (10, "one choice alone"),
        (11, "1 more cells"),
    ]) {
        assert_eq!(*line, at, "{why}");
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(found.rejected.len(), 7);
}

#[test]
fn other_tables_and_encodings() {
    let text = "题目；无\n";
    assert!(questions(text.as_bytes(), "").is_err());
    let table = "id;题目;选项A;选项B;答案;科目;解析\n1;商业银行的资本由谁监管，哪一个机构负责？;国家金融监督管理总局;中国证监会;A;银行;见办法\n";
    let (bytes, _, _) = encoding_rs::GB18030.encode(table);
    let found = questions(&bytes, "").unwrap();
    assert_eq!(found.items.len(), 1, "{found:?}");
    let question = &found.items[0].1;
    assert_eq!(
        (question.subject.as_str(), question.answers.as_slice()),
        ("银行", &[0][..])
    );
    assert!(
        found.warnings.iter().any(|w| w.contains("read as gb18030")),
        "{:?}",
        found.warnings
    );
    assert!(
        found.warnings.iter().any(|w| w.contains("解析")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn what_is_no_exam_is_refused_whole() {
    for (text, part) in [
        ("", "empty"),
        (" \n", "empty"),
        ("a,b,c\n1,2,3\n", "for the question"),
        ("question,answer\nWhich?,A\n", "for the choices"),
        (
            "id,question,A,B,C,D\n1,Which?,a,b,c,d\n",
            "for the right answer",
        ),
        ("question,A,B,a,answer\n1,2,3,4,A\n", "two of its columns"),
    ] {
        let problem = questions(text.as_bytes(), "").unwrap_err().to_string();
        assert!(problem.contains(part), "{text:?}: {problem}");
    }
}

#[test]
fn lines_of_jec_qa_have_several_answers_a_subject_and_a_kind() {
    let line = r#"{"id": "1_7", "statement": "下列哪些机构可以批准？", "option_list": {"A": "董事会", "B": "监事会", "C": "股东会", "D": "工会"}, "answer": ["A", "C"], "subject": "公司法", "type": "1"}"#;
    let found = questions(format!("{line}\nnot json\n[1]\n").as_bytes(), "").unwrap();
    let question = &found.items[0].1;
    assert_eq!(question.answers, [0, 2]);
    assert_eq!(
        (question.subject.as_str(), question.kind.as_str()),
        ("公司法", "case analysis")
    );
    assert_eq!(
        found.rejected.iter().map(|r| r.0).collect::<Vec<_>>(),
        [2, 3]
    );
}

#[test]
fn a_letter_that_is_left_out_loses_no_choice_in_silence() {
    let read = |choices: &str| {
        let line = format!(r#"{{"question": "Who?", "option_list": {choices}, "answer": "A"}}"#);
        questions(line.as_bytes(), "").unwrap()
    };
    let gap = read(r#"{"A": "the clerk", "B": "the crew", "D": "the board"}"#);
    assert_eq!(
        gap.rejected,
        [(1, "It has a choice D and no choice C.".to_owned())]
    );
    // A letter with nothing behind it is no choice.
    let empty = read(r#"{"A": "the clerk", "B": "the crew", "C": null, "D": null}"#);
    assert_eq!(empty.items[0].1.choices, ["the clerk", "the crew"]);
}

#[test]
fn a_pair_of_contexts_needs_the_term_in_both() {
    let text = r#"{"term": "operator", "context_pos": "operator: who runs a plant", "context_neg": "operator: who runs a network", "label": 1, "act": "Plant Act"}
{"term": "operator", "context_pos": "operator: who runs a plant", "context_neg": "who runs a network"}
{"term": "operator", "context_pos": "operator: who runs a plant", "context_neg": "Operator: who runs a plant."}
{"term": "operator", "context_pos": "operator: a", "context_neg": "operator: b", "shown_in": "The owner pays."}
{"term": "operator", "context_pos": "operator: a", "context_neg": "operator: b", "label": 2}
{"term": "", "context_pos": "a", "context_neg": "b"}
{"term": "经营者", "context_pos": "经营者：运营电站的人", "context_neg": "经营者：运营网络的人", "shown_in": "经营者应当报告。"}
"#;
    let found = contexts(text.as_bytes()).unwrap();
    assert_eq!(found.items.iter().map(|i| i.0).collect::<Vec<_>>(), [1, 7]);
    assert_eq!(found.items[0].1.label, 1);
    let reasons: Vec<&str> = found.rejected.iter().map(|r| r.1.as_str()).collect();
    for (why, part) in reasons.iter().zip([
        "\"context_neg\" lacks the term",
        "are the same",
        "\"shown_in\" lacks the term",
        "neither 0 nor 1",
        "no \"term\"",
    ]) {
        assert!(why.contains(part), "{why}");
    }
    assert!(contexts(b"term,context\n").is_err());
}

#[test]
fn a_file_of_another_task_is_told_by_its_first_line() {
    for (line, kind) in [
        (
            r#"{"question": "Who?", "choices": ["a", "b"], "answer": 0}"#,
            ExamKind::Questions,
        ),
        (
            r#"{"question": "Who?", "passage": "The clerk.", "label": 1}"#,
            ExamKind::Pairs,
        ),
        (
            r#"{"a": "one", "b": "two", "label": false}"#,
            ExamKind::Pairs,
        ),
        (
            r#"{"a": "one", "b": "two", "score": 3.5}"#,
            ExamKind::Similarity,
        ),
        (r#"{"text": "one", "class": "fees"}"#, ExamKind::Classes),
        (
            r#"{"question": "Who?", "passage": "The clerk.", "choices": ["a", "b"], "label": 1}"#,
            ExamKind::Questions,
        ),
        ("question,A,B,answer", ExamKind::Questions),
    ] {
        assert_eq!(kind_of(line.as_bytes()).unwrap(), kind, "{line}");
    }
}

#[test]
fn pairs_and_classes_that_cannot_be_used_are_left_out_with_the_reason() {
    let labelled = r#"{"question": "Who keeps it?", "passage": "The clerk keeps it.", "label": true}
{"question": "Who keeps it?", "passage": "", "label": 1}
{"question": "Who keeps it?", "passage": "who keeps it?", "label": 1}
{"question": "Who keeps it?", "passage": "The board.", "label": 2}
{"a": "One text.", "b": "Another text.", "label": 0}
"#;
    let found = pairs(labelled.as_bytes(), true).unwrap();
    let kept: Vec<(u64, f64, bool)> = found
        .items
        .iter()
        .map(|(line, pair)| (*line, pair.score, pair.asks))
        .collect();
    assert_eq!(kept, [(1, 1.0, true), (5, 0.0, false)]);
    let scored = r#"{"a": "One text.", "b": "Another text.", "score": "NaN"}
{"a": "One text.", "b": "Another text.", "score": 2}
{"a": "One text.", "score": 2}
{"a": "One text.", "b": "one text", "score": 5}
{"a": "One text.", "b": "One  text. ", "score": 5}
"#;
    let scored = pairs(scored.as_bytes(), false).unwrap();
    let lines: Vec<u64> = scored.items.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 4]);
    let classes = classed(b"{\"text\": \"A fee.\", \"class\": \"fees\"}\n{\"text\": \"A fee.\", \"class\": \" \"}\n{\"class\": [1], \"text\": \"a\"}\n").unwrap();
    assert_eq!(classes.items.len(), 1);
    let reasons: Vec<&str> = found
        .rejected
        .iter()
        .chain(&scored.rejected)
        .chain(&classes.rejected)
        .map(|(_, why)| why.as_str())
        .collect();
    for (why, part) in reasons.iter().zip([
        "no \"passage\", or an empty one",
        "two texts are the same",
        "neither 0 nor 1",
        "no number",
        "no \"b\"",
        "two texts are the same",
        "no \"class\", or an empty one",
        "\"class\" is no text",
    ]) {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(reasons.len(), 8);
    assert!(pairs(b"a,b,label\n", true).is_err());
}
