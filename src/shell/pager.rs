//! The pager, for results that are taller than the screen.

use std::borrow::Cow;
use std::cell::RefCell;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
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

    /// The command as the environment has it.
    pub(super) fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Chosen(text) => text.to_string_lossy(),
            Self::Less => "less".into(),
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
    /// Why the pager cannot be run, if that has turned out.
    defect: Option<String>,
    /// What may stand on the screen.
    line: ProgressLine,
}

#[derive(Debug)]
enum Way {
    /// All is held back so far.
    Held,
    /// To the screen: somebody waits for it, or the pager cannot be run.
    Screen,
    /// To the pager.
    Paged(Paged),
    /// To nobody: the pager was left.
    Left(Child),
}

/// A pager at work.
#[derive(Debug)]
struct Paged {
    child: Child,
    input: ChildStdin,
    /// All that was written to it, for the screen if it turns out that nothing runs. None if it has read some of
    /// it for sure.
    sent: Option<Vec<u8>>,
}

/// The most bytes that a pipe takes before somebody reads them: 16 pages on Linux, of 64 KiB at most.
const PIPE: usize = 1 << 20;

impl Page {
    /// A page with a pager that comes after so many lines, on a screen where this line may stand.
    pub(super) fn new(pager: Pager, room: usize, line: ProgressLine) -> Rc<Self> {
        let state = State { pager, room, held: Vec::new(), lines: 0, way: Way::Held, defect: None, line };
        Rc::new(Self(RefCell::new(state)))
    }

    /// Whether the pager has the screen.
    pub(super) fn is_paged(&self) -> bool {
        matches!(self.0.borrow().way, Way::Paged(_) | Way::Left(_))
    }

    /// Whether somebody left the pager before the end.
    pub(super) fn is_left(&self) -> bool {
        matches!(self.0.borrow().way, Way::Left(_))
    }

    /// The pager that cannot be run, and why, once that has turned out.
    pub(super) fn defect(&self) -> Option<(Pager, String)> {
        let state = self.0.borrow();
        state.defect.clone().map(|why| (state.pager.clone(), why))
    }

    /// Writes what is held back, or waits until the pager is left.
    pub(super) fn end(&self, screen: &mut dyn Write) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        match std::mem::replace(&mut state.way, Way::Screen) {
            Way::Held | Way::Screen => {}
            Way::Paged(Paged { mut child, input, sent }) => {
                drop(input);
                let status = child.wait()?;
                state.judge(status, sent);
            }
            Way::Left(mut child) => return child.wait().map(|_| ()),
        }
        screen.write_all(&std::mem::take(&mut state.held))
    }
}

impl State {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.way, Way::Held) {
            self.held.extend_from_slice(bytes);
            self.lines += memchr::memchr_iter(b'\n', bytes).count();
            if self.lines > self.room {
                self.turn();
                return self.pass_held();
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
                Some(input) => Way::Paged(Paged { child, input, sent: Some(Vec::new()) }),
                None => Way::Screen,
            },
            Err(error) => {
                self.defect = Some(match error.kind() {
                    io::ErrorKind::NotFound => ABSENT.to_owned(),
                    _ => error.to_string(),
                });
                Way::Screen
            }
        };
    }

    fn pass_held(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.pass(&held)
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.way {
            Way::Held => {
                self.held.extend_from_slice(bytes);
                Ok(())
            }
            Way::Screen => {
                let mut screen = self.line.above(io::stdout());
                screen.write_all(&std::mem::take(&mut self.held))?;
                screen.write_all(bytes)
            }
            Way::Paged(paged) => match paged.write(bytes) {
                Ok(()) => Ok(()),
                Err(error) => self.leave(error),
            },
            Way::Left(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The pager reads no more. Either somebody left it, which is an error, or it never ran.
    fn leave(&mut self, error: io::Error) -> io::Result<()> {
        let Way::Paged(Paged { mut child, input, sent }) = std::mem::replace(&mut self.way, Way::Screen)
        else {
            return Err(error);
        };
        drop(input);
        if sent.is_some() {
            let status = child.wait()?;
            self.judge(status, sent);
        }
        if self.defect.is_none() {
            self.way = Way::Left(child);
            return Err(error);
        }
        Ok(())
    }

    /// Holds what was sent to a pager that has ended for the screen, if its status says that it never ran.
    fn judge(&mut self, status: ExitStatus, sent: Option<Vec<u8>>) {
        let defect = match status.code() {
            Some(NOT_FOUND) => ABSENT,
            Some(NOT_EXECUTABLE) => "it is no program that can be run",
            Some(_) | None => return,
        };
        if let Some(sent) = sent {
            self.defect = Some(defect.to_owned());
            self.held = sent;
        }
    }

    /// Somebody waits: what is held back is shown, and the pager does not come any more.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.way {
            Way::Held if self.held.is_empty() => Ok(()),
            Way::Held => {
                self.way = Way::Screen;
                self.pass_held()?;
                io::stdout().flush()
            }
            Way::Screen => {
                self.pass(&[])?;
                io::stdout().flush()
            }
            Way::Paged(paged) => match paged.child.try_wait()? {
                Some(_) => self.leave(io::ErrorKind::BrokenPipe.into()),
                None => Ok(()),
            },
            Way::Left(_) => Ok(()),
        }
    }
}

/// What is wrong with a program that is not there.
const ABSENT: &str = "there is no such program";

/// The exit status of a shell that does not find a program.
const NOT_FOUND: i32 = 127;

/// The exit status of a shell that finds a program and cannot run it.
const NOT_EXECUTABLE: i32 = 126;

impl Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(sent) = &mut self.sent {
            sent.extend_from_slice(bytes);
        }
        self.input.write_all(bytes)?;
        self.sent.take_if(|sent| sent.len() > PIPE);
        Ok(())
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

    /// What comes to the screen at the end of a result that goes to a pager, and what is wrong with the pager.
    #[cfg(unix)]
    fn shown_by(pager: &str) -> (String, Option<String>) {
        let page = Page::new(Pager::Chosen(pager.into()), 0, ProgressLine::default());
        PageWriter::new(page.clone()).write_all(b"one\ntwo\n").unwrap();
        let mut screen = Vec::new();
        page.end(&mut screen).unwrap();
        (String::from_utf8(screen).unwrap(), page.defect().map(|(_, why)| why))
    }

    #[cfg(unix)]
    #[test]
    fn what_went_to_a_pager_that_never_ran_comes_to_the_screen() {
        let all = "one\ntwo\n".to_owned();
        let absent = Some("there is no such program".to_owned());
        assert_eq!(shown_by("rowkind-no-such-pager 2>&-"), (all.clone(), absent.clone()));
        assert_eq!(shown_by("sleep 0.1; exit 127"), (all.clone(), absent));
        assert_eq!(shown_by("exit 126"), (all, Some("it is no program that can be run".to_owned())));
        // One that ran and failed has said so itself.
        assert_eq!(shown_by("cat > /dev/null; exit 1"), (String::new(), None));
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
