//! What the publications state about the settings of a training (docs/methods.md). Settings that a publication does
//! not state are listed, too, so that no setting is forgotten.

use Stated::{Among, Code, Within};
use lexforge_domain::api::Preset;

/// What is published about a setting.
pub(super) enum Stated {
    /// One of these.
    Among(&'static [&'static str]),
    /// This, in the code that was published with it; the text has no figure.
    Code(&'static str),
    /// A number within these bounds.
    Within(f64, f64),
}

/// A setting that a publication states, and why a recipe may have another value.
pub(super) struct Fact {
    pub(super) setting: &'static str,
    pub(super) stated: Stated,
    pub(super) why: &'static str,
}

const fn fact(setting: &'static str, stated: Stated, why: &'static str) -> Fact {
    Fact {
        setting,
        stated,
        why,
    }
}

/// A publication with what it states, and the settings about which it states nothing.
pub(super) struct Publication {
    pub(super) name: &'static str,
    pub(super) facts: &'static [Fact],
    pub(super) not_stated: &'static [&'static str],
}

const TERMGPT: Publication = Publication {
    name: "TermGPT (AAAI 2026)",
    facts: &[
        fact("stages", Among(&["sft+sentence+token"]), ""),
        fact("question_form", Among(&["both"]), ""),
        fact(
            "replay",
            Among(&["0"]),
            "General language is learnt again, against forgetting.",
        ),
        fact("temperature", Among(&["0.05", "0.1"]), ""),
        fact(
            "negatives",
            Among(&["own_choices"]),
            "With an item's own choices alone, a feature that looks true solves the task. The published code compares with the batch, too.",
        ),
        fact("pooling", Among(&["last"]), ""),
        fact(
            "instruction",
            Code("before_question"),
            "The paper names none, and none has to be given when the model is used.",
        ),
        fact("levels", Among(&["sentence"]), ""),
        fact(
            "token_loss",
            Among(&["paper"]),
            "It sets the right term against the wrong ones, which is what is measured afterwards.",
        ),
        fact("epochs", Among(&["3"]), ""),
        fact("batch_size", Among(&["16"]), ""),
        fact(
            "max_steps",
            Among(&["all"]),
            "It is to show within minutes whether everything works.",
        ),
        fact(
            "learning_rate",
            Among(&["5e-6", "1e-5", "5e-5"]),
            "A small decoder learns little at the rate of a large one.",
        ),
        fact(
            "warmup",
            Code("100"),
            "A warm-up that takes most of a short stage would leave it without its rate.",
        ),
        fact("decay", Among(&["linear"]), ""),
        fact("weight_decay", Code("0.01"), ""),
        fact("max_grad_norm", Code("1"), ""),
        fact("tune", Among(&["adapter"]), ""),
        fact("rank", Code("16"), ""),
        fact("alpha", Code("32"), ""),
        fact("dropout", Code("0.05"), ""),
        fact("targets", Among(&["q+k+v+o+gate+up+down"]), ""),
        fact(
            "precision",
            Among(&["bf16"]),
            "It is chosen by the device: bf16, or fp16 with loss scaling on an older card, or fp32 on a processor.",
        ),
        fact("seed", Code("42"), ""),
    ],
    not_stated: &["patience", "max_length"],
};

const ARTICLE: Publication = Publication {
    name: "Engineering article on TermGPT",
    facts: &[
        fact("stages", Among(&["joint"]), ""),
        fact("level_weights", Among(&["0.4, 0.6"]), ""),
        fact("temperature", Among(&["0.07"]), ""),
    ],
    not_stated: &[
        "pooling",
        "term_layer",
        "epochs",
        "batch_size",
        "max_steps",
        "learning_rate",
        "warmup",
        "decay",
        "weight_decay",
        "max_grad_norm",
        "patience",
        "tune",
        "rank",
        "alpha",
        "dropout",
        "targets",
        "max_length",
        "precision",
        "seed",
    ],
};

