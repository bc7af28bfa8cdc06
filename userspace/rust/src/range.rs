// SPDX-License-Identifier: GPL-2.0
//! Ranges of keys: their bounds as the kernel takes them, and iterators.

use crate::abi;
use crate::error::{Error, Result};
use crate::kind::{Key, Value, Watched};
use crate::record::{self, Record};
use crate::stream::Stream;
use std::collections::VecDeque;
use std::ops::{Bound, RangeBounds};

/// The bounds of a range, in memory that the kernel may write to.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    pub first: Box<[u8]>,
    pub last: Box<[u8]>,
    pub first_length: u32,
    pub last_length: u32,
    pub flags: u32,
}

impl Bounds {
    fn new(first: &[u8], last: &[u8], flags: u32, longest: usize) -> Result<Self> {
        let buffer = |bound: &[u8]| {
            let mut buffer = vec![0; longest];
            buffer.get_mut(..bound.len()).ok_or(Error::Invalid)?.copy_from_slice(bound);
            Ok::<_, Error>(buffer.into_boxed_slice())
        };
        Ok(Self {
            first: buffer(first)?,
            last: buffer(last)?,
            first_length: first.len() as u32,
            last_length: last.len() as u32,
            flags,
        })
    }

    /// The bounds of a range of Rust; `None` if it has no key. The longest bound of the
    /// tree has so many bytes, and `bytes` tells those of a key.
    pub fn of<K: ?Sized + Ord>(
        range: &impl RangeBounds<K>,
        longest: usize,
        bytes: impl Fn(&K) -> Vec<u8>,
    ) -> Result<Option<Self>> {
        let (low, high) = (range.start_bound(), range.end_bound());
        if no_key_between(low, high) {
            return Ok(None);
        }
        let (mut first, mut first_open) = bytes_of(low, &bytes);
        let (mut last, mut last_open) = bytes_of(high, &bytes);
        // To the kernel, a bound of no bytes is none: the key of one zero byte is next.
        if first_open && first.is_empty() {
            first.push(0);
            first_open = false;
        }
        if matches!(high, Bound::Included(_)) && last.is_empty() {
            last.push(0);
            last_open = true;
        }
        let flags = if first_open { abi::FIRST_OPEN } else { 0 }
            | if last_open { abi::LAST_OPEN } else { 0 };
        Self::new(&first, &last, flags, longest).map(Some)
    }

    /// All keys that begin with these bytes.
    pub fn prefix(prefix: &[u8], longest: usize) -> Result<Self> {
        Self::new(prefix, &[], abi::PREFIX, longest)
    }

    /// All keys.
    pub fn all(longest: usize) -> Self {
        Self::prefix(&[], longest).expect("no bytes are not too many")
    }
}

/// An ioctl on a range, which leaves the bounds of what is left to do.
pub(crate) trait OnRange: abi::Call + Default {
    /// Take the bounds; they must outlive the call.
    fn enter(&mut self, bounds: &mut Bounds, flags: u32);
    /// Give back the bounds of the rest, without the flags that are not theirs.
    fn leave(&self, bounds: &mut Bounds, flags: u32);
    /// The entries that the call counted, read or removed.
    fn count(&self) -> u64;
}

macro_rules! on_range {
    ($($name:ident)*) => {
        $(impl OnRange for abi::$name {
            fn enter(&mut self, bounds: &mut Bounds, flags: u32) {
                self.flags = bounds.flags | flags;
                self.first = bounds.first.as_mut_ptr() as u64;
                self.last = bounds.last.as_mut_ptr() as u64;
                self.first_length = bounds.first_length;
                self.last_length = bounds.last_length;
            }

            fn leave(&self, bounds: &mut Bounds, flags: u32) {
                bounds.flags = self.flags & !flags;
                bounds.first_length = self.first_length;
                bounds.last_length = self.last_length;
            }

            fn count(&self) -> u64 {
                self.count
            }
        })*
    };
}

on_range!(RecordScan RecordErase);

