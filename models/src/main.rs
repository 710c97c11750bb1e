//! The worker program: everything is in the library.

fn main() -> std::process::ExitCode {
    lexforge_models::command::main()
}
