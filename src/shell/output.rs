//! Where text goes, and how it may look there.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::rc::Rc;

use rowkind::connect::{Replacement, Streams};
use rowkind::render::{Look, Painter, Problem, Role, Side, printable};
use rowkind::session::Progress;

use super::arguments::Colour;
use super::expansion::Expansion;
use super::pager::{Page, PageWriter};
use super::progress::{self, Pace, ProgressLine};
use super::written::Written;

/// The standard output for results and the standard error for everything else.
pub(super) struct Output {
    /// Results.
    pub(super) out: Box<dyn Write>,
    out_place: Place,
    /// The standard output, while results go elsewhere.
    standard: Option<Destination>,
    err: Box<dyn Write>,
    err_place: Place,
    colour: Colour,
    /// Whether to say nothing but results and errors.
    quiet: bool,
    /// Whether somebody types at the terminal, also ahead.
    pub(super) is_typed_to: bool,
    /// Whether errors are shown in full.
    pub(super) verbose: bool,
    /// What results go through, and what is to be said when the screen is free again.
    page: Option<(Rc<Page>, String)>,
    /// How far reading is, where somebody sees it.
    pace: Option<Pace>,
    line: ProgressLine,
    /// How results are to look.
    pub(super) taste: Taste,
}

/// Something that results can go to.
pub(super) struct Destination {
    out: Box<dyn Write>,
    place: Place,
    /// Where tables of connector `stdout` write, if that is somewhere else than it will be.
    streams: Option<Streams>,
}

/// How results are to look, whatever their format.
#[derive(Debug, Clone)]
pub(super) struct Taste {
    /// What stands for NULL, if not what the format has for it.
    pub(super) null: Option<Rc<str>>,
    /// The table into which the format `insert` inserts the rows.
    pub(super) table: Option<Rc<str>>,
    /// Whether the names of the columns are shown.
    pub(super) headers: bool,
    /// The most rows of a box.
    pub(super) max_rows: Option<usize>,
    /// The width of a box, if not that of the terminal.
    pub(super) max_width: Option<usize>,
    /// Which side of a result is shown.
    pub(super) side: Side,
    /// Which results for eyes have one column a line.
    pub(super) expansion: Expansion,
}

impl Default for Taste {
    fn default() -> Self {
        Self {
            null: None,
            table: None,
            headers: true,
            max_rows: None,
            max_width: None,
            side: Side::Auto,
            expansion: Expansion::Off,
        }
    }
}

/// What goes to the terminal, while it is shown in a frame there.
pub(super) struct Unframed {
    out: Destination,
    err: Box<dyn Write>,
    err_place: Place,
    pace: Option<Pace>,
}

/// Where a stream goes.
#[derive(Debug, Clone, Copy)]
struct Place {
    medium: Medium,
    colour: bool,
}

/// What a stream goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Terminal,
    /// A frame in the midst of a terminal.
    Frame,
    /// A file, a pipe or memory.
    Elsewhere,
}

/// The width that is assumed of a terminal that does not tell it.
const WIDTH: usize = 80;

/// The columns that a frame takes with the blanks inside.
const FRAME: usize = 4;

/// How much is written to a file at once, in bytes.
const AT_ONCE: usize = 64 << 10;

impl Place {
    /// In a frame, which is painted as a whole.
    const FRAME: Self = Self { medium: Medium::Frame, colour: false };

    fn new(terminal: bool, colour: Colour) -> Self {
        let medium = if terminal { Medium::Terminal } else { Medium::Elsewhere };
        Self { medium, colour: wants_colour(colour, terminal, |name| env::var(name).ok()) }
    }

    fn is_terminal(self) -> bool {
        self.medium == Medium::Terminal
    }

    /// A terminal can change its width at any time.
    fn width(self) -> Option<usize> {
        let width = || terminal_size().0.unwrap_or(WIDTH);
        match self.medium {
            Medium::Terminal => Some(width()),
            Medium::Frame => Some(width().saturating_sub(FRAME)),
            Medium::Elsewhere => None,
        }
    }

    fn painter(self) -> Painter {
        Painter::new(self.colour)
    }
}

