//! What an answer about the queue does to the desk.

use lexforge_domain::api::QueueItem;

/// What happens to the item on the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Laid {
    /// The item stays.
    Stays,
    /// The item that was answered lies on it now.
    Answered,
    /// No item is on the desk.
    Nothing,
}

/// What happens to the desk. Its item may no longer exist (`gone`), and somebody may be typing (`writing`).
pub(super) fn laid(
    on_desk: Option<&QueueItem>,
    gone: bool,
    writing: bool,
    answered: Option<&QueueItem>,
) -> Laid {
    let Some(item) = answered.filter(|_| !gone) else {
        return if gone { Laid::Stays } else { Laid::Nothing };
    };
    let same = on_desk.is_some_and(|old| old.subject() == item.subject());
    match same && writing || on_desk == Some(item) {
        true => Laid::Stays,
        false => Laid::Answered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SimilarityId;
    use lexforge_domain::api::SimilarityCard;
    use lexforge_domain::review::Verdict;
    use lexforge_domain::text::Language;

    fn item(id: i64, one: &str) -> QueueItem {
        QueueItem::Similarity(Box::new(SimilarityCard {
            id: SimilarityId(id),
            language: Language::En,
            one: one.to_owned(),
            one_context: None,
            other: "other".to_owned(),
            other_context: None,
            verdict: Verdict::default(),
            history: Vec::new(),
            blind: false,
        }))
    }

    #[test]
    fn nobody_decides_about_another_item_than_the_one_they_read() {
        let (first, changed, second) = (item(1, "one"), item(1, "changed"), item(2, "one"));
        for (on_desk, gone, writing, answered, expected) in [
            (None, false, false, Some(&first), Laid::Answered),
            (Some(&first), false, false, Some(&first), Laid::Stays),
            (Some(&first), false, false, Some(&changed), Laid::Answered),
            (Some(&first), false, true, Some(&changed), Laid::Stays),
            (Some(&first), false, true, Some(&second), Laid::Answered),
            (Some(&first), true, false, Some(&second), Laid::Stays),
            (Some(&first), true, false, None, Laid::Stays),
            (Some(&first), false, false, None, Laid::Nothing),
            (None, false, false, None, Laid::Nothing),
        ] {
            let found = laid(on_desk, gone, writing, answered);
            assert_eq!(found, expected, "{on_desk:?} {gone} {writing} {answered:?}");
        }
    }
}
