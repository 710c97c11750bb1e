//! The regulator's own words, with what is marked in them.

use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::text::Language;

/// The tag for `lang`, so that Chinese text gets the right glyph forms.
pub fn lang_tag(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::Zh => "zh-CN",
        Language::Ko => "ko",
        Language::Other => "",
    }
}

/// A text with one stretch (in Unicode scalar values) marked.
#[component]
pub fn Marked(
    text: String,
    /// First scalar value of the stretch.
    start: u32,
    /// One past the last.
    end: u32,
) -> impl IntoView {
    let [before, inside, after] = cut(&text, start, end);
    view! { {before}<mark>{inside}</mark>{after} }
}

/// A text with several stretches (in Unicode scalar values, in order and apart) marked.
#[component]
pub fn MarkedAll(
    text: String,
    /// The stretches: (first scalar value, one past the last).
    marks: Vec<(u32, u32)>,
) -> impl IntoView {
    let chars: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| -> String {
        chars[from.min(chars.len())..to.min(chars.len())]
            .iter()
            .collect()
    };
    let mut at = 0;
    let mut pieces = Vec::new();
    for (from, to) in marks {
        let (from, to) = ((from as usize).max(at), to as usize);
        pieces.push((part(at, from), part(from, to.max(from))));
        at = to.max(from);
    }
    let rest = part(at, chars.len());
    let pieces = pieces
        .into_iter()
        .map(|(before, inside)| view! { {before}<mark>{inside}</mark> })
        .collect_view();
    view! { {pieces}{rest} }
}

/// Cuts off the beginning of a text, so that the text begins shortly before its first mark, and moves the marks to
/// their new places. The first mark is then visible even where only two lines of a text are shown. A text with a mark
/// near its beginning stays whole.
pub fn from_first_mark(
    text: &str,
    marks: &[(u32, u32)],
    before: usize,
) -> (String, Vec<(u32, u32)>) {
    let whole = || (text.to_owned(), marks.to_vec());
    let Some(first) = marks.first().map(|(start, _)| *start as usize) else {
        return whole();
    };
    if first <= 2 * before {
        return whole();
    }
    let chars: Vec<char> = text.chars().collect();
    let (earliest, first) = (first.min(chars.len()) - before, first.min(chars.len()));
    // Between two words; where words are not parted, anywhere.
    let from = (earliest..first)
        .find(|at| chars[at - 1].is_whitespace())
        .unwrap_or(earliest);
    let rest: String = chars[from..].iter().collect();
    let shift = |at: u32| (at as usize).saturating_sub(from) as u32 + 2;
    (
        format!("… {rest}"),
        marks
            .iter()
            .map(|(start, end)| (shift(*start), shift(*end)))
            .collect(),
    )
}

/// A text in which terms are links.
#[component]
pub fn Linked(
    text: String,
    /// Terms: (term, first scalar value, one past the last); may overlap.
    terms: Vec<(TermId, u32, u32)>,
    /// What a link does; without it, it leads to the term's entry.
    #[prop(optional)]
    open: Option<Callback<TermId>>,
) -> impl IntoView {
    let app = use_app();
    let open = open.unwrap_or_else(|| Callback::new(move |id| app.open_term(id)));
    pieces(&text, &terms)
        .into_iter()
        .map(|(piece, term)| match term {
            None => view! { {piece} }.into_any(),
            Some(id) => view! { <TermLink id name=piece open/> }.into_any(),
        })
        .collect_view()
}

/// A term in running text that can be clicked to show the facts about it. It is not a button, because a button would
/// not break across lines.
#[component]
pub fn TermLink(
    /// The term.
    id: TermId,
    /// The words.
    name: String,
    /// What it does.
    open: Callback<TermId>,
) -> impl IntoView {
    view! {
        <span
            class="termlink"
            role="link"
            tabindex="0"
            on:click=move |event| {
                event.stop_propagation();
                open.run(id);
            }
            on:keydown=move |event| {
                if event.key() == "Enter" {
                    event.stop_propagation();
                    open.run(id);
                }
            }
        >
            {name}
        </span>
    }
}

/// The text before, in and after a stretch of scalar values.
fn cut(text: &str, start: u32, end: u32) -> [String; 3] {
    let (mut before, mut inside, mut after) = (String::new(), String::new(), String::new());
    for (i, c) in text.chars().enumerate() {
        if i < start as usize {
            before.push(c);
        } else if i < end as usize {
            inside.push(c);
        } else {
            after.push(c);
        }
    }
    [before, inside, after]
}

/// Cuts a text at its terms; where terms overlap, the one that begins first wins, and of these the longest.
fn pieces(text: &str, terms: &[(TermId, u32, u32)]) -> Vec<(String, Option<TermId>)> {
    let chars: Vec<char> = text.chars().collect();
    let mut terms = terms.to_vec();
    terms.sort_by_key(|(id, start, end)| (*start, std::cmp::Reverse(*end), *id));
    let mut pieces = Vec::new();
    let mut at = 0;
    for (id, start, end) in terms {
        let (start, end) = (start as usize, (end as usize).min(chars.len()));
        if start < at || start >= end {
            continue;
        }
        if start > at {
            pieces.push((chars[at..start].iter().collect(), None));
        }
        pieces.push((chars[start..end].iter().collect(), Some(id)));
        at = end;
    }
    if at < chars.len() {
        pieces.push((chars[at..].iter().collect(), None));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_counted_in_scalar_values() {
        assert_eq!(cut("监管机构报告", 0, 4), ["", "监管机构", "报告"]);
        assert_eq!(cut("abc", 1, 9), ["a", "bc", ""]);
    }

    #[test]
    fn what_is_cut_begins_shortly_before_its_mark() {
        for (text, mark, before, expected, moved) in [
            ("the board acts", (4, 9), 10, "the board acts", (4, 9)),
            (
                "of all that is said here the board acts",
                (29, 34),
                10,
                "… here the board acts",
                (11, 16),
            ),
            (
                "在前面的所有规定之中监管机构报告",
                (10, 14),
                4,
                "… 规定之中监管机构报告",
                (6, 10),
            ),
        ] {
            let (got, marks) = from_first_mark(text, &[mark], before);
            assert_eq!(
                (got.as_str(), marks.as_slice()),
                (expected, [moved].as_slice()),
                "{text}"
            );
            let word = |text: &str, (start, end): (u32, u32)| cut(text, start, end)[1].clone();
            assert_eq!(word(&got, marks[0]), word(text, mark));
        }
        assert_eq!(
            from_first_mark("nothing marked", &[], 4),
            ("nothing marked".to_owned(), Vec::new())
        );
    }

    #[test]
    fn of_overlapping_terms_the_longest_is_linked() {
        let (long, short) = (TermId(1), TermId(2));
        let text = "the competent authority acts";
        let got = pieces(text, &[(short, 14, 23), (long, 4, 23)]);
        let want = [
            ("the ", None),
            ("competent authority", Some(long)),
            (" acts", None),
        ];
        assert_eq!(got, want.map(|(piece, term)| (piece.to_owned(), term)));
    }
}
