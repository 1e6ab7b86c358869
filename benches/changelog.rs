//! One core's speed from memory to memory: operation codes to a table, a query over it, and its
//! changes back to operation codes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use divan::counter::ItemsCount;
use rowkind::Session;
use rowkind::changelog::{Cause, Changes, RowKind};
use rowkind::exec;
use rowkind::expr::Context;
use rowkind::plan::bind::Binder;
use rowkind::plan::{modes, passes};
use rowkind::session::Collected;
use rowkind::sql::{self, Statement};
use rowkind::value::{Decimal, Value};

const EVENTS: usize = 1_000_000;
const SLICE: usize = 64;

fn main() {
    divan::main();
}

/// `FROM_CHANGELOG` → `GROUP BY` → `TO_CHANGELOG`.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn aggregate(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "SELECT * FROM TO_CHANGELOG(input => (
        SELECT region, COUNT(*) AS cnt, SUM(amount) AS total
        FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping =>
            MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE'])
        GROUP BY region))",
    );
}

/// `FROM_CHANGELOG` → `TO_CHANGELOG`, without state.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn pass_through(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "SELECT * FROM TO_CHANGELOG(input => (
        SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping =>
            MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE'])))",
    );
}

/// The last row of each of many keys, and a `GROUP BY` of those.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn latest_rows(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "SELECT * FROM TO_CHANGELOG(input => (
        SELECT region, COUNT(*) AS cnt, SUM(amount) AS total
        FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY id, error_handling => 'SKIP',
            op_mapping => MAP['c', 'INSERT', 'ua', 'UPDATE_AFTER', 'd', 'DELETE'])
        GROUP BY region))",
    );
}

/// A join of two inputs with many rows.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn join(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "WITH t AS (SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping =>
            MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']))
        SELECT a.id, a.amount, b.region FROM t AS a JOIN t AS b ON a.id = b.id",
    );
}

/// The ten first rows of each region, over rows that come and go.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn top_ten(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "SELECT id, region, amount FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY region ORDER BY amount DESC) AS rn
        FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping =>
            MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']))
        WHERE rn <= 10",
    );
}

/// Each row the first time that it comes.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn first_rows(bencher: divan::Bencher<'_, '_>) {
    run(
        bencher,
        "SELECT id, region, amount FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY id, region, amount ORDER BY PROCTIME()) AS rn FROM cdc)
        WHERE rn = 1",
    );
}

fn run(bencher: divan::Bencher<'_, '_>, query: &str) {
    let mut session = Session::new();
    let table = "CREATE TABLE cdc (op STRING, id BIGINT, region STRING, amount DECIMAL(10, 2))";
    session.execute(table, &mut Collected::default()).expect("the table is right");
    let events = events();
    let context = Context { time_zone: jiff::tz::TimeZone::UTC, now: 0, watermark: None };
    let parsed = sql::parse(query).expect("the query parses");
    let Statement::Query(query) = parsed.statement else { panic!("the text is a query") };
    let plan = Binder::new(session.catalog(), context.clone(), false).bind_query(&query).expect("it binds");
    let plan = passes::run(plan.collected(false), &context, &mut |_, _| {}).expect("it simplifies");
    let plan = modes::infer(plan, false).expect("it has modes").plan;
    bencher
        .counter(ItemsCount::new(EVENTS))
        .with_inputs(|| {
            exec::build(&plan, &context, exec::SinkOptions::default(), Arc::new(AtomicBool::new(false)))
        })
        .bench_values(|mut dataflow| {
            let mut out = Changes::new(dataflow.width());
            let mut emitted = 0;
            for start in (0..EVENTS).step_by(SLICE) {
                let end = EVENTS.min(start + SLICE);
                for source in 0..dataflow.sources().len() {
                    dataflow.push(source, (start..end).map(|i| events.get(i)), &mut out).expect("it runs");
                }
                emitted += out.len();
                out.clear();
            }
            emitted
        });
}

/// A valid retract changelog of a million events over a million ids and a thousand regions: an id
/// is drawn; if it is absent it is created, else it is deleted with 20 % and updated with 80 %,
/// which changes its amount always and its region with 10 %.
fn events() -> Changes {
    let mut random = Random(42);
    let mut live: Vec<(u32, u32)> = vec![(0, 0); 1_000_000];
    let mut log = Changes::new(4);
    let push = |log: &mut Changes, op: &str, id: u64, (region, cents): (u32, u32)| {
        let row = [
            Value::string(op),
            Value::integer(i64::try_from(id).expect("an id is small")),
            Value::string(&format!("region-{region:04}")),
            Value::decimal(Decimal::new(i128::from(cents), 2)),
        ];
        let cause = Cause { sequence: log.len() as u64 + 1, arrival: 0 };
        log.push(RowKind::Insert, cause, &row);
    };
    while log.len() < EVENTS {
        let id = random.below(1_000_000);
        let old = live[usize::try_from(id).expect("an id is small")];
        let new = if old.1 == 0 {
            let new = (random.below_u32(1000), 1 + random.below_u32(100_000));
            push(&mut log, "c", id, new);
            new
        } else if random.below(100) < 20 {
            push(&mut log, "d", id, old);
            (0, 0)
        } else {
            let region = if random.below(100) < 10 { random.below_u32(1000) } else { old.0 };
            let cents = 1 + random.below_u32(100_000);
            let new = (region, if cents == old.1 { cents % 100_000 + 1 } else { cents });
            push(&mut log, "ub", id, old);
            push(&mut log, "ua", id, new);
            new
        };
        live[usize::try_from(id).expect("an id is small")] = new;
    }
    log
}

/// The random numbers of splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        ((self.next() >> 32) * n) >> 32
    }

    fn below_u32(&mut self, n: u32) -> u32 {
        u32::try_from(self.below(u64::from(n))).expect("the number is below a 32-bit one")
    }
}
