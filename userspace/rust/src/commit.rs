// SPDX-License-Identifier: GPL-2.0
use crate::abi;
use crate::error::{Error, Result};
use crate::kind::{Key, Value};
use crate::outcome::operation;
use crate::record::{self, Record};
use crate::stream::Stream;
use rustix::io::Errno;
use std::marker::PhantomData;

/// Operations that take effect at one instant, or not at all.
///
/// [`Tree::commit`](crate::Tree::commit) begins with none. Each function adds one, up to 32,
/// of which one can change the same key. All conditions are tested, and all values found,
/// before the first change.
#[derive(Debug)]
pub struct Commit<'a, K, V> {
    stream: &'a Stream,
    operations: Vec<u8>,
    /// Where the last operation begins.
    last: usize,
    count: usize,
    kind: PhantomData<fn() -> (K, V)>,
}

/// A condition or a change that concerns the *gap* of an operation: the keys between its own
/// and the next greater one of the commit, without these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Gap {
    /// There is no key in the gap.
    Empty = abi::COMMIT_EMPTY,
    /// Remove all keys of the gap.
    Clear = abi::COMMIT_CLEAR,
}

/// What became of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed<V> {
    /// All operations took effect. For each there is the value that `get` found, or that the
    /// operation replaced or removed.
    Done(Vec<Option<V>>),
    /// Nothing changed, since a condition is not true.
    Failed {
        /// The number of the first operation whose condition is not true.
        number: usize,
        /// The value of its key, which is absent without one.
        found: Option<V>,
    },
    /// Nothing changed, since there is a key in a gap that has to be [`Gap::Empty`].
    Occupied {
        /// The number of the last operation on the key before the gap.
        number: usize,
    },
}

impl<'a, K: Key, V: Value> Commit<'a, K, V> {
    pub(crate) fn new(stream: &'a Stream) -> Self {
        Self { stream, operations: Vec::new(), last: 0, count: 0, kind: PhantomData }
    }

    /// Find the value of a key, if it is present.
    pub fn get(&mut self, key: &K::Ref) -> Result<&mut Self> {
        self.add_operation(abi::LOOKUP, key, None, None)
    }

    /// The key has this value.
    pub fn expect(&mut self, key: &K::Ref, value: &V::Ref) -> Result<&mut Self> {
        self.add_operation(abi::EXPECT, key, None, Some(value))
    }

    /// The key is absent.
    pub fn absent(&mut self, key: &K::Ref) -> Result<&mut Self> {
        self.add_operation(abi::ABSENT, key, None, None)
    }

    /// Add a key, which is absent.
    pub fn insert(&mut self, key: &K::Ref, value: &V::Ref) -> Result<&mut Self> {
        self.add_operation(abi::INSERT, key, Some(value), None)
    }

    /// Add a key, or change its value.
    pub fn store(&mut self, key: &K::Ref, value: &V::Ref) -> Result<&mut Self> {
        self.add_operation(abi::STORE, key, Some(value), None)
    }

    /// Change the value of a key, which is present.
    pub fn replace(&mut self, key: &K::Ref, value: &V::Ref) -> Result<&mut Self> {
        self.add_operation(abi::REPLACE, key, Some(value), None)
    }

    /// Remove a key, which is present.
    pub fn remove(&mut self, key: &K::Ref) -> Result<&mut Self> {
        self.add_operation(abi::ERASE, key, None, None)
    }

    /// Change the value of a key, which has the expected one.
    pub fn compare_exchange(
        &mut self,
        key: &K::Ref,
        expected: &V::Ref,
        new: &V::Ref,
    ) -> Result<&mut Self> {
        self.add_operation(abi::CMPXCHG, key, Some(new), Some(expected))
    }

    /// Remove a key, which has the expected value.
    pub fn compare_remove(&mut self, key: &K::Ref, expected: &V::Ref) -> Result<&mut Self> {
        self.add_operation(abi::CMPERASE, key, None, Some(expected))
    }

    /// Concern the gap of the operation that was added last, which is not that of the greatest
    /// key: [`Error::Invalid`] if there is none.
    pub fn gap(&mut self, gap: Gap) -> Result<&mut Self> {
        if self.count == 0 {
            return Err(Error::Invalid);
        }
        record::set_flags(&mut self.operations[self.last..], gap as u16);
        Ok(self)
    }

    /// Execute the operations, all of them or none.
    pub fn run(self) -> Result<Committed<V>> {
        let mut found = Vec::with_capacity(self.count);
        let mut failed = None;
        let done = self.stream.commit(&self.operations, self.count, |record| {
            if record.result != -Errno::CANCELED.raw_os_error() {
                failed = Some(failure(found.len(), record));
            }
            found.push(value_found(record));
        })?;
        Ok(match failed {
            Some(failed) if !done => failed,
            _ => Committed::Done(found),
        })
    }

    fn add_operation(
        &mut self,
        opcode: u16,
        key: &K::Ref,
        value: Option<&V::Ref>,
        old: Option<&V::Ref>,
    ) -> Result<&mut Self> {
        let begin = self.operations.len();
        operation::<K, V>(opcode, key, value, old, &mut self.operations)?;
        self.last = begin;
        self.count += 1;
        Ok(self)
    }
}

impl<K: Key> Commit<'_, K, u64> {
    /// Add a number to the value of a key, as [`Tree::add`](crate::Tree::add).
    pub fn add(&mut self, key: &K::Ref, number: u64) -> Result<&mut Self> {
        self.add_operation(abi::ADD, key, Some(&number), None)
    }

    /// Add a number to the value of a key, as
    /// [`Tree::saturating_add`](crate::Tree::saturating_add).
    pub fn saturating_add(&mut self, key: &K::Ref, number: i64) -> Result<&mut Self> {
        self.add_operation(abi::ADD_SATURATE, key, Some(&(number as u64)), None)
    }
}

/// What an operation that took effect has found.
fn value_found<V: Value>(record: &Record<'_>) -> Option<V> {
    match (record.opcode, record.result) {
        (abi::LOOKUP, 0) => Some(V::from_bytes(record.value)),
        (abi::STORE | abi::ADD | abi::ADD_SATURATE, 1)
        | (abi::REPLACE | abi::ERASE | abi::CMPXCHG | abi::CMPERASE, 0) => {
            Some(V::from_bytes(record.old))
        }
        _ => None,
    }
}

/// Why the operation of this number failed.
fn failure<V: Value>(number: usize, record: &Record<'_>) -> Committed<V> {
    if record.result == -Errno::NOTEMPTY.raw_os_error() {
        return Committed::Occupied { number };
    }
    let present = record.result < 0 && record.result != -Errno::NOENT.raw_os_error();
    Committed::Failed { number, found: present.then(|| V::from_bytes(record.old)) }
}
