//! From the command line to the first statement, and to the exit status.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rowkind::Session;
use rowkind::render::Problem;
use rowkind::session::STRICT;

use super::arguments::{Action, Arguments, Task};
use super::check;
use super::desk::{Desk, FollowedSettings, Manner, unwritable};
use super::expansion::Expansion;
use super::generate::generate;
use super::input::{Source, read_file};
use super::interrupt::Interrupt;
use super::output::{Output, Taste};
use super::pager::Paging;
use super::places;
use super::status::{Status, Stop};
use super::theme::Theme;

/// Runs what the command line says. The result is the exit status of the process.
pub(crate) fn run() -> ExitCode {
    match Arguments::read(std::env::args_os()) {
        Ok((Arguments { action: Some(Action::Test(arguments)), .. }, _)) => check::run(&arguments).into(),
        Ok((arguments, tasks)) => match generate(&arguments) {
            Some(status) => status.into(),
            None => start(&arguments, tasks).into(),
        },
        Err(error) => {
            // Help and version are no errors, and go to the standard output.
            let _ = error.print();
            u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}

/// What there is to run: scripts in memory, or what somebody types or writes.
enum Job {
    /// What comes before all others. If it fails at the prompt, the prompt comes all the same.
    Start {
        text: String,
        path: PathBuf,
    },
    Script {
        text: String,
        path: Option<PathBuf>,
    },
    Stream,
    Talk,
}

impl Job {
    /// Whether the statements come from standard input.
    fn takes_stdin(&self) -> bool {
        match self {
            Self::Stream | Self::Talk => true,
            Self::Start { .. } | Self::Script { .. } => false,
        }
    }
}

fn start(arguments: &Arguments, tasks: Vec<Task>) -> Status {
    let mut output = Output::standard(arguments.color, arguments.quiet);
    let jobs = match jobs(arguments, tasks) {
        Ok(jobs) => jobs,
        Err(problem) => {
            output.problem(&problem);
            return Status::Usage;
        }
    };
    let interactive = matches!(jobs[..], [.., Job::Talk]);
    let mut session = Session::new();
    if !jobs.iter().any(Job::takes_stdin) {
        session.streams().set_stdin(io::stdin());
    }
    output.make_room_for(session.streams());
    output.is_typed_to = interactive;
    if let Err(problem) = set(&mut session, &mut output, arguments) {
        output.problem(&problem);
        return Status::Usage;
    }
    let interrupt = match Interrupt::install(session.interrupter(), !interactive) {
        Ok(interrupt) => interrupt,
        Err(error) => {
            output.notice(&format!("Ctrl-C ends the shell: {error}"));
            Interrupt::default()
        }
    };
    output.taste = taste(arguments);
    if let Some(path) = &arguments.output
        && let Err(error) = output.redirect(Some(path), session.streams())
    {
        output.problem(&unwritable(path, &error));
        return Status::Usage;
    }
    let manner = Manner {
        format: arguments.chosen_format(),
        interactive,
        keep_going: arguments.keep_going,
        timing: arguments.timing,
        echo: arguments.echo,
        paging: Paging::Auto,
    };
    let mut desk = Desk::new(session, output, interrupt, manner);
    desk.follow_settings(&FollowedSettings::default());
    desk.dress.theme = Theme::of_terminal(desk.output.look().colour);
    let history = if arguments.no_history { None } else { places::history() };
    let result = run_jobs(&mut desk, jobs, history.as_deref());
    end(&mut desk, result)
}

/// The script that runs first: that of the command line or, at the prompt, the start file if there is one.
fn start_file(arguments: &Arguments, interactive: bool) -> Result<Option<Job>, Problem<'static>> {
    let path = match &arguments.init {
        Some(path) => path.clone(),
        None if arguments.no_init || !interactive => return Ok(None),
        None => match places::start_file() {
            Some(path) if path.exists() => path,
            Some(_) | None => return Ok(None),
        },
    };
    Ok(Some(Job::Start { text: read_file(&path)?, path }))
}

fn taste(arguments: &Arguments) -> Taste {
    Taste {
        null: arguments.null.as_deref().map(Into::into),
        table: None,
        headers: !arguments.no_header,
        max_rows: arguments.max_rows.filter(|limit| *limit > 0),
        max_width: arguments.max_width.filter(|limit| *limit > 0),
        side: arguments.view,
        expansion: Expansion::Off,
    }
}

/// Reads the scripts, before the first of them runs.
fn jobs(arguments: &Arguments, tasks: Vec<Task>) -> Result<Vec<Job>, Problem<'static>> {
    let interactive = tasks.is_empty() && io::stdin().is_terminal();
    let mut jobs: Vec<Job> = start_file(arguments, interactive)?.into_iter().collect();
    if tasks.is_empty() {
        jobs.push(if interactive { Job::Talk } else { Job::Stream });
        return Ok(jobs);
    }
    let job = |task| match task {
        Task::Command(text) => Ok(Job::Script { text, path: None }),
        Task::File(path) if path.as_os_str() == "-" => Ok(Job::Stream),
        Task::File(path) => Ok(Job::Script { text: read_file(&path)?, path: Some(path) }),
    };
    for task in tasks {
        jobs.push(job(task)?);
    }
    Ok(jobs)
}

