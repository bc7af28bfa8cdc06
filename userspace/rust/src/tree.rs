// SPDX-License-Identifier: GPL-2.0
use crate::abi;
use crate::error::{Error, LoadError, Result};
use crate::kind::{Key, Value};
use crate::range::{Bounds, OnRange, Range};
use crate::record::{self, Record};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::RangeBounds;

/// Bytes of operations that a call takes, and of their results.
const CHUNK: usize = 1 << 18;

/// A tree that is open, with keys `K` and values `V`.
///
/// Each operation takes effect at one moment. Any number of threads can use a tree at once;
/// processes share it by its name, or by its descriptor. A tree without a name ends with
/// its last descriptor.
#[derive(Debug)]
pub struct Tree<K, V> {
    fd: OwnedFd,
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

impl<K: Key, V: Value> TryFrom<OwnedFd> for Tree<K, V> {
    type Error = Error;

    /// Take over the descriptor of a tree, which another process passed.
    fn try_from(fd: OwnedFd) -> Result<Self> {
        let mut attr = abi::Attr::default();
        // SAFETY: the structure has no addresses.
        unsafe { abi::call(&fd, &mut attr) }?;
        let bytes = u64::from(abi::CREATE_BYTE_VALUES);
        if attr.key != K::KIND || attr.create_flags & bytes != u64::from(V::FLAGS) {
            return Err(Error::Kind);
        }
        Ok(Self { fd, kind: PhantomData })
    }
}

impl<K, V> AsFd for Tree<K, V> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl<K, V> From<Tree<K, V>> for OwnedFd {
    fn from(tree: Tree<K, V>) -> Self {
        tree.fd
    }
}

impl<K: Key, V: Value> Tree<K, V> {
    const RESULT_MAX: usize = record::size(K::LONGEST, V::LONGEST, V::LONGEST);

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
        Ok(Range::new(self, Bounds::of::<K>(&range)?))
    }

