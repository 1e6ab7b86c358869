//! What is different between two texts, line by line.

use std::fmt::Write;

use rowkind::render::{Painter, Role, printable};

/// How many common lines are shown around a difference.
const AROUND: usize = 3;

/// The most pairs of lines that are compared to find the shortest way from one text to the other.
const MOST: usize = 4_000_000;

/// A line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Same,
    Removed,
    Added,
}

/// Lines that are only in the old text after `-`, those only in the new one after `+`, and up to three
/// common lines around them.
pub(super) fn diff(old: &str, new: &str, painter: Painter) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let lines = edits(&old, &new);
    let mut near = vec![false; lines.len()];
    for (index, (edit, _)) in lines.iter().enumerate() {
        if *edit != Edit::Same {
            let around = index.saturating_sub(AROUND)..(index + AROUND + 1).min(lines.len());
            near[around].fill(true);
        }
    }
    let mut text = String::new();
    let mut left_out = false;
    for ((edit, line), near) in lines.into_iter().zip(near) {
        if near {
            if left_out {
                painter.paint(&mut text, Role::Dim, "  ···");
                text.push('\n');
            }
            let line = printable(line);
            match edit {
                Edit::Same => write!(text, "  {line}").expect("a string takes all"),
                Edit::Removed => painter.paint(&mut text, Role::Delete, &format!("- {line}")),
                Edit::Added => painter.paint(&mut text, Role::Insert, &format!("+ {line}")),
            }
            text.push('\n');
        }
        left_out = !near;
    }
    // Texts with the same lines can still end them in different ways.
    if text.is_empty() { "the ends of the lines differ\n".to_owned() } else { text }
}

/// The shortest way from some lines to others.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Edit, &'a str)> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (first, old, new) = (&old[..start], &old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, last) = old.split_at(old.len() - end);
    let new = &new[..new.len() - end];
    let same = |line: &&'a str| (Edit::Same, *line);
    let mut edits: Vec<_> = first.iter().map(same).collect();
    if old.len().saturating_mul(new.len()) > MOST {
        edits.extend(old.iter().map(|line| (Edit::Removed, *line)));
        edits.extend(new.iter().map(|line| (Edit::Added, *line)));
    } else {
        find_edits(old, new, &mut edits);
    }
    edits.extend(last.iter().map(same));
    edits
}

fn find_edits<'a>(old: &[&'a str], new: &[&'a str], edits: &mut Vec<(Edit, &'a str)>) {
    // How many lines the rests from a pair of lines on have in common.
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            edits.push((Edit::Same, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            edits.push((Edit::Removed, old[i]));
            i += 1;
        } else {
            edits.push((Edit::Added, new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_marked_and_what_is_far_from_them_is_left_out() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12";
        let new = "1\nb\n3\n4\n5\n6\n7\n8\n9\n10\n12\n13";
        let text = diff(old, new, Painter::new(false));
        assert_eq!(text, "  1\n- 2\n+ b\n  3\n  4\n  5\n  ···\n  8\n  9\n  10\n- 11\n  12\n+ 13\n");
        assert_eq!(diff("a\n", "a\r\n", Painter::new(false)), "the ends of the lines differ\n");
    }

    #[test]
    fn very_different_long_texts_take_no_time() {
        let lines = |word: &str| (0..20_000).map(|i| format!("{word} {i}")).collect::<Vec<_>>().join("\n");
        let (old, new) = (lines("a") + "\nend", lines("b") + "\nend");
        assert_eq!(diff(&old, &new, Painter::new(false)).lines().count(), 40_001);
    }
}
