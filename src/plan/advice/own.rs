//! The advice that rowkind adds to Flink's, about running a plan for long.

use super::super::keys::identifying_key;
use super::super::node::{Op, Plan, Sink};
use super::super::words::{in_words, named};
use crate::catalog::TableId;

/// The advice about a plan with modes, a sentence or two for each thing. `is_bounded` says whether
/// the rows of a table come to an end, and `forgets` that state is let go after some time.
pub fn of_rowkind(plan: &Plan, is_bounded: &dyn Fn(TableId) -> bool, forgets: bool) -> Vec<String> {
    let mut advice = Vec::new();
    if let Op::Sink(sink) = &plan.op
        && sink.materialize
    {
        advice.extend(key_differs(sink, plan));
    }
    if !forgets {
        plan.visit(&mut |plan| {
            if let Some(sentence) = grows(plan, is_bounded)
                && !advice.contains(&sentence)
            {
                advice.push(sentence);
            }
        });
    }
    advice
}

/// Changes that follow each other by another key than that of the table may overtake each other.
fn key_differs(sink: &Sink, plan: &Plan) -> Option<String> {
    let primary = named(sink.key.as_ref()?, &plan.schema);
    let table = &sink.name;
    let keeps = "so that the sink keeps all rows of each key to know which one is left";
    Some(match identifying_key(plan.input()) {
        Some(key) => format!(
            "The primary key ({primary}) of \"{table}\" is not the upsert key ({}) of the query, {keeps}. A \
             table with PRIMARY KEY ({0}) NOT ENFORCED needs no more than the last row.",
            named(&key, &plan.input().schema)
        ),
        None => format!(
            "The query has no upsert key to be the primary key ({primary}) of \"{table}\", {keeps}. GROUP BY \
             {primary}, or ROW_NUMBER() = 1 for each {primary}, would give it one."
        ),
    })
}

/// State that grows as long as rows come.
fn grows(plan: &Plan, is_bounded: &dyn Fn(TableId) -> bool) -> Option<String> {
    let keeps = match &plan.op {
        Op::Join(_) => "all rows of both sides",
        Op::Aggregate(aggregate) if !aggregate.keys.is_empty() => "a row for each key",
        _ => return None,
    };
    let mut goes_on = false;
    plan.visit(&mut |plan| goes_on |= matches!(&plan.op, Op::Scan(scan) if !is_bounded(scan.table)));
    goes_on.then(|| {
        let what = in_words(plan);
        let what = what.strip_prefix("the ").map_or_else(|| what.clone(), |rest| format!("The {rest}"));
        format!(
            "{what} keeps {keeps} as long as it runs. 'table.exec.state.ttl' makes Flink forget those that \
             rest."
        )
    })
}
