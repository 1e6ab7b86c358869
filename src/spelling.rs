//! What a misspelt name may have meant.

/// The name that is most like a misspelt one, if one is like it at all. Another case of the same
/// name is the nearest.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let lower = name.to_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&lower, &other.to_lowercase());
    let (best, distance) = names.into_iter().map(|other| (other, distance(other))).min_by_key(|(_, d)| *d)?;
    let longest = lower.chars().count().max(best.chars().count());
    (distance <= 1 + longest / 4 && distance < longest).then(|| best.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_is_like_it() {
        let names = ["filesystem", "blackhole", "print"];
        assert_eq!(nearest("filesistem", names).as_deref(), Some("filesystem"));
        assert_eq!(nearest("PRINT", names).as_deref(), Some("print"));
        assert_eq!(nearest("kafka", names), None);
    }
}
