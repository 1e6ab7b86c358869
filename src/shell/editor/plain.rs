//! The prompt on a terminal that can only write lines, such as one inside another editor.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use rowkind::sql::is_complete;

use super::margin::{Margin, open_at_breaks};
use super::{Dress, Typed};
use crate::shell::interrupt::Interrupt;

/// The terminals, by `TERM`, on which the line editor does not edit.
const TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// How often Ctrl-C is looked for: it does not end the wait for a line.
const BEAT: Duration = Duration::from_millis(50);

/// Whether a terminal, of which `TERM` tells the kind, can only write lines.
pub(super) fn is_plain(term: &str) -> bool {
    TERMINALS.iter().any(|plain| plain.eq_ignore_ascii_case(term))
}

/// Reads lines when they are asked for, so that programs can read the terminal meanwhile.
pub(super) struct Lines {
    asks: Sender<()>,
    answers: Receiver<io::Result<String>>,
    /// Whether a line is asked for that has not come yet.
    is_asked: bool,
}

impl Lines {
    /// The lines of the standard input. The last one is empty.
    pub(super) fn of_stdin() -> Self {
        Self::of(|| {
            let mut line = String::new();
            io::stdin().read_line(&mut line).map(|_| line)
        })
    }

    fn of(mut read: impl FnMut() -> io::Result<String> + Send + 'static) -> Self {
        let (asks, asked) = mpsc::channel();
        let (sender, answers) = mpsc::channel();
        // It ends when nobody can ask any more.
        thread::spawn(move || asked.iter().try_for_each(|()| sender.send(read())));
        Self { asks, answers, is_asked: false }
    }

    /// The next line, or nothing if Ctrl-C was pressed before it came.
    fn next(&mut self, interrupt: &Interrupt) -> io::Result<Option<String>> {
        if !self.is_asked {
            self.asks.send(()).map_err(io::Error::other)?;
            self.is_asked = true;
        }
        loop {
            let line = match self.answers.recv_timeout(BEAT) {
                Err(RecvTimeoutError::Timeout) => None,
                received => {
                    self.is_asked = false;
                    Some(received.map_err(io::Error::other)??)
                }
            };
            // The terminal has thrown away what was typed of the line.
            if interrupt.take() {
                return Ok(None);
            }
            if line.is_some() {
                return Ok(line);
            }
        }
    }

    /// Reads a statement, with a prompt before each of its lines.
    pub(super) fn read(
        &mut self,
        dress: &Dress,
        interrupt: &Interrupt,
        terminal: &mut dyn Write,
    ) -> io::Result<Typed> {
        let margin = Margin::of(&dress.prompt);
        let continued = |text: &str| margin.shown(open_at_breaks(text).last().copied().unwrap_or('-'));
        write!(terminal, "{}", dress.prompt)?;
        let mut text = String::new();
        for line in dress.draft.split_inclusive('\n') {
            text.push_str(line);
            write!(terminal, "{line}")?;
            if line.ends_with('\n') {
                write!(terminal, "{}", continued(&text))?;
            }
        }
        loop {
            terminal.flush()?;
            let typed = match self.next(interrupt)? {
                Some(line) if !line.is_empty() => {
                    text.push_str(line.trim_end_matches(['\n', '\r']));
                    if !is_complete(&text) {
                        text.push('\n');
                        write!(terminal, "{}", continued(&text))?;
                        continue;
                    }
                    return Ok(Typed::Text(text));
                }
                Some(_) => Typed::End,
                None => Typed::Nothing,
            };
            writeln!(terminal)?;
            terminal.flush()?;
            return Ok(typed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// What is read of these lines, and what the terminal shows meanwhile besides them.
    fn read(draft: &str, lines: &[&'static str], interrupt: &Interrupt) -> (Option<String>, String) {
        let mut typed: VecDeque<&str> = lines.iter().copied().collect();
        let mut lines = Lines::of(move || Ok(typed.pop_front().unwrap_or_default().to_owned()));
        let dress = Dress { draft: draft.to_owned(), ..Dress::default() };
        let mut shown = Vec::new();
        let text = match lines.read(&dress, interrupt, &mut shown).unwrap() {
            Typed::Text(text) => Some(text),
            Typed::Draft(_) | Typed::Nothing | Typed::End => None,
        };
        (text, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn later_lines_have_a_prompt_that_says_what_is_open() {
        let (text, shown) =
            read("", &["SELECT (\r\n", "'a\n", "b')\n", ";\n", "SELECT 2;\n"], &Interrupt::default());
        assert_eq!(text.as_deref(), Some("SELECT (\n'a\nb')\n;"));
        assert_eq!(shown, "rowkind>       (>       '>       -> ");
    }

    #[test]
    fn a_draft_is_there_already() {
        let (text, shown) = read("SELECT 1,\n2", &[", 3;\n"], &Interrupt::default());
        assert_eq!(text.as_deref(), Some("SELECT 1,\n2, 3;"));
        assert_eq!(shown, "rowkind> SELECT 1,\n      -> 2");
    }

    #[test]
    fn the_end_and_ctrl_c_throw_away_what_was_typed() {
        let ended = (None, "rowkind>       -> \n".to_owned());
        assert_eq!(read("", &["SELECT 1\n"], &Interrupt::default()), ended);
        let interrupt = Interrupt::default();
        interrupt.press();
        assert_eq!(read("", &["SELECT 1\n"], &interrupt), (None, "rowkind> \n".to_owned()));
    }

    #[test]
    fn some_terminals_can_only_write_lines() {
        assert!(is_plain("dumb") && is_plain("Emacs"));
        assert!(!is_plain("xterm-256color") && !is_plain(""));
    }
}
