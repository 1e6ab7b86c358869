//! The commands about the catalog.

use rowkind::assist;
use rowkind::render::Problem;
use rowkind::spelling::nearest;

use super::command::Command;
use super::desk::Desk;
use super::result_command::unquoted;
use super::status::Stop;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 10] = [
    Command {
        name: "tables",
        aliases: &["\\dt"],
        arguments: "[LIKE]",
        about: "list the tables and views, or those whose name is like that",
        run: |desk, pattern| desk.list("TABLES", pattern),
    },
    Command {
        name: "views",
        aliases: &["\\dv"],
        arguments: "[LIKE]",
        about: "list the views",
        run: |desk, pattern| desk.list("VIEWS", pattern),
    },
    Command {
        name: "functions",
        aliases: &["\\df"],
        arguments: "[LIKE]",
        about: "list the functions",
        run: |desk, pattern| desk.list("FUNCTIONS", &pattern.to_uppercase()),
    },
    Command {
        name: "describe",
        aliases: &["\\d"],
        arguments: "[NAME]",
        about: "show the columns of a table or view",
        run: |desk, argument| match argument {
            "" => desk.run_text("SHOW TABLES"),
            name => desk.run_text(&format!("DESCRIBE {name}")),
        },
    },
    Command {
        name: "schema",
        aliases: &[],
        arguments: "[NAME]",
        about: "show the statements that make all tables and views, or one of them",
        run: |desk, name| desk.paged(|desk| desk.schema(name)),
    },
    Command {
        name: "catalogs",
        aliases: &["\\l"],
        arguments: "",
        about: "list the catalogs",
        run: |desk, _| desk.run_text("SHOW CATALOGS"),
    },
    Command {
        name: "databases",
        aliases: &["\\dn"],
        arguments: "",
        about: "list the databases of the catalog",
        run: |desk, _| desk.run_text("SHOW DATABASES"),
    },
    Command {
        name: "jobs",
        aliases: &[],
        arguments: "",
        about: "list the pipelines",
        run: |desk, _| desk.run_text("SHOW JOBS"),
    },
    Command {
        name: "dump",
        aliases: &[],
        arguments: "",
        about: "write a script that makes the tables with their logs, the views and the pipelines anew",
        run: |desk, _| desk.paged(Desk::dump),
    },
    Command {
        name: "doc",
        aliases: &[],
        arguments: "FUNCTION",
        about: "say what a function does, with an example",
        run: Desk::doc,
    },
];

impl Desk {
    /// Lists what there is. A pattern without `%` may stand anywhere in the name.
    fn list(&mut self, subject: &str, pattern: &str) -> Result<(), Stop> {
        let pattern = unquoted(pattern).replace('\'', "''");
        match pattern.as_str() {
            "" => self.run_text(&format!("SHOW {subject}")),
            like if like.contains('%') => self.run_text(&format!("SHOW {subject} LIKE '{like}'")),
            part => self.run_text(&format!("SHOW {subject} LIKE '%{part}%'")),
        }
    }

    fn schema(&mut self, name: &str) -> Result<(), Stop> {
        let name = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(name);
        if name.is_empty() {
            let names: Vec<String> =
                self.session.catalog().entries().map(|(name, _)| name.to_owned()).collect();
            for name in names {
                self.write_definition(&name)?;
            }
            return Ok(());
        }
        if self.session.catalog().get(name).is_none() {
            let near = nearest(name, self.session.catalog().entries().map(|(name, _)| name));
            let problem = Problem::new(format!("table or view \"{name}\" does not exist"));
            return self.report(&match near {
                Some(near) => problem.with_hint(format!("Did you mean \"{near}\"?")),
                None => problem,
            });
        }
        self.write_definition(name)
    }

    fn write_definition(&mut self, name: &str) -> Result<(), Stop> {
        if let Some(definition) = self.session.definition(name) {
            writeln!(self.output.out, "{definition};")?;
        }
        Ok(())
    }

    fn dump(&mut self) -> Result<(), Stop> {
        let script = self.session.dump();
        Ok(self.output.out.write_all(script.as_bytes())?)
    }

    fn doc(&mut self, name: &str) -> Result<(), Stop> {
        if name.is_empty() {
            return self.report(&Problem::new(".doc needs the name of a function"));
        }
        let name = name.trim_end_matches("()").to_uppercase();
        let Some(doc) = assist::document(&name) else {
            let problem = Problem::new(format!("function \"{name}\" does not exist"));
            return self.report(&match nearest(&name, assist::function_names()) {
                Some(near) => problem.with_hint(format!("Did you mean {near}?")),
                None => problem.with_hint(".functions lists all functions."),
            });
        };
        writeln!(self.output.out, "{}\n  {}", doc.syntax, doc.summary)?;
        if let Some((example, result)) = doc.example {
            writeln!(self.output.out, "  {example}\n  gives {result}")?;
        }
        Ok(())
    }
}
