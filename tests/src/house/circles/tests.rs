//! Tests of `circles`.

use super::*;

/// The circles of a crate of these files, each as its files.
fn of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(String, String)> = files
        .iter()
        .map(|(file, text)| (format!("room/src/{file}"), (*text).to_owned()))
        .collect();
    circles(&files)
        .unwrap()
        .into_iter()
        .map(|circle| circle.files.join(" ").replace("room/src/", ""))
        .collect()
}

#[test]
fn files_that_name_each_other_are_a_circle() {
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    let one_way = [
        lib,
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "pub struct B;"),
        ("c.rs", ""),
    ];
    assert_eq!(of(&one_way), [""; 0]);
    let back = [
        lib,
        one_way[1],
        ("b.rs", "use crate::a::A; pub struct B(Box<A>);"),
        ("c.rs", ""),
    ];
    assert_eq!(of(&back), ["a.rs b.rs"]);
    let round = [
        lib,
        ("a.rs", "pub fn a() { crate::b::b() }"),
        ("b.rs", "pub fn b() { super::c::c() }"),
        ("c.rs", "use super::a; pub fn c() { a::a() }"),
    ];
    assert_eq!(of(&round), ["a.rs b.rs c.rs"]);
}

#[test]
fn what_ties_a_circle_is_told() {
    let files = [
        ("src/lib.rs", "mod a; pub struct L; pub fn f() { a::f() }"),
        ("src/a.rs", "use crate::L; pub fn f() {}"),
    ]
    .map(|(file, text)| (file.to_owned(), text.to_owned()));
    let arrows = circles(&files).unwrap().remove(0).arrows;
    assert_eq!(
        arrows,
        ["src/a.rs -> src/lib.rs: L", "src/lib.rs -> src/a.rs: f"]
    );
    assert!(circles(&[("src/lib.rs".to_owned(), "fn".to_owned())]).is_err());
}

#[test]
fn a_parent_may_have_children_that_name_what_it_shares() {
    let lib = ("lib.rs", "mod room;");
    let child = (
        "room/child.rs",
        "use super::Shared; pub fn f(_: Shared) {} pub struct Child;",
    );
    let parent = "mod child; pub use child::Child; pub struct Shared;";
    assert_eq!(of(&[lib, ("room/mod.rs", parent), child]), [""; 0]);
    // It uses the child: by its path, by the name that it hands on, or by a private import.
    for uses in [
        "fn g() { child::f(Shared) }",
        "fn g() -> Child { Child }",
        "use child::f;",
    ] {
        let parent = format!("{parent} {uses}");
        assert_eq!(
            of(&[lib, ("room/mod.rs", &parent), child]),
            ["room/child.rs room/mod.rs"],
            "{uses}"
        );
        assert_eq!(
            of(&[lib, ("room.rs", &parent), child]),
            ["room.rs room/child.rs"],
            "{uses}"
        );
    }
}

#[test]
fn a_way_through_a_re_export_is_the_way_to_what_is_re_exported() {
    let lib = ("lib.rs", "mod a; mod b; pub use b::B; pub use b::*;");
    let b = (
        "b.rs",
        "use crate::a::A; pub struct B(Option<Box<A>>); pub fn make() {}",
    );
    for a in [
        "use crate::B; pub struct A(B);",
        "use super::B as Other; pub struct A(Other);",
        "pub struct A; fn f() { crate::make() }",
        "use super::*; pub struct A(B);",
        "pub struct A(crate::b::B);",
    ] {
        assert_eq!(of(&[lib, ("a.rs", a), b]), ["a.rs b.rs"], "{a}");
    }
    assert_eq!(
        of(&[lib, ("a.rs", "use b::B; pub struct A(::b::B);"), b]),
        [""; 0]
    );
}

/// A name that a file imports privately is not re-exported by its parent.
#[test]
fn a_private_import_is_no_way_for_others() {
    let files = [
        ("lib.rs", "mod room;"),
        ("room/mod.rs", "mod a; mod b; pub use a::*; pub use b::*;"),
        ("room/a.rs", "use super::B; pub struct A(Box<B>);"),
        ("room/b.rs", "use super::A; pub struct B(A);"),
    ];
    assert_eq!(of(&files), ["room/a.rs room/b.rs"]);
}

#[test]
fn macros_and_attributes_name_things_too() {
    let lib = ("lib.rs", "mod a; mod b;");
    let b = ("b.rs", "use crate::a::A; pub fn usual() -> A { A(0) }");
    for (a, expected) in [
        (
            "pub struct A(u8); fn f() { format!(\"{:?}\", crate::b::usual()) }",
            1,
        ),
        (
            "pub struct A(#[serde(default = \"crate::b::usual\")] u8);",
            1,
        ),
        (
            "pub struct A(u8); fn f() { format!(\"crate::b::usual {} {} {}\", 'b', '\\'', 1u8) }",
            0,
        ),
        ("/// Made by [`crate::b::usual`].\npub struct A(u8);", 0),
    ] {
        assert_eq!(of(&[lib, ("a.rs", a), b]).len(), expected, "{a}");
    }
}

#[test]
fn what_only_tests_compile_names_nothing() {
    let lib = ("lib.rs", "mod a; mod b;");
    let b = ("b.rs", "use crate::a::A; pub struct B(A);");
    for a in [
        "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
        "pub struct A; #[cfg(test)] use crate::b::B;",
        "pub struct A; impl A { #[cfg(test)] fn f(_: crate::b::B) {} }",
    ] {
        assert_eq!(of(&[lib, ("a.rs", a), b]), [""; 0], "{a}");
    }
    let tests = ("a/tests.rs", "use crate::b::B; use super::*;");
    assert_eq!(
        of(&[
            lib,
            ("a.rs", "pub struct A; #[cfg(test)] mod tests;"),
            tests,
            b
        ]),
        [""; 0]
    );
}

#[test]
fn modules_within_a_file_are_that_file() {
    let lib = ("lib.rs", "mod a; mod b;");
    let a = (
        "a.rs",
        "pub struct A; mod inner { use super::A; use crate::b::B; }",
    );
    assert_eq!(of(&[lib, a, ("b.rs", "pub struct B;")]), [""; 0]);
    assert_eq!(
        of(&[lib, a, ("b.rs", "use crate::a::A; pub struct B;")]),
        ["a.rs b.rs"]
    );
}

#[test]
fn arrows_between_folders_run_down_the_order() {
    let breaches = |files: &[(&str, &str)]| {
        let files: Vec<_> = files
            .iter()
            .map(|(file, text)| (format!("src/{file}"), (*text).to_owned()))
            .collect();
        against_order(&files, &arrows(&files).unwrap(), &["low", "high"])
    };
    let (low, high) = (
        ("low/a.rs", "pub struct A;"),
        ("high/b.rs", "use crate::low::a::A; pub struct B;"),
    );
    let root = (
        "lib.rs",
        "mod low { pub mod a; } mod high { pub mod b; } pub use high::b::B;",
    );
    assert_eq!(breaches(&[low, high, root]), [""; 0]);
    let up = [
        root,
        ("low/a.rs", "fn f() { crate::high::b::B }"),
        ("high/b.rs", "pub struct B;"),
    ];
    assert_eq!(breaches(&up), ["src/low/a.rs names B of src/high/b.rs"]);
    assert_eq!(
        breaches(&[low, root, ("high.rs", "use crate::low::a::A;")]),
        [""; 0]
    );
    let plan = "src/new/a.rs lies in no folder of the plan (tests/src/house/rooms.rs)";
    assert_eq!(breaches(&[("new/a.rs", "")]), [plan]);
}
