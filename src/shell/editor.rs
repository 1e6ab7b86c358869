//! The prompt.

use std::path::{Path, PathBuf};

use rowkind::sql::{Splitter, is_complete};
use rustyline::completion::Completer;
use rustyline::config::Behavior;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, History, SearchDirection};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Editor, Helper};

use super::desk::Desk;
use super::history;
use super::input::Source;
use super::status::Stop;

const PROMPT: &str = "rowkind> ";

/// How many statements the history keeps.
const KEPT: usize = 10_000;

/// Tells the editor when a statement is complete. It looks at quotes, comments and semicolons only: a
/// statement that is wrong must be possible to enter, or its error would never be seen.
struct Completeness;

impl Validator for Completeness {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let complete = is_complete(context.input());
        Ok(if complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Completer for Completeness {
    type Candidate = String;
}

impl Hinter for Completeness {
    type Hint = String;
}

impl Highlighter for Completeness {}

impl Helper for Completeness {}

/// What was typed.
pub(super) enum Typed {
    /// Something to run.
    Text(String),
    /// Ctrl-C, which throws away what was typed.
    Nothing,
    /// Ctrl-D.
    End,
}

/// Reads statements from a terminal, with a history.
pub(super) struct Prompt {
    editor: Editor<Completeness, FileHistory>,
    history: Option<PathBuf>,
}

impl Prompt {
    /// A prompt with the history of a file. If results do not go to the terminal, the prompt does all the
    /// same.
    pub(super) fn new(history: Option<PathBuf>, terminal: bool) -> rustyline::Result<Self> {
        let behavior = if terminal { Behavior::Stdio } else { Behavior::PreferTerm };
        let config = Config::builder()
            .max_history_size(KEPT)?
            .history_ignore_space(true)
            .auto_add_history(false)
            .behavior(behavior)
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Completeness));
        let mut prompt = Self { editor, history };
        if let Some(path) = &prompt.history
            && let Err(error) = prompt.editor.load_history(path)
            && !is_missing(&error)
        {
            // A history that cannot be read is not written over.
            prompt.history = None;
            return Ok(prompt);
        }
        Ok(prompt)
    }

    /// Reads what is typed until it is complete.
    pub(super) fn read(&mut self) -> rustyline::Result<Typed> {
        match self.editor.readline(PROMPT) {
            Ok(text) => Ok(Typed::Text(text)),
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Typed::Nothing),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error),
        }
    }

    /// Keeps statements, also in the file.
    pub(super) fn remember(&mut self, statements: &[&str]) -> rustyline::Result<()> {
        for statement in statements {
            self.editor.add_history_entry(*statement)?;
        }
        let Some(path) = &self.history else { return Ok(()) };
        history::prepare(path)?;
        self.editor.append_history(path)
    }

    /// What is remembered, the oldest first.
    pub(super) fn remembered(&self) -> Vec<String> {
        let history = self.editor.history();
        let entry = |index| history.get(index, SearchDirection::Forward).ok().flatten();
        (0..history.len()).filter_map(entry).map(|found| found.entry.into_owned()).collect()
    }
}

fn is_missing(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// The statements and commands of a text, each with what ends it. A text that starts with a blank is not
/// to be remembered.
fn statements(text: &str) -> Vec<&str> {
    if text.starts_with(char::is_whitespace) {
        return Vec::new();
    }
    let mut statements = Vec::new();
    let mut pieces = Splitter::new(text);
    while let Some(piece) = pieces.next() {
        match piece {
            Ok(piece) => statements.push(text[piece.offset..pieces.position()].trim_end()),
            Err(_) => return vec![text],
        }
    }
    statements
}

impl Desk {
    /// Talks to somebody at a terminal until they leave.
    pub(super) fn converse(&mut self, history: Option<&Path>) -> Result<(), Stop> {
        let terminal = self.output.is_terminal();
        let mut prompt = match Prompt::new(history.map(Path::to_owned), terminal) {
            Ok(prompt) => prompt,
            Err(error) => return self.give_up(&error),
        };
        self.output.remark(&banner());
        self.history = prompt.remembered();
        let mut complained = false;
        loop {
            self.interrupt.take();
            let text = match prompt.read() {
                Ok(Typed::Text(text)) => text,
                Ok(Typed::Nothing) => continue,
                Ok(Typed::End) => return Ok(()),
                Err(error) => return self.give_up(&error),
            };
            // On a terminal without an editor Ctrl-C only throws away the last line.
            if self.interrupt.take() {
                continue;
            }
            let statements = statements(&text);
            if let Err(error) = prompt.remember(&statements)
                && !std::mem::replace(&mut complained, true)
            {
                self.output.notice(&format!("the history cannot be kept: {error}"));
            }
            self.history.extend(statements.into_iter().map(str::to_owned));
            match self.run_script(Source { text: &text, name: None }) {
                Ok(()) | Err(Stop::Failed | Stop::Interrupted) => {}
                Err(Stop::Quit) => return Ok(()),
                Err(stop) => return Err(stop),
            }
            self.settle()?;
        }
    }

    fn give_up(&mut self, error: &ReadlineError) -> Result<(), Stop> {
        self.report(&rowkind::render::Problem::new(format!("the terminal cannot be read: {error}")))
    }
}

fn banner() -> String {
    format!(
        "rowkind {}: Flink SQL for changelogs, all in memory\n\
         Statements end with ; and .help shows what there is. Ctrl-D leaves.",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_statement_is_remembered_with_its_end() {
        assert_eq!(
            statements("SELECT 1; -- one\nSELECT\n  2 ;\n.help x\nSELECT 3\\G"),
            ["SELECT 1;", "SELECT\n  2 ;", ".help x", "SELECT 3\\G"]
        );
        assert_eq!(statements("quit"), ["quit"]);
        assert_eq!(statements(" -- nothing"), Vec::<&str>::new());
    }
}
