//! Tells a release which commit it is built from, where git knows it.
//!
//! Other builds do not say it, so that they are not built anew with each commit.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release { commit() } else { None };
    let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
    println!("cargo::rustc-env=ROWKIND_VERSION={version}{commit}");
}

/// The commit of the folder, if it is the root of a repository.
fn commit() -> Option<String> {
    // The folder may be unpacked somewhere in a repository of something else.
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    for changes in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", changes])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
