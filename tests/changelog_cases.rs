//! Runs the cases of `changelog-cases.json`: small histories with what `FROM_CHANGELOG`,
//! `TO_CHANGELOG` and the operators around them make of each, taken from Flink's own tests and
//! documentation. Each case is one test. What a case states is compared: changes in order, the
//! final table, columns, modes, plans, and errors by when they occur and what they name.

use libtest_mimic::{Arguments, Failed, Trial};
use rowkind::Session;
use rowkind::changelog::{Materialized, RowKind};
use rowkind::session::{Collected, Error, Outcome};
use rowkind::value::{RowText, Schema};
use serde_json::Value as Json;

const CASES: &str = include_str!("changelog-cases.json");

/// Explains the cases that are not compared because they are not about what is built here.
const KNOWN_DIFFERENCES: &str = include_str!("known_differences.md");

/// Cases that are not compared; the reasons are in [`KNOWN_DIFFERENCES`].
const NOT_COMPARED: [&str; 2] = ["from-2.3-error-handling-ignored", "to-schema-nullability-3"];

/// What is expected of plans over an upsert source, beside what the case says.
///
/// Flink's tests plan over a source whose deletes carry the whole row. Deletes of our upsert tables
/// carry the key, as those of a Kafka topic do; Flink shows that as PD. Where the consumer needs
/// whole rows, a normalizer that gives no -U makes them.
const PLANS_WITH_DELETES_BY_KEY: [(&str, &[&str]); 5] = [
    ("to-explain-upsert", &NORMALIZED),
    ("to-explain-upsert-partial", &NORMALIZED),
    ("to-explain-upsert-full", &NORMALIZED),
    (
        "to-explain-upsert-partition",
        &[
            "ProcessTableFunction uid=[TO_CHANGELOG] [I]",
            "Exchange hash[id] [I,UA,D]",
            "ChangelogNormalize key=[id] [I,UA,D]",
            "Exchange hash[id] [I,UA,PD]",
            "TableSourceScan [I,UA,PD]",
        ],
    ),
    (
        "to-explain-upsert-partition-no-delete",
        &["ProcessTableFunction [I]", "Exchange hash[id] [I,UA,PD]", "TableSourceScan [I,UA,PD]"],
    ),
];

const NORMALIZED: [&str; 4] = [
    "ProcessTableFunction [I]",
    "ChangelogNormalize key=[id] [I,UB,UA,D]",
    "Exchange hash[id] [I,UA,PD]",
    "TableSourceScan [I,UA,PD]",
];

