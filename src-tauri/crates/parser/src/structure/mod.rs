//! Structure: lines to paragraphs, numbering to a section tree, paragraphs to sentences.

mod addresses;
pub mod aligned;
pub mod assemble;
pub mod axes;
pub mod blocks;
pub mod captions;
pub mod cell_sentences;
pub mod contents;
pub mod figures;
pub mod footnotes;
mod head_rows;
pub mod heads;
pub mod hyphens;
mod remarks;
pub mod row_labels;
pub mod run_in;
mod shown_capitals;
mod small_letters;
pub mod table;
pub mod tables;
pub mod title;
pub mod tree;
