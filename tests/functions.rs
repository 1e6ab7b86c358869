//! Runs the recordings of `tests/functions`: what a real Flink answered to `SELECT`s of single
//! expressions, their types and their values.
//!
//! It reads just as much SQL as these files have: `CREATE TABLE`, `INSERT … VALUES`, the time zone,
//! and `SELECT` of expressions with at most one table.

mod expressions;

use expressions::{Problem, Reader, Schema};
use jiff::tz::TimeZone;
use libtest_mimic::{Arguments, Failed, Trial};
use rowkind::expr::{Context, Expr};
use rowkind::value::Value;
use rowkind::value::display::write_value;

/// One table with its rows, and the settings.
struct Session {
    schema: Schema,
    rows: Vec<Vec<Value>>,
    context: Context,
}

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/functions");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the recordings are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "flink"))
        .collect();
    paths.sort();
    let trials = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || check(&std::fs::read_to_string(&path)?))
    });
    let examples = Trial::test("examples", check_examples);
    libtest_mimic::run(&Arguments::from_args(), trials.chain([examples]).collect()).exit();
}

/// Runs the example of every function and compares the value it shows.
fn check_examples() -> Result<(), Failed> {
    let mut differences = String::new();
    for function in rowkind::expr::function::all() {
        let Some((example, expected)) = function.example else { continue };
        let answer = match Session::new().run(&format!("SELECT {example} AS r")) {
            Ok(answer) => answer,
            Err(Problem::Refused(reason)) => reason,
            Err(Problem::Unread(reason)) => format!("unread: {reason}"),
        };
        let value = answer.split_once("+I[").and_then(|(_, row)| row.strip_suffix(']'));
        if value != Some(expected) {
            differences += &format!("{example}\n  expected {expected}\n  found    {answer}\n");
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.into()) }
}

/// Runs the statements of a recording and compares the answers.
fn check(recording: &str) -> Result<(), Failed> {
    let mut session = Session::new();
    let mut differences = String::new();
    let mut count = 0;
    for block in format!("\n{recording}").split("\n> ").skip(1) {
        let (statement, answer) = block.split_once('\n').unwrap_or((block, ""));
        let expected = answer.split("\n= final").next().unwrap_or_default().trim_end_matches('\n');
        let expected = if expected.starts_with("! ") || expected.is_empty() { "error" } else { expected };
        let actual = session.run(statement);
        let (compared, note) = match &actual {
            Ok(answer) => (answer.as_str(), ""),
            Err(Problem::Refused(reason)) => ("error", reason.as_str()),
            Err(Problem::Unread(reason)) => ("unread", reason.as_str()),
        };
        if compared != expected {
            count += 1;
            differences += &format!("> {statement}\n  expected {expected}\n  found    {compared} {note}\n");
        }
    }
    if count == 0 { Ok(()) } else { Err(format!("{count} differ:\n{differences}").into()) }
}

impl Session {
    fn new() -> Self {
        Self { schema: Schema::default(), rows: Vec::new(), context: expressions::context() }
    }

    fn run(&mut self, statement: &str) -> Result<String, Problem> {
        let mut reader = Reader::new(statement, &self.schema)?;
        if reader.word("SET") {
            let zone = statement.split('\'').nth(3).unwrap_or_default();
            let zone = TimeZone::get(zone).map_err(|error| Problem::Unread(error.to_string()))?;
            self.context.time_zone = zone;
            return Ok("OK".to_owned());
        }
        if reader.word("CREATE") {
            self.schema = reader.table()?;
            return Ok("OK".to_owned());
        }
        if reader.word("INSERT") {
            let rows = reader.rows()?;
            for row in rows {
                let values = row.iter().map(|value| match value {
                    Some(value) => value.eval(&[], &self.context).map_err(|error| Problem::Refused(error.0)),
                    None => Ok(Value::NULL),
                });
                let values = values.collect::<Result<Vec<_>, _>>()?;
                self.rows.push(values);
            }
            return Ok("OK".to_owned());
        }
        let (columns, from_table) = reader.select()?;
        let fold = |(name, expr): (String, Expr)| (name, expr.fold(&self.context));
        let columns: Vec<_> = columns.into_iter().map(fold).collect();
        let mut answer = String::from("# ");
        for (i, (name, value)) in columns.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            answer += &format!("{comma}{name} {}", value.data_type);
        }
        let single = [Vec::new()];
        for row in if from_table { &self.rows[..] } else { &single[..] } {
            answer += "\n+I[";
            for (i, (name, expr)) in columns.iter().enumerate() {
                if i > 0 {
                    answer += ", ";
                }
                let value = expr.eval(row, &self.context).map_err(|error| Problem::Refused(error.0))?;
                if value.is_null() && !expr.data_type.nullable {
                    return Err(Problem::Refused(format!("column \"{name}\" is NOT NULL")));
                }
                write_value(&mut answer, &value, &expr.data_type, &self.context.time_zone);
            }
            answer += "]";
        }
        Ok(answer)
    }
}