fn set(session: &mut Session, output: &mut Output, arguments: &Arguments) -> Result<(), Problem<'static>> {
    let strict = arguments.strict.then(|| (STRICT.to_owned(), "true".to_owned()));
    for (key, value) in arguments.settings.iter().cloned().chain(strict) {
        match session.set(&key, &value) {
            Ok(notice) => notice.iter().for_each(|notice| output.notice(notice)),
            Err(error) => return Err(Problem { hint: error.hint(), ..Problem::new(error.to_string()) }),
        }
    }
    Ok(())
}

fn run_jobs(desk: &mut Desk, jobs: Vec<Job>, history: Option<&Path>) -> Result<Status, Stop> {
    for job in jobs {
        match job {
            Job::Start { text, path } => {
                let interactive = std::mem::replace(&mut desk.manner.interactive, false);
                let name = path.display().to_string();
                desk.reading = vec![path];
                let result = desk.run_script(Source { text: &text, name: Some(&name) });
                desk.reading.clear();
                desk.manner.interactive = interactive;
                match result {
                    Err(Stop::Failed | Stop::Broken | Stop::Interrupted) if interactive => {
                        desk.failed = false;
                    }
                    result => result?,
                }
            }
            Job::Script { text, path } => {
                let name = path.as_ref().map(|path| path.display().to_string());
                desk.reading = path.into_iter().collect();
                desk.run_script(Source { text: &text, name: name.as_deref() })?;
            }
            Job::Stream => {
                desk.reading.clear();
                let status = desk.run_stream(io::stdin().lock())?;
                if status != Status::Done {
                    return Ok(status);
                }
            }
            Job::Talk => {
                desk.converse(history)?;
                // What failed at the prompt was seen there.
                return desk.settle().map(|()| Status::Done);
            }
        }
    }
    desk.finish()?;
    Ok(if desk.failed { Status::Failed } else { Status::Done })
}

fn end(desk: &mut Desk, result: Result<Status, Stop>) -> Status {
    let result = result.or_else(|stop| match stop {
        // A script that leaves has come to its end.
        Stop::Quit => desk.finish().map(|()| if desk.failed { Status::Failed } else { Status::Done }),
        stop => Err(stop),
    });
    match result {
        Ok(status) => status,
        Err(Stop::Failed | Stop::Broken) => Status::Failed,
        Err(Stop::Interrupted) => Status::Interrupted,
        Err(Stop::Quit | Stop::Closed) => {
            if desk.failed {
                Status::Failed
            } else {
                Status::Done
            }
        }
        Err(Stop::Output(error)) => {
            desk.output.problem(&Problem::new(format!("the output cannot be written: {error}")));
            Status::Failed
        }
    }
}
