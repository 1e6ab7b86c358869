//! Runs every script of `sql-examples` and compares its transcript with the `.out` file beside it.
//!
//! `BLESS=1 cargo test --test golden` writes the `.out` files. Read what it wrote before you commit it.
//!
//! The scripts of `sql-examples/errors` are the gallery of errors. Their transcripts also show where each
//! error is, and each must have what a good error has: see [`judge`].

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
    let mut trials = Vec::new();
    for path in files {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("sql") => trials.push(Trial::test(name, move || check(&path, bless))),
            Some("out") if !path.with_extension("sql").exists() => {
                let orphan = || Err(Failed::from("there is no script of this transcript: remove it"));
                trials.push(Trial::test(name, orphan));
            }
            _ => {}
        }
    }
    libtest_mimic::run(&arguments, trials).exit()
}

/// Finds the files in a folder and in those below it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn check(script: &Path, bless: bool) -> Result<(), Failed> {
    let given = transcript(script)?;
    if script.parent().is_some_and(|folder| folder.ends_with("errors")) {
        judge(&given)?;
    }
    let path = script.with_extension("out");
    if bless {
        return Ok(fs::write(path, given)?);
    }
    let hint = "BLESS=1 cargo test --test golden writes it";
    match fs::read_to_string(&path) {
        Ok(expected) if expected == given => Ok(()),
        Ok(expected) => {
            let changes = diff(&expected, &given);
            Err(format!("- is in {}, + is what the script gives ({hint})\n{changes}", path.display()).into())
        }
        Err(error) => Err(format!("{}: {error} ({hint})", path.display()).into()),
    }
}

/// Runs a script as somebody would, and returns what it writes to the standard output.
fn transcript(script: &Path) -> Result<String, Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .env_clear()
        .args(["--format", "transcript", "--keep-going"])
        .arg(script)
        .stdin(Stdio::null())
        .output()?;
    let mut transcript = String::from_utf8(output.stdout)?;
    if script.parent().is_some_and(|folder| folder.ends_with("errors")) {
        transcript = with_places(&transcript, &String::from_utf8_lossy(&output.stderr));
    }
    let failed = transcript.lines().any(|line| line.starts_with("! "));
    if output.status.code() != Some(i32::from(failed)) {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("ended with {}\n{transcript}{errors}", output.status).into());
    }
    Ok(transcript)
}

/// A transcript with the place of each error behind its message: the line and the carets, which only
/// the standard error has.
fn with_places(transcript: &str, errors: &str) -> String {
    let is_place = |line: &&str| line.starts_with("LINE ") || line.trim_start().starts_with('^');
    let place_of = |error: &str| error.lines().filter(is_place).map(str::to_owned).collect::<Vec<_>>();
    let mut places = errors.split("error: ").skip(1).map(place_of);
    let mut text = String::new();
    let mut in_error = false;
    for line in transcript.lines() {
        let is_first = line.starts_with("! ") && !in_error;
        in_error = line.starts_with("! ");
        text.push_str(line);
        text.push('\n');
        if is_first {
            for place in places.next().unwrap_or_default() {
                writeln!(text, "! {place}").expect("a string takes all");
            }
        }
    }
    text
}

/// What an error of the gallery must have: a message like PostgreSQL's, a place unless it is about a row,
/// and a way out unless it says what was expected.
fn judge(transcript: &str) -> Result<(), Failed> {
    let mut faults = String::new();
    let lines: Vec<&str> = transcript.lines().collect();
    for error in lines.split(|line| !line.starts_with("! ")).filter(|lines| !lines.is_empty()) {
        let message = &error[0][2..];
        let has = |start: &str| error.iter().any(|line| line[2..].starts_with(start));
        let is_about_row = message.contains(" row ") || message.starts_with("row ");
        let first_word = message.split([' ', '(', ':']).next().unwrap_or_default();
        let is_upper = first_word.starts_with(char::is_uppercase) && first_word.contains(char::is_lowercase);
        let checks = [
            (message.ends_with('.'), "ends with a full stop"),
            (is_upper, "starts with a capital"),
            (!has("LINE ") && !is_about_row, "has no place"),
            (!has("hint: ") && !has("syntax error"), "has no way out"),
        ];
        for (_, fault) in checks.iter().filter(|(is_wrong, _)| *is_wrong) {
            writeln!(faults, "{fault}: {message}").expect("a string takes all");
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

/// Lines that are only in the first text after `-`, those only in the second after `+`, and up to three
/// common lines around them.
fn diff(old: &str, new: &str) -> String {
    const AROUND: usize = 3;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let lines = edits(&old, &new);
    let is_near = |index: usize| {
        let around = index.saturating_sub(AROUND)..(index + AROUND + 1).min(lines.len());
        lines[around].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut text = String::new();
    let mut left_out = false;
    for (index, (mark, line)) in lines.iter().enumerate() {
        if is_near(index) {
            if left_out {
                text.push_str("  ...\n");
            }
            writeln!(text, "{mark} {line}").expect("a string takes all");
        }
        left_out = !is_near(index);
    }
    // Texts with the same lines can still end them in different ways.
    if text.is_empty() { "the ends of the lines differ".to_owned() } else { text }
}

/// The shortest way from some lines to others: each line with `-`, `+` or a blank before it.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    // How many lines the rests from a pair of lines on have in common.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut edits = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            edits.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            edits.push(('-', old[i]));
            i += 1;
        } else {
            edits.push(('+', new[j]));
            j += 1;
        }
    }
    edits
}
