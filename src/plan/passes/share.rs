//! Finds tables that several parts of a query read by upserts.
//!
//! Flink normalises such a table once for all of them, as far as it can: then all columns are kept,
//! so that a change of any column is a change to each reader, and only what all filters have in
//! common goes below.

use super::super::node::{Calc, Op, Plan};
use super::prune::prune;
use crate::catalog::TableId;
use crate::expr::Expr;

/// A place where a table is normalised.
struct Reader {
    table: Option<TableId>,
    /// Its filters, below the normaliser and in it.
    filters: Vec<Expr>,
    /// Whether a filter or a projection is right above. Only such readers share.
    is_projected: bool,
}

/// What becomes of a reader.
enum Fate {
    /// It has its table for itself.
    Alone,
    /// It shares, and these filters are those of all readers.
    Shares(Vec<Expr>),
}

pub(super) fn share(plan: Plan) -> Plan {
    let mut readers = Vec::new();
    find(&plan, false, &mut readers);
    if readers.len() < 2 {
        return plan;
    }
    let mut widths = Vec::new();
    visit_normalizers(&prune(plan.clone()), &mut |plan| widths.push(plan.schema.len()));
    let mut full_widths = Vec::new();
    visit_normalizers(&plan, &mut |plan| full_widths.push(plan.schema.len()));
    for (reader, (width, full)) in readers.iter_mut().zip(widths.into_iter().zip(full_widths)) {
        reader.is_projected |= width < full;
    }
    let mut fates = readers.iter().map(|reader| fate(reader, &readers)).collect::<Vec<_>>().into_iter();
    rewrite(plan, &mut fates)
}

/// Calls `visit` on each normaliser, in the order of [`find`] and [`rewrite`].
fn visit_normalizers<'a>(plan: &'a Plan, visit: &mut impl FnMut(&'a Plan)) {
    plan.visit(&mut |plan| {
        if matches!(plan.op, Op::ChangelogNormalize { .. }) {
            visit(plan);
        }
    });
}

fn find(plan: &Plan, under_calc: bool, readers: &mut Vec<Reader>) {
    let is_calc = matches!(plan.op, Op::Calc(_));
    for input in &plan.inputs {
        find(input, is_calc, readers);
    }
    if let Op::ChangelogNormalize { condition, .. } = &plan.op {
        let below = filter_below(plan.input()).map(|(filter, _)| filter);
        let filters = below.into_iter().chain(condition).cloned().flat_map(Expr::into_conjuncts);
        let filters: Vec<Expr> = filters.collect();
        let is_projected = under_calc || !filters.is_empty();
        readers.push(Reader { table: table(plan), filters, is_projected });
    }
}

/// The filter on the key that was pushed below a normaliser, and what is below it.
fn filter_below(plan: &Plan) -> Option<(&Expr, &Plan)> {
    match &plan.op {
        Op::Calc(Calc { condition: Some(filter), .. }) => Some((filter, plan.input())),
        _ => None,
    }
}

fn table(plan: &Plan) -> Option<TableId> {
    match &plan.op {
        Op::Scan(scan) => Some(scan.table),
        Op::ChangelogNormalize { .. } | Op::Calc(_) | Op::Watermark { .. } => table(plan.input()),
        _ => None,
    }
}

fn fate(reader: &Reader, readers: &[Reader]) -> Fate {
    let shares = |other: &&Reader| other.is_projected && other.table.is_some() && other.table == reader.table;
    let others: Vec<&Reader> = readers.iter().filter(shares).collect();
    if !reader.is_projected || others.len() < 2 {
        return Fate::Alone;
    }
    let in_all = |filter: &&Expr| others.iter().all(|other| other.filters.contains(filter));
    let common: Vec<Expr> = others[0].filters.iter().filter(in_all).cloned().collect();
    // Flink looks for a conjunction: where one reader has no other filter, one in common is none.
    let is_conjunction = common.len() > 1 || others.iter().all(|other| other.filters.len() > common.len());
    Fate::Shares(if is_conjunction { common } else { Vec::new() })
}

fn rewrite(plan: Plan, fates: &mut impl Iterator<Item = Fate>) -> Plan {
    let plan = plan.map_inputs(|input| rewrite(input, fates));
    let Op::ChangelogNormalize { key, condition, .. } = &plan.op else { return plan };
    let Some(Fate::Shares(common)) = fates.next() else { return plan };
    let (below, input) = match filter_below(plan.input()) {
        Some((filter, input)) => (Some(filter), input),
        None => (None, plan.input()),
    };
    let filters = below.into_iter().chain(condition).cloned().flat_map(Expr::into_conjuncts);
    let (pushed, stays): (Vec<Expr>, Vec<Expr>) = filters.partition(|filter| common.contains(filter));
    let (on_key, beyond): (Vec<Expr>, Vec<Expr>) =
        pushed.into_iter().partition(|filter| filter.columns().iter().all(|column| key.contains(column)));
    let filtered = |plan: Plan, filters: Vec<Expr>| match Expr::conjunction(filters) {
        Some(filter) => plan.filter(filter),
        None => plan,
    };
    let op = Op::ChangelogNormalize {
        key: key.clone(),
        condition: Expr::conjunction(beyond),
        shared: common.is_empty(),
    };
    let input = filtered(input.clone(), on_key);
    filtered(Plan::new(op, vec![input], plan.schema.clone()), stays)
}
