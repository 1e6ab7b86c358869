//! `rowkind test`: scripts against their transcripts.

use std::env;
use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use rowkind::Session;
use rowkind::connect::Replacement;
use rowkind::render::{Format, Painter, Problem, Role};
use rowkind::session::STRICT;

use super::arguments::{Colour, TestArguments};
use super::desk::{Desk, Manner, unwritable};
use super::diff::diff;
use super::input::{Source, read_file};
use super::interrupt::Interrupt;
use super::output::Output;
use super::pager::Paging;

use super::status::{Status, Stop};
use super::written::Written;

/// What became of a script.
#[derive(Debug)]
enum Verdict {
    /// It gives what its transcript says.
    Same,
    /// Its transcript was written, or written anew.
    Blessed,
    /// It gives something else: what to say about this.
    Different(String),
    /// It cannot be compared.
    Broken(Problem<'static>),
}

/// Runs the scripts that the command line names.
pub(super) fn run(arguments: &TestArguments) -> Status {
    let mut output = Output::standard(arguments.color, false);
    let status = match find(&arguments.paths) {
        Ok(files) => compare(&mut output, &files, arguments),
        Err(problem) => {
            output.problem(&problem);
            return Status::Usage;
        }
    };
    match status.and_then(|status| output.out.flush().map(|()| status)) {
        Ok(status) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Failed,
        Err(error) => {
            output.problem(&Problem::new(format!("the output cannot be written: {error}")));
            Status::Failed
        }
    }
}

/// The scripts in files and folders, each once, and transcripts in folders that have no script.
fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem<'static>> {
    let mut files = Vec::new();
    for path in paths {
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Problem::new(format!("\"{}\" does not exist", path.display())),
            _ => Problem::new(format!("\"{}\" cannot be read: {error}", path.display())),
        };
        if path.metadata().map_err(unreadable)?.is_dir() {
            let before = files.len();
            collect(path, &mut files).map_err(unreadable)?;
            if files.len() == before {
                let problem = Problem::new(format!("there is no script in \"{}\"", path.display()));
                return Err(problem.with_hint("A script is a file that ends with .sql."));
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
        // A link to a folder above would never end.
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if is("sql") || is("out") && !path.with_extension("sql").exists() {
            files.push(path);
        }
    }
    Ok(())
}

fn compare(output: &mut Output, files: &[PathBuf], arguments: &TestArguments) -> io::Result<Status> {
    let painter = output.painter();
    let (mut same, mut blessed, mut failed) = (0, 0, 0);
    for path in files {
        match check(path, arguments, painter) {
            Verdict::Same => same += 1,
            Verdict::Blessed => {
                blessed += 1;
                writeln!(output.out, "{} {}", painter.painted(Role::Hint, "wrote"), path.display())?;
            }
            Verdict::Different(difference) => {
                failed += 1;
                writeln!(output.out, "{} {}", painter.painted(Role::Error, "failed"), path.display())?;
                output.out.write_all(difference.as_bytes())?;
            }
            Verdict::Broken(problem) => {
                failed += 1;
                writeln!(output.out, "{} {}", painter.painted(Role::Error, "failed"), path.display())?;
                problem.write(&mut *output.out, painter, None)?;
            }
        }
    }
    let mut parts = vec![format!("{same} as expected")];
    parts.extend((blessed > 0).then(|| format!("{blessed} written")));
    parts.extend((failed > 0).then(|| format!("{failed} failed")));
    let scripts = if files.len() == 1 { "1 script" } else { &format!("{} scripts", files.len()) };
    let role = if failed > 0 { Role::Error } else { Role::Insert };
    writeln!(output.out, "{}", painter.painted(role, &format!("{scripts}: {}", parts.join(", "))))?;
    Ok(if failed > 0 { Status::Failed } else { Status::Done })
}

fn check(script: &Path, arguments: &TestArguments, painter: Painter) -> Verdict {
    if script.extension().is_some_and(|extension| extension == "out") {
        let problem = Problem::new("there is no script of this transcript");
        return Verdict::Broken(problem.with_hint("Remove it."));
    }
    let given = match transcript(script, arguments) {
        Ok(given) => given,
        Err(problem) => return Verdict::Broken(problem),
    };
    let path = script.with_extension("out");
    let expected = match fs::read_to_string(&path) {
        Ok(expected) => Some(expected),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            let name = path.display();
            return Verdict::Broken(Problem::new(format!("file \"{name}\" cannot be read: {error}")));
        }
    };
    match expected {
        Some(expected) if expected == given => Verdict::Same,
        _ if arguments.bless => match Replacement::write(&path, &given) {
            Ok(()) => Verdict::Blessed,
            Err(error) => Verdict::Broken(unwritable(&path, &error)),
        },
        Some(expected) => {
            let lines = diff(&expected, &given, painter);
            let legend = format!("- is in {}, + is what the script gives", path.display());
            Verdict::Different(format!("{}\n{lines}", painter.painted(Role::Dim, &legend)))
        }
        None => {
            let problem = Problem::new(format!("there is no transcript \"{}\"", path.display()));
            Verdict::Broken(problem.with_hint("--bless writes it."))
        }
    }
}

