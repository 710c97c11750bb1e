//! Names that the code of a crate uses: modules of the standard library for input and output, printing macros, and the
//! attributes that every crate has.

use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Everything that the shipped part of one source file names.
#[derive(Debug, Default)]
pub struct Names {
    /// Paths as written, with `use` groups expanded: `std::fs::File`.
    pub paths: BTreeSet<String>,
    /// Macros: `println`.
    pub macros: BTreeSet<String>,
    /// The tokens inside macros without spaces, for what no path shows.
    pub macro_bodies: Vec<String>,
    /// The tokens inside macros, with a space between any two.
    pub markup: Vec<String>,
    /// Modules with files of their own that only tests compile.
    pub test_modules: BTreeSet<String>,
    /// `#![…]` attributes of the file, as tokens without spaces.
    pub attributes: Vec<String>,
}

/// Reads Rust source, leaving out what only tests compile.
pub fn names(code: &str) -> Result<Names, String> {
    let file = syn::parse_file(code).map_err(|problem| problem.to_string())?;
    let mut names = Names::default();
    for attribute in &file.attrs {
        if let syn::Meta::List(list) = &attribute.meta {
            names
                .attributes
                .push(format!("{}({})", path_text(&list.path), list.tokens).replace(' ', ""));
        }
    }
    names.visit_file(&file);
    Ok(names)
}

fn path_text(path: &syn::Path) -> String {
    path.segments
        .iter()
        .map(|part| part.ident.to_string())
        .collect::<Vec<_>>()
        .join("::")
}

pub(super) fn only_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::NameValue(_) => false,
    })
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        match item {
            _ if !only_for_tests(attributes) => visit::visit_item(self, item),
            syn::Item::Mod(module) if module.content.is_none() => {
                _ = self.test_modules.insert(module.ident.to_string())
            }
            _ => {}
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        fn flatten(tree: &syn::UseTree, prefix: &str, into: &mut BTreeSet<String>) {
            let join = |name: &str| {
                if prefix.is_empty() {
                    name.to_owned()
                } else {
                    format!("{prefix}::{name}")
                }
            };
            match tree {
                syn::UseTree::Path(path) => {
                    flatten(&path.tree, &join(&path.ident.to_string()), into)
                }
                syn::UseTree::Name(name) => _ = into.insert(join(&name.ident.to_string())),
                syn::UseTree::Rename(name) => _ = into.insert(join(&name.ident.to_string())),
                syn::UseTree::Glob(_) => _ = into.insert(join("*")),
                syn::UseTree::Group(group) => group
                    .items
                    .iter()
                    .for_each(|item| flatten(item, prefix, into)),
            }
        }
        flatten(&item.tree, "", &mut self.paths);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path_text(path));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(last) = call.path.segments.last() {
            self.macros.insert(last.ident.to_string());
        }
        let tokens = call.tokens.to_string();
        self.markup
            .push(tokens.split_whitespace().collect::<Vec<_>>().join(" "));
        self.macro_bodies.push(tokens.replace(' ', ""));
        visit::visit_macro(self, call);
    }
}

/// Whether a source could declare modules with files of their own that only tests compile. Callers check this before
/// [`names`], which takes long.
pub fn may_have_test_modules(code: &str) -> bool {
    let declares = |line: &str| line.contains("mod ") && line.contains(';');
    code.contains("cfg(test)") && code.lines().any(declares)
}

/// The folder in which the modules lie that `file` declares. For `lib.rs`, `main.rs` and `mod.rs` it is the file's own
/// folder, otherwise a folder with the file's name.
pub fn folder_of_modules(file: &str) -> String {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    match name {
        "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
        _ => format!("{folder}/{}", name.trim_end_matches(".rs")),
    }
}

/// Modules of the standard library in `forbidden` (`std::fs`) that the code names.
pub fn forbidden_modules(names: &Names, forbidden: &[&str]) -> Vec<String> {
    forbidden
        .iter()
        .filter(|module| {
            let inside = format!("{module}::");
            names
                .paths
                .iter()
                .any(|path| path == **module || path.starts_with(&inside))
                || names.macro_bodies.iter().any(|body| body.contains(&inside))
        })
        .map(|module| (*module).to_owned())
        .collect()
}

