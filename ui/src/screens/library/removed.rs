//! The lines that were removed from the document's text because they are headers or footers, page numbers or marks of
//! printing. They are listed so that a reader can see whether real text is among them.

use crate::i18n::{t, tag, tf, tn};
use crate::reading::{Reading, use_reading};
use leptos::prelude::*;
use lexforge_domain::document::{RemovedLine, RemovedWhy};

/// Pages named for lines of the same words.
const NAMED: usize = 20;

/// The lines, those of the same words together. The rarest come first: headers repeat, and real text does not.
#[component]
pub fn Removed() -> impl IntoView {
    let reading = use_reading();
    move || {
        let groups = grouped(reading.removed());
        view! {
            <div class="details" id="document-removed">
                <p class="t-small t-mute">{t("library.removed_text")}</p>
                {groups.into_iter().map(|group| view! { <Group reading group/> }).collect_view()}
            </div>
        }
    }
}

#[component]
fn Group(reading: Reading, group: (RemovedWhy, Vec<RemovedLine>)) -> impl IntoView {
    let (why, lines) = group;
    let text = lines.first().map(|l| l.text.clone()).unwrap_or_default();
    let many = lines.len() as u64;
    let more = lines.len().saturating_sub(NAMED) as u64;
    let pages = lines.into_iter().take(NAMED).map(|line| {
        let (page, region) = (line.page, StoredValue::new(line.region));
        let light = move || {
            reading
                .differing
                .set(region.get_value().into_iter().collect())
        };
        view! {
            <button
                class="link"
                on:pointerenter=move |_| light()
                on:pointerleave=move |_| reading.differing.set(Vec::new())
                on:focus=move |_| light()
                on:blur=move |_| reading.differing.set(Vec::new())
                on:click=move |_| reading.turn(page)
            >
                {tf("count.page_n", &[("n", &page.to_string())])}
            </button>
        }
    });
    view! {
        <div class="remark-group">
            <span class="law">{text}</span>
            " "
            <span class="t-mute">{tag("removed", why.tag())} " · " {tn("library.times", many)}</span>
            <span class="page-links">
                {pages.collect_view()}
                {(more > 0).then(|| view! { <span class="t-mute">{tn("library.more_pages", more)}</span> })}
            </span>
        </div>
    }
}

/// Lines of the same reason and the same words, figures aside: the smallest groups first.
fn grouped(lines: Vec<RemovedLine>) -> Vec<(RemovedWhy, Vec<RemovedLine>)> {
    let key = |line: &RemovedLine| -> String {
        let words = line.text.chars();
        words
            .filter(|c| !c.is_ascii_digit() && !c.is_whitespace())
            .collect()
    };
    let mut groups: Vec<(String, RemovedWhy, Vec<RemovedLine>)> = Vec::new();
    for line in lines {
        let words = key(&line);
        let same =
            |g: &&mut (String, RemovedWhy, Vec<RemovedLine>)| g.0 == words && g.1 == line.why;
        match groups.iter_mut().find(same) {
            Some(group) => group.2.push(line),
            None => groups.push((words, line.why, vec![line])),
        }
    }
    groups.sort_by_key(|g| g.2.len());
    groups
        .into_iter()
        .map(|(_, why, lines)| (why, lines))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_same_words_stand_together_and_the_rarest_first() {
        let line = |page, text: &str, why| RemovedLine {
            page,
            text: text.to_owned(),
            why,
            region: None,
        };
        let groups = grouped(vec![
            line(1, "Annual Report 1", RemovedWhy::Repeats),
            line(2, "Annual Report 2", RemovedWhy::Repeats),
            line(2, "A bank shall report.", RemovedWhy::Changes),
        ]);
        let shape: Vec<(&str, usize)> = groups
            .iter()
            .map(|(_, lines)| (lines[0].text.as_str(), lines.len()))
            .collect();
        assert_eq!(shape, [("A bank shall report.", 1), ("Annual Report 1", 2)]);
    }
}
