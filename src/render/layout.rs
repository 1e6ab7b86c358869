//! How the columns of a box share the width of a terminal.

use crate::value::TypeKind;

/// What a column takes besides its text: a line and a blank on each side.
const FRAME: usize = 3;
/// A column is not made narrower than this, so that its text can still be read.
pub(super) const NARROWEST: usize = 8;
/// What a column is given whose values have no width that is usual for their type, or a larger one.
const USUAL: usize = 20;

/// The widths of the columns that are shown; there may be fewer than there are columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The width of the text of each column that is shown.
    pub widths: Vec<usize>,
    /// Whether columns at the end are left out.
    pub cut: bool,
}

/// What a number of columns takes besides its texts.
pub(super) fn frames(columns: usize) -> usize {
    columns * FRAME + 1
}

/// Gives each column what it needs, or, if that is more than the limit, takes from the widest first.
/// Columns that do not fit even then are left out, from the end.
pub fn fit(natural: &[usize], limit: Option<usize>) -> Layout {
    let Some(limit) = limit else { return Layout { widths: natural.to_vec(), cut: false } };
    let least =
        |widths: &[usize]| widths.iter().map(|width| width.min(&NARROWEST) + FRAME).sum::<usize>() + 1;
    let mut shown = natural.len();
    // The mark that stands for the columns left out is one column of width 1.
    while shown > 1 && least(&natural[..shown]) + if shown < natural.len() { FRAME + 1 } else { 0 } > limit {
        shown -= 1;
    }
    let cut = shown < natural.len();
    let mut layout = Layout { widths: natural[..shown].to_vec(), cut };
    layout.widths = share(&layout.widths, limit.saturating_sub(layout.frames()));
    for (width, natural) in layout.widths.iter_mut().zip(natural) {
        *width = (*width).max((*natural).min(1));
    }
    layout
}

impl Layout {
    /// What it takes besides its texts.
    fn frames(&self) -> usize {
        frames(self.widths.len()) + if self.cut { FRAME + 1 } else { 0 }
    }

    /// Makes columns wider, up to what each is given, from what is free within the limit.
    pub(super) fn widen(&mut self, wanted: &[usize], limit: usize) {
        let free = limit.saturating_sub(self.frames() + self.widths.iter().sum::<usize>());
        let missing: Vec<usize> =
            self.widths.iter().zip(wanted).map(|(width, wanted)| wanted.saturating_sub(*width)).collect();
        for (width, more) in self.widths.iter_mut().zip(share(&missing, free)) {
            *width += more;
        }
    }
}

/// The width that the values of a type need, or what is usual where they may need more: what Flink's
/// client gives a column before it has seen its values.
pub(super) fn usual_width(kind: &TypeKind) -> usize {
    // A fraction of a second has a point before it.
    let fraction = |digits: u8| if digits == 0 { 0 } else { usize::from(digits) + 1 };
    match kind {
        TypeKind::Boolean => 5,
        TypeKind::Null | TypeKind::TinyInt => 4,
        TypeKind::SmallInt => 6,
        TypeKind::Int => 11,
        TypeKind::BigInt => 20,
        TypeKind::Float => 14,
        TypeKind::Decimal { precision, .. } => USUAL.min(usize::from(*precision) + 2),
        TypeKind::Char(length) | TypeKind::VarChar(length) => {
            usize::try_from(*length).unwrap_or(USUAL).min(USUAL)
        }
        TypeKind::Date => 10,
        TypeKind::Time(digits) => 8 + fraction(*digits),
        TypeKind::Timestamp(digits) | TypeKind::TimestampLtz(digits) => 19 + fraction(*digits),
        TypeKind::Double
        | TypeKind::Binary(_)
        | TypeKind::VarBinary(_)
        | TypeKind::IntervalMonth
        | TypeKind::IntervalSecond
        | TypeKind::Array(_)
        | TypeKind::Map(..)
        | TypeKind::Multiset(_)
        | TypeKind::Row(_)
        | TypeKind::Bitmap => USUAL,
    }
}

/// Caps the widths at the highest level at which their sum is within the limit.
fn share(natural: &[usize], limit: usize) -> Vec<usize> {
    let mut sorted = natural.to_vec();
    sorted.sort_unstable();
    let mut left = limit;
    let mut level = usize::MAX;
    for (i, &width) in sorted.iter().enumerate() {
        let each = left / (sorted.len() - i);
        if width > each {
            level = each;
            break;
        }
        left -= width;
    }
    let mut widths: Vec<usize> = natural.iter().map(|&width| width.min(level)).collect();
    // What the division leaves over goes to the first columns that want it.
    let mut over = limit.saturating_sub(widths.iter().sum());
    for (width, &wanted) in widths.iter_mut().zip(natural) {
        if over > 0 && *width < wanted {
            *width += 1;
            over -= 1;
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_every_column_gets_what_it_needs() {
        assert_eq!(fit(&[2, 500], None), Layout { widths: vec![2, 500], cut: false });
        assert_eq!(fit(&[2, 10], Some(80)), Layout { widths: vec![2, 10], cut: false });
    }

    #[test]
    fn the_widest_columns_give_first_and_the_line_is_filled() {
        let layout = fit(&[2, 100, 10, 100], Some(80));
        assert_eq!(layout, Layout { widths: vec![2, 28, 10, 27], cut: false });
        assert_eq!(layout.widths.iter().sum::<usize>() + 4 * FRAME + 1, 80);
    }

    #[test]
    fn columns_that_cannot_be_read_any_more_are_left_out() {
        assert_eq!(fit(&[20; 12], Some(60)), Layout { widths: vec![8; 5], cut: true });
        assert_eq!(fit(&[20; 12], Some(59)), Layout { widths: vec![11, 11, 10, 10], cut: true });
        assert_eq!(fit(&[20, 20], Some(1)), Layout { widths: vec![1], cut: true });
    }

    #[test]
    fn what_is_free_goes_to_columns_that_may_need_it() {
        let widened = |limit| {
            let mut layout = fit(&[2, 1, 30], Some(limit));
            layout.widen(&[2, 20, 20], limit);
            layout.widths
        };
        assert_eq!(widened(80), [2, 20, 30]);
        assert_eq!(widened(50), [2, 8, 30]);
        assert_eq!(widened(43), [2, 1, 30]);
        assert_eq!(widened(40), [2, 1, 27]);
    }

    #[test]
    fn types_have_a_width_that_their_values_need() {
        let widths = [
            (TypeKind::TinyInt, i8::MIN.to_string().len()),
            (TypeKind::SmallInt, i16::MIN.to_string().len()),
            (TypeKind::Int, i32::MIN.to_string().len()),
            (TypeKind::BigInt, i64::MIN.to_string().len()),
            (TypeKind::Decimal { precision: 10, scale: 2 }, "-12345678.90".len()),
            (TypeKind::Decimal { precision: 38, scale: 2 }, USUAL),
            (TypeKind::Timestamp(3), "2024-01-01 00:00:00.000".len()),
            (TypeKind::Time(0), "00:00:00".len()),
            (TypeKind::VarChar(3), 3),
            (TypeKind::VarChar(u32::MAX), USUAL),
        ];
        for (kind, width) in widths {
            assert_eq!(usual_width(&kind), width, "{kind}");
        }
    }
}
