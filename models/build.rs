//! Compiles the C++ shim, and records in the binary where libtorch is.
//!
//! At run time libtorch is looked for in two places. The first is the absolute folder of this build, for development.
//! The second is `libtorch/lib` and `../lib/lexforge` beside the binary, so that an installation can be moved as a
//! whole. A packaged binary uses only the second place: `LEXFORGE_RELOCATABLE=1` leaves out the folder of the build.

use std::error::Error;
use std::path::PathBuf;

/// Set by `tools/dist`.
const RELOCATABLE_ENV: &str = "LEXFORGE_RELOCATABLE";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=cpp");
    // Set by torch-sys (`links = "tch"`) for its direct dependents only.
    let library = PathBuf::from(std::env::var("DEP_TCH_LIBTORCH_LIB")?);
    let root = library
        .parent()
        .ok_or("libtorch's library folder has no parent folder")?;
    let include = root.join("include");

    let build = || {
        let mut build = cc::Build::new();
        build
            .cpp(true)
            .std("c++17")
            .warnings(false)
            .include(&include)
            .include(include.join("torch/csrc/api/include"))
            .include("cpp/gloo")
            .define("USE_DISTRIBUTED", None)
            .define("USE_C10D_GLOO", None)
            .define("_GLIBCXX_USE_CXX11_ABI", "1")
            // The loops are worth optimising in every profile. Debug information would double the time.
            .opt_level(3)
            .debug(false)
            .flag_if_supported("-fno-trapping-math")
            .flag_if_supported("-fno-math-errno");
        build
    };
    // The order of sums is part of what step.cpp promises; in the others it may be changed.
    build().file("cpp/step.cpp").compile("lexforge_step");
    build()
        .flag_if_supported("-fassociative-math")
        .flag_if_supported("-fno-signed-zeros")
        .file("cpp/shim.cpp")
        .file("cpp/layers.cpp")
        .file("cpp/nf4.cpp")
        .file("cpp/ranks.cpp")
        .compile("lexforge_shim");

    let os = std::env::var("CARGO_CFG_TARGET_OS")?;
    let origin = match os.as_str() {
        "windows" => None,
        "macos" => Some("@loader_path"),
        _ => Some("$ORIGIN"),
    };
    if let Some(origin) = origin {
        println!("cargo:rerun-if-env-changed={RELOCATABLE_ENV}");
        if std::env::var_os(RELOCATABLE_ENV).is_none_or(|value| value.is_empty()) {
            println!(
                "cargo:rustc-link-arg=-Wl,-rpath,{}",
                library.canonicalize()?.display()
            );
        }
        println!("cargo:rustc-link-arg=-Wl,-rpath,{origin}/libtorch/lib");
        println!("cargo:rustc-link-arg=-Wl,-rpath,{origin}/../lib/lexforge");
    }
    Ok(())
}
