//! The page's entry point.
#![forbid(unsafe_code)]

fn main() {
    console_error_panic_hook::set_once();
    lexforge_ui::start();
}
