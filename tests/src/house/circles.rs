//! Finds which file of a crate leads to which other file. From this it finds circles, and arrows against the order of
//! the crate's modules. A crate can be read file by file from the bottom only if no file leads back to itself.
//!
//! One file because collecting modules, following names and walking the arrows use one table of modules.
//!
//! A file *leads* to another if its shipped code names something that the other file defines. The name may be written
//! with any path, through any re-export, in a macro or in an attribute. Declaring a module (`mod`) and re-exporting a
//! name (`pub use`) do not count, so that a parent may have children without using them. Calls of methods are not
//! found, because their types are not known here.

use super::sources::only_for_tests;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// Files that lead to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    pub files: Vec<String>,
    /// The arrows of the circle: `file -> file: name, name`.
    pub arrows: Vec<String>,
}

/// File → file → the names that it takes.
pub type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The circles among the files of one crate, given as (path from the repository's root, source).
///
/// # Errors
/// If a source is not Rust.
pub fn circles(files: &[(String, String)]) -> Result<Vec<Circle>, String> {
    Ok(House::of(files)?.circles())
}

/// The arrows between the files of one crate, given as (path from the repository's root, source).
///
/// # Errors
/// If a source is not Rust.
pub fn arrows(files: &[(String, String)]) -> Result<Arrows, String> {
    Ok(House::of(files)?.arrows())
}

/// Arrows from a folder to another folder that comes later in the order, and folders that the order does not name. A
/// file outside all folders counts as a folder of its own. The crate's root may name all folders.
pub fn against_order(files: &[(String, String)], arrows: &Arrows, order: &[&str]) -> Vec<String> {
    let folder = |file: &str| {
        path_of(file)
            .and_then(|path| path.into_iter().next())
            .unwrap_or_default()
    };
    let place = |file: &str| order.iter().position(|known| *known == folder(file));
    let mut breaches = Vec::new();
    for (from, _) in files.iter().filter(|(from, _)| folder(from) != "lib") {
        let Some(own) = place(from) else {
            breaches.push(format!(
                "{from} lies in no folder of the plan (tests/src/house/rooms.rs)"
            ));
            continue;
        };
        let later = arrows
            .get(from)
            .into_iter()
            .flatten()
            .filter(|(to, _)| place(to).is_some_and(|other| other > own));
        breaches.extend(later.map(|(to, names)| {
            format!(
                "{from} names {} of {to}",
                names
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }));
    }
    breaches
}

/// The parts of a source's path below `src`: none where it lies elsewhere.
fn path_of(file: &str) -> Option<Vec<String>> {
    let inside = file
        .strip_prefix("src/")
        .or_else(|| file.split_once("/src/").map(|(_, inside)| inside))?;
    Some(
        inside
            .strip_suffix(".rs")?
            .split('/')
            .map(str::to_owned)
            .collect(),
    )
}

/// A module's path from the crate's root.
type Path = Vec<String>;

/// A module, as far as names go.
#[derive(Default)]
struct Module {
    file: String,
    /// What it defines itself.
    defined: BTreeSet<String>,
    /// Its modules.
    children: BTreeSet<String>,
    /// (path, the name that it gets here, whether it is handed on).
    imports: Vec<(Path, String, bool)>,
    /// Modules from which all names are imported.
    globs: Vec<Path>,
    /// Paths in the code.
    named: BTreeSet<Path>,
}

/// The item that a path leads to.
enum Found {
    Module(Path),
    /// An item: where it is defined, and its name.
    Item(String, String),
    /// Something of another crate.
    Foreign,
}

#[derive(Default)]
struct House {
    modules: BTreeMap<Path, Module>,
    only_for_tests: BTreeSet<Path>,
}

impl House {
    fn of(files: &[(String, String)]) -> Result<Self, String> {
        let mut house = Self::default();
        let has_library = files
            .iter()
            .any(|(file, _)| path_of(file).is_some_and(|path| path == ["lib"]));
        for (file, text) in files {
            let Some(mut path) = path_of(file) else {
                continue;
            };
            match path.last().map(String::as_str) {
                // What a program beside a library defines is named by no file of the library.
                Some("main") if path.len() == 1 && has_library => continue,
                Some("mod") => _ = path.pop(),
                Some("lib" | "main") if path.len() == 1 => path.clear(),
                _ => {}
            }
            let syntax = syn::parse_file(text).map_err(|problem| format!("{file}: {problem}"))?;
            house.enter(file, path, &syntax.items);
        }
        Ok(house)
    }

    fn enter(&mut self, file: &str, path: Path, items: &[syn::Item]) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        for item in items {
            if only_for_tests(attributes(item)) {
                if let syn::Item::Mod(inner) = item {
                    self.only_for_tests
                        .insert(inside(&path, &inner.ident.to_string()));
                }
                continue;
            }
            if let Some(name) = defined(item) {
                module.defined.insert(name);
            }
            if let syn::Item::Mod(inner) = item {
                let name = inner.ident.to_string();
                if let Some((_, items)) = &inner.content {
                    self.enter(file, inside(&path, &name), items);
                }
                module.children.insert(name);
            } else {
                module.visit_item(item);
            }
        }
        self.modules.insert(path, module);
    }

    /// What a path means in a module. `seen` are the names that are being looked for already.
    fn meant(
        &self,
        within: &Path,
        path: &[String],
        seen: &mut Vec<(Path, String)>,
    ) -> Option<Found> {
        let (mut now, mut rest) = (within.clone(), path);
        match path.first()?.as_str() {
            "crate" => (now, rest) = (Path::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", after)) = rest
                    .split_first()
                    .map(|(first, after)| (first.as_str(), after))
                {
                    now.pop();
                    rest = after;
                }
            }
            _ => {}
        }
        for (place, name) in rest.iter().enumerate() {
            match self.name_of(&now, name, within, seen) {
                Some(Found::Module(next)) => now = next,
                Some(found) => return Some(found),
                // Made by a macro, or of the outside where the path begins.
                None if place == 0 && rest.len() == path.len() => return None,
                None => {
                    return Some(Found::Item(
                        self.modules.get(&now)?.file.clone(),
                        name.clone(),
                    ));
                }
            }
        }
        Some(Found::Module(now))
    }

    /// The meaning of a name in a module, when another module uses it.
    fn name_of(
        &self,
        within: &Path,
        name: &str,
        asker: &Path,
        seen: &mut Vec<(Path, String)>,
    ) -> Option<Found> {
        let key = (within.clone(), name.to_owned());
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        let found = self.looked_up(within, name, asker, seen);
        seen.pop();
        found
    }

    fn looked_up(
        &self,
        within: &Path,
        name: &str,
        asker: &Path,
        seen: &mut Vec<(Path, String)>,
    ) -> Option<Found> {
        let module = self.modules.get(within)?;
        if module.defined.contains(name) {
            return Some(Found::Item(module.file.clone(), name.to_owned()));
        }
        let child = inside(within, name);
        if module.children.contains(name) && self.modules.contains_key(&child) {
            return Some(Found::Module(child));
        }
        if let Some((path, ..)) = module
            .imports
            .iter()
            // A private import of a module is visible to the module and to its children.
            .find(|(_, as_name, public)| as_name == name && (*public || asker.starts_with(within)))
        {
            return Some(self.meant(within, path, seen).unwrap_or(Found::Foreign));
        }
        module
            .globs
            .iter()
            .find_map(|glob| match self.meant(within, glob, seen)? {
                Found::Module(of) if of != *within => self
                    .name_of(&of, name, within, seen)
                    .filter(|found| !matches!(found, Found::Foreign)),
                _ => None,
            })
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (path, module) in &self.modules {
            if self
                .only_for_tests
                .iter()
                .any(|tests| path.starts_with(tests))
            {
                continue;
            }
            let mut lead = |found: Option<Found>| {
                if let Some(Found::Item(file, name)) = found
                    && file != module.file
                {
                    arrows
                        .entry(module.file.clone())
                        .or_default()
                        .entry(file)
                        .or_default()
                        .insert(name);
                }
            };
            let handed_on: BTreeSet<&str> = module
                .imports
                .iter()
                .filter(|(.., public)| *public)
                .map(|(_, name, _)| name.as_str())
                .collect();
            for (import, _, public) in &module.imports {
                if !public {
                    lead(self.meant(path, import, &mut Vec::new()));
                }
            }
            for named in &module.named {
                let single = named.len() == 1;
                // A single name that is taken privately led there already; one that is nowhere taken is a local one.
                if !single || handed_on.contains(named[0].as_str()) || !module.globs.is_empty() {
                    lead(self.meant(path, named, &mut Vec::new()));
                }
            }
        }
        arrows
    }

    fn circles(&self) -> Vec<Circle> {
        let arrows = self.arrows();
        let reached: BTreeMap<&String, BTreeSet<&String>> = arrows
            .keys()
            .map(|from| {
                let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
                while let Some(file) = open.pop() {
                    let next = arrows.get(file).into_iter().flat_map(BTreeMap::keys);
                    open.extend(next.filter(|next| reached.insert(*next)));
                }
                (from, reached)
            })
            .collect();
        let leads = |from: &String, to: &String| {
            reached
                .get(from)
                .is_some_and(|reached| reached.contains(to))
        };
        let mut found: Vec<Circle> = Vec::new();
        for file in reached.keys().filter(|file| leads(file, file)) {
            if found.iter().any(|circle| circle.files.contains(file)) {
                continue;
            }
            let files: Vec<String> = reached
                .keys()
                .filter(|other| leads(file, other) && leads(other, file))
                .map(|f| (*f).clone())
                .collect();
            let ties = files.iter().flat_map(|from| {
                arrows[from]
                    .iter()
                    .map(move |(to, names)| (from, to, names))
            });
            let arrows = ties
                .filter(|(_, to, _)| files.contains(to))
                .map(|(from, to, names)| {
                    format!(
                        "{from} -> {to}: {}",
                        names
                            .iter()
                            .map(String::as_str)
                            .collect::<Vec<_>>()
                            .join(", ")
                    )
                })
                .collect();
            found.push(Circle { files, arrows });
        }
        found
    }
}

fn inside(path: &Path, name: &str) -> Path {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    use syn::Item as I;
    match item {
        I::Const(item) => &item.attrs,
        I::Enum(item) => &item.attrs,
        I::Fn(item) => &item.attrs,
        I::Impl(item) => &item.attrs,
        I::Macro(item) => &item.attrs,
        I::Mod(item) => &item.attrs,
        I::Static(item) => &item.attrs,
        I::Struct(item) => &item.attrs,
        I::Trait(item) => &item.attrs,
        I::Type(item) => &item.attrs,
        I::Union(item) => &item.attrs,
        I::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item gives to its module.
fn defined(item: &syn::Item) -> Option<String> {
    use syn::Item as I;
    let name = match item {
        I::Const(item) => &item.ident,
        I::Enum(item) => &item.ident,
        I::Fn(item) => &item.sig.ident,
        I::Macro(item) => item.ident.as_ref()?,
        I::Static(item) => &item.ident,
        I::Struct(item) => &item.ident,
        I::Trait(item) => &item.ident,
        I::Type(item) => &item.ident,
        I::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

impl Module {
    fn take(&mut self, tree: &syn::UseTree, before: &Path, public: bool) {
        match tree {
            syn::UseTree::Path(path) => {
                self.take(&path.tree, &inside(before, &path.ident.to_string()), public)
            }
            syn::UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.take(tree, before, public)),
            syn::UseTree::Glob(_) => self.globs.push(before.clone()),
            syn::UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.imports.push((before.clone(), name, public));
            }
            syn::UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.imports.push((inside(before, &name), name, public));
            }
            syn::UseTree::Rename(name) => {
                let path = if name.ident == "self" {
                    before.clone()
                } else {
                    inside(before, &name.ident.to_string())
                };
                self.imports.push((path, name.rename.to_string(), public));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !only_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !only_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.take(
                &item.tree,
                &Path::new(),
                !matches!(item.vis, syn::Visibility::Inherited),
            );
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.named.insert(
                path.segments
                    .iter()
                    .map(|part| part.ident.to_string())
                    .collect(),
            );
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.named.extend(paths_in(&call.tokens.to_string()).0);
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // `#[serde(default = "super::usual")]`
        if let syn::Meta::List(list) = &attribute.meta {
            let texts = paths_in(&list.tokens.to_string()).1;
            self.named
                .extend(texts.iter().flat_map(|text| paths_in(text).0));
        }
    }
}

/// The paths in tokens that were written out, and the texts in quotes among them.
fn paths_in(tokens: &str) -> (Vec<Path>, Vec<String>) {
    let chars: Vec<char> = tokens.chars().collect();
    let (mut paths, mut texts): (Vec<Path>, Vec<String>) = (Vec::new(), Vec::new());
    // The path in hand, and whether `::` stands behind it.
    let (mut path, mut goes_on) = (Path::new(), false);
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let begin = at;
        if c.is_alphabetic() || c == '_' {
            while chars
                .get(at)
                .is_some_and(|c| c.is_alphanumeric() || *c == '_')
            {
                at += 1;
            }
            if !goes_on {
                paths.extend((!path.is_empty()).then(|| std::mem::take(&mut path)));
            }
            path.push(chars[begin..at].iter().collect());
            goes_on = false;
            continue;
        }
        at += match c {
            ':' if chars.get(at + 1) == Some(&':') => 2,
            '"' => {
                let (text, length) = quoted(&chars[at..]);
                texts.push(text);
                length
            }
            '\'' if chars.get(at + 1) == Some(&'\\') => {
                3 + chars[at + 3..]
                    .iter()
                    .position(|c| *c == '\'')
                    .map_or(0, |end| end + 1)
            }
            '\'' if chars.get(at + 2) == Some(&'\'') => 3,
            // A number is no name, whatever letters it has.
            _ if c.is_ascii_digit() => chars[at..]
                .iter()
                .take_while(|c| c.is_alphanumeric() || **c == '_')
                .count(),
            _ => 1,
        };
        let colons = c == ':' && at == begin + 2;
        if colons {
            goes_on = !path.is_empty();
        } else if !c.is_whitespace() {
            paths.extend((!path.is_empty()).then(|| std::mem::take(&mut path)));
            goes_on = false;
        }
    }
    paths.extend((!path.is_empty()).then_some(path));
    (paths, texts)
}

/// The text that begins with these quotes, and how many characters it takes with them.
fn quoted(chars: &[char]) -> (String, usize) {
    let mut at = 1;
    while chars.get(at).is_some_and(|c| *c != '"') {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    let end = at.min(chars.len());
    (chars[1..end].iter().collect(), end + 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
