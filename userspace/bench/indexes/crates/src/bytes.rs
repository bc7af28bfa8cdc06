// SPDX-License-Identifier: GPL-2.0
//! The skip list with strings of bytes as keys: operations of userspace/bench/keys.

use crossbeam_skiplist::SkipMap;
use std::cell::RefCell;
use std::ops::Bound;
use std::slice;

/// Those of keys.h.
const KEY_MAX: usize = 1024;
const SCAN: usize = 48;

/// As struct key.
#[repr(C)]
pub struct Key {
    data: *const u8,
    length: u32,
}

impl Key {
    unsafe fn bytes(&self) -> &[u8] {
        slice::from_raw_parts(self.data, self.length as usize)
    }
}

type Strings = SkipMap<Box<[u8]>, u64>;

#[no_mangle]
pub extern "C" fn skiplist_bytes_create() -> *mut Strings {
    Box::into_raw(Box::default())
}

/// Whether the key was absent: the value of one that is present stays.
#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_insert(map: &Strings, key: &Key, value: u64) -> bool {
    *map.get_or_insert(key.bytes().into(), value).value() == value
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_lookup(map: &Strings, key: &Key, value: &mut u64) -> bool {
    map.get(key.bytes()).map(|found| *value = *found.value()).is_some()
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_scan(
    map: &Strings,
    key: &Key,
    nr: u32,
    sum: &mut u64,
) -> u32 {
    thread_local! {
        static COPIES: RefCell<[[u8; KEY_MAX]; SCAN]> =
            const { RefCell::new([[0; KEY_MAX]; SCAN]) };
    }
    let range = (Bound::Included(key.bytes()), Bound::Unbounded);
    COPIES.with_borrow_mut(|copies| {
        let mut got = 0;
        for (copy, entry) in copies[..nr as usize].iter_mut().zip(map.range::<[u8], _>(range)) {
            copy[..entry.key().len()].copy_from_slice(entry.key());
            *sum += *entry.value();
            got += 1;
        }
        got
    })
}
