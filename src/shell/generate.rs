//! What is made of the definition of the command line: the completion of shells, and the manual page.

use std::io::{self, Write};

use clap::CommandFactory;

use super::arguments::Arguments;
use super::status::Status;

/// The version, with the commit if the build knows it.
pub(super) const VERSION: &str = env!("ROWKIND_VERSION");

/// Writes what the command line asks for, and nothing else. Gives nothing if it asks for none of it.
pub(super) fn generate(arguments: &Arguments) -> Option<Status> {
    let mut command = Arguments::command();
    let mut text = Vec::new();
    if let Some(shell) = arguments.generate_completion {
        clap_complete::generate(shell, &mut command, "rowkind", &mut text);
    } else if arguments.generate_man {
        let rendered = clap_mangen::Man::new(command).render(&mut text);
        rendered.expect("memory takes all that is written to it");
    } else {
        return None;
    }
    let written = io::stdout().write_all(&text).and_then(|()| io::stdout().flush());
    Some(if written.is_ok() { Status::Done } else { Status::Failed })
}