impl Output {
    /// The process's own streams.
    pub(super) fn standard(colour: Colour, quiet: bool) -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let out_place = Place::new(stdout.is_terminal(), colour);
        let err_place = Place::new(stderr.is_terminal(), colour);
        // Tables are coloured through crossterm, which would look at the environment itself.
        crossterm::style::force_color_output(out_place.colour);
        let line = ProgressLine::default();
        let out: Box<dyn Write> = if out_place.is_terminal() {
            Box::new(BufWriter::with_capacity(AT_ONCE, line.above(stdout)))
        } else {
            Box::new(BufWriter::with_capacity(AT_ONCE, stdout))
        };
        let is_seen = err_place.is_terminal() && !quiet && env::var("TERM").is_ok_and(|term| term != "dumb");
        let pace = is_seen.then(Pace::new);
        let err = Box::new(line.above(stderr));
        Self { out_place, err_place, quiet, pace, line, ..Self::into(out, err, colour) }
    }

    /// Other streams, which are no terminals.
    pub(super) fn into(out: Box<dyn Write>, err: Box<dyn Write>, colour: Colour) -> Self {
        let place = Place::new(false, colour);
        Self {
            out,
            out_place: place,
            standard: None,
            err,
            err_place: place,
            colour,
            quiet: false,
            is_typed_to: false,
            verbose: false,
            page: None,
            pace: None,
            line: ProgressLine::default(),
            taste: Taste::default(),
        }
    }

    /// How a result may look.
    pub(super) fn look(&self) -> Look {
        Look {
            width: self.taste.max_width.or_else(|| self.out_place.width()),
            colour: self.out_place.colour,
            unordered: false,
            null: self.taste.null.clone(),
            table: self.taste.table.clone(),
            headers: self.taste.headers,
            max_rows: self.taste.max_rows,
            side: self.taste.side,
            turns: self.taste.expansion == Expansion::Auto,
        }
    }

    /// Whether results go to a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.out_place.is_terminal()
    }

    /// The look of what is said beside results.
    pub(super) fn painter(&self) -> Painter {
        self.out_place.painter()
    }

    /// Lets results, and what tables write to the standard output, go to a file, or, without one, to the
    /// standard output again.
    pub(super) fn redirect(&mut self, path: Option<&Path>, streams: &mut Streams) -> io::Result<()> {
        self.out.flush()?;
        let file = path.map(File::create).transpose()?;
        if let Some(standard) = self.standard.take() {
            self.put_back(standard, streams);
        }
        if let Some(file) = file {
            self.standard = Some(self.divert_to(file, streams)?);
        }
        Ok(())
    }

    /// Lets results go elsewhere until what is returned is put back.
    fn divert(&mut self, out: Box<dyn Write>) -> Destination {
        let place = std::mem::replace(&mut self.out_place, Place::new(false, self.colour));
        Destination { out: std::mem::replace(&mut self.out, out), place, streams: None }
    }

    /// The same for a file, to which tables of connector `stdout` write, too.
    fn divert_to(&mut self, file: File, streams: &mut Streams) -> io::Result<Destination> {
        let before = streams.clone();
        // Both write on where the other one has ended.
        streams.set_stdout(file.try_clone()?);
        let destination = self.divert(Box::new(BufWriter::with_capacity(AT_ONCE, file)));
        Ok(Destination { streams: Some(before), ..destination })
    }

    fn put_back(&mut self, destination: Destination, streams: &mut Streams) {
        if let Some(before) = destination.streams {
            *streams = before;
        }
        self.out = destination.out;
        self.out_place = destination.place;
    }

    /// Lets results go to what will replace a file.
    pub(super) fn begin_once(
        &mut self,
        replacement: &Replacement,
        streams: &mut Streams,
    ) -> io::Result<Destination> {
        self.out.flush()?;
        self.divert_to(replacement.open()?, streams)
    }

    /// Ends what [`Self::begin_once`] began. An error is that of the last bytes.
    pub(super) fn end_once(&mut self, destination: Destination, streams: &mut Streams) -> io::Result<()> {
        let flushed = self.out.flush();
        self.put_back(destination, streams);
        flushed
    }

    /// Lets all that would go to the terminal be shown in a frame, until [`Self::end_frame`].
    pub(super) fn begin_frame(&mut self, frame: &Written, streams: &mut Streams) -> io::Result<Unframed> {
        self.out.flush()?;
        let before = streams.clone();
        streams.set_stdout(frame.clone());
        streams.set_stderr(frame.clone());
        let place = std::mem::replace(&mut self.out_place, Place::FRAME);
        let out = std::mem::replace(&mut self.out, Box::new(frame.clone()));
        Ok(Unframed {
            out: Destination { out, place, streams: Some(before) },
            err: std::mem::replace(&mut self.err, Box::new(frame.clone())),
            err_place: std::mem::replace(&mut self.err_place, Place::FRAME),
            pace: self.pace.take(),
        })
    }

    /// Ends what [`Self::begin_frame`] began, and writes what was not shown. Results that were sent to a file
    /// meanwhile still go there.
    pub(super) fn end_frame(
        &mut self,
        unframed: Unframed,
        frame: &Written,
        streams: &mut Streams,
    ) -> io::Result<()> {
        let Unframed { mut out, err, err_place, pace } = unframed;
        (self.err, self.err_place, self.pace) = (err, err_place, pace);
        let written = out.out.write_all(&frame.take()).and_then(|()| out.out.flush());
        match &mut self.standard {
            Some(standard) => *standard = out,
            None => self.put_back(out, streams),
        }
        written
    }

    /// Lets results go through a pager if they turn out to be tall.
    pub(super) fn begin_page(&mut self, page: &Rc<Page>) -> io::Result<Destination> {
        self.out.flush()?;
        let place = self.out_place;
        let destination = self.divert(Box::new(PageWriter::new(page.clone())));
        // It looks as it does on the terminal.
        self.out_place = place;
        self.page = Some((page.clone(), String::new()));
        Ok(destination)
    }

    /// Ends what [`Self::begin_page`] began.
    pub(super) fn end_page(&mut self, page: &Page, destination: Destination) -> io::Result<()> {
        (self.out, self.out_place) = (destination.out, destination.place);
        let ended = page.end(&mut self.out);
        if let Some((_, text)) = self.page.take()
            && !text.is_empty()
        {
            self.say(&text);
        }
        ended
    }

    /// Says something that is no result, as one line. What is written so far comes before it.
    pub(super) fn notice(&mut self, notice: &str) {
        if !self.quiet {
            let label = self.err_place.painter().painted(Role::Hint, "notice:");
            self.say(&format!("{label} {}\n", printable(notice)));
        }
    }

    /// Says how something went, to somebody who sits at the terminal.
    pub(super) fn remark(&mut self, remark: &str) {
        if !self.quiet {
            self.timing(remark);
        }
    }

    /// The line below everything else on the terminal.
    pub(super) fn line(&self) -> ProgressLine {
        self.line.clone()
    }

    /// Lets what tables write to the terminal come above that line, too.
    pub(super) fn make_room_for(&self, streams: &mut Streams) {
        if self.out_place.is_terminal() {
            streams.set_stdout(self.line.above(io::stdout()));
        }
        if self.err_place.is_terminal() {
            streams.set_stderr(self.line.above(io::stderr()));
        }
    }

    /// A statement begins, which may have to read for long.
    pub(super) fn begin_progress(&mut self) {
        self.pace = self.pace.take().map(|_| Pace::new());
    }

    /// Says how far reading is, if it is time to.
    pub(super) fn progress(&mut self, progress: &dyn Fn() -> Progress) {
        let Some(elapsed) = self.pace.as_mut().and_then(Pace::step) else { return };
        if self.page.as_ref().is_none_or(|(page, _)| !page.is_paged()) {
            let text = progress::text(&progress(), elapsed, self.err_place.width().unwrap_or(WIDTH));
            self.line.show(&self.err_place.painter().painted(Role::Dim, &text), self.is_typed_to);
        }
    }

    /// Ends what [`Self::begin_progress`] began.
    pub(super) fn end_progress(&mut self) {
        self.line.erase();
    }

    /// Says what went wrong.
    pub(super) fn problem(&mut self, problem: &Problem<'_>) {
        let mut text = Vec::new();
        let width = if self.verbose { Some(Problem::FULL) } else { self.err_place.width() };
        problem
            .write(&mut text, self.err_place.painter(), width)
            .expect("memory takes all that is written to it");
        self.say(&String::from_utf8_lossy(&text));
    }

    /// Says how long something took, whether or not anything else is said.
    pub(super) fn timing(&mut self, text: &str) {
        let text = self.err_place.painter().painted(Role::Dim, text);
        self.say(&format!("{text}\n"));
    }

    /// If the standard error cannot be written there is nobody to tell. An error of the standard output
    /// comes again when it is next written or flushed.
    fn say(&mut self, text: &str) {
        if let Some((page, later)) = &mut self.page
            && page.is_paged()
        {
            later.push_str(text);
            return;
        }
        let _ = self.out.flush();
        let _ = self.err.write_all(text.as_bytes());
        let _ = self.err.flush();
    }
}

/// The columns and lines of the terminal, where it tells them.
pub(super) fn terminal_size() -> (Option<usize>, Option<usize>) {
    let (columns, lines) = crossterm::terminal::size().unwrap_or((0, 0));
    let told = |count: u16| (count > 0).then_some(usize::from(count));
    (told(columns), told(lines))
}

/// Whether to use colour: what the command line says, then the environment, then where it goes.
fn wants_colour(colour: Colour, terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") => {
            true
        }
        Colour::Auto => terminal && variable("TERM").is_none_or(|term| term != "dumb"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_comes_before_the_environment_and_that_before_the_terminal() {
        let with = |set: &'static [(&str, &str)]| {
            move |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let auto = |terminal, set| wants_colour(Colour::Auto, terminal, with(set));
        assert!(auto(true, &[]) && !auto(false, &[]));
        assert!(!auto(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(auto(true, &[("NO_COLOR", "")]));
        assert!(auto(false, &[("CLICOLOR_FORCE", "1")]) && !auto(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!auto(true, &[("TERM", "dumb")]));
        assert!(wants_colour(Colour::Always, false, with(&[("NO_COLOR", "1")])));
        assert!(!wants_colour(Colour::Never, true, with(&[])));
    }
}