/// Runs a script by itself and returns its transcript, however it ends.
fn transcript(script: &Path, arguments: &TestArguments) -> Result<String, Problem<'static>> {
    let text = read_file(script)?;
    let limit = Duration::from_secs(arguments.timeout);
    let directory = env::current_dir();
    let result = survive(AssertUnwindSafe(|| {
        let (interrupt, session) = (Interrupt::default(), Session::new());
        let interrupt = interrupt.with_statement(session.interrupter());
        let alarm = Alarm::set(limit, interrupt.clone());
        let transcript = run_script(script, &text, session, interrupt, arguments.strict);
        if alarm.has_rung() { Err(late(limit)) } else { transcript }
    }));
    // The script may have left it.
    if let Ok(directory) = directory {
        let _ = env::set_current_dir(directory);
    }
    result
}

/// Does something that may panic.
fn survive<T>(act: impl FnOnce() -> Result<T, Problem<'static>> + UnwindSafe) -> Result<T, Problem<'static>> {
    panic::catch_unwind(act).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text =
            text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("for no reason that it tells");
        let problem = Problem::new(format!("rowkind panicked: {text}"));
        Err(problem.with_hint(
            "That is a mistake in rowkind, not in the script. The other scripts run all the same.",
        ))
    })
}

fn late(limit: Duration) -> Problem<'static> {
    let seconds = limit.as_secs();
    let seconds = if seconds == 1 { "1 second".to_owned() } else { format!("{seconds} seconds") };
    Problem::new(format!("the script has not ended after {seconds}"))
        .with_hint("A table with 'source.monitor-interval' has no end. --timeout SECONDS waits longer.")
}

fn run_script(
    script: &Path,
    text: &str,
    mut session: Session,
    interrupt: Interrupt,
    strict: bool,
) -> Result<String, Problem<'static>> {
    let written = Written::default();
    let output = Output::into(Box::new(written.clone()), Box::new(io::sink()), Colour::Never);
    session.streams().set_stdout(written.clone());
    if strict && let Err(error) = session.set(STRICT, "true") {
        return Err(Problem::new(error.to_string()));
    }
    let manner = Manner {
        format: Format::Transcript,
        interactive: false,
        keep_going: true,
        timing: false,
        echo: false,
        paging: Paging::Off,
    };
    let mut desk = Desk::new(session, output, interrupt, manner);
    desk.reading = vec![script.to_owned()];
    let name = script.display().to_string();
    let result = desk.run_script(Source { text, name: Some(&name) });
    match result {
        Ok(()) | Err(Stop::Failed | Stop::Broken | Stop::Quit) => {}
        Err(Stop::Interrupted | Stop::Closed) => return Err(Problem::new("the script was stopped")),
        Err(Stop::Output(error)) => {
            return Err(Problem::new(format!("the output cannot be written: {error}")));
        }
    }
    // Whatever comes next would be in the transcript or not, as it happens.
    if desk.session.follow().is_some() {
        let problem = Problem::new("the script has no end: it follows a table that has none");
        return Err(problem.with_hint("Leave out 'source.monitor-interval', or STOP JOB at its end."));
    }
    // What fails at the end is in the transcript.
    let _ = desk.finish();
    String::from_utf8(written.take()).map_err(|_| Problem::new("the transcript is not UTF-8"))
}

/// Stops a script that takes too long, as Ctrl-C would.
struct Alarm {
    has_rung: Arc<AtomicBool>,
    /// The alarm rings no more when this is gone.
    _off: Sender<()>,
}

impl Alarm {
    fn set(limit: Duration, interrupt: Interrupt) -> Self {
        let (off, is_off) = mpsc::channel();
        let has_rung = Arc::new(AtomicBool::new(false));
        let rings = has_rung.clone();
        thread::spawn(move || {
            if is_off.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                rings.store(true, Ordering::Relaxed);
                interrupt.press();
            }
        });
        Self { has_rung, _off: off }
    }

    fn has_rung(&self) -> bool {
        self.has_rung.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_problem_of_one_script() {
        let _alone = crate::shell::PANICS.lock().unwrap();
        let message = |act: fn() -> Result<(), Problem<'static>>| survive(act).unwrap_err().message;
        assert_eq!(message(|| panic!("for a {}", "test")), "rowkind panicked: for a test");
        assert_eq!(message(|| panic!("plainly")), "rowkind panicked: plainly");
        assert!(survive(|| Ok(())).is_ok());
    }
}
