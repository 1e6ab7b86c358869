//! The pager, for results that are taller than the screen.

use std::cell::RefCell;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;

use super::progress::ProgressLine;

/// When results go through a pager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Paging {
    /// When they are taller than the screen.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Paging {
    /// The name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::On => "on",
            Self::Off => "off",
        }
    }

    /// The one with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Auto, Self::On, Self::Off].into_iter().find(|paging| paging.name() == name)
    }
}

/// The program that shows what is tall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pager {
    /// What a variable of the environment says, for a shell.
    Chosen(OsString),
    /// `less`, which is left at once where all fits, chops long lines and knows colours.
    Less,
}

impl Pager {
    /// The pager that the environment names: `ROWKIND_PAGER`, of which an empty value is none, then
    /// `PAGER`, then `less`.
    pub(super) fn of_environment(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        match variable("ROWKIND_PAGER") {
            Some(command) => (!command.is_empty()).then_some(Self::Chosen(command)),
            None => match variable("PAGER") {
                Some(command) if !command.is_empty() => Some(Self::Chosen(command)),
                _ => Some(Self::Less),
            },
        }
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = match self {
            Self::Chosen(text) => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(text);
                command
            }
            Self::Less => {
                let mut command = Command::new("less");
                command.arg("-SRFX");
                command
            }
        };
        if env::var_os("LESSCHARSET").is_none() {
            command.env("LESSCHARSET", "utf-8");
        }
        command.stdin(Stdio::piped()).spawn()
    }
}

/// A result on its way to the screen. It is held back until it is known to fit, or goes to the pager.
#[derive(Debug)]
pub(super) struct Page(RefCell<State>);

#[derive(Debug)]
struct State {
    pager: Pager,
    /// How many lines may come before the pager does.
    room: usize,
    held: Vec<u8>,
    lines: usize,
    way: Way,
    /// What may stand on the screen.
    line: ProgressLine,
}

#[derive(Debug)]
enum Way {
    /// All is held back so far.
    Held,
    /// To the screen: somebody waits for it.
    Screen,
    /// To the pager.
    Paged(Child, ChildStdin),
    /// To nobody: the pager was left.
    Left(Child),
}

impl Page {
    /// A page with a pager that comes after so many lines, on a screen where this line may stand.
    pub(super) fn new(pager: Pager, room: usize, line: ProgressLine) -> Rc<Self> {
        Rc::new(Self(RefCell::new(State { pager, room, held: Vec::new(), lines: 0, way: Way::Held, line })))
    }

    /// Whether the pager has the screen.
    pub(super) fn is_paged(&self) -> bool {
        matches!(self.0.borrow().way, Way::Paged(..) | Way::Left(_))
    }

    /// Whether somebody left the pager before the end.
    pub(super) fn is_left(&self) -> bool {
        matches!(self.0.borrow().way, Way::Left(_))
    }

    /// Writes what is held back, or waits until the pager is left.
    pub(super) fn end(&self, screen: &mut dyn Write) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        let held = std::mem::take(&mut state.held);
        match std::mem::replace(&mut state.way, Way::Screen) {
            Way::Held | Way::Screen => screen.write_all(&held),
            Way::Paged(mut child, mut input) => {
                // Whoever leaves the pager does not want the rest.
                let _ = input.write_all(&held);
                drop(input);
                child.wait().map(|_| ())
            }
            Way::Left(mut child) => child.wait().map(|_| ()),
        }
    }
}

impl State {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.way, Way::Held) {
            self.held.extend_from_slice(bytes);
            self.lines += memchr::memchr_iter(b'\n', bytes).count();
            if self.lines > self.room {
                self.turn();
                let held = std::mem::take(&mut self.held);
                return self.pass(&held);
            }
            return Ok(());
        }
        self.pass(bytes)
    }

    /// Starts the pager; where there is none, the screen has to do.
    fn turn(&mut self) {
        self.line.erase();
        self.way = match self.pager.start() {
            Ok(mut child) => match child.stdin.take() {
                Some(input) => Way::Paged(child, input),
                None => Way::Screen,
            },
            Err(_) => Way::Screen,
        };
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.way {
            Way::Held => {
                self.held.extend_from_slice(bytes);
                Ok(())
            }
            Way::Screen => self.line.above(io::stdout()).write_all(bytes),
            Way::Paged(_, input) => {
                let result = input.write_all(bytes);
                if result.is_err()
                    && let Way::Paged(child, _) = std::mem::replace(&mut self.way, Way::Screen)
                {
                    self.way = Way::Left(child);
                }
                result
            }
            Way::Left(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Somebody waits: what is held back is shown, and the pager does not come any more.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.way {
            Way::Held if self.held.is_empty() => Ok(()),
            Way::Held => {
                self.way = Way::Screen;
                let held = std::mem::take(&mut self.held);
                self.pass(&held)?;
                io::stdout().flush()
            }
            Way::Screen => io::stdout().flush(),
            Way::Paged(_, input) => input.flush(),
            Way::Left(_) => Ok(()),
        }
    }
}

/// Writes to a page.
#[derive(Debug)]
pub(super) struct PageWriter(Rc<Page>);

impl PageWriter {
    /// A writer for a page.
    pub(super) fn new(page: Rc<Page>) -> Self {
        Self(page)
    }
}

impl Write for PageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.borrow_mut().write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.0.borrow_mut().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_pager() {
        let pager = |set: &'static [(&str, &str)]| {
            Pager::of_environment(|name| set.iter().find(|(key, _)| *key == name).map(|(_, v)| (*v).into()))
        };
        assert_eq!(pager(&[]), Some(Pager::Less));
        assert_eq!(pager(&[("PAGER", "")]), Some(Pager::Less));
        assert_eq!(pager(&[("PAGER", "more")]), Some(Pager::Chosen("more".into())));
        assert_eq!(pager(&[("PAGER", "more"), ("ROWKIND_PAGER", "cat")]), Some(Pager::Chosen("cat".into())));
        assert_eq!(pager(&[("PAGER", "more"), ("ROWKIND_PAGER", "")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_what_is_tall_goes_to_the_pager() {
        let folder = tempfile::tempdir().unwrap();
        let paged = folder.path().join("paged");
        let shown = |lines: usize| {
            let _ = std::fs::remove_file(&paged);
            let page = Page::new(
                Pager::Chosen(format!("cat > '{}'", paged.display()).into()),
                3,
                ProgressLine::default(),
            );
            let mut writer = PageWriter::new(page.clone());
            writer.flush().unwrap();
            for line in 0..lines {
                writeln!(writer, "{line}").unwrap();
            }
            let mut screen = Vec::new();
            page.end(&mut screen).unwrap();
            (String::from_utf8(screen).unwrap(), std::fs::read_to_string(&paged).ok())
        };
        assert_eq!(shown(3), ("0\n1\n2\n".to_owned(), None));
        assert_eq!(shown(5), (String::new(), Some("0\n1\n2\n3\n4\n".to_owned())));
    }

    #[cfg(unix)]
    #[test]
    fn who_leaves_the_pager_ends_the_result() {
        let page = Page::new(Pager::Chosen("exit".into()), 0, ProgressLine::default());
        let mut writer = PageWriter::new(page.clone());
        let error = (0..1_000_000).find_map(|_| writer.write_all(b"a line that nobody reads\n").err());
        assert_eq!(error.unwrap().kind(), io::ErrorKind::BrokenPipe);
        assert!(page.is_left());
        page.end(&mut io::sink()).unwrap();
    }
}
