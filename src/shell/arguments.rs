//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rowkind::render::{Format, Side};

use super::generate::VERSION;

/// An interactive Flink SQL shell for changelogs.
///
/// Tables live in memory and are logs of changes: +I, -U, +U and -D. Any changelog goes in, any SQL in the
/// middle, any changelog out, as Apache Flink would have it.
///
/// Without arguments, statements are read from the terminal, or from the standard input if it is none.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[command(name = "rowkind", version = VERSION, after_help = AFTER_HELP, args_override_self = true)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) action: Option<Action>,

    /// Scripts to run, one after the other; `-` is the standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Run a script; may be repeated and mixed with -c
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    more_files: Vec<PathBuf>,

    /// Run statements; may be repeated and mixed with -f
    #[arg(short, long = "command", value_name = "SQL", allow_hyphen_values = true)]
    commands: Vec<String>,

    // Flink's client calls it -D, and the start script -i.
    /// Set a setting, as SET 'KEY' = 'VALUE' does
    #[arg(short, visible_short_alias = 'D', long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    pub(super) settings: Vec<(String, String)>,

    /// Accept only what Flink accepts
    #[arg(long)]
    pub(super) strict: bool,

    /// How results are written
    #[arg(long, value_name = "FORMAT", default_value = "changelog", hide_default_value = true, value_parser = format())]
    pub(super) format: Format,

    /// As --format csv
    #[arg(long, conflicts_with = "format")]
    csv: bool,

    /// As --format json
    #[arg(long, conflicts_with_all = ["format", "csv"])]
    json: bool,

    /// Which side of a result is shown
    #[arg(long, value_name = "VIEW", default_value = "auto", hide_default_value = true,
          value_parser = PossibleValuesParser::new(Side::ALL.map(Side::name)).try_map(|name| name.parse::<Side>()))]
    pub(super) view: Side,

    /// What stands for NULL, if not what the format has for it
    #[arg(long, value_name = "TEXT")]
    pub(super) null: Option<String>,

    /// Leave out the names of the columns
    #[arg(long)]
    pub(super) no_header: bool,

    /// Leave out the rows in the middle of a box that has more
    #[arg(long, value_name = "N")]
    pub(super) max_rows: Option<usize>,

    /// Make boxes no wider, also where no terminal asks for it
    #[arg(long, value_name = "N")]
    pub(super) max_width: Option<usize>,

    /// Write results to a file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write each statement before its result
    #[arg(long)]
    pub(super) echo: bool,

    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(super) color: Colour,

    /// Go on after a statement that failed; the exit status is still 1
    #[arg(long)]
    pub(super) keep_going: bool,

    /// Say nothing but results and errors
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Say how long each statement took
    #[arg(long)]
    pub(super) timing: bool,

    /// Neither read nor write the history of the prompt
    #[arg(long)]
    pub(super) no_history: bool,

    /// Run a script first, in place of the start file
    #[arg(short, long, value_name = "FILE")]
    pub(super) init: Option<PathBuf>,

    /// Do not read the start file
    #[arg(long, conflicts_with = "init")]
    pub(super) no_init: bool,

    /// Write a script that completes this command line in a shell
    #[arg(long, value_name = "SHELL")]
    pub(super) generate_completion: Option<Shell>,

    /// Write the manual page
    #[arg(long)]
    pub(super) generate_man: bool,
}

/// What else the program does.
#[derive(Debug, Subcommand)]
pub(super) enum Action {
    /// Run scripts and compare what they give with their transcripts
    ///
    /// The transcript of NAME.sql is NAME.out beside it. In folders all scripts are found.
    Test(TestArguments),
}

/// The command line of `rowkind test`.
#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Scripts, and folders of scripts
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,

    /// Write the transcripts instead of comparing them
    #[arg(long)]
    pub(super) bless: bool,

    /// Accept only what Flink accepts, as a first line `-- strict` does for one script
    #[arg(long)]
    pub(super) strict: bool,

    /// Let a script fail that has not ended after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) timeout: u64,

    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(super) color: Colour,
}

const AFTER_HELP: &str = "\
Examples:
  rowkind                                     talk to the shell
  rowkind orders.sql                          run a script
  rowkind -f tables.sql -c 'SELECT * FROM t'  run a script, then a query
  rowkind --format jsonl orders.sql | jq .row
  rowkind --csv --view table -o t.csv tables.sql -c 'SELECT * FROM t'
  rowkind test examples                       compare scripts with their transcripts
  echo \"SELECT 'hello' AS greeting\" | rowkind

