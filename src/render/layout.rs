//! How the columns of a box share the width of a terminal.

/// What a column takes besides its text: a line and a blank on each side.
const FRAME: usize = 3;
/// A column is not made narrower than this, so that its text can still be read.
const NARROWEST: usize = 8;

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
    let frames = frames(shown) + if cut { FRAME + 1 } else { 0 };
    let widths = share(&natural[..shown], limit.saturating_sub(frames));
    Layout { widths, cut }
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
    let level = level.max(1);
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
}
