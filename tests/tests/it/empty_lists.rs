//! What lists print in a workspace that holds nothing yet: what is missing, and the command that leads on.

use lexforge_tests::product::Product;

const WS: &str = "a.lexforge";

/// Lists, with the verb that each of them leads to.
const LISTS: [(&[&str], &[&str]); 18] = [
    (&["docs", WS], &["import"]),
    (&["terms", "list", WS], &["terms", "extract"]),
    (&["terms", "confusables", WS], &["terms", "extract"]),
    (&["graph", "list", WS], &["graph", "build"]),
    (&["qca", "export", WS], &["augment"]),
    (&["triplets", "list", WS], &["triplets", "make"]),
    (&["similarity", "list", WS], &["similarity", "draw"]),
    (&["dataset", "list", WS], &["dataset", "freeze"]),
    (&["runs", "list", WS], &["train"]),
    (&["rank", "rerank", WS], &["train"]),
    (&["exam", "list", WS], &["exam", "import"]),
    (&["ask", WS, "--history"], &["ask"]),
    (&["pairs", "list", WS], &["pairs", "import"]),
    (&["match", "proposals", WS], &["match", "import"]),
    (&["endpoints", "list", WS], &["endpoints", "add"]),
    (&["prompts", "list", WS, "--versions"], &["prompts", "edit"]),
    (&["compute", "list"], &["compute", "add"]),
    (&["compute", "packs"], &["compute", "install"]),
];

#[test]
fn an_empty_list_leads_to_the_command_that_fills_it() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    assert_eq!(lexforge.run(&["new", WS]).code, 0);
    for (list, verb) in LISTS {
        let done = lexforge.run(list);
        assert_eq!((done.code, done.out.as_str()), (0, ""), "{list:?}");
        let named = format!("lexforge {}", verb.join(" "));
        assert!(done.err.contains(&named), "{list:?}: {}", done.err);
        let help = lexforge.run(&[verb, &["--help"]].concat());
        assert_eq!(help.code, 0, "{named}: {}", help.err);
        // A program reads no lines, and no words for people.
        let read = lexforge.run(&[list, &["--json"]].concat());
        assert_eq!((read.code, read.out.as_str()), (0, ""), "{list:?}");
        assert!(!read.err.contains(&named), "{list:?}: {}", read.err);
    }
}

#[test]
fn a_queue_without_items_does_not_say_that_all_is_decided() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    assert_eq!(lexforge.run(&["new", WS]).code, 0);
    let done = lexforge.run(&["terms", "queue", WS]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains("Everything is decided"), "{}", done.out);
    assert!(done.out.contains("lexforge terms extract"), "{}", done.out);
}
