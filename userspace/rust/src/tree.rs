// SPDX-License-Identifier: GPL-2.0
use crate::abi;
use crate::commit::Commit;
use crate::error::{BatchError, Error, LoadError, Result};
use crate::kind::{Key, Value};
use crate::outcome::{compared, former, found, inserted, near, operation, popped, stored};
use crate::range::{Bounds, Range};
use crate::record::{self, Record};
use crate::stream::Stream;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::RangeBounds;

/// A tree that is open, with keys `K` and values `V`.
///
/// Each operation takes effect at one moment. Any number of threads can use a tree at once;
/// processes share it by its name, or by its descriptor. A tree without a name ends with
/// its last descriptor.
#[derive(Debug)]
pub struct Tree<K, V> {
    stream: Stream,
    kind: PhantomData<fn() -> (K, V)>,
}

/// The outcome of a [`Tree::compare_exchange`] or [`Tree::compare_remove`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared<V> {
    /// The key had the expected value.
    Done,
    /// It has this value, and was left as it is.
    Other(V),
    /// The key is absent.
    Absent,
}

/// One operation of a batch, with what it needs.
#[derive(Clone, Debug)]
pub enum Op<K, V> {
    /// Find the value of a key.
    Get(K),
    /// Add a key, unless it is present.
    Insert(K, V),
    /// Add a key, or change its value.
    Store(K, V),
    /// Change the value of a key that is present.
    Replace(K, V),
    /// Remove a key.
    Remove(K),
}

impl<K: Key> Tree<K, u64> {
    /// Add a number to the value of a key, modulo 2^64, or add the key with this value.
    /// Returns the former value.
    pub fn add(&self, key: &K::Ref, number: u64) -> Result<Option<u64>> {
        self.one(abi::ADD, key, Some(&number), None, stored)
    }

    /// Add a number to the value of a key, which counts as 0 if it is absent. The sum is 0
    /// instead of a negative number, and [`u64::MAX`] instead of a greater one. Returns the
    /// former value.
    pub fn saturating_add(&self, key: &K::Ref, number: i64) -> Result<Option<u64>> {
        self.one(abi::ADD_SATURATE, key, Some(&(number as u64)), None, stored)
    }
}

impl<K: Key, V: Value> TryFrom<OwnedFd> for Tree<K, V> {
    type Error = Error;

    /// Take over the descriptor of a tree, which another process passed.
    fn try_from(fd: OwnedFd) -> Result<Self> {
        let result_max = record::size(K::LONGEST, V::LONGEST, V::LONGEST);
        let stream = Stream::new(fd, K::KIND, V::FLAGS, result_max)?;
        Ok(Self { stream, kind: PhantomData })
    }
}

impl<K, V> AsFd for Tree<K, V> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl<K, V> From<Tree<K, V>> for OwnedFd {
    fn from(tree: Tree<K, V>) -> Self {
        tree.stream.fd
    }
}

impl<K: Key, V: Value> Tree<K, V> {
    /// The value of a key.
    pub fn get(&self, key: &K::Ref) -> Result<Option<V>> {
        self.one(abi::LOOKUP, key, None, None, found)
    }

    /// Whether a key is present.
    pub fn contains(&self, key: &K::Ref) -> Result<bool> {
        Ok(self.get(key)?.is_some())
    }

    /// Add a key. Returns its value, which stays, if it is present.
    pub fn insert(&self, key: &K::Ref, value: &V::Ref) -> Result<Option<V>> {
        self.one(abi::INSERT, key, Some(value), None, inserted)
    }

    /// Add a key, or change its value. Returns the former value.
    pub fn store(&self, key: &K::Ref, value: &V::Ref) -> Result<Option<V>> {
        self.one(abi::STORE, key, Some(value), None, stored)
    }

    /// Change the value of a key that is present. Returns the former value.
    pub fn replace(&self, key: &K::Ref, value: &V::Ref) -> Result<Option<V>> {
        self.one(abi::REPLACE, key, Some(value), None, former)
    }

    /// Remove a key. Returns its value.
    pub fn remove(&self, key: &K::Ref) -> Result<Option<V>> {
        self.one(abi::ERASE, key, None, None, former)
    }

    /// Change the value of a key if it is the expected one.
    pub fn compare_exchange(
        &self,
        key: &K::Ref,
        expected: &V::Ref,
        new: &V::Ref,
    ) -> Result<Compared<V>> {
        self.one(abi::CMPXCHG, key, Some(new), Some(expected), compared)
    }

    /// Remove a key if its value is the expected one.
    pub fn compare_remove(&self, key: &K::Ref, expected: &V::Ref) -> Result<Compared<V>> {
        self.one(abi::CMPERASE, key, None, Some(expected), compared)
    }

    /// The entry with the greatest key that is at most this one.
    pub fn floor(&self, key: &K::Ref) -> Result<Option<(K, V)>> {
        self.one(abi::FLOOR, key, None, None, near)
    }

    /// The entry with the least key that is at least this one.
    pub fn ceiling(&self, key: &K::Ref) -> Result<Option<(K, V)>> {
        self.one(abi::CEILING, key, None, None, near)
    }

