//! What `.help` and `HELP` say.

use std::fmt::Write;

use rowkind::render::Format;

use super::command::commands;

/// A statement, and what it is for.
const STATEMENTS: [(&str, &str); 15] = [
    ("CREATE TABLE t (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED)", "a table of changes by key"),
    (
        "CREATE TABLE t (…) WITH ('changelog.mode' = 'append')",
        "append, upsert or retract: the kinds it takes",
    ),
    ("CREATE TABLE t AS SELECT …", "a table fed by a query"),
    ("CREATE VIEW v AS SELECT …", "a name for a query"),
    ("INSERT INTO t VALUES (1, 'alice'), (2, 'bob')", "append rows"),
    ("INSERT INTO t SELECT …", "a pipeline that goes on: later inserts flow through it"),
    ("SELECT … FROM t", "the changes of a query over what is there"),
    (
        "SELECT * FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY id, op => DESCRIPTOR(op), \
         op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'])",
        "make changes of rows with a code",
    ),
    ("SELECT * FROM TO_CHANGELOG(input => TABLE t)", "make rows with a code of changes"),
    ("EXPLAIN [CHANGELOG_MODE] SELECT …", "the plan, with the kinds of changes that flow in it"),
    ("SHOW TABLES | VIEWS | FUNCTIONS | JOBS | CREATE TABLE t", "what there is"),
    ("DESCRIBE t", "the columns of a table or view"),
    ("STOP JOB 'id'", "end a pipeline"),
    ("SET 'key' = 'value'", "a setting; SET alone shows them, RESET takes them back"),
    ("DROP TABLE t", "and DROP VIEW v"),
];

/// Keys at the prompt, and what they do.
const KEYS: [(&str, &str); 9] = [
    ("Tab", "complete: keywords, tables, columns, functions, arguments, codes, options, files"),
    ("Enter", "run what ends with ;, or go on in a new line; Alt-Enter always starts one"),
    ("Up, Down", "move between lines, or through the history"),
    ("Right", "take over what the history suggests in grey"),
    ("Ctrl-R", "search the history"),
    ("Ctrl-X Ctrl-E", "edit what is typed in $VISUAL or $EDITOR"),
    ("Ctrl-_", "undo"),
    ("Ctrl-C", "throw away what is typed, or stop what runs"),
    ("Ctrl-D", "leave"),
];

/// The whole help.
pub(super) fn overview() -> String {
    let mut text = String::from("Commands, one a line:\n");
    write_commands(&mut text, "");
    text.push_str("\nKeys:\n");
    write_keys(&mut text, "");
    text.push_str("\nFormats:\n");
    write_formats(&mut text, "");
    text.push_str("\nStatements of Flink SQL, each ended by ; or, for one column a line, by \\G:\n");
    write_statements(&mut text, "");
    text.push_str(
        "\nThe kinds of changes: +I a new row, -U and +U the old and the new image of an updated row, \
         -D a removed row.\n",
    );
    text
}

/// What of the help contains a pattern.
pub(super) fn about(pattern: &str) -> String {
    let pattern = pattern.to_lowercase();
    let mut text = String::new();
    write_commands(&mut text, &pattern);
    write_keys(&mut text, &pattern);
    write_formats(&mut text, &pattern);
    write_statements(&mut text, &pattern);
    if text.is_empty() {
        writeln!(text, "There is no help about \"{pattern}\".").expect("a string takes all");
    }
    text
}

fn write_commands(text: &mut String, pattern: &str) {
    for command in commands() {
        let usage = format!(".{} {}", command.name, command.arguments);
        let also = match command.aliases {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        let line = format!("  {:<24} {}{also}\n", usage.trim_end(), command.about);
        if line.to_lowercase().contains(pattern) {
            text.push_str(&line);
        }
    }
}

fn write_keys(text: &mut String, pattern: &str) {
    for (key, about) in KEYS {
        let line = format!("  {key:<24} {about}\n");
        if line.to_lowercase().contains(pattern) {
            text.push_str(&line);
        }
    }
}

fn write_formats(text: &mut String, pattern: &str) {
    for format in Format::ALL {
        let line = format!("  {:<24} {}\n", format.name(), format.about());
        if line.to_lowercase().contains(pattern) {
            text.push_str(&line);
        }
    }
}

fn write_statements(text: &mut String, pattern: &str) {
    for (statement, about) in STATEMENTS {
        if format!("{statement}\n{about}").to_lowercase().contains(pattern) {
            writeln!(text, "  {statement}\n      {about}").expect("a string takes all");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_finds_commands_and_statements() {
        let text = about("WATCH");
        assert!(text.starts_with("  .watch [[NAME =] QUERY]"), "{text}");
        assert!(text.contains(".unwatch"), "{text}");
        assert!(about("explain").contains("CHANGELOG_MODE"));
        assert_eq!(about("xyzzy"), "There is no help about \"xyzzy\".\n");
    }
}
