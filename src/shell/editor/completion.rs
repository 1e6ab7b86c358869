//! What may come at the cursor, in a statement and behind the name of a command.

use rowkind::Session;
use rowkind::assist::{self, Sort};
use rowkind::render::Format;
use rustyline::completion::{FilenameCompleter, Pair, unescape};

use crate::shell::argument::{Argument, argument_of};
use crate::shell::command;
use crate::shell::exchange::{behind_file, formats};

/// Whether a text is one command line.
pub(super) fn is_command(line: &str) -> bool {
    line.trim_start().starts_with(['.', '\\'])
}

/// What may come at a byte: where it starts that what is found replaces, and what that is.
pub(in crate::shell) fn complete(
    session: &Session,
    line: &str,
    pos: usize,
) -> rustyline::Result<(usize, Vec<Pair>)> {
    if is_command(line) {
        complete_command(session, line, pos)
    } else {
        complete_statement(session, line, pos)
    }
}

/// The word that is being typed at the end of a text, and what it may become. Files are not looked for.
pub(super) fn candidates_for_word<'l>(session: &Session, line: &'l str) -> Option<(&'l str, Vec<Pair>)> {
    if names_a_file(line) {
        return None;
    }
    let (start, pairs) = complete(session, line, line.len()).ok()?;
    let typed = line.get(start..).filter(|typed| !typed.is_empty())?;
    Some((typed, pairs))
}

/// Whether a text ends in the name of a file.
fn names_a_file(line: &str) -> bool {
    if !is_command(line) {
        return assist::path_start(line, line.len()).is_some();
    }
    line.trim_start().split_once(char::is_whitespace).is_some_and(|(word, rest)| match argument_of(word) {
        Argument::File | Argument::Directory | Argument::SystemCommand => true,
        Argument::Export => is_exported_file(rest.trim_start()),
        _ => false,
    })
}

/// Whether what stands behind `.export` ends in the name of the file.
fn is_exported_file(argument: &str) -> bool {
    argument.starts_with("flink ") || behind_file(argument).is_none()
}

fn complete_command(session: &Session, line: &str, pos: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
    let start = line.len() - line.trim_start().len();
    let typed = line.get(start..pos).unwrap_or("");
    let pairs = |start, words: Vec<String>| {
        let pair = |word: String| Pair { display: word.trim_end().to_owned(), replacement: word };
        Ok((start, words.into_iter().map(pair).collect()))
    };
    let Some((word, rest)) = typed.split_once(char::is_whitespace) else {
        let names = command::names().into_iter().filter(|name| name.starts_with(typed));
        return pairs(start, names.map(|name| format!("{name} ")).collect());
    };
    let argument_start = pos - rest.trim_start().len();
    let rest = rest.trim_start();
    let beginning = |names: &[&str]| {
        let fits = |name: &&&str| name.to_lowercase().starts_with(&rest.to_lowercase());
        pairs(argument_start, names.iter().filter(fits).map(|name| (*name).to_owned()).collect())
    };
    match argument_of(word) {
        Argument::Nothing | Argument::Text => pairs(pos, Vec::new()),
        Argument::Words(words) => beginning(&words),
        Argument::Command => {
            let names = command::names();
            beginning(&names.iter().map(|name| name.trim_start_matches('.')).collect::<Vec<_>>())
        }
        Argument::Function => beginning(&assist::function_names()),
        Argument::File | Argument::SystemCommand => FilenameCompleter::new().complete_path(line, pos),
        Argument::Directory => {
            let (start, mut found) = FilenameCompleter::new().complete_path(line, pos)?;
            found.retain(|pair| pair.replacement.ends_with('/'));
            Ok((start, found))
        }
        Argument::Format => match rest.strip_prefix("insert ") {
            Some(table) => {
                let names =
                    relations(session).into_iter().filter(|name| name.starts_with(table.trim_start()));
                pairs(pos - table.trim_start().len(), names.map(str::to_owned).collect())
            }
            None => beginning(&Format::ALL.map(Format::name)),
        },
        Argument::Relation => beginning(&relations(session)),
        Argument::Watched => beginning(&session.watched().collect::<Vec<_>>()),
        Argument::Query => {
            // What is watched may have a name.
            let named = rest.split_once('=').filter(|(name, _)| !name.trim().contains(char::is_whitespace));
            let query = named.map_or(rest, |(_, query)| query.trim_start());
            Ok(complete_query(session, line, pos, pos - query.len()))
        }
        Argument::Export if is_exported_file(rest) => FilenameCompleter::new().complete_path(line, pos),
        Argument::Export => {
            let behind = behind_file(rest).unwrap_or("");
            let (word, format) = behind.split_once(char::is_whitespace).unwrap_or((behind, ""));
            let format = format.trim_start();
            if !word.eq_ignore_ascii_case("as") || behind == word {
                return Ok(complete_query(session, line, pos, pos - behind.len()));
            }
            if let Some((_, query)) = format.split_once(char::is_whitespace) {
                return Ok(complete_query(session, line, pos, pos - query.trim_start().len()));
            }
            let fitting = formats().into_iter().filter(|name| name.starts_with(format));
            pairs(pos - format.len(), fitting.map(str::to_owned).collect())
        }
    }
}

fn relations(session: &Session) -> Vec<&str> {
    session.catalog().entries().map(|(name, _)| name).collect()
}

fn complete_statement(session: &Session, line: &str, pos: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
    if let Some(start) = assist::path_start(line, pos) {
        return complete_path(line, pos, start);
    }
    let completion = assist::complete(session, line, pos);
    Ok((completion.start, pairs_of(completion)))
}

