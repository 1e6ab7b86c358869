//! Runs the scripts of `tests/flink` as Flink ran them, and compares what comes out with what
//! Flink printed: column types, changes in order and the final table exactly, errors by the fact
//! that they occur.

use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use rowkind::Session;
use rowkind::changelog::{Materialized, RowKind};
use rowkind::session::{Collected, Outcome};
use rowkind::sql::{Item, Splitter};
use rowkind::value::RowText;

/// Scripts that need what is not there yet, with what that is. They do not count.
const LATER: &str = include_str!("flink/later.txt");

/// Scripts whose recording is not what Flink 2.4 does, or not what we do, each explained in
/// `tests/known_differences.md`.
const KNOWN_DIFFERENCES: &str = include_str!("flink/known_differences.txt");

/// What Flink 2.3 says where it refuses what 2.4 has. Such a statement is left out of the
/// comparison; that it is accepted here is checked by itself.
const REFUSED_BY_2_3: [&str; 4] = [
    "Only tables with set semantics may be partitioned",
    "Upsert mode (without UPDATE_BEFORE) is not supported in this version",
    "Encountered \"(\" at line 4, column 25",
    "Encountered \"(\" at line 1, column 45",
];

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flink");
    let mut trials = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder of the recordings is there") {
        let path = entry.expect("a folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "sql") {
            continue;
        }
        let name = path.file_stem().expect("a script has a name").to_string_lossy().into_owned();
        let ignored = listed(LATER, &name) || listed(KNOWN_DIFFERENCES, &name);
        let trial = Trial::test(name, move || check(&path)).with_ignored_flag(ignored);
        trials.push(trial);
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&arguments, trials).exit();
}

fn listed(list: &str, name: &str) -> bool {
    list.lines().any(|line| line.split_whitespace().next() == Some(name))
}

/// A statement or directive with what followed it.
#[derive(Debug, Default, PartialEq)]
struct Block {
    statement: String,
    outcome: Vec<String>,
    unordered: bool,
}

fn check(path: &Path) -> Result<(), Failed> {
    let script = fs::read_to_string(path)?;
    let recorded = blocks(&fs::read_to_string(path.with_extension("flink"))?);
    let ours = run(&script, &recorded)?;
    if recorded.len() != ours.len() {
        return Err(format!("{} statements are recorded, but {} ran", recorded.len(), ours.len()).into());
    }
    for (theirs, ours) in recorded.iter().zip(&ours) {
        let Some(ours) = ours else { continue };
        let (expected, given) = (comparable(theirs), comparable(ours));
        if expected != given {
            let lines = |lines: &[String]| lines.join("\n    ");
            return Err(format!(
                "{}\n  Flink:\n    {}\n  rowkind:\n    {}",
                theirs.statement,
                lines(&theirs.outcome),
                lines(&ours.outcome)
            )
            .into());
        }
    }
    accepts_what_2_4_has(&script, &recorded)
}

/// Reads a recording.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut in_statement = false;
    let mut unordered = false;
    for line in text.lines() {
        if let Some(statement) = line.strip_prefix("> ").or_else(|| line.strip_prefix('>')) {
            if in_statement {
                let block = blocks.last_mut().expect("a statement has begun");
                block.statement.push('\n');
                block.statement.push_str(statement);
            } else {
                blocks.push(Block { statement: statement.to_owned(), unordered, ..Block::default() });
                unordered = false;
            }
            in_statement = true;
            continue;
        }
        in_statement = false;
        match line {
            "-- unordered" => unordered = true,
            line if line.starts_with("-- log:") => {
                blocks.push(Block { statement: line.to_owned(), ..Block::default() });
            }
            line if line.starts_with("-- ") => {}
            line => {
                let block = blocks.last_mut().expect("an outcome follows a statement");
                block.outcome.push(line.to_owned());
            }
        }
    }
    blocks
}

/// What is compared of a block.
fn comparable(block: &Block) -> Vec<String> {
    if block.outcome.first().is_some_and(|line| line.starts_with('!')) {
        return vec!["an error".to_owned()];
    }
    if block.statement.to_uppercase().starts_with("EXPLAIN") {
        return physical_plan(&block.outcome).into_iter().chain(advice(&block.outcome)).collect();
    }
    let mut lines = block.outcome.clone();
    if block.unordered {
        lines.sort();
    }
    lines
}

/// The operators of a plan with their modes, from the section that Flink calls physical, and the
/// number of the advice about each.
fn physical_plan(lines: &[String]) -> Vec<String> {
    let is_heading = |line: &String| line.starts_with("== Optimized Physical Plan");
    let begin = lines.iter().position(is_heading).map_or(0, |i| i + 1);
    let plan = lines[begin..].iter().take_while(|line| !line.is_empty() && !line.starts_with("=="));
    let operator = |line: &String| {
        let operator = line.trim_start_matches([' ', '+', '-', ':']);
        let name = operator.split('(').next().unwrap_or("");
        // Our scans read only the columns that are needed, where Flink's have a projection above.
        let is_projection = name == "Calc" && !operator.contains("where=[");
        let mode = operator.rsplit_once("changelogMode=").map_or("", |(_, mode)| mode);
        let mode = mode.split(']').next().unwrap_or("");
        let advice = if operator.contains("(advice=[1]") { " advice 1" } else { "" };
        (!is_projection).then(|| format!("{name} {mode}]{advice}"))
    };
    plan.filter_map(operator).collect()
}

