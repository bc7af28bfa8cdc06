// SPDX-License-Identifier: GPL-2.0
//! Ranges of keys that have one value each (`linux/blink_tree_range.h`).

use crate::abi;
use crate::error::{PartsError, Result};
use crate::kind::Number;
use crate::range::{greatest, least};
use crate::tree::Tree;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use std::marker::PhantomData;
use std::ops::{RangeBounds, RangeInclusive};

/// The keys that a search for a gap prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The lowest ones.
    #[default]
    Lowest,
    /// The highest ones.
    Highest,
}

/// The keys of a tree as ranges that have one value each, which is not 0.
///
/// [`Tree::ranges`] returns it. Keys that are in no range are in *holes*. Neighbours with
/// equal values are one range. The tree has an entry for each boundary, which its other
/// functions find. Each function takes effect at one moment; an iteration does not, and
/// neither do [`store_parts`](Self::store_parts) and [`erase_parts`](Self::erase_parts).
#[derive(Clone, Copy, Debug)]
pub struct Ranges<'a, K> {
    tree: BorrowedFd<'a>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Number> Tree<K, u64> {
    /// The keys as ranges that have one value each.
    pub fn ranges(&self) -> Ranges<'_, K> {
        Ranges { tree: self.as_fd(), kind: PhantomData }
    }
}

impl<'a, K: Number> Ranges<'a, K> {
    /// The value of the range that a key is in, or `None` in a hole.
    pub fn get(&self, key: K) -> Result<Option<u64>> {
        let (_, value) = self.lookup(key)?;
        Ok((value != 0).then_some(value))
    }

    /// The range that a key is in, or the hole, whose value is 0.
    pub fn lookup(&self, key: K) -> Result<(RangeInclusive<K>, u64)> {
        Ok(self.call(&mut argument(abi::RANGE_LOOKUP, key, K::MIN, 0))?)
    }

    /// The first range that ends at a key or behind it.
    pub fn next(&self, key: K) -> Result<Option<(RangeInclusive<K>, u64)>> {
        self.find(argument(abi::RANGE_NEXT, key, K::MIN, 0), Errno::NOENT)
    }

    /// The last range that begins at a key or before it.
    pub fn prev(&self, key: K) -> Result<Option<(RangeInclusive<K>, u64)>> {
        self.find(argument(abi::RANGE_PREV, key, K::MIN, 0), Errno::NOENT)
    }

