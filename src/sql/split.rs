//! A script cut into statements, directives and shell commands.

use super::error::ParseError;
use super::scan::{Chunk, Scanned, Scanner};

/// A part of a script and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What it is.
    pub item: Item<'a>,
    /// The byte offset of its text in the script.
    pub offset: usize,
    /// The line of its text in the script, starting at 1.
    pub line: usize,
}

/// A part of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A statement.
    Statement {
        /// From its first word to its last: comments around it are not part of it, comments inside are.
        text: &'a str,
        /// What ended it.
        terminator: Terminator,
    },
    /// A comment line before a statement that says how a script is to be run, without its dashes:
    /// `kinds: +I -U`, `log: t`, `unordered`, `flink: 2.4`, `strict`.
    Directive(&'a str),
    /// A line that starts with `.` or `\` where a statement could start, or the rest of one behind a
    /// [`Terminator::Command`]: a command to the shell.
    Command(&'a str),
}

/// What ends a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terminator {
    /// `;`
    Semicolon,
    /// `\G`, which asks for one column a line.
    Vertical,
    /// A command that says what becomes of the statement: `\g`, `\gx`, `\gdesc` or `\watch`. It comes next.
    Command,
    /// Nothing: the script ends.
    End,
}

/// An iterator over the pieces of a script, in order.
///
/// Semicolons in strings, quoted names, comments and `STATEMENT SET` blocks do not end a statement.
/// The only error is something that is not closed; it ends the iteration and its span is
/// relative to the whole script. The work is one pass over the text.
#[derive(Debug, Clone)]
pub struct Splitter<'a> {
    script: &'a str,
    scanner: Scanner<'a>,
    /// The line of the byte `counted`.
    line: usize,
    counted: usize,
    /// The byte at which a command stands behind its statement.
    command: Option<usize>,
}

/// A statement of which the scanner has seen the first chunk.
struct Open {
    start: usize,
    end: usize,
    block: Block,
}

/// How far a `STATEMENT SET` block is recognised, and whether it is at its end.
#[derive(Default)]
struct Block {
    /// The last two words, if they are among those that start a block.
    before: [Word; 2],
    words: usize,
    inside: bool,
    cases: usize,
    ended: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Word {
    #[default]
    Other,
    Begin,
    Case,
    End,
    Set,
    Statement,
}

impl<'a> Splitter<'a> {
    /// Starts at the beginning of a script. A byte order mark there is skipped.
    pub fn new(script: &'a str) -> Self {
        Self { script, scanner: Scanner::new(script), line: 1, counted: 0, command: None }
    }

    /// How far the script is read, in bytes: behind what ends the last piece.
    pub fn position(&self) -> usize {
        self.scanner.at()
    }

    fn piece(&mut self, item: Item<'a>, offset: usize) -> Piece<'a> {
        self.line += self.script[self.counted..offset].matches('\n').count();
        self.counted = offset;
        Piece { item, offset, line: self.line }
    }

    /// The rest of the line from a byte on, which the scanner skips.
    fn line_from(&mut self, start: usize) -> &'a str {
        let rest = &self.script[start..];
        let line = rest.find('\n').map_or(rest, |i| &rest[..i]);
        self.scanner.jump(start + line.len());
        line.trim_end()
    }

    fn starts_its_line(&self, at: usize) -> bool {
        let before = &self.script[..at];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        before[start..].chars().all(|c| c.is_whitespace() || c == '\u{FEFF}')
    }

    fn unclosed(&mut self, scanned: &Scanned) -> ParseError {
        self.scanner.jump(self.script.len());
        scanned.unclosed(self.script)
    }

    fn statement(&mut self, open: &Open, terminator: Terminator) -> Piece<'a> {
        let text = &self.script[open.start..open.end];
        self.piece(Item::Statement { text, terminator }, open.start)
    }
}