/// Macros in `forbidden` (`println`) that the code calls.
pub fn forbidden_macros(names: &Names, forbidden: &[&str]) -> Vec<String> {
    forbidden
        .iter()
        .filter(|name| {
            names.macros.contains(**name)
                || names
                    .macro_bodies
                    .iter()
                    .any(|b| b.contains(&format!("{name}!(")))
        })
        .map(|name| (*name).to_owned())
        .collect()
}

/// Whether a line says what is typed at a terminal: a verb of the command line, or one of its options.
pub fn names_a_command(line: &str) -> bool {
    const VERBS: &str = "new import docs terms graph augment dataset train runs endpoints prompts people packet models audit \
                         doctor search run qca export evaluate workspace compute";
    let verb = line.match_indices("lexforge ").any(|(at, name)| {
        let rest = &line[at + name.len()..];
        let next = rest
            .split(|c: char| !c.is_ascii_lowercase())
            .next()
            .unwrap_or_default();
        // With a number behind it, it is the label of something that is hashed.
        let is_label = rest[next.len()..]
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit());
        !is_label && VERBS.split_whitespace().any(|verb| verb == next)
    });
    let option = [" --", "(--", "`--"].iter().any(|start| {
        line.match_indices(start).any(|(at, start)| {
            line[at + start.len()..].starts_with(|c: char| c.is_ascii_lowercase())
        })
    });
    verb || option
}

/// The commands that scripts for the window call: `invoke('Name'`, or `call('Name'` for short.
pub fn called_in_scripts(text: &str) -> impl Iterator<Item = &str> {
    ["invoke('", "call('"].into_iter().flat_map(move |call| {
        text.match_indices(call).filter_map(move |(at, call)| {
            text[at + call.len()..]
                .split_once('\'')
                .map(|(name, _)| name)
        })
    })
}

/// Whether a line of code has its own ranges to decide whether a character is Chinese, Japanese or Korean. Only the
/// crate `text` may contain such ranges.
pub fn ranges_over_a_script(line: &str) -> bool {
    let line = line.to_lowercase();
    let first = [
        "3400", "3040", "30a0", "4e00", "ac00", "1100", "2e80", "20000",
    ];
    first.iter().any(|start| {
        line.contains(&format!("'\\u{{{start}}}'..")) || line.contains(&format!("0x{start}.."))
    })
}

/// Whether a crate's first file forbids `unsafe`.
pub fn forbids_unsafe(names: &Names) -> bool {
    names
        .attributes
        .iter()
        .any(|attribute| attribute == "forbid(unsafe_code)")
}

/// Whether the file begins with a description of itself: `//! …`.
pub fn tells_its_story(code: &str) -> bool {
    code.lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| line.starts_with("//! "))
}

