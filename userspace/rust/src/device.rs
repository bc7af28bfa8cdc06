// SPDX-License-Identifier: GPL-2.0
use crate::abi;
use crate::error::{Error, Result};
use crate::kind::{Key, Value};
use crate::pairs::Pairs;
use crate::tree::Tree;
use rustix::fd::{FromRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};

/// The parts of a tree that every NUMA node has a copy of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Replication {
    /// None.
    #[default]
    None = 0,
    /// The inner nodes.
    Inner = 1,
    /// Inner nodes and leaves.
    Full = 2,
}

/// The order in which waiting writers get the lock of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Locking {
    /// First come, first served.
    #[default]
    Plain = 0,
    /// Those on the NUMA node of the present owner come first, a bounded number of times.
    Cohort = 1,
}

/// The properties of a tree that is to be created.
#[derive(Clone, Debug)]
pub struct Options {
    name: String,
    mode: u32,
    max_entries: u64,
    max_bytes: u64,
    replication: Replication,
    locking: Locking,
    compress: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

/// The access to a tree that is opened by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Access {
    /// Reading.
    Read = abi::OPEN_READ,
    /// Writing. Functions that return a former value return zero, or no bytes, instead.
    Write = abi::OPEN_WRITE,
    /// Both.
    ReadWrite = abi::OPEN_READ | abi::OPEN_WRITE,
}

impl Access {
    /// The access that these bits permit; `None` if they permit none.
    pub(crate) fn of_bits(bits: u32) -> Option<Self> {
        [Self::ReadWrite, Self::Read, Self::Write]
            .into_iter()
            .find(|&it| bits & it as u32 == it as u32)
    }
}

impl Options {
    /// A tree without a name, and without limits.
    pub fn new() -> Self {
        Self {
            name: String::new(),
            mode: 0o600,
            max_entries: 0,
            max_bytes: 0,
            replication: Replication::None,
            locking: Locking::Plain,
            compress: false,
        }
    }

    /// Other processes find the tree by this name, until it is unlinked.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// The permission bits of a tree with a name (0600).
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }

    /// The most keys that it can hold.
    pub fn max_entries(mut self, entries: u64) -> Self {
        self.max_entries = entries;
        self
    }

    /// The most memory that it can take.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// The parts that NUMA nodes have copies of.
    pub fn replication(mut self, replication: Replication) -> Self {
        self.replication = replication;
        self
    }

    /// The order of waiting writers.
    pub fn locking(mut self, locking: Locking) -> Self {
        self.locking = locking;
        self
    }

    /// Numbers take as few bytes as the entries of a leaf allow.
    pub fn compress(mut self, compress: bool) -> Self {
        self.compress = compress;
        self
    }

    /// Create the tree.
    pub fn create<K: Key, V: Value>(&self) -> Result<Tree<K, V>> {
        self.descriptor(K::KIND, V::FLAGS)?.try_into()
    }

    /// Create a tree of equal keys, which [`compress`](Self::compress) is not for.
    pub fn create_pairs(&self) -> Result<Pairs> {
        self.descriptor(abi::KEY_MULTI, 0)?.try_into()
    }

    fn descriptor(&self, key: u32, flags: u32) -> Result<OwnedFd> {
        let mut call = abi::Create {
            flags: flags | if self.compress { abi::CREATE_COMPRESS } else { 0 },
            mode: if self.name.is_empty() { 0 } else { self.mode },
            max_entries: self.max_entries,
            name: name(&self.name)?,
            replication: self.replication as u8,
            locking: self.locking as u8,
            key,
            max_bytes: self.max_bytes,
            ..Default::default()
        };
        descriptor(OFlags::RDWR, &mut call)
    }
}

/// Open a tree by its name; [`Error::Kind`] if it has other keys or values.
pub fn open<K: Key, V: Value>(tree: &str, access: Access) -> Result<Tree<K, V>> {
    open_descriptor(tree, access)?.try_into()
}

/// Open a tree of equal keys by its name; [`Error::Kind`] if it is no such.
pub fn open_pairs(tree: &str, access: Access) -> Result<Pairs> {
    open_descriptor(tree, access)?.try_into()
}

fn open_descriptor(tree: &str, access: Access) -> Result<OwnedFd> {
    let mut call = abi::Open { flags: access as u32, name: name(tree)?, ..Default::default() };
    descriptor(OFlags::RDONLY, &mut call)
}

/// Remove the name of a tree. It exists until its last descriptor is closed.
pub fn unlink(tree: &str) -> Result<()> {
    let mut call = abi::Unlink { name: name(tree)?, ..Default::default() };
    // SAFETY: the structure has no addresses.
    unsafe { abi::call(device(OFlags::RDWR)?, &mut call) }?;
    Ok(())
}

pub(crate) fn device(flags: OFlags) -> Result<OwnedFd> {
    Ok(rustix::fs::open(abi::DEVICE, flags | OFlags::CLOEXEC, Mode::empty())?)
}

fn descriptor<T: abi::Call>(flags: OFlags, call: &mut T) -> Result<OwnedFd> {
    // SAFETY: the structure has no addresses.
    let fd = unsafe { abi::call(device(flags)?, call) }?;
    // SAFETY: the ioctl returns a new descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn name(text: &str) -> Result<[u8; abi::NAME_MAX]> {
    let mut name = [0; abi::NAME_MAX];
    if text.len() >= abi::NAME_MAX || text.contains('\0') {
        return Err(Error::Invalid);
    }
    name[..text.len()].copy_from_slice(text.as_bytes());
    Ok(name)
}