    /// All entries.
    pub fn iter(&self) -> Range<'_, K, V> {
        let bounds = Bounds::prefix::<K>(&[]).expect("no bytes are not too many");
        Range::new(self, Some(bounds))
    }

    /// The entries whose keys begin with these bytes; those of a number are big-endian.
    pub fn prefix(&self, prefix: &[u8]) -> Result<Range<'_, K, V>> {
        Ok(Range::new(self, Some(Bounds::prefix::<K>(prefix)?)))
    }

    /// How many keys a range has.
    pub fn count(&self, range: impl RangeBounds<K::Ref>) -> Result<u64> {
        self.sum::<abi::RecordScan>(&range, abi::SCAN_COUNT)
    }

    /// Remove the keys of a range. Returns how many there were.
    pub fn remove_range(&self, range: impl RangeBounds<K::Ref>) -> Result<u64> {
        self.sum::<abi::RecordErase>(&range, 0)
    }

    /// Remove all entries.
    pub fn clear(&self) -> Result<()> {
        self.remove_range(..).map(drop)
    }

    /// Execute many operations: one call for thousands of them.
    ///
    /// Operations on the same key take effect in their order. The result of each is that of
    /// the function of the same name.
    pub fn batch(&self, ops: &[Op<K, V>]) -> Result<Vec<Result<Option<V>>>> {
        // One that is not valid is left out.
        let mut results = vec![Err(Error::Invalid); ops.len()];
        let mut next = 0;
        while next < ops.len() {
            let mut stream = Vec::new();
            let mut executed = Vec::new();
            while next < ops.len() && stream.len() < CHUNK {
                if ops[next].write(&mut stream).is_ok() {
                    executed.push(next);
                }
                next += 1;
            }
            let mut executed = executed.into_iter();
            self.execute(&stream, |record| {
                let op = executed.next().expect("a result for each operation");
                results[op] = match record.opcode {
                    abi::LOOKUP => found(record),
                    abi::INSERT => inserted(record),
                    abi::STORE => stored(record),
                    _ => former(record),
                };
            })?;
        }
        Ok(results)
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
        let mut loaded = 0;
        let mut stream = Vec::new();
        let mut entries = entries.into_iter().peekable();
        while entries.peek().is_some() {
            let mut valid = Ok(());
            while let (Ok(()), true, Some((key, value))) =
                (valid, stream.len() < CHUNK, entries.peek())
            {
                let (key, value) = (key.borrow(), Some(value.borrow()));
                valid = operation::<K, V>(abi::INSERT, key, value, None, &mut stream);
                entries.next();
            }
            self.load_stream(&stream, fill, &mut loaded)
                .and(valid)
                .map_err(|error| LoadError { loaded, error })?;
            stream.clear();
        }
        Ok(loaded)
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
        self.ask()
    }

    /// Check all invariants: `violation` is 0 if they hold.
    pub fn verify(&self) -> Result<abi::Verify> {
        self.ask()
    }

    fn ask<T: abi::Call + Default>(&self) -> Result<T> {
        let mut argument = T::default();
        // SAFETY: the structure has no addresses.
        unsafe { abi::call(self, &mut argument) }?;
        Ok(argument)
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
        let mut outcome = Err(Error::Invalid);
        operation::<K, V>(opcode, key, value, old, &mut stream)?;
        self.execute(&stream, |record| outcome = result(record))?;
        outcome
    }

    /// Execute a stream of operations, and pass on the result of each.
    fn execute(&self, mut stream: &[u8], mut each: impl FnMut(&Record<'_>)) -> Result<()> {
        let mut output = vec![0_u8; Self::RESULT_MAX.max(CHUNK.min(8 * stream.len()))];
        while !stream.is_empty() {
            let mut call = abi::Records {
                input: stream.as_ptr() as u64,
                input_size: stream.len() as u64,
                output: output.as_mut_ptr() as u64,
                output_size: output.len() as u64,
                ..Default::default()
            };
            // SAFETY: the kernel reads the stream, and writes to the output.
            unsafe { abi::call(self, &mut call) }?;
            let mut rest = &output[..call.output_used as usize];
            while let Some((record, after)) = Record::read(rest) {
                each(&record);
                rest = after;
            }
            stream = &stream[call.input_used as usize..];
        }
        Ok(())
    }

    fn load_stream(&self, mut stream: &[u8], fill: u32, loaded: &mut u64) -> Result<()> {
        while !stream.is_empty() {
            let mut call = abi::Records {
                flags: abi::RECORDS_LOAD,
                fill,
                input: stream.as_ptr() as u64,
                input_size: stream.len() as u64,
                ..Default::default()
            };
            // SAFETY: the kernel reads the stream.
            let result = unsafe { abi::call(self, &mut call) };
            *loaded += call.done;
            result?;
            stream = &stream[call.input_used as usize..];
        }
        Ok(())
    }

    pub(crate) fn scan(
        &self,
        bounds: &mut Bounds,
        descending: bool,
        output: &mut [u8],
    ) -> Result<usize> {
        let mut call = abi::RecordScan {
            output: output.as_mut_ptr() as u64,
            output_size: output.len() as u64,
            ..Default::default()
        };
        call.enter(bounds, if descending { abi::SCAN_DESC } else { 0 });
        // SAFETY: both bounds have room for the longest, and the output is as long as it says.
        unsafe { abi::call(self, &mut call) }?;
        call.leave(bounds, abi::SCAN_DESC);
        Ok(call.output_used as usize)
    }

    /// Call until a range is done, and add up the entries.
    fn sum<C: OnRange>(&self, range: &impl RangeBounds<K::Ref>, flags: u32) -> Result<u64> {
        let mut total = 0;
        let Some(mut bounds) = Bounds::of::<K>(range)? else {
            return Ok(0);
        };
        while bounds.flags & abi::DONE == 0 {
            let mut call = C::default();
            call.enter(&mut bounds, flags);
            // SAFETY: both bounds have room for the longest, and there is no output.
            unsafe { abi::call(self, &mut call) }?;
            call.leave(&mut bounds, flags);
            total += call.count();
        }
        Ok(total)
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

fn operation<K: Key, V: Value>(
    opcode: u16,
    key: &K::Ref,
    value: Option<&V::Ref>,
    old: Option<&V::Ref>,
    stream: &mut Vec<u8>,
) -> Result<()> {
    let key = K::bytes(key);
    let value = value.map(V::bytes);
    let old = old.map(V::bytes);
    Record {
        opcode,
        key: key.as_ref(),
        value: value.as_ref().map_or(&[], AsRef::as_ref),
        old: old.as_ref().map_or(&[], AsRef::as_ref),
        ..Default::default()
    }
    .write(stream)
}

fn errno(result: i32) -> Errno {
    Errno::from_raw_os_error(-result)
}

fn absent<T>(result: i32) -> Result<Option<T>> {
    match errno(result) {
        Errno::NOENT => Ok(None),
        other => Err(other.into()),
    }
}

fn found<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(Some(V::from_bytes(record.value))),
        result => absent(result),
    }
}

fn inserted<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(None),
        result if errno(result) == Errno::EXIST => Ok(Some(V::from_bytes(record.old))),
        result => Err(errno(result).into()),
    }
}

fn stored<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(None),
        1 => Ok(Some(V::from_bytes(record.old))),
        result => Err(errno(result).into()),
    }
}

fn former<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(Some(V::from_bytes(record.old))),
        result => absent(result),
    }
}

fn compared<V: Value>(record: &Record<'_>) -> Result<Compared<V>> {
    match record.result {
        0 => Ok(Compared::Done),
        result if errno(result) == Errno::STALE => Ok(Compared::Other(V::from_bytes(record.old))),
        result if errno(result) == Errno::NOENT => Ok(Compared::Absent),
        result => Err(errno(result).into()),
    }
}

fn near<K: Key, V: Value>(record: &Record<'_>) -> Result<Option<(K, V)>> {
    match record.result {
        0 => Ok(Some((K::from_bytes(record.key), V::from_bytes(record.value)))),
        result => absent(result),
    }
}

fn popped<K: Key, V: Value>(record: &Record<'_>) -> Result<Option<(K, V)>> {
    match record.result {
        0 => Ok(Some((K::from_bytes(record.key), V::from_bytes(record.old)))),
        result => absent(result),
    }
}
