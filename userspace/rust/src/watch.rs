// SPDX-License-Identifier: GPL-2.0
//! The changes of a tree, from the ring that the kernel writes (`linux/blink_tree_watch.h`).

use crate::abi;
use crate::error::{Error, Result};
use crate::kind::{Number, Watched};
use crate::range::{greatest, least};
use crate::tree::Tree;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use rustix::fs::{fcntl_setfl, OFlags};
use rustix::io::Errno;
use rustix::mm::{mmap, munmap, MapFlags, ProtFlags};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::RangeBounds;
use std::ptr;
use std::sync::atomic::{fence, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A change of a tree.
///
/// Further ones can be added that tell of the tree itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change<K> {
    /// A key was added.
    Insert {
        /// The key.
        key: K,
        /// Its value.
        value: u64,
    },
    /// The value of a key was changed.
    Update {
        /// The key.
        key: K,
        /// Its new value.
        value: u64,
        /// Its former value.
        old: u64,
    },
    /// A key was removed.
    Erase {
        /// The key.
        key: K,
        /// The value that it had.
        old: u64,
    },
    /// All keys of a range were removed.
    EraseRange {
        /// The first key of the range.
        first: K,
        /// The last key of the range.
        last: K,
    },
    /// The name of the tree was removed, and may lead to another tree.
    Unlinked,
    /// Attributes of the tree were set.
    Attr {
        /// Their `BLINK_TREE_ATTR_*` bits, of `linux/blink_tree.h`.
        attributes: u64,
    },
    /// The tree had no room for a change. Further ones are told after a key was added.
    Refused {
        /// The error that the change failed with, such as [`Errno::NOSPC`].
        error: Errno,
    },
}

/// Memory of a descriptor, mapped for reading.
#[derive(Debug)]
struct Map {
    at: *mut c_void,
    size: usize,
}

// SAFETY: the memory is only read, by atomic loads, and stays until the value is dropped.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Map {
    fn new(fd: &OwnedFd, size: usize) -> Result<Self> {
        // SAFETY: the kernel chooses an address where nothing is.
        let at = unsafe { mmap(ptr::null_mut(), size, ProtFlags::READ, MapFlags::SHARED, fd, 0) }?;
        Ok(Self { at, size })
    }

    /// A word at an offset that is a multiple of 8.
    fn word(&self, offset: usize) -> &AtomicU64 {
        assert!(offset % 8 == 0 && offset + 8 <= self.size);
        // SAFETY: the word is aligned and mapped, and all others access it atomically.
        unsafe { &*self.at.byte_add(offset).cast() }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: no reference into the memory outlives the value.
        let _ = unsafe { munmap(self.at, self.size) };
    }
}

/// Words of 64 bits of a record.
const WORDS: usize = std::mem::size_of::<abi::Change>() / 8;

/// The changes of a tree since the watch was created, in one order.
///
/// As an iterator it waits for changes. It ends when there will be none: the tree has neither
/// a name nor a descriptor. A watch that could not keep up fails once with
/// [`Error::Overrun`]: it has missed changes, so read the tree again. It goes on with the
/// changes from then.
#[derive(Debug)]
pub struct Watch<K> {
    fd: OwnedFd,
    ring: Map,
    slots: u64,
    records: usize,
    stride: usize,
    position: u64,
    kind: PhantomData<fn() -> K>,
}

/// Map the ring, whose begin says how large it is.
fn map(fd: &OwnedFd) -> Result<(Map, abi::WatchRing)> {
    let begin = Map::new(fd, std::mem::size_of::<abi::WatchRing>())?;
    // SAFETY: the structure has only integers, and the memory has its size. The members
    // that change are not used.
    let ring = unsafe { ptr::read_volatile(begin.at.cast::<abi::WatchRing>()) };
    let size = u64::from(ring.records) + ring.slots * u64::from(ring.record_size);
    Ok((Map::new(fd, size as usize)?, ring))
}

impl<K: Number> Tree<K, u64> {
    /// The changes of the keys of a range from now on.
    ///
    /// The watch keeps so many changes, a power of two from 64 to 1,048,576, or 16,384 if
    /// `slots` is 0. A tree has at most 8 watches.
    pub fn watch(&self, range: impl RangeBounds<K>, slots: u32) -> Result<Watch<K>> {
        Watch::new(self.as_fd(), range, slots)
    }
}

impl<K: Watched> Watch<K> {
    pub(crate) fn new(
        tree: BorrowedFd<'_>,
        range: impl RangeBounds<K>,
        slots: u32,
    ) -> Result<Self> {
        let (first, first_low) = least(&range)?.halves();
        let (last, last_low) = greatest(&range)?.halves();
        let mut argument =
            abi::Watch { slots, first, first_low, last, last_low, ..Default::default() };
        // SAFETY: the structure has no addresses.
        let fd = unsafe { abi::call(tree, &mut argument) }?;
        // SAFETY: the ioctl returned a new descriptor.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let (ring, begin) = map(&fd)?;
        fcntl_setfl(&fd, OFlags::NONBLOCK)?;
        Ok(Self {
            fd,
            ring,
            slots: begin.slots,
            records: begin.records as usize,
            stride: begin.record_size as usize,
            position: 0,
            kind: PhantomData,
        })
    }

    /// The position of the change that is read next. The first one has the position 0.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The position of the next change of the tree.
    pub fn head(&self) -> u64 {
        self.load(std::mem::offset_of!(abi::WatchRing, head))
    }

