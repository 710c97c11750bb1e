//! The Chinese word lists. What each is for stands at the head of its file.

use crate::lists::{Group, Pair, Swap, Word, lists};

lists! {
    ACTORS: Word = "chinese/actors.txt";
    ADVERBIALS: Word = "chinese/adverbials.txt";
    ANYBODY: Word = "chinese/anybody.txt";
    BOUNDS: Pair = "chinese/bounds.txt";
    CLOSES_A_NAME: Word = "chinese/closes_a_name.txt";
    CONDITIONS: Pair = "chinese/conditions.txt";
    EMPTY_HEADINGS: Word = "chinese/empty_headings.txt";
    KINDS: Group = "chinese/kinds.txt";
    LISTINGS: Pair = "chinese/listings.txt";
    NEGATED: Pair = "chinese/negated.txt";
    NO_NAMES: Word = "chinese/no_names.txt";
    OPENS_A_NAME: Word = "chinese/opens_a_name.txt";
    OPENS_NO_NAME: Word = "chinese/opens_no_name.txt";
    OPPOSITES: Pair = "chinese/opposites.txt";
    POINTING: Word = "chinese/pointing.txt";
    SAME: Pair = "chinese/same.txt";
    SAME_HEADS: Group = "chinese/same_heads.txt";
    UNLESS: Swap = "chinese/unless.txt";
    VERBS: Swap = "chinese/verbs.txt";
    VERBS_IN_NAMES: Word = "chinese/verbs_in_names.txt";
    WHOLE_NAMES: Word = "chinese/whole_names.txt";
    WIDE: Word = "chinese/wide.txt";
}