    /// Remove the entry with the least key that is at least this one.
    pub fn pop_min(&self, least: &K::Ref) -> Result<Option<(K, V)>> {
        self.one(abi::POP_MIN, least, None, None, popped)
    }

    /// Remove the entry with the greatest key that is at most this one.
    pub fn pop_max(&self, greatest: &K::Ref) -> Result<Option<(K, V)>> {
        self.one(abi::POP_MAX, greatest, None, None, popped)
    }

    /// The entries of a range of keys, from either end.
    pub fn range(&self, range: impl RangeBounds<K::Ref>) -> Result<Range<'_, K, V>> {
        Ok(Range::new(&self.stream, Self::bounds(&range)?))
    }

    /// All entries.
    pub fn iter(&self) -> Range<'_, K, V> {
        Range::new(&self.stream, Some(Bounds::all(K::LONGEST)))
    }

    /// The entries whose keys begin with these bytes; those of a number are big-endian.
    pub fn prefix(&self, prefix: &[u8]) -> Result<Range<'_, K, V>> {
        Ok(Range::new(&self.stream, Some(Bounds::prefix(prefix, K::LONGEST)?)))
    }

    /// How many keys a range has.
    pub fn count(&self, range: impl RangeBounds<K::Ref>) -> Result<u64> {
        self.stream.sum::<abi::RecordScan>(Self::bounds(&range)?, abi::SCAN_COUNT)
    }

    /// Remove the keys of a range. Returns how many there were. After an error a part of them
    /// can be gone.
    pub fn remove_range(&self, range: impl RangeBounds<K::Ref>) -> Result<u64> {
        self.stream.sum::<abi::RecordErase>(Self::bounds(&range)?, 0)
    }

    /// Remove all entries. After an error a part of them can be gone.
    pub fn clear(&self) -> Result<()> {
        self.remove_range(..).map(drop)
    }

    /// Execute many operations: one call for thousands of them.
    ///
    /// Operations on the same key take effect in their order. The result of each is that of
    /// the function of the same name.
    ///
    /// # Errors
    ///
    /// The error of a call, such as [`Error::NoMemory`]: the tree has executed the first ones
    /// of the operations, possibly none, and no others. [`BatchError`] has their results.
    pub fn batch(
        &self,
        ops: &[Op<K, V>],
    ) -> std::result::Result<Vec<Result<Option<V>>>, BatchError<V>> {
        let mut results = vec![Err(Error::Invalid); ops.len()];
        let done = self.stream.batch(ops, Op::write, |number, record| {
            results[number] = match record.opcode {
                abi::LOOKUP => found(record),
                abi::INSERT => inserted(record),
                abi::STORE => stored(record),
                _ => former(record),
            };
        });
        if let Err((number, error)) = done {
            results.truncate(number);
            return Err(BatchError { results, error });
        }
        Ok(results)
    }

    /// Begin a commit: operations that take effect at one instant, or not at all.
    pub fn commit(&self) -> Commit<'_, K, V> {
        Commit::new(&self.stream)
    }

    /// Add entries whose keys ascend, the fastest way to fill a tree.
    ///
    /// A leaf gets `fill` percent of what fits into it. Returns how many entries were added.
    pub fn load<E, A, B>(&self, entries: E, fill: u32) -> std::result::Result<u64, LoadError>
    where
        E: IntoIterator<Item = (A, B)>,
        A: Borrow<K::Ref>,
        B: Borrow<V::Ref>,
    {
        self.stream.load(entries, fill, |(key, value), stream| {
            let (key, value) = (key.borrow(), Some(value.borrow()));
            operation::<K, V>(abi::INSERT, key, value, None, stream)
        })
    }

    /// The number of entries.
    pub fn len(&self) -> Result<u64> {
        Ok(self.stats()?.entries)
    }

    /// Whether there is no entry.
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

    fn one<T>(
        &self,
        opcode: u16,
        key: &K::Ref,
        value: Option<&V::Ref>,
        old: Option<&V::Ref>,
        result: impl Fn(&Record<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut stream = Vec::new();
        operation::<K, V>(opcode, key, value, old, &mut stream)?;
        self.stream.one(&stream, result)
    }

    fn bounds(range: &impl RangeBounds<K::Ref>) -> Result<Option<Bounds>> {
        Bounds::of(range, K::LONGEST, |key| K::bytes(key).as_ref().to_vec())
    }
}

impl<K: Key, V: Value> Op<K, V> {
    fn write(&self, stream: &mut Vec<u8>) -> Result<()> {
        let (opcode, key, value) = match self {
            Self::Get(key) => (abi::LOOKUP, key, None),
            Self::Insert(key, value) => (abi::INSERT, key, Some(value)),
            Self::Store(key, value) => (abi::STORE, key, Some(value)),
            Self::Replace(key, value) => (abi::REPLACE, key, Some(value)),
            Self::Remove(key) => (abi::ERASE, key, None),
        };
        operation::<K, V>(opcode, key.borrow(), value.map(V::borrow), None, stream)
    }
}
