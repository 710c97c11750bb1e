//! The list of licences that a package contains (`LICENSES.txt`), split into its parts: the components that others
//! wrote, and the licence texts that belong to them.

/// Something that others wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name and version.
    pub name: String,
    /// Its licence, as SPDX names it.
    pub licence: String,
    /// Its texts, by their places among [`Licences::texts`].
    pub texts: Vec<usize>,
}

/// The whole list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Licences {
    /// The components of the package.
    pub parts: Vec<Part>,
    /// Each text once.
    pub texts: Vec<String>,
}

/// Characters before a licence in the line of a part.
const NAME: usize = 60;

fn is_rule(line: &str) -> bool {
    line.len() == 100 && line.bytes().all(|b| b == b'=')
}

/// A line of the list: a name, filled up with blanks, and its licence.
fn part(line: &str) -> Option<Part> {
    let end = line.get(NAME..)?.find(' ')? + NAME;
    Some(Part {
        name: line[..end].trim().to_owned(),
        licence: line[end..].trim().to_owned(),
        texts: Vec::new(),
    })
}

impl Licences {
    /// Takes a list apart. Below its head, names between two rules begin a text that belongs to them.
    pub fn of(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| is_rule(line));
        let (head, below) = lines.split_at(first.unwrap_or(lines.len()));
        let mut all = Self {
            // The introduction ends with an empty line, and so does the list.
            parts: head
                .iter()
                .skip_while(|line| !line.is_empty())
                .skip(1)
                .take_while(|line| !line.is_empty())
                .filter_map(|line| part(line))
                .collect(),
            texts: Vec::new(),
        };
        let mut at = 0;
        while at < below.len() {
            let Some(names) = all.names_at(below, at) else {
                if let Some(text) = all.texts.last_mut() {
                    text.push_str(below[at]);
                    text.push('\n');
                }
                at += 1;
                continue;
            };
            let number = all.texts.len();
            let named = &below[at + 1..at + 1 + names];
            for part in &mut all.parts {
                if named.contains(&part.name.as_str()) {
                    part.texts.push(number);
                }
            }
            all.texts.push(String::new());
            at += names + 2;
        }
        for text in &mut all.texts {
            *text = text.trim().to_owned();
        }
        all
    }

    /// How many names are between the rule on this line and the next; `None` if the rule belongs to a text.
    fn names_at(&self, lines: &[&str], at: usize) -> Option<usize> {
        if !is_rule(lines[at]) {
            return None;
        }
        let is_name = |line: &&&str| self.parts.iter().any(|part| part.name == **line);
        let names = lines[at + 1..].iter().take_while(is_name).count();
        let closed = lines.get(at + 1 + names).is_some_and(|line| is_rule(line));
        (names > 0 && closed).then_some(names)
    }

    /// The parts in whose name, licence or texts all words stand.
    pub fn holding(&self, wanted: &str) -> Vec<&Part> {
        let wanted = wanted.to_lowercase();
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let in_texts: Vec<String> = match words.is_empty() {
            true => Vec::new(),
            false => self.texts.iter().map(|text| text.to_lowercase()).collect(),
        };
        let holds = |part: &&Part| {
            let named = format!("{} {}", part.name, part.licence).to_lowercase();
            words.iter().all(|word| {
                named.contains(word) || part.texts.iter().any(|at| in_texts[*at].contains(word))
            })
        };
        self.parts.iter().filter(holds).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> String {
        let rule = "=".repeat(100);
        let row = |name: &str, licence: &str| format!("{name:<60} {licence}");
        [
            "Lexforge is licensed under Apache-2.0 (see LICENSE). This file lists what others wrote.",
            "",
            &row("torch (torch@2.11.0)", "BSD-3-Clause"),
            &row("aho-corasick 1.1.3", "Unlicense OR MIT"),
            &row("silent 0.1.0", "MIT"),
            "",
            "1 of them ship no licence text of their own; the licence is the one that they name:",
            "",
            "  silent 0.1.0 (MIT)",
            "",
            &rule,
            "aho-corasick 1.1.3",
            "torch (torch@2.11.0)",
            &rule,
            "",
            "Shared words",
            "",
            &rule,
            "no name of the list: a rule of the text",
            "",
            &rule,
            "torch (torch@2.11.0)",
            &rule,
            "",
            "Words of torch alone",
            "",
        ]
        .join("\n")
    }

    #[test]
    fn each_part_has_its_licence_and_its_texts() {
        let all = Licences::of(&list());
        let found: Vec<_> = all
            .parts
            .iter()
            .map(|p| (p.name.as_str(), p.licence.as_str(), p.texts.as_slice()))
            .collect();
        assert_eq!(
            found,
            [
                ("torch (torch@2.11.0)", "BSD-3-Clause", [0, 1].as_slice()),
                ("aho-corasick 1.1.3", "Unlicense OR MIT", [0].as_slice()),
                ("silent 0.1.0", "MIT", [].as_slice()),
            ]
        );
        assert!(all.texts[0].starts_with("Shared words"));
        assert!(all.texts[0].ends_with("a rule of the text"));
        assert_eq!(all.texts[1], "Words of torch alone");
        assert_eq!(Licences::of(""), Licences::default());
    }

    #[test]
    fn a_search_goes_through_names_licences_and_texts() {
        let all = Licences::of(&list());
        let found = |wanted: &str| {
            let holding = all.holding(wanted);
            holding.iter().map(|p| p.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(found("").len(), 3);
        assert_eq!(found("unlicense"), ["aho-corasick 1.1.3"]);
        assert_eq!(found("SHARED bsd"), ["torch (torch@2.11.0)"]);
        assert!(found("xyzzy").is_empty());
    }
}
