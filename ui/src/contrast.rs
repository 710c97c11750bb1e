//! Every pair of text and ground in use keeps its contrast in both themes.

use std::collections::BTreeMap;

const TEXT: [(&str, &str); 40] = [
    ("--text", "--bg"),
    ("--text", "--surface"),
    ("--text", "--rail"),
    ("--text", "--raised"),
    ("--text", "--sunken"),
    ("--text", "--hover"),
    ("--text", "--accent-soft"),
    ("--text", "--bad-soft"),
    ("--text", "--warn-soft"),
    ("--text", "--ok-soft"),
    ("--text", "--mark-soft"),
    ("--text-2", "--bg"),
    ("--text-2", "--surface"),
    ("--text-2", "--rail"),
    ("--text-2", "--sunken"),
    ("--text-2", "--neutral-soft"),
    ("--text-2", "--bad-soft"),
    ("--text-2", "--mark-soft"),
    ("--text-2", "--accent-soft"),
    ("--text-3", "--bg"),
    ("--text-3", "--surface"),
    ("--text-3", "--rail"),
    ("--text-3", "--sunken"),
    ("--text-3", "--hover"),
    ("--text-3", "--accent-soft"),
    ("--text-3", "--mark-soft"),
    ("--text-3", "--neutral-soft"),
    ("--accent-text", "--surface"),
    ("--accent-text", "--accent-soft"),
    ("--accent-text", "--bg"),
    ("--accent-text", "--warn-soft"),
    ("--on-accent", "--accent"),
    ("--on-mark", "--mark"),
    ("--ok", "--ok-soft"),
    ("--warn", "--warn-soft"),
    ("--warn", "--accent-soft"),
    ("--warn", "--bg"),
    ("--warn", "--sunken"),
    ("--bad", "--bad-soft"),
    ("--page-ink", "--page-mark"),
];

const CONTROLS: [(&str, &str); 9] = [
    ("--line-input", "--surface"),
    ("--focus", "--surface"),
    ("--focus", "--bg"),
    ("--accent", "--surface"),
    ("--c1", "--surface"),
    ("--c2", "--surface"),
    ("--c3", "--surface"),
    ("--c4", "--surface"),
    ("--mark-line", "--surface"),
];

/// Where the themes begin in the sheet.
const THEMES: [&str; 2] = [
    ":root, [data-theme=\"light\"] {",
    "\n[data-theme=\"dark\"] {",
];

/// What stands in the sheet between the braces after a head.
fn body(head: &str) -> &'static str {
    let sheet = include_str!("../style/tokens.css");
    let from = sheet.find(head).map_or(0, |at| at + head.len());
    sheet[from..].split('}').next().unwrap_or_default()
}

fn themes() -> [BTreeMap<String, [f64; 3]>; 2] {
    let block = |head: &str| {
        let body = body(head);
        let mut colours = BTreeMap::new();
        for declaration in body.split(';') {
            if let Some((name, value)) = declaration.split_once(':')
                && let Some(hex) = value.trim().strip_prefix('#')
                && hex.len() == 6
            {
                let part = |at: usize| {
                    f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0)) / 255.0
                };
                let name = name.split_whitespace().last().unwrap_or_default();
                colours.insert(name.to_owned(), [part(0), part(2), part(4)]);
            }
        }
        colours
    };
    THEMES.map(block)
}

fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] = colour.map(|c| {
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn black_on_white_is_21_to_1() {
    assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
}

#[test]
fn texts_and_controls_stand_out_in_both_themes() {
    let mut weak = Vec::new();
    for (theme, colours) in ["light", "dark"].into_iter().zip(themes()) {
        assert!(
            colours.len() > 40,
            "{theme}: only {} colours were read",
            colours.len()
        );
        for (pairs, least) in [(&TEXT[..], 4.5), (&CONTROLS[..], 3.0)] {
            for (front, ground) in pairs {
                let got = contrast(colours[*front], colours[*ground]);
                if got < least {
                    weak.push(format!("{theme}: {front} on {ground} {got:.2} < {least}"));
                }
            }
        }
    }
    assert!(weak.is_empty(), "{weak:#?}");
}

/// So that no screen has to be looked at in both themes to see whether something stands out of its place.
#[test]
fn a_theme_changes_nothing_but_colours_and_shadows() {
    let is_colour = |value: &str| value.starts_with('#') || value.starts_with("rgb(");
    let said = THEMES.map(|head| {
        let declarations = body(head).split(';').map(str::trim);
        declarations
            .filter(|declaration| !declaration.is_empty())
            .map(|declaration| {
                let (name, value) = declaration.split_once(':').unwrap_or_default();
                let (name, value) = (name.trim(), value.trim());
                let fits = match name {
                    "color-scheme" => value == "light" || value == "dark",
                    _ => name.starts_with("--shadow-") || is_colour(value),
                };
                assert!(fits, "{declaration}");
                name
            })
            .collect::<Vec<_>>()
    });
    assert!(said[0].len() > 40 && said[0] == said[1], "{said:?}");
}
