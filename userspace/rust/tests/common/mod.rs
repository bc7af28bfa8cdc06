// SPDX-License-Identifier: GPL-2.0
//! What the tests of several kinds of trees need.

use std::ops::Bound;

/// Numbers at random: xorshift.
pub struct Random(pub u64);

impl Random {
    /// A number below another one.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A bound of each kind.
pub fn bound<K>(random: &mut Random, key: K) -> Bound<K> {
    match random.below(5) {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Excluded(key),
        _ => Bound::Included(key),
    }
}

/// Whether a key is in a range.
pub fn inside<K: Ord>(key: &K, low: &Bound<K>, high: &Bound<K>) -> bool {
    (match low {
        Bound::Included(low) => key >= low,
        Bound::Excluded(low) => key > low,
        Bound::Unbounded => true,
    }) && match high {
        Bound::Included(high) => key <= high,
        Bound::Excluded(high) => key < high,
        Bound::Unbounded => true,
    }
}