fn main() {
    let arguments = Arguments::from_args();
    let cases: Json = serde_json::from_str(CASES).expect("the cases are JSON");
    let cases = cases["cases"].as_array().expect("there is a list of cases");
    let trials = cases.iter().map(|case| {
        let (id, case) = (text(&case["id"]).to_owned(), case.clone());
        let ignored = NOT_COMPARED.contains(&&*id);
        Trial::test(id, move || check(&case)).with_ignored_flag(ignored)
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(Trial::test("what is not compared is explained", || {
        let unexplained = NOT_COMPARED.into_iter().filter(|id| !KNOWN_DIFFERENCES.contains(id));
        same(&Vec::<&str>::new(), &unexplained.collect(), "names")
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs a case and compares everything that it states.
fn check(case: &Json) -> Result<(), Failed> {
    let mut session = prepared(case)?;
    if text(&case["query"]) == "materialise" {
        return check_results(case, &session.log(text(&case["setup"]["tables"][0]["name"]))?);
    }
    let mut statements: Vec<&str> = items(&case["run"]).map(text).collect();
    let last = statements.pop().unwrap_or_else(|| text(&case["query"]));
    for statement in statements {
        session.execute(statement, &mut Collected::default())?;
    }
    let mut collected = Collected::default();
    let result = if case["watch"] == true {
        session.watch(last, &mut Collected::default()).map(|watched| collected = watched)
    } else {
        session.execute(last, &mut collected).map(|outcome| {
            if let Outcome::Text(plan) = outcome {
                collected.notices = vec![plan];
            }
        })
    };
    match (&case["expect_error"], result) {
        (Json::Null, result) => result?,
        (expected, Err(error)) => return check_error(expected, &error),
        (expected, Ok(())) => return Err(format!("should fail: {expected}").into()),
    }
    if let Some(plan) = case["expect_plan"].as_array() {
        return check_plan(text(&case["id"]), plan, &collected.notices[0]);
    }
    if let Some(sink) = sink_of(last) {
        collected = session.log(sink)?;
    }
    check_results(case, &collected)?;
    if let Some(mode) = case["expect_mode"].as_str() {
        let plan = text_of(&mut session, &format!("EXPLAIN CHANGELOG_MODE {last}"))?;
        let function = format!("ProcessTableFunction {mode}");
        let line = plan.lines().find(|line| line.contains("ProcessTableFunction"));
        check_line(&function, line.ok_or("there is no function in the plan")?)?;
    }
    if let Some(expected) = case["expect_schema_without_partition"].as_array() {
        session.execute(&last.replace(" PARTITION BY id", ""), &mut collected)?;
        check_schema(expected, &collected.header.ok_or("there is no result")?.schema)?;
    }
    Ok(())
}

/// Compares columns, changes and the table that the changes add up to.
fn check_results(case: &Json, collected: &Collected) -> Result<(), Failed> {
    let header = collected.header.as_ref().ok_or("there is no result")?;
    if let Some(expected) = case["expect_schema"].as_array() {
        let skipped = usize::try_from(case["partition_columns"].as_u64().unwrap_or(0))?;
        check_schema(expected, &header.schema.columns[skipped..].iter().cloned().collect())?;
    }
    if let Some(expected) = case["expect"].as_array() {
        let expected: Vec<String> = expected.iter().map(|change| line(change, &header.schema)).collect();
        same(&expected, &collected.lines().collect(), "changes")?;
    }
    if let Some(expected) = case["final_table"].as_array() {
        let mut table = Materialized::new(header.key.clone());
        for change in collected.changes.iter() {
            table.apply(change);
        }
        check_table(expected, &table, &header.schema)?;
    }
    Ok(())
}

/// A session with the tables of a case and their rows.
fn prepared(case: &Json) -> Result<Session, Failed> {
    let mut session = Session::with_clock(|| 0);
    session.set("rowkind.strict", "true")?;
    session.set("rowkind.insert", "once")?;
    let mut run = |statement: &str, kinds: Vec<RowKind>| {
        if !kinds.is_empty() {
            session.set_kinds(kinds);
        }
        let outcome = session.execute(statement, &mut Collected::default());
        outcome.map_err(|error| Failed::from(format!("{statement}: {error}")))
    };
    for table in items(&case["setup"]["tables"]) {
        let name = text(&table["name"]);
        run(&definition(table), Vec::new())?;
        for change in items(&table["rows"]) {
            let (kind, values) = kind_and_values(change);
            run(&insertion(name, table, values), vec![kind])?;
        }
    }
    for sink in items(&case["sinks"]) {
        run(text(sink), Vec::new())?;
    }
    for event in items(&case["events_in_order"]) {
        let event: Vec<Json> = items(event).cloned().collect();
        let tables = case["setup"]["tables"].as_array().expect("a case with events has tables");
        let table = tables.iter().find(|table| table["name"] == event[0]).expect("the table is there");
        let kind = text(&event[1]).parse().expect("an event has a kind");
        run(&insertion(text(&event[0]), table, &event[2..]), vec![kind])?;
    }
    Ok(session)
}

fn definition(table: &Json) -> String {
    if let Some(ddl) = table["ddl"].as_str() {
        return ddl.to_owned();
    }
    let mode = text(&table["changelog_mode"]);
    // A source of +I, -U and +U is one of all kinds here.
    let mode = ["append", "upsert"].into_iter().find(|known| mode.starts_with(known)).unwrap_or("retract");
    let columns = columns(table).map(|(name, data_type)| format!("`{name}` {data_type}"));
    let key = table["primary_key"].as_array().map(|key| {
        let columns: Vec<String> = key.iter().map(|column| format!("`{}`", text(column))).collect();
        format!("PRIMARY KEY ({}) NOT ENFORCED", columns.join(", "))
    });
    let elements: Vec<String> = columns.chain(key).collect();
    let name = text(&table["name"]);
    format!("CREATE TABLE `{name}` ({}) WITH ('changelog.mode' = '{mode}')", elements.join(", "))
}

fn insertion(name: &str, table: &Json, values: &[Json]) -> String {
    let literals = columns(table).zip(values).map(|((_, data_type), value)| {
        let data_type = data_type.trim_end_matches(" NOT NULL");
        match value {
            Json::Null => format!("CAST(NULL AS {data_type})"),
            Json::Number(number) if data_type.starts_with("TIMESTAMP_LTZ") => {
                format!("TO_TIMESTAMP_LTZ({number}, 3)")
            }
            Json::String(time) if data_type.starts_with("TIMESTAMP_LTZ") => {
                format!("CAST('1970-01-01 {time}:00' AS {data_type})")
            }
            Json::String(text) => format!("'{text}'"),
            number => number.to_string(),
        }
    });
    format!("INSERT INTO `{name}` VALUES ({})", literals.collect::<Vec<_>>().join(", "))
}

fn columns(table: &Json) -> impl Iterator<Item = (&str, &str)> {
    items(&table["columns"]).map(|column| text(column).split_once(' ').expect("a column has a type"))
}

/// The table that a statement writes.
fn sink_of(statement: &str) -> Option<&str> {
    statement.strip_prefix("INSERT INTO ")?.split_whitespace().next()
}

/// A change as it is shown.
fn line(change: &Json, schema: &Schema) -> String {
    let (kind, values) = kind_and_values(change);
    format!("{kind}{}", row(values, schema))
}

fn row(values: &[Json], schema: &Schema) -> String {
    let values = values.iter().zip(schema.types()).map(|(value, data_type)| match value {
        Json::String(time) if data_type.to_string().starts_with("TIMESTAMP_LTZ") => {
            format!("1970-01-01 {time}:00.000")
        }
        Json::String(text) => text.clone(),
        other => other.to_string(),
    });
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// The errors are worded differently; what they name between quotes is the same.
fn check_error(expected: &Json, error: &Error) -> Result<(), Failed> {
    let more = [error.detail(), error.hint()].into_iter().flatten().collect::<Vec<_>>().join("\n");
    let message = format!("{error}\n{more}");
    let when = match error {
        Error::Run(_) => "run",
        // Two functions of one uid are refused before the job starts.
        Error::Refused { .. } => "run/submit",
        _ => "plan",
    };
    same(&text(&expected["when"]), &when, &format!("time of the error {message}"))?;
    let named = text(&expected["substance"]).split('\'').skip(1).step_by(2);
    for name in named.filter(|name| !name.contains(' ')) {
        if !message.contains(name) {
            return Err(format!("the error does not name {name}: {message}").into());
        }
    }
    Ok(())
}

fn check_plan(id: &str, expected: &[Json], plan: &str) -> Result<(), Failed> {
    let ours = PLANS_WITH_DELETES_BY_KEY.iter().find(|(known, _)| *known == id);
    let expected: Vec<&str> = match ours {
        Some((_, lines)) => lines.to_vec(),
        None => expected.iter().map(text).collect(),
    };
    let lines: Vec<&str> = plan.lines().collect();
    if lines.len() != expected.len() {
        return Err(format!("expected {expected:#?}, but the plan is\n{plan}").into());
    }
    expected.iter().zip(lines).try_for_each(|(expected, line)| check_line(expected, line))
}

/// Compares the name of an operator, its mode, and each attribute that is expected.
fn check_line(expected: &str, line: &str) -> Result<(), Failed> {
    let mut words = expected.split(' ');
    let operator = words.next().expect("a line names an operator");
    let given = line.trim_start_matches([' ', '+', '-', ':']);
    let mut fits = given.split('(').next() == Some(operator);
    for word in words {
        let compact = given.replace(", ", ",");
        fits &= if word.starts_with('[') {
            compact.contains(&format!("changelogMode={word}"))
        } else {
            compact.contains(word)
        };
    }
    if fits { Ok(()) } else { Err(format!("expected {expected}, but the plan says {given}").into()) }
}

/// Compares names, and types where they are stated.
fn check_schema(expected: &[Json], schema: &Schema) -> Result<(), Failed> {
    let shown = |(i, column): (usize, &rowkind::value::Column)| match expected.get(i) {
        Some(expected) if !text(expected).contains(' ') => column.name.clone(),
        _ => format!("{} {}", column.name, column.data_type),
    };
    let given: Vec<String> = schema.columns.iter().enumerate().map(shown).collect();
    same(&expected.iter().map(|column| text(column).to_owned()).collect(), &given, "columns")
}

fn check_table(expected: &[Json], table: &Materialized, schema: &Schema) -> Result<(), Failed> {
    let rows = |row: &Json| self::row(row.as_array().expect("a row is a list"), schema);
    let mut expected: Vec<String> = expected.iter().map(rows).collect();
    let text = RowText::new(schema, jiff::tz::TimeZone::UTC);
    let mut given: Vec<String> = table.rows().map(|row| text.of(row)).collect();
    expected.sort();
    given.sort();
    same(&expected, &given, "rows")
}

fn text_of(session: &mut Session, statement: &str) -> Result<String, Failed> {
    match session.execute(statement, &mut Collected::default())? {
        Outcome::Text(text) => Ok(text),
        outcome => Err(format!("{statement} gives {outcome:?}").into()),
    }
}

fn kind_and_values(change: &Json) -> (RowKind, &[Json]) {
    let [kind, values @ ..] = &change.as_array().expect("a change is a list")[..] else {
        panic!("a change has a kind: {change}");
    };
    (text(kind).parse().expect("a change begins with its kind"), values)
}

fn items(list: &Json) -> impl Iterator<Item = &Json> {
    list.as_array().into_iter().flatten()
}

#[track_caller]
fn text(json: &Json) -> &str {
    json.as_str().expect("a text is there")
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, given: &T, what: &str) -> Result<(), Failed> {
    if expected == given {
        return Ok(());
    }
    Err(format!("{what} differ\n  expected {expected:?}\n  given    {given:?}").into())
}
