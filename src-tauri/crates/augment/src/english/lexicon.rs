//! The English word lists. What each is for stands at the head of its file.

use lexforge_text::lists::{Group, Pair, Swap, Word};
use lexforge_text::word_lists;

word_lists! {
    ACTORS: Vec<Word> = "english/actors.txt";
    AFTER_HEAD: Vec<Word> = "english/after_head.txt";
    ANSWERS_WITH: Vec<Word> = "english/answers_with.txt";
    ANYBODY: Vec<Word> = "english/anybody.txt";
    BACKGROUND_HEADINGS: Vec<Word> = "english/background_headings.txt";
    BACKGROUND_HEADING_PARTS: Vec<Word> = "english/background_heading_parts.txt";
    BOARD_WORDS: Vec<Word> = "english/board_words.txt";
    COMPLEMENTS: Vec<Swap> = "english/complements.txt";
    CONDITIONS: Vec<Pair> = "english/conditions.txt";
    CONDITION_OPENINGS: Vec<Word> = "english/condition_openings.txt";
    COUNTED_IN_ING: Vec<Word> = "english/counted_in_ing.txt";
    DETERMINERS: Vec<Word> = "english/determiners.txt";
    EMPTY_HEADINGS: Vec<Word> = "english/empty_headings.txt";
    EMPTY_LEADS: Vec<Word> = "english/empty_leads.txt";
    ENDS_A_SUBJECT: Vec<Word> = "english/ends_a_subject.txt";
    ENDS_NO_NAME: Vec<Word> = "english/ends_no_name.txt";
    HAPPENS: Vec<Word> = "english/happens.txt";
    IRREGULAR: Vec<Pair> = "english/irregular.txt";
    ITEM_VERBS: Vec<Word> = "english/item_verbs.txt";
    KINDS: Vec<Group> = "english/kinds.txt";
    LEAD_OPENINGS: Vec<Word> = "english/lead_openings.txt";
    LINKS: Vec<Word> = "english/links.txt";
    LOOSE: Vec<Word> = "english/loose.txt";
    NAMES_OF_THE_TEXT: Vec<Word> = "english/names_of_the_text.txt";
    NEGATED: Vec<Pair> = "english/negated.txt";
    NOT_FIRST: Vec<Word> = "english/not_first.txt";
    NO_ACTORS: Vec<Word> = "english/no_actors.txt";
    NO_OBJECT: Vec<Word> = "english/no_object.txt";
    OPENERS: Vec<Word> = "english/openers.txt";
    OPENS_NO_NAME: Vec<Word> = "english/opens_no_name.txt";
    OPPOSITES: Vec<Pair> = "english/opposites.txt";
    ORGANS: Vec<Word> = "english/organs.txt";
    OWN_TEXTS: Vec<Word> = "english/own_texts.txt";
    PARTS_OF_BODIES: Vec<Word> = "english/parts_of_bodies.txt";
    PERSONS: Vec<Word> = "english/persons.txt";
    POINTS: Vec<Word> = "english/points.txt";
    PUBLIC_ALONE: Vec<Word> = "english/public_alone.txt";
    PUBLIC_BOARDS: Vec<Word> = "english/public_boards.txt";
    PUBLIC_BODIES: Vec<Word> = "english/public_bodies.txt";
    PUBLIC_HEADINGS: Vec<Word> = "english/public_headings.txt";
    QUOTED_TEXTS: Vec<Word> = "english/quoted_texts.txt";
    QUOTING_VERBS: Vec<Word> = "english/quoting_verbs.txt";
    SAME: Vec<Pair> = "english/same.txt";
    SAME_HEADS: Vec<Group> = "english/same_heads.txt";
    STATES: Vec<Word> = "english/states.txt";
    STOP_WORDS: Vec<Word> = "english/stop_words.txt";
    UNCOUNTED: Vec<Word> = "english/uncounted.txt";
    UNLESS: Vec<Swap> = "english/unless.txt";
    VERBS: Vec<Swap> = "english/verbs.txt";
    VERBS_BEHIND_A_SUBJECT: Vec<Word> = "english/verbs_behind_a_subject.txt";
    WIDE: Vec<Word> = "english/wide.txt";
}