/// Inline `style` attributes in the markup of a component: the content security policy refuses them. Setting a CSS
/// variable (`style=("--part", …)`) goes through the style object, which the policy allows.
pub fn has_style_attribute(names: &Names) -> bool {
    names.markup.iter().any(|markup| {
        markup.match_indices(" style =").any(|(at, found)| {
            let (before, after) = (&markup[..at], markup[at + found.len()..].replace(' ', ""));
            // `data-style` and `style:width` are other attributes; `let style =` is code.
            !before.ends_with(['-', ':', '.'])
                && !before.ends_with("let")
                && !before.ends_with("mut")
                && !after.starts_with("(\"--")
        })
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn modules(code: &str) -> Vec<String> {
        forbidden_modules(
            &names(code).unwrap(),
            &["std::fs", "std::net", "std::process"],
        )
    }

    #[test]
    fn input_and_output_are_seen_however_they_are_named() {
        assert_eq!(modules("use std::fs;"), ["std::fs"]);
        assert_eq!(
            modules("use std::{io, net::{TcpStream, IpAddr}};"),
            ["std::net"]
        );
        assert_eq!(
            modules("fn f() { std::process::exit(1) }"),
            ["std::process"]
        );
        assert_eq!(
            modules("fn f() { format!(\"{}\", std::fs::read(x)) }"),
            ["std::fs"]
        );
        assert_eq!(
            modules(
                "use std::fmt; /* std::fs */ // std::net\n fn f() -> &'static str { \"std::fs::\" }"
            ),
            [""; 0]
        );
        assert_eq!(modules("#[cfg(test)] mod tests { use std::fs; }"), [""; 0]);
        assert_eq!(
            modules("#[cfg(unix)] mod real { use std::fs; }"),
            ["std::fs"]
        );
    }

    #[test]
    fn files_that_only_tests_compile_are_known() {
        let found = names("#[cfg(test)] mod tests; mod real; #[cfg(test)] mod inner { }")
            .unwrap()
            .test_modules;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["tests"]);
        assert!(may_have_test_modules(
            "mod real;\n#[cfg(test)]\nmod tests;\n"
        ));
        assert!(!may_have_test_modules("#[cfg(test)]\nmod tests {\n}\n"));
        assert!(!may_have_test_modules("mod real;\n"));
        assert_eq!(folder_of_modules("a/src/lib.rs"), "a/src");
        assert_eq!(folder_of_modules("a/src/words.rs"), "a/src/words");
    }

    #[test]
    fn ranges_over_scripts_are_seen() {
        assert!(ranges_over_a_script(
            "matches!(c, '\\u{4E00}'..='\\u{9FFF}')"
        ));
        assert!(ranges_over_a_script(
            "matches!(u32::from(c), 0x3040..=0x30ff)"
        ));
        assert!(!ranges_over_a_script(
            "'\\u{FF01}'..='\\u{FF5E}' => half(c), // 4E00"
        ));
    }

    #[test]
    fn commands_are_seen() {
        for said in [
            "Resume it: lexforge runs resume WORKSPACE 3.",
            "Leave --dtype out.",
            "give it (--timeout)",
            "`--all`",
        ] {
            assert!(names_a_command(said), "{said}");
        }
        for said in [
            "lexforge endpoint 1",
            "the lexforge term",
            "(\"--part\", w)",
            "a -- b",
            "lexforge audit 1",
        ] {
            assert!(!names_a_command(said), "{said}");
        }
    }

    #[test]
    fn commands_in_scripts_are_seen() {
        let script = "const call = window.core.invoke; await call('Tasks'); window.core.invoke('Page', { number: 1 })";
        assert_eq!(
            called_in_scripts(script).collect::<Vec<_>>(),
            ["Page", "Tasks"]
        );
    }

    #[test]
    fn printing_is_seen() {
        let printing =
            |code: &str| forbidden_macros(&names(code).unwrap(), &["println", "eprintln"]);
        assert_eq!(printing("fn f() { println!(\"x\") }"), ["println"]);
        assert_eq!(printing("fn f() { run(|| { eprintln!() }) }"), ["eprintln"]);
        assert_eq!(printing("/// println!(\"x\")\nfn f() {}"), [""; 0]);
    }

    #[test]
    fn attributes_of_the_crate_are_read() {
        assert!(forbids_unsafe(
            &names("//! A.\n#![forbid(unsafe_code)]\nmod a;").unwrap()
        ));
        assert!(!forbids_unsafe(
            &names("//! A.\n#![deny(unsafe_code)]\nmod a;").unwrap()
        ));
        assert!(!forbids_unsafe(
            &names("// #![forbid(unsafe_code)]\nmod a;").unwrap()
        ));
        assert!(tells_its_story("//! A room.\n"));
        assert!(!tells_its_story("mod a;\n//! late"));
    }

    #[test]
    fn style_attributes_are_seen() {
        let styled = |code: &str| has_style_attribute(&names(code).unwrap());
        assert!(styled("fn f() { view! { <p style=\"color: red\">x</p> } }"));
        assert!(styled(
            "fn f() { view! { <p class=\"a\" style=move || s()>x</p> } }"
        ));
        assert!(!styled(
            "fn f() { view! { <p class=\"style\" data-style=\"a\">x</p> } }"
        ));
        assert!(styled("fn f() { view! { <p style=(\"width\", w)>x</p> } }"));
        assert!(!styled(
            "fn f() { view! { <p style=(\"--part\", w)>x</p> } }"
        ));
        assert!(!styled("fn f() { view! { <p style:width=\"3px\">x</p> } }"));
    }
}
