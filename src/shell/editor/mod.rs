//! The prompt.

mod assistant;
mod completion;
mod external;
mod keys;
mod list;
mod margin;
mod past;
mod plain;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use rowkind::Session;
use rowkind::render::Problem;
use rowkind::sql::{Item, Piece, Splitter, Terminator, with_straight_quotes};
use rustyline::config::Behavior;
use rustyline::error::ReadlineError;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::desk::Desk;
use super::input::Source;
use super::interrupt::Interrupt;
use super::places;
use super::status::Stop;
use super::theme::Theme;
use assistant::Assistant;
pub(super) use assistant::marks;
pub(super) use completion::complete;
use keys::Wishes;
use margin::Margin;
use past::Past;
use plain::{Lines, is_plain};

/// The prompt, unless `.prompt` says another.
pub(super) const PROMPT: &str = "rowkind> ";

/// How many statements the history keeps.
const KEPT: usize = 10_000;

/// More candidates than this are shown only after a question.
const MANY: usize = 200;

/// How the prompt looks, and what it starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dress {
    /// The text of the prompt.
    pub(super) prompt: String,
    /// The colours.
    pub(super) theme: Theme,
    /// What is typed already when the prompt comes next.
    pub(super) draft: String,
}

impl Default for Dress {
    fn default() -> Self {
        Self { prompt: PROMPT.to_owned(), theme: Theme::Plain, draft: String::new() }
    }
}

/// What was typed.
pub(super) enum Typed {
    /// Something to run.
    Text(String),
    /// Something to go on with in an editor of the user's own.
    Draft(String),
    /// Ctrl-C, which throws away what was typed.
    Nothing,
    /// Ctrl-D.
    End,
}

/// Reads statements from a terminal, with a history.
pub(super) struct Prompt {
    editor: Editor<Assistant, Past>,
    /// What is read in place of the editor where it cannot edit.
    lines: Option<Lines>,
    history: Option<PathBuf>,
    wishes: Wishes,
}

impl Prompt {
    /// A prompt without a history. If results do not go to the terminal, the prompt does all the same.
    pub(super) fn new(terminal: bool) -> rustyline::Result<Self> {
        let behavior = if terminal { Behavior::Stdio } else { Behavior::PreferTerm };
        let config = Config::builder()
            .max_history_size(KEPT)?
            .history_ignore_space(true)
            .auto_add_history(false)
            .behavior(behavior)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .completion_prompt_limit(MANY)
            // The theme says whether there is colour; margins are shown without, too.
            .color_mode(ColorMode::Forced)
            .build();
        let mut editor = Editor::with_history(config.clone(), Past::new(&config))?;
        let wishes = Wishes::default();
        editor.set_helper(Some(Assistant::new(wishes.clone(), terminal)));
        let lines = env::var("TERM").is_ok_and(|term| is_plain(&term)).then(Lines::of_stdin);
        Ok(Self { editor, lines, history: None, wishes })
    }

    /// Remembers what a file has, and keeps there what is typed. If it cannot be read or written, it stays as it
    /// is, and the error says why.
    pub(super) fn set_history(&mut self, path: &Path) -> Result<(), String> {
        let failed = |what: &str, error: &io::Error| {
            format!("the history \"{}\" cannot be {what}: {error}; it is left as it is", path.display())
        };
        let loaded = match places::check_history(path) {
            Ok(true) => self.editor.load_history(path).map_err(into_io),
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = loaded {
            // What was read before the error is a part of it at best.
            let _ = self.editor.clear_history();
            return Err(failed("read", &error));
        }
        places::prepare(path).map_err(|error| failed("written", &error))?;
        self.history = Some(path.to_owned());
        Ok(())
    }

    /// Reads what is typed until it is complete. The session is looked at while somebody types.
    pub(super) fn read(
        &mut self,
        session: &mut Session,
        dress: &Dress,
        interrupt: &Interrupt,
    ) -> rustyline::Result<Typed> {
        if let Some(lines) = &mut self.lines {
            let terminal: &mut dyn Write =
                if io::stdout().is_terminal() { &mut io::stdout() } else { &mut io::stderr() };
            return Ok(lines.read(dress, interrupt, terminal)?);
        }
        let margin = Margin::of(&dress.prompt);
        keys::bind(&mut self.editor, &margin, &self.wishes);
        self.editor.history_mut().set_margin(margin.clone());
        let draft = margin.put(&dress.draft);
        let assistant = self.editor.helper_mut().expect("the helper is set with the editor");
        assistant.theme = dress.theme;
        assistant.margin = margin;
        assistant.prompt.clone_from(&dress.prompt);
        std::mem::swap(&mut assistant.session, session);
        let result = self.editor.readline_with_initial(dress.prompt.as_str(), (&draft, ""));
        let assistant = self.editor.helper_mut().expect("the helper is set with the editor");
        std::mem::swap(&mut assistant.session, session);
        let edit = self.wishes.edit.swap(false, Ordering::Relaxed);
        match result {
            Ok(text) if edit => Ok(Typed::Draft(Margin::remove(&text))),
            Ok(text) => Ok(Typed::Text(Margin::remove(&text))),
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Typed::Nothing),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error),
        }
    }

    /// Keeps statements, also in the file.
    pub(super) fn remember(&mut self, statements: &[String]) -> rustyline::Result<()> {
        for statement in statements {
            self.editor.add_history_entry(statement.as_str())?;
        }
        let Some(path) = &self.history else { return Ok(()) };
        self.editor.append_history(path)
    }

    /// What is remembered, the oldest first.
    pub(super) fn remembered(&self) -> Vec<String> {
        self.editor.history().entries().map(str::to_owned).collect()
    }
}

