//! Aggregates over changes, written as on the screen: `+ 5 a` takes a row in, `- 5 a` takes it out.

use jiff::tz::TimeZone;

use super::*;
use crate::expr::function::Argument;
use crate::value::cast::cast;
use crate::value::display::write_value;
use crate::value::{TypeKind, Value};

/// The results after each change of a one-column or two-column input, joined by blanks.
struct Input {
    types: Vec<DataType>,
    literals: Vec<Option<Value>>,
    distinct: bool,
    retracts: bool,
    filter: Option<usize>,
}

fn over(types: &[DataType]) -> Input {
    Input {
        types: types.to_vec(),
        literals: vec![None; types.len()],
        distinct: false,
        retracts: true,
        filter: None,
    }
}

fn numbers(kind: TypeKind) -> Input {
    over(&[DataType::new(kind)])
}

impl Input {
    fn distinct(mut self) -> Self {
        self.distinct = true;
        self
    }

    fn append_only(mut self) -> Self {
        self.retracts = false;
        self
    }

    fn aggregate(&self, name: &str) -> Aggregate {
        let arguments = self.types.iter().zip(&self.literals);
        let arguments: Vec<_> =
            arguments.map(|(data_type, literal)| Argument { data_type, literal: literal.as_ref() }).collect();
        bind(name, &arguments, self.distinct, true).unwrap()
    }

    #[track_caller]
    fn check(&self, name: &str, changes: &str, results: &str) {
        let Aggregate { function, arguments, data_type } = self.aggregate(name);
        let call = AggregateCall {
            function,
            args: (0..arguments.len()).collect(),
            distinct: self.distinct,
            filter: self.filter,
            data_type,
            retracts: self.retracts,
        };
        let mut state = call.new_state();
        let mut shown = Vec::new();
        for line in changes.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (sign, fields) = line.split_at(1);
            let row = fields.split_whitespace().zip(&arguments).map(|(text, data_type)| {
                let text = if text == "NULL" { Value::NULL } else { Value::string(text) };
                cast(&text, &DataType::string(), data_type, &TimeZone::UTC).unwrap()
            });
            let row: Vec<_> = row.collect();
            let outcome = if sign == "+" {
                call.accumulate(&mut state, &row)
            } else {
                call.retract(&mut state, &row);
                Ok(())
            };
            let mut text = String::new();
            match outcome {
                Ok(()) => write_value(&mut text, &call.value(&state), &call.data_type, &TimeZone::UTC),
                Err(error) => text = format!("error: {error}"),
            }
            shown.push(text);
        }
        let results: Vec<_> = results.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(shown, results, "{name}");
    }
}

const CHANGES: &str = "
    + 2
    + 4
    + NULL
    + 4
    + -7
    + 9
    - 4
    - 2
    - 9
    - -7
    - 4";

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 40, "{}", size_of::<State>());
}

#[test]
fn counts_sums_and_averages_follow_retractions_to_null() {
    let int = numbers(TypeKind::Int);
    int.check("COUNT", CHANGES, "1\n2\n2\n3\n4\n5\n4\n3\n2\n1\n0");
    int.check("SUM", CHANGES, "2\n6\n6\n10\n3\n12\n8\n6\n-3\n4\nnull");
    int.check("AVG", CHANGES, "2\n3\n3\n3\n0\n2\n2\n2\n-1\n4\nnull");
    over(&[]).check("COUNT", "+\n+\n-", "1\n2\n1");
}

#[test]
fn integers_wrap_in_their_own_type() {
    let tiny = numbers(TypeKind::TinyInt);
    tiny.check("SUM", "+ 100\n+ 100\n- 100", "100\n-56\n100");
    tiny.check("AVG", "+ 100\n+ 100", "100\n100");
    let big = numbers(TypeKind::BigInt);
    big.check("AVG", "+ 9223372036854775807\n+ 1", "9223372036854775807\n-4611686018427387904");
}

#[test]
fn floats_are_summed_in_their_own_precision() {
    let float = numbers(TypeKind::Float);
    float.check("SUM", "+ 1.1\n+ 2.2\n+ 2.2\n- 2.2", "1.1\n3.3000002\n5.5\n3.3");
    float.check("AVG", "+ 1.1\n+ 2.2\n+ 2.2", "1.1\n1.6500001\n1.8333334");
    let double = numbers(TypeKind::Double);
    double.check(
        "SUM",
        "+ 2.5\n+ 4.1\n+ 4.1\n+ 0.3\n+ 7.7\n- 4.1\n- 2.5\n- 7.7\n- 0.3",
        "2.5\n6.6\n10.7\n11.0\n18.7\n14.6\n12.1\n4.3999999999999995\n4.1",
    );
}