impl<'a> Iterator for Splitter<'a> {
    type Item = Result<Piece<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut open: Option<Open> = None;
        while let Some(scanned) = self.scanner.next() {
            if scanned.open {
                return Some(Err(self.unclosed(&scanned)));
            }
            let start = scanned.range.start;
            let Some(statement) = &mut open else {
                match scanned.chunk {
                    Chunk::LineComment if self.starts_its_line(start) => {
                        let text = self.script[scanned.range.clone()].trim_start_matches('-').trim();
                        if is_directive(text) {
                            return Some(Ok(self.piece(Item::Directive(text), start)));
                        }
                    }
                    Chunk::Symbol(b'.' | b'\\')
                        if self.command == Some(start) || self.starts_its_line(start) =>
                    {
                        let line = self.line_from(start);
                        return Some(Ok(self.piece(Item::Command(line), start)));
                    }
                    Chunk::Symbol(b';') => {}
                    _ if scanned.is_blank() => {}
                    _ => {
                        let mut block = Block::default();
                        block.advance(&scanned, self.script);
                        open = Some(Open { start, end: scanned.range.end, block });
                    }
                }
                continue;
            };
            match scanned.chunk {
                Chunk::Symbol(b';') if statement.block.ends_here() => {
                    return open.map(|open| Ok(self.statement(&open, Terminator::Semicolon)));
                }
                Chunk::Symbol(b'\\') if self.script[scanned.range.end..].starts_with('G') => {
                    self.scanner.jump(scanned.range.end + 1);
                    return open.map(|open| Ok(self.statement(&open, Terminator::Vertical)));
                }
                Chunk::Symbol(b'\\') if COMMANDS.contains(&word_at(self.script, scanned.range.end)) => {
                    self.scanner.jump(start);
                    self.command = Some(start);
                    return open.map(|open| Ok(self.statement(&open, Terminator::Command)));
                }
                // A hint looks like a comment, and belongs to the statement.
                _ if scanned.is_blank() && !self.script[scanned.range.clone()].starts_with("/*+") => {}
                _ => {
                    statement.end = scanned.range.end;
                    statement.block.advance(&scanned, self.script);
                }
            }
        }
        open.map(|open| Ok(self.statement(&open, Terminator::End)))
    }
}

impl Block {
    /// Takes a chunk that is not blank.
    fn advance(&mut self, scanned: &Scanned, script: &str) {
        if scanned.chunk != Chunk::Word {
            self.before = [Word::Other; 2];
            self.ended &= scanned.chunk == Chunk::Symbol(b';');
            return;
        }
        // Only statements that start with few words before STATEMENT SET have a block.
        self.words += 1;
        if !self.inside && self.words > 8 {
            return;
        }
        let word = Word::read(&script[scanned.range.clone()]);
        if self.inside {
            self.ended = word == Word::End && self.cases == 0;
            match word {
                Word::Case => self.cases += 1,
                Word::End => self.cases = self.cases.saturating_sub(1),
                Word::Begin | Word::Set | Word::Statement | Word::Other => {}
            }
        }
        self.inside |= match (self.before, word) {
            ([Word::Statement, Word::Set], Word::Begin) => true,
            ([Word::Begin, Word::Statement], Word::Set) => self.words == 3,
            _ => false,
        };
        self.before = [self.before[1], word];
    }

    fn ends_here(&self) -> bool {
        !self.inside || self.ended
    }
}

impl Word {
    fn read(text: &str) -> Self {
        let known = [
            ("BEGIN", Self::Begin),
            ("CASE", Self::Case),
            ("END", Self::End),
            ("SET", Self::Set),
            ("STATEMENT", Self::Statement),
        ];
        let found = known.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
        found.map_or(Self::Other, |(_, word)| word)
    }
}

/// The commands that may stand behind a statement, without their backslash.
const COMMANDS: [&str; 4] = ["g", "gx", "gdesc", "watch"];

/// Whether the last line of a text has what would be a command behind a statement, if it is not in a string.
pub fn may_end_with_command(text: &str) -> bool {
    let text = text.trim_end();
    let line = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    line.rfind('\\').is_some_and(|at| COMMANDS.contains(&word_at(line, at + 1)))
}

/// The letters from a byte on.
fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    &rest[..end]
}

fn is_directive(text: &str) -> bool {
    text == "unordered"
        || text == "strict"
        || ["kinds:", "log:", "flink:"].iter().any(|name| text.starts_with(name))
}

/// Words that are complete without a semicolon at the prompt.
const BARE_WORDS: [&str; 5] = ["help", "quit", "exit", "clear", "history"];

/// Whether a statement is one word for the shell, such as `help`.
pub fn is_bare_word(text: &str) -> bool {
    BARE_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether what was typed at a prompt can be run: it ends with `;` or `\G` outside of strings and
/// comments, or is a command line or ends with one, or is a bare word such as `help`, or nothing but blanks
/// and comments.
pub fn is_complete(text: &str) -> bool {
    let last = Splitter::new(text).last();
    match last {
        None => true,
        Some(Err(_)) => false,
        Some(Ok(piece)) => match piece.item {
            Item::Statement { text, terminator: Terminator::End } => is_bare_word(text),
            Item::Statement { .. } | Item::Directive(_) | Item::Command(_) => true,
        },
    }
}

#[cfg(test)]
mod tests;
