// SPDX-License-Identifier: GPL-2.0
//! The ioctl contract of `<linux/blink_tree.h>`: structures, numbers and constants.
#![allow(missing_docs)]

use rustix::fd::AsFd;
use rustix::io::{Errno, Result};
use rustix::ioctl::{opcode, Ioctl, IoctlOutput, Opcode};
use std::ffi::c_void;

pub const DEVICE: &str = "/dev/blink_tree";
pub const NAME_MAX: usize = 64;
pub const RECORD_KEY_MAX: usize = 1024;
pub const RECORD_VALUE_MAX: usize = 4096;

pub const LOOKUP: u16 = 0;
pub const INSERT: u16 = 1;
pub const STORE: u16 = 2;
pub const REPLACE: u16 = 3;
pub const ERASE: u16 = 4;
pub const CMPXCHG: u16 = 5;
pub const CMPERASE: u16 = 6;
pub const FLOOR: u16 = 7;
pub const CEILING: u16 = 8;
pub const POP_MIN: u16 = 10;
pub const POP_MAX: u16 = 11;
pub const EXPECT: u16 = 12;
pub const ABSENT: u16 = 13;
pub const ADD: u16 = 14;
pub const ADD_SATURATE: u16 = 15;

pub const KEY_U64: u32 = 0;
pub const KEY_U128: u32 = 1;
pub const KEY_MULTI: u32 = 2;
pub const KEY_BYTES: u32 = 3;
pub const CREATE_COMPRESS: u32 = 1 << 0;
pub const CREATE_BYTE_VALUES: u32 = 1 << 1;
pub const OPEN_READ: u32 = 1 << 0;
pub const OPEN_WRITE: u32 = 1 << 1;
pub const RECORDS_LOAD: u32 = 1 << 0;
pub const RECORDS_COMMIT: u32 = 1 << 1;
pub const COMMIT_EMPTY: u16 = 1 << 0;
pub const COMMIT_CLEAR: u16 = 1 << 1;
pub const SCAN_DESC: u32 = 1 << 0;
pub const SCAN_COUNT: u32 = 1 << 1;
pub const FIRST_OPEN: u32 = 1 << 2;
pub const LAST_OPEN: u32 = 1 << 3;
pub const PREFIX: u32 = 1 << 4;
pub const DONE: u32 = 1 << 31;
pub const RANGE_LOOKUP: u32 = 0;
pub const RANGE_NEXT: u32 = 1;
pub const RANGE_PREV: u32 = 2;
pub const RANGE_GAP: u32 = 3;
pub const RANGE_STORE: u32 = 4;
pub const RANGE_INSERT: u32 = 5;
pub const RANGE_ALLOC: u32 = 6;
pub const RANGE_HIGHEST: u32 = 1 << 0;
pub const RANGE_PARTS: u32 = 1 << 1;
pub const CHANGE_INSERT: u32 = 1;
pub const CHANGE_UPDATE: u32 = 2;
pub const CHANGE_ERASE: u32 = 3;
pub const CHANGE_ERASE_RANGE: u32 = 4;
pub const CHANGE_TREE: u32 = 16;
pub const CHANGE_UNLINKED: u32 = 16;
pub const CHANGE_ATTR: u32 = 17;
pub const CHANGE_REFUSED: u32 = 18;

/// A structure of an ioctl, which the kernel reads and writes.
///
/// # Safety
///
/// The structure has the layout that the kernel expects of the ioctl `NUMBER`, and every
/// address in it is that of memory of which its lengths are true.
pub unsafe trait Call: Sized {
    const NUMBER: u8;
}

macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident $(= $number:literal)? {
        $($field:ident: $type:ty),* $(,)?
    })*) => {
        $($(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name { $(pub $field: $type),* }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: all fields are integers, or arrays of them.
                unsafe { std::mem::zeroed() }
            }
        }

        // SAFETY: tests/abi.rs compares the layout with the header.
        $(unsafe impl Call for $name { const NUMBER: u8 = $number; })?

        #[cfg(test)]
        impl $name {
            /// The offset and size of each field.
            pub fn layout() -> Vec<(&'static str, usize, usize)> {
                let it = Self::default();
                vec![$((
                    stringify!($field),
                    std::mem::offset_of!($name, $field),
                    std::mem::size_of_val(&it.$field),
                )),*]
            }
        })*
    };
}

