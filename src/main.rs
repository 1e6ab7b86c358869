//! The command `rowkind`: runs scripts, or talks to a terminal.

mod shell;

use std::process::ExitCode;

fn main() -> ExitCode {
    shell::run()
}
