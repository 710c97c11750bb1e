//! The worker lets MKL use all instructions of a processor, whoever made it.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::process::Command;

/// MKL asks libtorch's own function whether the processor is one of Intel's, unless the program offers another one. It
/// has to be among the symbols that other libraries see: nothing in the program itself calls it.
#[test]
fn the_worker_answers_what_mkl_asks_of_the_processor() {
    let worker = env!("CARGO_BIN_EXE_lexforge-worker");
    let listed = Command::new("readelf")
        .args(["--dyn-syms", "--wide", worker])
        .output();
    let Ok(listed) = listed else {
        return lexforge_needs::missing("readelf, which comes with the linker");
    };
    let listed = String::from_utf8_lossy(&listed.stdout);
    let offered = |name: &str| {
        let mut named = listed.lines().filter(|line| line.ends_with(name));
        named.any(|line| !line.contains(" UND "))
    };
    assert!(offered(" mkl_serv_intel_cpu_true"));
    assert!(!offered(" mkl_serv_no_such_question"));
}
