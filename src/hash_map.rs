//! The order of the entries of Java's `HashMap`, which shows in what Flink gives.

/// Entries of different keys in the order in which a `HashMap` lists them, if it got them in this one.
pub(crate) fn hash_map_order<K: AsRef<str>, V>(mut entries: Vec<(K, V)>) -> Vec<(K, V)> {
    let buckets = buckets(entries.len());
    entries.sort_by_key(|(key, _)| hash(key.as_ref()) & (buckets - 1));
    entries
}

/// How many buckets there are for so many entries: they double when three quarters are exceeded.
fn buckets(entries: usize) -> u32 {
    let wanted = entries.div_ceil(3) * 4;
    u32::try_from(wanted.max(16).next_power_of_two()).unwrap_or(1 << 31)
}

/// The hash by which the bucket of a string is chosen.
fn hash(text: &str) -> u32 {
    let hash = text.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_map_doubles_beyond_three_quarters() {
        assert_eq!([0, 12, 13, 24, 25].map(buckets), [16, 16, 32, 32, 64]);
        assert_eq!(hash("Aa"), hash("BB"));
        assert_eq!(hash("hello"), 0x05e9_1d3b);
    }

    #[test]
    fn entries_are_ordered_by_their_buckets() {
        let options = vec![("json.fail-on-missing-field", 1), ("json.ignore-parse-errors", 2)];
        let keys: Vec<&str> = hash_map_order(options).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["json.ignore-parse-errors", "json.fail-on-missing-field"]);
    }
}
