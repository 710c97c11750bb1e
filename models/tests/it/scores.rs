//! Scores of choices against the plain computation: each text by itself, every token from its own logits.

use crate::common::formula::{DECODER, tiny_decoder};
use crate::common::naive::logits_of;
use crate::common::{data, run_well, tiny_models, write_job, write_jsonl};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Job, ModelRef, Precision, ScoreItem, ScoreJob, ScoreLine};
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::language::LanguageModel;
use lexforge_models::decoding::score::NO_QUESTION;
use lexforge_models::losses::sft::Form;
use tch::{Device, Kind};

fn model() -> Option<LanguageModel> {
    tch::set_num_threads(1);
    let folder = data("model-stories260k/oracle_numpy.json")?
        .parent()?
        .join("hf");
    Some(LanguageModel::open(&folder, None, Device::Cpu).unwrap())
}

/// `Σ log p(answer, end | question)`, one text, one token after another.
fn plain(model: &LanguageModel, question: &str, answer: &str) -> f64 {
    let exchange = model
        .language
        .exchange(&[Message::user(question)], answer)
        .unwrap();
    let logs = logits_of(model, &exchange.ids).log_softmax(1, Kind::Double);
    let end = exchange.ids.len();
    assert_eq!(exchange.ids[end - 1], model.language.end());
    (exchange.answer..end)
        .map(|t| logs.double_value(&[t as i64 - 1, i64::from(exchange.ids[t])]))
        .sum()
}

fn logs(model: &LanguageModel, answers: &[&str]) -> Vec<f64> {
    let answers = model.language.answers(QUESTION, answers).unwrap();
    model.answer_logs(&[&answers]).unwrap().remove(0)
}

const QUESTION: &str = "What did Lily see in the park?";
const CHOICES: [&str; 4] = [
    "A big, red ball.",
    "A big, red ball and a dog.",
    "The sun",
    "董事会",
];

#[test]
fn scores_are_those_of_each_text_by_itself() {
    let Some(model) = model() else { return };
    let scores = model.choice_scores(QUESTION, &CHOICES).unwrap();
    let listed: String = CHOICES
        .iter()
        .map(|choice| format!("\n- {choice}"))
        .collect();
    for (choice, score) in CHOICES.iter().zip(&scores) {
        let asked = plain(&model, &format!("{QUESTION}\n{listed}"), choice);
        let unasked = plain(&model, NO_QUESTION, choice);
        let check = |what: &str, found: f64, expected: f64| {
            assert!(
                (found - expected).abs() < 1e-3,
                "{choice:?} {what}: {found} {expected}"
            );
        };
        check("likelihood", score.likelihood, asked);
        check("per byte", score.per_byte, asked / choice.len() as f64);
        check("pmi", score.pmi, asked - unasked);
    }
    // A beginning of another choice does not win by stopping early: its end is part of the score.
    let open = logs(&model, &CHOICES[..2]);
    assert!((open[0] - plain(&model, QUESTION, CHOICES[0])).abs() < 1e-3);
}

#[test]
fn one_choice_and_equal_choices_are_scored_too() {
    let Some(model) = model() else { return };
    let alone = logs(&model, &CHOICES[..1]);
    assert!((alone[0] - plain(&model, QUESTION, CHOICES[0])).abs() < 1e-3);
    let twice = model
        .choice_scores(QUESTION, &[CHOICES[0], CHOICES[0]])
        .unwrap();
    assert!((twice[0].likelihood - twice[1].likelihood).abs() < 1e-3);
}

#[test]
fn a_question_without_choices_is_refused() {
    let Some(model) = model() else { return };
    for choices in [&[][..], &["a", " "]] {
        let failure = model
            .choice_scores(QUESTION, choices)
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, Code::InvalidRequest);
    }
}

#[test]
fn an_open_question_is_asked_without_its_choices() {
    let Some(model) = model() else { return };
    let asked = |form| {
        let ids = model.language.question_tokens(QUESTION, &CHOICES, form);
        model.language.decode(&ids.unwrap()).unwrap()
    };
    let (listed, open) = (asked(Form::Choices), asked(Form::Open));
    assert!(
        CHOICES[..3].iter().all(|choice| listed.contains(choice)),
        "{listed}"
    );
    assert!(
        !CHOICES.iter().any(|choice| open.contains(choice)),
        "{open}"
    );
    assert!(open.len() < listed.len());
}

#[test]
fn groups_scored_together_have_the_scores_of_each_by_itself() {
    let Some(model) = model() else { return };
    let groups = [
        model.language.asked(QUESTION, &CHOICES).unwrap(),
        model.language.choices_alone(&CHOICES[1..]).unwrap(),
        model.language.answers(NO_QUESTION, &CHOICES[..1]).unwrap(),
    ];
    let together = model
        .answer_logs(&groups.iter().collect::<Vec<_>>())
        .unwrap();
    for (group, together) in groups.iter().zip(together) {
        let alone = model.answer_logs(&[group]).unwrap().remove(0);
        assert_eq!(alone.len(), together.len());
        for (a, b) in alone.iter().zip(&together) {
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
    }
}

/// Question and choices begin with the same word. Where a token sees only those before it, their first tokens are equal.
#[test]
fn texts_are_compared_as_the_decoder_writes_unless_its_folder_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    tiny_decoder(&tiny_models(folder.path()));
    let model = folder.path().join(DECODER);
    let pooling = model.join("1_Pooling/config.json");
    std::fs::create_dir_all(pooling.parent().unwrap()).unwrap();
    std::fs::write(pooling, r#"{"pooling_mode": "cls"}"#).unwrap();
    let job = ScoreJob {
        model: ModelRef {
            name: DECODER.into(),
            sha256: String::new(),
        },
        adapter: None,
        input: "inputs/questions.jsonl".into(),
        output: "lines.jsonl".into(),
        generate: false,
        open: false,
        embed: true,
        max_new_tokens: 1,
        precision: Precision::Auto,
        threads: 1,
    };
    let item = ScoreItem {
        id: 1,
        question: "board reports".into(),
        choices: vec!["board shall audit".into(), "board may approve".into()],
    };
    let lowest = |name: &str| {
        let bundle = folder.path().join(name);
        write_job(&bundle, Job::Score(job.clone()));
        write_jsonl(&bundle.join(&job.input), std::slice::from_ref(&item));
        run_well(&bundle, folder.path());
        let text = std::fs::read_to_string(bundle.join(&job.output)).unwrap();
        let line: ScoreLine = serde_json::from_str(text.trim()).unwrap();
        assert_eq!(line.cosine.len(), item.choices.len());
        line.cosine.into_iter().fold(f64::MAX, f64::min)
    };
    assert!(lowest("usual") > 1.0 - 1e-6);
    let path = model.join("config.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen('{', r#"{"is_causal": false, "#, 1)).unwrap();
    assert!(lowest("both") < 1.0 - 1e-4);
}
