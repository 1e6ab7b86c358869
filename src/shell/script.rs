//! Runs scripts.

use std::io::Read;

use rowkind::sql::{Item, Piece, Splitter, Terminator, is_bare_word, may_end_with_command};

use super::desk::{Desk, Spot};
use super::input::{Source, Stream};
use super::status::{Status, Stop};

impl Desk {
    /// Runs a whole script.
    pub(super) fn run_script(&mut self, source: Source<'_>) -> Result<(), Stop> {
        self.run_pieces(source, &mut 0, true)
    }

    /// Runs what was typed, and tells how many bytes of it are done, also if something failed.
    pub(super) fn run_typed(&mut self, text: &str, done: &mut usize) -> Result<(), Stop> {
        self.run_pieces(Source { text, name: None }, done, true)
    }

    /// Runs what comes in bit by bit, each statement as soon as it is there: whoever writes it may wait
    /// for the answer.
    pub(super) fn run_stream(&mut self, reader: impl Read) -> Result<Status, Stop> {
        let mut stream = Stream::new(reader);
        let mut text = String::new();
        let mut done = 0;
        // Looking for the end of a long statement again and again takes too long, so that is done when
        // the text ends as a statement does, or has doubled.
        let mut looked_at = 0;
        loop {
            let interrupt = self.interrupt.clone();
            let more = match interrupt.while_waiting(|| stream.read(&mut text)) {
                Ok(more) => more,
                Err(problem) => {
                    let _ = self.report(&problem);
                    return Ok(Status::Usage);
                }
            };
            let rest = &text[done..];
            let is_ended = rest.trim_end().ends_with([';', 'G'])
                || rest.trim_start().starts_with(['.', '\\'])
                || may_end_with_command(rest);
            if !more || is_ended || rest.len() > 2 * looked_at {
                let source = Source { text: &text, name: None };
                self.run_pieces(source, &mut done, !more)?;
                looked_at = text.len() - done;
            }
            if !more {
                return Ok(Status::Done);
            }
        }
    }

    /// Runs the pieces of a script behind what is done. If more is to come, what may not be complete is left.
    fn run_pieces(&mut self, source: Source<'_>, done: &mut usize, complete: bool) -> Result<(), Stop> {
        let start = *done;
        let script = &source.text[start..];
        let mut pieces = Splitter::new(script);
        while let Some(piece) = pieces.next() {
            let piece = match piece {
                Ok(piece) => piece,
                Err(_) if !complete => break,
                Err(error) => {
                    self.go_on(|desk| desk.fail_to_split(Spot { source, offset: start }, &error))?;
                    break;
                }
            };
            let end = pieces.position();
            let is_line = !matches!(piece.item, Item::Statement { .. });
            if !complete && (is_open(&piece) || is_line && !script[end..].starts_with('\n')) {
                break;
            }
            if self.interrupt.take() {
                return Err(Stop::Interrupted);
            }
            let spot = Spot { source, offset: start + piece.offset };
            let result = self.go_on(|desk| desk.run_piece(spot, piece.item));
            if matches!(result, Ok(()) | Err(Stop::Broken)) {
                *done = start + end;
            }
            result?;
        }
        Ok(())
    }

    fn run_piece(&mut self, spot: Spot<'_>, item: Item<'_>) -> Result<(), Stop> {
        match item {
            Item::Statement { text, terminator } => {
                if !is_bare_word(text) {
                    self.last_statement = Some(text.to_owned());
                }
                match terminator {
                    Terminator::Command => Ok(()),
                    terminator => self.run(spot, text, terminator),
                }
            }
            Item::Directive(text) => self.direct(spot, text),
            Item::Command(text) => self.command(text),
        }
    }

    /// Does something, and goes on after it failed if that is wanted.
    fn go_on(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        match act(self) {
            Err(Stop::Failed | Stop::Broken) if self.manner.keep_going => Ok(()),
            result => result,
        }
    }
}

fn is_open(piece: &Piece<'_>) -> bool {
    matches!(piece.item, Item::Statement { terminator: Terminator::End, .. })
}