fn no_key_between<K: ?Sized + Ord>(low: Bound<&K>, high: Bound<&K>) -> bool {
    match (low, high) {
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (
            Bound::Included(low) | Bound::Excluded(low),
            Bound::Included(high) | Bound::Excluded(high),
        ) => low >= high,
        _ => false,
    }
}

/// The bytes of a bound, and whether it is open.
fn bytes_of<K: ?Sized>(bound: Bound<&K>, bytes: impl Fn(&K) -> Vec<u8>) -> (Vec<u8>, bool) {
    match bound {
        Bound::Included(key) => (bytes(key), false),
        Bound::Excluded(key) => (bytes(key), true),
        Bound::Unbounded => (Vec::new(), false),
    }
}

/// The least key of a range of numbers or pairs.
pub(crate) fn least<K: Watched>(range: &impl RangeBounds<K>) -> Result<K> {
    limit(range.start_bound(), K::MIN, K::above)
}

/// The greatest key of a range of numbers or pairs.
pub(crate) fn greatest<K: Watched>(range: &impl RangeBounds<K>) -> Result<K> {
    limit(range.end_bound(), K::MAX, K::below)
}

fn limit<K: Watched>(bound: Bound<&K>, end: K, beside: fn(&K) -> Option<K>) -> Result<K> {
    match bound {
        Bound::Unbounded => Ok(end),
        Bound::Included(key) => Ok(key.clone()),
        Bound::Excluded(key) => beside(key).ok_or(Error::Invalid),
    }
}

/// An iterator over the entries of a range, from either end.
///
/// It reads many entries in a call. An entry that was in the tree all the time comes
/// exactly once; keys come in their order. After an error it ends.
pub struct Range<'a, K: Key, V: Value> {
    stream: &'a Stream,
    bounds: Option<Bounds>,
    /// Entries that were read before [`Self::bounds`], and after them.
    front: VecDeque<(K, V)>,
    back: VecDeque<(K, V)>,
    room: usize,
}

/// The most bytes that a call returns, and the fewest that it has room for.
const ROOM_MAX: usize = 1 << 18;
const ROOM_MIN: usize = 1 << 12;

impl<'a, K: Key, V: Value> Range<'a, K, V> {
    pub(crate) fn new(stream: &'a Stream, bounds: Option<Bounds>) -> Self {
        Self {
            stream,
            bounds,
            front: VecDeque::new(),
            back: VecDeque::new(),
            room: ROOM_MIN.max(2 * record::size(K::LONGEST, V::LONGEST, 0)),
        }
    }

    /// Read the next entries at one end; with none left the bounds are gone.
    fn fill(&mut self, descending: bool) -> Result<()> {
        let Some(mut bounds) = self.bounds.take() else {
            return Ok(());
        };
        let mut output = vec![0; self.room];
        self.room = ROOM_MAX.min(4 * self.room);
        let used = self.stream.scan(&mut bounds, descending, &mut output)?;
        let mut rest = &output[..used];
        let to = if descending { &mut self.back } else { &mut self.front };
        while let Some((record, after)) = Record::read(rest) {
            let entry = (K::from_bytes(record.key), V::from_bytes(record.value));
            if descending {
                to.push_front(entry);
            } else {
                to.push_back(entry);
            }
            rest = after;
        }
        if bounds.flags & abi::DONE == 0 {
            self.bounds = Some(bounds);
        }
        Ok(())
    }
}

impl<K: Key, V: Value> Iterator for Range<'_, K, V> {
    type Item = Result<(K, V)>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.front.is_empty() && self.bounds.is_some() {
            if let Err(error) = self.fill(false) {
                self.back.clear();
                return Some(Err(error));
            }
        }
        self.front.pop_front().or_else(|| self.back.pop_front()).map(Ok)
    }
}

impl<K: Key, V: Value> DoubleEndedIterator for Range<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        while self.back.is_empty() && self.bounds.is_some() {
            if let Err(error) = self.fill(true) {
                self.front.clear();
                return Some(Err(error));
            }
        }
        self.back.pop_back().or_else(|| self.front.pop_back()).map(Ok)
    }
}

impl<K: Key, V: Value> std::iter::FusedIterator for Range<'_, K, V> {}
