//! Questions on the lists of a rule: which of four items is in the list that a sentence introduces?
//!
//! All four items come from real lists, so neither length nor wording gives the answer away. The wrong items are from
//! other lists that continue in the same grammatical form.

use super::patterns::{Item, Patterns, Place};
use super::scene::{Family, Plan, Wrong};
use crate::anchor::Anchor;
use crate::words::{length, likeness};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use lexforge_domain::text::SentenceKind;

/// Two items that share more of their words may be the same thing.
const SAME_ITEM: f64 = 0.25;
/// How much shorter or longer another item may be.
const FAIR: std::ops::RangeInclusive<f64> = 0.4..=2.5;
/// Wrong items of a question.
const WRONG: usize = 3;

/// The question on the list that an anchor stands in, where it is an item and items of other lists are known.
pub(crate) fn plan(p: &Patterns, anchor: &Anchor<'_>) -> Option<Plan> {
    let (Some(lead_in), SentenceKind::ListItem) = (anchor.lead_in, anchor.kind) else {
        return None;
    };
    let own = (p.item)(lead_in, anchor.text).filter(|own| own.told)?;
    let around = anchor.neighbours.iter().chain(&anchor.nearby);
    let items: Vec<(SentenceId, &str, Item)> = around
        .filter_map(|n| Some((n.id, n.lead_in?, (p.item)(n.lead_in?, n.text)?)))
        .filter(|(id, _, _)| *id != anchor.id)
        .collect();
    let (siblings, others): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|(_, lead, _)| *lead == lead_in);
    let mut known: Vec<String> = siblings.into_iter().map(|(_, _, item)| item.text).collect();
    known.push(own.text.clone());
    let mut wrong: Vec<Wrong> = Vec::new();
    for (sentence, _, other) in others {
        let fair = FAIR.contains(&(length(&other.text) as f64 / length(&own.text) as f64));
        let same_list = likeness(&other.lead, &own.lead) > 0.7;
        if other.form != own.form
            || !fair
            || same_list
            || known.iter().any(|k| likeness(k, &other.text) > SAME_ITEM)
        {
            continue;
        }
        known.push(other.text.clone());
        wrong.push(Wrong {
            text: other.text,
            origin: ChoiceOrigin::Neighbour { sentence },
        });
    }
    if wrong.len() < WRONG {
        return None;
    }
    let question = (p.placed)(&(p.which_item)(&own.lead), &Place::of(anchor), "")?;
    Some(Plan {
        family: Family::Item,
        question_type: own
            .duty
            .map_or(QuestionType::Statement, |d| d.question_type()),
        question,
        right: own.text,
        wrong,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::anchor::Neighbour;
    use crate::offline::languages::patterns;
    use lexforge_domain::text::Language;

    const OWN: &str = "Before it accepts a cargo, the warehouse keeper shall record:";

    fn neighbour(id: i64, lead_in: &'static str, text: &'static str) -> Neighbour<'static> {
        Neighbour {
            id: SentenceId(id),
            text,
            lead_in: Some(lead_in),
            cosine: 0.5,
        }
    }

    fn anchor() -> Anchor<'static> {
        let mut anchor = Anchor::new(
            SentenceId(1),
            "(b) the weight and the origin of every pallet;",
            Language::En,
            SentenceKind::ListItem,
        );
        anchor.lead_in = Some(OWN);
        anchor.section = "Article 12 › (b)";
        let other = "Every broker of marine insurance shall publish each year:";
        anchor.neighbours = vec![
            neighbour(2, OWN, "(a) the name of the shipper;"),
            neighbour(3, other, "(a) the premiums received from policyholders;"),
            neighbour(4, other, "(b) the number of claims that were rejected;"),
            neighbour(5, "The carrier must:", "(a) inspect the hull once a year;"),
        ];
        anchor.nearby = vec![neighbour(
            6,
            other,
            "(c) a summary of its complaints procedure;",
        )];
        anchor
    }

    #[test]
    fn the_wrong_items_are_those_of_other_lists_in_the_same_form() {
        let plan = plan(patterns(Language::En, OWN).unwrap(), &anchor()).unwrap();
        assert_eq!(
            plan.question,
            "Under Article 12(b), which of these stands in the list that begins “Before it accepts a cargo, the \
             warehouse keeper shall record …”?"
        );
        assert_eq!(plan.right, "The weight and the origin of every pallet.");
        assert_eq!(plan.question_type, QuestionType::Obligation);
        let wrong: Vec<&str> = plan.wrong.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(
            wrong,
            [
                "The premiums received from policyholders.",
                "The number of claims that were rejected.",
                "A summary of its complaints procedure."
            ]
        );
    }

    #[test]
    fn what_does_not_stand_for_itself_is_not_asked() {
        let none = |change: &dyn Fn(&mut Anchor<'static>)| {
            let mut anchor = anchor();
            change(&mut anchor);
            assert!(plan(patterns(Language::En, OWN).unwrap(), &anchor).is_none());
        };
        // An opening that begins a hundred lists.
        none(&|a| a.lead_in = Some("A carrier shall:"));
        none(&|a| a.text = "(b) those referred to in point (a);");
        none(&|a| a.kind = SentenceKind::Rule);
        // Too few others.
        none(&|a| a.nearby.clear());
    }

    #[test]
    fn chinese_lists_are_told_by_what_they_list() {
        let p = patterns(Language::Zh, "仓储公司应当保管货物。").unwrap();
        let item = (p.item)(
            "设立仓储公司，应当具备下列条件：",
            "（二）有与其业务相适应的仓储场所；",
        )
        .unwrap();
        assert_eq!(
            (item.form.as_str(), item.text.as_str()),
            ("条件", "有与其业务相适应的仓储场所。")
        );
        assert!(item.told);
        assert_eq!(
            (p.which_item)(&item.lead),
            "以下哪一项属于“设立仓储公司，应当具备下列条件”所列的内容？"
        );
        assert_eq!((p.item)("仓储公司应当：", "（二）保管货物；"), None);
        assert_eq!(
            (p.item)("设立仓储公司，应当具备下列条件：", "（九）其他审慎性条件。"),
            None
        );
    }
}
