//! The English word lists. What each is for stands at the head of its file.

use crate::lists::{Group, Pair, Swap, Word, lists};

lists! {
    ACTORS: Word = "english/actors.txt";
    AFTER_HEAD: Word = "english/after_head.txt";
    ANYBODY: Word = "english/anybody.txt";
    BACKGROUND_HEADINGS: Word = "english/background_headings.txt";
    BACKGROUND_HEADING_PARTS: Word = "english/background_heading_parts.txt";
    COMPLEMENTS: Swap = "english/complements.txt";
    CONDITIONS: Pair = "english/conditions.txt";
    CONDITION_OPENINGS: Word = "english/condition_openings.txt";
    COUNTED_IN_ING: Word = "english/counted_in_ing.txt";
    EMPTY_HEADINGS: Word = "english/empty_headings.txt";
    EMPTY_LEADS: Word = "english/empty_leads.txt";
    ENDS_NO_NAME: Word = "english/ends_no_name.txt";
    HAPPENS: Word = "english/happens.txt";
    ITEM_VERBS: Word = "english/item_verbs.txt";
    KINDS: Group = "english/kinds.txt";
    LINKS: Word = "english/links.txt";
    LOOSE: Word = "english/loose.txt";
    NAMES_OF_THE_TEXT: Word = "english/names_of_the_text.txt";
    NEGATED: Pair = "english/negated.txt";
    NOT_FIRST: Word = "english/not_first.txt";
    NO_ACTORS: Word = "english/no_actors.txt";
    NO_OBJECT: Word = "english/no_object.txt";
    OPENERS: Word = "english/openers.txt";
    OPENS_NO_NAME: Word = "english/opens_no_name.txt";
    OPPOSITES: Pair = "english/opposites.txt";
    ORGANS: Word = "english/organs.txt";
    PERSONS: Word = "english/persons.txt";
    POINTS: Word = "english/points.txt";
    SAME: Pair = "english/same.txt";
    SAME_HEADS: Group = "english/same_heads.txt";
    STATES: Word = "english/states.txt";
    STOP_WORDS: Word = "english/stop_words.txt";
    UNCOUNTED: Word = "english/uncounted.txt";
    UNLESS: Swap = "english/unless.txt";
    VERBS: Swap = "english/verbs.txt";
    VERBS_BEHIND_A_SUBJECT: Word = "english/verbs_behind_a_subject.txt";
    WIDE: Word = "english/wide.txt";
}