structs! {
    /// `struct blink_tree_record`
    Record {
        length: u32, opcode: u16, flags: u16, result: i32, key_length: u16,
        value_length: u16, old_length: u16, reserved: [u16; 3],
    }
    /// `struct blink_tree_ioc_create`
    Create = 1 {
        flags: u32, mode: u32, max_entries: u64, name: [u8; NAME_MAX], replication: u8,
        locking: u8, placement: u8, reserved: u8, key: u32, max_bytes: u64,
    }
    /// `struct blink_tree_ioc_open`
    Open = 2 { flags: u32, uid: u32, id: u64, name: [u8; NAME_MAX] }
    /// `struct blink_tree_ioc_unlink`
    Unlink = 3 { flags: u32, reserved: u32, id: u64, name: [u8; NAME_MAX] }
    /// `struct blink_tree_list_entry`
    ListEntry {
        id: u64, name: [u8; NAME_MAX], uid: u32, gid: u32, mode: u32, access: u32,
        entries: u64, max_entries: u64, bytes: u64, max_bytes: u64, key: u32,
        create_flags: u32,
    }
    /// `struct blink_tree_ioc_list`
    List = 4 {
        flags: u32, capacity: u32, trees: u64, cursor: u64, count: u32, entry_size: u32,
        known: u32, reserved: u32,
    }
    /// The sizes and counters of a tree: `struct blink_tree_ioc_stats`
    Stats = 8 {
        flags: u32, known: u32, entries: u64, max_entries: u64, bytes: u64,
        limbo_bytes: u64, inserts: u64, erases: u64, splits: u64, merges: u64,
        root_grows: u64, root_shrinks: u64, read_retries: u64, read_locks: u64,
        right_hops: u64, reroutes: u64, posts_deferred: u64, merges_deferred: u64,
        gate_passes: u64, gate_releases: u64, gate_bounds: u64, replication: u32,
        locking: u32, placement: u32, key: u32, indexes: u64, lock_waits: u64,
        heat_splits: u64, max_bytes: u64, create_flags: u64, block_bytes: u64, reads: u64,
        updates: u64,
    }
    /// The result of a verification: `struct blink_tree_ioc_verify`
    Verify = 9 {
        flags: u32, known: u32, violation: u32, level: u32, key: u64, height: u32,
        reserved: u32, leaves: u64, inner: u64, entries: u64, empty: u64, unindexed: u64,
        misplaced: u64,
    }
    /// `struct blink_tree_ioc_attr`
    Attr = 12 {
        flags: u32, known: u32, id: u64, uid: u32, gid: u32, mode: u32, key: u32,
        max_entries: u64, name: [u8; NAME_MAX], max_bytes: u64, create_flags: u64,
        replication: u8, locking: u8, placement: u8, reserved: [u8; 5],
    }
    /// `struct blink_tree_ioc_records`
    Records = 14 {
        flags: u32, fill: u32, input: u64, output: u64, input_size: u64, output_size: u64,
        input_used: u64, output_used: u64, done: u64,
    }
    /// `struct blink_tree_ioc_record_scan`
    RecordScan = 15 {
        flags: u32, reserved: u32, first: u64, last: u64, first_length: u32,
        last_length: u32, output: u64, output_size: u64, output_used: u64, count: u64,
    }
    /// `struct blink_tree_ioc_record_erase`
    RecordErase = 16 {
        flags: u32, reserved: u32, first: u64, last: u64, first_length: u32,
        last_length: u32, count: u64,
    }
    /// `struct blink_tree_ioc_watch`
    Watch = 18 {
        flags: u32, slots: u32, first: u64, first_low: u64, last: u64, last_low: u64,
    }
    /// `struct blink_tree_ioc_range`
    Range = 19 {
        op: u32, flags: u32, first: u64, first_low: u64, last: u64, last_low: u64, size: u64,
        size_low: u64, value: u64,
    }
    /// `struct blink_tree_watch_ring`
    WatchRing {
        records: u32, record_size: u32, slots: u64, reserved: [u64; 6], head: u64,
        pad: [u64; 7], lost: u64, pad2: [u64; 7],
    }
    /// `struct blink_tree_change`
    Change {
        seq: u64, op: u32, more: u32, key: u64, key_low: u64, last: u64, last_low: u64,
        value: u64, old: u64,
    }
}

/// The number of the ioctl that takes this structure.
pub const fn request<T: Call>() -> Opcode {
    opcode::read_write::<T>(0xbd, T::NUMBER)
}

struct Pass<'a, T>(&'a mut T);

// SAFETY: the opcode has the size of T, which the caller of call() vouches for.
unsafe impl<T: Call> Ioctl for Pass<'_, T> {
    type Output = i32;
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        request::<T>()
    }

    fn as_ptr(&mut self) -> *mut c_void {
        (self.0 as *mut T).cast()
    }

    unsafe fn output_from_ptr(output: IoctlOutput, _: *mut c_void) -> Result<i32> {
        Ok(output)
    }
}

/// An ioctl, begun again if a signal interrupts it before it has an effect.
///
/// # Safety
///
/// See [`Call`]: addresses in the argument lead to memory that is as long as it says.
pub unsafe fn call<T: Call>(fd: impl AsFd, argument: &mut T) -> Result<i32> {
    #[cfg(test)]
    if let Some(result) = crate::tests::early::answer(argument) {
        return result;
    }
    loop {
        // SAFETY: the caller's promise.
        match unsafe { rustix::ioctl::ioctl(&fd, Pass(argument)) } {
            Err(Errno::INTR) => continue,
            result => return result,
        }
    }
}
