//! Runs every script of `sql-examples` and compares its transcript with the `.out` file beside it, as
//! `rowkind test sql-examples` does.
//!
//! `BLESS=1 cargo test --test golden` writes the `.out` files. Read what it wrote before you commit it.

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
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let hint = "BLESS=1 cargo test --test golden writes it";
    Err(format!("{} ({hint})\n{}", output.status, String::from_utf8_lossy(&said)).into())
}