/// Whether bytes came that are no text.
fn is_no_text(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == io::ErrorKind::InvalidData)
}

fn into_io(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// The statements and commands of a text, each with what ends it and with plain quotes. A text that starts
/// with a blank is not to be remembered.
fn statements(text: &str) -> Vec<String> {
    if text.starts_with(char::is_whitespace) {
        return Vec::new();
    }
    let mut statements = Vec::new();
    let mut pieces = Splitter::new(text);
    // A statement that ends with a command is one with it.
    let mut start = None;
    while let Some(piece) = pieces.next() {
        match piece {
            Ok(Piece { item: Item::Statement { terminator: Terminator::Command, .. }, offset, .. }) => {
                start = Some(offset);
            }
            Ok(piece) => {
                let start = start.take().unwrap_or(piece.offset);
                let statement = text[start..pieces.position()].trim_end();
                statements.push(match piece.item {
                    Item::Statement { .. } => with_straight_quotes(statement).0,
                    Item::Directive(_) | Item::Command(_) => statement.to_owned(),
                });
            }
            Err(_) => return vec![text.to_owned()],
        }
    }
    statements
}

impl Desk {
    /// Talks to somebody at a terminal until they leave.
    pub(super) fn converse(&mut self, history: Option<&Path>) -> Result<(), Stop> {
        let terminal = self.output.is_terminal();
        let mut prompt = match Prompt::new(terminal) {
            Ok(prompt) => prompt,
            Err(error) => return self.give_up(&error),
        };
        self.output.remark(&banner());
        if let Some(Err(notice)) = history.map(|path| prompt.set_history(path)) {
            self.output.notice(&notice);
        }
        self.history = prompt.remembered();
        let mut complained = false;
        loop {
            self.interrupt.take();
            let read = prompt.read(&mut self.session, &self.dress, &self.interrupt);
            self.dress.draft.clear();
            let text = match read {
                Ok(Typed::Text(text)) => text,
                Ok(Typed::Draft(text)) => {
                    let _ = self.edit_text(text.trim_end());
                    continue;
                }
                Ok(Typed::Nothing) => continue,
                Ok(Typed::End) => return Ok(()),
                Err(error) if is_no_text(&error) => {
                    let _ = self.report(&Problem::new("what was typed is not UTF-8"));
                    continue;
                }
                Err(error) => return self.give_up(&error),
            };
            let statements = statements(&text);
            if let Err(error) = prompt.remember(&statements)
                && !std::mem::replace(&mut complained, true)
            {
                self.output.notice(&format!("the history cannot be kept: {error}"));
            }
            self.history.extend(statements);
            let known = self.history.len();
            let result = self.run_script(Source { text: &text, name: None });
            // What was typed on the whole screen is remembered, too.
            if self.history.len() > known {
                let _ = prompt.remember(&self.history[known..]);
            }
            match result {
                Ok(()) | Err(Stop::Failed | Stop::Broken | Stop::Interrupted) => {}
                Err(Stop::Quit) => return Ok(()),
                Err(stop) => return Err(stop),
            }
            self.settle()?;
        }
    }

    fn give_up(&mut self, error: &ReadlineError) -> Result<(), Stop> {
        self.report(&Problem::new(format!("the terminal cannot be read: {error}")))
    }
}

fn banner() -> String {
    format!(
        "rowkind {}: Flink SQL for changelogs, all in memory\n\
         Statements end with ; Tab completes, .help shows what there is, Ctrl-D leaves.",
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
        assert_eq!(
            statements("SELECT 1\n  \\gx\nSELECT 2 \\g a.txt\n\\watch 1"),
            ["SELECT 1\n  \\gx", "SELECT 2 \\g a.txt", "\\watch 1"]
        );
        assert_eq!(statements("quit"), ["quit"]);
        assert_eq!(statements("SELECT ‘a’;"), ["SELECT 'a';"]);
        assert_eq!(statements(" -- nothing"), Vec::<String>::new());
    }
}
