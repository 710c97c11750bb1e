//! The functions that a training minimises, and their gradients.

pub mod contrastive_token;
pub mod gradients;
pub mod infonce;
pub mod loss;
pub mod masked;
pub mod masked_words;
pub mod over_words;
pub mod restored;
pub mod sft;
pub mod terms;
pub mod token_loss;
pub mod vector_loss;
