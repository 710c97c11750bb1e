//! The weights that are trained beside a frozen base: how they are stored and restored.

pub mod adapter;
pub mod all_weights;
pub mod head;
pub mod lora;
pub mod nf4;
pub mod peft;
pub mod sidecar;
pub mod updates;