    /// The next change, or `None` if there is none yet.
    ///
    /// A program that reads the tree after it has read a change finds this change or a
    /// later one of the key.
    pub fn read(&mut self) -> Result<Option<Change<K>>> {
        let mut forgotten = false;
        loop {
            match self.try_read() {
                Ok(Some(change)) => {
                    self.position += 1;
                    if change.is_some() {
                        return Ok(change);
                    }
                }
                Err(Error::Overrun) => {
                    self.position = self.head();
                    return Err(Error::Overrun);
                }
                Ok(None) if self.head() > self.position => std::thread::yield_now(),
                Ok(None) if forgotten => return Ok(None),
                // There can be a change since.
                Ok(None) => {
                    self.forget_readable();
                    forgotten = true;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether there will be no changes but those that can be read now.
    pub fn ended(&self) -> Result<bool> {
        let mut polled = [PollFd::new(&self.fd, PollFlags::empty())];
        loop {
            match poll(&mut polled, Some(&Timespec::default())) {
                Err(Errno::INTR) => {}
                result => return Ok(result? > 0),
            }
        }
    }

    /// Wait for a change. Returns whether there is one, `false` after `timeout` or if the
    /// watch has [ended](Watch::ended).
    ///
    /// One thread waits: a change wakes one of those that wait for the same descriptor.
    ///
    /// ```compile_fail,E0596
    /// fn two_threads(watch: &blinktree::Watch<u64>) {
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| watch.wait(None));
    ///         scope.spawn(|| watch.wait(None));
    ///     });
    /// }
    /// ```
    pub fn wait(&mut self, timeout: Option<Duration>) -> Result<bool> {
        // A time that no clock will show is no limit.
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        while self.head() <= self.position {
            let ended = self.forget_readable();
            if self.head() > self.position {
                break;
            }
            if ended {
                return Ok(false);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if !self.poll(left)? && left.is_some_and(|left| left.is_zero()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the descriptor is readable.
    fn poll(&self, timeout: Option<Duration>) -> Result<bool> {
        let timeout = timeout.map(Timespec::try_from).transpose();
        let timeout = timeout.map_err(|_| Error::Invalid)?;
        match poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], timeout.as_ref()) {
            Err(Errno::INTR) => Ok(false),
            result => Ok(result? > 0),
        }
    }

    /// Let the descriptor be readable only when there are further changes. Returns whether
    /// there will be none.
    fn forget_readable(&self) -> bool {
        rustix::io::read(&self.fd, &mut [0; 8]) == Ok(0)
    }

    fn load(&self, offset: usize) -> u64 {
        // Pairs with the kernel's releases, and keeps later loads behind. Only relaxed loads
        // are sure not to write, which the mapping does not allow.
        let word = self.ring.word(offset).load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        word
    }

    /// The record of the position, or `None` if it is not there yet. It is `Some(None)` if
    /// it tells what this version does not know.
    fn try_read(&self) -> Result<Option<Option<Change<K>>>> {
        let slot = (self.position & (self.slots - 1)) as usize;
        let at = self.records + slot * self.stride;
        let expected = 2 * self.position + 2;
        let seq = self.load(at);
        if seq < expected {
            let lost = self.load(std::mem::offset_of!(abi::WatchRing, lost));
            return if lost > self.position { Err(Error::Overrun) } else { Ok(None) };
        }
        let record = self.copy(at);
        if seq > expected || self.load(at) != expected {
            return Err(Error::Overrun);
        }
        Self::change(&record).map(Some)
    }

    /// The words of a record that can be overwritten meanwhile: loads that acquire stay in order.
    fn copy(&self, at: usize) -> [u64; WORDS] {
        std::array::from_fn(|word| self.load(at + 8 * word))
    }

    /// The change of a record that was not overwritten: of another one the words can be of two.
    fn change(record: &[u64; WORDS]) -> Result<Option<Change<K>>> {
        let word = |offset| record[offset / 8];
        let key = K::from_halves(
            word(std::mem::offset_of!(abi::Change, key)),
            word(std::mem::offset_of!(abi::Change, key_low)),
        );
        let last = K::from_halves(
            word(std::mem::offset_of!(abi::Change, last)),
            word(std::mem::offset_of!(abi::Change, last_low)),
        );
        let value = word(std::mem::offset_of!(abi::Change, value));
        let old = word(std::mem::offset_of!(abi::Change, old));
        let op = word(std::mem::offset_of!(abi::Change, op)).to_ne_bytes();
        Ok(Some(match u32::from_ne_bytes([op[0], op[1], op[2], op[3]]) {
            abi::CHANGE_INSERT => Change::Insert { key, value },
            abi::CHANGE_UPDATE => Change::Update { key, value, old },
            abi::CHANGE_ERASE => Change::Erase { key, old },
            abi::CHANGE_ERASE_RANGE => Change::EraseRange { first: key, last },
            abi::CHANGE_UNLINKED => Change::Unlinked,
            abi::CHANGE_ATTR => Change::Attr { attributes: value },
            abi::CHANGE_REFUSED => {
                Change::Refused { error: Errno::from_raw_os_error(value as i32) }
            }
            op if op >= abi::CHANGE_TREE => return Ok(None),
            _ => return Err(Error::Overrun),
        }))
    }
}

impl<K> AsFd for Watch<K> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl<K: Watched> Iterator for Watch<K> {
    type Item = Result<Change<K>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.wait(None) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            match self.read() {
                Ok(None) => {}
                other => return other.transpose(),
            }
        }
    }
}
