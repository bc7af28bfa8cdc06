// SPDX-License-Identifier: GPL-2.0
//! Trees of equal keys.

use crate::abi;
use crate::error::{Error, LoadError, Result};
use crate::outcome::{effective, near, operation, popped};
use crate::range::{Bounds, Range};
use crate::record::{self, Record};
use crate::stream::Stream;
use crate::watch::Watch;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::ops::{RangeBounds, RangeInclusive};

/// Bytes of a bound: a key and a value.
const BOUND: usize = 16;

/// A tree in which a key can have several values: a set of pairs of a key and a value, in
/// the order of both.
///
/// [`Options::create_pairs`](crate::Options::create_pairs) creates one, and
/// [`open_pairs`](crate::open_pairs) opens one by its name. What [`Tree`](crate::Tree) says
/// about threads and processes holds here too.
///
/// ```no_run
/// # fn main() -> blinktree::Result<()> {
/// let pairs = blinktree::Options::new().create_pairs()?;
/// pairs.insert_all([(1, 20), (1, 10), (2, 30)])?;
/// assert!(!pairs.insert((1, 10))?);
/// assert_eq!(pairs.values(1)?.collect::<Result<Vec<_>, _>>()?, [10, 20]);
/// assert_eq!(pairs.ceiling((1, 11))?, Some((1, 20)));
/// assert_eq!(pairs.remove_key(1)?, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Pairs {
    stream: Stream,
}

impl TryFrom<OwnedFd> for Pairs {
    type Error = Error;

    /// Take over the descriptor of a tree, which another process passed.
    fn try_from(fd: OwnedFd) -> Result<Self> {
        let result_max = record::size(8, 8, 8);
        Ok(Self { stream: Stream::new(fd, abi::KEY_MULTI, 0, result_max)? })
    }
}

impl AsFd for Pairs {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl From<Pairs> for OwnedFd {
    fn from(pairs: Pairs) -> Self {
        pairs.stream.fd
    }
}

/// The bytes of a pair as a bound.
fn bytes(pair: &(u64, u64)) -> Vec<u8> {
    [pair.0.to_be_bytes(), pair.1.to_be_bytes()].concat()
}

fn write(opcode: u16, pair: (u64, u64), stream: &mut Vec<u8>) -> Result<()> {
    operation::<u64, u64>(opcode, &pair.0, Some(&pair.1), None, stream)
}

/// All pairs of a key.
fn pairs_of(key: u64) -> RangeInclusive<(u64, u64)> {
    (key, 0)..=(key, u64::MAX)
}

impl Pairs {
    /// Whether a pair is present.
    pub fn contains(&self, pair: (u64, u64)) -> Result<bool> {
        Ok(self.ceiling(pair)? == Some(pair))
    }

    /// Add a pair. Returns whether it was absent.
    pub fn insert(&self, pair: (u64, u64)) -> Result<bool> {
        self.one(abi::INSERT, pair, |record| effective(record, Errno::EXIST))
    }

    /// Remove a pair. Returns whether it was present.
    pub fn remove(&self, pair: (u64, u64)) -> Result<bool> {
        let mut stream = Vec::new();
        operation::<u64, u64>(abi::CMPERASE, &pair.0, None, Some(&pair.1), &mut stream)?;
        self.stream.one(&stream, |record| effective(record, Errno::NOENT))
    }

    /// The greatest pair that is at most this one.
    pub fn floor(&self, pair: (u64, u64)) -> Result<Option<(u64, u64)>> {
        self.one(abi::FLOOR, pair, near)
    }

    /// The least pair that is at least this one.
    pub fn ceiling(&self, pair: (u64, u64)) -> Result<Option<(u64, u64)>> {
        self.one(abi::CEILING, pair, near)
    }

    /// Remove the least pair that is at least this one.
    pub fn pop_min(&self, least: (u64, u64)) -> Result<Option<(u64, u64)>> {
        self.one(abi::POP_MIN, least, popped)
    }

    /// Remove the greatest pair that is at most this one.
    pub fn pop_max(&self, greatest: (u64, u64)) -> Result<Option<(u64, u64)>> {
        self.one(abi::POP_MAX, greatest, popped)
    }