/// Completes the name of a file that starts at a byte, in a string of a statement.
fn complete_path(line: &str, pos: usize, start: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
    // The completer takes a name between double quotes, with backslashes, for a string may hold any character.
    let path = line[start..pos].replace("''", "'").replace('\\', r"\\").replace('"', r#"\""#);
    let quoted = format!("\"{path}");
    let (_, mut found) = FilenameCompleter::new().complete_path(&quoted, quoted.len())?;
    for pair in &mut found {
        pair.replacement = unescape(&pair.replacement, Some('\\')).replace('\'', "''");
    }
    Ok((start, found))
}

/// Completes the query, or the name of a relation, that starts at a byte.
fn complete_query(session: &Session, line: &str, pos: usize, start: usize) -> (usize, Vec<Pair>) {
    let completion = assist::complete_query(session, &line[start..], pos - start);
    (start + completion.start, pairs_of(completion))
}

fn pairs_of(completion: assist::Completion) -> Vec<Pair> {
    let only = completion.candidates.len() == 1;
    let pair = |candidate: assist::Candidate| {
        let is_word = candidate.sort == Sort::Keyword && !candidate.text.ends_with(['(', '<']);
        let space = if only && is_word { " " } else { "" };
        let display = match candidate.sort {
            Sort::Text => unquoted(&candidate.text).to_owned(),
            _ => candidate.text.clone(),
        };
        Pair { replacement: format!("{}{space}", candidate.text), display }
    };
    completion.candidates.into_iter().map(pair).collect()
}

/// A string without its quotes and what stands behind it.
fn unquoted(text: &str) -> &str {
    let text = text.strip_prefix('\'').unwrap_or(text);
    text.split('\'').next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_a_command_is_completed() {
        let mut session = Session::new();
        session.run_all("CREATE TABLE orders (id INT, region STRING)").unwrap();
        let found = |line: &str| {
            let (start, pairs) = complete(&session, line, line.len()).unwrap();
            (start, pairs.into_iter().map(|pair| pair.replacement).collect::<Vec<_>>())
        };
        assert_eq!(found(".format js"), (8, vec!["jsonl".to_owned(), "json".to_owned()]));
        assert_eq!(found("\\x a"), (3, vec!["auto".to_owned()]));
        assert_eq!(found(".theme au"), (7, vec!["auto".to_owned()]));
        assert_eq!(found("\\pset nu"), (6, vec!["null".to_owned()]));
        assert_eq!(found(".describe o"), (10, vec!["orders".to_owned()]));
        assert_eq!(found(".live SELECT regio"), (13, vec!["region".to_owned()]));
        assert_eq!(found(".unwa"), (0, vec![".unwatch ".to_owned()]));
        assert_eq!(found(".read Cargo.lo"), (6, vec!["Cargo.lock".to_owned()]));
        assert_eq!(found(".cd sr"), (4, vec!["src/".to_owned()]));
        assert_eq!(found("\\cd Cargo.lo"), (4, vec![]));
        assert_eq!(found(".shell ls Cargo.lo"), (10, vec!["Cargo.lock".to_owned()]));
        assert_eq!(found(".mode insert o"), (13, vec!["orders".to_owned()]));
        assert_eq!(found(".demo s"), (6, vec!["sensors".to_owned()]));
        assert_eq!(found("\\watch c"), (7, vec!["c=".to_owned()]));
        assert_eq!(found(".live S"), (6, vec!["SELECT ".to_owned()]));
        assert_eq!(found(".live o"), (6, vec!["orders".to_owned()]));
        assert_eq!(found(".explain TABLE o"), (15, vec!["orders".to_owned()]));
        assert_eq!(found("SELECT 1 FROM a JOIN b us"), (23, vec!["using (".to_owned()]));
        assert_eq!(found(".watch c = SELECT * FROM o"), (25, vec!["orders".to_owned()]));
    }

    #[test]
    fn an_export_has_a_file_a_format_and_a_query() {
        let mut session = Session::new();
        session.run_all("CREATE TABLE orders (id INT, region STRING)").unwrap();
        let found = |line: &str| {
            let (start, pairs) = complete(&session, line, line.len()).unwrap();
            (start, pairs.into_iter().map(|pair| pair.replacement).collect::<Vec<_>>())
        };
        assert_eq!(found(".export Cargo.lo"), (8, vec!["Cargo.lock".to_owned()]));
        assert_eq!(found(".export flink Cargo.lo"), (14, vec!["Cargo.lock".to_owned()]));
        assert_eq!(found(".export f.csv as "), (17, formats().into_iter().map(str::to_owned).collect()));
        assert_eq!(found(".export 'f g.csv' as j"), (21, vec!["json".to_owned(), "jsonl".to_owned()]));
        assert_eq!(found(".export f.csv as csv o"), (21, vec!["orders".to_owned()]));
        assert_eq!(found(".export f.csv o"), (14, vec!["orders".to_owned()]));
        assert_eq!(found(".export f.csv SELECT regio"), (21, vec!["region".to_owned()]));
    }

    #[test]
    fn the_path_of_a_table_is_completed() {
        let found = |line: &str| {
            let (start, pairs) = complete(&Session::new(), line, line.len()).unwrap();
            line[..start].to_owned() + &pairs[0].replacement
        };
        let with = "CREATE TABLE t (a STRING COMMENT 'it''s') WITH ('connector' = 'filesystem', 'path' = '";
        assert_eq!(found(&format!("{with}Cargo.lo")), format!("{with}Cargo.lock"));
        assert_eq!(found(&format!("{with}src/shell/edi")), format!("{with}src/shell/editor/"));
        assert!(names_a_file(&format!("{with}Cargo.lo")) && !names_a_file("SELECT 'Cargo.lo"));
    }
}