#[test]
fn decimal_averages_keep_six_digits_and_overflow_is_null() {
    let decimal = over(&[DataType::decimal(5, 2)]);
    decimal.check("SUM", "+ 1.10\n+ 2.25\n+ 999.99", "1.10\n3.35\n1003.34");
    decimal.check("AVG", "+ 1.10\n+ 2.25\n+ 999.99", "1.100000\n1.675000\n334.446667");
    let wide = over(&[DataType::decimal(38, 0)]);
    let nines = "+ 99999999999999999999999999999999999999\n+ 1\n+ 5\n+ 7";
    wide.check("SUM", nines, "99999999999999999999999999999999999999\nnull\n5\n12");
    wide.check("AVG", nines, "null\nnull\nnull\nnull");
}

#[test]
fn the_largest_and_smallest_come_back_when_better_ones_leave() {
    let int = numbers(TypeKind::Int);
    int.check("MIN", CHANGES, "2\n2\n2\n2\n-7\n-7\n-7\n-7\n-7\n4\nnull");
    int.check("MAX", CHANGES, "2\n4\n4\n4\n4\n9\n9\n9\n4\n4\nnull");
    numbers(TypeKind::Int).append_only().check("MAX", "+ NULL\n+ 3\n+ 1", "null\n3\n3");
}

#[test]
fn variances_are_those_of_flink_to_the_last_digit() {
    let changes = "+ 2.5\n+ 4.1\n+ 4.1\n+ 0.3\n+ 7.7\n- 4.1\n- 2.5\n- 7.7\n- 0.3";
    numbers(TypeKind::Double).check(
        "VAR_POP",
        changes,
        "0.0\n0.6399999999999997\n0.5688888888888887\n2.4274999999999998\n5.862399999999999\n7.2875
        9.128888888888888\n3.610000000000001\nnull",
    );
    numbers(TypeKind::Double).check(
        "STDDEV_SAMP",
        changes,
        "null\n1.1313708498984758\n0.923760430703401\n1.799073835801818\n2.707027890510181\n3.11715682420161
        3.700450423034111\n2.687005768508881\nnull",
    );
    numbers(TypeKind::Int).check("VAR_SAMP", CHANGES, "null\n2\n2\n1\n27\n34\n44\n67\n60\nnull\nnull");
    let decimal = over(&[DataType::decimal(10, 2)]);
    let changes = "+ 1.10\n+ 2.25\n+ 2.25\n+ 999.99\n+ 0.01\n- 2.25\n- 1.10\n- 0.01\n- 999.99";
    decimal.check(
        "STDDEV_POP",
        changes,
        "0.000000\n0.575000\n0.542115\n432.200336\n399.435868\n432.524123\n470.868008\n498.870000\n0.000013",
    );
}

#[test]
fn lists_keep_their_order_and_lose_the_earliest_of_equal_texts() {
    let text = || over(&[DataType::string()]);
    let changes = "+ x\n+ y\n+ NULL\n+ y\n+ z\n+ x\n- y\n- x\n- x\n- z\n- y";
    text().check("LISTAGG", changes, "x\nx,y\nx,y\nx,y,y\nx,y,y,z\nx,y,y,z,x\nx,y,z,x\ny,z,x\ny,z\ny\nnull");
    text().distinct().check("LISTAGG", changes, "x\nx,y\nx,y\nx,y\nx,y,z\nx,y,z\nx,y,z\nx,y,z\ny,z\ny\nnull");
    text().append_only().check("LISTAGG", "+ NULL\n+ a\n+ b", "null\na\na,b");
    let mut dashed = over(&[DataType::string(), DataType::string()]);
    dashed.literals[1] = Some(Value::string(" - "));
    dashed.check("LISTAGG", "+ a\n+ b\n- a", "a\na - b\nb");
}

#[test]
fn first_and_last_values_skip_null_and_follow_retractions() {
    let int = numbers(TypeKind::Int);
    int.check("FIRST_VALUE", CHANGES, "2\n2\n2\n2\n2\n2\n2\n4\n4\n4\nnull");
    int.check("LAST_VALUE", CHANGES, "2\n4\n4\n4\n-7\n9\n9\n9\n-7\n4\nnull");
    let append = numbers(TypeKind::Int).append_only();
    append.check("FIRST_VALUE", "+ NULL\n+ 3\n+ 1\n+ NULL", "null\n3\n3\n3");
    append.check("LAST_VALUE", "+ NULL\n+ 3\n+ 1\n+ NULL", "null\n3\n1\n1");
}

#[test]
fn arrays_hold_null_and_multisets_do_not() {
    let int = || numbers(TypeKind::Int);
    int().check(
        "ARRAY_AGG",
        "+ 2\n+ 4\n+ NULL\n+ 4\n- 4\n- 2\n- 4\n- NULL",
        "[2]\n[2, 4]\n[2, 4, NULL]\n[2, 4, NULL, 4]\n[2, NULL, 4]\n[NULL, 4]\n[NULL]\nnull",
    );
    int().check(
        "COLLECT",
        "+ 2\n+ 4\n+ NULL\n+ 4\n- 2\n- 4\n- 4",
        "{2=1}\n{2=1, 4=1}\n{2=1, 4=1}\n{2=1, 4=2}\n{4=2}\n{4=1}\n{}",
    );
}

