//! Embeds the page and the configuration.

fn main() {
    // The page is embedded by `generate_context!`; nothing else makes cargo look at it.
    println!("cargo:rerun-if-changed=../ui/dist");
    assert!(
        std::path::Path::new("../ui/dist/index.html").is_file(),
        "ui/dist is missing: build the page first with `cargo xtask ui`"
    );
    let attributes = tauri_build::Attributes::new().config_path("../tauri.conf.json");
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:warning=tauri.conf.json: {error:#}");
        std::process::exit(1);
    }
}
