// SPDX-License-Identifier: GPL-2.0
//! The list of trees that have a name. Each ioctl fills a *window* of entries; the id of
//! the last entry is the *cursor* for the next window.

use crate::abi;
use crate::device::{device, Access};
use crate::error::Result;
use rustix::fd::OwnedFd;
use rustix::fs::OFlags;

const WINDOW: usize = 64;

/// The kind of the keys of a tree that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyKind {
    /// `u64`, in a [`Tree`](crate::Tree).
    U64,
    /// `u128`, in a [`Tree`](crate::Tree).
    U128,
    /// Equal keys: the tree is [`Pairs`](crate::Pairs).
    Pairs,
    /// `Vec<u8>`, in a [`Tree`](crate::Tree).
    Bytes,
    /// A kind of a later version of the module.
    Unknown(u32),
}

/// The kind of the values of a tree that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `u64`.
    U64,
    /// `Vec<u8>`.
    Bytes,
}

/// A tree that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its number, which no other tree gets while the module is loaded.
    pub id: u64,
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Its permission bits.
    pub mode: u32,
    /// The access that [`open`](crate::open) would allow.
    pub access: Option<Access>,
    /// The kind of its keys.
    pub keys: KeyKind,
    /// The kind of its values.
    pub values: ValueKind,
    /// The number of its entries; 0 if it may not be read.
    pub entries: u64,
    /// The most entries that it can hold, or 0 for no limit.
    pub max_entries: u64,
    /// The memory that it takes; 0 if it may not be read.
    pub bytes: u64,
    /// The most memory that it can take, or 0 for no limit.
    pub max_bytes: u64,
}

impl From<&abi::ListEntry> for Listed {
    fn from(entry: &abi::ListEntry) -> Self {
        let name = entry.name.split(|&letter| letter == 0).next().unwrap_or_default();
        Self {
            name: String::from_utf8_lossy(name).into_owned(),
            id: entry.id,
            uid: entry.uid,
            gid: entry.gid,
            mode: entry.mode,
            access: Access::of_bits(entry.access),
            keys: match entry.key {
                abi::KEY_U64 => KeyKind::U64,
                abi::KEY_U128 => KeyKind::U128,
                abi::KEY_MULTI => KeyKind::Pairs,
                abi::KEY_BYTES => KeyKind::Bytes,
                other => KeyKind::Unknown(other),
            },
            values: match entry.create_flags & abi::CREATE_BYTE_VALUES {
                0 => ValueKind::U64,
                _ => ValueKind::Bytes,
            },
            entries: entry.entries,
            max_entries: entry.max_entries,
            bytes: entry.bytes,
            max_bytes: entry.max_bytes,
        }
    }
}

/// An iterator over the trees that have a name, in the order of their numbers.
///
/// A tree that is created or unlinked meanwhile can be listed or not. After an error the
/// iterator ends.
#[derive(Debug)]
pub struct Trees {
    device: OwnedFd,
    cursor: u64,
    end: bool,
    window: std::vec::IntoIter<Listed>,
}

/// The trees that have a name.
///
/// ```no_run
/// for tree in blinktree::trees()? {
///     let tree = tree?;
///     println!("{} {:?} {}", tree.name, tree.keys, tree.entries);
/// }
/// # Ok::<(), blinktree::Error>(())
/// ```
pub fn trees() -> Result<Trees> {
    let device = device(OFlags::RDONLY)?;
    Ok(Trees { device, cursor: 0, end: false, window: Vec::new().into_iter() })
}

impl Trees {
    fn fetch(&mut self) -> Result<()> {
        let mut entries = [abi::ListEntry::default(); WINDOW];
        let mut call = abi::List {
            capacity: WINDOW as u32,
            trees: entries.as_mut_ptr() as u64,
            cursor: self.cursor,
            entry_size: std::mem::size_of::<abi::ListEntry>() as u32,
            ..Default::default()
        };
        // SAFETY: the kernel writes entries of this size, as many as the array has at most.
        unsafe { abi::call(&self.device, &mut call) }?;
        let listed: Vec<_> = entries[..call.count as usize].iter().map(Listed::from).collect();
        self.cursor = call.cursor;
        self.end = listed.len() < WINDOW;
        self.window = listed.into_iter();
        Ok(())
    }
}

impl Iterator for Trees {
    type Item = Result<Listed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.window.len() == 0 && !self.end {
            if let Err(error) = self.fetch() {
                self.end = true;
                return Some(Err(error));
            }
        }
        self.window.next().map(Ok)
    }
}

impl std::iter::FusedIterator for Trees {}