Exit status: 0 if all went well, 1 if a statement failed, 2 if the command line
is wrong or a file cannot be read, 130 after Ctrl-C.

Environment: ROWKIND_RC (the start file of the prompt; empty for none; it is
$XDG_CONFIG_HOME/rowkind/rc.sql by default), ROWKIND_HISTORY (the file of the
history; empty for none), ROWKIND_PAGER (empty for none), PAGER, VISUAL, EDITOR,
COLORFGBG, NO_COLOR, CLICOLOR_FORCE.";

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Something to run, in the order of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// A script in a file; `-` is the standard input.
    File(PathBuf),
    /// Statements.
    Command(String),
}

impl Arguments {
    /// Reads the command line, with what it says to run in its order.
    pub(super) fn read<I, T>(words: I) -> Result<(Self, Vec<Task>), clap::Error>
    where
        I: IntoIterator<Item = T>,
        T: Into<std::ffi::OsString> + Clone,
    {
        let matches = Self::command().try_get_matches_from(words)?;
        let arguments = Self::from_arg_matches(&matches)?;
        let tasks = arguments.tasks(&matches);
        Ok((arguments, tasks))
    }

    /// How results are written.
    pub(super) fn chosen_format(&self) -> Format {
        match (self.csv, self.json) {
            (true, _) => Format::Csv,
            (_, true) => Format::Json,
            (false, false) => self.format,
        }
    }

    fn tasks(&self, matches: &ArgMatches) -> Vec<Task> {
        let places = |name: &str| matches.indices_of(name).into_iter().flatten();
        let files = |paths: &[PathBuf]| paths.iter().cloned().map(Task::File).collect::<Vec<_>>();
        let commands = self.commands.iter().cloned().map(Task::Command);
        let mut tasks: Vec<(usize, Task)> = places("files").zip(files(&self.files)).collect();
        tasks.extend(places("more_files").zip(files(&self.more_files)));
        tasks.extend(places("commands").zip(commands));
        tasks.sort_by_key(|(place, _)| *place);
        tasks.into_iter().map(|(_, task)| task).collect()
    }
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(|format| {
        clap::builder::PossibleValue::new(format.name()).aliases(format.aliases()).help(format.about())
    }))
    .try_map(|name| name.parse::<Format>())
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("a setting is KEY=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn files_and_commands_keep_their_order() {
        let words = ["rowkind", "-c", "one", "-f", "two", "three", "-c", "four", "-f", "-"];
        let (_, tasks) = Arguments::read(words).unwrap();
        let expected = [
            Task::Command("one".to_owned()),
            Task::File("two".into()),
            Task::File("three".into()),
            Task::Command("four".to_owned()),
            Task::File("-".into()),
        ];
        assert_eq!(tasks, expected);
    }

    #[test]
    fn of_an_option_that_is_given_twice_the_last_counts() {
        let words = [
            "rowkind", "--format", "csv", "--null", "a", "--strict", "--format", "jsonl", "--null", "b",
            "--strict",
        ];
        let (arguments, _) = Arguments::read(words).unwrap();
        assert_eq!((arguments.format, arguments.null.as_deref()), (Format::Jsonl, Some("b")));
        let settings = ["rowkind", "-s", "a=1", "-Db=2"];
        assert_eq!(Arguments::read(settings).unwrap().0.settings.len(), 2);
        assert!(Arguments::read(["rowkind", "--csv", "--json"]).is_err());
    }

    #[test]
    fn only_the_first_word_can_be_an_action() {
        let (arguments, tasks) = Arguments::read(["rowkind", "test", "a", "b", "--bless"]).unwrap();
        let Some(Action::Test(test)) = arguments.action else { panic!("it is a test") };
        assert!(test.bless && test.paths.len() == 2 && tasks.is_empty());
        for words in [["rowkind", "a", "test"], ["rowkind", "./test", "a"]] {
            let (arguments, tasks) = Arguments::read(words).unwrap();
            assert!(arguments.action.is_none() && tasks.len() == 2, "{words:?}");
        }
    }

    #[test]
    fn a_setting_has_a_key_and_may_have_an_empty_value() {
        assert_eq!(setting("a.b=c=d"), Ok(("a.b".to_owned(), "c=d".to_owned())));
        assert_eq!(setting("a="), Ok(("a".to_owned(), String::new())));
        assert!(setting("=x").is_err() && setting("x").is_err());
    }
}
