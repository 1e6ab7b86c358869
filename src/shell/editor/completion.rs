//! What may come at the cursor, in a statement and behind the name of a command.

use rowkind::Session;
use rowkind::assist::{self, Sort};
use rowkind::render::Format;
use rustyline::completion::{FilenameCompleter, Pair};

use crate::shell::argument::{Argument, argument_of};
use crate::shell::command;

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
        Ok(complete_statement(session, line, pos, 0))
    }
}

/// The word that is being typed at the end of a text, and what it may become. Files are not looked for.
pub(super) fn candidates_for_word<'l>(session: &Session, line: &'l str) -> Option<(&'l str, Vec<Pair>)> {
    let names_a_file = is_command(line)
        && line
            .trim_start()
            .split_once(char::is_whitespace)
            .is_some_and(|(word, _)| argument_of(word) == Argument::File);
    if names_a_file {
        return None;
    }
    let (start, pairs) = complete(session, line, line.len()).ok()?;
    let typed = line.get(start..).filter(|typed| !typed.is_empty())?;
    Some((typed, pairs))
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
        Argument::Query => Ok(complete_statement(session, line, pos, argument_start)),
    }
}

fn relations(session: &Session) -> Vec<&str> {
    session.catalog().entries().map(|(name, _)| name).collect()
}

/// Completes the statement that starts at a byte.
fn complete_statement(session: &Session, line: &str, pos: usize, start: usize) -> (usize, Vec<Pair>) {
    let completion = assist::complete(session, &line[start..], pos - start);
    let only = completion.candidates.len() == 1;
    let pair = |candidate: assist::Candidate| {
        let space = if only && candidate.sort == Sort::Keyword { " " } else { "" };
        let display = match candidate.sort {
            Sort::Text => unquoted(&candidate.text).to_owned(),
            _ => candidate.text.clone(),
        };
        Pair { replacement: format!("{}{space}", candidate.text), display }
    };
    (start + completion.start, completion.candidates.into_iter().map(pair).collect())
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
    }
}
