//! Random numbers that are the same each time.

use std::convert::Infallible;

use fake::rand::TryRng;

/// A sequence of random numbers, which its seed decides: `SplitMix64`, of which nothing but speed, an
/// even spread and a short state is asked here.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The sequence of a column: columns of the same table have their own, so that the values of
    /// one do not depend on which others are read or declared.
    pub(super) fn of_column(seed: u64, name: &str) -> Self {
        // FNV-1a, which is the same on each machine.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut seeds = Self(seed);
        let seed = seeds.next();
        Self(seed ^ hash)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to less than 1.
    pub(super) fn fraction(&mut self) -> f64 {
        const BITS: i32 = 53;
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let bits = (self.next() >> (64 - BITS)) as f64;
        bits * 2_f64.powi(-BITS)
    }

    /// A whole number from 0 to less than a count, which is more than 0.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        // The upper half of a product is spread as evenly as 64 bits can be.
        u64::try_from((u128::from(self.next()) * u128::from(count)) >> 64).expect("it is less than the count")
    }

    /// The place of one of so many things, which are more than none.
    pub(super) fn index(&mut self, count: usize) -> usize {
        usize::try_from(self.below(count as u64)).expect("it is less than the count")
    }

    /// A whole number of a range that has both ends in it.
    pub(super) fn within(&mut self, min: i64, max: i64) -> i64 {
        let count = u128::from(max.abs_diff(min)) + 1;
        // The upper half of a product is spread as evenly as 64 bits can be.
        let above = (u128::from(self.next()) * count) >> 64;
        min.wrapping_add_unsigned(u64::try_from(above).expect("it is at most the difference of the ends"))
    }

    /// A number from one to less than another.
    pub(super) fn between(&mut self, min: f64, max: f64) -> f64 {
        let fraction = self.fraction();
        // The difference may be infinite.
        (max * fraction + min * (1.0 - fraction)).clamp(min, max)
    }

    /// Whether something happens that does so at this rate.
    pub(super) fn happens(&mut self, rate: f64) -> bool {
        rate > 0.0 && self.fraction() < rate
    }
}

/// For what `fake` makes.
impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::try_from(self.next() >> 32).expect("there are 32 bits left"))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
