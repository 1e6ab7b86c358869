//! Runs every script of `sql-examples` and compares its transcript with the `.out` file beside it, as
//! `rowkind test sql-examples` does.
//!
//! `BLESS=1 cargo test --test golden` writes the `.out` files. Read what it wrote before you commit it.
//!
//! The scripts of `sql-examples/errors` are the gallery of errors. Beside each, a `.places` file has where its
//! errors are, which transcripts leave out, and each error must have what a good one has: see [`judge`].

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> io::Result<()> {
    let arguments = Arguments::from_args();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql-examples");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let trials = files.into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        Trial::test(name, move || check(&path, bless))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit()
}

/// Finds the scripts in a folder and in those below it, and the transcripts that have no script.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
        if path.is_dir() {
            collect(&path, files)?;
        } else if is("sql") || is("out") && !path.with_extension("sql").exists() {
            files.push(path);
        }
    }
    Ok(())
}

fn check(script: &Path, bless: bool) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().arg("test").arg(script).stdin(Stdio::null());
    if bless {
        command.arg("--bless");
    }
    let output = command.output()?;
    if output.status.success() {
        let is_gallery = script.parent().is_some_and(|folder| folder.ends_with("errors"));
        return if is_gallery { check_places(script, bless) } else { Ok(()) };
    }
    let said = [output.stdout, output.stderr].concat();
    let hint = "BLESS=1 cargo test --test golden writes it";
    Err(format!("{} ({hint})\n{}", output.status, String::from_utf8_lossy(&said)).into())
}

/// Checks where the errors of a script are, and what they say.
fn check_places(script: &Path, bless: bool) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    let output =
        command.env_clear().args(["--keep-going", "--quiet"]).arg(script).stdin(Stdio::null()).output()?;
    let said = String::from_utf8(output.stderr)?;
    let mut places = String::new();
    for error in said.split("error: ").skip(1) {
        judge(error)?;
        let is_place = |line: &&str| line.starts_with("LINE ") || line.trim_start().starts_with('^');
        let lines = error.lines().take(1).chain(error.lines().filter(is_place));
        lines.for_each(|line| writeln!(places, "{line}").expect("a string takes all"));
    }
    let path = script.with_extension("places");
    if bless {
        return Ok(fs::write(path, places)?);
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let mut pairs = expected.lines().zip(places.lines());
    match pairs.find(|(expected, given)| expected != given) {
        Some((expected, given)) => Err(format!("{}\n- {expected}\n+ {given}", path.display()).into()),
        None if expected.len() == places.len() => Ok(()),
        None => Err(format!("{} has another number of errors", path.display()).into()),
    }
}

/// What an error of the gallery must have: a message like PostgreSQL's, a place unless it is about a row,
/// and a way out unless it says what was expected.
fn judge(error: &str) -> Result<(), Failed> {
    let message = error.lines().next().unwrap_or_default();
    let has = |start: &str| error.lines().any(|line| line.starts_with(start));
    let is_about_row = message.contains(" row ") || message.starts_with("row ");
    let first_word = message.split([' ', '(', ':']).next().unwrap_or_default();
    let is_upper = first_word.starts_with(char::is_uppercase) && first_word.contains(char::is_lowercase);
    let checks = [
        (message.ends_with('.'), "ends with a full stop"),
        (is_upper, "starts with a capital"),
        (!has("LINE ") && !is_about_row, "has no place"),
        (!has("Hint: ") && !message.contains("syntax error"), "has no way out"),
    ];
    match checks.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, fault)) => Err(format!("an error {fault}: {message}").into()),
        None => Ok(()),
    }
}