    /// All ranges, from either end.
    pub fn iter(&self) -> RangesIter<'a, K> {
        RangesIter {
            ranges: Self { tree: self.tree, kind: PhantomData },
            left: Some((K::MIN, K::MAX)),
        }
    }

    /// So many keys in a row, among these, that are in no range.
    pub fn gap(
        &self,
        size: K,
        among: impl RangeBounds<K>,
        place: Place,
    ) -> Result<Option<RangeInclusive<K>>> {
        self.seek(abi::RANGE_GAP, size, 0, among, place)
    }

    /// Give all keys of a range a value, whatever they had. With 0 they are in a hole.
    ///
    /// [`Error::TooLarge`](crate::Error::TooLarge) if they were in too many ranges.
    pub fn store(&self, range: impl RangeBounds<K>, value: u64) -> Result<()> {
        let (first, last) = (least(&range)?, greatest(&range)?);
        self.call(&mut argument(abi::RANGE_STORE, first, last, value))?;
        Ok(())
    }

    /// As [`store`](Self::store), in as many moments as it needs, from the first keys on.
    pub fn store_parts(
        &self,
        range: impl RangeBounds<K>,
        value: u64,
    ) -> std::result::Result<(), PartsError<K>> {
        let first = least(&range).map_err(|error| PartsError { rest: K::MAX, error })?;
        let last = greatest(&range).map_err(|error| PartsError { rest: first.clone(), error })?;
        let mut argument = argument(abi::RANGE_STORE, first, last, value);
        argument.flags = abi::RANGE_PARTS;
        match self.call(&mut argument) {
            Ok(_) => Ok(()),
            Err(errno) => Err(PartsError {
                rest: K::from_halves(argument.first, argument.first_low),
                error: errno.into(),
            }),
        }
    }

    /// Let all keys of a range be in a hole.
    pub fn erase(&self, range: impl RangeBounds<K>) -> Result<()> {
        self.store(range, 0)
    }

    /// As [`erase`](Self::erase), in as many moments as it needs, from the first keys on.
    pub fn erase_parts(
        &self,
        range: impl RangeBounds<K>,
    ) -> std::result::Result<(), PartsError<K>> {
        self.store_parts(range, 0)
    }

    /// Store a range, unless one of its keys is in a range. Returns whether it was stored.
    pub fn insert(&self, range: impl RangeBounds<K>, value: u64) -> Result<bool> {
        let (first, last) = (least(&range)?, greatest(&range)?);
        let argument = argument(abi::RANGE_INSERT, first, last, value);
        Ok(self.find(argument, Errno::EXIST)?.is_some())
    }

    /// Find a [`gap`](Self::gap), and store a range there, which is returned.
    pub fn alloc(
        &self,
        size: K,
        value: u64,
        among: impl RangeBounds<K>,
        place: Place,
    ) -> Result<Option<RangeInclusive<K>>> {
        self.seek(abi::RANGE_ALLOC, size, value, among, place)
    }

    fn seek(
        &self,
        op: u32,
        size: K,
        value: u64,
        among: impl RangeBounds<K>,
        place: Place,
    ) -> Result<Option<RangeInclusive<K>>> {
        let mut argument = argument(op, least(&among)?, greatest(&among)?, value);
        (argument.size, argument.size_low) = size.halves();
        if place == Place::Highest {
            argument.flags = abi::RANGE_HIGHEST;
        }
        Ok(self.find(argument, Errno::BUSY)?.map(|(keys, _)| keys))
    }

    /// The range that a call returns; `None` if it fails with this error.
    fn find(
        &self,
        mut argument: abi::Range,
        unless: Errno,
    ) -> Result<Option<(RangeInclusive<K>, u64)>> {
        match self.call(&mut argument) {
            Err(errno) if errno == unless => Ok(None),
            result => Ok(Some(result?)),
        }
    }

    fn call(
        &self,
        argument: &mut abi::Range,
    ) -> std::result::Result<(RangeInclusive<K>, u64), Errno> {
        // SAFETY: the structure has no addresses.
        unsafe { abi::call(self.tree, argument) }?;
        let first = K::from_halves(argument.first, argument.first_low);
        let last = K::from_halves(argument.last, argument.last_low);
        Ok((first..=last, argument.value))
    }
}

fn argument<K: Number>(op: u32, first: K, last: K, value: u64) -> abi::Range {
    let (first, first_low) = first.halves();
    let (last, last_low) = last.halves();
    abi::Range { op, first, first_low, last, last_low, value, ..Default::default() }
}

/// An iterator over the ranges of a tree, from either end, by a call for each.
///
/// A range that others have made longer meanwhile can overlap with one that came before. After
/// an error the iterator ends.
#[derive(Clone, Debug)]
pub struct RangesIter<'a, K> {
    ranges: Ranges<'a, K>,
    /// The keys that neither end has reached.
    left: Option<(K, K)>,
}

impl<K: Number> Iterator for RangesIter<'_, K> {
    type Item = Result<(RangeInclusive<K>, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (low, high) = self.left.take()?;
        let found = self.ranges.next(low).transpose()?;
        if let Ok((range, _)) = &found {
            if *range.start() > high {
                return None;
            }
            self.left = range.end().above().filter(|low| *low <= high).map(|low| (low, high));
        }
        Some(found)
    }
}

impl<K: Number> DoubleEndedIterator for RangesIter<'_, K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (low, high) = self.left.take()?;
        let found = self.ranges.prev(high).transpose()?;
        if let Ok((range, _)) = &found {
            if *range.end() < low {
                return None;
            }
            self.left = range.start().below().filter(|high| *high >= low).map(|high| (low, high));
        }
        Some(found)
    }
}

impl<K: Number> std::iter::FusedIterator for RangesIter<'_, K> {}

impl<'a, K: Number> IntoIterator for Ranges<'a, K> {
    type Item = Result<(RangeInclusive<K>, u64)>;
    type IntoIter = RangesIter<'a, K>;

    fn into_iter(self) -> RangesIter<'a, K> {
        self.iter()
    }
}