#[test]
fn distinct_values_count_once_until_the_last_one_leaves() {
    let int = || numbers(TypeKind::Int).distinct();
    int().check("COUNT", CHANGES, "1\n2\n2\n2\n3\n4\n4\n3\n2\n1\n0");
    int().check("SUM", CHANGES, "2\n6\n6\n6\n-1\n8\n8\n6\n-3\n4\nnull");
}

#[test]
fn a_filter_lets_only_true_rows_count() {
    let mut filtered = over(&[DataType::int(), DataType::boolean()]);
    filtered.filter = Some(1);
    let Aggregate { function, data_type, .. } = {
        let int = DataType::int();
        bind("SUM", &[Argument { data_type: &int, literal: None }], false, false).unwrap()
    };
    let call = AggregateCall {
        function,
        args: vec![0],
        distinct: false,
        filter: Some(1),
        data_type,
        retracts: true,
    };
    let mut state = call.new_state();
    for (value, passes) in [(1, Value::boolean(true)), (2, Value::boolean(false)), (4, Value::NULL)] {
        call.accumulate(&mut state, &[Value::integer(value), passes]).unwrap();
    }
    assert_eq!(call.value(&state), Value::integer(1));
}

#[test]
fn json_objects_have_their_keys_in_order_and_no_key_twice() {
    let member = || over(&[DataType::string(), DataType::double()]);
    member().check(
        "JSON_OBJECTAGG",
        "+ n NULL\n+ a 2.5\n- n NULL\n+ a 1\n+ NULL 1",
        "{\"n\":null}\n{\"a\":2.5,\"n\":null}\n{\"a\":2.5}
        error: the JSON object has the key \"a\" already\nerror: a key of a JSON object is NULL",
    );
    member().check("JSON_OBJECTAGG_ABSENT_ON_NULL", "+ n NULL\n+ a 2.5", "{}\n{\"a\":2.5}");
    let text = || over(&[DataType::string()]);
    text().check("JSON_ARRAYAGG", "+ x\n+ NULL\n+ y\n- x", "[\"x\"]\n[\"x\"]\n[\"x\",\"y\"]\n[\"y\"]");
    text().check("JSON_ARRAYAGG_NULL_ON_NULL", "+ x\n+ NULL", "[\"x\"]\n[\"x\",null]");
}

#[test]
fn percentiles_lie_between_values() {
    let mut int = over(&[DataType::int(), DataType::decimal(2, 1)]);
    int.check("PERCENTILE", "+ 2 0.5\n+ 4 0.5\n+ NULL 0.5\n- 2 0.5\n- 4 0.5", "2.0\n3.0\n3.0\n4.0\nnull");
    int.types[0] = DataType::bigint();
    int.check(
        "PERCENTILE",
        "+ -7 0.1\n+ 2 0.1\n+ 4 0.1\n+ 4 0.1\n+ 9 0.1",
        "-7.0\n-6.099999999999999\n-5.200000000000001\n-4.299999999999999\n-3.4000000000000012",
    );
}

#[test]
fn a_scalar_sub_query_takes_one_row_at_a_time() {
    let int = numbers(TypeKind::Int);
    int.check(
        "SINGLE_VALUE",
        "+ 1\n- 1\n+ 2\n+ 3",
        "1\nnull\n2\nerror: the sub-query gives more than one row",
    );
}

#[test]
fn results_have_flinks_types() {
    let typed = |name: &str, data_type: DataType, grouped: bool| {
        let argument = Argument { data_type: &data_type, literal: None };
        match bind(name, &[argument], false, grouped) {
            Ok(aggregate) => aggregate.data_type.to_string(),
            Err(error) => format!("error: {error}"),
        }
    };
    let (not_null, decimal) = (DataType::int().not_null(), DataType::decimal(10, 2));
    assert_eq!(typed("sum", not_null.clone(), true), "INT NOT NULL");
    assert_eq!(typed("SUM", not_null.clone(), false), "INT");
    assert_eq!(typed("SUM", decimal.clone(), true), "DECIMAL(38, 2)");
    assert_eq!(typed("AVG", decimal.clone(), true), "DECIMAL(38, 6)");
    assert_eq!(typed("VAR_SAMP", decimal, true), "DECIMAL(38, 6)");
    assert_eq!(typed("STDDEV_POP", DataType::int(), true), "INT");
    assert_eq!(typed("COUNT", DataType::string(), false), "BIGINT NOT NULL");
    assert_eq!(typed("COLLECT", DataType::int(), false), "MULTISET<INT> NOT NULL");
    assert_eq!(typed("ARRAY_AGG", not_null, false), "ARRAY<INT NOT NULL> NOT NULL");
    assert_eq!(typed("LISTAGG", DataType::new(TypeKind::VarChar(10)), true), "VARCHAR(10)");
    assert_eq!(typed("JSON_ARRAYAGG", DataType::int(), true), "VARCHAR(2000) NOT NULL");
    assert_eq!(typed("SUM", DataType::string(), true), "error: SUM(STRING): takes numbers");
    assert_eq!(typed("COUNTS", DataType::int(), true), "error: function \"COUNTS\" does not exist");
}
