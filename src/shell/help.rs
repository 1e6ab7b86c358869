//! What `.help` and `HELP` say.

use std::fmt::Write;

use rowkind::connect::faker_expressions;
use rowkind::render::Format;

use super::command::{Command, GROUPS, commands};
use super::wrap::wrapped;

/// A statement, and what it is for.
const STATEMENTS: [(&str, &str); 20] = [
    ("CREATE TABLE t (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED)", "a table of changes by key"),
    (
        "CREATE TABLE t (…) WITH ('changelog.mode' = 'append')",
        "append, upsert or retract: the kinds it takes",
    ),
    ("CREATE TABLE t AS SELECT …", "a table fed by a query"),
    ("CREATE VIEW v AS SELECT …", "a name for a query"),
    ("INSERT INTO t VALUES (1, 'alice'), (2, 'bob')", "append rows"),
    ("INSERT INTO t SELECT …", "a pipeline that goes on: later inserts flow through it"),
    ("UPDATE t SET name = 'eve' WHERE id = 1", "write what a database would into the log of a table"),
    ("DELETE FROM t WHERE id = 1", "the same for rows that go; TRUNCATE TABLE t for all"),
    ("SELECT … FROM t WHERE … GROUP BY … HAVING …", "the changes of a query over what is there"),
    ("SELECT … FROM a JOIN b ON a.id = b.id", "all joins; ORDER BY, LIMIT, UNION, WITH and sub-queries, too"),
    (
        "SELECT * FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY id, op => DESCRIPTOR(op), \
         op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'])",
        "make changes of rows with a code",
    ),
    ("SELECT * FROM TO_CHANGELOG(input => TABLE t)", "make rows with a code of changes"),
    ("EXPLAIN [CHANGELOG_MODE] SELECT …", "the plan, with the kinds of changes that flow in it"),
    ("EXPLAIN PLAN_ADVICE SELECT …", "the plan, with what Flink advises about it, and more"),
    ("SHOW TABLES | VIEWS | FUNCTIONS | JOBS | CREATE TABLE t", "what there is"),
    ("DESCRIBE t", "the columns of a table or view"),
    ("STOP JOB 'id'", "end a pipeline"),
    ("SET 'key' = 'value'", "a setting; SET alone shows them, RESET takes them back"),
    ("ALTER TABLE t ADD …", "or MODIFY, DROP, RENAME, SET, RESET; ALTER VIEW v AS SELECT …"),
    ("DROP TABLE t", "and DROP VIEW v"),
];

/// Keys at the prompt, and what they do.
const KEYS: [(&str, &str); 9] = [
    ("Tab", "complete: keywords, tables, columns, functions, arguments, codes, options, files"),
    ("Enter", "run what ends with ;, or go on in a new line; Alt-Enter always starts one"),
    ("Up, Down", "move between lines, or through the history"),
    ("Right", "take over what is suggested in grey"),
    ("Ctrl-R", "search the history"),
    ("Ctrl-X Ctrl-E", "edit what is typed in $VISUAL or $EDITOR"),
    ("Ctrl-_", "undo"),
    ("Ctrl-C", "throw away what is typed, or stop what runs"),
    ("Ctrl-D", "leave"),
];

/// The kinds of changes.
const KINDS: [(&str, &str); 3] = [
    ("+I", "a new row"),
    ("-U and +U", "the old and the new image of an updated row"),
    ("-D", "a removed row"),
];

/// Where what something does begins, in columns.
const COLUMN: usize = 27;

/// The width of the help where there is no terminal, in columns.
const WIDTH: usize = 100;

/// What of the help is written, and how wide.
struct Help<'a> {
    text: String,
    /// In lower case.
    pattern: &'a str,
    width: usize,
}

/// The whole help, for a terminal of some width.
pub(super) fn overview(width: Option<usize>) -> String {
    let mut help = Help { text: String::new(), pattern: "", width: width.unwrap_or(WIDTH) };
    for (title, commands) in &GROUPS {
        help.title(title);
        commands.iter().for_each(|command| help.command(command));
    }
    help.title("Keys");
    help.keys();
    help.title("Formats");
    help.formats();
    help.title("Statements of Flink SQL, each ended by ; or, for one column a line, by \\G");
    help.statements();
    help.title("The kinds of changes");
    for (kind, about) in KINDS {
        help.entry(kind, about);
    }
    help.text
}

/// What of the help contains a pattern.
pub(super) fn about(pattern: &str, width: Option<usize>) -> String {
    let pattern = pattern.to_lowercase();
    let mut help = Help { text: String::new(), pattern: &pattern, width: width.unwrap_or(WIDTH) };
    commands().for_each(|command| help.command(command));
    help.keys();
    help.formats();
    help.statements();
    help.fakers();
    if help.text.is_empty() {
        return format!("There is no help about \"{pattern}\".\n");
    }
    help.text
}

impl Help<'_> {
    fn title(&mut self, title: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.lines(0, &format!("{title}:"));
    }

    fn command(&mut self, command: &Command) {
        let usage = format!(".{} {}", command.name, command.arguments);
        let also = match command.aliases {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        self.entry(usage.trim_end(), &format!("{}{also}", command.about));
    }

    fn keys(&mut self) {
        for (key, about) in KEYS {
            self.entry(key, about);
        }
    }

    fn formats(&mut self) {
        for format in Format::ALL {
            self.entry(format.name(), format.about());
        }
    }

    fn statements(&mut self) {
        for (statement, about) in STATEMENTS {
            if self.wants(statement, about) {
                self.lines(2, statement);
                self.lines(6, about);
            }
        }
    }

    /// What expressions of the connector `faker` can have in them.
    fn fakers(&mut self) {
        for directive in faker_expressions() {
            if self.wants("faker", directive) {
                writeln!(self.text, "  {directive}").expect("a string takes all");
            }
        }
    }

    fn wants(&self, name: &str, about: &str) -> bool {
        format!("{name}\n{about}").to_lowercase().contains(self.pattern)
    }

    /// Something, and beside it what it does, or below it if it is long.
    fn entry(&mut self, name: &str, about: &str) {
        if !self.wants(name, about) {
            return;
        }
        let from = self.text.len();
        self.lines(COLUMN, about);
        let start = format!("  {name}");
        if start.len() < COLUMN {
            self.text.replace_range(from..from + start.len(), &start);
        } else {
            self.text.insert_str(from, &format!("{start}\n"));
        }
    }

    /// A text between a margin and the width of the terminal.
    fn lines(&mut self, margin: usize, text: &str) {
        for line in wrapped(text, self.width.saturating_sub(margin).max(20)) {
            writeln!(self.text, "{:margin$}{line}", "").expect("a string takes all");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_finds_commands_and_statements() {
        let about = |pattern| about(pattern, None);
        let text = about("WATCH");
        assert!(text.starts_with("  .watch [[NAME =] QUERY]"), "{text}");
        assert!(text.contains(".unwatch"), "{text}");
        assert!(about("explain").contains("CHANGELOG_MODE"));
        assert!(about("faker").contains("  #{Name.firstName}\n  #{Name.fullName}\n"));
        assert_eq!(about("xyzzy"), "There is no help about \"xyzzy\".\n");
    }

    #[test]
    fn it_is_as_wide_as_the_terminal() {
        for width in [60, 80, 200] {
            let text = overview(Some(width));
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
        let narrow = about("EXPORT FILE", Some(60));
        assert!(
            narrow.starts_with("  .export FILE [as FORMAT] [QUERY]\n                           replace"),
            "{narrow}"
        );
    }
}
