//! What is trained beside a frozen base, as it is kept and put back.

pub mod adapter;
pub mod all_weights;
pub mod head;
pub mod lora;
pub mod nf4;
pub mod peft;
pub mod sidecar;
pub mod updates;
