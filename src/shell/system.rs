//! The commands that are about the system around the shell: its screen, its directory, its programs.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{self, PathBuf};
use std::process::{ExitStatus, Stdio};

use rowkind::render::Problem;

use super::command::Command;
use super::desk::Desk;
use super::result_command::unquoted;
use super::status::Stop;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 3] = [
    Command {
        name: "print",
        aliases: &["\\echo"],
        arguments: "TEXT",
        about: "write a text to where results go; blanks that are not between ' become one",
        run: |desk, text| Ok(writeln!(desk.output.out, "{}", words(text).join(" "))?),
    },
    Command {
        name: "cd",
        aliases: &["\\cd"],
        arguments: "[DIRECTORY]",
        about: "change the working directory, from which names of files are read; without one, to the home",
        run: Desk::change_directory,
    },
    Command {
        name: "shell",
        aliases: &["\\!", ".system"],
        arguments: "COMMAND",
        about: "run a command of the system by $SHELL",
        run: Desk::shell,
    },
];

impl Desk {
    fn change_directory(&mut self, directory: &str) -> Result<(), Stop> {
        let Some(directory) = with_home(unquoted(directory)) else {
            return self.report(&Problem::new("there is no home directory"));
        };
        // What was named before stays where it was.
        for path in self.reading.iter_mut().chain(&mut self.once) {
            if let Ok(absolute) = path::absolute(&*path) {
                *path = absolute;
            }
        }
        env::set_current_dir(&directory).or_else(|error| {
            let name = directory.display();
            self.report(&Problem::new(match error.kind() {
                io::ErrorKind::NotFound => format!("directory \"{name}\" does not exist"),
                io::ErrorKind::NotADirectory => format!("\"{name}\" is no directory"),
                _ => format!("directory \"{name}\" cannot be entered: {error}"),
            }))
        })
    }

    fn shell(&mut self, command: &str) -> Result<(), Stop> {
        let is_shown = self.is_transcript();
        if command.is_empty() && (is_shown || !self.manner.interactive) {
            return self.report(&Problem::new(".shell needs a command"));
        }
        self.settle()?;
        let shell = env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "sh".into());
        let ended = if is_shown {
            self.run_and_show(&shell, command)
        } else {
            self.lend_terminal(!command.is_empty(), || run(&shell, command))
        };
        if self.interrupt.take() {
            return Err(Stop::Interrupted);
        }
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => self.report(&Problem::new(match status.code() {
                Some(code) => format!("the command ended with exit status {code}"),
                None => format!("the command was ended by {status}"),
            })),
            Err(error) => {
                let problem = format!("the shell \"{}\" cannot be started: {error}", shell.display());
                self.report(&Problem::new(problem).with_hint("$SHELL says which one is."))
            }
        }
    }

    /// Runs a command without the terminal, and writes what it wrote to where results go.
    fn run_and_show(&mut self, shell: &OsString, command: &str) -> io::Result<ExitStatus> {
        let output = system(shell, command).stdin(Stdio::null()).output()?;
        self.output.out.write_all(&output.stdout)?;
        self.output.out.write_all(&output.stderr)?;
        Ok(output.status)
    }
}

/// Runs a command, or a shell if there is none, on the terminal.
fn run(shell: &OsString, command: &str) -> io::Result<ExitStatus> {
    let mut system = system(shell, command);
    // A pipe has the rest of the script.
    if !io::IsTerminal::is_terminal(&io::stdin()) {
        system.stdin(Stdio::null());
    }
    system.status()
}

fn system(shell: &OsString, command: &str) -> std::process::Command {
    let mut system = std::process::Command::new(shell);
    if !command.is_empty() {
        system.arg("-c").arg(command);
    }
    system
}

/// A directory as it is named, in which `~` and no name at all are the home directory.
fn with_home(directory: &str) -> Option<PathBuf> {
    let home = || etcetera::home_dir().ok();
    match directory {
        "" | "~" => home(),
        directory => match directory.strip_prefix("~/") {
            Some(rest) => Some(home()?.join(rest)),
            None => Some(directory.into()),
        },
    }
}

/// The words of a text. Between single quotes blanks are part of a word, and two quotes are one; a quote in the
/// midst of a word is an apostrophe.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = quoted_word(rest).unwrap_or_else(|| (rest[..end].to_owned(), &rest[end..]));
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

/// The text between the quotes with which a text starts, and what stands behind them.
fn quoted_word(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('\'')?;
    let mut from = 0;
    loop {
        let end = from + inside[from..].find('\'')?;
        if !inside[end + 1..].starts_with('\'') {
            return Some((inside[..end].replace("''", "'"), &inside[end + 1..]));
        }
        from = end + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_printed_with_its_quoted_blanks_and_its_apostrophes() {
        let printed = |text| words(text).join(" ");
        assert_eq!(printed("one   two"), "one two");
        assert_eq!(printed("'one   two'  three"), "one   two three");
        assert_eq!(printed("it's 'it''s' 'open end"), "it's it's 'open end");
        assert_eq!(printed("''"), "");
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let home = etcetera::home_dir().unwrap();
        assert_eq!(with_home("~/a b"), Some(home.join("a b")));
        assert_eq!(with_home(""), Some(home));
        assert_eq!(with_home("~user"), Some("~user".into()));
    }
}
