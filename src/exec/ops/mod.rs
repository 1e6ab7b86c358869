//! The operators, one file each.

mod aggregate;
mod calc;
mod deduplicate;
mod drop_update_before;
mod expand;
mod from_changelog;
mod join;
mod lag;
mod normalize;
mod rank;
mod sink;
mod sort;
mod to_changelog;
mod union;
mod unnest;
mod watermark;

pub(super) use aggregate::Aggregate;
pub(super) use calc::Calc;
pub(super) use deduplicate::{KeepEarliest, KeepFirst, KeepLast};
pub(super) use drop_update_before::DropUpdateBefore;
pub(super) use expand::Expand;
pub(super) use from_changelog::{FromChangelog, OrderedFromChangelog};
pub(super) use join::{RegularJoin, SemiJoin, SideSpec, Sides};
pub(super) use lag::{Lag, LagByColumn, LagInTime};
pub(super) use normalize::Normalize;
pub(super) use rank::{AppendRank, RetractRank, TopOne, UpdateRank};
pub(super) use sink::{DeleteLone, Enforce, Materialize};
pub(super) use sort::{FinalSort, TimeSort};
pub(super) use to_changelog::ToChangelog;
pub(super) use union::Union;
pub(super) use unnest::Unnest;
pub(super) use watermark::Watermark;