/// The advice about a plan. Conditions are written in other ways.
fn advice(lines: &[String]) -> Vec<String> {
    let is_advice = |line: &&String| line.starts_with("advice[") || line.starts_with("No available advice");
    let advice = lines.iter().filter(is_advice).map(|line| match line.split_once("in condition: '") {
        Some((before, rest)) => {
            let after = rest.rsplit_once('\'').map_or("", |(_, after)| after);
            format!("{before}in condition: ''{after}")
        }
        None => line.clone(),
    });
    advice.collect()
}

/// Runs a script. What 2.3 refuses and 2.4 has is left out.
fn run(script: &str, recorded: &[Block]) -> Result<Vec<Option<Block>>, Failed> {
    let mut runner = Runner::new();
    let mut ours = Vec::new();
    for piece in Splitter::new(script) {
        match piece?.item {
            Item::Directive(directive) => {
                if let Some(table) = directive.strip_prefix("log:") {
                    let outcome = runner.log(table.trim());
                    ours.push(Some(Block {
                        statement: format!("-- {directive}"),
                        outcome,
                        unordered: false,
                    }));
                } else if let Some(kinds) = directive.strip_prefix("kinds:") {
                    let kinds = kinds.split_whitespace().filter_map(|kind| kind.parse().ok()).collect();
                    runner.session.set_kinds(kinds);
                }
            }
            Item::Statement { text, .. } => {
                let theirs = recorded.get(ours.len());
                let unordered = theirs.is_some_and(|block| block.unordered);
                ours.push(if theirs.is_some_and(is_refused_by_2_3) {
                    None
                } else {
                    let outcome = runner.statement(text).join("\n").split('\n').map(str::to_owned).collect();
                    Some(Block { statement: text.to_owned(), outcome, unordered })
                });
            }
            Item::Command(command) => return Err(format!("{command} in a recording").into()),
        }
    }
    Ok(ours)
}

fn is_refused_by_2_3(block: &Block) -> bool {
    let says = |text: &str| block.outcome.iter().any(|line| line.starts_with('!') && line.contains(text));
    REFUSED_BY_2_3.iter().any(|text| says(text)) && block.statement.to_uppercase().contains("_CHANGELOG")
}

/// Runs a script with what 2.3 refuses, which must be accepted unless it is wrong for 2.4 as well.
fn accepts_what_2_4_has(script: &str, recorded: &[Block]) -> Result<(), Failed> {
    let mut runner = Runner::new();
    let mut index = 0;
    for piece in Splitter::new(script) {
        match piece?.item {
            Item::Directive(directive) => {
                if let Some(kinds) = directive.strip_prefix("kinds:") {
                    let kinds = kinds.split_whitespace().filter_map(|kind| kind.parse().ok()).collect();
                    runner.session.set_kinds(kinds);
                }
                index += usize::from(directive.starts_with("log:"));
            }
            Item::Statement { text, .. } => {
                let outcome = runner.statement(text);
                let wrong_in_2_4 = |line: &String| {
                    let reasons = [
                        "upsert output of FROM_CHANGELOG",
                        "mode mismatch",
                        "must be a STRING",
                        "op_mapping",
                        "watermark",
                        "changelog mode",
                        "operation code",
                    ];
                    reasons.iter().any(|reason| line.contains(reason))
                };
                let refused = outcome.first().filter(|line| line.starts_with('!') && !wrong_in_2_4(line));
                if let (Some(line), true) = (refused, recorded.get(index).is_some_and(is_refused_by_2_3)) {
                    return Err(format!("{text}\n  is refused: {line}").into());
                }
                index += 1;
            }
            Item::Command(_) => {}
        }
    }
    Ok(())
}

struct Runner {
    session: Session,
}

impl Runner {
    fn new() -> Self {
        let mut session = Session::new();
        session.set("rowkind.strict", "true").expect("a setting");
        session.set("rowkind.insert", "once").expect("a setting");
        Self { session }
    }

    fn log(&self, table: &str) -> Vec<String> {
        match self.session.log(table) {
            Ok(log) => log.lines().collect(),
            Err(error) => vec![format!("! {error}")],
        }
    }

    fn statement(&mut self, text: &str) -> Vec<String> {
        let mut collected = Collected::default();
        match self.session.execute(text, &mut collected) {
            Err(error) => vec![format!("! {error}")],
            Ok(Outcome::Queried) => result(&collected),
            Ok(Outcome::Rows(rows)) => {
                let text = RowText::new(&rows.schema, jiff::tz::TimeZone::UTC);
                let columns = rows.schema.columns.iter().map(|c| format!("{} {}", c.name, c.data_type));
                let header = format!("# {}", columns.collect::<Vec<_>>().join(", "));
                [header].into_iter().chain(rows.rows.iter().map(|row| text.of(row))).collect()
            }
            Ok(Outcome::Text(text)) => text.lines().map(str::to_owned).collect(),
            Ok(_) => vec!["OK".to_owned()],
        }
    }
}

/// The result of a query, as it is recorded.
fn result(collected: &Collected) -> Vec<String> {
    let header = collected.header.as_ref().expect("a query has a header");
    let columns = header.schema.columns.iter().map(|column| format!("{} {}", column.name, column.data_type));
    let mut lines = vec![format!("# {}", columns.collect::<Vec<_>>().join(", "))];
    lines.extend(collected.lines());
    lines.push("= final".to_owned());
    let text = RowText::new(&header.schema, header.time_zone.clone());
    let mut table = Materialized::new(None);
    for change in collected.changes.iter() {
        let kind = if change.kind.adds() { RowKind::Insert } else { RowKind::Delete };
        table.apply(rowkind::changelog::Change { kind, ..change });
    }
    let mut rows: Vec<String> = table.rows().map(|row| text.of(row)).collect();
    rows.sort();
    lines.extend(rows);
    lines
}
