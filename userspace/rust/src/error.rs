// SPDX-License-Identifier: GPL-2.0
use rustix::io::Errno;
use std::fmt;

/// The reason why a call failed.
///
/// If the call has one operation, the tree is as it was. A call with several operations, or
/// on a range, can have executed a part of them:
/// [`Tree::remove_range`](crate::Tree::remove_range), [`Tree::clear`](crate::Tree::clear),
/// and the same of [`Pairs`](crate::Pairs), [`insert_all`](crate::Pairs::insert_all) and
/// [`remove_key`](crate::Pairs::remove_key), which a program can repeat. A batch has the
/// results of this part ([`BatchError`]), a load says how many entries it added
/// ([`LoadError`]), and a range that is stored in parts how far it came ([`PartsError`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The name of the tree is taken (`EEXIST`); of a load: a key is present.
    Exists,
    /// There is no tree of that name (`ENOENT`).
    NotFound,
    /// The tree has reached its `max_entries` or `max_bytes` (`ENOSPC`).
    Full,
    /// The trees of its creator have reached the limit of one user (`EDQUOT`).
    Quota,
    /// There is no memory, or all trees have reached the limit of the module (`ENOMEM`).
    NoMemory,
    /// A commit has too many operations, or it or a range would lock too many leaves of the
    /// tree (`E2BIG`).
    TooLarge,
    /// The tree or the device was not opened for this, or may not be (`EBADF`, `EACCES`,
    /// `EPERM`).
    Access,
    /// The tree has keys or values of another kind than the type says.
    Kind,
    /// A key, a value, a bound or a name is too long, or has forbidden characters.
    Invalid,
    /// A watch has missed changes.
    Overrun,
    /// Any other error of the kernel.
    Os(Errno),
}

/// The reason why a load ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The number of entries before the one that was not added.
    pub loaded: u64,
    /// Why it was not added.
    pub error: Error,
}

/// The reason why a batch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchError<V> {
    /// The results of the operations before the first one that was not executed.
    pub results: Vec<Result<Option<V>>>,
    /// Why it was not executed.
    pub error: Error,
}

impl<V> fmt::Display for BatchError<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} operations: {}", self.results.len(), self.error)
    }
}

impl<V: fmt::Debug> std::error::Error for BatchError<V> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<V> From<BatchError<V>> for Error {
    /// The reason, without the results.
    fn from(batch: BatchError<V>) -> Self {
        batch.error
    }
}

/// The reason why a range was stored in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsError<K> {
    /// Where the rest begins; the first key of all if the tree is open for writing only.
    pub rest: K,
    /// Why it does not.
    pub error: Error,
}

impl<K: fmt::Display> fmt::Display for PartsError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from the key {} on: {}", self.rest, self.error)
    }
}

impl<K: fmt::Debug + fmt::Display> std::error::Error for PartsError<K> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<K> From<PartsError<K>> for Error {
    /// The reason, without the key.
    fn from(parts: PartsError<K>) -> Self {
        parts.error
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} entries: {}", self.loaded, self.error)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<LoadError> for Error {
    /// The reason, without the number of entries.
    fn from(load: LoadError) -> Self {
        load.error
    }
}

/// The result of an operation.
pub type Result<T> = std::result::Result<T, Error>;

impl From<Errno> for Error {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::EXIST => Self::Exists,
            Errno::NOENT => Self::NotFound,
            Errno::NOSPC => Self::Full,
            Errno::DQUOT => Self::Quota,
            Errno::NOMEM => Self::NoMemory,
            Errno::TOOBIG => Self::TooLarge,
            Errno::BADF | Errno::ACCESS | Errno::PERM => Self::Access,
            Errno::INVAL => Self::Invalid,
            other => Self::Os(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exists => "it exists",
            Self::NotFound => "it does not exist",
            Self::Full => "the tree has reached its limit",
            Self::Quota => "the user has reached the limit",
            Self::NoMemory => "there is no memory",
            Self::TooLarge => "the change is too large for one moment",
            Self::Access => "access is denied",
            Self::Kind => "the tree has keys or values of another kind",
            Self::Invalid => "a key, a value or a name is not valid",
            Self::Overrun => "the watch has missed changes",
            Self::Os(errno) => return errno.fmt(f),
        })
    }
}

impl std::error::Error for Error {}
