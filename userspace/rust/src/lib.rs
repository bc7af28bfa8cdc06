// SPDX-License-Identifier: GPL-2.0
//! Ordered maps in the Linux kernel that processes share: blink_tree from Rust.
//!
//! ```no_run
//! use blinktree::{Options, Tree};
//!
//! # fn main() -> blinktree::Result<()> {
//! let ages: Tree<Vec<u8>, u64> = Options::new().create()?;
//! ages.store(b"Ada", &36)?;
//! ages.store(b"Alan", &41)?;
//! ages.store(b"Grace", &85)?;
//! assert_eq!(ages.floor(b"Edsger")?, Some((b"Alan".to_vec(), 41)));
//! for entry in ages.prefix(b"A")? {
//!     let (name, age) = entry?;
//!     println!("{} {age}", String::from_utf8_lossy(&name));
//! }
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod abi;
mod commit;
mod device;
mod error;
mod kind;
mod list;
mod outcome;
mod pairs;
mod range;
mod ranges;
mod record;
mod stream;
mod tree;
mod watch;

#[cfg(test)]
mod tests;

pub use abi::{Stats, Verify};
pub use commit::{Commit, Committed, Gap};
pub use device::{open, open_pairs, unlink, Access, Locking, Options, Replication};
pub use error::{BatchError, Error, LoadError, PartsError, Result};
pub use kind::{Key, Number, Value, Watched};
pub use list::{trees, KeyKind, Listed, Trees, ValueKind};
pub use pairs::Pairs;
pub use range::Range;
pub use ranges::{Place, Ranges, RangesIter};
pub use tree::{Compared, Op, Tree};
pub use watch::{Change, Watch};
