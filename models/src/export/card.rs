//! The `README.md` of an export: what the export is, where it comes from, how closely it agrees with the model that was
//! measured here, and for what it must not be used.

use crate::adapters::adapter::Sidecar;
use crate::export::prompts::number;
use lexforge_domain::protocol::{ExportFormat, ExportResult, Parity, ParityMeasure};
use std::fmt::Write as _;

/// Name of the card.
pub const CARD_FILE: &str = "README.md";

/// The card of an export. `decoder` says what the export can be used for.
pub fn card(export: &ExportResult, sidecar: Option<&Sidecar>, decoder: bool) -> String {
    let library = match export.format {
        ExportFormat::Merged => "transformers",
        ExportFormat::Gguf => "gguf",
        ExportFormat::Peft => "peft",
    };
    let task = if decoder {
        "text-generation"
    } else {
        "feature-extraction"
    };
    let mut text = format!(
        "---\nbase_model: {}\nlibrary_name: {library}\npipeline_tag: {task}\ntags:\n- lexforge\n---\n\n# {}\n\n",
        export.base.name, export.name
    );
    let _ = write!(text, "{} Made by Lexforge.\n\n", form(export));
    push_origin(&mut text, export, sidecar);
    if let Some(parity) = &export.parity {
        push_parity(&mut text, parity, decoder);
    }
    if !export.notes.is_empty() {
        text.push_str("\n## What to know\n\n");
        for note in &export.notes {
            let _ = writeln!(text, "- {note}");
        }
    }
    push_elsewhere(&mut text, export.format, sidecar, decoder);
    text.push_str(
        "\n## What it is not for\n\n\
         - It does not give legal advice. It was taught the vocabulary of particular documents, and can be wrong about them.\n\
         - It does not know where an answer stands. Answers that cite their page come from Lexforge's own search.\n\
         - A quantised or otherwise converted copy of these files is another model: none of the figures hold for it.\n\
         - The licence of the base model goes on to hold.\n",
    );
    let _ = write!(
        text,
        "\n## Files\n\n| file | bytes | SHA-256 |\n|---|---|---|\n"
    );
    for file in &export.files {
        let _ = writeln!(text, "| {} | {} | {} |", file.name, file.bytes, file.sha256);
    }
    text
}

/// What the files hold.
fn form(export: &ExportResult) -> String {
    match export.format {
        ExportFormat::Merged => {
            format!(
                "The weights of the base model with the adapter's update added ({}).",
                export.dtype.tag()
            )
        }
        ExportFormat::Gguf => {
            format!(
                "The base model with the adapter's update added, as a GGUF file ({}).",
                export.dtype.tag()
            )
        }
        ExportFormat::Peft => {
            "A low-rank adapter in PEFT's format. It needs the base model.".to_owned()
        }
    }
}

/// From what the export was made, as a table.
fn push_origin(text: &mut String, export: &ExportResult, sidecar: Option<&Sidecar>) {
    text.push_str("## Where it comes from\n\n| | |\n|---|---|\n");
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "| {name} | {value} |");
        }
    };
    row("Base model", &export.base.name);
    row("Content of the base (SHA-256)", &export.base.sha256);
    row("Adapter (SHA-256)", export.adapter_sha256.as_str());
    row("Dataset (SHA-256)", &export.lineage.dataset);
    row("Corpus (SHA-256)", &export.lineage.corpus);
    row("Sentence graph of", &export.lineage.graph_date);
    row("Review of the questions", &export.lineage.policy);
    if !export.lineage.attacks.is_empty() {
        let forms = export.lineage.attacks.iter();
        let forms: Vec<String> = forms.map(|(attack, n)| format!("{attack} {n}")).collect();
        row("Learnt under attack, too", &forms.join(", "));
    }
    if let Some(taught) = &export.lineage.taught {
        let words = format!(
            "{} labelled questions, {} without a label",
            taught.labelled,
            taught.unlabelled()
        );
        row("Ranking of the search learnt from", &words);
    }
    let most = export.lineage.items_per_anchor;
    let most = most.map_or(String::new(), |n| n.to_string());
    row("Most questions of each rule", &most);
    if let Some(sidecar) = sidecar {
        row("Stages of the training", &sidecar.stages.join(", "));
        row(
            "Seed and step",
            &format!("{}, {}", sidecar.seed, sidecar.step),
        );
    }
}

/// How closely the files agree with the model that was measured here.
fn push_parity(text: &mut String, parity: &Parity, decoder: bool) {
    let _ = write!(
        text,
        "\n## Does it answer the same?\n\nThe files were read back and compared with base model and adapter, on {} prompts \
             ({} of the run's test questions, {} general ones) at {} positions. Both sides computed in 32 bits, so that the \
             figures tell of the files; a server's own arithmetic comes on top. All {} prompts become the same tokens.\n\n\
             | figure | value | bound |\n|---|---|---|\n",
        parity.prompts,
        parity.prompts - parity.own_prompts,
        parity.own_prompts,
        parity.positions,
        parity.same_tokens
    );
    for figure in &parity.figures {
        let name = match figure.measure {
            ParityMeasure::LargestDifference if decoder => "Largest difference of a logit",
            ParityMeasure::LargestDifference => "Largest difference of a vector's number",
            ParityMeasure::MeanKl => "Mean KL divergence (nats)",
            ParityMeasure::LargestKl => "Largest KL divergence (nats)",
            ParityMeasure::Agreement => "Same likeliest token",
            ParityMeasure::LowestCosine => "Lowest cosine of a token's vectors",
            ParityMeasure::QuantizedBaseKl => {
                "Mean KL divergence from the quantized base of the training (nats)"
            }
        };
        let side = if figure.measure.higher_is_better() {
            "≥"
        } else {
            "≤"
        };
        let bound = figure.bound.map_or("none".to_owned(), |bound| {
            format!("{side} {}", number(bound))
        });
        let _ = writeln!(text, "| {name} | {} | {bound} |", number(figure.value));
    }
}

/// What other programs that read the files do differently.
fn push_elsewhere(
    text: &mut String,
    format: ExportFormat,
    sidecar: Option<&Sidecar>,
    decoder: bool,
) {
    text.push_str("\n## What other programs do not do\n\n");
    if decoder {
        let (pooling, instruction) = sidecar.map_or(("mean".to_owned(), ""), |s| {
            (
                format!("{:?}", s.pooling).to_lowercase(),
                s.instruction.as_str(),
            )
        });
        let _ = write!(
            text,
            "- Vectors of texts (search, matching, the embedding scorer) were trained with attention in both directions and \
             {pooling} pooling{}. Transformers, vLLM, llama.cpp and Ollama read this model in one direction: their vectors are \
             others, and figures measured here do not hold for them. Use Lexforge for vectors.\n\
             - Answers are for the model's own chat template{}.\n",
            if instruction.is_empty() {
                String::new()
            } else {
                format!(", after the instruction {instruction:?}")
            },
            if format == ExportFormat::Gguf {
                ", which stands in the file"
            } else {
                ""
            },
        );
    } else if let Some(sidecar) = sidecar {
        let _ = writeln!(
            text,
            "- Vectors are {:?}-pooled and of unit length{}; a program that pools otherwise gives other vectors.",
            sidecar.pooling,
            if sidecar.instruction.is_empty() {
                String::new()
            } else {
                format!(", questions after {:?}", sidecar.instruction)
            },
        );
    }
}
