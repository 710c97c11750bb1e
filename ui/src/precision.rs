//! The types of weights that a person can choose.

use lexforge_domain::protocol::Precision;

/// The types of weights that can be chosen.
pub const PRECISIONS: [Precision; 5] = [
    Precision::Auto,
    Precision::Fp32,
    Precision::Bf16,
    Precision::Fp16,
    Precision::Nf4,
];

/// The tag of a type of weights.
pub fn precision_tag(precision: Precision) -> &'static str {
    match precision {
        Precision::Auto => "auto",
        Precision::Fp32 => "fp32",
        Precision::Bf16 => "bf16",
        Precision::Fp16 => "fp16",
        Precision::Nf4 => "nf4",
    }
}

/// The type of weights of a tag.
pub fn precision(tag: &str) -> Option<Precision> {
    PRECISIONS.into_iter().find(|p| precision_tag(*p) == tag)
}
