//! Tests of `systems`.

use super::*;

fn base(name: &str, decoder: bool) -> BaseRow {
    BaseRow {
        name: name.to_owned(),
        path: None,
        shipped: true,
        architecture: "bert".to_owned(),
        decoder,
        parameters: 1,
        problem: None,
    }
}

#[test]
fn a_decoder_can_be_asked_under_prompts_too() {
    let mut found = Found {
        systems: Vec::new(),
        prompted: Vec::new(),
        together: Vec::new(),
        endpoints: Vec::new(),
        missing: Vec::new(),
    };
    found.take(base("minilm", false));
    found.take(base("qwen", true));
    let problem = Failure::new(Code::ModelMissing, "It is gone.", "Fetch it.");
    found.take(BaseRow {
        problem: Some(problem),
        ..base("gone", true)
    });
    let names = |systems: &[System]| systems.iter().map(System::name).collect::<Vec<_>>();
    assert_eq!(names(&found.systems), ["base minilm", "base qwen"]);
    assert_eq!(names(&found.prompted), ["eol qwen", "echo qwen"]);
    assert_eq!(found.missing[0].system, "base gone");
}

#[test]
fn runs_of_a_group_stand_in_it_alone() {
    let run = |n| System::Run(RunId(n));
    let group = System::Runs(vec![RunId(3), RunId(4)]);
    let names = |systems: Vec<System>| systems.iter().map(System::name).collect::<Vec<_>>();
    let all = vec![run(2), run(3), System::Counted(Method::Lsa), run(4)];
    assert_eq!(
        names(with_groups(all, vec![group.clone()])),
        ["run 2", "lsa", "runs 3+4"]
    );
    // A group that is there already does not stand there twice.
    assert_eq!(
        names(with_groups(vec![group.clone(), run(3)], vec![group])),
        ["runs 3+4"]
    );
}

#[test]
fn a_system_is_found_by_its_name() {
    for name in [
        "tfidf",
        "lsa",
        "bm25",
        "base all-MiniLM-L6-v2",
        "eol lexforge-demo",
        "echo lexforge-demo",
        "run 3",
        "runs 3+4+9",
        "endpoint firm",
        "endpoint local",
        "checkpoint 3/stage-1-step-0000040",
    ] {
        let found = System::of_name(name).map(|system| system.name());
        assert_eq!(found.as_deref(), Some(name));
    }
    for name in [
        "",
        "base",
        "run three",
        "runs 3",
        "runs 3+3",
        "runs 3+x",
        "chorus lexforge-demo",
        "endpoint ",
        "checkpoint 3",
        "checkpoint 3/",
        "checkpoint x/stage-1-step-0000040",
    ] {
        assert_eq!(System::of_name(name), None, "{name}");
    }
}
