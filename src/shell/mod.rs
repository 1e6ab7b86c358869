//! The command line, scripts and the prompt.
//!
//! The shell reads statements, hands them to a [`rowkind::Session`] one by one and lets [`rowkind::render`]
//! write what comes back. It alone knows terminals, files and signals; how a statement works it does not
//! know.
//!
//! Results go to the standard output and nothing else does; notices, timings and errors go to the standard
//! error.

mod again;
mod argument;
mod arguments;
mod check;
mod command;
mod demo;
mod desk;
mod diff;
mod directive;
mod editor;
mod exchange;
mod expansion;
mod generate;
mod help;
mod input;
mod interrupt;
mod launch;
mod listing;
mod live;
mod output;
mod pager;
mod places;
mod progress;
mod prompt_command;
mod result_command;
mod screen;
mod script;
#[cfg(unix)]
mod silence;
mod status;
mod system;
mod theme;
mod watch;
mod wrap;
mod written;

pub(crate) use launch::run;

/// Held by each test that panics: what happens then is one thing for the whole process.
#[cfg(test)]
static PANICS: std::sync::Mutex<()> = std::sync::Mutex::new(());