/// Settings of the usual kind, of which a publication says nothing.
const USUAL: &[&str] = &[
    "epochs",
    "batch_size",
    "max_steps",
    "learning_rate",
    "warmup",
    "decay",
    "weight_decay",
    "max_grad_norm",
    "patience",
    "tune",
    "rank",
    "alpha",
    "dropout",
    "targets",
    "max_length",
    "precision",
    "seed",
    "temperature",
    "pooling",
    "negatives",
    "instruction",
    "levels",
];

const GRITLM: Publication = Publication {
    name: "GritLM, as a comparison in TermGPT",
    facts: &[fact("stages", Among(&["gritlm"]), "")],
    not_stated: USUAL,
};

const CONTRASTIVE_TOKEN: Publication = Publication {
    name: "Contrastive token learning, as a comparison in TermGPT",
    facts: &[fact("stages", Among(&["contrastive_token"]), "")],
    not_stated: USUAL,
};

const MASKED_WORDS: Publication = Publication {
    name: "NLP for financial regulation, adaptation",
    facts: &[
        fact("stages", Among(&["mlm"]), ""),
        fact("share", Among(&["0.15"]), ""),
    ],
    not_stated: USUAL,
};

const TSDAE: Publication = Publication {
    name: "TSDAE (Wang et al. 2021)",
    facts: &[
        fact("stages", Among(&["tsdae"]), ""),
        fact("share", Among(&["0.6"]), ""),
        fact(
            "pooling",
            Among(&["cls"]),
            "The vector is made as the model's folder says, since the search makes it so.",
        ),
    ],
    not_stated: USUAL,
};

const RULES: Publication = Publication {
    name: "NLP for financial regulation, multiple negatives",
    facts: &[
        fact("stages", Among(&["triplets"]), ""),
        fact("triplet_loss", Among(&["multiple_negatives"]), ""),
    ],
    not_stated: USUAL,
};

const NMIXX: Publication = Publication {
    name: "NMIXX (2025)",
    facts: &[
        fact("stages", Among(&["triplets"]), ""),
        fact("triplet_loss", Among(&["triplet"]), ""),
        fact("learning_rate", Among(&["5e-5"]), ""),
        fact("warmup", Among(&["a_tenth"]), ""),
        fact("decay", Among(&["constant"]), ""),
        fact("epochs", Among(&["1"]), ""),
        fact("batch_size", Within(8.0, 64.0), ""),
        fact(
            "tune",
            Among(&["all_weights"]),
            "An adapter needs less memory and leaves the base model as it is. All weights can be chosen.",
        ),
    ],
    not_stated: USUAL,
};

const GPL: Publication = Publication {
    name: "GPL (Wang et al. 2022)",
    facts: &[
        fact("stages", Among(&["triplets"]), ""),
        fact("triplet_loss", Among(&["margin_mse"]), ""),
        fact(
            "margins",
            Among(&["dot_products"]),
            "The search compares by cosine, and the scale of a score is the teacher's own.",
        ),
    ],
    not_stated: USUAL,
};

/// The publication that a recipe follows. The others are our own.
pub(super) fn publication(preset: Preset) -> Option<&'static Publication> {
    match preset {
        Preset::QuickLook | Preset::Thorough | Preset::TermgptPaper => Some(&TERMGPT),
        Preset::Joint | Preset::EncoderJoint => Some(&ARTICLE),
        Preset::Gritlm => Some(&GRITLM),
        Preset::ContrastiveToken => Some(&CONTRASTIVE_TOKEN),
        Preset::Adapt => Some(&MASKED_WORDS),
        Preset::Tsdae => Some(&TSDAE),
        Preset::Nmixx => Some(&NMIXX),
        Preset::RulesAndPolicies => Some(&RULES),
        Preset::Gpl => Some(&GPL),
        Preset::Encoder | Preset::Retrieval | Preset::Rerank => None,
    }
}