    /// The pairs of a range, from either end.
    pub fn range(&self, range: impl RangeBounds<(u64, u64)>) -> Result<Range<'_, u64, u64>> {
        Ok(Range::new(&self.stream, Bounds::of(&range, BOUND, bytes)?))
    }

    /// All pairs.
    pub fn iter(&self) -> Range<'_, u64, u64> {
        Range::new(&self.stream, Some(Bounds::all(BOUND)))
    }

    /// The values of a key, which ascend, from either end.
    pub fn values(&self, key: u64) -> Result<impl DoubleEndedIterator<Item = Result<u64>> + '_> {
        Ok(self.range(pairs_of(key))?.map(|pair| Ok(pair?.1)))
    }

    /// How many pairs a range has.
    pub fn count(&self, range: impl RangeBounds<(u64, u64)>) -> Result<u64> {
        let bounds = Bounds::of(&range, BOUND, bytes)?;
        self.stream.sum::<abi::RecordScan>(bounds, abi::SCAN_COUNT)
    }

    /// How many values a key has.
    pub fn count_values(&self, key: u64) -> Result<u64> {
        self.count(pairs_of(key))
    }

    /// Remove the pairs of a range. Returns how many there were. After an error a part of them
    /// can be gone.
    pub fn remove_range(&self, range: impl RangeBounds<(u64, u64)>) -> Result<u64> {
        self.stream.sum::<abi::RecordErase>(Bounds::of(&range, BOUND, bytes)?, 0)
    }

    /// Remove all pairs of a key. Returns how many there were. After an error a part of them
    /// can be gone.
    pub fn remove_key(&self, key: u64) -> Result<u64> {
        self.remove_range(pairs_of(key))
    }

    /// Remove all pairs. After an error a part of them can be gone.
    pub fn clear(&self) -> Result<()> {
        self.remove_range(..).map(drop)
    }

    /// Add many pairs: one call for thousands of them. Returns how many were absent.
    ///
    /// A pair that fails keeps none of the others from being added; the error is the first.
    ///
    /// # Errors
    ///
    /// The error of a pair, or that of a call, such as [`Error::NoMemory`], which ends the
    /// insertions: the pairs before it were added. To insert all of them again is safe.
    pub fn insert_all(&self, pairs: impl IntoIterator<Item = (u64, u64)>) -> Result<u64> {
        let mut total = Ok(0);
        let write = |pair, stream: &mut Vec<u8>| write(abi::INSERT, pair, stream);
        let done = self.stream.batch(pairs, write, |_, record| {
            total = total.and_then(|total| Ok(total + u64::from(effective(record, Errno::EXIST)?)));
        });
        done.map_err(|(_, error)| error)?;
        total
    }

    /// Add pairs that ascend, the fastest way to fill a tree.
    ///
    /// A leaf gets `fill` percent of what fits into it. Returns how many pairs were added.
    pub fn load(
        &self,
        pairs: impl IntoIterator<Item = (u64, u64)>,
        fill: u32,
    ) -> std::result::Result<u64, LoadError> {
        self.stream.load(pairs, fill, |pair, stream| write(abi::INSERT, pair, stream))
    }

    /// The number of pairs.
    pub fn len(&self) -> Result<u64> {
        Ok(self.stats()?.entries)
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.iter().next().transpose()?.is_none())
    }

    /// Sizes and counters.
    pub fn stats(&self) -> Result<abi::Stats> {
        self.stream.ask()
    }

    /// Check all invariants: `violation` is 0 if they hold.
    pub fn verify(&self) -> Result<abi::Verify> {
        self.stream.ask()
    }

    /// The changes of the pairs of a range from now on, as [`Tree::watch`](crate::Tree::watch).
    ///
    /// The keys of a [`Change`](crate::Change) are pairs, and its values are those of pairs.
    pub fn watch(
        &self,
        range: impl RangeBounds<(u64, u64)>,
        slots: u32,
    ) -> Result<Watch<(u64, u64)>> {
        Watch::new(self.as_fd(), range, slots)
    }

    fn one<T>(
        &self,
        opcode: u16,
        pair: (u64, u64),
        result: impl Fn(&Record<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut stream = Vec::new();
        write(opcode, pair, &mut stream)?;
        self.stream.one(&stream, result)
    }
}
