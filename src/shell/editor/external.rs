//! The user's own editor.

use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus};

use rowkind::render::Problem;

use crate::shell::desk::Desk;
use crate::shell::status::Stop;

/// The editor that is there if the environment names none.
const EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

impl Desk {
    /// Opens the last statement, or what else is to be edited, in the user's editor. What is saved there stands at
    /// the prompt afterwards.
    pub(in crate::shell) fn edit(&mut self, text: &str) -> Result<(), Stop> {
        if !self.manner.interactive {
            return self.report(&Problem::new(".edit is for the prompt"));
        }
        if !text.is_empty() {
            return self.edit_text(text);
        }
        // The command itself is the last entry.
        let is_statement = |entry: &&String| !entry.starts_with(['.', '\\']);
        let last = self.history.iter().rev().find(is_statement).cloned().unwrap_or_default();
        self.edit_text(&last)
    }

    /// Opens a text in the user's editor.
    pub(super) fn edit_text(&mut self, text: &str) -> Result<(), Stop> {
        self.settle()?;
        match self.edited(text) {
            Ok(edited) => {
                edited.trim_end().clone_into(&mut self.dress.draft);
                Ok(())
            }
            Err(problem) => {
                text.clone_into(&mut self.dress.draft);
                self.report(&problem)
            }
        }
    }

    fn edited(&self, text: &str) -> Result<String, Problem<'static>> {
        let failed = |what: &str, error: &dyn std::fmt::Display| Problem::new(format!("{what}: {error}"));
        // Only the user can read the file, and it goes again when it is done with.
        let mut file = tempfile::Builder::new()
            .prefix("rowkind-")
            .suffix(".sql")
            .tempfile()
            .map_err(|error| failed("there is no room for a file to edit", &error))?;
        let write = if text.is_empty() { Ok(()) } else { writeln!(file, "{text}") };
        write.map_err(|error| failed("the file to edit cannot be written", &error))?;
        let named = |name: &str| env::var(name).ok().filter(|editor| !editor.trim().is_empty());
        let editor = named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| EDITOR.to_owned());
        let status = self
            .lend_terminal(false, || run(&editor, file.path()))
            .map_err(|error| failed(&format!("the editor \"{editor}\" cannot be started"), &error))?;
        if !status.success() {
            let problem = Problem::new(format!("the editor \"{editor}\" failed, and its text is left out"));
            return Err(problem.with_hint("$VISUAL or $EDITOR says which editor is used."));
        }
        // Editors may put a new file in the place of the old one, so it is read by its name.
        fs::read_to_string(file.path()).map_err(|error| failed("the edited file cannot be read", &error))
    }
}

/// Runs an editor, whose name may come with arguments.
#[cfg(unix)]
fn run(editor: &str, path: &Path) -> std::io::Result<ExitStatus> {
    Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(path).status()
}

/// Runs an editor, whose name may come with arguments.
#[cfg(not(unix))]
fn run(editor: &str, path: &Path) -> std::io::Result<ExitStatus> {
    let mut words = editor.split_whitespace();
    Command::new(words.next().unwrap_or(EDITOR)).args(words).arg(path).status()
}
